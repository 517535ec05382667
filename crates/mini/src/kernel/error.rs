//! Why the kernel rejects something.

use super::level::MAX_PARAMS;
use super::term::{Name, Term};
use crate::budget::Exceeded;

/// Why the kernel refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// A constant is not declared.
    #[error("unknown constant `{0}`")]
    UnknownConstant(Name),
    /// A name is already declared.
    #[error("`{0}` is already declared, in this file or in the prelude; give it another name")]
    Redeclared(Name),
    /// A constant is used with a wrong number of levels, or with an unknown one.
    #[error("`{0}` is used with wrong universe levels")]
    WrongLevels(Name),
    /// A level parameter that is not declared, or a level metavariable.
    #[error("a universe level is unknown")]
    UnknownLevel,
    /// A constant with too many level parameters.
    #[error("`{0}` has more than {max} universe variables", max = MAX_PARAMS)]
    TooManyLevels(Name),
    /// An unbound variable.
    #[error("a variable is not bound")]
    Unbound,
    /// A term with metavariables.
    #[error("the term has a metavariable")]
    Metavariable,
    /// A term that is not a function is applied.
    #[error("`{0:?}` is not a function; its type is `{1:?}`")]
    NotAFunction(Term, Term),
    /// A term that is not a type is used as one.
    #[error("`{0:?}` is not a type")]
    NotAType(Term),
    /// A term does not have the expected type.
    #[error("`{term:?}` has type `{found:?}`, but `{expected:?}` was expected")]
    Mismatch {
        /// The term.
        term: Term,
        /// Its type.
        found: Term,
        /// The expected type.
        expected: Term,
    },
    /// The statement of a theorem is not a proposition.
    #[error("the statement of `{0}` is not a proposition")]
    NotAProposition(Name),
    /// An inductive family breaks a rule.
    #[error("inductive type `{name}`: {rule}")]
    BadInductive {
        /// The family.
        name: Name,
        /// The rule.
        rule: &'static str,
    },
    /// An operation on literals that does not follow its defining equations.
    #[error("`{0}` does not compute as its name says")]
    NotThisOperation(Name),
    /// The step limit is reached.
    #[error("the step limit is reached")]
    OutOfSteps,
    /// Another limit is exceeded.
    #[error("{0}")]
    Exceeded(Exceeded),
}
