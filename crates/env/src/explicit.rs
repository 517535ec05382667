//! Reading the form that a proof assistant prints with everything shown: what the readers of all systems have in common.
//!
//! Everything is a prefix application then, with binders, literals and metavariables; each system adds its own forms in an
//! `impl` of [`Reader`] for its dialect.

use std::collections::HashSet;
use std::marker::PhantomData;

use andor_core::expr::{Expr, ExprBuilder, ExprId};

/// Terms nested deeper than this are left as text.
pub(crate) const MAX_DEPTH: usize = 20_000;

/// A reader is recursive: with less stack than this, it continues on a new segment of this size.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// An identifier, possibly qualified; also a keyword.
    Word(&'a str),
    /// A number, a string or a character.
    Literal(&'a str),
    /// A metavariable, with its question mark.
    Meta(&'a str),
    Symbol(&'a str),
}

impl<'a> Token<'a> {
    pub(crate) fn text(self) -> &'a str {
        match self {
            Self::Word(text) | Self::Literal(text) | Self::Meta(text) | Self::Symbol(text) => text,
        }
    }
}

/// A term being read. `D` is the dialect.
pub(crate) struct Reader<'a, D> {
    pub(crate) tokens: &'a [Token<'a>],
    pub(crate) at: usize,
    /// The names of the goal's context.
    pub(crate) locals: &'a HashSet<&'a str>,
    /// Names of the binders around, innermost last.
    pub(crate) bound: Vec<&'a str>,
    pub(crate) depth: usize,
    /// The remaining number of atoms. What is read again counts again, which bounds the time.
    fuel: usize,
    pub(crate) builder: ExprBuilder,
    dialect: PhantomData<D>,
}

impl<'a, D> Reader<'a, D> {
    /// Reads all tokens by `read`. `None` if they do not have the expected form.
    pub(crate) fn all(
        tokens: &'a [Token<'a>],
        locals: &'a HashSet<&'a str>,
        read: impl FnOnce(&mut Self) -> Option<ExprId>,
    ) -> Option<Expr> {
        let mut reader = Self {
            tokens,
            at: 0,
            locals,
            bound: Vec::new(),
            depth: 0,
            fuel: 20 * tokens.len(),
            builder: ExprBuilder::new(),
            dialect: PhantomData,
        };
        let root = read(&mut reader)?;
        (reader.at == tokens.len()).then(|| reader.builder.finish(root))
    }

    pub(crate) fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    pub(crate) fn symbol(&mut self, symbol: &str) -> Option<()> {
        (self.peek()? == Token::Symbol(symbol)).then(|| self.at += 1)
    }

    pub(crate) fn word(&mut self, word: &str) -> Option<()> {
        (self.peek()? == Token::Word(word)).then(|| self.at += 1)
    }

    /// Counts an atom, if there may be another one.
    pub(crate) fn burn(&mut self) -> Option<()> {
        self.fuel = self.fuel.checked_sub(1)?;
        Some(())
    }

    /// Reads one level deeper, if that is allowed.
    pub(crate) fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<ExprId>) -> Option<ExprId> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, || read(self));
        self.depth -= 1;
        found
    }

    /// The index of a bound variable.
    pub(crate) fn bound(&self, word: &str) -> Option<u32> {
        let index = self.bound.iter().rev().position(|bound| *bound == word)?;
        Some(u32::try_from(index).expect("depth is bounded"))
    }
}

/// An expression in a compact notation, for tests.
#[cfg(test)]
pub(crate) fn shown(expr: &Expr, id: ExprId) -> String {
    use andor_core::expr::ExprNode;

    let list = |list: &[ExprId]| list.iter().map(|&id| shown(expr, id)).collect::<Vec<_>>().join(" ");
    match expr.node(id) {
        ExprNode::Const(name) | ExprNode::Meta(name) | ExprNode::Sort(name) | ExprNode::Literal(name) => {
            name.to_string()
        }
        ExprNode::Local(name) => format!("'{name}"),
        ExprNode::Bound(index) => format!("#{index}"),
        ExprNode::App { head, args } => format!("({} {})", shown(expr, *head), list(expr.list(*args))),
        ExprNode::Pi { ty, body, .. } => format!("(Π {} {})", shown(expr, *ty), shown(expr, *body)),
        ExprNode::Lambda { ty, body, .. } => format!("(λ {} {})", shown(expr, *ty), shown(expr, *body)),
        ExprNode::Let { value, body, .. } => format!("(let {} {})", shown(expr, *value), shown(expr, *body)),
        ExprNode::Other { tag, parts } => format!("<{tag} {}>", list(expr.list(*parts))),
    }
}
