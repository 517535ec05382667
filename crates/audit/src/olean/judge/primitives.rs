//! Constants that Lean's kernel knows by their names. It computes `Nat.div 7 2` by machine arithmetic, whatever the
//! definition of `Nat.div` says, so a file with a definition of its own can prove anything.

use super::symbols::Symbols;
use super::world::World;
use super::{Rejection, Side};
use crate::olean::Name;
use andor_core::verdict::Reason;

/// The module that every file imports, and the first part of the names of all modules below it. They declare what the
/// kernel knows.
const BASE: &str = "Init";

/// What the kernel knows by name: in `type_checker.cpp` (arithmetic, `Bool`, `eagerReduce` and the functions that run
/// compiled code), `inductive.cpp` (literals) and `quot.cpp` (quotients, which need `Eq`) of Lean's `src/kernel`, and
/// what the meaning of all statements depends on.
const KNOWN: &[&str] = &[
    "Acc",
    "And",
    "Bool",
    "Bool.false",
    "Bool.true",
    "Char",
    "Char.mk",
    "Char.ofNat",
    "Classical.choice",
    "Eq",
    "Eq.refl",
    "Exists",
    "False",
    "HEq",
    "Iff",
    "Lean.ofReduceBool",
    "Lean.ofReduceNat",
    "Lean.reduceBool",
    "Lean.reduceNat",
    "Lean.trustCompiler",
    "List",
    "List.cons",
    "List.nil",
    "Nat",
    "Nat.add",
    "Nat.beq",
    "Nat.ble",
    "Nat.div",
    "Nat.gcd",
    "Nat.land",
    "Nat.log2",
    "Nat.lor",
    "Nat.mod",
    "Nat.mul",
    "Nat.pow",
    "Nat.pred",
    "Nat.shiftLeft",
    "Nat.shiftRight",
    "Nat.sub",
    "Nat.succ",
    "Nat.xor",
    "Nat.zero",
    "Not",
    "Or",
    "Quot",
    "Quot.ind",
    "Quot.lift",
    "Quot.mk",
    "Quot.sound",
    "String",
    "String.mk",
    "String.ofByteArray",
    "String.ofList",
    "True",
    "WellFounded",
    "eagerReduce",
    "id_delta",
    "propext",
    "sorryAx",
];

/// Why a submission could have replaced what the kernel knows, if it could: it imports less than its challenge,
/// declares such a constant itself, or imports one from elsewhere.
pub(super) fn replaced(
    challenge: &Side<'_>,
    submission: &Side<'_>,
    world: &World,
    symbols: &Symbols,
) -> Option<Rejection> {
    let forbidden = |message| Some(Rejection { reason: Reason::Forbidden, message, axiom: None });
    let base = Name::from_text(BASE);
    let needed = [&base].into_iter().chain(&challenge.imports);
    if let Some(module) = needed.into_iter().find(|module| !world.has(module)) {
        return forbidden(format!(
            "the submission does not import `{module}`, as the challenge does; add `import {module}`"
        ));
    }
    for known in KNOWN {
        if submission.constants.contains_key(&Name::from_text(known)) {
            return forbidden(format!(
                "the submission declares `{known}`, which Lean's kernel knows by its name, whatever it is declared \
                 to be; use another name"
            ));
        }
        let declaring = symbols.find(known).into_iter().flat_map(|symbol| world.declaring(symbol));
        let elsewhere = declaring.map(|position| world.module(position).0).find(|module| !is_base(module));
        if let Some(module) = elsewhere {
            return forbidden(format!(
                "`{known}`, which Lean's kernel knows by its name, is declared in `{module}`, not in `{BASE}`; \
                 do not import that module"
            ));
        }
    }
    None
}

/// Whether a module belongs to Lean's core library.
pub(super) fn is_base(module: &Name) -> bool {
    module.as_str().strip_prefix(BASE).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
