//! Why the kernel rejects something.

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
    #[error("`{0}` is already declared")]
    Redeclared(Name),
    /// A constant has another number of level parameters, or a level beyond their range.
    #[error("`{0}` is used with wrong universe levels")]
    WrongLevels(Name),
    /// A level parameter where none may be, or a universe without a type.
    #[error("a universe is out of range")]
    UniverseOutOfRange,
    /// A variable that nothing binds.
    #[error("a variable is not bound")]
    Unbound,
    /// A term with holes.
    #[error("the term has a metavariable")]
    Metavariable,
    /// Something that is no function is applied.
    #[error("`{0:?}` is not a function; its type is `{1:?}`")]
    NotAFunction(Term, Term),
    /// A term stands where a type must.
    #[error("`{0:?}` is not a type")]
    NotAType(Term),
    /// A term has another type than it must.
    #[error("`{term:?}` has type `{found:?}`, but `{expected:?}` was expected")]
    Mismatch {
        /// The term.
        term: Term,
        /// Its type.
        found: Term,
        /// The type it must have.
        expected: Term,
    },
    /// A theorem whose statement is no proposition.
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
    /// It takes more than it may.
    #[error("{0}")]
    Exceeded(Exceeded),
}
