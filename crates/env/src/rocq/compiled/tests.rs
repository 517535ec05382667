//! Files of the compiler that is installed, and files that nobody would write.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::term::{Body, Context, Implementation, Level};
use super::*;
use crate::rocq::compiler::{Compiled, Compiler};

const TEXT: &str = "Module Type T. Parameter n : nat. End T.\n\
    Module S : T. Definition n := 5. End S.\n\
    Module A. Inductive t : Type := c : nat -> t. End A.\n\
    Module B := A.\n\
    Definition twice (f : nat -> nat) (x : nat) := f (f x).\n\
    Lemma same : forall x : B.t, x = x. Proof. reflexivity. Qed.\n\
    Fixpoint sum n := match n with 0 => 0 | S k => n + sum k end.\n\
    Module F (X : T). Definition m := X.n + 1. Lemma l : m = X.n + 1. Proof. reflexivity. Qed. End F.\n\
    Module G := F S.\n\
    Axiom left_open : 1 = 2.\n\
    Section s. Let three := 3. Variable v : nat. Lemma closed : three + v = 3 + v. Proof. reflexivity. Qed. End s.\n\
    Inductive dot : SProp := here.\n\
    Inductive rose (A : Type) : Type := node : A -> list (rose A) -> rose A | hold (l := here) (p : dot) : rose A.\n\
    Polymorphic Definition same_type@{u} (A : Type@{u}) := A. Definition small := same_type@{Set} nat.\n";

async fn compiled() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let compiler = Compiler::installed();
    let done = compiler.compile(folder.path(), "sample", TEXT, &[], "compiling a sample").await.unwrap();
    assert!(matches!(done, Compiled::Done(_)), "{done:?}");
    std::fs::read(folder.path().join("sample.vo")).unwrap()
}

fn own() -> Own {
    Own { library: "sample".to_owned(), within: None }
}

#[tokio::test]
async fn declarations_are_read() {
    let library = Library::from_bytes(&compiled().await, &own()).unwrap();
    let declared = library.index();
    let constant = |name: &str| match declared[&Path::named(name)] {
        Field::Constant(constant) => constant,
        other => panic!("{other:?}"),
    };
    assert_eq!(constant("left_open").body, Body::Open { inline: false });
    assert_eq!(constant("S.n").body, Body::Open { inline: false });
    assert!(matches!(constant("twice").body, Body::Transparent(_)));
    let Body::Opaque(proof) = &constant("same").body else { panic!() };
    assert!(proof.proof.is_some() && proof.renamed.is_empty());
    let Body::Opaque(applied) = &constant("G.l").body else { panic!() };
    let to: Vec<String> = applied.renamed.iter().flatten().map(|(_, to)| to.to_string()).collect();
    assert!(to.contains(&"S".to_owned()), "{to:?}");
    let Body::Opaque(closed) = &constant("closed").body else { panic!() };
    let mut discharged: Vec<(&str, bool)> = closed.discharged.iter().map(|(name, v)| (&**name, *v)).collect();
    discharged.sort_unstable();
    assert_eq!(discharged, [("three", true), ("v", false)]);
    let Field::Inductive(block) = declared[&Path::named("rose")] else { panic!() };
    let [node, hold] = &block.types[0].takes[..] else { panic!() };
    let shape = |context: &Context| -> Vec<(bool, bool)> {
        context.iter().map(|one| (one.value.is_some(), one.irrelevant)).collect()
    };
    assert_eq!(shape(node), [(false, false), (false, false), (false, false)]);
    assert_eq!(shape(hold), [(false, false), (true, true), (false, true)]);
    assert!(library.trees.is_nested(block.types[0].tree));
    let Body::Transparent(small) = constant("small").body else { panic!() };
    let Term::App(function, _) = &library[small] else { panic!() };
    assert_eq!(library[*function].levels().collect::<Vec<_>>(), [&Level::Set]);
    let Field::Inductive(block) = declared[&Path::named("A.t")] else { panic!() };
    assert!(!library.trees.is_nested(block.types[0].tree));
    assert_eq!((block.types.len(), block.types[0].constructors.len()), (1, 1));
    let mut names = Vec::new();
    library
        .terms()
        .filter_map(|(_, term)| term.name())
        .for_each(|n| names.push((n.user.to_string(), n.canonical.to_string())));
    assert!(names.contains(&("B.t".to_owned(), "A.t".to_owned())));
    assert!(names.contains(&("Coq.Init.Nat.add".to_owned(), "Coq.Init.Nat.add".to_owned())));
    let Signature::Structure(fields) = &library.signature else { panic!() };
    let sealed = fields.iter().find(|(label, field)| **label == *"S" && matches!(field, Field::Module(_)));
    let Some((_, Field::Module(sealed))) = sealed else { panic!() };
    assert!(matches!(sealed.implementation, Implementation::Sealed(_)));
    let applied = |name: &str| {
        fields.iter().any(|(label, field)| match field {
            Field::Module(module) if **label == *name => {
                module.implementation == Implementation::Algebraic { applied: true }
            }
            _ => false,
        })
    };
    assert!(applied("G") && !applied("B") && !applied("A"));
    let irrelevant = library.terms().filter(|(id, _)| library.binds_irrelevant(*id)).count();
    assert!(irrelevant > 0, "`hold` binds two proofs");
}

#[tokio::test]
async fn damaged_files_are_refused_or_read_and_never_end_us() {
    let bytes = compiled().await;
    assert!(bytes.len() > 1000);
    let mut read = 0;
    for seed in 0..3000 {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut damaged = bytes.clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..damaged.len());
            damaged[at] = random.random();
        }
        if random.random_bool(0.2) {
            damaged.truncate(random.random_range(0..damaged.len()));
        }
        read += usize::from(Library::from_bytes(&damaged, &own()).is_ok());
    }
    // Most bytes belong to what is not looked at.
    assert!((1..3000).contains(&read), "{read} of 3000 were read");
}

#[test]
fn versions_are_known_by_name() {
    assert!(
        ["8.16.1", "8.17", "8.18.0", "8.19.2", "8.20.1", "9.0.1", "9.1.1", "9.2.0"].into_iter().all(is_known)
    );
    assert!(!["8.15.2", "9.3.0", "10.0", "8.16+rc1", "9.2+rc1", "9.2.0.1", ""].into_iter().any(is_known));
}

#[tokio::test]
async fn another_version_is_refused_by_name() {
    let mut bytes = compiled().await;
    for (number, version) in [
        (91_000_u32, "9.10.0"),
        (81_500, "8.15.0"),
        (90_099, "9.0 or a development version of the next"),
        (90_199, "9.1 or a development version of the next"),
    ] {
        bytes[4..8].copy_from_slice(&number.to_be_bytes());
        let refused = Library::from_bytes(&bytes, &own()).map(drop);
        assert_eq!(refused, Err(CompiledError::Version(version.to_owned())));
    }
    // Another layout is not taken for this one.
    for number in [81_800_u32, 81_999, 82_000, 90_001, 90_100, 90_299] {
        bytes[4..8].copy_from_slice(&number.to_be_bytes());
        assert!(matches!(Library::from_bytes(&bytes, &own()), Err(CompiledError::Corrupt(_))), "{number}");
    }
}
