//! What tactics leave, text for text as Lean 4 prints it, and what they refuse.
//!
//! The tables are in `data/goals.txt` and `data/refused.txt`: entries with an empty line between, each a statement, its
//! tactics behind `>` (and `.` on further lines of the same), and the goals that are left, with `---` between them.
//! In the second table the last tactic must fail, with a message that contains what follows.

use andor_mini::prover::{State, TacticError, Theory};

const STEPS: u64 = 1_000_000;

struct Entry<'t> {
    statement: &'t str,
    tactics: Vec<String>,
    expected: String,
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let entry = |text| {
        let mut lines = str::lines(text).filter(|l| !l.starts_with("#"));
        let statement = lines.next()?;
        let (mut tactics, mut expected) = (Vec::<String>::new(), Vec::new());
        for line in lines {
            match (line.strip_prefix("> "), line.strip_prefix(". "), tactics.last_mut()) {
                (Some(tactic), ..) => tactics.push(tactic.into()),
                (_, Some(more), Some(last)) => *last = format!("{last}\n{more}"),
                _ => expected.push(line),
            }
        }
        Some(Entry { statement, tactics, expected: expected.join("\n") })
    };
    text.split("\n\n").filter_map(entry).collect()
}

fn opened(statement: &str) -> State {
    Theory::prelude().open(statement).unwrap_or_else(|e| panic!("{statement}: {e}"))
}

fn shown(state: &State) -> String {
    let goals: Vec<String> = state.goals().iter().map(ToString::to_string).collect();
    if goals.is_empty() { "no goals".into() } else { goals.join("\n---\n") }
}

#[test]
fn tactics_leave_what_leans_leave() {
    let entries = entries(include_str!("../data/goals.txt"));
    assert!(entries.len() >= 60);
    let wrong: Vec<String> = entries
        .iter()
        .filter_map(|entry| {
            let mut state = opened(entry.statement);
            for tactic in &entry.tactics {
                match state.apply(tactic, STEPS) {
                    Ok(next) => state = next,
                    Err(error) => {
                        return Some(format!(
                            "{}\n{tactic}: {error}\nin\n{}",
                            entry.statement,
                            shown(&state)
                        ));
                    }
                }
            }
            let found = shown(&state);
            let fits = found == entry.expected;
            (!fits).then(|| {
                let Entry { statement, tactics, expected } = entry;
                format!("{statement}\n{}\nleaves\n{found}\nand not\n{expected}", tactics.join("\n"))
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn what_does_not_apply_is_refused() {
    let entries = entries(include_str!("../data/refused.txt"));
    assert!(entries.len() >= 40);
    let mut wrong = Vec::new();
    for Entry { statement, tactics, expected } in &entries {
        let mut state = opened(statement);
        let (last, before) = tactics.split_last().unwrap();
        for tactic in before {
            state = state.apply(tactic, STEPS).unwrap_or_else(|e| panic!("{statement}: {tactic}: {e}"));
        }
        match state.apply(last, STEPS) {
            Err(TacticError::Failed(why)) if why.contains(expected.as_str()) => {}
            Err(error) => wrong.push(format!("{statement}\n{last}\nfails otherwise: {error}")),
            Ok(state) => wrong.push(format!("{statement}\n{last}\nleaves\n{}", shown(&state))),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn a_variable_that_lean_would_declare_is_asked_for() {
    let message = |statement: &str| Theory::prelude().open(statement).unwrap_err().to_string();
    let asked = message("theorem t (a : α) : a = a");
    assert!(asked.contains("unknown identifier `α`; ") && asked.contains("such as `{α : Type}`"), "{asked}");
    let unknown = message("theorem t : nothing");
    assert!(unknown.contains("unknown identifier `nothing`") && !unknown.contains("binder"), "{unknown}");
}
