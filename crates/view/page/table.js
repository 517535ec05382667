// The table of attempts. Only the rows in view are in the document.

const HEADINGS = [
  { key: 'theorem', name: 'Theorem', width: '34%' },
  { key: 'attempt', name: 'Attempt', number: true },
  { key: 'outcome', name: 'Outcome', width: '15%' },
  { key: 'level', name: 'Level', number: true },
  { key: 'iterations', name: 'Iterations', number: true },
  { key: 'nodes', name: 'Nodes', number: true },
  { key: 'candidates', name: 'Candidates', number: true },
  { key: 'tokens', name: 'Tokens', number: true },
  { key: 'ms', name: 'Seconds', number: true },
  { key: 'stop', name: 'Ended by' },
];

const MARKS = {
  proved: 'good', solved: 'good', 'proof found, not verified': 'poor', 'proof found, axiom not allowed': 'poor',
  unverified: 'poor', refused: 'poor', interrupted: 'poor', failed: 'bad', 'no result': 'busy',
};

const ROW = 31;

class Table {
  constructor(opened) {
    this.rows = new Map();
    this.runs = [];
    this.opened = opened;
    this.sorted = { key: null, down: false };
    this.cursor = 0;
    this.body = element('table').tBodies[0];
    const head = make('tr');
    this.heads = HEADINGS.map((heading) => {
      const cell = make('th', null, heading.number ? 'number' : '');
      if (heading.width) cell.style.width = heading.width;
      const button = make('button', heading.name);
      button.addEventListener('click', () => this.sort(heading.key));
      cell.append(button);
      head.append(cell);
      return cell;
    });
    element('table').tHead.append(head);
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

  sort(key) {
    const { sorted } = this;
    if (sorted.key !== key) this.sorted = { key, down: false };
    else if (!sorted.down) this.sorted = { key, down: true };
    else this.sorted = { key: null, down: false };
    HEADINGS.forEach((heading, at) => {
      if (heading.key === this.sorted.key) {
        this.heads[at].setAttribute('aria-sort', this.sorted.down ? 'descending' : 'ascending');
      } else this.heads[at].removeAttribute('aria-sort');
    });
    this.filter();
  }

  filter(stay) {
    const words = element('text').value.toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = element('outcome').value, split = element('split').value, run = element('run').value;
    this.shown = [...this.rows.values()].filter((row) => {
      if (outcome && row.outcome !== outcome) return false;
      if (split && row.split !== split) return false;
      if (run && this.runName(row.run) !== run) return false;
      const text = `${row.theorem} ${row.stop} ${row.outcome}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const { key, down } = this.sorted;
    if (key) {
      const sign = down ? -1 : 1;
      this.shown.sort((a, b) => {
        const [x, y] = [a[key], b[key]];
        // What is missing comes last either way.
        if (x === null || y === null) return (x === null) - (y === null);
        return sign * (typeof x === 'number' ? x - y : x < y ? -1 : x > y ? 1 : 0);
      });
    }
    const proved = this.shown.filter((row) => MARKS[row.outcome] === 'good').length;
    element('count').textContent = `${this.shown.length} of ${this.rows.size} rows, ${proved} proved`;
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
      cell.colSpan = HEADINGS.length;
      cell.style.height = `${rows * ROW}px`;
      row.append(cell);
      return row;
    };
    this.body.replaceChildren(gap(first), ...this.shown.slice(first, last).map((row) => this.line(row)),
      gap(this.shown.length - last));
  }

  line(row) {
    const line = make('tr', null, row.attempt === null ? 'row bare' : 'row');
    line.dataset.row = row.id;
    line.tabIndex = 0;
    for (const { key, number } of HEADINGS) {
      const cell = make('td', shownAs(key, row), number ? 'number' : '');
      if (key === 'theorem') {
        cell.className = 'theorem';
        cell.title = row.theorem;
      } else if (key === 'outcome') cell.className = `mark ${MARKS[row.outcome] || ''}`;
      line.append(cell);
    }
    line.addEventListener('click', () => this.opened(row.id));
    line.addEventListener('keydown', (event) => { if (event.key === 'Enter') this.opened(row.id); });
    return line;
  }
}

function shownAs(key, row) {
  const value = row[key];
  if (value === null || value === undefined) return '';
  if (key === 'ms') return (value / 1000).toFixed(value < 10000 ? 2 : 0);
  if (key === 'theorem' && row.blind) return `${value} (blind)`;
  return typeof value === 'number' && key !== 'attempt' ? value.toLocaleString('en') : value;
}
