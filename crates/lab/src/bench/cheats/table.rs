//! Tables of the results, for terminals and for `docs/reference/cheats.md`.

use std::collections::BTreeMap;

use andor_core::theorem::System;
use andor_env::checker::Level;

use super::{CheatRow, LevelTrial, TrialOutcome};

/// The results as Markdown: for each system the cheats that each level stops, by the reason that it gives. That they pass the
/// levels below and that the twins are accepted is not repeated for each: the results are no table unless it holds for all.
pub fn markdown(rows: &[CheatRow]) -> String {
    let mut text = String::new();
    for system in System::all() {
        let mut groups: BTreeMap<(u8, &str), Vec<&CheatRow>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.entry.system == system) {
            let level = row.entry.expected.rejected_at;
            groups.entry((level.number(), cell(row, level))).or_default().push(row);
        }
        if groups.is_empty() {
            continue;
        }
        text += &format!("### {system}: {} cheats\n\n", groups.values().map(Vec::len).sum::<usize>());
        for ((level, reason), rows) in groups {
            text += &format!("Stopped at level {level}, `{reason}`:\n\n");
            let names: Vec<String> = rows.iter().map(|row| format!("`{}`", row.entry.name)).collect();
            text += &format!("{}\n\n", names.join(" "));
        }
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
            text += &format!("  {:<10}", cell(row, level));
        }
        text += &format!("  {}\n", twin(&row.twin));
    }
    text
}

/// The outcome of the cheat at a level.
fn cell(row: &CheatRow, level: Level) -> &'static str {
    match row.cheat.iter().find(|trial| trial.level == level).map(|trial| &trial.outcome) {
        None => "",
        Some(TrialOutcome::Accepted) => "passes",
        Some(TrialOutcome::Refused(_)) => "refused",
        Some(TrialOutcome::Rejected { reason, .. }) => reason.name(),
        Some(TrialOutcome::Failed(_)) => "?",
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

/// The entries of a page written by [`markdown`], each with the level that it states to reject the cheat.
pub fn stated_levels(text: &str) -> Vec<(String, u8)> {
    let (mut system, mut level) = ("", None);
    let mut stated = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            system = heading.split(':').next().unwrap_or_default();
        } else if let Some(heading) = line.strip_prefix("Stopped at level ") {
            level = heading.split(',').next().and_then(|number| number.parse().ok());
        } else if let (true, Some(level)) = (line.starts_with('`'), level) {
            let names = line.split(' ').map(|name| name.trim_matches('`'));
            stated.extend(names.map(|name| (format!("{system}/{name}"), level)));
        }
    }
    stated
}
