//! Tables of the results, for terminals and for `docs/reference/cheats.md`.

use andor_core::theorem::System;
use andor_env::checker::Level;

use super::{CheatRow, LevelTrial, TrialOutcome};

/// The results as Markdown, with a table per system: whether the cheat passes each level (`passes`) or why not, and
/// whether the twin is accepted at all levels.
pub fn markdown(rows: &[CheatRow]) -> String {
    let mut text = String::new();
    for system in System::ALL {
        let rows: Vec<&CheatRow> = rows.iter().filter(|row| row.entry.system == system).collect();
        if rows.is_empty() {
            continue;
        }
        text += &format!("### {system}: {} cheats\n\n", rows.len());
        text += "| cheat | what it does | stopped at |";
        let levels = Level::ALL;
        for level in levels {
            text += &format!(" {} |", level.number());
        }
        text += " honest twin |\n| --- | --- | --- |";
        text += &" --- |".repeat(levels.len() + 1);
        text.push('\n');
        for row in rows {
            let entry = &row.entry;
            text += &format!(
                "| `{}` | {} | {} |",
                entry.name,
                entry.title.replace('|', "\\|"),
                entry.expected.rejected_at.number()
            );
            for level in levels {
                text += &format!(" {} |", cell(row, level));
            }
            text += &format!(" {} |\n", twin(&row.twin));
        }
        text.push('\n');
    }
    text
}

/// The results as a table for a terminal.
pub fn text(rows: &[CheatRow]) -> String {
    let longest = rows.iter().map(|row| row.entry.id().len()).max().unwrap_or(0);
    let mut text = format!("{:<longest$}  stopped at", "cheat");
    for level in Level::ALL {
        text += &format!("  {:<10}", level.number());
    }
    text += "  honest twin\n";
    for row in rows {
        text += &format!("{:<longest$}  {:<10}", row.entry.id(), row.entry.expected.rejected_at.number());
        for level in Level::ALL {
            text += &format!("  {:<10}", cell(row, level).trim_matches('*'));
        }
        text += &format!("  {}\n", twin(&row.twin));
    }
    text
}

/// The outcome of the cheat at a level.
fn cell(row: &CheatRow, level: Level) -> String {
    match row.cheat.iter().find(|trial| trial.level == level).map(|trial| &trial.outcome) {
        None => String::new(),
        Some(TrialOutcome::Accepted) => "passes".to_owned(),
        Some(TrialOutcome::Refused(_)) => "**refused**".to_owned(),
        Some(TrialOutcome::Rejected { reason, .. }) => format!("**{}**", reason.name()),
        Some(TrialOutcome::Failed(_)) => "?".to_owned(),
    }
}

fn twin(trials: &[LevelTrial]) -> String {
    let worst = trials.iter().find(|trial| trial.outcome != TrialOutcome::Accepted);
    match worst.map(|trial| (&trial.outcome, trial.level.number())) {
        None => "accepted".to_owned(),
        Some((TrialOutcome::Failed(_), level)) => format!("? at {level}"),
        Some((_, level)) => format!("REJECTED at {level}"),
    }
}

/// The entries of a table written by [`markdown`], each with the level that it states to reject the cheat.
pub fn stated_levels(text: &str) -> Vec<(String, u8)> {
    let mut system = "";
    let mut stated = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            system = heading.split(':').next().unwrap_or_default();
        }
        let mut cells = line.split(" | ");
        let name = cells.next().and_then(|first| first.strip_prefix("| `")?.strip_suffix('`'));
        if let (Some(name), Some(level)) = (name, cells.nth(1).and_then(|level| level.parse().ok())) {
            stated.push((format!("{system}/{name}"), level));
        }
    }
    stated
}
