// Beside the drawing: the node's verdict, label shares, members, and what the controls do.

const MOST_LABELS = 12;

function shareRow(words, set, own, colour) {
  const line = make("tr", {}, part("ego-shares")), head = make("td", { class: "left" }, line);
  if (colour) make("i", { class: "chip", style: "background:" + colour }, head);
  head.append(words);
  make("td", { text: set.nodes.toLocaleString("en") }, line);
  const stack = make("div", { class: "stack" }, make("td", { class: "of-labels" }, line));
  const ranked = Object.entries(set.labels).map(([code, share]) => [Number(code), share]).sort((a, b) => b[1] - a[1]);
  for (const [code, share] of ranked) {
    make("i", {
      style: "--size:" + (100 * share).toFixed(2) + ";background:" + labelColour(code), class: code === own ? "own" : "",
      "data-hint": labelName(code) + ": " + (100 * share).toFixed(1) + "%",
    }, stack);
  }
  const rank = ranked.findIndex(([code]) => code === own);
  const share = own < 0 || !ranked.length ? "–" : (rank < 0 ? "0" : (100 * ranked[rank][1]).toFixed(1)) + "%";
  make("td", { class: "of-labels", text: share, ...(rank < 0 ? {} : { "data-hint": "the number " + (rank + 1) + " of " + plural(ranked.length, "label") }) }, line);
}

function showShares() {
  part("ego-shares").replaceChildren();
  const own = labels[state.ego], hops = hopSets(state.ego);
  shareRow("within 2 hops", hops.two, own);
  shareRow("neighbours", hops.one, own);
  state.found.roles.forEach(function (set, role) {
    if (role > 0) shareRow("role " + role, set, own, ROLE_COLOURS[role]);
  });
  labelLegend([hops.two, hops.one, ...state.found.roles.slice(1)]);
}

// What the colours of the shares mean: the most frequent labels of the sets shown.
function labelLegend(sets) {
  const box = part("label-legend"), weight = new Map();
  box.replaceChildren();
  for (const set of sets) for (const code in set.labels) weight.set(Number(code), Math.max(weight.get(Number(code)) || 0, set.labels[code]));
  const codes = [...weight.keys()].sort((a, b) => weight.get(b) - weight.get(a));
  const own = labels[state.ego];
  for (const code of codes.slice(0, MOST_LABELS)) {
    const item = make(code === own ? "b" : "span", {}, box);
    make("i", { class: "chip label", style: "background:" + labelColour(code) }, item);
    item.append(labelName(code));
  }
  if (codes.length > MOST_LABELS) make("span", { text: "and " + (codes.length - MOST_LABELS) + " more: point at a piece" }, box);
}

function showVerdict() {
  part("ego-title").textContent = nameOf(state.ego);
  const own = labels[state.ego], words = [];
  if (data.labels.length) words.push(own < 0 ? "no label" : "label " + labelName(own));
  else words.push(data.said ? data.said[state.ego] : plural(hopSets(state.ego).one.nodes, "neighbour"));
  if (data.predicted) {
    const right = data.classes[data.predicted[state.ego]] === labelName(labels[state.ego]);
    words.push("predicted " + data.classes[data.predicted[state.ego]] + " (" + data.percent[state.ego] + "%)"
      + (labels[state.ego] < 0 ? "" : right ? ", right" : ", wrong"));
    if (data.part[state.ego] >= 0) words.push(PARTS[data.part[state.ego]]);
  }
  part("ego-verdict").textContent = words.join(" · ");
}

function showMembers() {
  const body = part("ego-members"), { plays } = drawnNodes();
  body.replaceChildren();
  const everyone = [...plays.values()].filter((entry) => entry.node !== state.ego
    && entry.roles.some((role) => !state.hidden.has(role)) && (state.label === -2 || labels[entry.node] === state.label));
  everyone.sort((a, b) => b.total - a.total || a.node - b.node);
  for (const entry of everyone.slice(0, MOST_LISTED)) {
    const line = make("tr", state.chosen && state.chosen.node === entry.node ? { class: "chosen" } : {}, body);
    const button = make("button", { type: "button", text: nameOf(entry.node) }, make("td", { class: "left" }, line));
    button.addEventListener("click", () => choose(entry.node, entry.roles.find((role) => !state.hidden.has(role))));
    make("td", { class: "left of-labels", text: labelName(labels[entry.node]) }, line);
    make("td", { text: entry.roles.map((role, k) => role + ": " + entry.counts[k].toLocaleString("en")).join("  ") }, line);
  }
  let more = everyone.length - Math.min(everyone.length, MOST_LISTED);
  if (data.ready) more += Math.max(0, ...state.found.roles.map((set) => set.nodes - set.members.length));
  if (more > 0) make("td", { class: "left none", colspan: 3, text: "and " + more.toLocaleString("en") + " more" }, make("tr", {}, body));
  if (!everyone.length) make("td", { class: "left none", colspan: 3, text: "nobody" }, make("tr", {}, body));
}

function showRoles() {
  const box = part("ego-roles"), template = data.templates[state.template];
  box.replaceChildren();
  template.roles.forEach(function (nodes, role) {
    if (role === 0) return;
    const label = make("label", {}, box), check = make("input", { type: "checkbox", "data-role": role }, label);
    check.checked = !state.hidden.has(role);
    make("i", { class: "chip", style: "margin:0;background:" + ROLE_COLOURS[role] }, label);
    label.append("role " + role + ": " + plural(state.found.roles[role].nodes, "node"));
    check.addEventListener("change", function () {
      if (check.checked) state.hidden.delete(role); else state.hidden.add(role);
      draw();
      showMembers();
    });
  });
}

function showStepper() {
  const count = state.instances.length;
  part("ego-stepper").hidden = !state.chosen;
  if (!state.chosen) return;
  const set = state.found.roles[state.chosen.role].members.find(([node]) => node === state.chosen.node);
  const more = count === MOST_INSTANCES && set[1] > count ? " (the first " + count + ")" : "";
  part("step-words").textContent = count
    ? "Instance " + (state.at + 1) + " of " + set[1].toLocaleString("en") + more + " with " + nameOf(state.chosen.node) + " in role " + state.chosen.role
    : plural(set[1], "instance") + " with " + nameOf(state.chosen.node) + " in role " + state.chosen.role;
  part("step-back").disabled = state.at === 0;
  part("step-on").disabled = state.at + 1 >= count;
  part("step-ego").hidden = !isReady(state.chosen.node);
  part("step-ego").textContent = "Go to " + nameOf(state.chosen.node);
}

function choose(node, role) {
  state.chosen = { node, role };
  state.at = 0;
  // Of a large graph only some nodes are here, so their instances would not be all.
  state.instances = data.ready ? []
    : instancesWith(graph, labels, data.templates[state.template].plan, state.ego, role, node, MOST_INSTANCES, STEPS);
  refresh();
}

function refresh() {
  draw();
  showMembers();
  showStepper();
}

// A new ego or template.
function look() {
  Object.assign(state, { chosen: null, instances: [], at: 0, found: lookAround(state.ego, state.template) });
  document.querySelectorAll("[data-template]").forEach((button) => button.setAttribute("aria-pressed", Number(button.dataset.template) === state.template));
  part("sketch").hidden = state.template < document.querySelectorAll("[data-template]").length - 1;
  part("ego-name").value = nameOf(state.ego);
  showRoles();
  showVerdict();
  showShares();
  refresh();
}

function go(node) { state.ego = node; look(); }

function suggest(text) {
  const list = part("ego-names"), wanted = text.toLowerCase();
  list.replaceChildren();
  let left = 30;
  for (const [name, node] of byName) {
    if (left === 0) break;
    if (isReady(node) && name.toLowerCase().includes(wanted)) { make("option", { value: name }, list); left--; }
  }
}

function pick(nodes) { if (nodes.length) go(nodes[Math.floor(Math.random() * nodes.length)]); }

(function () {
  const everyone = Array.from({ length: data.size }, (_, node) => node).filter(isReady);
  const degree = (node) => row(graph.out, node).length + (data.directed ? row(graph.into, node).length : 0);
  const wrong = !data.predicted ? [] : everyone.filter((node) => data.part[node] === 2 && labels[node] >= 0
    && data.classes[data.predicted[node]] !== data.labels[labels[node]]);
  const filter = part("ego-label");
  make("option", { value: -2, text: "any" }, filter);
  data.labels.forEach((name, code) => make("option", { value: code, text: name }, filter));
  filter.parentElement.hidden = data.labels.length === 0;
  part("ego-colour").parentElement.hidden = data.labels.length === 0;
  part("explorer").classList.toggle("unlabelled", data.labels.length === 0);
  part("ego-wrong").hidden = wrong.length === 0;
  part("ego-wrong").addEventListener("click", () => pick(wrong));
  part("ego-random").addEventListener("click", () => pick(everyone));
  part("ego-hub").hidden = Boolean(data.ready);
  part("ego-hub").addEventListener("click", () => go(everyone.reduce((a, b) => (degree(b) > degree(a) ? b : a))));
  part("ego-name").addEventListener("input", (event) => suggest(event.target.value));
  part("ego-name").addEventListener("change", function (event) {
    const node = byName.get(event.target.value) ?? byName.get(event.target.value.trim());
    if (node !== undefined && isReady(node)) { go(node); return; }
    part("ego-note").textContent = data.ready && node !== undefined
      ? "The graph is too large for this page to hold all nodes: " + event.target.value + " is not among the " + everyone.length + " that can be explored here."
      : "No node is called " + event.target.value + ".";
    part("ego-note").classList.add("warn");
  });
  part("ego-colour").addEventListener("change", (event) => { state.colour = event.target.value; draw(); });
  filter.addEventListener("change", (event) => { state.label = Number(event.target.value); refresh(); });
  part("ego-most").addEventListener("change", (event) => { state.most = Number(event.target.value); draw(); });
  document.querySelectorAll("[data-template]:not(#sketch-open)").forEach(function (button) {
    button.addEventListener("click", function () {
      Object.assign(state, { template: Number(button.dataset.template), hidden: new Set() });
      look();
    });
  });
  part("step-back").addEventListener("click", () => { state.at--; refresh(); });
  part("step-on").addEventListener("click", () => { state.at++; refresh(); });
  part("step-ego").addEventListener("click", () => go(state.chosen.node));
  part("step-clear").addEventListener("click", function () {
    Object.assign(state, { chosen: null, instances: [], at: 0 });
    refresh();
  });
  part("explorer").hidden = false;
  state.template = Math.min(data.first || 0, data.templates.length - 1);
  suggest("");
  look();
})();
