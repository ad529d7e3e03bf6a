// Roles around one node, found in the page itself.
//
// The contract is that of the library: non-induced, every instance once. The library writes the
// plan (see match_plan.py); a test compares the counts with the library's on random graphs.

// The graph from its packed edges: sorted rows of neighbours, and of tails when directed.
function unpackGraph(text, size, directed) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  let at = 0;
  function next() {
    let value = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }
  const sources = [], targets = [];
  for (let node = 0; node < size; node++) {
    let last = directed ? 0 : node;
    for (let left = next(); left > 0; left--) {
      last += next();
      sources.push(node);
      targets.push(last);
    }
  }
  if (directed) {
    return { size, directed, out: makeRows(size, sources, targets), into: makeRows(size, targets, sources) };
  }
  const rows = makeRows(size, sources.concat(targets), targets.concat(sources));
  return { size, directed, out: rows, into: rows };
}

function makeRows(size, sources, targets) {
  const start = new Uint32Array(size + 1);
  for (const source of sources) start[source + 1]++;
  for (let node = 0; node < size; node++) start[node + 1] += start[node];
  const fill = start.slice(0, size), list = new Uint32Array(targets.length);
  for (let k = 0; k < sources.length; k++) list[fill[sources[k]]++] = targets[k];
  for (let node = 0; node < size; node++) list.subarray(start[node], start[node + 1]).sort();
  return { start, list };
}

function row(rows, node) {
  return rows.list.subarray(rows.start[node], rows.start[node + 1]);
}

function hasArc(rows, from, to) {
  let low = rows.start[from], high = rows.start[from + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.list[middle] < to) low = middle + 1; else high = middle;
  }
  return low < rows.start[from + 1] && rows.list[low] === to;
}

// Nodes that may take the place of a step, given the images of the earlier ones: the shortest of
// the rows that they must be in; the others are checked one by one.
function shortestRow(graph, step, image) {
  let best = null;
  for (const p of step.heads) {
    const list = row(graph.out, image[p]);
    if (best === null || list.length < best.length) best = list;
  }
  for (const p of step.tails) {
    const list = row(graph.into, image[p]);
    if (best === null || list.length < best.length) best = list;
  }
  return best;
}

function fits(graph, labels, step, image, depth, node, trusted) {
  for (let p = 0; p < depth; p++) if (image[p] === node) return false;
  const { above, heads, tails } = step;
  for (let k = 0; k < above.length; k++) if (node < image[above[k]]) return false;
  if (step.label !== -1 && labels[node] !== step.label) return false;
  // With a single edge to check, the node comes from that very row.
  if (heads.length + tails.length === 1 && trusted) return true;
  for (let k = 0; k < heads.length; k++) if (!hasArc(graph.out, image[heads[k]], node)) return false;
  for (let k = 0; k < tails.length; k++) if (!hasArc(graph.into, image[tails[k]], node)) return false;
  return true;
}

// How often every node plays every role around an ego. Stops after `limit` steps; the counts are
// then lower bounds and `complete` is false.
function countRoles(graph, labels, plan, numRoles, ego, limit) {
  const counts = Array.from({ length: numRoles }, () => new Float64Array(graph.size));
  const last = plan.length - 1, image = new Int32Array(plan.length);
  let left = limit;
  function extend(depth) {
    const step = plan[depth], mine = counts[step.role];
    let found = 0;
    const candidates = shortestRow(graph, step, image);
    for (let k = 0; k < candidates.length; k++) {
      if (left-- <= 0) break;
      const node = candidates[k];
      if (!fits(graph, labels, step, image, depth, node, true)) continue;
      image[depth] = node;
      const below = depth === last ? 1 : extend(depth + 1);
      mine[node] += below;
      found += below;
    }
    return found;
  }
  image[0] = ego;
  counts[0][ego] = 1;
  const allowed = plan[0].label === -1 || labels[ego] === plan[0].label;
  const instances = allowed ? extend(1) : 0;
  return { counts, instances, complete: left >= 0 };
}

// Instances around an ego in which `member` plays `role`, at most `most` of them, each as the
// list of its nodes in the template's order.
function instancesWith(graph, labels, plan, ego, role, member, most, limit) {
  const found = [], image = new Int32Array(plan.length);
  let left = limit;
  function extend(depth, pinned) {
    if (depth === plan.length) {
      const nodes = [];
      plan.forEach((step, k) => { nodes[step.node] = image[k]; });
      found.push(nodes);
      return;
    }
    const step = plan[depth];
    const candidates = depth === pinned ? [member] : shortestRow(graph, step, image);
    for (const node of candidates) {
      if (found.length >= most || left-- <= 0) return;
      if (depth !== pinned && node === member) continue;
      if (!fits(graph, labels, step, image, depth, node, depth !== pinned)) continue;
      image[depth] = node;
      extend(depth + 1, pinned);
    }
  }
  image[0] = ego;
  if (plan[0].label !== -1 && labels[ego] !== plan[0].label) return found;
  plan.forEach((step, k) => { if (k > 0 && step.role === role) extend(1, k); });
  return found;
}
