// Draw your own template: click the canvas for a node, two nodes for an edge between them.

const MOST_NODES = 6;
const OWN = data.templates.length;
const sketch = { at: [[160, 95]], edges: [], anchor: 0, chosen: null };

// The nodes renumbered so that the anchor is 0 and the others keep their order.
function numbered() {
  const order = [sketch.anchor, ...sketch.at.map((_, node) => node).filter((node) => node !== sketch.anchor)];
  const number = new Map(order.map((node, k) => [node, k]));
  return { number, edges: sketch.edges.map(([a, b]) => [number.get(a), number.get(b)]) };
}

function joinNodes(a, b) {
  const same = ([c, d]) => (c === a && d === b) || (!data.directed && c === b && d === a);
  const found = sketch.edges.findIndex(same);
  if (found < 0) sketch.edges.push([a, b]); else sketch.edges.splice(found, 1);
}

function clickNode(node) {
  if (sketch.chosen === null) sketch.chosen = node;
  else {
    if (sketch.chosen !== node) joinNodes(sketch.chosen, node);
    sketch.chosen = null;
  }
  drawSketch();
}

function addNode(x, y) {
  if (sketch.at.length >= MOST_NODES) return;
  const near = (v, most) => Math.round(Math.min(Math.max(v, 18), most - 18));
  sketch.at.push([near(x, 320), near(y, 190)]);
  // A chosen node and a new one are meant to be joined.
  if (sketch.chosen !== null) joinNodes(sketch.chosen, sketch.at.length - 1);
  sketch.chosen = null;
  drawSketch();
}

function removeChosen() {
  const gone = sketch.chosen;
  if (gone === null || sketch.at.length === 1) return;
  sketch.at.splice(gone, 1);
  const moved = (node) => node - (node > gone);
  sketch.edges = sketch.edges.filter((edge) => !edge.includes(gone)).map(([a, b]) => [moved(a), moved(b)]);
  sketch.anchor = sketch.anchor === gone ? 0 : moved(sketch.anchor);
  sketch.chosen = null;
  drawSketch();
}

function drawSketch() {
  const canvas = part("sketch-canvas"), { number, edges } = numbered();
  const plan = planTemplate(sketch.at.length, edges, data.directed);
  canvas.replaceChildren();
  for (const [a, b] of sketch.edges) {
    const [[x1, y1], [x2, y2]] = [sketch.at[a], sketch.at[b]];
    make("svg:line", { class: "tie", x1, y1, x2, y2 }, canvas);
    if (!data.directed) continue;
    make("svg:polygon", { class: "tip-of-tie", points: arrowHead([x1, y1], [x2, y2], 16, 10).join(" ") }, canvas);
  }
  sketch.at.forEach(function ([x, y], node) {
    const mine = number.get(node), role = plan ? plan.roles.findIndex((nodes) => nodes.includes(mine)) : mine === 0 ? 0 : -1;
    const group = make("svg:g", {
      class: "spot" + (sketch.chosen === node ? " chosen" : ""), tabindex: 0, role: "button", "data-spot": node,
      "aria-label": "node " + mine + (mine === 0 ? ", the anchor" : ""), "aria-pressed": sketch.chosen === node,
    }, canvas);
    if (mine === 0) make("svg:circle", { cx: x, cy: y, r: 17, fill: "none", stroke: ROLE_COLOURS[0], "stroke-width": 2 }, group);
    make("svg:circle", { class: "dot", cx: x, cy: y, r: 12, fill: role < 0 ? "#8a929b" : ROLE_COLOURS[role] }, group);
    make("svg:text", { x, y: y + 4.5, text: mine }, group);
    group.addEventListener("click", function (event) { event.stopPropagation(); clickNode(node); });
    group.addEventListener("keydown", function (event) {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); clickNode(node); }
      if (event.key === "Delete") { sketch.chosen = node; removeChosen(); }
    });
  });
  part("sketch-anchor").disabled = sketch.chosen === null || sketch.chosen === sketch.anchor;
  part("sketch-remove").disabled = sketch.chosen === null || sketch.at.length === 1;
  part("sketch-words").textContent = plan ? plan.text
    : sketch.at.length === 1 ? "Click beside the anchor to add a node." : "Join the nodes: click one, then another.";
  part("sketch-full").hidden = sketch.at.length < MOST_NODES;
  // What was there before would be taken for what is drawn: the ego alone until the nodes hang together.
  data.templates[OWN] = plan || { name: "your template", roles: [[0]], rings: [0], plan: [], loose: sketch.at.length === 1
    ? "Your template has no edge yet." : "Your template does not hang together yet." };
  Object.assign(state, { template: OWN, hidden: new Set() });
  look();
}

(function () {
  const button = part("sketch-open"), panel = part("sketch");
  if (data.ready) return;  // only a whole graph can be searched
  button.hidden = false;
  button.addEventListener("click", function () {
    panel.hidden = false;
    drawSketch();
  });
  part("sketch-canvas").addEventListener("click", function (event) {
    const box = event.currentTarget.getBoundingClientRect();
    addNode((event.clientX - box.left) * 320 / box.width, (event.clientY - box.top) * 190 / box.height);
  });
  part("sketch-add").addEventListener("click", function () {
    const turn = sketch.at.length * 1.3;
    addNode(160 + 90 * Math.cos(turn), 95 + 60 * Math.sin(turn));
  });
  part("sketch-anchor").addEventListener("click", function () {
    Object.assign(sketch, { anchor: sketch.chosen, chosen: null });
    drawSketch();
  });
  part("sketch-remove").addEventListener("click", removeChosen);
  part("sketch-clear").addEventListener("click", function () {
    Object.assign(sketch, { at: [[160, 95]], edges: [], anchor: 0, chosen: null });
    drawSketch();
  });
})();
