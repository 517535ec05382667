//! Every tactic that the heuristics propose at real goals is in a family, so that a lesion can take it away.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::sync::Arc;

use andor_config::{Config, TacticConfig};
use andor_core::theorem::{System, Theorem};
use andor_engine::registry::tactic_filter;
use andor_env::environment::Environment;
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Provider, Request};
use andor_provider::filters::{HygieneRule, TacticFilter};
use andor_provider::heuristic::Heuristic;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};

/// What the heuristics propose for a theorem: at its start, and after some tactics, one after the other.
async fn proposals(environment: Arc<dyn Environment>, theorem: Theorem, tactics: &[&str]) -> Vec<String> {
    let session = Session::open(Workers::new(environment, Grouping::Coupled), theorem, Limits::default())
        .await
        .unwrap();
    let mut at = session.root();
    let mut found = Vec::new();
    for next in tactics.iter().map(Some).chain([None]) {
        let goals = session.goals(at);
        let request = Request::new(session.theorem(), &goals);
        found.extend(Heuristic.suggest(request).await.unwrap().candidates.into_iter().map(|c| c.tactic));
        if let Some(tactic) = next {
            let mut preview = session.lease(at).preview(tactic).await.unwrap();
            at = session.commit(&mut preview).obligations[0];
        }
    }
    found
}

/// The words that a tactic and the parts of a composed one begin with.
fn heads(tactic: &str) -> impl Iterator<Item = &str> {
    tactic.split(';').map(|part| {
        let start = part.trim_start_matches(|c: char| !c.is_alphabetic());
        start.split(|c: char| c.is_whitespace() || matches!(c, ')' | '|')).next().unwrap_or_default()
    })
}

/// Checks the proposals for some theorems: header, statement, tactics on the way.
fn check(system: System, environment: &Arc<dyn Environment>, cases: &[(&str, &str, &[&str])]) {
    let all: Vec<String> = system.language().tactics.families.iter().map(|f| f.name.to_owned()).collect();
    let config =
        Config { tactics: TacticConfig { block: all, ..TacticConfig::default() }, ..Config::default() };
    let (filter, hygiene) = (tactic_filter(system, &config), tactic_filter(system, &Config::default()));
    for (header, statement, tactics) in cases {
        let theorem = Theorem { header: (*header).to_owned(), ..theorem(system, "t", statement) };
        for tactic in block_on(proposals(Arc::clone(environment), theorem, tactics)) {
            for head in heads(&tactic) {
                assert!(system.language().knows(head), "`{head}` of `{tactic}` is in no family of {system}");
            }
            assert_eq!(hygiene.block_reason(&tactic), None, "`{tactic}` is kept out although nobody asked");
            let reason = filter.block_reason(&tactic).map(|r| r.to_string());
            assert!(
                reason.is_some_and(|r| r.starts_with("family:")),
                "`{tactic}` is in no family of {system}"
            );
        }
    }
}

#[test]
fn heuristics_of_the_embedded_prover() {
    let mini: Arc<dyn Environment> = Arc::new(Mini::new(MiniConfig::default()));
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "",
            "theorem t : ∀ p q r : Prop, (p ∧ q) ∨ (p → ¬ r) → (q ↔ r) → p ∨ ¬ q",
            &["intro p q r h h1", "rcases h with h2 | h2", "obtain ⟨h3, h4⟩ := h2"],
        ),
        (
            "",
            "theorem t : ∀ f : Nat → Nat, (∀ n, f n ≤ f (n + 1)) → ∃ k, f 0 ≤ f k ∧ 1 ≤ k",
            &["intro f h", "refine ⟨1, ?_⟩", "constructor"],
        ),
        ("", "theorem t : ∀ n m : Nat, n * m + n = n * (m + 1)", &["intro n m"]),
        (
            "",
            "theorem t : ∀ α : Type, ∀ xs ys : List α, (xs ++ ys).length = xs.length + ys.length",
            &["intro α xs ys", "induction xs with | nil => ?_ | cons x xs ih => ?_"],
        ),
        ("", "theorem t : ∀ f g : Nat → Nat, (∀ x, f x = g x) → f = g", &["intro f g h"]),
        ("", "theorem t : ∀ p : Nat → Prop, ¬ (∀ x, p x) → ∃ x, ¬ p x", &["intro p h"]),
        ("", "theorem t : ∀ p q : Prop, (p ↔ q) → p = q", &["intro p q h"]),
        ("", "theorem t : ∀ p q r : Prop, (p → q ∧ r) → (¬ p → r) → p ∨ r", &["intro p q r h h1"]),
        ("", "theorem t : ∀ p q : Prop, (q → p ∨ q) → q → p ∨ q", &["intro p q h h1"]),
        (
            "",
            "theorem t : ∀ xs : List Nat, 1 :: xs = [1, 2] → True ∧ xs = [2]",
            &["intro xs h", "constructor"],
        ),
        ("", "theorem t : ∀ a b c : Nat, a ∣ b → a ∣ b * c", &["intro a b c h"]),
        (
            "",
            "theorem t : ∀ a b : Nat × Nat, a = b → ∀ o : Option Nat, ∀ c : Bool, (a, o, c) = (b, o, c)",
            &["intro a b h o c"],
        ),
        ("def Twice (n : Nat) : Prop := ∃ k, n = 2 * k", "theorem t : Twice 4 ∧ True", &["constructor"]),
        ("", "theorem t : ∀ a b c : Nat, a = b → b ≤ c → a ^ 2 ≤ c ^ 2", &["intro a b c h h1"]),
    ];
    check(MINI, &mini, cases);
}

#[test]
fn heuristics_of_rocq() {
    let rocq: Arc<dyn Environment> = Arc::new(Rocq::new(RocqConfig::default()));
    let reals = "Require Import Reals. Open Scope R_scope.";
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "",
            "Theorem t : forall P Q R : Prop, (P /\\ Q) \\/ ~ R -> (Q <-> R) -> R \\/ ~ Q.",
            &["intros", "destruct H as [?|?]", "destruct H as [? ?]"],
        ),
        (
            "",
            "Theorem t : forall f : nat -> nat, (forall n, f n = S n) -> exists k, f k = 3 /\\ k <= 4.",
            &["intros", "exists 2", "split"],
        ),
        ("", "Theorem t : forall a b : nat, S a = S b -> true = false -> a * 2 < 4 -> False.", &["intros"]),
        ("", "Theorem t : forall a b c d : nat, a <= b -> c <= d -> a < 9 -> a * c <= b * d.", &["intros"]),
        (
            "",
            "Theorem t : forall b c : bool, (if andb b c then Nat.eqb 1 1 else b) = c -> b = c.",
            &["intros"],
        ),
        ("", "Theorem t : forall n, match n with 0 => 0 | S m => m end = Nat.pred n.", &["intros"]),
        (
            "Inductive even : nat -> Prop := zero : even 0 | next n : even n -> even (S (S n)).",
            "Theorem t : forall n, even n -> (even n -> even 4) -> even (S (S n)).",
            &["intros"],
        ),
        ("", "Theorem t : forall P : Prop, (P -> False) -> False -> ~ P.", &["intros"]),
        ("", "Theorem t : forall P : nat -> Prop, True -> (exists n, P n).", &["intros", "eexists"]),
        ("Definition twice n := n + n.", "Theorem t : forall n, twice n = 2 * n.", &["intros"]),
        (
            "Require Import ZArith List.",
            "Theorem t : (forall x y : Z, x mod 3 = 1 -> (x * x) mod 3 = 1)%Z.",
            &["intros"],
        ),
        ("Require Import QArith.", "Theorem t : (forall x y : Q, x + y == y + x)%Q.", &["intros"]),
        (
            reals,
            "Theorem t : forall x y : R, x <> 0 -> x / y = 1 -> x * y = 0 -> Rabs x <= x ^ 2 + y ^ 2.",
            &["intros"],
        ),
        (reals, "Theorem t : forall x : R, 0 <= x -> sqrt x * sqrt x = x / 1.", &["intros"]),
        (reals, "Theorem t : forall x y : R, Rmax x y = Rmax y x.", &["intros"]),
        (
            reals,
            "Theorem t : forall a : nat -> R, (forall n, a (S n) = a n + 1) -> a 3%nat = a 0%nat + 3.",
            &["intros"],
        ),
    ];
    check(ROCQ, &rocq, cases);
}

#[test]
fn the_gate_of_a_configuration() {
    let gate = TacticConfig { easy_gate: true, ..TacticConfig::default() };
    let filter = |tactics: &TacticConfig| {
        tactic_filter(ROCQ, &Config { tactics: tactics.clone(), ..Config::default() })
    };
    let reason = |filter: TacticFilter| filter.block_reason("intros; lia").map(|r| r.to_string());
    assert_eq!(reason(filter(&gate)).as_deref(), Some("easy:lia"));
    assert_eq!(reason(filter(&TacticConfig { allow_easy: true, ..gate.clone() })), None);
    assert_eq!(reason(filter(&TacticConfig { easy: Some(vec!["auto".to_owned()]), ..gate })), None);
}

#[test]
fn the_hygiene_of_a_configuration() {
    let own = HygieneRule::new("no-nia", None, r"\bnia\b", "slow").unwrap();
    let filter = |tactics| tactic_filter(ROCQ, &Config { tactics, ..Config::default() });
    let reason = |filter: &TacticFilter, tactic| filter.block_reason(tactic).map(|r| r.to_string());
    let on = filter(TacticConfig { hygiene: vec![own.clone()], ..TacticConfig::default() });
    assert_eq!(reason(&on, "intros; nia").as_deref(), Some("hygiene:no-nia"));
    assert_eq!(reason(&on, "intros; admit").as_deref(), Some("hygiene:admit"));
    assert!(
        filter(TacticConfig { hygiene: vec![own], no_hygiene: true, ..TacticConfig::default() }).is_idle()
    );
}
