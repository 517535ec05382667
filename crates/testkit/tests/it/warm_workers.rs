//! Workers that go from theorem to theorem: which are kept, and that a theorem looks the same on all.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use andor_system_synthetic::SYNTHETIC;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use andor_core::theorem::{ExtraImport, Theorem};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Counters, Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_process::{CpuAccount, program_within};
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_system_synthetic::Synthetic;
use andor_testkit::contract::kill;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use rustix::process::{Pid, Signal, kill_process};

const TABLE: &str = "root: done -> . | crash -> %crash | two -> root root";

fn reusing(environment: impl Environment + 'static, max_idle: usize) -> Arc<Workers> {
    Workers::reusing(Arc::new(environment), Grouping::Coupled, max_idle)
}

fn rocq() -> Rocq {
    Rocq::new(RocqConfig::default())
}

fn under(header: &str, theorem: Theorem) -> Theorem {
    Theorem { header: header.to_owned(), ..theorem }
}

fn scripted(header: &str) -> Theorem {
    under(header, theorem(MINI, "t", TABLE))
}

fn in_rocq(header: &str, statement: &str) -> Theorem {
    under(header, theorem(ROCQ, "t", &format!("Theorem t : {statement}.")))
}

async fn open(workers: &Arc<Workers>, theorem: Theorem) -> Arc<Session> {
    Session::open(Arc::clone(workers), theorem, Limits::default()).await.unwrap()
}

async fn attempt(session: &Arc<Session>, tactic: &str) -> Arc<Attempted> {
    Arc::clone(&session.lease(session.root()).preview(tactic).await.unwrap().attempted)
}

/// Opens a theorem, closes it, and says what became of it.
async fn visit(workers: &Arc<Workers>, theorem: Theorem) -> Counters {
    let session = open(workers, theorem).await;
    session.close();
    session.counters()
}

/// Workers started, reused and lost.
fn origins(counters: Counters) -> [u64; 3] {
    [counters.workers_started, counters.workers_reused, counters.workers_lost]
}

const FRESH: [u64; 3] = [1, 0, 0];
const WARM: [u64; 3] = [0, 1, 0];

#[test]
fn the_same_header_byte_for_byte_has_the_same_worker() {
    block_on(async {
        let workers = reusing(ScriptedEnvironment::default(), 4);
        assert_eq!(origins(visit(&workers, scripted("a")).await), FRESH);
        assert_eq!(origins(visit(&workers, scripted("a")).await), WARM);
        assert_eq!(origins(visit(&workers, scripted("a ")).await), FRESH);
        assert_eq!(origins(visit(&workers, scripted("a")).await), WARM);
    });
}

#[test]
fn who_keeps_no_workers_has_new_ones() {
    block_on(async {
        let fresh = Workers::new(Arc::new(ScriptedEnvironment::default()), Grouping::Coupled);
        for _ in 0..2 {
            assert_eq!(origins(visit(&fresh, scripted("a")).await), FRESH);
        }
        // The synthetic environment has nothing to read.
        let synthetic = reusing(Synthetic, 4);
        for _ in 0..2 {
            assert_eq!(origins(visit(&synthetic, theorem(SYNTHETIC, "s", "easy 1")).await), FRESH);
        }
    });
}

#[test]
fn those_used_last_are_kept() {
    block_on(async {
        let workers = reusing(ScriptedEnvironment::default(), 2);
        for header in ["a", "b", "a", "c"] {
            visit(&workers, scripted(header)).await;
        }
        // The one of `b` had to go; now that of `a` has to.
        for (header, expected) in [("b", FRESH), ("c", WARM), ("a", FRESH)] {
            assert_eq!(origins(visit(&workers, scripted(header)).await), expected, "{header}");
        }
    });
}

#[test]
fn a_worker_that_is_lost_or_out_on_a_lease_is_not_kept() {
    block_on(async {
        let environment = ScriptedEnvironment::default();
        let workers = reusing(environment.clone(), 4);
        let session = open(&workers, scripted("a")).await;
        assert!(matches!(*attempt(&session, "crash").await, Attempted::Crashed { .. }));
        session.close();
        drop(session);
        let session = open(&workers, scripted("a")).await;
        assert_eq!(origins(session.counters()), FRESH);
        let mut lease = session.lease(session.root());
        lease.preview("done").await.unwrap();
        session.close();
        drop((lease, session));
        assert_eq!(origins(visit(&workers, scripted("a")).await), FRESH);
        assert_eq!(environment.n_workers.load(Ordering::Relaxed), 4);
    });
}

#[test]
fn all_workers_of_a_session_are_kept() {
    block_on(async {
        let workers = reusing(ScriptedEnvironment::default(), 4);
        let limits = Limits { workers: 2, ..Limits::default() };
        let session = Session::open(Arc::clone(&workers), scripted("a"), limits).await.unwrap();
        let mut leases = [session.lease(session.root()), session.lease(session.root())];
        for (lease, tactic) in leases.iter_mut().zip(["done", "two"]) {
            lease.preview(tactic).await.unwrap();
        }
        drop(leases);
        session.close();
        let again = (open(&workers, scripted("a")).await, open(&workers, scripted("a")).await);
        assert_eq!((origins(again.0.counters()), origins(again.1.counters())), (WARM, WARM));
    });
}

#[test]
fn rocq_is_left_out_when_it_is_dead_or_stopped() {
    block_on(async {
        let workers = reusing(rocq(), 1);
        let theorem = || in_rocq("Require Import List.\n", "1 = 1");
        let counters = visit(&workers, theorem()).await;
        assert_eq!(origins(counters), FRESH);
        assert!(!counters.importing.is_zero());
        let [first] = workers.process_ids()[..] else { panic!("it is kept") };
        kill(program_within(first).expect("it runs within walls"));
        assert_eq!(origins(visit(&workers, theorem()).await), [1, 0, 1], "killed");
        let [second] = workers.process_ids()[..] else { panic!("it is kept") };
        let prover = program_within(second).expect("it runs within walls");
        kill_process(Pid::from_raw(prover.try_into().unwrap()).unwrap(), Signal::STOP).unwrap();
        assert_eq!(origins(visit(&workers, theorem()).await), [1, 0, 1], "stopped");
        assert!(!std::path::Path::new(&format!("/proc/{second}")).exists(), "it is gone");
        let counters = visit(&workers, theorem()).await;
        assert_eq!(origins(counters), WARM);
        assert!(counters.importing.is_zero());
        assert_eq!(origins(visit(&workers, in_rocq("Require Import Bool.\n", "1 = 1")).await), FRESH);
    });
}

#[test]
fn rocq_is_not_kept_in_the_middle_of_a_tactic_or_with_too_much_memory() {
    block_on(async {
        let workers = reusing(rocq(), 1);
        let header = "Fixpoint slow (n : nat) : nat := match n with 0 => 0 | S m => slow m + slow m end.\n";
        let limits = Limits { tactic: Duration::from_secs(600), ..Limits::default() };
        let session =
            Session::open(Arc::clone(&workers), in_rocq(header, "slow 60 = 0"), limits).await.unwrap();
        let worker = session.process_ids()[0];
        let at_work = async {
            let mut account = CpuAccount::new(worker);
            let before = account.total();
            while account.total() < before + Duration::from_millis(100) {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = attempt(&session, "vm_compute; reflexivity") => panic!("it takes years"),
            () = at_work => {}
        }
        session.close();
        assert!(workers.process_ids().is_empty());
        assert!(!std::path::Path::new(&format!("/proc/{worker}")).exists(), "it is gone");

        let small = Limits { max_memory_bytes: Some(1), ..Limits::default() };
        let session = Session::open(Arc::clone(&workers), in_rocq("", "1 = 1"), small).await.unwrap();
        session.close();
        assert!(workers.process_ids().is_empty());
    });
}

/// What can be seen of a theorem: its goals, their keys, and what tactics say and leave. Or why it is refused.
async fn shown(workers: &Arc<Workers>, theorem: Theorem, tactics: &[&str]) -> (Vec<String>, [u64; 3]) {
    let session = match Session::open(Arc::clone(workers), theorem, Limits::default()).await {
        Ok(session) => session,
        Err(error @ EnvError::TheoremRefused { .. }) => return (vec![error.to_string()], [0, 0, 0]),
        Err(error) => panic!("{error}"),
    };
    let root = session.root();
    let mut shown = vec![format!(
        "{} {:?} {:?}",
        session.scoped_name(root),
        session.goals(root),
        session.signatures(root)
    )];
    for tactic in tactics {
        shown.push(format!("{tactic}: {:?}", attempt(&session, tactic).await));
    }
    session.close();
    (shown, origins(session.counters()))
}

/// Shows theorems one after the other on warm workers and each on a fresh one.
async fn compare(
    make: impl Fn() -> Arc<dyn Environment>,
    theorems: &[Theorem],
    tactics: &[&str],
) -> Vec<[u64; 3]> {
    let warm = Workers::reusing(make(), Grouping::Coupled, 2);
    let mut all = Vec::new();
    for theorem in theorems {
        let fresh = Workers::new(make(), Grouping::Coupled);
        let (expected, _) = shown(&fresh, theorem.clone(), tactics).await;
        let (shown, origins) = shown(&warm, theorem.clone(), tactics).await;
        assert_eq!(shown, expected, "{} {}", theorem.header, theorem.statement);
        all.push(origins);
    }
    all
}

const REFUSED: [u64; 3] = [0, 0, 0];

#[test]
fn theorems_look_the_same_on_a_warm_rocq() {
    const SECTION: &str = "Require Import List ZArith.\nImport ListNotations.\nSection S.\nVariable A : Type.\n\
        Infix \"++-\" := (@app A) (at level 60).\nOpen Scope Z_scope.\n";
    const UNIVERSES: &str = "Set Printing Universes.\n";
    let tactics = [
        "intros",
        "intros; lia",
        "induction n as [|n IH]",
        "eexists",
        "pose (T := Type); pose (U := (Type : T)); pose (V := (T : U))",
        "assert (forall B : Type, B -> B)",
        "nonsense",
        "abstract (intros; lia)",
    ];
    let imports = vec![ExtraImport {
        line: "From Coq Require Import Lia.".into(),
        provides: Vec::new(),
        extends: Vec::new(),
    }];
    let theorems: Vec<(Theorem, [u64; 3])> = [
        ("", "forall n m : nat, n + m = m + n", FRESH),
        ("", "forall n : nat, n + 0 = n", WARM),
        (SECTION, "forall l m : list A, l ++- m = l ++ m", FRESH),
        ("", "exists n : nat, n = 1", WARM),
        // Not in this scope; then in it.
        ("", "forall n : nat, (n <= n)%Z", REFUSED),
        ("", "forall n : nat, n <= n", WARM),
        (SECTION, "forall n : Z, n + 0 = n", WARM),
        (SECTION, "exists n : Z, [n] = [1]", WARM),
        (UNIVERSES, "forall (B : Type) (f : B -> Type) (x : B), f x -> f x", FRESH),
        (UNIVERSES, "forall B C : Type, B = C -> C = B", WARM),
    ]
    .map(|(header, statement, origins)| {
        (Theorem { extra_imports: imports.clone(), ..in_rocq(header, statement) }, origins)
    })
    .into();
    let (theorems, expected): (Vec<_>, Vec<_>) = theorems.into_iter().unzip();
    let origins = block_on(compare(|| Arc::new(rocq()), &theorems, &tactics));
    assert_eq!(origins, expected);
}

/// Shows theorems under headers that begin with the same sentences.
fn compare_beginnings(common: &str, theorems: &[(&str, &str, [u64; 3])], tactics: &[&str]) {
    let imports = vec![ExtraImport {
        line: "From Coq Require Import Lia.".into(),
        provides: Vec::new(),
        extends: Vec::new(),
    }];
    let expected: Vec<_> = theorems.iter().map(|(_, _, origins)| *origins).collect();
    let under_it = |(rest, statement, _): &(&str, &str, _)| Theorem {
        extra_imports: imports.clone(),
        ..in_rocq(&format!("{common}{rest}"), statement)
    };
    let theorems: Vec<_> = theorems.iter().map(under_it).collect();
    assert_eq!(block_on(compare(|| Arc::new(rocq()), &theorems, tactics)), expected);
}

const LISTS: &str = "Require Import List.\n(** Lists *) Import ListNotations.\n";

#[test]
fn definitions_and_proofs_of_another_header_are_gone() {
    let theorems = [
        ("Definition f (n : nat) := n + 1.\n", "f 1 = 2", FRESH),
        ("(* f. *)\nDefinition f (n : nat) := n + 2.\n", "f 1 = 2", WARM),
        ("Definition f (n : nat) (* . *) := n + 2.\n", "f 1 = 3", WARM),
        ("", "forall f : nat -> nat, f 1 = f 1", WARM),
        ("", "f 1 = 2", REFUSED),
        ("Inductive f := A | B (n : nat).\n", "forall x : f, x = x", WARM),
        (
            "Inductive f := B | A.\nLemma n0 : forall x : f, x = x.\nProof. intros. auto. Qed.\n",
            "B = B",
            WARM,
        ),
        (
            "Inductive f := B | A.\nLemma n0 : forall x : f, x = x.\nProof. intros. trivial. Defined.\n",
            "B = A",
            WARM,
        ),
        ("Inductive f := B | A.\nLemma n0 : forall x : f, x = x.\nProof. intros. easy.\n", "B = A", REFUSED),
        ("Lemma n0 : 1 = 1. Proof. lia. Qed.\n", "1 = 1", REFUSED),
        ("Ltac lia := fail.\nLemma n0 : 1 = 1. Proof. first [lia | easy]. Qed.\n", "1 = 1", WARM),
        ("Axiom n0 : False.\n", "forall n : nat, n = 1", WARM),
        ("Hint Resolve le_S : core.\nCoercion inl' (n : nat) : nat + bool := inl n.\n", "1 <= 3", WARM),
        ("", "exists x : nat + bool, x = inl 1", WARM),
        (
            "Set Printing Universes.\nDefinition id2 (A : Type) (x : A) := x.\n",
            "forall A : Type, id2 Type A = A",
            WARM,
        ),
        (
            "Definition id3 (A : Type) (x : A) := x.\nSet Printing Universes.\n",
            "forall A : Type, id3 Type A = A",
            WARM,
        ),
        (
            "Module M. Section S. Variable A : Type. Implicit Types x y : A.\n",
            "forall x y, x = y -> y = x",
            WARM,
        ),
        ("", "forall A (x y : A), x = y -> y = x", WARM),
    ];
    let tactics = [
        "intros",
        "vm_compute; reflexivity",
        "unfold f",
        "apply n0",
        "destruct n0",
        "intros x; destruct x",
        "intros; lia",
        "auto",
        "exists 1",
        "pose (T := Type); pose (U := (Type : T))",
    ];
    compare_beginnings(LISTS, &theorems, &tactics);
}

#[test]
fn notations_and_scopes_of_another_header_are_gone() {
    let theorems = [
        (
            "Notation \"x <+> y\" := (x + y) (at level 61, left associativity).\n",
            "forall x : nat, x <+> 0 <+> 1 = S x",
            FRESH,
        ),
        (
            "Notation \"x <+> y\" := (x - y) (at level 63, right associativity).\n",
            "forall x : nat, x <+> 0 <+> 1 = x",
            WARM,
        ),
        (
            "Infix \"<+>\" := (@app _) (at level 61, no associativity).\n",
            "forall x : list nat, x <+> [] = x",
            WARM,
        ),
        (
            "Notation \"x <+> y\" := (y, x) (at level 61, right associativity).\n",
            "1 <+> 2 <+> 3 = 3 <+> 2 <+> 1",
            WARM,
        ),
        ("Notation \"'go' x\" := (S x) (at level 10).\n", "forall x : nat, go x = 1 + x", WARM),
        ("", "forall go : nat, go = go", WARM),
        ("", "forall x : nat, x <+> 0 = x", REFUSED),
        (
            "Declare Custom Entry e.\nNotation \"<[ x ]>\" := x (x custom e).\nNotation \"x ! y\" := (x * y) (in custom e at level 5, x constr at level 0, y constr at level 0).\n",
            "<[ 2 ! 3 ]> = 6",
            WARM,
        ),
        (
            "Declare Custom Entry e.\nNotation \"<[ x ]>\" := (x, x) (x custom e).\nNotation \"{ x }\" := x (in custom e, x constr).\n",
            "<[ {2} ]> = (2, 2)",
            WARM,
        ),
        ("", "<[ 2 ]> = 2", REFUSED),
        ("Tactic Notation \"finish\" constr(n) := exists n.\n", "exists n : nat, n = 2", WARM),
        (
            "Tactic Notation \"finish\" integer(n) := do n auto.\nLtac end_it := reflexivity.\n",
            "exists n : nat, n = 2",
            WARM,
        ),
        ("", "exists n : nat, n = 2", WARM),
        ("Open Scope type_scope.\nOpen Scope bool_scope.\n", "nat * nat = nat * nat", WARM),
        ("Open Scope nat_scope.\n", "2 * 3 = 6", WARM),
        (
            "Declare Scope s. Delimit Scope s with s. Bind Scope s with nat.\nNotation \"x + y\" := (x - y) : s.\nOpen Scope s.\n",
            "2 + 2 = 0",
            WARM,
        ),
        ("", "(2 + 2)%s = 4", REFUSED),
        ("", "2 + 2 = 4", WARM),
    ];
    let tactics = [
        "intros",
        "reflexivity",
        "finish 2",
        "end_it",
        "pose (go := 1)",
        "exists 2",
        "simpl",
        "replace 2 with (1 + 1)",
    ];
    compare_beginnings(LISTS, &theorems, &tactics);
}

#[test]
fn imports_are_read_on_top_of_others_and_never_gone_back_over() {
    let theorems = [
        ("Require Import List.\n", "1 = 1", FRESH),
        // A prefix, and back.
        ("Require Import List.\nRequire Import Bool.\n", "negb true = false", WARM),
        ("Require Import List.\n", "negb true = false", FRESH),
        ("Require Import List.\nImport ListNotations.\nOpen Scope list_scope.\n", "[1] = [1]", WARM),
        ("Require Import List.\n", "(cons 1 nil) = (cons 1 nil)", WARM),
        // In another order.
        ("Require Import Bool.\nRequire Import List.\n", "negb true = false", FRESH),
        (
            "Require Import List.\nRequire Import Bool.\nInfix \"&\" := andb (at level 40).\n",
            "true & true = true",
            WARM,
        ),
        // A header that is refused, at a definition, at a library that is missing, and by itself.
        ("Require Import List.\nRequire Import Bool.\nDefinition g := nonsense.\n", "1 = 1", REFUSED),
        ("Require Import List.\nRequire Import Bool.\nRequire Import Nowhere.\n", "1 = 1", REFUSED),
        ("Require Import List.\nRequire Import Bool.\nDefinition g := (* .\n", "1 = 1", REFUSED),
        ("Require Import List.\nRequire Import Bool.\nDefinition g := 1.\n", "g = 1", WARM),
    ];
    compare_beginnings("", &theorems, &["reflexivity", "unfold g", "rewrite negb_involutive", "lia"]);
}

#[test]
fn of_several_the_one_that_has_read_most_is_taken() {
    block_on(async {
        let workers = reusing(rocq(), 4);
        let (a, b, c) = ("Definition a := 1.\n", "Definition b := 1.\n", "Definition c := 1.\n");
        let one = |header: &str| in_rocq(header, "1 = 1");
        let sessions = [
            open(&workers, one(&format!("{a}{c}"))).await,
            open(&workers, one(&format!("{a}{b}"))).await,
            open(&workers, one(a)).await,
            open(&workers, one(b)).await,
        ];
        let [_, best, ..] = sessions.each_ref().map(|session| session.process_ids()[0]);
        sessions.iter().for_each(|session| session.close());
        let session = open(&workers, one(&format!("{a}(* and *) {b}{c}"))).await;
        assert_eq!((origins(session.counters()), session.process_ids()), (WARM, vec![best]));
        assert!(!session.counters().importing.is_zero());
        session.close();
        let session = open(&workers, one(&format!("{a}{b}"))).await;
        assert_eq!((origins(session.counters()), session.process_ids()), (WARM, vec![best]));
        assert!(session.counters().importing.is_zero());
        assert_eq!(origins(visit(&workers, one(c)).await), FRESH, "nothing is shared");
    });
}

#[test]
fn a_rocq_from_which_something_would_be_left_is_not_kept() {
    let plain = || in_rocq("", "True \\/ False");
    let ssreflect = Theorem {
        extra_imports: vec![ExtraImport {
            line: "From Coq Require Import ssreflect.".into(),
            provides: Vec::new(),
            extends: Vec::new(),
        }],
        ..plain()
    };
    let several = Theorem {
        statement: format!("From Coq Require Import ssreflect.\n{}", plain().statement),
        ..plain()
    };
    // A form that only `ssreflect` reads.
    let pattern = in_rocq("", "let: x := 1 in x = 1");
    let theorems = [plain(), ssreflect, pattern.clone(), several, pattern, plain(), plain()];
    let origins = block_on(compare(|| Arc::new(rocq()), &theorems, &["left"]));
    assert_eq!(origins, [FRESH, WARM, REFUSED, FRESH, REFUSED, FRESH, WARM]);
}

#[test]
fn theorems_look_the_same_on_a_warm_mini() {
    let header = "theorem helper (n : Nat) : n + 0 = n := rfl\n";
    let theorems = [
        "theorem t (n : Nat) : n + 0 = n",
        "theorem u (p q : Prop) (h : p ∧ q) : q",
        "theorem v : nonsense",
        "theorem w (n : Nat) : 0 + n = n",
    ]
    .map(|statement| under(header, theorem(MINI, "t", statement)));
    let tactics = ["exact helper n", "exact h.2", "omega", "nonsense"];
    let origins = block_on(compare(|| Arc::new(Mini::new(MiniConfig::default())), &theorems, &tactics));
    assert_eq!(origins, [FRESH, WARM, REFUSED, WARM]);
}
