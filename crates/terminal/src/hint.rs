//! Hints that name the option which resolves a problem. The library reports reasons as data and knows no options.

use andor_artifact::result::{AttemptResult, Outcome, RejectedClaim};
use andor_engine::judge::{Level, Permission};
use andor_env::error::EnvError;
use andor_process::error::ProcessError;

/// The option that permits what a claim was rejected for, in parentheses after a space; empty if there is none.
pub fn permission(permission: Option<&Permission>) -> String {
    match permission {
        Some(Permission::Axioms(name)) => format!(" (--allow-axioms {name} allows it)"),
        Some(Permission::Bug(name)) => format!(" (--trust {name} allows it)"),
        Some(Permission::Universes) => " (--universes as-rocq allows it)".to_owned(),
        None => String::new(),
    }
}

/// The same for a recorded claim.
pub fn permission_of(claim: &RejectedClaim) -> String {
    let axioms = claim.allow_axioms.clone().map(Permission::Axioms);
    permission(axioms.or_else(|| claim.trust.clone().map(Permission::Bug)).as_ref())
}

/// What to do about a check that did not finish, as a line of its own; empty if no option helps.
pub fn unfinished(level: Level, error: &EnvError) -> String {
    let is_late = matches!(
        error,
        EnvError::Process(ProcessError::Overdue { .. }) | EnvError::Process(ProcessError::OverCpu { .. })
    );
    let keeps_level = matches!(
        error,
        EnvError::TheoremRefused { .. }
            | EnvError::StatementAxioms { .. }
            | EnvError::NoChecker { .. }
            | EnvError::NoSecondJudge { .. }
    );
    let more = is_late.then(|| "--check-timeout gives it more time".to_owned());
    let below = level.lower().filter(|&below| below > Level::Claimed && !keeps_level);
    let alone = matches!(error, EnvError::NoSecondJudge { .. })
        .then(|| "--second-judge optional does without".to_owned());
    let less = below.map(|below| format!("--verify {} asks for less", below.name()));
    let options: Vec<String> = more.into_iter().chain(alone).chain(less).collect();
    match options.is_empty() {
        true => String::new(),
        false => format!("  nothing is accepted when a level does not finish; {}\n", options.join(", ")),
    }
}

/// Why an attempt ended, and the option that raises the limit it reached.
pub fn ending(result: &AttemptResult) -> String {
    ending_of(&result.stop_reason, &result.stop_detail)
}

/// What may help where a search found no proof.
pub fn next(result: &AttemptResult) -> Option<String> {
    if result.outcome != Outcome::NotProved {
        return None;
    }
    let has_model = result.spent.model.requests > 0;
    let model = (!has_model).then_some("--model URL, which asks a language model");
    let lemmas = has_model.then_some("--lemmas 20, which puts lemmas into the prompts");
    let more = match result.stop_reason.as_str() {
        "time" => Some("a longer --time"),
        "exhausted" | "blocked" => None,
        _ => Some("a higher limit"),
    };
    let error = result.closest.as_ref().and_then(|closest| closest.error.as_ref());
    let import = error.and_then(|error| missing_import(&error.message));
    let all: Vec<&str> = [import, more, model, lemmas].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", or "))
}

/// The import that brings what an error says is not there.
fn missing_import(error: &str) -> Option<&'static str> {
    const OF_ROCQ: [(&[&str], &str); 4] = [
        (
            &["lia", "nia", "zify"],
            "`Require Import Lia.` at the top of the file, which brings `lia` and `nia`",
        ),
        (
            &["lra", "nra", "psatz"],
            "`Require Import Psatz.` at the top of the file, which brings `lra` and `nra`",
        ),
        (&["ring", "ring_simplify"], "`Require Import Ring.` at the top of the file, which brings `ring`"),
        (
            &["field", "field_simplify"],
            "`Require Import Field.` at the top of the file, which brings `field`",
        ),
    ];
    if error.contains("unknown tactic") {
        return Some(
            "`import Mathlib` at the top of the file, if the project has it: the tactic is not one of Lean's own",
        );
    }
    let name = error.split_once("The reference ")?.1.split_once(" was not found")?.0;
    OF_ROCQ.iter().find(|(names, _)| names.contains(&name)).map(|(_, import)| *import)
}

fn ending_of(reason: &str, detail: &str) -> String {
    let (what, flag) = match reason {
        "blocked" => ("lower", "--mcts-block-fraction"),
        "iterations" => ("raise", "--max-iterations"),
        "expansions" => ("raise", "--max-expansions"),
        "nodes" => ("raise", "--max-nodes"),
        "candidates" => ("raise", "--max-candidates"),
        "tokens" => ("raise", "--max-tokens-total"),
        "cost" => ("raise", "--max-cost"),
        "time" => ("raise", "--time"),
        "virtual_time" => ("raise", "--virtual-time"),
        "axioms" => ("name them in", "--allow-axioms"),
        _ => return detail.to_owned(),
    };
    // Searches of agents, and records of earlier versions, name the option themselves.
    match detail.contains("--") {
        true => detail.to_owned(),
        false => format!("{detail} ({what} {flag})"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ending_of, missing_import};

    #[test]
    fn an_import_is_named_for_what_a_library_has() {
        let said = |name: &str| format!("The reference {name} was not found in the current environment.");
        assert!(missing_import(&said("lia")).unwrap().starts_with("`Require Import Lia.`"));
        assert_eq!(missing_import(&said("my_lemma")), None);
        assert_eq!(missing_import("Cannot find witness."), None);
    }

    #[test]
    fn an_ending_names_its_option_once() {
        let nodes = "9 nodes are made (raise --max-nodes)";
        assert_eq!(ending_of("nodes", "9 nodes are made"), nodes);
        assert_eq!(ending_of("nodes", nodes), nodes, "as earlier versions recorded it");
        let blocked = "everything left is blocked for good (--mcts-block-fraction)";
        assert_eq!(ending_of("blocked", blocked), blocked, "likewise");
        assert_eq!(ending_of("exhausted", "nothing is left"), "nothing is left");
        let steps = "the search made its 3 steps (raise --max-steps)";
        assert_eq!(ending_of("iterations", steps), steps, "of an agent");
    }
}
