// A tree on a canvas that is moved, zoomed and clicked.

// The width of a column without texts.
const NARROW = 26;

// A text's part of a column, which is never wider than this many letters.
const textWidth = (letters, letter) => (letters ? Math.max(NARROW, Math.min(letters, 70) * letter + 20) : NARROW);

// Where each depth stands, if no column is wider than `widest`.
function columns(letters, letter, widest) {
  const across = [0];
  for (let at = 1; at < letters.length; at++) across.push(across[at - 1] + Math.min(widest, textWidth(letters[at], letter)));
  return across;
}

class Pane {
  constructor(search, name, told) {
    this.search = search;
    this.told = told;
    this.box = make('div', null, 'pane');
    this.canvas = make('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `Search tree of ${name}. Arrow keys go from node to node.`);
    this.box.append(this.canvas, make('div', name, 'name'));
    this.selected = -1;
    this.hovered = -1;
    this.marked = null;
    this.now = moment(search, search.moves);
    this.view = { sx: 1, sy: 1, ox: 0, oy: 0, widest: 0, across: [0] };
    this.isFitted = true;
    this.pointers();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.box);
  }

  close() {
    this.observer.disconnect();
    this.box.remove();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.box;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.width = width;
    this.height = height;
    if (this.isFitted) this.fit(); else this.redraw();
  }

  // Shows the whole tree, with the columns as wide as their texts as far as there is room.
  fit() {
    const { rows, deepest, letters, order, items, first, depth, nodes } = this.search.layout;
    const letter = letterWidth();
    const width = this.width - 40, tall = this.height - 60;
    const isRead = rows * LINE <= tall;
    // What stands at the leaves: it goes on to the right, where nothing else is.
    const leaves = [];
    for (let at = 0; isRead && at < items; at++) {
      const item = order[at];
      if (first[item] >= 0) continue;
      const text = item < nodes ? this.search.goal(item) : this.search.tactic(item - nodes);
      leaves.push([depth[item], text.length * letter + 16]);
    }
    const ends = leaves.map(([at, long]) => (at + 2 > deepest ? long : 0));
    const room = width - Math.min(width * 0.45, Math.max(30, ...ends));
    const longest = textWidth(letters.reduce((most, count) => Math.max(most, count), 0), letter);
    let widest = longest;
    if (columns(letters, letter, widest).at(-1) > room) {
      widest = 0;
      for (let step = longest / 2; step > 0.01; step /= 2) {
        if (columns(letters, letter, widest + step).at(-1) <= room) widest += step;
      }
    }
    const across = columns(letters, letter, widest);
    // Texts that take several lines have rows of that height, if there is room.
    // Words leave a third of a line free.
    const lines = (long, wide) => (long <= wide ? 1 : Math.min(MOST_LINES, Math.ceil(1.5 * long / Math.max(1, wide))));
    const high = Math.max(30, ...leaves.map(([at, long]) => LINE * lines(long, width - across[at]) + 8),
      LINE * lines(longest, widest) + 8);
    const sy = Math.min(isRead ? high : 30, tall / Math.max(1, rows));
    this.view = { sx: 1, sy, ox: 30, oy: 36 + Math.max(0, (tall - rows * sy) / 2), widest, across };
    this.isFitted = true;
    this.redraw();
  }

  // The tree has grown.
  grow() {
    if (this.isFitted) this.fit();
    else this.view.across = columns(this.search.layout.letters, letterWidth(), this.view.widest);
  }

  setMoves(moves) {
    this.now = moment(this.search, Math.min(moves, this.search.moves));
    this.redraw();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw() {
    if (!this.width || !this.search.nodes) return;
    const began = performance.now();
    const { canvas, view, search, now, width, height } = this;
    const context = canvas.getContext('2d');
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { options } = this.told;
    const drawn = drawTree(context, width, height, view, search, now, { colour: options.colour, shared: this.shared });
    if (options.tracks && (now.moves < search.moves || !search.ending)) drawTracks(context, view, search, now);
    if (options.obstacles) drawObstacles(context, width, height, view, search, now);
    if (this.marked) for (const item of this.marked) ring(context, view, search, item, theme.warn, 7);
    if (this.hovered >= 0) ring(context, view, search, this.hovered, theme.soft, 7);
    if (this.selected >= 0) {
      drawWay(context, view, search, this.selected, theme.select, 1.6);
      ring(context, view, search, this.selected, theme.select, 8);
    }
    const [x, y] = this.place(0);
    Object.assign(canvas.dataset, {
      nodes: now.alive, drawn, ms: (performance.now() - began).toFixed(2), root: `${x.toFixed(1)},${y.toFixed(1)}`,
    });
    this.told.drawn(this);
  }

  place(item) {
    const { depth, y } = this.search.layout;
    const { sx, sy, ox, oy, across } = this.view;
    return [across[depth[item]] * sx + ox, y[item] * sy + oy];
  }

  // The item nearest to a point, as far as it is near.
  pick(x, y) {
    const { first, next, born, top, bottom } = this.search.layout;
    const { sy, oy } = this.view;
    const near = 14;
    let found = -1, least = near * near, looked = 0;
    const stack = this.search.nodes ? [0] : [];
    while (stack.length && looked++ < 200000) {
      const item = stack.pop();
      if (born[item] > this.now.moves) continue;
      if (bottom[item] * sy + oy < y - near || top[item] * sy + oy > y + near) continue;
      const [atX, atY] = this.place(item);
      if (atX > x + near) continue;
      const distance = (atX - x) ** 2 + (atY - y) ** 2;
      if (distance < least) [found, least] = [item, distance];
      for (let child = first[item]; child >= 0; child = next[child]) stack.push(child);
    }
    return found;
  }

  // Moves a node into view, near enough to be read.
  show(item) {
    const { view } = this;
    view.sy = Math.max(view.sy, 15);
    view.sx = Math.max(view.sx, 100 / view.widest);
    const [x, y] = this.place(item);
    view.ox += this.width * 0.45 - x;
    view.oy += this.height / 2 - y;
    this.isFitted = false;
    this.redraw();
  }

  isInView(item) {
    const [x, y] = this.place(item);
    return x > 5 && y > 5 && x < this.width - 5 && y < this.height - 5;
  }

  zoom(factor, x, y) {
    const { view } = this;
    const { rows } = this.search.layout;
    const within = (value, least, most) => Math.min(Math.max(value, least), most);
    const sy = within(view.sy * factor, Math.min(2, (this.height - 60) / Math.max(1, rows)) * 0.5, 100);
    // Depth is stretched less, and never shrunk below what fits.
    const sx = within(view.sx * Math.sqrt(factor), 0.6, Math.max(1.5, 400 / view.widest));
    view.ox = x - (x - view.ox) * (sx / view.sx);
    view.oy = y - (y - view.oy) * (sy / view.sy);
    view.sx = sx;
    view.sy = sy;
    this.isFitted = false;
    this.redraw();
  }

  pan(dx, dy) {
    this.view.ox += dx;
    this.view.oy += dy;
    this.isFitted = false;
    this.redraw();
  }

  pointers() {
    const { canvas } = this;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let from = null, moved = false;
    canvas.addEventListener('pointerdown', (event) => {
      from = at(event);
      moved = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      const [x, y] = at(event);
      if (!from) {
        this.hover(this.pick(x, y), event);
        return;
      }
      if (!moved && Math.hypot(x - from[0], y - from[1]) < 4) return;
      moved = true;
      canvas.classList.add('dragging');
      this.pan(x - from[0], y - from[1]);
      from = [x, y];
    });
    const end = (event) => {
      canvas.classList.remove('dragging');
      if (from && !moved && event.type === 'pointerup') {
        const item = this.pick(...at(event));
        if (item >= 0) this.select(item);
      }
      from = null;
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
    canvas.addEventListener('pointerleave', () => this.hover(-1));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 30 : 1;
      this.zoom(Math.exp(-event.deltaY * lines * 0.0016), ...at(event));
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  hover(item, event) {
    if (item !== this.hovered) {
      this.hovered = item;
      this.redraw();
    }
    this.told.hovered(this, item, event);
  }

  select(item) {
    this.selected = item;
    this.redraw();
    this.told.selected(this, item);
  }

  key(event) {
    const { first, next, parent, born } = this.search.layout;
    const is = this.selected;
    const alive = (item) => {
      for (; item >= 0; item = next[item]) if (born[item] <= this.now.moves) return item;
      return -1;
    };
    let to = -1;
    if (event.key === '+' || event.key === '=') this.zoom(1.4, this.width / 2, this.height / 2);
    else if (event.key === '-') this.zoom(1 / 1.4, this.width / 2, this.height / 2);
    else if (event.key === '0') this.fit();
    else if (is < 0) to = event.key.startsWith('Arrow') ? 0 : -1;
    else if (event.key === 'ArrowRight') to = alive(first[is]);
    else if (event.key === 'ArrowLeft') to = parent[is];
    else if (event.key === 'ArrowDown') to = alive(next[is]);
    else if (event.key === 'ArrowUp' && parent[is] >= 0) {
      for (let item = first[parent[is]]; item !== is; item = next[item]) if (born[item] <= this.now.moves) to = item;
    } else return;
    event.preventDefault();
    if (to >= 0) {
      if (!this.isInView(to)) this.show(to);
      this.select(to);
    }
  }
}
