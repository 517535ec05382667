//! Functions compiled by the installed compiler.

use std::path::PathBuf;

use super::*;
use crate::vo::compiled::Own;
use crate::vo::compiled::declaration::{Body, Field, Implementation, Opaque, Signature};
use crate::vo::compiled::term::Path;
use crate::vo::installed;

/// The terms of all constants by name, including those in functors and behind seals.
fn terms(library: &Library) -> Vec<(String, TermId)> {
    let mut terms = Vec::new();
    let mut open = vec![(Path::own(), &library.signature)];
    while let Some((path, signature)) = open.pop() {
        let fields = match signature {
            Signature::Structure(fields) => fields,
            Signature::Functor { result, .. } => {
                open.push((path, result));
                continue;
            }
        };
        for (label, field) in fields {
            let path = path.field(label);
            match field {
                Field::Constant(constant) => {
                    terms.push((path.to_string(), constant.ty));
                    if let Body::Transparent(value) | Body::Opaque(Opaque { proof: Some(value), .. }) =
                        &constant.body
                    {
                        terms.push((path.to_string(), *value));
                    }
                }
                Field::Module(module) => {
                    if let Implementation::Sealed(behind) = &module.implementation {
                        open.push((path.clone(), behind));
                    }
                    open.push((path, &module.signature));
                }
                Field::ModuleType(signature) => open.push((path, signature)),
                Field::Inductive(_) => {}
            }
        }
    }
    terms
}

type Refused = Vec<(String, Unfounded)>;

/// The constants that are refused.
fn check(library: &Library, libraries: &Libraries) -> Refused {
    let mut guard = Guard::new(library, libraries);
    let mut refused = Refused::new();
    for (name, term) in terms(library) {
        refused.extend(guard.unfounded(term).into_iter().map(|reason| (name.clone(), reason)));
    }
    refused.sort();
    refused.dedup();
    refused
}

async fn folder() -> PathBuf {
    installed::library_folder().await
}

/// The refused constants of a text, with libraries from a folder.
async fn refused(text: &str, libraries: PathBuf) -> Refused {
    let library = installed::library(text).await.unwrap();
    check(&library, &Libraries::new(libraries, Vec::new()))
}

#[tokio::test]
async fn ordinary_functions_are_accepted() {
    assert_eq!(refused(include_str!("founded.v"), folder().await).await, []);
}

#[tokio::test]
async fn ill_founded_functions_are_refused() {
    let text = include_str!("unfounded.v");
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let expected: BTreeSet<&str> = words.into_iter().filter(|word| word.starts_with("bad_")).collect();
    // Later kernels refuse all of it.
    let is_later = installed::release().await.numbers() >= [9, 0, 0];
    let switch = if is_later { "Unset Guard Checking.\n" } else { "" };
    let refused = refused(&format!("{switch}{text}"), folder().await).await;
    let found: BTreeSet<&str> =
        refused.iter().map(|(name, _)| name.split('.').next_back().unwrap()).collect();
    assert_eq!(found, expected);
    // The bugs are recognized by their form.
    for (name, reason) in &refused {
        if let Some(bug) = name.rsplit('_').next().and_then(|last| last.parse::<u32>().ok()) {
            assert_eq!(reason.bugs().first(), Some(&bug), "{name}: {reason:?}");
        }
        assert!(!reason.bugs().is_empty());
    }
}

#[tokio::test]
async fn functions_on_types_of_libraries_that_are_not_found_are_refused() {
    let text = "Definition f := fix f (n : nat) := match n with 0 => 0 | S m => f m end.\n\
        Inductive t := a | b : t -> t. Fixpoint g (x : t) := match x with a => 0 | b y => g y end.";
    let nowhere = tempfile::tempdir().unwrap();
    let found = refused(text, nowhere.path().to_owned()).await;
    assert_eq!(found, [("f".to_owned(), Unfounded::UnknownType)]);
    assert_eq!(refused(text, folder().await).await, []);
}

#[tokio::test]
async fn the_library_of_the_prover_is_accepted() {
    let (folder, release) = (folder().await, installed::release().await.numbers());
    let libraries = Libraries::new(folder.clone(), Vec::new());
    for name in [
        "Init.Wf",
        "Lists.List",
        "Lists.Streams",
        "Streams.Streams",
        "Arith.PeanoNat",
        "ZArith.BinInt",
        "MSets.MSetAVL",
    ] {
        // Since 9.0 most of it is a library of its own.
        let (of, root) = match name.starts_with("Init.") {
            _ if release < [9, 0, 0] => ("theories", "Coq"),
            true => ("theories", "Corelib"),
            false => ("user-contrib/Stdlib", "Stdlib"),
        };
        let file = folder.join(of).join(name.replace('.', "/")).with_extension("vo");
        // They have moved.
        if name.ends_with("Streams") && !file.is_file() {
            continue;
        }
        let own = Own { library: format!("{root}.{name}"), within: None };
        let library = Library::read(&file, &own).unwrap();
        assert!(terms(&library).len() > 10, "{name}");
        assert_eq!(check(&library, &libraries), [], "{name}");
    }
}

/// Visiting each use of a function takes time that doubles with each of these definitions.
#[tokio::test]
async fn what_is_too_much_work_is_refused() {
    let mut text = "Unset Guard Checking.\n\
        Fixpoint f (n : nat) {struct n} : nat := match n with 0 => 0 | S p => let h0 := fun m => f m in\n"
        .to_owned();
    for level in 1..40 {
        let inner = level - 1;
        text += &format!("let h{level} := fun m : nat => h{inner} m + h{inner} m in\n");
    }
    text += "h39 p end.\n";
    let refused = refused(&text, folder().await).await;
    assert_eq!(refused, [("f".to_owned(), Unfounded::Exhausted)]);
}
