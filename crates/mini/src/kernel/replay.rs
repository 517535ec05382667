//! Checks all declarations again, from their data alone.

use super::check::{DEFAULT_STEPS, MAX_BYTES};
use super::compare::Numbers;
use super::env::{Body, Declaration, Env, Operation};
use super::error::KernelError;
use super::inductive::Family;
use super::term::Name;
use crate::budget::{self, Limits};

/// Why a replay does not reproduce its input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The kernel refuses a declaration.
    #[error("`{name}`: {error}")]
    Refused {
        /// The name of the declaration.
        name: Name,
        /// Why it is refused.
        error: KernelError,
    },
    /// The result differs: another recursor, or other operations on literals.
    #[error("`{0}` differs when it is elaborated again")]
    Differs(Name),
}

impl Env {
    /// The same declarations in the same order, each checked again. Only names, types and values are taken over:
    /// heights, recursors, and operations on literals are computed again and compared with the originals.
    pub fn replayed(&self) -> Result<Self, ReplayError> {
        let limits = Limits { steps: DEFAULT_STEPS, bytes: MAX_BYTES };
        let mut fresh = Self::new();
        for (name, old) in self.declarations() {
            let refused = |error| ReplayError::Refused { name: Name::clone(name), error };
            let declared = budget::within(limits, || self.declare_again(&mut fresh, name, old));
            declared.map_err(KernelError::Exceeded).flatten().map_err(refused)?;
        }
        let mut numbers = Numbers::default();
        for (name, new) in fresh.declarations() {
            if self.get(name).is_none_or(|old| numbers.difference(old, new).is_some()) {
                return Err(ReplayError::Differs(Name::clone(name)));
            }
        }
        match self.operations.keys().find(|name| fresh.operation(name) != self.operation(name)) {
            Some(name) => Err(ReplayError::Differs(Name::clone(name))),
            None => Ok(fresh),
        }
    }

    fn declare_again(&self, fresh: &mut Self, name: &str, old: &Declaration) -> Result<(), KernelError> {
        let (n_levels, ty) = (old.n_levels, old.ty.clone());
        match &old.body {
            Body::Axiom => fresh.add_axiom(name, n_levels, ty),
            Body::Definition(value, _) => {
                fresh.add_definition(name, n_levels, ty, value.clone())?;
                Operation::named(name).map_or(Ok(()), |operation| fresh.accelerate(operation))
            }
            Body::Theorem(proof) => fresh.add_theorem(name, n_levels, ty, proof.clone()),
            Body::Inductive { n_params, constructors } => {
                let typed = |name: &Name| match self.get(name) {
                    Some(constructor) => Ok((Name::clone(name), constructor.ty.clone())),
                    None => Err(KernelError::UnknownConstant(Name::clone(name))),
                };
                let constructors = constructors.iter().map(typed).collect::<Result<_, _>>()?;
                fresh.add_inductive(&Family {
                    name: name.into(),
                    n_levels,
                    n_params: *n_params,
                    ty,
                    constructors,
                })
            }
            // Declared with their family.
            Body::Constructor { .. } | Body::Recursor(_) if fresh.get(name).is_some() => Ok(()),
            Body::Constructor { .. } | Body::Recursor(_) => Err(KernelError::UnknownConstant(name.into())),
        }
    }
}
