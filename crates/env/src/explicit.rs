//! Reading the form that a proof assistant prints with everything shown: what the readers of all systems have in common.
//!
//! Everything is a prefix application then, with binders, literals and metavariables; each system adds its own forms in a
//! reader around a [`Cursor`].

use std::collections::HashSet;
use std::ops::DerefMut;

use andor_core::expr::{Expr, ExprBuilder, ExprId, ExprNode};

/// Terms nested deeper than this are left as text.
pub const MAX_DEPTH: usize = 20_000;

/// A reader is recursive: with less stack than this, it continues on a new segment of this size.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// An identifier, possibly qualified; also a keyword.
    Word(&'a str),
    /// A number, a string or a character.
    Literal(&'a str),
    /// A metavariable, with its question mark.
    Meta(&'a str),
    /// Anything else.
    Symbol(&'a str),
}

impl<'a> Token<'a> {
    /// Its text.
    pub fn text(self) -> &'a str {
        match self {
            Self::Word(text) | Self::Literal(text) | Self::Meta(text) | Self::Symbol(text) => text,
        }
    }
}

/// A term being read, and how far.
pub struct Cursor<'a> {
    /// Its tokens.
    pub tokens: &'a [Token<'a>],
    /// The next of them.
    pub at: usize,
    /// The names of the goal's context.
    pub locals: &'a HashSet<&'a str>,
    /// Names of the binders around, innermost last.
    pub bound: Vec<&'a str>,
    /// How deep it is in brackets and binders.
    pub depth: usize,
    /// The remaining number of atoms. What is read again counts again, which bounds the time.
    fuel: usize,
    /// What was read.
    pub builder: ExprBuilder,
}

/// Reads all tokens by `read`. `None` if they do not have the expected form.
pub fn all<'a, R: From<Cursor<'a>> + DerefMut<Target = Cursor<'a>>>(
    tokens: &'a [Token<'a>],
    locals: &'a HashSet<&'a str>,
    read: impl FnOnce(&mut R) -> Option<ExprId>,
) -> Option<Expr> {
    let mut reader = R::from(Cursor {
        tokens,
        at: 0,
        locals,
        bound: Vec::new(),
        depth: 0,
        fuel: 20 * tokens.len(),
        builder: ExprBuilder::new(),
    });
    let root = read(&mut reader)?;
    (reader.at == tokens.len()).then(|| std::mem::take(&mut reader.builder).finish(root))
}

/// Reads one level deeper, if that is allowed.
pub fn deeper<'a, R: DerefMut<Target = Cursor<'a>>>(
    reader: &mut R,
    read: impl FnOnce(&mut R) -> Option<ExprId>,
) -> Option<ExprId> {
    if reader.depth >= MAX_DEPTH {
        return None;
    }
    reader.depth += 1;
    let found = stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, || read(reader));
    reader.depth -= 1;
    found
}

impl<'a> Cursor<'a> {
    /// The next token.
    pub fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    /// Reads this symbol, if it is next.
    pub fn symbol(&mut self, symbol: &str) -> Option<()> {
        (self.peek()? == Token::Symbol(symbol)).then(|| self.at += 1)
    }

    /// Reads this word, if it is next.
    pub fn word(&mut self, word: &str) -> Option<()> {
        (self.peek()? == Token::Word(word)).then(|| self.at += 1)
    }

    /// Counts an atom, if there may be another one.
    pub fn burn(&mut self) -> Option<()> {
        self.fuel = self.fuel.checked_sub(1)?;
        Some(())
    }

    /// The index of a bound variable.
    pub fn bound(&self, word: &str) -> Option<u32> {
        let index = self.bound.iter().rev().position(|bound| *bound == word)?;
        Some(u32::try_from(index).expect("depth is bounded"))
    }
}

/// An expression in a compact notation, for tests of readers.
pub fn shown(expr: &Expr, id: ExprId) -> String {
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
