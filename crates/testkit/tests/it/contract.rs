//! Every environment passes the contract suite.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use andor_system_synthetic::SYNTHETIC;
use std::sync::Arc;

use andor_core::theorem::Theorem;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_system_synthetic::Synthetic;
use andor_testkit::contract::{Fixture, run_all};
use andor_testkit::in_mini::in_mini;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, lean, theorem};

#[test]
fn scripted() {
    let table = "root: split -> a b | endless -> %time | crash -> %crash\na: close -> .\nb: close -> .\n\
                 lemma: other nothing\nlemma: about root is b\n";
    let coupled = "root: open -> x* y*\nx: solve -> .\ny: solve -> .\n";
    block_on(run_all(&Fixture {
        environment: Arc::new(ScriptedEnvironment::default()),
        theorem: theorem(MINI, "t", table),
        split: "split".into(),
        close: ["close".into(), "close".into()],
        fail: "nonsense".into(),
        coupled: Some((theorem(MINI, "c", coupled), ["open", "solve", "solve"].map(str::to_owned).to_vec())),
        commuting: Vec::new(),
        lemma: Some((vec!["root".into(), "b".into()], "about")),
        endless: Some("endless".into()),
        crash: Some("crash".into()),
    }));
}

#[test]
fn synthetic() {
    // On this instance t6 leaves two goals, which t2 and t3 close.
    block_on(run_all(&Fixture {
        environment: Arc::new(Synthetic),
        theorem: theorem(SYNTHETIC, "s", "easy 111"),
        split: "t6".into(),
        close: ["t2".into(), "t3".into()],
        fail: "t99".into(),
        coupled: None,
        commuting: Vec::new(),
        lemma: None,
        endless: None,
        crash: None,
    }));
}

#[test]
fn mini() {
    let fixture = in_mini(Arc::new(Mini::new(MiniConfig::default())));
    block_on(run_all(&Fixture { lemma: Some((vec!["And".into(), "Iff".into()], "And.comm")), ..fixture }));
}

#[test]
fn lean() {
    let in_lean = |name: &str, statement: &str| theorem(LEAN4, name, statement);
    block_on(run_all(&Fixture {
        environment: Arc::new(lean::environment()),
        theorem: in_lean("t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q"),
        split: "constructor".into(),
        close: ["exact hp".into(), "exact hq".into()],
        fail: "exact nonsense".into(),
        coupled: Some((
            in_lean("c", "theorem c : ∃ x y : Nat, x = 3 ∧ y = x"),
            ["refine ⟨?_, ?_, ?_⟩", "exact 3", "exact 3", "exact ⟨rfl, rfl⟩"].map(str::to_owned).to_vec(),
        )),
        commuting: commuting_in_lean(),
        lemma: Some((vec!["And".into(), "Iff".into()], "And.comm")),
        endless: Some("repeat skip".into()),
        crash: None,
    }));
}

#[test]
fn rocq() {
    let header = "Require Import Lia.\n";
    let with_header =
        |name: &str, statement: &str| Theorem { header: header.into(), ..theorem(ROCQ, name, statement) };
    block_on(run_all(&Fixture {
        environment: Arc::new(Rocq::new(RocqConfig::default())),
        theorem: with_header("t", "Theorem t : forall n m : nat, n + m = m + n /\\ n <= n + m."),
        split: "intros n m; split".into(),
        close: ["lia".into(), "auto with arith".into()],
        fail: "discriminate".into(),
        coupled: Some((
            with_header("c", "Theorem c : exists x y : nat, x = 3 /\\ x <= y."),
            ["do 2 eexists; split", "reflexivity", "apply le_n"].map(str::to_owned).to_vec(),
        )),
        commuting: commuting_in_rocq(),
        lemma: Some((vec!["Nat.add".into(), "le".into(), "eq".into()], "PeanoNat.Nat.le_add_r")),
        endless: Some("repeat (pose proof 0)".into()),
        crash: None,
    }));
}

fn commuting_in_lean() -> Vec<(&'static str, Theorem, String)> {
    let numbers = "(P : Nat → Prop) (a b : Nat) : P";
    let bools = "(P : Bool → Prop) (a b : Bool) : P";
    let mut found = Vec::new();
    for (constant, statement, tactic) in [
        ("And", "(p q : Prop) : p ∧ q", "rw [and_comm]"),
        ("Or", "(p q : Prop) : p ∨ q", "rw [or_comm]"),
        ("Iff", "(p q : Prop) : p ↔ q", "apply Iff.symm"),
        ("Eq", "(a b : Nat) : a = b", "apply Eq.symm"),
        ("Ne", "(a b : Nat) : a ≠ b", "apply Ne.symm"),
        ("Nat.add", &format!("{numbers} (a + b)"), "rw [Nat.add_comm]"),
        ("Nat.mul", &format!("{numbers} (a * b)"), "rw [Nat.mul_comm]"),
        ("Bool.and", &format!("{bools} (a && b)"), "rw [and_comm']"),
        ("Bool.or", &format!("{bools} (a || b)"), "rw [or_comm']"),
    ] {
        let of_bools = |name, op| {
            format!(
                "theorem {name} (a b : Bool) : (a {op} b) = (b {op} a) := by cases a <;> cases b <;> rfl\n"
            )
        };
        let header = of_bools("and_comm'", "&&") + &of_bools("or_comm'", "||");
        let statement = format!("theorem t {statement}");
        let theorem = Theorem { header, ..theorem(LEAN4, "t", &statement) };
        found.push((constant, theorem, tactic.to_owned()));
    }
    found
}

/// Operators as statements write them, under each of the headers that make Rocq print their names in different ways.
fn commuting_in_rocq() -> Vec<(&'static str, Theorem, String)> {
    let rewrite = |lemma: &str| format!("rewrite {lemma}");
    let mut found = Vec::new();
    let mut add = |constant: &'static str, header: &str, statement: &str, tactic: String| {
        let statement = format!("Theorem t {statement}.");
        let theorem = Theorem { header: header.to_owned(), ..theorem(ROCQ, "t", &statement) };
        found.push((constant, theorem, tactic));
    };
    for (constant, statement, tactic) in [
        ("Coq.Init.Logic.and", "(P Q : Prop) : P /\\ Q", "apply and_comm"),
        ("Coq.Init.Logic.or", "(P Q : Prop) : P \\/ Q", "apply or_comm"),
        ("Coq.Init.Logic.iff", "(P Q : Prop) : P <-> Q", "apply iff_sym"),
        ("Coq.Init.Logic.eq", "(a b : nat) : a = b", "symmetry"),
    ] {
        add(constant, "", statement, tactic.to_owned());
    }
    for (constant, operator, lemma) in [
        ("Coq.Init.Datatypes.andb", "andb", "Bool.andb_comm"),
        ("Coq.Init.Datatypes.orb", "orb", "Bool.orb_comm"),
        ("Coq.Init.Datatypes.xorb", "xorb", "Bool.xorb_comm"),
    ] {
        let statement = format!("(P : bool -> Prop) (a b : bool) : P ({operator} a b)");
        add(constant, "Require Bool.\n", &statement, rewrite(lemma));
    }
    // `+` and `*` are written for `Init.Nat.add` and `Init.Nat.mul`, of which lemmas know aliases.
    for (constant, operation, lemma) in [
        ("Coq.Init.Nat.add", "(a + b)", "Nat.add_comm"),
        ("Coq.Init.Nat.mul", "(a * b)", "Nat.mul_comm"),
        ("Coq.Init.Nat.max", "(Init.Nat.max a b)", "Nat.max_comm"),
        ("Coq.Init.Nat.min", "(Init.Nat.min a b)", "Nat.min_comm"),
        ("Coq.Init.Nat.gcd", "(Init.Nat.gcd a b)", "Nat.gcd_comm"),
        ("Coq.Init.Nat.eqb", "(Init.Nat.eqb a b)", "Nat.eqb_sym"),
    ] {
        let predicate = if operation.contains("eqb") { "bool" } else { "nat" };
        let statement = format!("(P : {predicate} -> Prop) (a b : nat) : P {operation}");
        add(constant, "Require PeanoNat.\nImport PeanoNat.\n", &statement, rewrite(lemma));
        add(
            constant,
            "Require Import ZArith QArith.\nImport Nat.\nOpen Scope nat.\n",
            &statement,
            rewrite(lemma),
        );
    }
    for (ty, import, operations) in [
        (
            "positive",
            "",
            &[
                ("Coq.PArith.BinPosDef.Pos.add", "Pos.add", "Pos.add_comm"),
                ("Coq.PArith.BinPosDef.Pos.mul", "Pos.mul", "Pos.mul_comm"),
            ][..],
        ),
        (
            "N",
            "",
            &[
                ("Coq.NArith.BinNatDef.N.add", "N.add", "N.add_comm"),
                ("Coq.NArith.BinNatDef.N.mul", "N.mul", "N.mul_comm"),
                ("Coq.NArith.BinNatDef.N.max", "N.max", "N.max_comm"),
                ("Coq.NArith.BinNatDef.N.min", "N.min", "N.min_comm"),
                ("Coq.NArith.BinNatDef.N.eqb", "N.eqb", "N.eqb_sym"),
            ],
        ),
        (
            "Z",
            "",
            &[
                ("Coq.ZArith.BinIntDef.Z.add", "Z.add", "Z.add_comm"),
                ("Coq.ZArith.BinIntDef.Z.mul", "Z.mul", "Z.mul_comm"),
                ("Coq.ZArith.BinIntDef.Z.max", "Z.max", "Z.max_comm"),
                ("Coq.ZArith.BinIntDef.Z.min", "Z.min", "Z.min_comm"),
                ("Coq.ZArith.BinIntDef.Z.gcd", "Z.gcd", "Z.gcd_comm"),
                ("Coq.ZArith.BinIntDef.Z.eqb", "Z.eqb", "Z.eqb_sym"),
            ],
        ),
        (
            "R",
            " Reals",
            &[
                ("Coq.Reals.Rdefinitions.RbaseSymbolsImpl.Rplus", "Rplus", "Rplus_comm"),
                ("Coq.Reals.Rdefinitions.RbaseSymbolsImpl.Rmult", "Rmult", "Rmult_comm"),
                ("Coq.Reals.Rbasic_fun.Rmax", "Rmax", "Rmax_comm"),
                ("Coq.Reals.Rbasic_fun.Rmin", "Rmin", "Rmin_comm"),
            ],
        ),
    ] {
        for &(constant, operator, lemma) in operations {
            let result = if operator.ends_with("eqb") { "bool" } else { ty };
            let statement = format!("(P : {result} -> Prop) (a b : {ty}) : P ({operator} a b)");
            add(constant, &format!("Require Import ZArith{import}.\n"), &statement, rewrite(lemma));
        }
    }
    for (constant, statement, tactic) in [
        ("Coq.QArith.QArith_base.Qeq", "a == b", "symmetry"),
        ("Coq.QArith.QArith_base.Qplus", "a + b == c", "rewrite Qplus_comm"),
        ("Coq.QArith.QArith_base.Qmult", "a * b == c", "rewrite Qmult_comm"),
    ] {
        let statement = format!("(a b c : Q) : {statement}");
        add(constant, "Require Import QArith.\nOpen Scope Q_scope.\n", &statement, tactic.to_owned());
    }
    // One worker reads each header once.
    found.sort_by(|(_, a, _), (_, b, _)| a.header.cmp(&b.header));
    found
}
