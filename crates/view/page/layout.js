// Places every node and step of a search, once, in time linear in their number. The tree grows from left to right.
// An item is a node (its number) or a step (its number plus that of all nodes).

function layout(search) {
  const nodes = search.nodes, steps = search.step_node.length, items = nodes + steps;
  const parent = new Int32Array(items).fill(-1);
  const first = new Int32Array(items).fill(-1), last = new Int32Array(items).fill(-1);
  const next = new Int32Array(items).fill(-1);
  const born = new Int32Array(items);
  const depth = new Int32Array(items);
  const adopt = (above, item) => {
    parent[item] = above;
    if (last[above] < 0) first[above] = item; else next[last[above]] = item;
    last[above] = item;
  };
  for (let node = 0; node < nodes; node++) {
    born[node] = search.node_born[node];
    const step = search.node_parent[node];
    if (step >= 0 && step < steps) adopt(nodes + step, node);
  }
  // Links to goals that were already known: their nodes stand elsewhere.
  const shared = [];
  for (let step = 0; step < steps; step++) {
    const item = nodes + step;
    born[item] = search.step_born[step];
    adopt(search.step_node[step], item);
    for (const child of search.step_children[step]) {
      if (search.node_parent[child] !== step) shared.push(step, child);
    }
  }
  // Items in the order in which a reader meets them: every item before its children, children by their rows.
  const order = new Int32Array(items);
  let count = 0;
  let item = nodes > 0 ? 0 : -1;
  while (item >= 0) {
    order[count++] = item;
    depth[item] = parent[item] < 0 ? 0 : depth[parent[item]] + 1;
    let below = first[item];
    while (below < 0 && item >= 0) {
      below = next[item];
      item = parent[item];
    }
    item = below;
  }
  // Rows: one for each leaf; whatever has children stands in their middle.
  const y = new Float32Array(items), top = new Float32Array(items), bottom = new Float32Array(items);
  let rows = 0;
  // For each depth, the letters of the longest text before it: that of a step which leads on.
  const letters = [];
  for (let at = 0; at < count; at++) {
    const i = order[at];
    letters[depth[i]] = Math.max(letters[depth[i]] || 0, i >= nodes && first[i] >= 0 ? search.tactic(i - nodes).length : 0);
    if (first[i] < 0) {
      y[i] = rows + 0.5;
      top[i] = rows;
      bottom[i] = ++rows;
    }
  }
  for (let at = count - 1; at >= 0; at--) {
    const i = order[at];
    if (first[i] < 0) continue;
    y[i] = (y[first[i]] + y[last[i]]) / 2;
    top[i] = top[first[i]];
    bottom[i] = bottom[last[i]];
  }
  const deepest = Math.max(0, letters.length - 1);
  return { nodes, items: count, parent, first, next, born, depth, order, y, top, bottom, rows, deepest, letters, shared };
}
