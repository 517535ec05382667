//! Kernel terms and universe levels, read one layer at a time.

use std::borrow::Cow;

use super::OleanError;
use super::region::{Constructor, Natural, Node};

/// A universe level.
#[derive(Clone, Copy, Debug)]
pub enum Level<'r> {
    /// 0.
    Zero,
    /// One more than another.
    Successor(Node<'r>),
    /// The maximum of two.
    Max(Node<'r>, Node<'r>),
    /// The same, but 0 if the second is 0.
    IMax(Node<'r>, Node<'r>),
    /// A universe parameter, by its name.
    Parameter(Node<'r>),
}

/// A literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal<'r> {
    /// A number.
    Natural(Natural<'r>),
    /// A text.
    Text(Cow<'r, str>),
}

/// A term without its annotations. Names of bound variables and binder kinds have no meaning in the kernel and are
/// left out.
#[derive(Clone, Debug)]
pub enum Term<'r> {
    /// A bound variable, by the number of binders between.
    Bound(Natural<'r>),
    /// A universe, of this level.
    Sort(Node<'r>),
    /// A constant: its name and its list of levels.
    Constant(Node<'r>, Node<'r>),
    /// A function and its argument.
    Application(Node<'r>, Node<'r>),
    /// The type of the variable, and the body.
    Lambda(Node<'r>, Node<'r>),
    /// The type of the variable, and the type of the result.
    Pi(Node<'r>, Node<'r>),
    /// The type of the variable, its value, and the body.
    Let(Node<'r>, Node<'r>, Node<'r>),
    /// A literal.
    Literal(Literal<'r>),
    /// The structure's name, the number of the field, and the value.
    Projection(Node<'r>, Natural<'r>, Node<'r>),
}

/// The size of what every level and every term caches, in bytes.
const CACHED: usize = 8;

/// What a bound variable is called, and how its argument is given. Neither has a meaning in the kernel.
#[derive(Clone, Copy, Debug)]
pub struct Binder<'r> {
    /// What the variable is called.
    pub name: Node<'r>,
    /// In the order of Lean's `BinderInfo`: in parentheses, implicit, strictly implicit, an instance.
    pub kind: u8,
}

impl<'r> Level<'r> {
    /// Reads it.
    pub fn read(node: Node<'r>) -> Result<Self, OleanError> {
        const WHAT: &str = "a universe level";
        if node.small() == Some(0) {
            return Ok(Self::Zero);
        }
        let level = node.any_constructor(WHAT)?;
        Ok(match (level.tag, level.len()) {
            (0, 0) => Self::Zero,
            (1, 1) => Self::Successor(level.field(0)?),
            (2, 2) => Self::Max(level.field(0)?, level.field(1)?),
            (3, 2) => Self::IMax(level.field(0)?, level.field(1)?),
            (4, 1) => Self::Parameter(level.field(0)?),
            // Metavariables do not occur in declarations.
            _ => return Err(node.unlike(WHAT)),
        })
    }
}

impl<'r> Term<'r> {
    /// Reads it.
    pub fn read(node: Node<'r>) -> Result<Self, OleanError> {
        let term = plain(node)?;
        Ok(match (term.tag, term.len()) {
            (0, 1) => Self::Bound(term.field(0)?.natural("a number of a variable")?),
            (3, 1) => Self::Sort(term.field(0)?),
            (4, 2) => Self::Constant(term.field(0)?, term.field(1)?),
            (5, 2) => Self::Application(term.field(0)?, term.field(1)?),
            (6, 3) => Self::Lambda(term.field(1)?, term.field(2)?),
            (7, 3) => Self::Pi(term.field(1)?, term.field(2)?),
            (8, 4) => Self::Let(term.field(1)?, term.field(2)?, term.field(3)?),
            (9, 1) => Self::Literal(Literal::read(term.field(0)?)?),
            (11, 3) => {
                let field = term.field(1)?.natural("the number of a field")?;
                Self::Projection(term.field(0)?, field, term.field(2)?)
            }
            // Neither free variables nor metavariables occur in declarations.
            _ => return Err(node.unlike(TERM)),
        })
    }
}

/// What a term is called in messages.
const TERM: &str = "a term";

/// A term without the annotations around it, which have no meaning.
fn plain(mut node: Node<'_>) -> Result<Constructor<'_>, OleanError> {
    loop {
        let term = node.any_constructor(TERM)?;
        term.byte(CACHED - 1)?;
        match (term.tag, term.len()) {
            (10, 2) => node = term.field(1)?,
            _ => return Ok(term),
        }
    }
}

impl<'r> Binder<'r> {
    /// Reads it from a term that binds a variable.
    pub fn read(node: Node<'r>) -> Result<Self, OleanError> {
        let term = plain(node)?;
        let kind = match (term.tag, term.len()) {
            (6 | 7, 3) => term.byte(CACHED)?,
            (8, 4) => 0,
            _ => return Err(node.unlike("a term that binds a variable")),
        };
        Ok(Self { name: term.field(0)?, kind })
    }
}

impl<'r> Literal<'r> {
    fn read(node: Node<'r>) -> Result<Self, OleanError> {
        let literal = node.constructor("a literal", 1, 0)?;
        let value = literal.field(0)?;
        match literal.tag {
            0 => Ok(Self::Natural(value.natural("a number")?)),
            1 => Ok(Self::Text(value.text("a text")?)),
            _ => Err(node.unlike("a literal")),
        }
    }
}
