//! The compiled files of libraries, and outlines of their content.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path as FilePath, PathBuf};
use std::rc::Rc;

use super::Library;
use super::declaration::{Block, Body, Constant, Field, Implementation, Signature};
use super::term::{Constraints, Path, TermId};
use super::trees::TreeId;

/// The outline of an inductive block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Whether it is coinductive.
    pub(crate) coinductive: bool,
    pub(crate) parameters: u32,
    /// One for each type.
    pub(crate) trees: Rc<[TreeId]>,
}

/// The values and inductive types of a library by path, including those in functors and module types.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) values: HashMap<Path, TermId>,
    pub(crate) inductives: HashMap<Path, Shape>,
}

impl Outline {
    pub(crate) fn of(library: &Library) -> Self {
        let mut outline = Self::default();
        // Sealed structures come last: they provide values that the signature leaves open.
        let (mut open, mut sealed) = (vec![(Path::own(), &library.signature)], Vec::new());
        while let Some((path, signature)) = open.pop().or_else(|| sealed.pop()) {
            let fields = match signature {
                Signature::Structure(fields) => fields,
                Signature::Functor { bound, parameter, result } => {
                    open.push((path, result));
                    open.push((Path { root: bound.clone(), labels: Vec::new() }, parameter));
                    continue;
                }
            };
            for (label, field) in fields {
                let path = path.field(label);
                match field {
                    Field::Constant(Constant { body: Body::Transparent(value), .. }) => {
                        outline.values.entry(path).or_insert(*value);
                    }
                    Field::Constant(_) => {}
                    Field::Inductive(block) => {
                        outline.inductives.entry(path).or_insert_with(|| Shape::of(block));
                    }
                    Field::Module(module) => {
                        if let Implementation::Sealed(behind) = &module.implementation {
                            sealed.push((path.clone(), behind));
                        }
                        open.push((path, &module.signature));
                    }
                    Field::ModuleType(signature) => open.push((path, signature)),
                }
            }
        }
        outline
    }
}

/// `CoFinite` of Rocq's `Declarations.recursivity_kind`.
const COFINITE: i64 = 1;

impl Shape {
    fn of(block: &Block) -> Self {
        Self {
            coinductive: block.finite == COFINITE,
            parameters: block.parameters,
            trees: block.types.iter().map(|one| one.tree).collect(),
        }
    }
}

/// Libraries by name, read on demand.
pub struct Libraries {
    folder: PathBuf,
    bindings: Vec<(PathBuf, String)>,
    read: RefCell<HashMap<Rc<str>, Option<Shown>>>,
}

/// A library with its outline.
pub(crate) type Shown = Rc<(Library, Outline)>;

impl Libraries {
    /// The libraries in Rocq's own folder (`coqc -where`), and those of folders that are bound to logical names.
    pub fn new(folder: PathBuf, bindings: Vec<(PathBuf, String)>) -> Self {
        Self { folder, bindings, read: RefCell::default() }
    }

    /// A library; `None` if it has no readable file.
    pub(crate) fn get(&self, name: &Rc<str>) -> Option<Shown> {
        if let Some(known) = self.read.borrow().get(name) {
            return known.clone();
        }
        let files = self.files(name);
        let file = files.iter().find(|file| file.is_file());
        let library = file.and_then(|file| Library::read_public(file, name).ok());
        let shown = library.map(|library| {
            let outline = Outline::of(&library);
            Rc::new((library, outline))
        });
        self.read.borrow_mut().insert(Rc::clone(name), shown.clone());
        shown
    }

    /// What all libraries that files load say of universes: each file's constraints, and those of its polymorphic declarations.
    /// `None` if one of the files cannot be read. Of several with a name, it is the one with the digest that Rocq has found.
    pub(crate) fn universes(&self, files: &[&Library]) -> Option<(Constraints, Vec<Constraints>)> {
        let loaded: BTreeSet<&(String, Vec<u8>)> = files.iter().flat_map(|file| &file.dependencies).collect();
        let (mut constraints, mut contexts) = (Constraints::new(), Vec::new());
        for (name, digest) in loaded {
            let read = |path: PathBuf| std::fs::read(path).ok();
            let has_digest = |bytes: &Vec<u8>| Library::digest(bytes).is_ok_and(|own| own == *digest);
            let bytes = self.files(name).into_iter().filter_map(read).find(has_digest)?;
            let (own, of_declarations) = Library::read_universes(&bytes).ok()?;
            constraints.extend(own);
            contexts.extend(of_declarations.into_iter().filter(|context| !context.is_empty()));
        }
        Some((constraints, contexts))
    }

    /// Whether a declaration, by its full name, is in a module of the folders that are bound to logical names.
    pub fn binds(&self, full: &str) -> bool {
        let ends = full.match_indices('.').map(|(at, _)| at);
        ends.flat_map(|end| self.bound(&full[..end])).any(|file| file.is_file())
    }

    /// The same for the modules in Rocq's own folder.
    pub fn installs(&self, full: &str) -> bool {
        let mut ends = full.match_indices('.').map(|(at, _)| at);
        ends.any(|end| self.installed(&full[..end]).is_some_and(|file| file.is_file()))
    }

    /// The possible locations of a library's file, in order of preference.
    fn files(&self, name: &str) -> Vec<PathBuf> {
        let mut files = self.bound(name);
        files.extend(self.installed(name));
        files
    }

    /// The location of a library's file in Rocq's own folder.
    fn installed(&self, name: &str) -> Option<PathBuf> {
        let parts = parts(name)?;
        Some(match &parts[..] {
            ["Coq" | "Corelib", inner @ ..] if !inner.is_empty() => {
                file(&self.folder.join("theories"), inner)
            }
            _ => file(&self.folder.join("user-contrib"), &parts),
        })
    }

    /// Those of them in folders that are bound to logical names.
    fn bound(&self, name: &str) -> Vec<PathBuf> {
        let Some(parts) = parts(name) else { return Vec::new() };
        let inner = |(folder, bound): &(PathBuf, String)| {
            let bound: Vec<&str> = bound.split('.').filter(|part| !part.is_empty()).collect();
            match parts.strip_prefix(&bound[..]) {
                Some(inner @ [_, ..]) => Some(file(folder, inner)),
                _ => None,
            }
        };
        self.bindings.iter().filter_map(inner).collect()
    }
}

/// The parts of a module's name, which an untrusted file may have chosen; `None` if it names no file.
fn parts(name: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = name.split('.').collect();
    let is_odd = |part: &&str| part.is_empty() || part.contains(['/', '\\', '\0']);
    (!parts.iter().any(is_odd)).then_some(parts)
}

/// The name of a library that comes with Rocq, or of a declaration in it, without its root: `Coq` up to 8.20, since
/// then `Corelib` for the core and `Stdlib` for the rest.
pub fn standard(name: &str) -> Option<&str> {
    ["Coq.", "Corelib.", "Stdlib."].into_iter().find_map(|root| name.strip_prefix(root))
}

fn file(folder: &FilePath, parts: &[&str]) -> PathBuf {
    let mut path = folder.to_owned();
    path.extend(parts);
    path.as_mut_os_string().push(".vo");
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_files_of_the_folders_they_are_bound_to() {
        let bindings = vec![("/a".into(), "My.Lib".to_owned()), ("/b".into(), String::new())];
        let libraries = Libraries::new("/coq".into(), bindings);
        let files = |name| libraries.files(name).iter().map(|f| f.display().to_string()).collect::<Vec<_>>();
        assert_eq!(
            files("Coq.Init.Datatypes"),
            ["/b/Coq/Init/Datatypes.vo", "/coq/theories/Init/Datatypes.vo"]
        );
        assert_eq!(files("Corelib.Init.Nat"), ["/b/Corelib/Init/Nat.vo", "/coq/theories/Init/Nat.vo"]);
        assert_eq!(files("Stdlib.Lists.List")[1], "/coq/user-contrib/Stdlib/Lists/List.vo");
        assert_eq!(files("My.Lib.X"), ["/a/X.vo", "/b/My/Lib/X.vo", "/coq/user-contrib/My/Lib/X.vo"]);
        assert_eq!(files("stdpp.gmap"), ["/b/stdpp/gmap.vo", "/coq/user-contrib/stdpp/gmap.vo"]);
        assert!(files("a/b").is_empty() && files("a..b").is_empty() && files("").is_empty());
    }
}
