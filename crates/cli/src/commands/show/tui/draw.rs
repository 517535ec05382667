//! Draws the screen. Only lines in view are made, so that the size of the tree does not matter.

use andor_core::tree::Status;
use andor_terminal::{report, shown};
use andor_view::search::Item;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};

use super::outline::Row;
use super::panel;
use super::screen::{Mode, Screen};

/// What is less important.
pub(super) const SOFT: Style = Style::new().fg(Color::DarkGray);
pub(super) const PROVED: Style = Style::new().fg(Color::Green);
pub(super) const EXHAUSTED: Style = Style::new().fg(Color::DarkGray);
pub(super) const FAILED: Style = Style::new().fg(Color::Red);
const NOTE: Style = Style::new().fg(Color::Yellow);

/// A narrower screen has the panel below the tree.
const WIDE: u16 = 100;

const KEYS: &[(&str, &str)] = &[
    ("↑ ↓, PgUp PgDn, Home End", "move"),
    ("→ Enter", "unfold, go down; on a link ↪: go where it leads"),
    ("←", "fold, go up"),
    ("Space", "fold or unfold"),
    ("* -", "unfold, fold everything below"),
    ("p", "the next goal or tactic of the proof"),
    ("/ n N", "find a goal or tactic; the next one, the one before"),
    (", .", "one iteration back, one on"),
    ("< >", "a twentieth of the search back, on"),
    ("0 $", "the start, the end of the search"),
    ("s", "the goal that this iteration selected"),
    ("Tab", "scroll the panel; Tab again: back to the tree"),
    ("? q", "this list, the end"),
];

/// Draws everything.
pub(super) fn draw(screen: &mut Screen, frame: &mut Frame<'_>) {
    let notes: Vec<String> = screen.search.notes().iter().map(|note| shown::line(note)).collect();
    let notes: Vec<Line<'_>> = notes.iter().map(|note| Line::styled(note.as_str(), NOTE)).collect();
    let notes_height: usize = notes.iter().map(|note| height(note, frame.area().width)).sum();
    let areas = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(notes_height.min(4) as u16),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [head, below_head, work, slider, told, keys] = areas.areas(frame.area());
    frame.render_widget(title(screen), head);
    frame.render_widget(Paragraph::new(notes).wrap(Wrap { trim: true }), below_head);
    let [tree, side] = if work.width >= WIDE {
        Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).areas(work)
    } else {
        Layout::vertical([Constraint::Fill(3), Constraint::Fill(2)]).areas(work)
    };
    outline(screen, frame, tree);
    side_panel(screen, frame, side, work.width >= WIDE);
    frame.render_widget(position(screen, slider.width), slider);
    frame.render_widget(now(screen), told);
    frame.render_widget(bottom(screen), keys);
    if screen.mode == Mode::Help {
        help(frame);
    }
}

/// How many rows a line takes, at least.
fn height(line: &Line<'_>, width: u16) -> usize {
    line.width().div_ceil(usize::from(width).max(1)).max(1)
}

fn title(screen: &Screen) -> Line<'static> {
    let (nodes, steps) = (screen.search.nodes() as u64, screen.search.steps() as u64);
    let size = format!("  {}, {}", report::count(nodes, "node"), report::count(steps, "step"));
    Line::from(vec![shown::line(&screen.title).bold(), Span::styled(size, SOFT)])
}

fn outline(screen: &mut Screen, frame: &mut Frame<'_>, area: Rect) {
    let height = usize::from(area.height).max(1);
    screen.height = height;
    if screen.at < screen.top {
        screen.top = screen.at;
    } else if screen.at >= screen.top + height {
        screen.top = screen.at + 1 - height;
    }
    screen.top = screen.top.min(screen.rows.len().saturating_sub(height));
    // Deep parts are moved to the left, so that the selected line begins within the first half.
    let deep = screen.rows.get(screen.at).map_or(0, |row| 2 * row.depth as usize);
    let shift = deep.saturating_sub(usize::from(area.width) / 2);
    let view = screen.rows.iter().enumerate().skip(screen.top).take(height);
    let lines: Vec<Line<'_>> = view
        .map(|(at, row)| {
            let line = line(screen, row, shift);
            if at == screen.at { line.add_modifier(Modifier::REVERSED) } else { line }
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
}

fn line(screen: &Screen, row: &Row, shift: usize) -> Line<'static> {
    let search = &screen.search;
    let status = search.status(row.item, &screen.now);
    let indent = 2 * row.depth as usize;
    let margin = match indent.checked_sub(shift) {
        Some(left) if shift > 0 => format!("…{}", " ".repeat(left)),
        Some(left) => " ".repeat(left),
        None => "…".to_owned(),
    };
    let fold = match (row.has_more, screen.is_unfolded(row.item)) {
        (true, true) => "▾ ",
        (true, false) => "▸ ",
        (false, _) => "  ",
    };
    let mut style = Style::new().fg(colour(status));
    if screen.is_in_proof(row.item) {
        style = style.add_modifier(Modifier::BOLD);
    }
    let label = shown::line(search.label(row.item));
    let (text, facts) = match row.item {
        Item::Node(node) if row.is_link => (format!("↪ {label}"), format!("  n{node}, elsewhere")),
        Item::Node(node) => {
            let sign = if search.has_states() { "" } else { "⊢ " };
            let visits = screen.now.visits(node).map(|visits| report::count(u64::from(visits), "visit"));
            let facts = visits.map_or_else(String::new, |visits| format!("  {visits}"));
            (format!("{} {sign}{label}", mark(status)), facts)
        }
        Item::Step(step) => (format!("{} {label}", mark(status)), format!("  {:.2}", search.prior(step))),
    };
    Line::from(vec![Span::styled(margin + fold, SOFT), Span::styled(text, style), Span::styled(facts, SOFT)])
}

fn side_panel(screen: &mut Screen, frame: &mut Frame<'_>, area: Rect, beside: bool) {
    let has_keys = screen.mode == Mode::Panel;
    let border = if has_keys { Style::new().fg(Color::Cyan) } else { SOFT };
    let block = Block::new().borders(if beside { Borders::LEFT } else { Borders::TOP }).border_style(border);
    let inner = block.inner(area);
    let lines = panel::lines(screen);
    let last = lines.iter().map(|line| height(line, inner.width)).sum::<usize>().saturating_sub(1);
    screen.panel_top = screen.panel_top.min(u16::try_from(last).unwrap_or(u16::MAX));
    frame.render_widget(block, area);
    frame
        .render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((screen.panel_top, 0)), inner);
}

/// The slider: where in the search this is.
fn position(screen: &Screen, width: u16) -> Line<'static> {
    let room = u64::from(width).saturating_sub(3);
    let (moves, last) = (u64::from(screen.now.moves), u64::from(screen.search.moves()));
    let before = (moves * room).checked_div(last).unwrap_or(0) as usize;
    let after = (room as usize).saturating_sub(before);
    Line::from(vec![
        Span::raw("├".to_owned() + &"─".repeat(before)),
        Span::styled("●", Style::new().fg(Color::Cyan)),
        Span::styled("─".repeat(after) + "┤", SOFT),
    ])
}

fn now(screen: &Screen) -> Line<'static> {
    let (search, now) = (&screen.search, &screen.now);
    let last = search.told(search.moves()).map_or(0, |told| told.iteration);
    let what = match search.told(now.moves) {
        None => format!("start of {}", search.moves()),
        Some(_) if search.has_states() => format!("branch {} of {}", now.moves, search.moves()),
        Some(told) => {
            let agent = if screen.agents > 1 { format!(", agent {}", told.agent) } else { String::new() };
            let seconds = told.at_ms as f64 / 1000.0;
            format!("iteration {} of {last}{agent}, {seconds:.2} s: {}", told.iteration, told.reason)
        }
    };
    let counts = format!(
        "  {}, {} proved, {} exhausted",
        report::count(now.nodes as u64, "node"),
        now.proved,
        now.exhausted
    );
    Line::from(vec![Span::raw(what), Span::styled(counts, SOFT)])
}

fn bottom(screen: &Screen) -> Line<'static> {
    match (&screen.mode, &screen.said) {
        (Mode::Find(text), _) => Line::raw(format!("/{}▏", shown::line(text))),
        (_, Some(said)) => Line::styled(shown::line(said), NOTE),
        (Mode::Panel, None) => Line::styled("↑ ↓ scroll   Tab tree   q end", SOFT),
        _ => Line::styled("↑ ↓ → ← tree   p proof   / find   , . time   Tab panel   ? keys   q end", SOFT),
    }
}

fn help(frame: &mut Frame<'_>) {
    let wide = KEYS.iter().map(|(keys, _)| keys.chars().count()).max().unwrap_or(0);
    let lines: Vec<Line<'_>> = KEYS
        .iter()
        .map(|(keys, what)| Line::from(vec![format!(" {keys:<wide$}  ").bold(), Span::raw(*what)]))
        .collect();
    let whole = frame.area();
    let (width, height) = (84.min(whole.width), (lines.len() as u16 + 2).min(whole.height));
    let area = Rect::new((whole.width - width) / 2, (whole.height - height) / 2, width, height);
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Keys ")), area);
}

pub(super) fn colour(status: Status) -> Color {
    match status {
        Status::Open => Color::Cyan,
        Status::Proved => Color::Green,
        Status::Exhausted => Color::DarkGray,
    }
}

pub(super) fn mark(status: Status) -> &'static str {
    match status {
        Status::Open => "?",
        Status::Proved => "✓",
        Status::Exhausted => "✗",
    }
}

pub(super) fn name(status: Status, is_state: bool) -> &'static str {
    match (status, is_state) {
        (Status::Open, _) => "open",
        (Status::Proved, true) => "solution",
        (Status::Proved, false) => "proved",
        (Status::Exhausted, true) => "pruned or illegal",
        (Status::Exhausted, false) => "exhausted",
    }
}
