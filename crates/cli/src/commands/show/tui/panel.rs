//! The panel beside the tree: everything about the selected item.

use andor_core::tree::Status;
use andor_terminal::shown;
use andor_view::search::{Candidate, Item, Search};
use ratatui::style::{Modifier, Style, Stylize};
use ratatui::text::{Line, Span};

use super::draw::{EXHAUSTED, FAILED, PROVED, SOFT, colour, mark, name};
use super::screen::Screen;

/// Lines of one text that are shown, and characters of a line.
const LINES: usize = 400;
const CHARACTERS: usize = 4000;

/// The lines of the panel.
pub(super) fn lines(screen: &Screen) -> Vec<Line<'static>> {
    match screen.item() {
        Some(Item::Node(node)) => goal(screen, node),
        Some(Item::Step(step)) => tactic(screen, step),
        None => vec![Line::styled("There is nothing to show.", SOFT)],
    }
}

fn goal(screen: &Screen, node: u32) -> Vec<Line<'static>> {
    let (search, now) = (&screen.search, &screen.now);
    let mut lines = vec![standing(now.node(node), search.has_states())];
    let mut fact = |name: &str, value: String| {
        lines.push(Line::from(vec![Span::styled(format!("{name:<10}"), SOFT), Span::raw(value)]));
    };
    if let Some(visits) = now.visits(node) {
        fact("visits", visits.to_string());
    }
    fact("added by", iteration(search, search.born(Item::Node(node))));
    if let Some(met) = search.obstacle(node, now) {
        let until = met.until.map_or(String::new(), |until| format!(" until iteration {until}"));
        fact("obstacle", format!("{}{until}", if met.is_delay { "delayed" } else { "blocked" }));
    }
    fact("name", shown::line(search.name(node)));
    if let Some(state) = search.state(node) {
        heading(&mut lines, "State");
        external(&mut lines, &serde_json::to_string_pretty(state).unwrap_or_default(), Style::new(), "");
        return lines;
    }
    let goals = search.goals(node);
    heading(&mut lines, if goals.len() == 1 { "Goal" } else { "Goals" });
    for (at, goal) in goals.into_iter().enumerate() {
        if at > 0 {
            lines.push(Line::raw(""));
        }
        external(&mut lines, goal, Style::new(), "");
    }
    let all = search.candidates(node);
    let tried: Vec<&Candidate> = all.iter().filter(|candidate| candidate.born <= now.moves).collect();
    let more = if tried.len() < all.len() { format!(" of {}", all.len()) } else { String::new() };
    heading(&mut lines, &format!("Candidates: {}{more}", tried.len()));
    for candidate in tried {
        describe(&mut lines, search, candidate);
    }
    lines
}

fn describe(lines: &mut Vec<Line<'static>>, search: &Search, candidate: &Candidate) {
    let (mark, style) = match candidate.outcome {
        "success" => ("✓", PROVED),
        "failure" | "timeout" => ("✗", FAILED),
        _ => ("–", EXHAUSTED),
    };
    external(lines, &format!("{mark} {}", candidate.tactic), style, "  ");
    let facts = format!(
        "  {}, log-prior {:.2}, {}, {}",
        candidate.outcome,
        candidate.prior,
        shown::line(&candidate.provider),
        iteration(search, candidate.born)
    );
    lines.push(Line::styled(facts, SOFT));
    if let Some(why) = &candidate.why {
        external(lines, why, Style::new(), "  ");
    }
}

fn tactic(screen: &Screen, step: u32) -> Vec<Line<'static>> {
    let (search, item) = (&screen.search, Item::Step(step));
    let mut lines = vec![standing(search.status(item, &screen.now), false)];
    let facts = [
        ("log-prior", format!("{:.2}", search.prior(step))),
        ("added by", iteration(search, search.born(item))),
    ];
    for (name, value) in facts {
        lines.push(Line::from(vec![Span::styled(format!("{name:<10}"), SOFT), Span::raw(value)]));
    }
    heading(&mut lines, if search.has_states() { "Branch" } else { "Tactic" });
    external(&mut lines, search.label(item), Style::new(), "");
    let left = search.left_by(step);
    heading(&mut lines, &format!("{} left", andor_terminal::report::count(left.len() as u64, "goal")));
    for &node in left {
        let status = screen.now.node(node);
        let style = Style::new().fg(colour(status));
        external(&mut lines, &format!("{} {}", mark(status), search.label(Item::Node(node))), style, "  ");
    }
    lines
}

fn standing(status: Status, is_state: bool) -> Line<'static> {
    let text = format!("{} {}", mark(status), name(status, is_state));
    Line::styled(text, Style::new().fg(colour(status)).add_modifier(Modifier::BOLD))
}

fn heading(lines: &mut Vec<Line<'static>>, text: &str) {
    lines.push(Line::raw(""));
    lines.push(Line::raw(text.to_owned()).bold());
}

fn iteration(search: &Search, number: u32) -> String {
    match search.told(number) {
        None if number == 0 => "the start".to_owned(),
        None => "the end".to_owned(),
        Some(told) if search.agents() > 1 => {
            format!("iteration {}, agent {}", told.iteration, told.agent)
        }
        Some(told) => format!("iteration {}", told.iteration),
    }
}

/// Adds a text from outside. Lines after its first are indented.
fn external(lines: &mut Vec<Line<'static>>, text: &str, style: Style, indent: &str) {
    for (at, line) in text.trim_end().lines().enumerate() {
        if at == LINES {
            lines.push(Line::styled("[… more lines are left out …]", SOFT));
            return;
        }
        let mut shown = String::from(if at == 0 && style != Style::new() { "" } else { indent });
        match line.char_indices().nth(CHARACTERS) {
            Some((end, _)) => shown += &(shown::line(&line[..end]) + " [… the rest is left out …]"),
            None => shown += &shown::line(line),
        }
        lines.push(Line::styled(shown, style));
    }
}
