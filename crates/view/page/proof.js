// The proof as a tree of steps with the goals before each, beside the script.

async function proofPanel(pane, { statement, result, winning }, go) {
  const panel = document.createDocumentFragment();
  const steps = result && result.proof_steps ? result.proof_steps : [];
  const source = result && result.source;
  if (!source && !steps.length) {
    panel.append(make('p', 'This attempt has no proof.', 'soft'));
    return panel;
  }
  const both = make('div', null, 'proof');
  const outline = make('div');
  outline.append(make('h2', `Proof (${counted(steps.length, 'step')})`));
  const script = make('pre', null, 'script');
  const lines = (source || '').replace(/\n+$/, '').split('\n').map((text, at) => {
    const line = make('div');
    line.append(make('span', at + 1, 'at'), make('span', text || ' '));
    return line;
  });
  // The file above the theorem is folded away.
  const begin = Math.max(0, (source || '').indexOf(statement || ''));
  const above = (source || '').slice(0, begin).split('\n').length - 1;
  if (above) script.append(folded(`${counted(above, 'line')} above`, ...lines.slice(0, above)));
  script.append(...lines.slice(above));
  const tree = await proofTree(pane, steps, winning);
  let from = 0;
  const lit = [];
  const light = (elements) => {
    while (lit.length) lit.pop().classList.remove('lit');
    for (const one of elements) {
      one.classList.add('lit');
      lit.push(one);
    }
  };
  const list = make('ol');
  for (const { depth, tactic, script: text, state, item } of tree) {
    const step = make('li', null, 'step');
    step.style.marginLeft = `${Math.min(depth, 12) * 14}px`;
    step.append(make('code', tactic));
    if (state) step.append(make('pre', state));
    // Steps and lines are in the same order, so that a text is looked for after the one before it.
    const sought = (text || tactic).trim().split('\n');
    const at = lines.findIndex((line, place) => place >= from && line.lastChild.textContent.includes(sought[0].trim()));
    const mine = [step];
    if (at >= 0) {
      from = at;
      mine.push(...lines.slice(at, at + sought.length));
      for (const line of mine.slice(1)) line.addEventListener('pointerenter', () => light(mine));
    }
    step.addEventListener('pointerenter', () => light(mine));
    if (item >= 0) step.addEventListener('click', () => go(item));
    list.append(step);
  }
  outline.append(list);
  const right = make('div');
  right.append(make('h2', 'Script'), source ? script : make('p', 'There is no accepted source file.', 'soft'));
  both.append(outline, right);
  panel.append(both);
  return panel;
}

// The steps of a proof from the root down: with their depths if the file that has them can be read.
async function proofTree(pane, steps, winning) {
  if (!winning || !winning.length) {
    return steps.map(({ tactic, state }) => ({ depth: 0, tactic, state, item: -1 }));
  }
  const search = pane && pane.search;
  const states = new Map();
  for (const { tactic, state } of steps) {
    if (!states.has(tactic)) states.set(tactic, []);
    states.get(tactic).push(state);
  }
  const found = [];
  const stack = [[0, 0]];
  while (stack.length) {
    const [at, depth] = stack.pop();
    const { step, script, children } = winning[at];
    const isKnown = search && step !== null && step < search.step_node.length;
    const tactic = isKnown ? search.tactic(step) : script;
    let state = (states.get(tactic) || []).shift();
    if (isKnown) {
      const details = await search.details(search.step_node[step]).catch(() => null);
      if (details) state = details.end ? details.end.goals.join('\n\n') : details.goal;
    }
    found.push({ depth, tactic, script, state, item: isKnown ? search.layout.nodes + step : -1 });
    for (let child = children.length - 1; child >= 0; child--) stack.push([children[child], depth + (children.length > 1 ? 1 : 0)]);
  }
  return found;
}
