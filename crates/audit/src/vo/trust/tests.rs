//! Files of the installed compiler, including some that prove a falsehood through a bug.

use std::collections::BTreeSet;
use std::path::{Path as FilePath, PathBuf};

use super::*;
use crate::vo::installed;

async fn examined(text: &str, theorem: &str) -> Examined {
    examined_if_compiled(text, theorem).await.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// An error if the compiler refuses the file.
async fn examined_if_compiled(text: &str, theorem: &str) -> Result<Examined, String> {
    let libraries = Libraries::new(installed::library_folder().await, Vec::new());
    let library = installed::library(text).await?;
    Ok(examine(&library, &libraries, &[theorem.to_owned()], installed::release().await))
}

/// Whether a release is later than 8.16, for which the files are written.
fn is_later(release: Version) -> bool {
    release > "8.16.9".parse().unwrap()
}

/// The files of a folder in this repository with one ending and without another.
fn files(folder: &str, end: &str, not: &str) -> Vec<PathBuf> {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.ends_with(end) && !name.ends_with(not)
        })
        .collect();
    files.sort();
    files
}

const CORPUS: &str = "../../corpus/cheats/rocq";

/// The number of the bug that a file of the corpus uses: `bug-20455-hidden.v` uses 20455.
fn number(file: &FilePath) -> Option<u32> {
    let rest = file.file_name()?.to_str()?.strip_prefix("bug-")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[tokio::test]
async fn what_uses_a_bug_meets_its_trigger() {
    let mut tried = BTreeSet::new();
    let release = installed::release().await;
    for file in files(CORPUS, ".v", ".twin.v") {
        let bug = number(&file).and_then(bugs::numbered).filter(|bug| bug.is_open_in(release));
        let Some(bug) = bug else { continue };
        let leaves_a_mark = match bug.trigger.unwrap() {
            Trigger::VmCastInline => false,
            // Flags that are on for a command alone, and not for a declaration.
            Trigger::FlagCommand => {
                !["rocq#16646", "rocq#20550", "rocq#22287"].contains(&&*bug.id.to_string())
            }
            _ => true,
        };
        // Too large to be read, so that it is refused before.
        let is_beyond = file.file_stem().is_some_and(|name| name == "bug-20413-beyond");
        if leaves_a_mark && !is_beyond {
            let found = match examined_if_compiled(&std::fs::read_to_string(&file).unwrap(), "goal").await {
                Ok(found) => found,
                // Some compilers that have the bug refuse the way by which the file uses it, which the entry says.
                Err(error) => {
                    let entry = std::fs::read_to_string(file.with_extension("toml")).unwrap();
                    assert!(entry.contains("[\"refused\"]"), "{}: {error}", file.display());
                    continue;
                }
            };
            // The choice among the guard bugs is a guess.
            let is_met = |met: &Met| met.bug == bug.id || bug.trigger.unwrap().is_recursion();
            assert!(found.met.iter().any(is_met), "{}: {found:?}", file.display());
            tried.insert(bug.trigger);
        }
    }
    // Later releases have fewer bugs.
    assert!(tried.len() >= if is_later(release) { 8 } else { 12 }, "{tried:?}");
}

#[tokio::test]
async fn honest_files_meet_no_trigger() {
    let twins = files(CORPUS, ".twin.v", "-").into_iter().filter(|file| number(file).is_some());
    let honest: Vec<PathBuf> = twins.chain(files("src/vo/trust/controls", ".v", "-")).collect();
    assert!(honest.len() > 15, "{honest:?}");
    for file in honest {
        let found = examined(&std::fs::read_to_string(&file).unwrap(), "goal").await;
        assert_eq!(found.met, [], "{}", file.display());
    }
}

/// Makes the machine keep a wrong value for the variable `x`, or for the constant `d` of the variable `x`.
const CHANGED: &str =
    "assert True by (change_no_check 0 with 1 in x; let v := eval vm_compute in x in idtac; exact I)";
const RENAMED: &str =
    "assert (True -> d = d) as _ by (intros _; rename x into y; pose (x := 1); vm_compute; reflexivity)";

#[tokio::test]
async fn more_ways_to_meet_a_trigger_are_seen() {
    let release = installed::release().await;
    for (bug, at, text) in [
        ("rocq#17871", "goal", "Theorem goal : True. Proof. native_cast_no_check I. Qed."),
        // The value comes from including a module type, not from `with`.
        (
            "rocq#21702",
            "M.cast",
            "Set Universe Polymorphism.\nModule Type down. Parameter cast@{u v} : Type@{u} -> Type@{max(u,v)}. End down.\n\
             Module Type given. Include down with Definition cast@{u v} := fun X : Type@{u} => X. End given.\n\
             Declare Module M : given.\nUnset Universe Polymorphism.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        // It is included in a module itself.
        (
            "rocq#21702",
            "M.cast",
            "Set Universe Polymorphism.\nModule Type down. Section s. Universe u v. Constraint u <= v.\n\
             Parameter cast@{} : Type@{u} -> Type@{v}. End s. End down.\n\
             Module M. Include down with Definition cast@{u v} := fun X : Type@{u} => X. End M.\n\
             Unset Universe Polymorphism.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        // The functor is one of a library, with an alias in it.
        (
            "rocq#21051",
            "H.IntMake_ord.R.Proofs.MX.TO.eq",
            "Require Import FMapAVL OrderedTypeEx ZArith.Int.\nModule H. Include FMapAVL. End H.\n\
             Module c := H.IntMake_ord Z_as_Int Nat_as_OT Nat_as_OT.\n\
             Theorem goal : @c.P.PX.ltk nat (0, 0) (1, 0). Proof. exact (le_n 1). Qed.",
        ),
        // The match is the eliminator of the library's type.
        (
            "rocq#21690",
            "goal",
            "Require Import StrictProp.\n\
             Theorem goal : (fun x => sEmpty_rect (fun _ => nat -> nat) x 0) = (fun x => sEmpty_rect (fun _ => nat -> nat) x 1).\n\
             Proof. match goal with |- ?l = _ => exact_no_check (eq_refl l) end. Qed.",
        ),
        // It comes with the file's own type.
        (
            "rocq#21690",
            "M.f",
            "Module M. Inductive t : SProp := . Definition f := t_rect (fun _ => nat -> nat). End M.\n\
             Theorem goal : True. Proof. exact I. Qed.",
        ),
        // In an opaque proof the section variable is not yet a `let`.
        (
            "rocq#16957",
            "wrong",
            "Section s. Let x := 10.\nLemma wrong : x = 5 + 5. Proof. vm_compute. reflexivity. Qed. End s.\n\
             Theorem goal : True. Proof. exact I. Qed.",
        ),
        // With another `let` in between.
        (
            "rocq#16957",
            "wrong",
            "Section s. Let x := 10.\nLemma wrong : x = 5 + 5.\n\
             Proof. pose (y := x). change (y = 5 + 5). vm_compute. reflexivity. Qed. End s.\n\
             Theorem goal : True. Proof. exact I. Qed.",
        ),
        // The cast is in a `let` of the section.
        (
            "rocq#16957",
            "late",
            "Section s. Let x := 0.\nLet y : x = 1 := ltac:(change_no_check 0 with 1 in x; vm_compute; reflexivity).\n\
             Definition late : x = 1 := y. End s.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        // It is in a `let` of the section that an opaque proof uses.
        (
            "rocq#16957",
            "late",
            "Section s. Let x := 0.\nLet y : x = 1 := ltac:(change_no_check 0 with 1 in x; vm_compute; reflexivity).\n\
             Lemma late : x = 1. Proof. exact y. Qed. End s.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        // The cast mentions a constant or a type that depends on the variable.
        (
            "rocq#16957",
            "wrong",
            "Section s. Let x := 0. Definition d := x.\nDefinition e := S d.\n\
             Definition wrong : e = 2 := ltac:(change_no_check 0 with 1 in x; vm_compute; reflexivity). End s.\n\
             Theorem goal : True. Proof. exact I. Qed.",
        ),
        (
            "rocq#16957",
            "wrong",
            "Section s. Let x := 0. Inductive t : Set := c : let p : nat := x in t.\n\
             Definition wrong : (match c with c p => p end) = 1 :=\n\
             ltac:(change_no_check 0 with 1 in x; vm_compute; reflexivity). End s.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        // It mentions the variable through a `let`, and could have been created by `ring`.
        (
            "rocq#16957",
            "wrong",
            "Require Import BinNat Ring_polynom.\nSection s. Let x := 0%N.\n\
             Definition wrong : Peq N.eqb (Pc x) (Pc 1%N) = true :=\n\
             let y := x in ltac:(change_no_check 0%N with 1%N in x; vm_compute; reflexivity). End s.\n\
             Theorem goal : True. Proof. exact I. Qed.",
        ),
        // Only the type of what is cast mentions the variable: the type of a hypothesis, a lemma, an axiom, a constructor's
        // argument.
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Let x := 0. Variable h : x = 0.\n\
             Definition wrong : 1 = 0 := ltac:({CHANGED}; vm_cast_no_check h). End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        (
            "rocq#16957",
            "wrong",
            "Section s. Let x := 0. Variable h : x = 0.\n\
             Lemma wrong : 0 = 0. Proof. vm_cast_no_check h. Qed. End s.\n\
             Theorem goal : True. Proof. exact I. Qed.",
        ),
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Let x := 0. Lemma h : x = 0. Proof. reflexivity. Qed.\n\
             Definition wrong : 1 = 0 := ltac:({CHANGED}; vm_cast_no_check h). End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Let x := 0. Axiom h : x = 0.\n\
             Definition wrong : 1 = 0 := ltac:({CHANGED}; vm_cast_no_check h). End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Let x := 0. Inductive t : Set := c : x = 0 -> t.\n\
             Definition wrong (a : t) : 1 = 0 := match a with c p => ltac:({CHANGED}; vm_cast_no_check p) end. End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        // The cast is in the type of a declaration, where no variable with a value is left.
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Let x := 0. Variable h : x = 0. Definition f (e : 1 = 0) := nat.\n\
             Axiom wrong : ltac:({CHANGED}; exact_no_check (f (h <: 1 = 0))). End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        // It is inside another cast, of a rewriting term.
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Let x := 0. Variable h : x = 0. Definition wrong : 1 = 0 := ltac:({CHANGED};\n\
             exact_no_check (eq_ind_r (fun _ => 1 = 0) (h <: 1 = 0) (eq_refl 0) <: 1 = 0)). End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        // The variable has no value; the machine keeps that of a constant, computed for another variable of its name.
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Variable x : nat. Definition d := x.\n\
             Lemma wrong : d = 1. Proof. {RENAMED}; vm_cast_no_check (eq_refl 1). Qed. End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        (
            "rocq#16957",
            "wrong",
            &format!(
                "Section s. Variable x : nat. Definition d := x. Definition e := S d.\n\
             Definition wrong : pred e = 1 := ltac:({RENAMED}; vm_cast_no_check (eq_refl 1)). End s.\n\
             Theorem goal : True. Proof. exact I. Qed."
            ),
        ),
        // The cast could have been created by `ring`.
        (
            "rocq#19402",
            "goal",
            "Require Import Uint63 Ring_polynom.\n\
             Theorem goal : Peq (fun i j => eqb (addmuldiv i 42 42) j) (Pc 64%uint63) (Pc 42%uint63) = true.\n\
             Proof. vm_cast_no_check (@eq_refl bool true). Qed.",
        ),
        // A shift by a number that is defined two definitions away and behind a seal.
        (
            "rocq#19402",
            "S.f",
            "Require Import Uint63.\nModule Type T. Parameter f : int -> int. End T.\n\
             Module S : T. Definition f (n : int) := addmuldiv n 42 42. End S.\nDefinition g := S.f.\n\
             Theorem goal : forall n, g n = g n. Proof. intro n. vm_cast_no_check (@eq_refl int (g n)). Qed.",
        ),
        (
            "rocq#22376",
            "t",
            "Set Universe Polymorphism. Set Polymorphic Inductive Cumulativity. Set Definitional UIP.\n\
             Inductive same@{u} {A : Type@{u}} (a : A) : A -> SProp := refl : same a a.\n\
             Inductive t@{u} : Type@{u} := c (p : same@{u} nat nat) (n : match p with refl _ => nat end) : t.\n\
             Unset Universe Polymorphism.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        (
            "rocq#21689",
            "t",
            "Set Universe Polymorphism.\nInductive t@{u v | u < v} : let A := Type@{u} in A -> Type@{v} := c (B : Type@{u}) : t B.\n\
             Unset Universe Polymorphism.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        // The `let` is in the implementing module, not in the signature.
        (
            "rocq#22387",
            "mine.t",
            "Unset Elimination Schemes.\nModule Type box. Inductive t : Set := make (x : nat). End box.\n\
             Module mine. Inductive t : Set := make (y : nat := 1) (x : nat). End mine.\n\
             Module look (B : box). End look. Module L := look mine.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
        (
            "rocq#19861",
            "wrong",
            "Section s. Variable lie : False.\nLemma wrong : False. Proof using. abstract (exact lie). Qed. End s.\n\
             Theorem goal : True. Proof. exact I. Qed.",
        ),
        // Unreachable, sealed and in a functor.
        (
            "rocq#22366",
            "F.S.loop",
            "Module Type T. End T.\nModule F (X : T). Module S : T.\n\
             #[bypass_check(guard)] Fixpoint loop (n : nat) : False := loop n.\n\
             End S. End F.\nTheorem goal : True. Proof. exact I. Qed.",
        ),
    ] {
        let bug = bugs::named(bug).unwrap();
        if !bug.is_open_in(release) {
            continue;
        }
        let found = match examined_if_compiled(text, "goal").await {
            Ok(found) => found,
            // These are written for 8.16; later compilers refuse some.
            Err(_) if is_later(release) => continue,
            Err(error) => panic!("{error}\n{text}"),
        };
        let met = found.met.iter().find(|met| met.bug == bug.id);
        assert_eq!(met.map(|met| &*met.at), Some(at), "{text}\n{found:?}");
    }
}

#[tokio::test]
async fn features_are_those_of_what_is_reached() {
    const SHAPE: &str = "Module Type T. Parameter n : nat. Axiom two : n = 2. End T.\n";
    for (features, text) in [
        (
            &[][..],
            "Require Import ZArith Lia.\nTheorem goal : forall x y, (x < y -> x + 1 <= y)%Z. Proof. lia. Qed.",
        ),
        (
            &[],
            "Require Import ZArith.\nTheorem goal : forall x y, (x * y + x = x * (1 + y))%Z. Proof. intros. ring. Qed.",
        ),
        (&[], "Require Import Reals Lra.\nTheorem goal : (1 < 2)%R. Proof. lra. Qed."),
        (
            &[],
            "Require Import Reals Nsatz.\nTheorem goal : (forall x y, x = y -> x * x = y * y)%R. Proof. intros. nsatz. Qed.",
        ),
        (
            &[],
            "Require Import Reals Field.\nTheorem goal : (forall x, x <> 0 -> x / x = 1)%R. Proof. intros. field. auto. Qed.",
        ),
        (
            &[],
            "Require Import Bool Btauto.\nTheorem goal : forall a b, a && b = b && a. Proof. intros. btauto. Qed.",
        ),
        (
            &[],
            "Fixpoint half n := match n with S (S k) => S (half k) | _ => 0 end.\n\
             Theorem goal : half 4 = 2. Proof. reflexivity. Qed.\n\
             Lemma unused : Nat.pow 2 10 = 1024. Proof. vm_compute. reflexivity. Qed.",
        ),
        (&[Feature::Vm], "Theorem goal : Nat.pow 2 10 = 1024. Proof. vm_compute. reflexivity. Qed."),
        // From the library of a decision procedure, without its computations.
        (
            &[Feature::Vm],
            "Require Import Ring_theory BinNat.\nTheorem goal : id_phi_N 2 = (1 + 1)%N. Proof. vm_compute. reflexivity. Qed.",
        ),
        (&[Feature::Native], "Theorem goal : True. Proof. native_cast_no_check I. Qed."),
        (
            &[Feature::Int],
            "Require Import Uint63.\nTheorem goal : (1 + 1 = 2)%uint63. Proof. reflexivity. Qed.",
        ),
        (
            &[Feature::Float],
            "Require Import Floats.\nTheorem goal : (1 + 1 = 2)%float. Proof. reflexivity. Qed.",
        ),
        (
            &[Feature::Int, Feature::Array],
            "Require Import PArray Uint63.\nTheorem goal : get (make 3%uint63 true) 0%uint63 = true. Proof. reflexivity. Qed.",
        ),
        (
            &[Feature::SProp],
            "Inductive dot : SProp := here.\nTheorem goal : forall (P : dot -> Prop) p q, P p -> P q. Proof. exact (fun _ _ _ h => h). Qed.",
        ),
        (
            &[Feature::Polymorphism],
            "Polymorphic Definition id@{u} (A : Type@{u}) (a : A) := a.\nTheorem goal : id nat 0 = 0. Proof. reflexivity. Qed.",
        ),
        (
            &[Feature::Nested],
            "Inductive rose := node : list rose -> rose.\nTheorem goal : forall r : rose, r = r. Proof. reflexivity. Qed.",
        ),
        (
            &[Feature::NonUniform],
            "Inductive pow (A : Type) := leaf : A -> pow A | two : pow (A * A) -> pow A.\n\
             Theorem goal : forall p : pow nat, p = p. Proof. reflexivity. Qed.",
        ),
        (
            &[Feature::CoFix],
            "CoInductive s := c : s -> s. Definition e := cofix e := c e.\nTheorem goal : e = e. Proof. reflexivity. Qed.",
        ),
        // In definitions of a section.
        (
            &[Feature::CoFix],
            "CoInductive s := c : s -> s. Section t. Let e := cofix e := c e.\n\
             Theorem goal : exists x : s, x = x. Proof. exists e. reflexivity. Qed. End t.",
        ),
        (
            &[Feature::Fix, Feature::Unchecked],
            "#[bypass_check(guard)] Fixpoint loop (n : nat) : False := loop n.\nTheorem goal : False. Proof. exact (loop 0). Qed.",
        ),
        // Behind a seal, and in an opaque proof that a functor's result seals.
        (
            &[Feature::Vm],
            &format!(
                "{SHAPE}Module S : T. Definition n := 2. Lemma two : n = 2. Proof. vm_compute. reflexivity. Qed. End S.\n\
                 Theorem goal : S.n = 2. Proof. exact S.two. Qed."
            ),
        ),
        (
            &[Feature::Vm, Feature::Functor],
            &format!(
                "{SHAPE}Module F (X : T) : T. Definition n := 1 + 1. Lemma help : n = 2. Proof. vm_compute. reflexivity. Qed.\n\
                 Lemma two : n = 2. Proof. exact help. Qed. End F.\n\
                 Module S : T. Definition n := 2. Lemma two : n = 2. Proof. reflexivity. Qed. End S.\nModule R := F S.\n\
                 Theorem goal : R.n = 2. Proof. exact R.two. Qed."
            ),
        ),
        // An alias is not a functor.
        (
            &[],
            "Module A. Lemma l : 1 = 1. Proof. reflexivity. Qed. End A. Module B := A.\nTheorem goal : 1 = 1. Proof. exact B.l. Qed.",
        ),
    ] {
        let found = examined(text, "goal").await;
        assert_eq!(found.features, features, "{text}");
    }
}

#[tokio::test]
async fn a_bug_is_named_where_its_feature_is_used_and_it_is_open() {
    let found =
        examined("Theorem goal : Nat.pow 2 10 = 1024. Proof. vm_compute. reflexivity. Qed.", "goal").await;
    let named: Vec<String> = found.named.iter().map(BugId::to_string).collect();
    assert!(
        named.contains(&"rocq#13439".to_owned()) && !named.contains(&"rocq#20455".to_owned()),
        "{named:?}"
    );
    assert_eq!(found.met, []);
}
