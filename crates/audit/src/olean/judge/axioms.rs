//! What theorems rest on: everything that their proofs refer to, in the file and in all modules that it imports.

use std::collections::{BTreeSet, HashSet};

use super::catalogue::Catalogue;
use super::reach::{Parts, Walk};
use super::world::World;
use super::{AuditError, Side};
use crate::olean::{Constant, Kind, Name, OleanError};

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
    world: &World,
    catalogue: &mut Catalogue,
) -> Result<Foundation, AuditError> {
    let mut foundation = Foundation::default();
    let mentioned = within(file, theorems, &mut foundation).map_err(|source| file.failed(source))?;
    // Names that no module declares are not remembered.
    let known = |name: &Name| {
        let symbol = catalogue.symbols.find(name.as_str());
        symbol.ok_or_else(|| AuditError::Constant(name.to_string()))
    };
    let mentioned: Vec<_> = mentioned.iter().map(known).collect::<Result<_, _>>()?;
    let found = catalogue.rests_on(world, mentioned)?;
    let name = |symbol: &u32| Name::from_text(catalogue.symbols.name(*symbol));
    foundation.imported.extend(found.axioms.iter().map(name));
    foundation.is_unsafe.extend(found.is_unsafe.iter().map(name));
    Ok(foundation)
}

/// What theorems rest on in their own file. Returns the other names that were met.
fn within(
    file: &Side<'_>,
    theorems: &[Name],
    foundation: &mut Foundation,
) -> Result<HashSet<Name>, OleanError> {
    let mut walk = Walk::default();
    let mut imported = HashSet::new();
    let mut met: HashSet<Name> = theorems.iter().cloned().collect();
    let mut open = theorems.to_vec();
    while let Some(name) = open.pop() {
        let Some(node) = file.constants.get(&name) else {
            imported.insert(name);
            continue;
        };
        let constant = Constant::read(*node)?;
        if constant.is_unsafe() {
            foundation.is_unsafe.insert(name.clone());
        }
        if matches!(constant.kind, Kind::Axiom { .. }) {
            foundation.own.insert(name);
        }
        let references = walk.references(&constant, Parts::All)?;
        open.extend(references.into_iter().filter(|reference| met.insert(reference.clone())));
    }
    Ok(imported)
}
