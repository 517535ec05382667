// Where data comes from: the server that served this page, or the page itself if it was exported.

const isServed = !document.getElementById('data-runs');

const element = (id) => document.getElementById(id);

// Makes an element. Text is always text, whatever is in it.
function make(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = String(text);
  if (name) made.className = name;
  return made;
}

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

async function unpacked(name) {
  const block = document.getElementById(`data-${name}`);
  if (!block) throw new Error('it is not in this file');
  const bytes = Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}

const source = {
  runs: (from) => (isServed ? fetched(`data/runs?from=${from}`) : unpacked('runs')),
  search: (row, epoch, from) => (isServed
    ? fetched(`data/search?row=${row}` + (from ? `&epoch=${epoch}&from=${from}` : ''))
    : unpacked(`search-${row}`)),
  details: (row, chunk) => (isServed
    ? fetched(`data/details?row=${row}&chunk=${chunk}`)
    : unpacked(`details-${row}-${chunk}`)),
  plots: () => (isServed ? fetched('data/plots') : unpacked('plots')),
  result: (row) => (isServed ? fetched(`data/result?row=${row}`) : unpacked(`result-${row}`)),
};

const COLUMNS = [
  'texts', 'node_parent', 'node_born', 'node_goal', 'step_node', 'step_tactic', 'step_prior', 'step_born',
  'step_children', 'move_iteration', 'move_node', 'move_agent', 'move_at', 'move_reason', 'move_visits', 'changes',
  'signatures', 'obstacles', 'detours', 'paths',
];

// A search. Its columns only grow, so that the server is asked for the rest of each.
class Search {
  constructor(row) {
    this.row = row;
    this.clear();
  }

  clear() {
    for (const name of COLUMNS) this[name] = [];
    this.notes = [];
    this.chunks = new Map();
    this.signatureOf = new Map();
    this.nodesOf = new Map();
    this.agents = 1;
  }

  sizes() {
    return [this.texts, this.node_parent, this.step_node, this.move_node, this.changes, this.signatures,
      this.obstacles, this.detours, this.paths].map((column) => column.length);
  }

  async load() {
    const part = await source.search(this.row, this.epoch, this.epoch === undefined ? null : this.sizes());
    if (part.epoch !== this.epoch && this.epoch !== undefined) this.clear();
    this.epoch = part.epoch;
    for (const name of COLUMNS) {
      const column = this[name];
      for (const value of part[name]) column.push(value);
    }
    for (const [node, text] of part.signatures) {
      this.signatureOf.set(node, this.texts[text]);
      const nodes = this.nodesOf.get(this.texts[text]);
      if (nodes) nodes.push(node); else this.nodesOf.set(this.texts[text], [node]);
    }
    for (const agent of part.move_agent) this.agents = Math.max(this.agents, agent + 1);
    this.notes = part.notes;
    this.ending = part.ending;
    this.states = part.states;
    this.is_virtual = part.is_virtual;
    this.chunkSize = part.chunk;
    this.chunks.clear();
    this.layout = layout(this);
  }

  get nodes() { return this.node_parent.length; }

  get moves() { return this.move_node.length; }

  goal(node) { return this.texts[this.node_goal[node]]; }

  tactic(step) { return this.texts[this.step_tactic[step]]; }

  async details(node) {
    const chunk = Math.floor(node / this.chunkSize);
    if (!this.chunks.has(chunk)) this.chunks.set(chunk, source.details(this.row, chunk));
    try {
      return (await this.chunks.get(chunk))[node % this.chunkSize];
    } catch (why) {
      this.chunks.delete(chunk);
      throw why;
    }
  }
}
