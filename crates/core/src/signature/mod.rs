//! Signatures: digests that identify equal obligations up to names (ADR 2).
//!
//! * The **strict** signature keeps structure and order; binder, local and metavariable names are replaced
//!   by their order of first appearance, and those of constants by the canonical ones.
//! * The **coarse** signature also sorts the hypotheses and the arguments of commutative operators. It
//!   breaks cycles along one path and is used for nothing else.
//! * The **key** keeps the names too: obligations with equal keys can exchange proof scripts, which refer
//!   to names. Only equal keys merge nodes or make one child the alias of another.
//!
//! Where a goal has no expression, its text is read as a token tree and the result is marked textual.

mod digest;
mod tokens;

use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use crate::expr::Expr;
use crate::goal::{Goal, Term};

pub use tokens::token_tree;

macro_rules! signature {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// 64 bits are kept and compared; 12 hexadecimal digits (the upper 48 bits) are printed.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:012x}", self.0 >> 16)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

signature!(
    /// The coarse signature of an obligation, with commutative normalisation.
    GoalSig
);
signature!(
    /// The strict signature of an obligation.
    StrictGoalSig
);
signature!(
    /// The digest of an obligation as printed, names included.
    GoalKey
);

/// The operators whose arguments the coarse signature sorts, as listed by each system's adapter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Commutative {
    /// Canonical names of constants, with the number of arguments of a full application; the last two commute.
    pub constants: &'static [(&'static str, usize)],
    /// Infix operators of printed text, one list per precedence level, loosest first.
    pub infix: &'static [&'static [Infix]],
}

impl Commutative {
    fn arity(&self, constant: &str) -> Option<usize> {
        self.constants.iter().find(|(name, _)| *name == constant).map(|&(_, arity)| arity)
    }
}

/// An infix operator of the printed text.
#[derive(Clone, Copy, Debug)]
pub struct Infix {
    /// The operator's symbol, a single token.
    pub symbol: &'static str,
    /// Whether its operands commute.
    pub commutes: bool,
}

/// The signatures of one obligation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signatures {
    /// With commutative normalisation.
    pub coarse: GoalSig,
    /// Full structure and order.
    pub strict: StrictGoalSig,
    /// As printed, with names.
    pub key: GoalKey,
    /// Whether some part without an expression was read as a token tree.
    pub textual: bool,
}

/// The signatures of an obligation: one goal, or several that share metavariables.
pub fn signatures(goals: &[Goal], commutative: &Commutative) -> Signatures {
    let mut textual = false;
    let contexts: Vec<Context> = goals.iter().map(|g| Context::new(g, commutative, &mut textual)).collect();
    let printed: String = goals.iter().map(|g| format!("{g}\n\n")).collect();
    Signatures {
        coarse: GoalSig(digest::coarse(&contexts, commutative)),
        strict: StrictGoalSig(digest::strict(&contexts)),
        key: GoalKey(xxh3_64(printed.as_bytes())),
        textual,
    }
}

/// A goal with every term as an expression and every hypothesis with a single name.
struct Context {
    locals: Vec<Local>,
    target: Expr,
}

struct Local {
    name: String,
    ty: Expr,
    body: Option<Expr>,
}

impl Context {
    fn new(goal: &Goal, commutative: &Commutative, textual: &mut bool) -> Self {
        let names: Vec<&str> = goal.locals().map(|(name, _)| name).collect();
        let mut expr = |term: &Term| {
            let Some(mut expr) = term.expr.clone() else {
                *textual = true;
                return token_tree(&term.text, &names, commutative.infix);
            };
            expr.rename_constants(|name| goal.canonical.get(name).cloned());
            expr
        };
        let locals = goal
            .locals()
            .map(|(name, h)| Local {
                name: name.to_owned(),
                ty: expr(&h.ty),
                body: h.body.as_ref().map(&mut expr),
            })
            .collect();
        Self { locals, target: expr(&goal.target) }
    }
}

#[cfg(test)]
mod tests;
