//! Functions as the installed compiler makes them.

use std::path::{Path as FilePath, PathBuf};
use std::rc::Rc;

use super::*;
use crate::rocq::compiled::Own;
use crate::rocq::compiled::term::{Body, Field, Implementation, Opaque, Path, Signature};
use crate::rocq::compiler::{Compiled, Compiler};
use crate::rocq::{RocqConfig, library_folder};

/// The terms of all constants, those in functors and behind seals included, by their names.
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

/// How many constants there are, and those that are refused.
fn check(library: &Library, libraries: &Libraries) -> (usize, Refused) {
    let mut guard = Guard::new(library, libraries);
    let mut refused = Refused::new();
    let terms = terms(library);
    for (name, term) in &terms {
        refused.extend(guard.unfounded(*term).into_iter().map(|reason| (name.clone(), reason)));
    }
    refused.sort();
    refused.dedup();
    (terms.len(), refused)
}

async fn libraries() -> (PathBuf, Libraries) {
    let folder = library_folder().await.unwrap();
    (folder.clone(), Libraries::new(folder, Vec::new()))
}

/// What is refused of a text.
async fn refused(text: &str) -> Refused {
    let folder = tempfile::tempdir().unwrap();
    let compiler = Compiler::new(RocqConfig::default());
    let done = compiler.compile(folder.path(), "sample", text, &[], "compiling a sample").await.unwrap();
    assert!(matches!(done, Compiled::Done(_)), "{done:?}");
    let own = Own { library: "sample".to_owned(), within: None };
    let library = Library::read(&folder.path().join("sample.vo"), &own).unwrap();
    check(&library, &libraries().await.1).1
}

#[tokio::test]
async fn measure() {
    let Ok(files) = std::env::var("GUARD_FILES") else { return };
    let (folder, libraries) = libraries().await;
    let mut total = 0;
    let mut all = 0;
    for file in files.split_whitespace() {
        let inner = FilePath::new(file).strip_prefix(&folder);
        let name = match inner {
            Ok(inner) => {
                let inner = inner.with_extension("").display().to_string().replace('/', ".");
                match inner.strip_prefix("theories.") {
                    Some(rest) => format!("Coq.{rest}"),
                    None => inner.strip_prefix("user-contrib.").unwrap().to_owned(),
                }
            }
            Err(_) => FilePath::new(file).file_stem().unwrap().to_string_lossy().into_owned(),
        };
        let own = Own { library: name.clone(), within: None };
        let library = match Library::read(FilePath::new(file), &own) {
            Ok(library) => library,
            Err(error) => {
                println!("UNREADABLE {file}: {error}");
                continue;
            }
        };
        let start = std::time::Instant::now();
        let (count, refused) = check(&library, &libraries);
        let ms = start.elapsed().as_millis();
        if ms > 500 {
            println!("SLOW {name} {ms} ms");
        }
        total += count;
        all += refused.len();
        for (constant, reason) in refused {
            println!("REFUSED {name} {constant} {reason:?}");
        }
    }
    println!("TOTAL {total} refused {all}");
    let _ = Rc::new(0);
}
