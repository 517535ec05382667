//! Programs that reach the machine: no declaration of a submission may use one. The filter of files refuses them by how
//! they are written, and here the names are resolved.

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::reach::{Parts, Walk};
use super::world::World;
use super::{AuditError, PRIVATE, Rejection, Side};
use crate::olean::{Constant, Name, OleanError};
use andor_core::verdict::Reason;

/// The types of programs that do something, or have a state outside of what they return.
const TYPES: &[&str] = &["BaseIO", "EIO", "EST", "IO", "ST"];

/// With what the names of Lean's own implementation begin.
const LEAN: &str = "Lean.";

/// The type of programs among some names, if one is there.
pub(super) fn mentioned<'n>(names: impl IntoIterator<Item = &'n Name>) -> Option<&'static str> {
    names.into_iter().find_map(|name| TYPES.iter().copied().find(|ty| name.as_str() == *ty))
}

/// Why a submission is refused for a program that it uses, if it is.
pub(super) fn used(
    submission: &Side<'_>,
    world: &World,
    catalogue: &mut Catalogue,
) -> Result<Option<Rejection>, AuditError> {
    let imported = imported(submission).map_err(|source| submission.failed(source))?;
    for (name, user) in imported {
        let found = match mentioned([&name]) {
            Some(ty) => Some(ty),
            None => catalogue.program(world, &name)?,
        };
        if let Some(ty) = found {
            let user = user.to_string().replace(PRIVATE, "");
            let message =
                format!("`{user}` uses `{name}`: programs of the type `{ty}` could reach the machine");
            return Ok(Some(Rejection { reason: Reason::Forbidden, message, axiom: None }));
        }
    }
    Ok(None)
}

/// The imported constants that a file's declarations refer to, each with one that does.
fn imported(file: &Side<'_>) -> Result<BTreeMap<Name, Name>, OleanError> {
    let mut walk = Walk::default();
    let mut imported = BTreeMap::new();
    let mut own: Vec<_> = file.constants.iter().collect();
    own.sort_unstable_by_key(|(name, _)| *name);
    for (user, node) in own {
        let constant = Constant::read(*node)?;
        // What a notation compiles to prints and reads syntax, in monads of Lean's own over `EIO`. It cannot be written by
        // hand, since its type names Lean's implementation.
        let is_of_lean = |name: &Name| name.as_str().starts_with(LEAN);
        if walk.references(&constant, Parts::Statement)?.iter().any(is_of_lean) {
            continue;
        }
        for name in walk.references(&constant, Parts::All)? {
            if !file.constants.contains_key(&name) {
                imported.entry(name).or_insert_with(|| user.clone());
            }
        }
    }
    Ok(imported)
}
