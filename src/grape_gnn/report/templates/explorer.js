// The explorer: choose a node and a template, see who plays which role, with which labels.

const STEPS = 1e7;        // about a second of search; beyond it counts are lower bounds
const MOST_INSTANCES = 50;
const MOST_LISTED = 200;
const PARTS = ["training node", "validation node", "test node"];
const SVG = "http://www.w3.org/2000/svg";

const data = JSON.parse(document.getElementById("explorer-data").textContent);
const ROLE_COLOURS = data.colours;
const graph = unpackGraph(data.edges, data.size, data.directed);
const labels = data.label || new Array(data.size).fill(-1);
const state = {
  ego: data.start, template: 0, hidden: new Set(), label: -2, most: 40, colour: "role",
  found: null, chosen: null, instances: [], at: 0,
};
const part = (id) => document.getElementById(id);
const nameOf = (node) => (data.names ? data.names[node] : String(node));
const labelName = (code) => (code < 0 ? "no label" : data.labels[code]);
const isReady = (node) => !data.ready || node in data.ready;
const plural = (count, word) => count.toLocaleString("en") + " " + word + (count === 1 ? "" : "s");
const byName = new Map();
for (let node = 0; node < data.size; node++) byName.set(nameOf(node), node);

function make(name, attributes, parent) {
  const element = name.startsWith("svg:")
    ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const key in attributes) {
    if (key === "text") element.textContent = attributes[key];
    else element.setAttribute(key, attributes[key]);
  }
  if (parent) parent.appendChild(element);
  return element;
}

// ---------------------------------------------------------------- colours

// Few labels get colours that are easy to tell apart, more of them get hues. Many numbers, such as
// years, get a ramp in their order, along which frequent labels lie further apart.
const ORDERED = data.labels.every((name) => /^[-+]?\d+([.]\d+)?$/.test(name));
const RAMP = [[93, 58, 155], [62, 92, 160], [39, 127, 142], [31, 161, 135], [74, 194, 109], [159, 218, 58], [253, 231, 37]];
const rampPlaces = (function () {
  const counts = data.labels.map(() => 1);
  for (const code of labels) if (code >= 0) counts[code]++;
  const total = counts.reduce((a, b) => a + b, 0);
  let before = 0;
  return counts.map(function (count) {
    before += count;
    return (before - count / 2) / total;
  });
})();

// None of them is the colour of a role; after Paul Tol.
const LABEL_COLOURS = ["#CC6677", "#6A5ACD", "#DDCC77", "#999933", "#88CCEE", "#8C564B", "#44AA99", "#AA4499"];

function labelColour(code) {
  if (code < 0) return "#8a929b";
  if (data.labels.length <= LABEL_COLOURS.length) return LABEL_COLOURS[code];
  if (!ORDERED) return "hsl(" + (code * 137.5 + 340) % 360 + " 45% " + [58, 42, 70][code % 3] + "%)";
  const place = rampPlaces[code] * (RAMP.length - 1), low = Math.min(Math.floor(place), RAMP.length - 2);
  const mixed = RAMP[low].map((value, k) => Math.round(value + (RAMP[low + 1][k] - value) * (place - low)));
  return "rgb(" + mixed.join(",") + ")";
}

// ---------------------------------------------------------------- what is around the ego

// For every role the members, strongest first, with the shares of their labels.
function lookAround(ego, number) {
  const template = data.templates[number];
  if (template.loose) return { roles: [{ members: [[ego, 1]], nodes: 1 }], instances: 0, complete: true };
  if (data.ready) {
    const sets = data.ready[ego].sets[number];
    const roles = template.roles.map((_, role) => (role === 0
      ? { members: [[ego, 1]], nodes: 1 } : sets[role]));
    return { roles, instances: sets[1].instances, complete: true };
  }
  const result = countRoles(graph, labels, template.plan, template.roles.length, ego, STEPS);
  const roles = result.counts.map(function (counts) {
    const members = [];
    counts.forEach((count, node) => { if (count > 0) members.push([node, count]); });
    members.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return { members, nodes: members.length, labels: labelShares(members.map((m) => m[0])) };
  });
  return { roles, instances: result.instances, complete: result.complete };
}

function labelShares(nodes) {
  const counts = {};
  let total = 0;
  for (const node of nodes) if (labels[node] >= 0) { counts[labels[node]] = (counts[labels[node]] || 0) + 1; total++; }
  for (const code in counts) counts[code] /= total;
  return counts;
}

function hopSets(ego) {
  if (data.ready) return data.ready[ego].hops;
  const near = new Set();
  const grow = (node, into) => { for (const rows of [graph.out, graph.into]) row(rows, node).forEach((v) => into.add(v)); };
  grow(ego, near);
  near.delete(ego);
  const far = new Set(near);
  near.forEach((node) => grow(node, far));
  far.delete(ego);
  const described = (set) => ({ nodes: set.size, labels: labelShares([...set]) });
  return { one: described(near), two: described(far) };
}

// ---------------------------------------------------------------- the drawing

// Who is drawn: the strongest members that pass the filters, and the chosen instance.
function drawnNodes() {
  const plays = new Map();
  state.found.roles.forEach(function (set, role) {
    for (const [node, count] of set.members) {
      if (!plays.has(node)) plays.set(node, { node, roles: [], counts: [], total: 0 });
      const entry = plays.get(node);
      entry.roles.push(role);
      entry.counts.push(count);
      entry.total += count;
    }
  });
  const instance = new Set(state.instances[state.at] || []);
  const passes = (entry) => entry.roles.some((role) => !state.hidden.has(role))
    && (state.label === -2 || labels[entry.node] === state.label);
  const others = [...plays.values()].filter((entry) => entry.node !== state.ego);
  const allowed = others.filter(passes);
  const kept = strongest(allowed, state.most);
  for (const entry of others) if (instance.has(entry.node) && !kept.includes(entry)) kept.push(entry);
  return { ego: plays.get(state.ego), kept, allowed: allowed.length, all: others.length, plays };
}

// The strongest of every role in turn, so that no role crowds out another.
function strongest(entries, most) {
  const queues = data.templates[state.template].roles.map((_, role) => entries
    .filter((entry) => entry.roles.includes(role) && !state.hidden.has(role))
    .sort((a, b) => b.counts[b.roles.indexOf(role)] - a.counts[a.roles.indexOf(role)]));
  const kept = new Set();
  for (let k = 0; kept.size < most && queues.some((queue) => k < queue.length); k++) {
    for (const queue of queues) if (k < queue.length && kept.size < most) kept.add(queue[k]);
  }
  return [...kept];
}

// The ego in the middle; every role on the ring of its distance, neighbours on the ring by role
// and label.
function places(drawn) {
  const rings = data.templates[state.template].rings, outer = Math.max(...rings, 1);
  const at = new Map([[state.ego, [360, 310]]]), groups = new Map();
  for (const entry of drawn.kept) {
    const seen = entry.roles.filter((role) => !state.hidden.has(role));
    entry.home = (seen.length ? seen : entry.roles).reduce((a, b) => (rings[b] < rings[a] ? b : a));
    const ring = rings[entry.home];
    if (!groups.has(ring)) groups.set(ring, []);
    groups.get(ring).push(entry);
  }
  groups.forEach(function (entries, ring) {
    entries.sort((a, b) => a.home - b.home || labels[a.node] - labels[b.node] || b.total - a.total);
    const reach = outer === 1 ? 0.95 : ring / outer;
    const seats = entries.length | 1;  // an odd number: no line between two of them goes through the ego
    entries.forEach(function (entry, k) {
      const turn = 2 * Math.PI * (k + 0.5 * (ring - 1)) / seats - Math.PI / 2;
      const jitter = entries.length > 44 && k % 2 ? 0.9 : 1;
      at.set(entry.node, [360 + 318 * reach * jitter * Math.cos(turn), 310 + 272 * reach * jitter * Math.sin(turn)]);
    });
  });
  return { at, groups, outer };
}

function draw() {
  const view = part("ego-view"), template = data.templates[state.template];
  view.replaceChildren();
  const drawn = drawnNodes(), { at, groups, outer } = places(drawn);
  const instance = state.instances[state.at] || null, inside = new Set(instance || []);
  for (const ring of groups.keys()) {
    const reach = outer === 1 ? 0.95 : ring / outer;
    make("svg:ellipse", { class: "halo", cx: 360, cy: 310, rx: 318 * reach, ry: 272 * reach }, view);
  }
  drawEdges(view, at, instance !== null);
  if (instance) drawInstance(view, template, instance, at);
  const largest = template.roles.map((_, role) => Math.max(1, ...drawn.kept.map((e) => (e.roles.includes(role) ? e.counts[e.roles.indexOf(role)] : 0))));
  for (const entry of [drawn.ego, ...drawn.kept]) {
    drawNode(view, entry, at.get(entry.node), largest, instance !== null && !inside.has(entry.node));
  }
  writeNames(view, drawn, at, inside);
  legend(drawn);
  const shown = drawn.kept.length < drawn.allowed ? "; the strongest " + drawn.kept.length + " are drawn" : "";
  const limit = state.found.complete ? "" : " The search stopped after ten million steps: the counts are lower bounds.";
  const note = part("ego-note");
  note.textContent = template.loose || plural(state.found.instances, "instance") + " of " + template.name + " around " + nameOf(state.ego)
    + ", " + plural(drawn.all, "member") + (drawn.allowed < drawn.all ? ", " + drawn.allowed.toLocaleString("en") + " pass the filters" : "")
    + shown + "." + limit;
  note.classList.toggle("warn", !state.found.complete);
}

// The corners of the head of an arc; it stops short of the circle of the node.
function arrowHead([x1, y1], [x2, y2], gap, size) {
  const turn = Math.atan2(y2 - y1, x2 - x1), x = x2 - gap * Math.cos(turn), y = y2 - gap * Math.sin(turn);
  const corner = (angle) => (x - size * Math.cos(turn + angle)).toFixed(1) + "," + (y - size * Math.sin(turn + angle)).toFixed(1);
  return [x.toFixed(1) + "," + y.toFixed(1), corner(0.4), corner(-0.4)];
}

const gapBefore = (node) => (node === state.ego ? 18 : 13);

function drawEdges(view, at, faded) {
  let path = "", heads = "", count = 0;
  at.forEach(function ([x1, y1], from) {
    row(graph.out, from).forEach(function (to) {
      if (!at.has(to) || (!data.directed && to < from)) return;
      const [x2, y2] = at.get(to);
      count++;
      path += "M" + x1.toFixed(1) + " " + y1.toFixed(1) + "L" + x2.toFixed(1) + " " + y2.toFixed(1);
      if (data.directed) heads += "M" + arrowHead([x1, y1], [x2, y2], gapBefore(to), 8).join("L") + "Z";
    });
  });
  // Hundreds of lines would hide what is behind them.
  const opacity = Math.max(0.3, Math.min(1, 300 / count)).toFixed(2);
  if (path) make("svg:path", { class: faded ? "edge faded" : "edge", d: path, "stroke-opacity": opacity }, view);
  if (heads) make("svg:path", { class: faded ? "arc-head faded" : "arc-head", d: heads, "fill-opacity": opacity }, view);
}

function drawInstance(view, template, instance, at) {
  template.plan.forEach(function (step) {
    const add = function (a, b) {
      const [x1, y1] = at.get(a), [x2, y2] = at.get(b);
      make("svg:line", { class: "instance", x1, y1, x2, y2 }, view);
      if (!data.directed) return;
      make("svg:polygon", { class: "instance", points: arrowHead(at.get(a), at.get(b), gapBefore(b) + 1, 11).join(" ") }, view);
    };
    for (const p of step.heads) add(instance[template.plan[p].node], instance[step.node]);
    for (const p of step.tails) add(instance[step.node], instance[template.plan[p].node]);
  });
}

function drawNode(view, entry, [x, y], largest, faded) {
  const isEgo = entry.node === state.ego;
  const chosen = state.chosen && state.chosen.node === entry.node ? " chosen" : "";
  const group = make("svg:g", { class: (isEgo ? "" : "pick") + (faded ? " faded" : "") + chosen, "data-node": entry.node }, view);
  const roles = isEgo ? [0] : entry.roles.filter((role) => !state.hidden.has(role));
  const shown = roles.length ? roles : entry.roles;
  const weight = Math.max(...shown.map((role) => entry.counts[entry.roles.indexOf(role)] / largest[role]));
  const radius = isEgo ? 12 : 5.5 + 6 * Math.sqrt(weight);
  if (isEgo) make("svg:circle", { cx: x, cy: y, r: 17, fill: "none", stroke: ROLE_COLOURS[0], "stroke-width": 2.4 }, group);
  if (state.colour === "label" || shown.length === 1) {
    // Labels are squares and roles circles, so that nobody takes the one for the other.
    if (state.colour === "label") make("svg:rect", { class: "dot", x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius, rx: 2, fill: labelColour(labels[entry.node]) }, group);
    else make("svg:circle", { class: "dot", cx: x, cy: y, r: radius, fill: ROLE_COLOURS[shown[0]] }, group);
  } else {
    shown.forEach(function (role, k) {
      const [a, b] = [k, k + 1].map((step) => 2 * Math.PI * step / shown.length - Math.PI / 2);
      const corner = (turn) => (x + radius * Math.cos(turn)) + " " + (y + radius * Math.sin(turn));
      make("svg:path", { class: "dot", fill: ROLE_COLOURS[role], d: "M" + x + " " + y + "L" + corner(a) + "A" + radius + " " + radius + " 0 0 1 " + corner(b) + "Z" }, group);
    });
  }
  group.addEventListener("pointermove", (event) => showTip(describe(entry), event));
  group.addEventListener("pointerleave", hideTip);
  if (!isEgo) group.addEventListener("click", function () {
    hideTip();  // a finger does not leave: the hint would stay over the drawing
    choose(entry.node, entry.home);
  });
}

function describe(entry) {
  const words = [nameOf(entry.node)];
  if (data.said) words.push(...data.said[entry.node].split(" · "));
  if (data.labels.length) words.push("label: " + labelName(labels[entry.node]));
  if (data.predicted) words.push("predicted: " + data.classes[data.predicted[entry.node]] + " (" + data.percent[entry.node] + "%)");
  if (entry.node === state.ego) words.push("the ego");
  else entry.roles.forEach((role, k) => words.push("role " + role + " in " + plural(entry.counts[k], "instance")));
  return words.join("\n");
}

// Names of the ego and of as many others as fit: each tries the places around its dot, and takes
// one where it touches no other name and stays inside.
const TURNS = [-90, 90, 0, 180, -45, -135, 45, 135].map((turn) => turn * Math.PI / 180);

function writeNames(view, drawn, at, inside) {
  const taken = [], unit = Math.max(1, 0.9 * 720 / view.getBoundingClientRect().width);  // readable on a phone
  const first = [...drawn.kept].sort((a, b) => inside.has(b.node) - inside.has(a.node) || b.total - a.total);
  for (const entry of [drawn.ego, ...first]) {
    if (inside.size && !inside.has(entry.node)) continue;
    const [x, y] = at.get(entry.node), whole = nameOf(entry.node);
    const letters = [...whole];  // cut in the middle: names that begin alike often differ at the end
    const name = letters.length > 18 ? letters.slice(0, 8).join("") + "…" + letters.slice(-9).join("") : whole;
    const text = make("svg:text", { class: "name", x: 0, y: 0, text: name, style: "font-size:" + 12 * unit + "px" }, view);
    const half = text.getComputedTextLength() / 2 + 1, high = 8 * unit, away = entry.node === state.ego ? 19 : 13;
    const box = TURNS.flatMap((turn) => [0, 8].map(function (gap) {
      const u = x + Math.cos(turn) * (away + gap + half), v = y + Math.sin(turn) * (away + gap + high);
      return [u - half, v - high, u + half, v + high];
    })).find((box) => box[0] >= 0 && box[1] >= 0 && box[2] <= 720 && box[3] <= 620
      && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]));
    if (!box) { text.remove(); continue; }
    taken.push(box);
    text.setAttribute("x", (box[0] + box[2]) / 2);
    text.setAttribute("y", box[3] - 4 * unit);
  }
}

function legend(drawn) {
  const box = part("ego-legend");
  box.replaceChildren();
  if (state.colour === "role") {
    make("span", { text: "Circles in the colours of the roles; larger ones are in more instances, one of several colours plays several roles. Click one to see its instances." }, box);
    return;
  }
  make("b", { text: "Labels" }, box);
  const codes = new Set([drawn.ego, ...drawn.kept].map((entry) => labels[entry.node]));
  for (const code of [...codes].sort((a, b) => a - b)) {
    const item = make("span", {}, box);
    make("i", { class: "chip label", style: "background:" + labelColour(code) }, item);
    item.append(labelName(code));
  }
}
