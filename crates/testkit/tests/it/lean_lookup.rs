//! Lemmas that a real Lean finds.

use andor_system_lean::LEAN4;
use std::sync::Arc;

use crate::lookup::{found_by, names};
use andor_core::lemma::{Lemma, symbols};
use andor_core::theorem::Theorem;
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_system_lean::toolchain::Toolchain;
use andor_system_lean::{Lean, LeanBackend, LeanConfig};
use andor_testkit::contract::kill;
use andor_testkit::{block_on, lean, theorem};

async fn opened(header: &str, statement: &str) -> Arc<Session> {
    let theorem = Theorem { header: header.to_owned(), ..theorem(LEAN4, "t", statement) };
    let workers = Workers::reusing(Arc::new(lean::environment()), Grouping::Coupled, 2);
    Session::open(workers, theorem, Limits::default()).await.unwrap()
}

/// What is found for the goal of a statement.
async fn found(header: &str, statement: &str, most: usize) -> Vec<Lemma> {
    found_by(&opened(header, statement).await, most).await
}

#[test]
fn lemmas_about_the_goal_come_first() {
    block_on(async {
        let statement = "theorem t (a b : Nat) : a * b + 0 = b * a";
        let lemmas = found("", statement, 99).await;
        for expected in ["Nat.mul_comm", "Nat.add_zero"] {
            assert!(names(&lemmas).contains(&expected), "{expected}: {lemmas:?}");
        }
        let commutes = lemmas.iter().find(|lemma| lemma.name == "Nat.mul_comm").unwrap();
        assert_eq!(commutes.statement, "∀ (n m : Nat), n * m = m * n");
        let statement = "theorem t (α : Type) (k l : List α) : (k ++ l).length = l.length + k.length";
        let lemmas = found("", statement, 4).await;
        assert_eq!(names(&lemmas)[0], "List.length_append", "{lemmas:?}");
    });
}

#[test]
fn lemmas_of_the_header_are_found_as_people_write_them() {
    block_on(async {
        let header = "namespace Twice\ndef twice (n : Nat) : Nat := n + n\n\
            theorem twice_zero : twice 0 = 0 := rfl\n\
            inductive Small : Nat → Prop\n  | zero : Small (twice 0)\naxiom chosen : Nat\nend Twice\nopen Twice Nat\n";
        let lemmas = found(header, "theorem t (n : Nat) (h : twice n = 0) : twice n = n + 0", 99).await;
        assert_eq!(lemmas[0].name, "twice_zero", "{lemmas:?}");
        assert_eq!(lemmas[0].statement, "twice 0 = 0");
        // Under `open Nat`, but where the short name is another one's.
        assert!(names(&lemmas).contains(&"zero_add"), "{lemmas:?}");
        for other in
            ["t", "h", "twice", "Twice.twice", "Small", "chosen", "_andor_hole", "Nat.add", "instAddNat"]
        {
            assert!(!names(&lemmas).contains(&other), "{other}: {lemmas:?}");
        }
    });
}

#[test]
fn only_what_is_imported_is_found() {
    block_on(async {
        let statement = "theorem t (p q : Prop) : p ∧ q ↔ q ∧ p";
        assert!(names(&found("", statement, 9).await).contains(&"And.comm"));
        assert!(!names(&found("", "theorem t : True", 999).await).contains(&"admitted"));
    });
}

#[test]
fn lemmas_of_a_module_are_found_and_nothing_that_no_proof_can_use() {
    let library = "def mark (n : Nat) : Nat := n\n\
        theorem below_let : (let k := 1; mark k) = 1 := rfl\n\
        inductive Marked : Nat → Prop\n  | one : Marked (mark 1)\n\
        inductive Marks : Nat → Type\n  | one : Marks (mark 1)\n\
        axiom assumed : mark 2 = 2\naxiom chosen : Marks 1\nunsafe axiom lie : mark 1 = 2\n";
    let folder = tempfile::tempdir().unwrap();
    lean::compile(folder.path(), "Lib", library);
    let toolchain = Toolchain { search_path: vec![folder.path().to_owned()], ..lean::toolchain() };
    let environment = Lean::new(LeanConfig { toolchain: Some(toolchain), ..LeanConfig::default() });
    let workers = Workers::reusing(Arc::new(environment), Grouping::Coupled, 2);
    block_on(async {
        let open = |header: &str, statement| {
            let theorem = theorem(LEAN4, "t", statement);
            let theorem = Theorem { header: header.to_owned(), ..theorem };
            Session::open(Arc::clone(&workers), theorem, Limits::default())
        };
        // What is remembered for other imports is not taken for these.
        let other = open("", "theorem t : 1 = 1").await.unwrap();
        assert!(other.lookup(&["mark".to_owned()], 99).await.is_empty());
        let session = open("import Lib\n", "theorem t : mark 1 = mark 2").await.unwrap();
        let lemmas = session.lookup(&["mark".to_owned(), "Marks".to_owned()], 99).await;
        let mut found = names(&lemmas);
        found.sort_unstable();
        assert_eq!(found, ["Marked.one", "assumed", "below_let"]);
    });
}

#[test]
fn only_names_are_sought() {
    block_on(async {
        let session = opened("", "theorem t : 1 + 1 = 2").await;
        for bad in ["Nat.add\n#eval 1", "_ + _", "", "nat)", "no_such"] {
            assert_eq!(*session.lookup(&[bad.to_owned()], 9).await, [], "{bad}");
        }
        assert!(!session.lookup(&["Nat.add".to_owned(), "no_such".to_owned()], 9).await.is_empty());
    });
}

#[test]
fn a_lookup_survives_the_death_of_its_worker_and_leaves_it_usable() {
    block_on(async {
        let session = opened("", "theorem t : 1 + 1 = 2").await;
        let symbols = ["Nat.add".to_owned()];
        let before = session.process_ids();
        let first = session.lookup(&symbols, 5).await;
        let own: Vec<u32> = session.process_ids().into_iter().filter(|pid| !before.contains(pid)).collect();
        assert_eq!(own.len(), 1, "lookups have a worker of their own");
        kill(own[0]);
        // Another number, since the first answer is remembered.
        assert_eq!(session.lookup(&symbols, 4).await[..], first[..4]);
        assert_eq!(session.counters().workers_lost, 0);
    });
}

#[test]
fn equal_lookups_are_equal_whatever_runs_the_tactics() {
    block_on(async {
        let statement = "theorem t (a b : Nat) (l : List Nat) : l.length + a ≤ b + l.length";
        let first = found("", statement, 64).await;
        assert_eq!(first.len(), 64);
        assert_eq!(found("", statement, 64).await, first);
        let config =
            |backend| LeanConfig { toolchain: Some(lean::toolchain()), backend, ..LeanConfig::default() };
        let theorem = theorem(LEAN4, "t", statement);
        let goal = opened("", statement).await;
        let symbols = symbols(&goal.goals(goal.root())[0]);
        for backend in [LeanBackend::Repl, LeanBackend::Pantograph] {
            use andor_env::environment::Environment;
            let mut library = Lean::new(config(backend)).new_library().await.unwrap();
            library.open(&theorem).await.unwrap();
            assert_eq!(library.lookup(&symbols, 64).await.unwrap(), first);
        }
    });
}
