//! Whole searches on warm workers: they go as on fresh ones, byte for byte.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::sync::{Arc, Mutex};

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Config, Grouping, Level, SearchConfig, VerifyConfig, WorkerConfig};
use andor_core::theorem::{System, Theorem};
use andor_dataset as dataset;
use andor_engine::attempt;
use andor_engine::event::Event;
use andor_engine::registry::{self, OwnParts};
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

fn config(reuse: bool, obligation: Grouping) -> Config {
    Config {
        budget: BudgetConfig { max_candidates: Some(25), time_s: None, ..BudgetConfig::default() },
        search: SearchConfig { obligation, ..SearchConfig::default() },
        // What is over the limit must not depend on what else the machine does.
        workers: WorkerConfig { reuse, tactic_timeout_s: 60.0, ..WorkerConfig::default() },
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        ..Config::default()
    }
}

/// Searches for a proof of each theorem, one after the other; gives the results with the traces.
fn search(system: System, config: &Config, theorems: &[Theorem]) -> Vec<(AttemptResult, String)> {
    block_on(async {
        let means = registry::means(system, config, 3, &OwnParts::default()).expect("the system is there");
        let mut searched = Vec::new();
        for theorem in theorems {
            let folder = tempfile::tempdir().expect("a folder can be made");
            let request = attempt::AttemptRequest {
                theorem: theorem.clone(),
                attempt: 1,
                role: Role::Configured,
                config: config.clone(),
                directory: Some(folder.path().to_owned()),
            };
            let result = attempt::run(&request, &means, &mut |_: &str, _: &Event| {}).await;
            let trace = fs_err::read_to_string(folder.path().join("trace.jsonl"));
            searched.push((result.expect("files can be written"), trace.expect("the trace is written")));
        }
        searched
    })
}

/// Says which searches were on a warm worker.
fn compare(system: System, obligation: Grouping, theorems: &[Theorem]) -> Vec<bool> {
    let fresh = search(system, &config(false, obligation), theorems);
    let warm = search(system, &config(true, obligation), theorems);
    let both = fresh.iter().zip(&warm).zip(theorems);
    both.map(|(((fresh, expected), (warm, trace)), theorem)| {
        // The start names the configuration.
        let searched =
            |trace: &str| trace.lines().filter(|l| !l.contains("\"start\"")).collect::<Vec<_>>().join("\n");
        assert_eq!(searched(trace), searched(expected), "{} {}", theorem.header, theorem.statement);
        assert_eq!((warm.outcome, &warm.source), (fresh.outcome, &fresh.source));
        assert_eq!((warm.spent.previews, warm.spent.workers_lost), (fresh.spent.previews, 0));
        assert_eq!(
            (fresh.spent.workers_started, fresh.spent.workers_reused),
            (u64::from(fresh.outcome != Outcome::Refused), 0)
        );
        let reused = warm.spent.workers_reused > 0;
        assert_eq!(warm.spent.workers_started, fresh.spent.workers_started - u64::from(reused));
        reused
    })
    .collect()
}

fn in_rocq(header: &str, statement: &str) -> Theorem {
    Theorem { header: header.to_owned(), ..theorem(ROCQ, "t", &format!("Theorem t : {statement}.")) }
}

const LISTS: &str = "Require Import List.\nImport ListNotations.\n";
/// An open section, a notation and a scope.
const SECTION: &str = "Require Import ZArith.\nSection S.\nVariable n : nat.\nNotation \"a !< b\" := (a < b)%Z (at level 70).\n\
                       Open Scope Z_scope.\n";

#[test]
fn searches_in_rocq_go_the_same_way() {
    let theorems = [
        in_rocq("", "forall n m : nat, n + m = m + n"),
        in_rocq(LISTS, "forall (A : Type) (l m : list A), length (l ++ m) = length m + length l"),
        in_rocq("", "exists n : nat, n + n = 6 /\\ n > 2"),
        in_rocq(SECTION, "forall a b : Z, a !< b -> a + 1 <= b"),
        in_rocq(LISTS, "forall (A : Type) (a : A), [a] = nonsense"),
        in_rocq(LISTS, "forall (A : Type) (l : list A), rev (rev l) = l"),
        in_rocq(SECTION, "forall a : Z, (n = n)%nat -> a * 2 = a + a"),
        in_rocq("", "forall P Q : Prop, P \\/ Q -> Q \\/ P"),
        in_rocq("(* Nothing. *)\n", "forall P Q : Prop, P /\\ Q -> Q /\\ P"),
        in_rocq(&format!("{LISTS}Definition two := 2.\n"), "forall n : nat, n * two = n + n"),
        in_rocq(&format!("{LISTS}Definition two n := n + 2.\n"), "forall n : nat, two n = S (S n)"),
    ];
    let reused = compare(ROCQ, Grouping::Coupled, &theorems);
    assert_eq!(reused, [false, false, true, false, false, true, true, true, true, true, true]);
}

#[test]
fn searches_over_states_in_rocq_go_the_same_way() {
    let theorems = [
        in_rocq("Definition two := 2.\n", "forall n : nat, n * two = n + n /\\ two + n = S (S n)"),
        in_rocq("Definition two := 2.\n", "exists n : nat, n + n = 6 /\\ n > two"),
        in_rocq("Definition two n := n + 2.\n", "forall n m : nat, two n = S (S n) /\\ n + m = m + n"),
        in_rocq("Definition two := 2.\nOpen Scope type_scope.\n", "two = 2"),
    ];
    assert_eq!(compare(ROCQ, Grouping::Whole, &theorems), [false, true, false, true]);
}

#[test]
fn searches_in_mini_go_the_same_way() {
    let header = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n";
    let in_mini = |header: &str, statement: &str| Theorem {
        header: header.to_owned(),
        ..theorem(MINI, "t", statement)
    };
    let theorems = [
        in_mini(header, "theorem t (p q r : Prop) (h : p ∧ q ∧ r) : r ∧ p"),
        in_mini("", "theorem t (n m : Nat) : n + m = m + n"),
        in_mini(header, "theorem t (p q : Prop) (h : p ∨ q) : q ∨ p"),
        in_mini("", "theorem t (n : Nat) (h : 3 < n) : 2 < n"),
    ];
    assert_eq!(compare(MINI, Grouping::Coupled, &theorems), [false, false, true, true]);
}

#[test]
fn a_run_reuses_workers_unless_it_is_told_not_to() {
    let statements = ["theorem t : 1 = 1", "theorem u : 2 = 2", "theorem v : 3 = 3"];
    let problem = |statement: &&str| dataset::from_statement(MINI, statement, &[]).expect("a statement");
    for (reuse, reused) in [(true, [0, 1, 1]), (false, [0, 0, 0])] {
        let problems = statements.iter().map(problem).collect();
        let request = RunRequest::new(problems, config(reuse, Grouping::Coupled));
        let sink = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
        let results = block_on(run(&request, &CancellationToken::new(), sink)).expect("nothing is missing");
        assert_eq!(results.iter().map(|r| r.spent.workers_reused).collect::<Vec<_>>(), reused);
    }
}
