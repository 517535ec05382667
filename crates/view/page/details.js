// The panel beside the tree: a node, and the attempt as a whole.

const STATUS = ['open', 'proved', 'exhausted'];

function facts(pairs) {
  const list = make('dl');
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === '') continue;
    list.append(make('dt', name), make('dd', value));
  }
  return list;
}

function link(text, told, isCode) {
  const button = make('button', null, 'link');
  button.append(isCode ? make('code', text) : document.createTextNode(text));
  button.addEventListener('click', told);
  return button;
}

const OUTCOMES = { success: 'good', failure: 'bad', timeout: 'poor', cyclic: 'poor', blocked: 'poor' };

// What is shown of an item. `go` selects another.
async function nodePanel(pane, item, go) {
  const { search, now } = pane;
  const { nodes, parent } = search.layout;
  const panel = document.createDocumentFragment();
  if (item < 0 && search.states) return conversationPanel(search, solution(pane));
  if (item < 0) {
    panel.append(make('p', 'Click a node of the tree to see its goal and the candidates that were tried. ' +
      'Drag to move, turn the wheel to zoom, or use the arrow keys.', 'soft'));
    return panel;
  }
  if (item >= nodes) {
    const step = item - nodes;
    panel.append(make('h2', 'Step'), make('pre', search.tactic(step)));
    panel.append(facts([
      ['status', STATUS[now.status[item]]], ['log-prior', search.states ? null : search.step_prior[step]],
      ['added by', search.states ? null : moveName(search, search.step_born[step])],
      ['name', `s${step}`],
    ]));
    panel.append(make('h2', search.states ? 'From' : 'At the goal'), link(search.goal(parent[item]) || 'the root', () => go(parent[item]), true));
    if (search.step_children[step].length) panel.append(make('h2', search.states ? 'To' : 'Leaves'));
    else panel.append(make('p', 'Leaves no goals.', 'soft'));
    for (const child of search.step_children[step]) {
      const line = make('p');
      line.append(link(search.goal(child) || `node ${child}`, () => go(child), true), make('span', `  ${STATUS[now.status[child]]}`, 'soft'));
      panel.append(line);
    }
    return panel;
  }
  const details = await search.details(item);
  const { end, state } = details;
  if (state) {
    if (state.feedback) panel.append(make('h2', 'Feedback'), make('pre', state.feedback));
  } else {
    panel.append(make('h2', end && end.goals.length > 1 ? `${end.goals.length} goals` : 'Goal'));
    for (const goal of end && end.goals.length ? end.goals : [details.goal]) panel.append(make('pre', goal));
    if (!end) panel.append(make('p', 'Hypotheses are written when the search has ended.', 'soft'));
  }
  const met = now.obstacles.get(item);
  panel.append(facts([
    ['status', STATUS[now.status[item]]],
    ['visits', now.known ? now.visits[item] : null],
    ['value at the end', end ? end.value.toFixed(3) : null],
    ['shortest proof', end && end.distance !== null ? counted(end.distance, 'step') : null],
    ['score', state ? state.score : null],
    ['tokens', state ? state.tokens : null],
    ['added by', search.node_born[item] ? moveName(search, search.node_born[item]) : 'the start'],
    ['obstacle', met ? `${met.kind === 0 ? 'blocked' : 'delayed'}${met.until < 0 ? '' : ` until iteration ${met.until}`}${met.past ? ' (past)' : ''}` : null],
    ['signature', search.signatureOf.get(item)],
    ['name', details.name],
  ]));
  if (parent[item] >= 0) {
    panel.append(make('h2', search.states ? 'Made by' : 'Left by'), link(search.tactic(parent[item] - nodes), () => go(parent[item]), true));
  }
  if (state) {
    panel.append(await conversationPanel(search, item), folded('Recorded state', make('pre', JSON.stringify(state.state, null, 2))));
    return panel;
  }
  const candidates = details.candidates.filter((candidate) => candidate.born <= now.moves);
  panel.append(make('h2', `Candidates (${candidates.length}${candidates.length < details.candidates.length ? ` of ${details.candidates.length} so far` : ''})`));
  if (!candidates.length) panel.append(make('p', 'None was tried here.', 'soft'));
  for (const { tactic, prior, outcome, provider, why, born } of candidates) {
    const box = make('div', null, 'candidate');
    const line = make('div');
    line.append(make('code', tactic), make('span', outcome, `soft mark ${OUTCOMES[outcome] || ''}`));
    const more = `log-prior ${prior.toFixed(2)} · ${provider} · iteration ${search.move_iteration[born - 1]}`;
    box.append(line, make('div', more, 'soft'));
    if (why) box.append(make('pre', why));
    panel.append(box);
  }
  return panel;
}

function moveName(search, move) {
  const at = move - 1;
  const agent = search.agents > 1 ? `, agent ${search.move_agent[at]}` : '';
  return at < 0 || at >= search.moves ? 'the end' : `iteration ${search.move_iteration[at]}${agent}`;
}

// The state that a reader of an agent's search wants first: a solution, or where it got to last.
function solution({ search, now }) {
  const { first, born } = search.layout;
  let last = 0;
  for (let state = 0; state < search.nodes; state++) {
    if (born[state] > now.moves) continue;
    if (now.status[state] === PROVED && first[state] < 0) return state;
    last = state;
  }
  return last;
}

function folded(name, ...content) {
  const box = make('details');
  box.append(make('summary', name), ...content);
  return box;
}

// What was said on the way to a state. Each state has the messages after those that it shares with the one before.
async function conversationPanel(search, item) {
  const { parent } = search.layout;
  const path = [];
  for (let at = item; at >= 0; at = parent[parent[at]] ?? -1) path.unshift(at);
  let messages = [];
  for (const at of path) {
    const { state } = (await search.details(at)).state;
    if (Array.isArray(state.messages)) messages = [...messages.slice(0, state.shared), ...state.messages];
  }
  const panel = document.createDocumentFragment();
  if (messages.length) panel.append(make('h2', `Conversation (${counted(messages.length, 'message')})`));
  for (const { role, content, tool_calls: calls = [] } of messages) {
    const said = [];
    if (content) said.push(make('pre', content));
    for (const { name, arguments: text } of calls) said.push(make('pre', `${name}\n${argumentsOf(text)}`, 'call'));
    if (role === 'system') panel.append(folded(role, ...said));
    else panel.append(make('h3', role), ...said);
  }
  return panel;
}

// The arguments of a call as a reader wants them: texts without quotes, lists line by line.
function argumentsOf(text) {
  let values;
  try {
    values = Object.entries(JSON.parse(text));
  } catch {
    return text;
  }
  const plain = (value) => (typeof value === 'string' ? value : Array.isArray(value) ? value.map(plain).join('\n') : JSON.stringify(value));
  return values.map(([name, value]) => (values.length > 1 ? `${name}: ${plain(value)}` : plain(value))).join('\n');
}

function attemptPanel(row, { result }, search) {
  const panel = document.createDocumentFragment();
  const reason = result ? result.stop_detail : search && search.ending;
  panel.append(make('h2', row.outcome), ...(reason ? [make('pre', reason)] : []));
  panel.append(facts([
    ['level', row.level], ['split', row.split],
    ['iterations', row.iterations], ['nodes', row.nodes], ['candidates', row.candidates], ['tokens', row.tokens],
    ['time', row.ms === null ? null : seconds(row.ms)],
    ['virtual time', result && result.virtual_ms !== null && result.virtual_ms !== undefined ? seconds(result.virtual_ms) : null],
    ['seed', result ? result.seed : null], ['assistant', result ? result.assistant : null],
    ['axioms', result && result.axioms ? result.axioms.join(', ') : null],
    ['not verified further', result ? result.shortfall : null],
    ['second judge', result && result.second_judge_silence ? `silent: ${result.second_judge_silence}` : null],
  ]));
  if (!result) panel.append(make('p', 'No result yet, or the run was stopped before it.', 'soft'));
  if (result && result.error) panel.append(make('h2', 'Technical failure'), make('pre', result.error));
  for (const claim of (result && result.rejected_claims) || []) {
    panel.append(make('h2', `Rejected at level ${claim.level}: ${claim.reason}`), make('pre', claim.message));
  }
  if (result && result.agent_iterations && result.agent_iterations.length > 1) {
    panel.append(make('h2', 'Iterations by agent'));
    const list = facts(result.agent_iterations.map((count, agent) => [`agent ${agent}`, String(count)]));
    list.querySelectorAll('dt').forEach((name, agent) => { name.style.color = agentColour(agent); });
    panel.append(list);
  }
  for (const [name, text] of Object.entries((result && result.files) || {})) panel.append(make('h2', name), make('pre', text));
  return panel;
}
