//! What the heuristics propose at goals of `mini`, and that they prove the examples.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::result::Outcome;
use andor_config::{BudgetConfig, Config};
use andor_core::theorem::{System, Theorem};
use andor_dataset::{self as dataset, Problem};
use andor_engine::event::Event;
use andor_env::mini::{Mini, MiniConfig};
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Provider, Request, tidy};
use andor_provider::heuristic::Heuristic;
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

/// The tactics proposed after some tactics, best first.
async fn proposals(header: &str, statement: &str, before: &[&str]) -> Vec<String> {
    let theorem = Theorem {
        header: header.to_owned(),
        ..theorem(System::Mini, "t", &format!("theorem t : {statement}"))
    };
    let mini = Arc::new(Mini::new(MiniConfig::default()));
    let session =
        Session::open(Workers::new(mini, Grouping::Coupled), theorem, Limits::default()).await.unwrap();
    let mut at = session.root();
    for tactic in before {
        let mut preview = session.lease(at).preview(tactic).await.unwrap();
        at = session.commit(&mut preview).obligations[0];
    }
    let goals = session.goals(at);
    let request = Request::new(session.theorem(), &goals);
    let suggest = async || tidy("heuristic", Heuristic.suggest(request).await.unwrap()).unwrap();
    let suggestions = suggest().await;
    assert_eq!(suggestions, suggest().await, "equal goals get equal proposals");
    suggestions.candidates.into_iter().map(|c| c.tactic).collect()
}

#[test]
fn what_helps_comes_early() {
    // Header, statement, tactics before, what is expected, among how many.
    let cases: &[(&str, &str, &[&str], &str, usize)] = &[
        ("", "∀ p q : Prop, p → ¬ q → p", &[], "intro p q h h1", 1),
        ("", "True ∧ True", &[], "constructor", 2),
        ("", "∀ p q : Prop, p → q → p", &["intro p q h k"], "exact h", 1),
        ("", "∀ p q : Prop, p → p ∨ q", &["intro p q h"], "exact Or.inl h", 1),
        ("", "∀ p q : Prop, p ∧ q → q", &["intro p q h"], "obtain ⟨h1, h2⟩ := h", 1),
        ("", "∀ p q : Prop, p ∨ q → q ∨ p", &["intro p q h"], "rcases h with h1 | h1", 1),
        ("", "∀ p q : Prop, (p → q) → p → q", &["intro p q h k"], "exact h k", 1),
        ("", "∀ p q : Prop, p → ¬ p → q", &["intro p q h k"], "exact absurd h k", 1),
        ("", "∀ p : Prop, p ∨ ¬ p", &["intro p"], "by_cases h : p", 9),
        ("", "∀ p : Nat → Prop, (∃ n, p n) → True ∧ True", &["intro p h"], "obtain ⟨n, h1⟩ := h", 2),
        ("", "∀ p : Nat → Prop, ∀ a : Nat, p a → ∃ n, p n", &["intro p a h"], "exact ⟨a, h⟩", 1),
        ("", "∀ n : Nat, ∃ m, m = n", &["intro n"], "exact ⟨n, by omega⟩", 3),
        ("", "∀ a b : Nat, a = b → b = a", &["intro a b h"], "exact h.symm", 1),
        ("", "∀ f : Nat → Nat, ∀ a b : Nat, a = b → f a = f b", &["intro f a b h"], "subst h", 3),
        ("", "∀ f : Nat → Nat, f 0 = 1 → f (f 0) = f 1", &["intro f h"], "rw [h]", 9),
        ("", "∀ a b : Nat, a < b → a ≠ b", &["intro a b h"], "omega", 1),
        ("", "∀ a b : Nat, a * b = b * a", &["intro a b"], "exact Nat.mul_comm _ _", 3),
        ("", "∀ n : Nat, 2 ^ n > 0", &["intro n"], "induction n with | zero => ?_ | succ n ih => ?_", 12),
        ("", "∀ α : Type, ∀ xs : List α, xs ++ [] = xs", &["intro α xs"], "simp", 3),
        ("", "∀ f g : Nat → Nat, (∀ x, f x = g x) → f = g", &["intro f g h"], "funext a", 2),
        ("", "∀ p q : Prop, (p ↔ q) → p = q", &["intro p q h; rcases h with ⟨h, k⟩"], "apply propext", 2),
        ("", "∀ p : Prop, ¬ False → p → p ∧ p", &["intro p h k"], "constructor", 9),
        ("def Twice (n : Nat) : Prop := ∃ k, n = 2 * k", "Twice 4", &[], "unfold Twice", 2),
    ];
    block_on(async {
        for (header, statement, before, expected, within) in cases {
            let tactics = proposals(header, statement, before).await;
            let place = tactics.iter().position(|t| t == expected);
            assert!(
                place.is_some_and(|p| p < *within),
                "{statement}: `{expected}` at {place:?} of {tactics:?}"
            );
        }
    });
}

#[test]
fn names_that_cannot_be_written_are_not_used() {
    block_on(async {
        let tactics = proposals("", "∀ p q : Prop, p ∧ q → q", &["intro p q", "intro"]).await;
        assert!(tactics.iter().all(|t| !t.contains('✝')), "{tactics:?}");
        // Names for what is introduced are new.
        let tactics = proposals("", "∀ h : Nat, h = 0 → h = 0 ∧ h = 0", &["intro h"]).await;
        assert!(tactics.contains(&"intro h1".to_owned()), "{tactics:?}");
    });
}

/// Some theorems of an example file.
fn examples(file: &str, names: &[&str]) -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let mut problems = dataset::read(&path, None).unwrap().problems;
    problems.retain(|p| names.contains(&p.theorem.name.as_str()));
    assert_eq!(problems.len(), names.len(), "{file}");
    problems
}

#[test]
fn examples_are_proved_without_options() {
    let problems = [
        examples("logic.lean", &["and_swap", "or_weaken", "neither_of_two", "peirce_law"]),
        examples("quantifiers.lean", &["somes_swap", "serial_reflexive", "exception_exists"]),
        examples("equality.lean", &["chain_of_three", "undone_twice", "pair_parts_equal"]),
        examples("lists.lean", &["append_empty", "fold_rebuilds"]),
        examples("nat.lean", &["add_comm_nat", "even_sum", "divides_sum"]),
        examples("sets_as_predicates.lean", &["union_with_itself", "included_in_apart"]),
    ];
    let budget = BudgetConfig { time_s: None, max_candidates: Some(1000), ..BudgetConfig::default() };
    let config = Config { budget, ..Config::default() };
    let request = RunRequest { jobs: 2, ..RunRequest::new(problems.concat(), config) };
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    let results = block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
    for result in results {
        assert_eq!(result.outcome, Outcome::Accepted, "{}: {:?}", result.theorem, result.rejected_claims);
    }
}

#[test]
fn equal_searches_write_equal_traces() {
    let trace = || {
        let folder = tempfile::tempdir().unwrap();
        let budget = BudgetConfig { time_s: None, max_candidates: Some(200), ..BudgetConfig::default() };
        let request = RunRequest {
            out: Some(folder.path().join("RUN")),
            ..RunRequest::new(examples("nat.lean", &["odd_sum"]), Config { budget, ..Config::default() })
        };
        let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
        block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
        fs_err::read_to_string(folder.path().join("RUN/theorems/odd_sum/attempt-1/trace.jsonl")).unwrap()
    };
    assert_eq!(trace(), trace());
}
