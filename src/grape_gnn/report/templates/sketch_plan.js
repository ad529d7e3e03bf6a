// A template that the reader drew: its symmetries, its roles, and how to look for it.
//
// The same as the library does (symmetry.py and match_plan.py), for at most six nodes; a test
// compares what is found with the library, in a browser.

function permutations(list) {
  if (list.length < 2) return [list];
  return list.flatMap((first, k) => permutations([...list.slice(0, k), ...list.slice(k + 1)]).map((rest) => [first, ...rest]));
}

// Nodes are numbered from 0, the anchor; edges are pairs of them, arcs when directed. Returns null
// unless all nodes hang together.
function planTemplate(size, edges, directed) {
  const joined = Array.from({ length: size }, () => new Array(size).fill(false));
  for (const [a, b] of edges) {
    joined[a][b] = true;
    if (!directed) joined[b][a] = true;
  }
  const near = (a, b) => joined[a][b] || joined[b][a];
  const rings = [0];
  for (let step = 1; step < size; step++) {
    for (let node = 1; node < size; node++) {
      if (rings[node] === undefined && rings.some((ring, other) => ring === step - 1 && near(node, other))) rings[node] = step;
    }
  }
  const others = Array.from({ length: size - 1 }, (_, k) => k + 1);
  if (size < 2 || others.some((node) => rings[node] === undefined)) return null;

  // Every symmetry that keeps the anchor in place; a role is what they map onto each other.
  const symmetries = permutations(others).map((images) => [0, ...images])
    .filter((g) => joined.every((line, a) => line.every((set, b) => set === joined[g[a]][g[b]])));
  const orbit = (node, group) => [...new Set(group.map((g) => g[node]))].sort((a, b) => a - b);
  const roles = [];
  for (let node = 0; node < size; node++) if (!roles.some((role) => role.includes(node))) roles.push(orbit(node, symmetries));

  // From the anchor on, always the node with most edges to those placed.
  const order = [0];
  while (order.length < size) {
    const ties = (node) => order.reduce((sum, p) => sum + joined[node][p] + (directed ? joined[p][node] : 0), 0);
    order.push(others.filter((node) => !order.includes(node)).reduce((a, b) => (ties(b) > ties(a) ? b : a)));
  }
  // Of two images that a symmetry could swap, the smaller comes first: every instance is met once.
  const smaller = [];
  let group = symmetries;
  for (const node of order) {
    for (const other of orbit(node, group)) if (other !== node) smaller.push([node, other]);
    group = group.filter((g) => g[node] === node);
  }
  const plan = order.map(function (node, k) {
    const places = (test) => order.slice(0, k).map((p, place) => (test(p) ? place : -1)).filter((place) => place >= 0);
    return {
      node, role: roles.findIndex((role) => role.includes(node)), label: -1,
      heads: places((p) => joined[p][node]),
      tails: directed ? places((p) => joined[node][p]) : [],
      above: smaller.filter(([, high]) => high === node).map(([low]) => order.indexOf(low)).sort((a, b) => a - b),
    };
  });
  const arrow = (a, b) => a + (directed ? ">" : "-") + b;
  const text = edges.map(([a, b]) => (directed || a < b ? [a, b] : [b, a]))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([a, b]) => arrow(a, b)).join(" ");
  return { name: "your template", text, roles, rings: roles.map((role) => rings[role[0]]), plan };
}
