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
  const { sx, sy, ox, oy, across } = view;
  const edges = new Batch(), bars = new Batch(), dots = new Batch(), halos = new Batch();
  const labels = [];
  const radius = Math.max(1.2, Math.min(5, sy * 0.33));
  const withDots = sy >= 3, withText = sy >= LINE && view.widest * sx >= 60, bend = sy >= 7;
  const lastRow = new Int32Array(search.layout.deepest + 1).fill(-1e9);
  let drawn = 0;
  const edge = (path, item, fromX, x, at) => {
    const above = parent[item];
    if (above < 0) return;
    const fromY = y[above] * sy + oy, middle = (fromX + x) / 2;
    path.moveTo(fromX, fromY);
    if (bend && at !== fromY) path.bezierCurveTo(middle, fromY, middle, at, x, at);
    else path.lineTo(x, at);
  };
  const stack = [0];
  while (stack.length) {
    const item = stack.pop();
    if (born[item] > now.moves) continue;
    const high = top[item] * sy + oy, low = bottom[item] * sy + oy;
    if (low < -40 || high > height + 40) continue;
    const x = across[depth[item]] * sx + ox, fromX = across[Math.max(0, depth[item] - 1)] * sx + ox;
    if (fromX > width) continue;
    const at = y[item] * sy + oy;
    if (low - high < 1.3 && first[item] >= 0 && item > 0) {
      // Too small for its parts: one bar, and one only for each row of the screen.
      const row = Math.floor(at);
      if (lastRow[depth[item]] === row) continue;
      lastRow[depth[item]] = row;
      drawn++;
      const colour = colourOf(search, now, options.colour, item, true);
      bars.of(colour).rect(fromX, at - 0.5, across[now.reach[item]] * sx + ox - fromX, 1.1);
      continue;
    }
    if (sy < 1 && first[item] < 0) {
      const row = Math.floor(at);
      if (lastRow[depth[item]] === row) continue;
      lastRow[depth[item]] = row;
    }
    drawn++;
    const colour = colourOf(search, now, options.colour, item, false);
    edge(edges.of(options.colour === 'status' && now.status[item] === PROVED ? theme.proved : theme.edge), item, fromX, x, at);
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
    if (withText && at > -10 && at < height + 10) labels.push(item, fromX, x, at);
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
  drawLabels(context, labels, width, sy, radius, search);
  return drawn;
}

// Steps that lead to a goal that stands elsewhere in the tree.
function drawShared(context, width, height, view, search, now) {
  const { nodes, born, depth, y, shared } = search.layout;
  const { sx, sy, ox, oy, across } = view;
  context.save();
  context.setLineDash([3, 4]);
  context.strokeStyle = theme.soft;
  context.lineWidth = 0.8;
  context.beginPath();
  let drawn = 0;
  for (let at = 0; at < shared.length && drawn < 2000; at += 2) {
    const step = nodes + shared[at], child = shared[at + 1];
    if (born[step] > now.moves) continue;
    const x = across[depth[step]] * sx + ox, fromY = y[step] * sy + oy;
    if (x < 0 || x > width || fromY < 0 || fromY > height) continue;
    drawn++;
    context.moveTo(x, fromY);
    context.lineTo(across[depth[child]] * sx + ox, y[child] * sy + oy);
  }
  context.stroke();
  context.restore();
}

const FONT = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

// The height of a line of a label.
const LINE = 13;

// A label has at most so many.
const MOST_LINES = 7;

// The width of a letter, as this browser draws it.
function letterWidth() {
  const context = document.createElement('canvas').getContext('2d');
  context.font = FONT;
  return context.measureText('n'.repeat(50)).width / 50;
}

// A text in at most so many lines, each as wide as there is room. Nothing, if not even a word could be read.
function wrapped(context, text, room, most, letter) {
  const lines = [];
  const fitting = (part, width) => {
    let end = Math.min(part.length, Math.ceil(width / letter) + 1);
    while (end > 0 && context.measureText(part.slice(0, end)).width > width) end--;
    return end;
  };
  for (let rest = text.trim(); rest;) {
    const end = fitting(rest, room);
    if (end === rest.length) {
      lines.push(rest);
      break;
    }
    if (end < 6) return [];
    if (lines.length + 1 >= most) {
      lines.push(`${rest.slice(0, fitting(rest, room - letter)).trimEnd()}…`);
      break;
    }
    // Between words, or else between the parts of a name.
    const space = Math.max(rest.lastIndexOf(' ', end), ...['_', '.'].map((mark) => rest.lastIndexOf(mark, end - 1) + 1));
    const cut = space > end * 0.4 ? space : end;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return lines;
}

// A leaf has its row to itself, up to the edge. A step that leads on has the way to it, and the room up to what stands above.
function drawLabels(context, labels, width, sy, radius, search) {
  if (!labels.length) return;
  const { nodes, first } = search.layout;
  const letter = letterWidth();
  context.font = FONT;
  context.textBaseline = 'middle';
  const taken = [], inner = [];
  for (let at = 0; at < labels.length; at += 4) {
    const item = labels[at], fromX = labels[at + 1], x = labels[at + 2], row = labels[at + 3];
    const isNode = item < nodes;
    if (first[item] >= 0) {
      if (!isNode) inner.push({ item, fromX, x, row });
      continue;
    }
    context.fillStyle = isNode ? theme.soft : theme.ink;
    const text = isNode ? search.goal(item) : search.tactic(item - nodes);
    const lines = wrapped(context, text, width - x - radius - 12, Math.max(1, Math.floor(sy / LINE)), letter);
    lines.forEach((line, n) => context.fillText(line, x + radius + 6, row + (n - (lines.length - 1) / 2) * LINE));
    if (lines.length) taken.push([x, x + Math.max(...lines.map((line) => line.length)) * letter, row + lines.length * LINE / 2]);
  }
  inner.sort((a, b) => a.row - b.row);
  context.fillStyle = theme.ink;
  context.strokeStyle = theme.ground;
  context.lineWidth = 3;
  context.textAlign = 'right';
  for (const { item, fromX, x, row } of inner) {
    let ceiling = Math.max(2, row - 2 - MOST_LINES * LINE);
    for (const [left, right, low] of taken) if (low < row - 4 && left < x && right > fromX) ceiling = Math.max(ceiling, low);
    const most = Math.max(1, Math.floor((row - 1.9 - ceiling) / LINE));
    const lines = wrapped(context, search.tactic(item - nodes), x - fromX - radius - 6, most, letter);
    lines.forEach((line, n) => {
      const place = row - 8 - (lines.length - 1 - n) * LINE;
      context.strokeText(line, x - 2, place);
      context.fillText(line, x - 2, place);
    });
    taken.push([fromX + 1, x, row + 2]);
  }
  context.textAlign = 'left';
}

// The way from the root to an item.
function drawWay(context, view, search, item, colour, width) {
  const { parent, depth, y } = search.layout;
  const { sx, sy, ox, oy, across } = view;
  const place = (i) => [across[depth[i]] * sx + ox, y[i] * sy + oy];
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  for (let i = item; parent[i] >= 0; i = parent[i]) {
    const [x, at] = place(i), [fromX, fromY] = place(parent[i]);
    context.moveTo(fromX, fromY);
    const middle = (fromX + x) / 2;
    if (sy >= 7 && at !== fromY) context.bezierCurveTo(middle, fromY, middle, at, x, at);
    else context.lineTo(x, at);
  }
  context.stroke();
}

function ring(context, view, search, item, colour, radius) {
  const { depth, y } = search.layout;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(view.across[depth[item]] * view.sx + view.ox, y[item] * view.sy + view.oy, radius, 0, 7);
  context.stroke();
}

// Where each agent was last, and how it came there from where it was before.
function drawTracks(context, view, search, now) {
  const { depth, y, born } = search.layout;
  const { sx, sy, ox, oy, across } = view;
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
      context.moveTo(across[depth[b]] * sx + ox, y[b] * sy + oy);
      const x = across[depth[a]] * sx + ox, row = y[a] * sy + oy;
      context.quadraticCurveTo(Math.min(x, across[depth[b]] * sx + ox) - 26, (row + y[b] * sy + oy) / 2, x, row);
      context.stroke();
    }
    context.globalAlpha = 1;
    ring(context, view, search, track[0], colour, 6.5);
  }
}

// Blocks and delays that were met, and the ways around them in the last moves.
function drawObstacles(context, width, height, view, search, now) {
  const { depth, y } = search.layout;
  const { sx, sy, ox, oy, across } = view;
  let drawn = 0;
  for (const [node, { kind, past }] of now.obstacles) {
    const x = across[depth[node]] * sx + ox, at = y[node] * sy + oy;
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
    context.moveTo(across[depth[avoided]] * sx + ox, y[avoided] * sy + oy);
    context.lineTo(across[depth[chosen]] * sx + ox, y[chosen] * sy + oy);
    context.stroke();
  }
  context.restore();
}
