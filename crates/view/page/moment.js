// A search after some of its moves: what there was by then, and in which state.

const OPEN = 0, PROVED = 1, EXHAUSTED = 2;

function moment(search, moves) {
  const { nodes, items, parent, born, depth, order } = search.layout;
  const size = parent.length;
  const status = new Uint8Array(size);
  // Visits by paths of their own, and those that came up the tree.
  const direct = new Int32Array(size), visits = new Int32Array(size);
  for (const [move, node, now] of search.changes) {
    if (move > moves) break;
    status[node] = now;
  }
  // Paths other than the tree's own are counted node by node.
  const elsewhere = new Map();
  for (const [move, path] of search.paths) {
    if (move > moves) break;
    elsewhere.set(move, path);
  }
  for (let move = 1; move <= moves; move++) {
    if (!search.move_visits[move - 1]) continue;
    const path = elsewhere.get(move);
    if (path) for (const node of path) direct[node]++; else visits[search.move_node[move - 1]]++;
  }
  // Per subtree: how far it reaches, and its best status, for what is too small to be drawn in full.
  const reach = new Int32Array(size), best = new Uint8Array(size), latest = new Int32Array(size);
  let alive = 0, proved = 0, exhausted = 0;
  for (let at = items - 1; at >= 0; at--) {
    const i = order[at];
    if (born[i] > moves) continue;
    if (i < nodes) {
      alive++;
      if (status[i] === PROVED) proved++; else if (status[i] === EXHAUSTED) exhausted++;
    } else {
      const children = search.step_children[i - nodes];
      let now = PROVED;
      for (const child of children) {
        if (status[child] === EXHAUSTED) { now = EXHAUSTED; break; }
        if (status[child] === OPEN) now = OPEN;
      }
      // A closing step whose node is not proved was refuted.
      if (children.length === 0 && status[parent[i]] !== PROVED) now = search.states ? OPEN : EXHAUSTED;
      status[i] = now;
    }
    reach[i] = Math.max(reach[i], depth[i]);
    best[i] = Math.max(best[i], rank(status[i]));
    latest[i] = Math.max(latest[i], born[i]);
    const above = parent[i];
    if (above >= 0) {
      reach[above] = Math.max(reach[above], reach[i]);
      best[above] = Math.max(best[above], best[i]);
      latest[above] = Math.max(latest[above], latest[i]);
      visits[above] += visits[i];
    }
  }
  for (let i = 0; i < size; i++) visits[i] += direct[i];
  // A tree without moves is read from its end: how often its nodes were visited is lost.
  const known = search.move_node.length > 0 || nodes < 2;
  return { moves, status, visits, known, reach, best, latest, alive, proved, exhausted, obstacles: obstacles(search, moves) };
}

const rank = (status) => (status === PROVED ? 2 : status === OPEN ? 1 : 0);

const unrank = (best) => (best === 2 ? PROVED : best === 1 ? OPEN : EXHAUSTED);

// The obstacles that were met by then: node → kind, end, and whether it is past.
function obstacles(search, moves) {
  const met = new Map();
  const iteration = moves > 0 ? search.move_iteration[moves - 1] : 0;
  for (const [move, node, kind, until] of search.obstacles) {
    if (move > moves) break;
    met.set(node, { kind, until, past: until >= 0 && until <= iteration });
  }
  return met;
}
