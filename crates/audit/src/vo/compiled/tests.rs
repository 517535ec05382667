//! Files of the installed compiler, and malformed files.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::declaration::{Body, Constant, Context, Implementation, Template};
use super::term::Level;
use super::*;
use crate::vo::comparison::{Difference, compare};
use crate::vo::compiled::libraries::Libraries;
use crate::vo::installed;

/// The source of the sample of each release.
const TEXT: &str = include_str!("../../../tests/data/compiled/sample.v");

/// Releases with files in the test data: those whose layout differs from that of the release before.
const KEPT: [&str; 6] = ["8.18", "8.19", "8.20", "9.0", "9.1", "9.2"];

/// A file created by `tests/data/compiled/make.sh` with a release.
fn kept(release: &str, name: &str) -> Vec<u8> {
    let data = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/compiled");
    std::fs::read(data.join(release).join(format!("{name}.vo"))).unwrap()
}

/// The same as a library; a challenge is a module type.
fn kept_library(release: &str, name: &str) -> Library {
    let within = name.ends_with("challenge").then(|| "Question".to_owned());
    let own = Own { library: name.to_owned(), within };
    Library::from_bytes(&kept(release, name), &own).unwrap_or_else(|error| panic!("{release}: {error}"))
}

async fn compiled() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::read(installed::compile(folder.path(), TEXT).await.unwrap()).unwrap()
}

fn own() -> Own {
    Own { library: "sample".to_owned(), within: None }
}

#[tokio::test]
async fn declarations_are_read() {
    let release = installed::release().await.numbers();
    let root = if release < [9, 0, 0] { "Coq" } else { "Corelib" };
    has_declarations(&Library::from_bytes(&compiled().await, &own()).unwrap(), root);
}

#[test]
fn declarations_of_other_releases_are_read() {
    for release in KEPT {
        let root = if release.starts_with("8.") { "Coq" } else { "Corelib" };
        has_declarations(&kept_library(release, "sample"), root);
    }
}

/// Checks all declarations of the sample. `root` is the first component of names of Rocq's library.
fn has_declarations(library: &Library, root: &str) {
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
    let mut discharged: Vec<(&str, bool)> =
        closed.discharged.iter().map(|one| (&*one.name, one.value.is_some())).collect();
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
    match block.template.as_ref().unwrap() {
        Template::Levels(levels) => assert!(matches!(levels[..], [Some(_)])),
        Template::Flags(flags) => assert_eq!(flags, &[true]),
        Template::Sorts { parameters, .. } => assert!(matches!(parameters[..], [Some(_)])),
    }
    let Field::Inductive(block) = declared[&Path::named("two")] else { panic!() };
    let projections = block.types[0].projections.as_ref().unwrap();
    assert!(block.template.is_none() && projections.eta && projections.fields.len() == 2);
    let Body::Transparent(first) = constant("first").body else { panic!() };
    let Term::Lambda(_, body) = library[first] else { panic!() };
    assert!(matches!(library[body], Term::Projection(_, 0, 0, ..)), "{:?}", library[body]);
    let Field::Inductive(block) = declared[&Path::named("A.t")] else { panic!() };
    assert!(!library.trees.is_nested(block.types[0].tree));
    assert_eq!((block.types.len(), block.types[0].constructors.len()), (1, 1));
    let mut names = Vec::new();
    library
        .terms()
        .filter_map(|(_, term)| term.name())
        .for_each(|n| names.push((n.user.to_string(), n.canonical.to_string())));
    assert!(names.contains(&("B.t".to_owned(), "A.t".to_owned())));
    assert!(names.contains(&(format!("{root}.Init.Nat.add"), format!("{root}.Init.Nat.add"))));
    let Signature::Structure(fields) = &library.signature else { panic!() };
    let behind = |name: &str| {
        let module =
            fields.iter().find(|(label, field)| **label == *name && matches!(field, Field::Module(_)));
        let Some((_, Field::Module(module))) = module else { panic!() };
        let Implementation::Sealed(behind) = &module.implementation else { panic!() };
        behind
    };
    assert!(matches!(behind("S"), Signature::Structure(_)));
    let Signature::Functor { result, .. } = behind("H") else { panic!() };
    let Signature::Structure(given) = &**result else { panic!() };
    assert!(matches!(&given[..], [(_, Field::Constant(Constant { body: Body::Transparent(_), .. }))]));
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

#[test]
fn statements_of_other_releases_are_compared() {
    let goal = ["goal".to_owned()];
    for release in KEPT {
        let opinion = |challenge, submission| {
            let libraries = Libraries::new("/nowhere".into(), Vec::new());
            compare(
                &kept_library(release, challenge),
                &kept_library(release, submission),
                &goal,
                &libraries,
                None,
            )
            .map(drop)
        };
        assert_eq!(opinion("challenge", "same"), Ok(()), "{release}");
        let different = Err(Difference::Type("goal".to_owned()));
        assert_eq!(opinion("challenge", "different"), different, "{release}");
        if release != "8.18" {
            assert_eq!(opinion("sorts_challenge", "sorts_same"), Ok(()), "{release}");
            assert_eq!(opinion("sorts_challenge", "sorts_different"), different, "{release}");
        }
        if release == "9.2" {
            assert_eq!(opinion("eliminations_challenge", "eliminations_same"), Ok(()));
            let different = Err(Difference::Polymorphic("goal".to_owned()));
            assert_eq!(opinion("eliminations_challenge", "eliminations_different"), different);
        }
    }
}

#[test]
fn rewrite_rules_are_refused() {
    for release in ["8.20", "9.0", "9.1", "9.2"] {
        let own = Own { library: "rules".to_owned(), within: None };
        let refused = Library::from_bytes(&kept(release, "rules"), &own).unwrap_err();
        assert!(refused.to_string().contains("rewrite rules"), "{release}: {refused}");
    }
}

#[test]
fn a_layout_is_not_taken_for_another() {
    let numbers: [u32; 7] = [81_601, 81_800, 81_999, 82_000, 90_001, 90_100, 90_299];
    for release in KEPT {
        let mut bytes = kept(release, "sample");
        let own_number = u32::from_be_bytes(bytes[4..8].try_into().unwrap());
        for number in numbers.iter().filter(|number| **number != own_number) {
            bytes[4..8].copy_from_slice(&number.to_be_bytes());
            let read = Library::from_bytes(&bytes, &own()).map(drop);
            assert!(matches!(read, Err(CompiledError::Decode(_))), "{release} as {number}");
        }
    }
}

#[tokio::test]
async fn damaged_files_are_refused_or_read_and_never_end_us() {
    let mut samples: Vec<Vec<u8>> = KEPT.into_iter().map(|release| kept(release, "sample")).collect();
    samples.push(compiled().await);
    let mut read = 0;
    for seed in 0..3500 {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut damaged = samples[random.random_range(0..samples.len())].clone();
        assert!(damaged.len() > 1000);
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..damaged.len());
            damaged[at] = random.random();
        }
        if random.random_bool(0.2) {
            damaged.truncate(random.random_range(0..damaged.len()));
        }
        read += usize::from(Library::from_bytes(&damaged, &own()).is_ok());
    }
    // Most bytes belong to data that is not decoded.
    assert!((1..3500).contains(&read), "{read} of 3500 were read");
}

#[test]
fn versions_are_known_by_name() {
    let are = |versions: &[&str], known: Known| versions.iter().all(|version| Known::of(version) == known);
    assert!(are(&["8.16.1", "8.17", "8.18.0", "8.19.2", "8.20.1", "9.0.1", "9.1.1", "9.2.0"], Known::Yes));
    assert!(are(&["9.3.0", "9.10", "10.0"], Known::Newer));
    assert!(are(&["8.15.2", "8.16+rc1", "9.2+rc1", "9.2.0.1", ""], Known::No));
}

#[test]
fn a_newer_version_is_read_like_the_newest_unless_its_layout_differs() {
    let newer = |release: &str| {
        let mut bytes = kept(release, "sample");
        bytes[4..8].copy_from_slice(&90_400_u32.to_be_bytes());
        Library::from_bytes(&bytes, &own())
    };
    has_declarations(&newer("9.2").unwrap(), "Corelib");
    for release in &KEPT[..KEPT.len() - 1] {
        let refused = newer(release).map(drop);
        assert!(matches!(refused, Err(CompiledError::Decode(_))), "{release}: {refused:?}");
    }
}

#[tokio::test]
async fn another_version_is_refused_by_name() {
    let mut bytes = compiled().await;
    for (number, version) in [
        (81_500_u32, "8.15.0"),
        (90_099, "9.0 or a development version of the next"),
        (90_199, "9.1 or a development version of the next"),
    ] {
        bytes[4..8].copy_from_slice(&number.to_be_bytes());
        let refused = Library::from_bytes(&bytes, &own()).map(drop);
        assert_eq!(refused, Err(CompiledError::Version(version.to_owned())));
    }
}
