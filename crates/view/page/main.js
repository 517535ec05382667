// The page: what is open, the slider, comparison, and news from the server.

const page = {
  panes: [],
  moves: 0,
  follows: true,
  tab: 'node',
  row: null,
  options: { colour: 'status', tracks: true, obstacles: true },
};

const table = new Table((row, other) => { location.hash = `row=${row.id}${other ? `&with=${other.id}` : ''}`; });

const told = {
  options: page.options,
  drawn: () => drawLinks(),
  hovered: (pane, item, event) => tip(pane, item, event),
  selected: (pane, item) => {
    page.tab = page.tab === 'attempt' ? 'node' : page.tab;
    if (page.tab === 'proof' && !page.isGoing) page.tab = 'node';
    pair(pane, item);
    showPanel(pane);
  },
};

// Marks the same goal in the other tree.
function pair(pane, item) {
  const other = page.panes.find((one) => one !== pane);
  if (!other) return;
  const signature = item < pane.search.layout.nodes ? pane.search.signatureOf.get(item) : undefined;
  const nodes = signature === undefined ? [] : other.search.nodesOf.get(signature) || [];
  other.marked = nodes.length ? nodes : null;
  other.selected = -1;
  pane.marked = null;
  if (nodes.length && !nodes.some((node) => other.isInView(node))) other.show(nodes[0]);
  other.redraw();
}

// Goals that both trees have.
function common() {
  const [left, right] = page.panes;
  for (const pane of page.panes) pane.shared = null;
  if (!left || !right) return;
  let count = 0;
  const marks = (pane, other) => {
    const shared = new Uint8Array(pane.search.nodes);
    for (const [signature, nodes] of pane.search.nodesOf) {
      if (!other.search.nodesOf.has(signature)) continue;
      if (pane === left) count++;
      for (const node of nodes) shared[node] = 1;
    }
    pane.shared = shared;
  };
  marks(left, right);
  marks(right, left);
  element('found').textContent = counted(count, 'common goal');
}

// Lines between common goals in view.
function drawLinks() {
  const canvas = element('links'), stage = element('panes');
  const ratio = devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = stage;
  const wide = page.panes.length === 2;
  canvas.hidden = !wide;
  if (!wide) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  const [left, right] = page.panes;
  const shift = right.box.offsetLeft;
  let drawn = 0;
  for (const [signature, nodes] of left.search.nodesOf) {
    const others = right.search.nodesOf.get(signature);
    if (!others) continue;
    const a = nodes[0], b = others[0];
    if (left.search.layout.born[a] > left.now.moves || right.search.layout.born[b] > right.now.moves) continue;
    const isChosen = left.selected === a || right.selected === b || nodes.includes(left.selected) || others.includes(right.selected);
    if (!isChosen && (!left.isInView(a) || !right.isInView(b) || ++drawn > 250)) continue;
    const [x, y] = left.place(a), [toX, toY] = right.place(b);
    context.strokeStyle = isChosen ? theme.select : theme.warn;
    context.globalAlpha = isChosen ? 0.9 : 0.22;
    context.lineWidth = isChosen ? 1.8 : 1;
    context.beginPath();
    context.moveTo(x, y);
    const middle = (x + toX + shift) / 2;
    context.bezierCurveTo(middle, y, middle, toY, toX + shift, toY);
    context.stroke();
  }
}

function tip(pane, item, event) {
  const box = element('tip');
  box.hidden = item < 0 || !event;
  if (box.hidden) return;
  const { search, now } = pane;
  const { nodes } = search.layout;
  const status = STATUS[now.status[item]];
  const show = (text) => {
    box.textContent = item < nodes
      ? `${text}\n${status}${now.known ? `, ${counted(now.visits[item], 'visit')}` : ''}`
      : `${text}\n${status} ${search.states ? 'branch' : 'step'}`;
  };
  show(item < nodes ? search.goal(item) : search.tactic(item - nodes));
  // Labels have the beginning of a long text.
  if (item < nodes) {
    search.details(item).then(({ end, goal, state }) => {
      if (pane.hovered === item) show(state ? state.feedback || '' : end && end.goals.length ? end.goals.join('\n\n') : goal);
    }).catch(() => {});
  }
  const stage = element('stage').getBoundingClientRect();
  const x = event.clientX - stage.left, y = event.clientY - stage.top;
  box.style.left = `${Math.max(4, Math.min(x + 16, stage.width - box.offsetWidth - 8))}px`;
  box.style.top = `${y + 20 + box.offsetHeight > stage.height ? y - box.offsetHeight - 12 : y + 18}px`;
}

let panelRequest = 0;

async function showPanel(pane = page.panes[0]) {
  const request = ++panelRequest;
  for (const tab of ['node', 'proof', 'attempt']) {
    element(`tab-${tab}`).setAttribute('aria-pressed', String(tab === page.tab));
  }
  const row = table.rows.get(page.row);
  const go = (item) => {
    if (!pane || item < 0) return;
    page.isGoing = true;
    if (!pane.isInView(item)) pane.show(item);
    pane.select(item);
    page.isGoing = false;
  };
  let content;
  try {
    if (page.tab === 'node') {
      content = pane ? await nodePanel(pane, pane.selected, go) : make('p', 'This attempt has no search.', 'soft');
    } else {
      const result = await source.result(page.row);
      content = page.tab === 'proof'
        ? await proofPanel(page.panes[0], result, go)
        : attemptPanel(row, result, page.panes[0] && page.panes[0].search);
    }
  } catch (why) {
    content = make('p', `This cannot be shown: ${why.message}`);
  }
  if (request !== panelRequest) return;
  element('side').classList.toggle('wide', page.tab === 'proof' && page.panes.length < 2 && !!content.querySelector && !!content.querySelector('.proof'));
  const isNew = element('panel').dataset.of !== `${page.tab} ${pane && pane.selected} ${page.row}`;
  element('panel').dataset.of = `${page.tab} ${pane && pane.selected} ${page.row}`;
  const top = element('panel').scrollTop;
  element('panel').replaceChildren(content);
  element('panel').scrollTop = isNew ? 0 : top;
}

const mostMoves = () => Math.max(0, ...page.panes.map((pane) => pane.search.moves));

function setMoves(moves) {
  page.moves = moves;
  page.follows = moves >= mostMoves();
  for (const pane of page.panes) pane.setMoves(moves);
  const slider = element('slider');
  slider.max = mostMoves();
  slider.value = moves;
  showTime();
}

function showTime() {
  const [pane] = page.panes;
  if (!pane) return;
  const { search, now } = pane;
  const at = Math.min(page.moves, search.moves);
  let text = `start of ${search.moves}`;
  if (at > 0) {
    const agent = search.agents > 1 ? `, agent ${search.move_agent[at - 1]}` : '';
    const clock = search.states ? '' : `, ${(search.move_at[at - 1] / 1000).toFixed(2)} s${search.is_virtual ? ' of virtual time' : ''}`;
    text = `${search.states ? 'branch' : 'iteration'} ${search.states ? at : search.move_iteration[at - 1]} of ${search.states ? search.moves : search.move_iteration[search.moves - 1]}${agent}${clock}: ${search.texts[search.move_reason[at - 1]]}`;
  }
  element('now').textContent = `${text}\n${counted(now.alive, 'node')}, ${now.proved} proved, ${now.exhausted} exhausted`;
  element('now').style.whiteSpace = 'pre-line';
  element('slider').setAttribute('aria-valuetext', text);
  drawStrip(search, at);
}

// The depth of each move over time: the path of the search, by agent.
function drawStrip(search, at) {
  const canvas = element('strip');
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  const { depth, deepest } = search.layout;
  const moves = Math.max(1, mostMoves());
  const step = Math.max(1, Math.floor(search.moves / Math.max(1, width * 4)));
  for (let move = 1; move <= search.moves; move += step) {
    const reason = search.texts[search.move_reason[move - 1]];
    context.fillStyle = reason === 'blocked' || reason === 'rejected' ? theme.bad
      : reason === 'delayed' ? theme.warn
        : search.agents > 1 ? agentColour(search.move_agent[move - 1])
          : reason === 'expanded' ? theme.open : theme.exhausted;
    context.globalAlpha = move <= at ? 1 : 0.3;
    const share = depth[search.move_node[move - 1]] / Math.max(1, deepest);
    context.fillRect((move / moves) * (width - 14) + 6, 2 + share * (height - 5), 2, 2);
  }
}

function legend() {
  const box = element('legend');
  box.replaceChildren();
  const add = (colour, text) => {
    const mark = make('span', '● ');
    mark.style.color = colour;
    box.append(mark, make('span', `${text}  `));
  };
  const { colour } = page.options;
  if (colour === 'status') STATUS.forEach((name, status) => add(statusColour(status), name));
  else if (colour === 'agent') {
    const agents = Math.max(1, ...page.panes.map((pane) => pane.search.agents));
    for (let agent = 0; agent < Math.min(8, agents); agent++) add(agentColour(agent), `agent ${agent}`);
  } else {
    const names = colour === 'visits' ? ['few visits', 'many'] : ['early', 'late'];
    add(ramp(0), names[0]);
    add(ramp(1), names[1]);
  }
}

function notes(texts) {
  const box = element('notes');
  box.hidden = texts.length === 0;
  box.replaceChildren(...texts.map((text) => make('p', text)));
}

function allNotes() {
  if (page.row === null) return table.runs.flatMap((run) => run.notes.map((note) => (table.runs.length > 1 ? `${run.name}: ${note}` : note)));
  return page.panes.flatMap((pane) => pane.search.notes);
}

// Shows what the address says: the table, or one search or two.
let route = 0;

async function open() {
  const mine = ++route;
  const wanted = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (wanted.has(name) ? Number(wanted.get(name)) : null);
  stop();
  for (const pane of page.panes) pane.close();
  page.panes = [];
  page.row = number('row');
  page.beside = number('with');
  const row = table.rows.get(page.row);
  if (!row) page.row = null;
  const isPlots = !row && wanted.has('plots');
  element('list').hidden = !!row || isPlots;
  element('plots').hidden = !isPlots;
  element('search').hidden = !row;
  const where = element('where');
  where.replaceChildren();
  element('statement').hidden = true;
  notes(allNotes());
  if (!row) {
    where.append(make('b', table.runs.map((run) => run.name).join(', ')));
    document.title = `${table.runs.map((run) => run.name).join(', ')} – andor view`;
    if (isPlots) await showPlots(mine); else table.redraw();
    if (mine === route) listen();
    return;
  }
  document.title = `${row.theorem} – andor view`;
  // What a reader wants first: the proof, the reason why there is none, or what the search does.
  page.tab = row.mark === 'good' ? 'proof' : row.mark === 'busy' ? 'node' : 'attempt';
  beside(row);
  const rows = shownRows();
  await about(rows, mine);
  if (mine !== route) return;
  for (const one of rows.filter((row) => row.has_tree)) {
    const search = new Search(one.id);
    try {
      await search.load();
    } catch (why) {
      if (mine !== route) return;
      notes([`The search of ${table.title(one)} cannot be shown: ${why.message}`]);
      continue;
    }
    if (mine !== route) return;
    // A search that ended before it began has no tree: the panel says why.
    if (!search.nodes && one.mark !== 'busy') continue;
    const pane = new Pane(search, table.title(one), told);
    element('panes').append(pane.box);
    page.panes.push(pane);
  }
  if (!page.panes.length && page.tab === 'node') page.tab = 'attempt';
  element('stage').hidden = element('controls').hidden = !page.panes.length;
  element('tab-node').hidden = !page.panes.length;
  element('tab-node').textContent = page.panes.some((pane) => pane.search.states) ? 'Conversation' : 'Node';
  page.follows = true;
  const hasObstacles = page.panes.some((pane) => pane.search.obstacles.length || pane.search.detours.length);
  element('obstacles-label').hidden = !hasObstacles;
  element('found').textContent = '';
  common();
  legend();
  notes(allNotes());
  setMoves(mostMoves());
  drawLinks();
  showPanel();
  listen();
}

const shownRows = () => [page.row, page.beside].map((id) => table.rows.get(id)).filter(Boolean);

// Says in the header which attempts are shown, what came of each and why, and what was to be proved.
async function about(rows, mine) {
  const results = await Promise.all(rows.map((row) => source.result(row.id).catch(() => ({}))));
  if (mine !== route) return;
  element('where').replaceChildren(...rows.flatMap((row, at) => {
    const { result } = results[at];
    const outcome = make('span', row.outcome, `mark ${row.mark}`);
    outcome.append(make('span', summary(row, result), 'soft'));
    return [make('b', table.title(row)), outcome];
  }));
  const { statement } = results[0];
  element('statement').textContent = statement || '';
  element('statement').hidden = !statement;
}

// What there is to say of an outcome in a few words.
function summary(row, result) {
  if (row.mark === 'busy') return '';
  if (row.mark === 'good') return ` · ${row.level === null ? '' : `level ${row.level}, `}${seconds(row.ms)}`;
  const reason = result && (result.error || result.stop_detail);
  return reason ? `: ${reason.trim().split('\n')[0]}` : '';
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

// The attempts that can be put beside this one: those at the same theorem first.
function beside(row) {
  const others = [...table.rows.values()].filter((other) => other.has_tree && other.id !== row.id);
  const same = others.filter((other) => other.theorem === row.theorem);
  const rest = others.filter((other) => other.theorem !== row.theorem).slice(0, 500);
  const option = (other) => {
    const made = make('option', table.title(other));
    made.value = other.id;
    return made;
  };
  const none = make('option', 'nothing');
  none.value = '';
  element('beside').replaceChildren(none, ...[...same, ...rest].map(option));
  element('beside').value = page.beside === null ? '' : String(page.beside);
}

let playing = null;

function stop() {
  if (playing !== null) cancelAnimationFrame(playing);
  playing = null;
  element('play').textContent = '▶';
}

function play() {
  if (playing !== null) return stop();
  const most = mostMoves();
  if (page.moves >= most) setMoves(0);
  const from = page.moves, began = performance.now();
  // A whole replay takes ten seconds, or as long as a tenth of a second for each move takes.
  const speed = Math.max(most / 10000, 0.01);
  element('play').textContent = '❚❚';
  const frame = (now) => {
    const moves = Math.min(most, Math.floor(from + (now - began) * speed));
    if (moves !== page.moves) setMoves(moves);
    if (moves >= most) return stop();
    playing = requestAnimationFrame(frame);
  };
  playing = requestAnimationFrame(frame);
}

// Finds goals and tactics, one after the other.
let foundLast = { text: '', at: -1 };

function find() {
  const text = element('find').value.toLowerCase();
  const [pane] = page.panes;
  if (!pane || !text) return;
  const { search } = pane;
  const { nodes, order, items } = search.layout;
  const from = foundLast.text === text ? foundLast.at + 1 : 0;
  for (let looked = 0; looked < items; looked++) {
    const at = (from + looked) % items;
    const item = order[at];
    const has = item < nodes ? search.goal(item) : search.tactic(item - nodes);
    if (search.layout.born[item] > pane.now.moves || !has.toLowerCase().includes(text)) continue;
    foundLast = { text, at };
    element('found').textContent = '';
    pane.show(item);
    pane.select(item);
    return;
  }
  element('found').textContent = 'not found';
}

// News of a run that is on.
let events = null;

function listen() {
  if (!isServed) return;
  if (events) events.close();
  const rows = page.panes.map((pane) => pane.search.row);
  events = new EventSource(`events?rows=${rows.join(',')}`);
  const live = element('live');
  live.hidden = false;
  const tell = (text, isLost) => {
    live.textContent = text;
    live.classList.toggle('lost', isLost);
  };
  events.onopen = () => tell('connected', false);
  events.onerror = () => tell('andor view has ended', true);
  let busy = false, waiting = null;
  events.onmessage = async (event) => {
    waiting = JSON.parse(event.data);
    if (busy) return;
    busy = true;
    while (waiting) {
      const news = waiting;
      waiting = null;
      const isLost = news.lost.length > 0;
      tell(isLost ? `no longer there: ${news.lost.join(', ')}` : 'connected', isLost);
      try {
        await take(news);
      } catch (why) {
        tell(why.message, true);
      }
    }
    busy = false;
  };
}

async function take(news) {
  if (page.server !== undefined && page.server !== news.server) return location.reload();
  page.server = news.server;
  if (news.cursor > table.cursor) {
    const had = table.rows.get(page.row);
    table.take(await source.runs(table.cursor));
    const has = table.rows.get(page.row);
    // An attempt that has just begun.
    if (had && has && !had.has_tree && has.has_tree) return open();
    if (page.row === null) notes(allNotes());
    else await about(shownRows(), route);
    if (page.row !== null && page.tab !== 'node') showPanel();
  }
  let grown = false;
  for (const [row, epoch, sizes, notes] of news.searches) {
    const pane = page.panes.find((one) => one.search.row === row);
    if (!pane) continue;
    const { search } = pane;
    const has = search.sizes();
    if (search.epoch === epoch && search.notes.length === notes && sizes.every((size, at) => size === has[at])) continue;
    const { nodes } = search.layout;
    await search.load();
    // Steps are numbered after all nodes.
    const moved = (item) => (item < nodes ? item : item - nodes + search.layout.nodes);
    pane.selected = search.epoch === epoch && moved(pane.selected) < search.layout.items ? moved(pane.selected) : -1;
    pane.hovered = -1;
    grown = true;
  }
  if (!grown) return;
  common();
  notes(allNotes());
  for (const pane of page.panes) pane.grow();
  setMoves(page.follows ? mostMoves() : page.moves);
  if (page.tab === 'node') showPanel(page.panes.find((pane) => pane.selected >= 0));
}

function wire() {
  element('colour').addEventListener('input', (event) => {
    page.options.colour = event.target.value;
    legend();
    for (const pane of page.panes) pane.redraw();
  });
  for (const name of ['tracks', 'obstacles']) {
    element(name).addEventListener('input', (event) => {
      page.options[name] = event.target.checked;
      for (const pane of page.panes) pane.redraw();
    });
  }
  element('beside').addEventListener('input', (event) => {
    location.hash = `row=${page.row}` + (event.target.value ? `&with=${event.target.value}` : '');
  });
  element('slider').addEventListener('input', (event) => {
    stop();
    setMoves(Number(event.target.value));
    if (page.tab === 'node') showPanel(page.panes.find((pane) => pane.selected >= 0));
  });
  element('play').addEventListener('click', play);
  element('fit').addEventListener('click', () => page.panes.forEach((pane) => pane.fit()));
  element('find').addEventListener('change', find);
  element('find').addEventListener('keydown', (event) => { if (event.key === 'Enter') find(); });
  for (const tab of ['node', 'proof', 'attempt']) {
    element(`tab-${tab}`).addEventListener('click', () => {
      page.tab = tab;
      showPanel(page.panes.find((pane) => pane.selected >= 0));
    });
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.target.tagName === 'CANVAS') {
      event.preventDefault();
      play();
    }
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    readTheme();
    legend();
    showTime();
    for (const pane of page.panes) pane.redraw();
  });
  addEventListener('hashchange', open);
  new ResizeObserver(() => { if (page.panes.length) showTime(); }).observe(element('strip-box'));
}

async function begin() {
  readTheme();
  wire();
  try {
    table.take(await source.runs(0));
  } catch (why) {
    notes([`The run cannot be shown: ${why.message}`]);
    return;
  }
  await open();
  document.body.dataset.ready = 'yes';
}

begin();
