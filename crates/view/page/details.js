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
  panel.append(make('h2', state ? 'State' : end && end.goals.length > 1 ? `${end.goals.length} goals` : 'Goal'));
  if (state) {
    panel.append(make('pre', state.feedback || 'no feedback'));
  } else {
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
    panel.append(make('h2', 'Recorded state'), make('pre', JSON.stringify(state.state, null, 2)));
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

function attemptPanel(row, { statement, result }, search) {
  const panel = document.createDocumentFragment();
  panel.append(make('h2', 'Theorem'), make('pre', statement || row.theorem));
  panel.append(facts([
    ['outcome', row.outcome], ['level', row.level], ['split', row.split],
    ['iterations', row.iterations], ['nodes', row.nodes], ['candidates', row.candidates], ['tokens', row.tokens],
    ['time', row.ms === null ? null : `${(row.ms / 1000).toFixed(2)} s`],
    ['ended by', result ? result.stop_detail : search && search.ending],
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
