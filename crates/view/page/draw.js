// Draws what of a tree is in view. What is smaller than a pixel is drawn as one bar, so that a frame costs as much as
// the screen has room for, whatever the size of the tree.

const theme = {};

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['ground', 'raised', 'line', 'ink', 'soft', 'accent', 'proved', 'open', 'exhausted', 'warn',
    'bad', 'edge', 'select']) {
    theme[name] = style.getPropertyValue(`--${name}`).trim();
  }
  theme.dark = matchMedia('(prefers-color-scheme: dark)').matches;
}

// A ramp that reads the same in light and dark: from faint to strong.
const ramp = (share) => {
  const at = Math.round(Math.min(1, Math.max(0, share)) * 12) / 12;
  const light = theme.dark ? 30 + 45 * at : 88 - 52 * at;
  return `hsl(${Math.round(222 - 190 * at)} ${Math.round(35 + 45 * at)}% ${Math.round(light)}%)`;
};

const agentColour = (agent) => `hsl(${Math.round((210 + agent * 137.508) % 360)} 60% ${theme.dark ? 64 : 44}%)`;

const statusColour = (status) => (status === PROVED ? theme.proved : status === OPEN ? theme.open : theme.exhausted);

// The colour of an item, or of all that is below it.
function colourOf(search, now, colour, item, whole) {
  if (colour === 'visits') return ramp(Math.log1p(now.visits[item]) / Math.log1p(Math.max(1, now.visits[0])));
  if (colour === 'time') return ramp((whole ? now.latest[item] : search.layout.born[item]) / Math.max(1, search.moves));
  if (colour === 'agent') {
    const born = search.layout.born[item];
    return born === 0 ? theme.soft : agentColour(search.move_agent[born - 1] ?? 0);
  }
  return statusColour(whole ? unrank(now.best[item]) : now.status[item]);
}

// Segments and dots by colour: a path for each is much faster than one for each item.
class Batch {
  constructor() { this.paths = new Map(); }

  of(colour) {
    let path = this.paths.get(colour);
    if (!path) this.paths.set(colour, path = new Path2D());
    return path;
  }

  stroke(context, width) {
    context.lineWidth = width;
    for (const [colour, path] of this.paths) {
      context.strokeStyle = colour;
      context.stroke(path);
    }
  }

  fill(context) {
    for (const [colour, path] of this.paths) {
      context.fillStyle = colour;
      context.fill(path);
    }
  }
}

function drawTree(context, width, height, view, search, now, options) {
  const { nodes, first, next, parent, born, depth, y, top, bottom } = search.layout;
  const { sx, sy, ox, oy } = view;
  const edges = new Batch(), bars = new Batch(), dots = new Batch(), halos = new Batch();
  const labels = [];
  const radius = Math.max(1.2, Math.min(5, sy * 0.33));
  const withDots = sy >= 3, withText = sy >= 13 && sx >= 45, bend = sy >= 7;
  const lastRow = new Int32Array(search.layout.deepest + 1).fill(-1e9);
  let drawn = 0;
  const edge = (path, item, x, at) => {
    const above = parent[item];
    if (above < 0) return;
    const fromX = x - sx, fromY = y[above] * sy + oy;
    path.moveTo(fromX, fromY);
    if (bend && at !== fromY) path.bezierCurveTo(fromX + sx * 0.5, fromY, x - sx * 0.5, at, x, at);
    else path.lineTo(x, at);
  };
  const stack = [0];
  while (stack.length) {
    const item = stack.pop();
    if (born[item] > now.moves) continue;
    const high = top[item] * sy + oy, low = bottom[item] * sy + oy;
    if (low < -40 || high > height + 40) continue;
    const x = depth[item] * sx + ox;
    if (x - sx > width) continue;
    const at = y[item] * sy + oy;
    if (low - high < 1.3 && first[item] >= 0 && item > 0) {
      // Too small for its parts: one bar, and one only for each row of the screen.
      const row = Math.floor(at);
      if (lastRow[depth[item]] === row) continue;
      lastRow[depth[item]] = row;
      drawn++;
      const colour = colourOf(search, now, options.colour, item, true);
      bars.of(colour).rect(x - sx, at - 0.5, (now.reach[item] - depth[item] + 1) * sx, 1.1);
      continue;
    }
    if (sy < 1 && first[item] < 0) {
      const row = Math.floor(at);
      if (lastRow[depth[item]] === row) continue;
      lastRow[depth[item]] = row;
    }
    drawn++;
    const colour = colourOf(search, now, options.colour, item, false);
    edge(edges.of(options.colour === 'status' && now.status[item] === PROVED ? theme.proved : theme.edge), item, x, at);
    if (item < nodes) {
      if (options.shared && options.shared[item] && withDots) {
        const halo = halos.of(theme.warn);
        halo.moveTo(x + radius + 3, at);
        halo.arc(x, at, radius + 3, 0, 7);
      }
      const path = dots.of(colour);
      if (withDots) {
        path.moveTo(x + radius, at);
        path.arc(x, at, radius, 0, 7);
      } else {
        path.rect(x - 1, at - Math.min(1, sy / 2), 2, Math.max(1, Math.min(2, sy)));
      }
    } else if (withDots) {
      const half = radius * (first[item] < 0 ? 0.8 : 0.45);
      dots.of(colour).rect(x - half, at - half, 2 * half, 2 * half);
    }
    if (withText && x > -sx * 3 && at > -10 && at < height + 10) labels.push(item, x, at);
    let child = first[item];
    // A child before its younger siblings: the last that is pushed is drawn first.
    const mark = stack.length;
    for (; child >= 0; child = next[child]) stack.push(child);
    for (let low = mark, high = stack.length - 1; low < high; low++, high--) {
      const swap = stack[low];
      stack[low] = stack[high];
      stack[high] = swap;
    }
  }
  edges.stroke(context, sy >= 7 ? 1.2 : 0.8);
  bars.fill(context);
  halos.stroke(context, 1.6);
  if (sy >= 9) drawShared(context, width, height, view, search, now);
  dots.fill(context);
  drawLabels(context, labels, sx, radius, search);
  return drawn;
}

// Steps that lead to a goal that stands elsewhere in the tree.
function drawShared(context, width, height, view, search, now) {
  const { nodes, born, depth, y, shared } = search.layout;
  const { sx, sy, ox, oy } = view;
  context.save();
  context.setLineDash([3, 4]);
  context.strokeStyle = theme.soft;
  context.lineWidth = 0.8;
  context.beginPath();
  let drawn = 0;
  for (let at = 0; at < shared.length && drawn < 2000; at += 2) {
    const step = nodes + shared[at], child = shared[at + 1];
    if (born[step] > now.moves) continue;
    const x = depth[step] * sx + ox, fromY = y[step] * sy + oy;
    if (x < 0 || x > width || fromY < 0 || fromY > height) continue;
    drawn++;
    context.moveTo(x, fromY);
    context.lineTo(depth[child] * sx + ox, y[child] * sy + oy);
  }
  context.stroke();
  context.restore();
}

function drawLabels(context, labels, sx, radius, search) {
  if (!labels.length) return;
  const { nodes, first, parent, y } = search.layout;
  context.font = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
  context.textBaseline = 'alphabetic';
  const letter = 6.65;
  const cut = (text, room) => {
    const letters = Math.floor(room / letter);
    return text.length <= letters ? text : letters > 3 ? `${text.slice(0, letters - 1)}…` : '';
  };
  for (let at = 0; at < labels.length; at += 3) {
    const item = labels[at], x = labels[at + 1], row = labels[at + 2];
    if (item < nodes) {
      // Only where the way on is free.
      if (first[item] >= 0) continue;
      context.fillStyle = theme.soft;
      context.textBaseline = 'middle';
      context.fillText(cut(search.goal(item), 420), x + radius + 6, row);
      context.textBaseline = 'alphabetic';
    } else {
      context.fillStyle = theme.ink;
      const closes = first[item] < 0;
      const text = cut(search.tactic(item - nodes), closes ? 420 : sx - radius - 4);
      if (closes) {
        context.textBaseline = 'middle';
        context.fillText(text, x + radius + 5, row);
        context.textBaseline = 'alphabetic';
      } else {
        // Over the line that leads here, or under it if it comes from above.
        const isFromAbove = y[parent[item]] < y[item] - 0.2;
        context.textAlign = 'right';
        context.fillText(text, x - 2, isFromAbove ? row + 12 : row - 4);
        context.textAlign = 'left';
      }
    }
  }
}

// The way from the root to an item.
function drawWay(context, view, search, item, colour, width) {
  const { parent, depth, y } = search.layout;
  const { sx, sy, ox, oy } = view;
  const place = (i) => [depth[i] * sx + ox, y[i] * sy + oy];
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  for (let i = item; parent[i] >= 0; i = parent[i]) {
    const [x, at] = place(i), [fromX, fromY] = place(parent[i]);
    context.moveTo(fromX, fromY);
    if (sy >= 7 && at !== fromY) context.bezierCurveTo(fromX + sx * 0.5, fromY, x - sx * 0.5, at, x, at);
    else context.lineTo(x, at);
  }
  context.stroke();
}

function ring(context, view, search, item, colour, radius) {
  const { depth, y } = search.layout;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(depth[item] * view.sx + view.ox, y[item] * view.sy + view.oy, radius, 0, 7);
  context.stroke();
}

// Where each agent was last, and how it came there from where it was before.
function drawTracks(context, view, search, now) {
  const { depth, y, born } = search.layout;
  const { sx, sy, ox, oy } = view;
  const LENGTH = 12;
  const tracks = new Map();
  for (let move = now.moves; move > 0 && tracks.size < 64; move--) {
    if (now.moves - move > 50 * search.agents + 50) break;
    const agent = search.move_agent[move - 1];
    let track = tracks.get(agent);
    if (!track) tracks.set(agent, track = []);
    if (track.length < LENGTH) track.push(search.move_node[move - 1]);
  }
  for (const [agent, track] of tracks) {
    const colour = search.agents > 1 ? agentColour(agent) : theme.select;
    drawWay(context, view, search, track[0], colour, 2);
    context.strokeStyle = colour;
    for (let at = 0; at + 1 < track.length; at++) {
      const [a, b] = [track[at], track[at + 1]];
      if (a === b || born[a] > now.moves || born[b] > now.moves) continue;
      context.globalAlpha = 0.5 * (1 - at / LENGTH);
      context.lineWidth = 1.4;
      context.beginPath();
      context.moveTo(depth[b] * sx + ox, y[b] * sy + oy);
      const x = depth[a] * sx + ox, row = y[a] * sy + oy;
      context.quadraticCurveTo(Math.min(x, depth[b] * sx + ox) - 26, (row + y[b] * sy + oy) / 2, x, row);
      context.stroke();
    }
    context.globalAlpha = 1;
    ring(context, view, search, track[0], colour, 6.5);
  }
}

// Blocks and delays that were met, and the ways around them in the last moves.
function drawObstacles(context, width, height, view, search, now) {
  const { depth, y } = search.layout;
  const { sx, sy, ox, oy } = view;
  let drawn = 0;
  for (const [node, { kind, past }] of now.obstacles) {
    const x = depth[node] * sx + ox, at = y[node] * sy + oy;
    if (x < -10 || x > width + 10 || at < -10 || at > height + 10 || ++drawn > 3000) continue;
    const size = past ? 3 : Math.max(3.5, Math.min(7, sy * 0.5));
    context.strokeStyle = past ? theme.soft : kind === 0 ? theme.bad : theme.warn;
    context.lineWidth = 1.6;
    context.beginPath();
    context.arc(x, at, size, 0, 7);
    if (kind === 0) {
      context.moveTo(x - size * 0.7, at + size * 0.7);
      context.lineTo(x + size * 0.7, at - size * 0.7);
    } else {
      context.moveTo(x, at - size * 0.6);
      context.lineTo(x, at);
      context.lineTo(x + size * 0.5, at);
    }
    context.stroke();
  }
  context.save();
  context.setLineDash([4, 3]);
  context.strokeStyle = theme.bad;
  context.lineWidth = 1.4;
  for (let at = search.detours.length - 1; at >= 0; at--) {
    const [move, avoided] = search.detours[at];
    if (move > now.moves) continue;
    if (now.moves - move > 10) break;
    const chosen = search.move_node[move - 1];
    context.globalAlpha = 1 - (now.moves - move) / 12;
    context.beginPath();
    context.moveTo(depth[avoided] * sx + ox, y[avoided] * sy + oy);
    context.lineTo(depth[chosen] * sx + ox, y[chosen] * sy + oy);
    context.stroke();
  }
  context.restore();
}
