// The table: a line for each attempt of a run, or one for each theorem with the runs side by side. Only the lines in view are
// in the document.

// Columns about an attempt. Minor ones give way where there is little room.
const ABOUT = [
  { key: 'attempt', name: 'Attempt', number: true, minor: true },
  { key: 'outcome', name: 'Outcome' },
  { key: 'level', name: 'Level', number: true, minor: true },
  { key: 'iterations', name: 'Iterations', number: true },
  { key: 'nodes', name: 'Nodes', number: true, minor: true },
  { key: 'candidates', name: 'Candidates', number: true, minor: true },
  { key: 'tokens', name: 'Tokens', number: true, minor: true },
  { key: 'ms', name: 'Seconds', number: true },
  { key: 'stop', name: 'Ended by', minor: true },
];

// What is shown of each run beside others.
const BESIDE = ['outcome', 'iterations', 'ms'];

// Marks, best first: the attempt with the best one stands for its theorem.
const MARKS = ['good', 'poor', 'none', 'refused', 'bad', 'busy'];

const ROW = 31;

class Table {
  constructor(opened) {
    this.rows = new Map();
    this.runs = [];
    this.opened = opened;
    this.sorted = { key: null, down: false };
    this.cursor = 0;
    this.body = element('table').tBodies[0];
    this.box = element('scroll');
    this.box.addEventListener('scroll', () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.box);
    for (const id of ['text', 'outcome', 'split', 'run']) element(id).addEventListener('input', () => this.filter());
  }

  // Takes in rows that are new or have changed.
  take({ runs, rows, cursor }) {
    this.runs = runs;
    this.cursor = cursor;
    for (const [id, row] of rows) this.rows.set(id, { id, ...row });
    this.choices('outcome', 'all outcomes', new Set([...this.rows.values()].map((row) => row.outcome)));
    this.choices('split', 'all splits', new Set([...this.rows.values()].map((row) => row.split).filter(Boolean)));
    this.choices('run', 'all runs', new Set(runs.length > 1 ? runs.map((_, at) => this.runName(at)) : []));
    this.filter(true);
  }

  runName(run) {
    const name = this.runs[run].name;
    return this.runs.some((other, at) => at !== run && other.name === name) ? `${name} (${run + 1})` : name;
  }

  choices(id, all, values) {
    const select = element(id);
    const before = select.value;
    select.hidden = values.size === 0;
    select.replaceChildren(...['', ...[...values].sort()].map((value) => {
      const option = make('option', value || all);
      option.value = value;
      return option;
    }));
    if (values.has(before)) select.value = before;
  }

  title(row) {
    const run = this.runs.length > 1 ? `${this.runName(row.run)}: ` : '';
    const attempt = row.attempt === null ? '' : `, attempt ${row.attempt}`;
    return `${run}${row.theorem}${attempt}${row.blind ? ' (blind)' : ''}`;
  }

  // The columns: of one run, or of all beside each other. A column takes its value from the row of its run.
  columns() {
    const theorem = { key: 'theorem', name: 'Theorem', value: (line) => line.theorem };
    const about = (run, { key, ...heading }) => ({
      ...heading, about: key, run, key: `${run} ${key}`, value: (line) => (line.of[run] ? line.of[run][key] : null),
    });
    if (!this.isBeside) return [theorem, ...ABOUT.map((heading) => about(0, heading))];
    const differ = { key: 'differ', name: '≠', value: (line) => (line.differ ? '≠' : null) };
    const each = ABOUT.filter(({ key }) => BESIDE.includes(key)).map((heading) => ({ ...heading, minor: heading.key === 'iterations' }));
    return [theorem, differ, ...this.runs.flatMap((_, run) => each.map((heading) => about(run, heading)))];
  }

  head() {
    const head = make('tr');
    for (const { key, name, number, minor, run } of this.shownColumns) {
      const cell = make('th', null, `${number ? 'number' : ''} ${minor ? 'minor' : ''}`);
      // Texts share what numbers leave.
      cell.style.width = number ? '90px' : key === 'differ' ? '44px' : key === 'theorem' && !this.isBeside ? '34%' : '';
      if (key === this.sorted.key) cell.setAttribute('aria-sort', this.sorted.down ? 'descending' : 'ascending');
      const button = make('button', name);
      if (key === 'differ') cell.title = 'Where the outcomes differ';
      if (this.isBeside && run !== undefined) {
        button.prepend(make('small', this.runName(run)));
        cell.title = this.runName(run);
      }
      button.addEventListener('click', () => this.sort(key));
      cell.append(button);
      head.append(cell);
    }
    element('table').tHead.replaceChildren(head);
    element('table').style.minWidth = this.isBeside ? `${160 + 200 * this.runs.length}px` : '';
  }

  sort(key) {
    const { sorted } = this;
    if (sorted.key !== key) this.sorted = { key, down: false };
    else if (!sorted.down) this.sorted = { key, down: true };
    else this.sorted = { key: null, down: false };
    this.filter();
  }

  // The theorems with the best attempt of each run.
  theorems() {
    const lines = new Map();
    for (const row of this.rows.values()) {
      if (row.blind) continue;
      let line = lines.get(row.theorem);
      if (!line) lines.set(row.theorem, line = { theorem: row.theorem, of: [], attempts: [], good: [] });
      const { run } = row, best = line.of[run];
      if (row.attempt !== null) line.attempts[run] = (line.attempts[run] || 0) + 1;
      if (row.mark === 'good') line.good[run] = (line.good[run] || 0) + 1;
      if (!best || MARKS.indexOf(row.mark) < MARKS.indexOf(best.mark)) line.of[run] = row;
    }
    for (const line of lines.values()) line.differ = new Set(line.of.filter(Boolean).map((row) => row.outcome)).size > 1;
    return [...lines.values()];
  }

  filter(stay) {
    const words = element('text').value.toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = element('outcome').value, split = element('split').value, run = element('run').value;
    this.isBeside = this.runs.length > 1 && !run;
    this.shownColumns = this.columns();
    if (!this.shownColumns.some(({ key }) => key === this.sorted.key)) this.sorted = { key: null, down: false };
    this.head();
    const attempts = () => [...this.rows.values()].filter((row) => !run || this.runName(row.run) === run)
      .map((row) => ({ theorem: row.theorem, of: [row] }));
    const lines = this.isBeside ? this.theorems() : attempts();
    this.shown = lines.filter(({ theorem, of }) => {
      const rows = of.filter(Boolean);
      if (outcome && !rows.some((row) => row.outcome === outcome)) return false;
      if (split && !rows.some((row) => row.split === split)) return false;
      const text = [theorem, ...rows.map((row) => `${row.stop} ${row.outcome}`)].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const column = this.shownColumns.find(({ key }) => key === this.sorted.key);
    if (column) {
      const sign = this.sorted.down ? -1 : 1;
      this.shown.sort((a, b) => {
        const [x, y] = [column.value(a), column.value(b)];
        // What is missing comes last either way.
        if (x === null || y === null) return (x === null) - (y === null);
        return sign * (typeof x === 'number' ? x - y : x < y ? -1 : x > y ? 1 : 0);
      });
    }
    const proved = (at) => this.shown.filter(({ of }) => of[at] && of[at].mark === 'good').length;
    element('count').textContent = this.isBeside
      ? [`${this.shown.length} of ${counted(lines.length, 'theorem')}`, ...this.runs.map((_, at) => `${this.runName(at)} proved ${proved(at)}`),
        `${this.shown.filter((line) => line.differ).length} differ`].join(', ')
      : `${this.shown.length} of ${counted(lines.length, 'row')}, ${proved(0)} proved`;
    if (!stay) this.box.scrollTop = 0;
    this.redraw();
  }

  redraw() {
    const height = this.box.clientHeight;
    if (!this.shown || !height) return;
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 10);
    const last = Math.min(this.shown.length, first + Math.ceil(height / ROW) + 25);
    const gap = (rows) => {
      const row = make('tr');
      const cell = make('td', null, 'gap');
      cell.style.height = `${rows * ROW}px`;
      row.append(cell);
      return row;
    };
    this.body.replaceChildren(gap(first), ...this.shown.slice(first, last).map((line) => this.line(line)),
      gap(this.shown.length - last));
  }

  line(line) {
    const { of } = line, rows = of.filter(Boolean);
    const made = make('tr', null, rows.every((row) => row.attempt === null) ? 'row bare' : 'row');
    made.tabIndex = 0;
    for (const column of this.shownColumns) {
      const row = of[column.run];
      const cell = make('td', shownAs(column, line), `${column.number ? 'number' : ''} ${column.minor ? 'minor' : ''}`);
      if (column.key === 'theorem') {
        cell.className = 'theorem';
        cell.title = line.theorem;
      } else if (column.key === 'differ') cell.className = 'differ';
      else if (column.about === 'outcome' && row) cell.className = `mark ${row.mark}`;
      if (this.isBeside && row) cell.addEventListener('click', (event) => { event.stopPropagation(); this.opened(row); });
      made.append(cell);
    }
    // The searches of two runs, one beside the other.
    const open = () => this.opened(rows[0], rows.slice(1).find((row) => row.has_tree));
    made.addEventListener('click', open);
    made.addEventListener('keydown', (event) => { if (event.key === 'Enter') open(); });
    return made;
  }
}

function shownAs({ key, about, run, value }, line) {
  const shown = value(line);
  if (shown === null || shown === undefined) return '';
  if (about === 'ms') return (shown / 1000).toFixed(shown < 10000 ? 2 : 0);
  if (about === 'outcome' && line.attempts && line.attempts[run] > 1) return `${shown} (${line.good[run] || 0} of ${line.attempts[run]})`;
  if (key === 'theorem' && line.of[0] && line.of[0].blind) return `${shown} (blind)`;
  return typeof shown === 'number' && about !== 'attempt' ? shown.toLocaleString('en') : shown;
}
