//! What theorems rest on: everything that their proofs refer to, in the file and in all modules that it imports.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::olean::{Constant, Kind, Name, Names, Node, OleanError};
use super::libraries::{self, Libraries};
use super::reach::{Parts, Walk};
use super::{AuditError, Side};

/// What theorems rest on.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Foundation {
    /// Axioms that the file declares itself.
    pub(super) own: BTreeSet<Name>,
    /// Axioms of imported modules.
    pub(super) imported: BTreeSet<Name>,
    /// Declarations that Lean does not check as it checks proofs.
    pub(super) is_unsafe: BTreeSet<Name>,
}

/// What theorems of a file rest on.
pub(super) fn foundation(
    file: &Side<'_>,
    theorems: &[Name],
    libraries: &Libraries,
) -> Result<Foundation, AuditError> {
    let mut foundation = Foundation::default();
    // Names that were found but not looked up yet. A module refers only to itself and to what it imports, so that each
    // has to be read once, after all that import it.
    let mut open: HashSet<Name> = theorems.iter().cloned().collect();
    let mut met: HashSet<Name> = open.clone();
    let own = &mut foundation.own;
    visit(&file.constants, &mut open, &mut met, own, &mut foundation.is_unsafe)
        .map_err(|e| file.failed(e))?;
    for (name, path) in libraries.all(&file.imports)? {
        if open.is_empty() {
            break;
        }
        let module = libraries::read(&name, &path)?;
        let failed = |source| AuditError::file(&name, source);
        let constants = module.constants(&mut Names::default()).map_err(failed)?;
        let imported = &mut foundation.imported;
        visit(&constants, &mut open, &mut met, imported, &mut foundation.is_unsafe).map_err(failed)?;
    }
    match open.iter().min() {
        Some(name) => Err(AuditError::Constant(name.to_string())),
        None => Ok(foundation),
    }
}

/// Follows the open names that are declared by a module. The others remain open.
fn visit(
    constants: &HashMap<Name, Node<'_>>,
    open: &mut HashSet<Name>,
    met: &mut HashSet<Name>,
    axioms: &mut BTreeSet<Name>,
    is_unsafe: &mut BTreeSet<Name>,
) -> Result<(), OleanError> {
    let mut walk = Walk::default();
    let mut here: Vec<Name> = open.iter().filter(|name| constants.contains_key(*name)).cloned().collect();
    open.retain(|name| !constants.contains_key(name));
    while let Some(name) = here.pop() {
        let constant = Constant::read(constants[&name])?;
        if constant.is_unsafe() {
            is_unsafe.insert(name.clone());
        }
        if matches!(constant.kind, Kind::Axiom { .. }) {
            axioms.insert(name.clone());
        }
        for reference in walk.references(&constant, Parts::All)? {
            if met.insert(reference.clone()) {
                match constants.contains_key(&reference) {
                    true => here.push(reference),
                    false => drop(open.insert(reference)),
                }
            }
        }
    }
    Ok(())
}
