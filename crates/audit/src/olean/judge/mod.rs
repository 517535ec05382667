//! The judge: compares the compiled files of challenge and submission, and finds the axioms of the proofs.
//!
//! Both files are read here, without Lean. Nothing in the submission is elaborated or run in doing so, and neither its
//! notations nor its commands have any effect: they made its terms, and the terms are compared.

mod axioms;
pub mod catalogue;
mod comparison;
pub mod export;
pub mod libraries;
mod primitives;
mod programs;
mod reach;
mod symbols;
mod words;
pub mod world;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalogue::Catalogue;
use comparison::{Difference, Stop};
use reach::{Parts, Walk};
use world::World;

use crate::olean::{Constant, Kind, Module, Name, Names, Node, OleanError};
use andor_core::axioms::AllowedAxioms;
use andor_core::verdict::Reason;

/// Stands for every missing proof.
pub const SORRY: &str = "sorryAx";

/// The axioms of Lean's logic.
pub const STANDARD_AXIOMS: &[&str] = &["propext", "Classical.choice", "Quot.sound"];

/// A theorem of Lean's core that rests on exactly these.
pub const CORE_THEOREM: &str = "Classical.em";

/// Axioms by which Lean trusts compiled code. Never allowed.
const OF_COMPILERS: &[&str] = &["Lean.ofReduceBool", "Lean.ofReduceNat", "Lean.trustCompiler"];

/// The untrusted file, in messages.
pub const SUBMISSION: &str = "the submission";

/// With what the full name of a private declaration begins.
const PRIVATE: &str = "_private.andor_judged.0.";

/// Why an audit has no verdict.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what they are")]
pub enum AuditError {
    #[error("the compiled file of {of} cannot be used: {source}")]
    File { of: String, source: OleanError },
    #[error("the compiled file of the imported module `{0}` was not found")]
    Module(String),
    /// An installed library changed while it was used.
    #[error("the compiled file of `{0}` changed while it was used")]
    Changed(String),
    #[error("`{0}` is declared neither in the file nor in a module that it imports")]
    Constant(String),
    /// A theorem of Lean's core is not read as what it is.
    #[error("`{theorem}` is read as resting on {axioms}, and not on the axioms of Lean's logic")]
    Core { theorem: &'static str, axioms: String },
    /// Other kernels read only what Lean's checks.
    #[error("`{0}` is `unsafe` or `partial`: Lean does not check it, and it cannot be exported")]
    Unchecked(String),
    /// The challenge states nothing that could be proved.
    #[error("{0}")]
    Challenge(String),
}

impl AuditError {
    fn file(module: &Name, source: OleanError) -> Self {
        match source {
            OleanError::Changed { .. } => Self::Changed(module.to_string()),
            source => Self::File { of: format!("`{module}`"), source },
        }
    }
}

/// A file that was compiled to be judged.
pub struct Built {
    /// The compiled file.
    pub path: PathBuf,
    /// What it imports.
    pub world: Arc<World>,
}

/// The modules that a compiled file imports.
pub fn imports(path: &Path) -> Result<Vec<Name>, AuditError> {
    let failed = |source| AuditError::File { of: "the file".to_owned(), source };
    Module::read(path).and_then(|module| module.imports(&mut Names::default())).map_err(failed)
}

/// Why a submission is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// Why, for programs.
    pub reason: Reason,
    /// Why, for people.
    pub message: String,
    /// The axiom that its user may allow.
    pub axiom: Option<String>,
}

/// A file whose declarations are at hand.
struct Side<'m> {
    /// The file, for messages.
    of: &'static str,
    constants: HashMap<Name, Node<'m>>,
    imports: Vec<Name>,
    names: RefCell<Names>,
}

impl<'m> Side<'m> {
    fn new(of: &'static str, module: &'m Module) -> Result<Self, AuditError> {
        let failed = |source| AuditError::File { of: of.to_owned(), source };
        let mut names = Names::default();
        let imports = module.imports(&mut names).map_err(failed)?;
        let constants = module.constants(&mut names).map_err(failed)?;
        Ok(Self { of, constants, imports, names: RefCell::new(names) })
    }

    /// The full name of a theorem: that of a private one begins with its module.
    fn full(&self, theorem: &Name) -> Option<Name> {
        let private = || Some(private(theorem)).filter(|private| self.constants.contains_key(private));
        if self.constants.contains_key(theorem) { Some(theorem.clone()) } else { private() }
    }

    fn name(&self, node: Node<'_>) -> Result<Name, OleanError> {
        self.names.borrow_mut().read(node)
    }

    fn failed(&self, source: OleanError) -> AuditError {
        AuditError::File { of: self.of.to_owned(), source }
    }

    /// Everything that the meaning of theorems depends on in this file, and imported constants that it mentions.
    fn meaning(&self, theorems: &[Name]) -> Result<HashSet<Name>, OleanError> {
        let mut met: HashSet<Name> = HashSet::new();
        let mut open: Vec<Name> = theorems.to_vec();
        let mut walk = Walk::default();
        while let Some(name) = open.pop() {
            let Some(node) = self.constants.get(&name) else { continue };
            let constant = Constant::read(*node)?;
            // Of the theorem itself, whatever it is declared as, only the statement counts.
            let parts = if theorems.contains(&name) { Parts::Statement } else { Parts::Meaning };
            for reference in walk.references(&constant, parts)? {
                if met.insert(reference.clone()) {
                    open.push(reference);
                }
            }
        }
        Ok(met)
    }
}

/// Verifies that a compiled challenge states theorems completely.
pub fn stated(challenge: &Path, theorems: &[String]) -> Result<(), AuditError> {
    let module = read("the challenge", challenge)?;
    states(&Side::new("the challenge", &module)?, &names(theorems)).map(drop)
}

/// The axioms of theorems in a compiled submission, if they are the theorems of a compiled challenge and every axiom is
/// allowed.
pub fn audit(
    challenge: &Built,
    submission: &Built,
    theorems: &[String],
    allowed: &AllowedAxioms,
    catalogue: &mut Catalogue,
) -> Result<Result<Vec<String>, Rejection>, AuditError> {
    let theorems = names(theorems);
    let worlds = [&*challenge.world, &*submission.world];
    if let Some(module) = worlds[0].changed(worlds[1]) {
        return Err(AuditError::Changed(module.to_string()));
    }
    let modules = [read("the challenge", &challenge.path)?, read(SUBMISSION, &submission.path)?];
    let challenge = Side::new("the challenge", &modules[0])?;
    let submission = Side::new(SUBMISSION, &modules[1])?;
    let stated = states(&challenge, &theorems)?;
    if let Some(rejection) = primitives::replaced(&challenge, &submission, worlds[1], &catalogue.symbols) {
        return Ok(Err(rejection));
    }
    let submitted: Vec<Name> =
        stated.iter().zip(&theorems).map(|(stated, name)| counterpart(&submission, stated, name)).collect();
    let pairs: Vec<(Name, Name)> = stated.into_iter().zip(submitted.iter().cloned()).collect();
    let mut imported = match comparison::theorems(&challenge, &submission, &pairs) {
        Ok(imported) => imported,
        Err(Stop::Unreadable(source)) => return Err(submission.failed(source)),
        Err(Stop::Differs(difference)) => return Ok(Err(differs(&difference))),
    };
    let foundation = axioms::foundation(&submission, &submitted, worlds[1], catalogue)?;
    let axioms = match evaluate(&challenge, &foundation, allowed) {
        Ok(axioms) => axioms,
        Err(rejection) => return Ok(Err(rejection)),
    };
    if let Some(rejection) = programs::used(&submission, worlds[1], catalogue)? {
        return Ok(Err(rejection));
    }
    match comparison::axioms(&challenge, &submission, &foundation.own) {
        Ok(mentioned) => imported.extend(mentioned),
        Err(Stop::Unreadable(source)) => return Err(submission.failed(source)),
        Err(Stop::Differs(difference)) => {
            let message = format!("an axiom of the submission is not the one of the challenge: {difference}");
            return Ok(Err(Rejection { reason: Reason::Axiom, message, axiom: None }));
        }
    }
    let unshared = || {
        imported.iter().find(|name| {
            let symbol = catalogue.symbols.find(name.as_str());
            !symbol.is_some_and(|symbol| worlds[0].shares(symbol, worlds[1]))
        })
    };
    let same_imports = challenge.imports.iter().all(|module| submission.imports.contains(module));
    if let Some(name) = (!same_imports).then(unshared).flatten() {
        let message = format!(
            "the statement depends on `{name}`, which the submission does not import from the same module as the challenge"
        );
        return Ok(Err(Rejection { reason: Reason::Statement, message, axiom: None }));
    }
    Ok(Ok(axioms))
}

/// What to say of an allowed axiom that none of some files can use, if there is one: which axioms they can.
pub fn unknown_axiom(
    files: &[Built],
    allowed: &[String],
    catalogue: &mut Catalogue,
) -> Result<Option<String>, AuditError> {
    let mut own = BTreeSet::new();
    for file in files {
        let module = read("the file", &file.path)?;
        let side = Side::new("the file", &module)?;
        for (name, node) in &side.constants {
            let constant = Constant::read(*node).map_err(|source| side.failed(source))?;
            if matches!(constant.kind, Kind::Axiom { .. }) {
                own.insert(name.clone());
            }
        }
    }
    for name in names(allowed) {
        let mut is_known = STANDARD_AXIOMS.contains(&name.as_str()) || own.contains(&name);
        for file in files {
            is_known = is_known || catalogue.is_axiom(&file.world, &name)?;
        }
        if is_known {
            continue;
        }
        let mut others: BTreeSet<String> = own.iter().map(Name::to_string).collect();
        for file in files {
            others.extend(catalogue.axioms(&file.world)?);
        }
        let known: Vec<&str> =
            STANDARD_AXIOMS.iter().copied().chain(others.iter().map(String::as_str)).collect();
        return Ok(Some(format!(
            "the allowed axiom `{name}` is no axiom of the file or of a module that it imports; known are `{}`",
            known.join("`, `")
        )));
    }
    Ok(None)
}

fn read(of: &'static str, path: &Path) -> Result<Module, AuditError> {
    Module::read(path).map_err(|source| AuditError::File { of: of.to_owned(), source })
}

fn names(theorems: &[String]) -> Vec<Name> {
    theorems.iter().map(|name| Name::written(name)).collect()
}

/// The full name of a private declaration of a file that is judged.
fn private(name: &Name) -> Name {
    Name::from_text(&format!("{PRIVATE}{name}"))
}

/// The full name of the theorem in the submission that has to be the one of the challenge. Only what the challenge
/// states as private may be private in the submission.
fn counterpart(submission: &Side<'_>, stated: &Name, name: &Name) -> Name {
    match stated == name {
        true => name.clone(),
        false => submission.full(name).unwrap_or_else(|| stated.clone()),
    }
}

/// The challenge must declare the theorems, and what they say must not itself be left open. Returns their full names.
fn states(challenge: &Side<'_>, theorems: &[Name]) -> Result<Vec<Name>, AuditError> {
    let full = |name: &Name| {
        let missing = || AuditError::Challenge(format!("it has no theorem `{name}`"));
        challenge.full(name).ok_or_else(missing)
    };
    let theorems: Vec<Name> = theorems.iter().map(full).collect::<Result<_, _>>()?;
    let meaning = challenge.meaning(&theorems).map_err(|source| challenge.failed(source))?;
    if meaning.contains(&Name::written(SORRY)) {
        let message =
            "the statement depends on a definition that is left open by `sorry`; define it".to_owned();
        return Err(AuditError::Challenge(message));
    }
    Ok(theorems)
}

fn differs(difference: &Difference) -> Rejection {
    let reason = match difference {
        Difference::Missing(_) => Reason::Missing,
        Difference::Unproved(_) => Reason::Unproved,
        _ => Reason::Statement,
    };
    Rejection { reason, message: difference.to_string().replace(PRIVATE, ""), axiom: None }
}

/// The axioms, if all are allowed and nothing unchecked is used. An axiom that the submission declares must be one that
/// the challenge declares, too.
fn evaluate(
    challenge: &Side<'_>,
    foundation: &axioms::Foundation,
    allowed: &AllowedAxioms,
) -> Result<Vec<String>, Rejection> {
    let named = names(&allowed.named);
    let rejected = |reason, message, axiom| Err(Rejection { reason, message, axiom });
    let all: BTreeSet<&Name> = foundation.own.iter().chain(&foundation.imported).collect();
    if all.iter().any(|name| name.as_str() == SORRY) {
        return rejected(Reason::Unproved, "the proof uses `sorry`".to_owned(), None);
    }
    if let Some(name) = foundation.is_unsafe.first() {
        let message =
            format!("the proof depends on `{name}`, which is `unsafe` or `partial`: Lean does not check it");
        return rejected(Reason::Unchecked, message, None);
    }
    for axiom in all {
        if OF_COMPILERS.contains(&axiom.as_str()) {
            let message =
                format!("the proof depends on `{axiom}`: it trusts compiled code (`native_decide`)");
            return rejected(Reason::Axiom, message, None);
        }
        let own = foundation.own.contains(axiom);
        if own && !challenge.constants.contains_key(axiom) {
            let message =
                format!("the proof depends on the axiom `{axiom}`, which only the submission declares");
            return rejected(Reason::Axiom, message, None);
        }
        let by_default = !own && !allowed.only_named && STANDARD_AXIOMS.contains(&axiom.as_str());
        if !by_default && !named.contains(axiom) {
            let message = format!("the proof depends on `{axiom}`, which is not an allowed axiom");
            return rejected(Reason::Axiom, message, Some(axiom.to_string()));
        }
    }
    Ok(foundation.own.iter().chain(&foundation.imported).map(Name::to_string).collect())
}
