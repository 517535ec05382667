//! Declarations of the kernel.

use super::OleanError;
use super::region::{Constructor, Natural, Node};

/// A declared constant.
#[derive(Clone, Debug)]
pub struct Constant<'r> {
    /// Its name.
    pub name: Node<'r>,
    /// The names of its universe parameters.
    pub parameters: Vec<Node<'r>>,
    /// Its type.
    pub statement: Node<'r>,
    /// What kind it is.
    pub kind: Kind<'r>,
}

/// How far Lean checks a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// Not checked: it may do anything.
    Unsafe,
    /// Checked.
    Safe,
    /// Not checked, since it need not end.
    Partial,
}

/// How eagerly the kernel unfolds a definition. It says nothing about what the definition means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hints {
    /// Never.
    Opaque,
    /// Before all others.
    Abbreviation,
    /// By its height: greater ones first.
    Regular(u32),
}

/// What kind of constant it is, with what only this kind has. Lists of names are in the order of their declaration.
#[derive(Clone, Debug)]
pub enum Kind<'r> {
    /// An axiom.
    Axiom {
        /// Whether Lean does not check it.
        is_unsafe: bool,
    },
    /// A definition.
    Definition {
        /// The value.
        value: Node<'r>,
        /// How eagerly the kernel unfolds it.
        hints: Hints,
        /// How far it is checked.
        safety: Safety,
        /// All definitions made together, this one included; likewise below.
        all: Node<'r>,
    },
    /// A theorem.
    Theorem {
        /// The value.
        value: Node<'r>,
        /// All that were made together.
        all: Node<'r>,
    },
    /// A definition that is never unfolded.
    Opaque {
        /// The value.
        value: Node<'r>,
        /// Whether Lean does not check it.
        is_unsafe: bool,
        /// All that were made together.
        all: Node<'r>,
    },
    /// One of the four constants of quotients.
    Quotient {
        /// Which of them.
        number: u8,
    },
    /// An inductive type.
    Inductive {
        /// Parameters, indices, and types made from nested occurrences.
        counts: [Natural<'r>; 3],
        /// All types declared together.
        all: Vec<Node<'r>>,
        /// Its constructors.
        constructors: Vec<Node<'r>>,
        /// Whether a constructor takes a value of the type itself.
        is_recursive: bool,
        /// Whether Lean does not check it.
        is_unsafe: bool,
        /// Whether one takes a function that returns such values.
        is_reflexive: bool,
    },
    /// A constructor.
    Constructor {
        /// Its type.
        of: Node<'r>,
        /// Its place among the constructors, parameters, and fields.
        counts: [Natural<'r>; 3],
        /// Whether Lean does not check it.
        is_unsafe: bool,
    },
    /// A recursor.
    Recursor {
        /// All types declared together.
        all: Vec<Node<'r>>,
        /// Parameters, indices, motives and minor premises.
        counts: [Natural<'r>; 4],
        /// How it computes.
        rules: Vec<Rule<'r>>,
        /// Whether it reduces without looking at the proof (as for equality).
        k: bool,
        /// Whether Lean does not check it.
        is_unsafe: bool,
    },
}

/// How a recursor computes on a constructor.
#[derive(Clone, Debug)]
pub struct Rule<'r> {
    /// The constructor.
    pub constructor: Node<'r>,
    /// The number of its fields.
    pub fields: Natural<'r>,
    /// What it computes to, as a function of parameters, motives, minor premises and fields.
    pub value: Node<'r>,
}

impl<'r> Constant<'r> {
    /// Reads a `ConstantInfo`.
    pub fn read(node: Node<'r>) -> Result<Self, OleanError> {
        const WHAT: &str = "a declaration";
        let info = node.constructor(WHAT, 1, 0)?;
        let of = info.field(0)?;
        let (kind, common) = match info.tag {
            0 => {
                let value = of.constructor("an axiom", 1, 1)?;
                (Kind::Axiom { is_unsafe: truth(&value, 0)? }, value)
            }
            1 => {
                let value = of.constructor("a definition", 4, 1)?;
                let safety = match value.byte(0)? {
                    0 => Safety::Unsafe,
                    1 => Safety::Safe,
                    2 => Safety::Partial,
                    _ => return Err(of.unlike("a definition")),
                };
                let kind = Kind::Definition {
                    value: value.field(1)?,
                    hints: Hints::read(value.field(2)?)?,
                    safety,
                    all: value.field(3)?,
                };
                (kind, value)
            }
            2 => {
                let value = of.constructor("a theorem", 3, 0)?;
                (Kind::Theorem { value: value.field(1)?, all: value.field(2)? }, value)
            }
            3 => {
                let value = of.constructor("an opaque constant", 3, 1)?;
                let is_unsafe = truth(&value, 0)?;
                (Kind::Opaque { value: value.field(1)?, is_unsafe, all: value.field(2)? }, value)
            }
            4 => {
                let value = of.constructor("a constant of quotients", 1, 1)?;
                (Kind::Quotient { number: value.byte(0)? }, value)
            }
            5 => {
                let value = of.constructor("an inductive type", 6, 3)?;
                let kind = Kind::Inductive {
                    counts: [number(&value, 1)?, number(&value, 2)?, number(&value, 5)?],
                    all: value.field(3)?.list("a list of names")?,
                    constructors: value.field(4)?.list("a list of names")?,
                    is_recursive: truth(&value, 0)?,
                    is_unsafe: truth(&value, 1)?,
                    is_reflexive: truth(&value, 2)?,
                };
                (kind, value)
            }
            6 => {
                let value = of.constructor("a constructor", 5, 1)?;
                let counts = [number(&value, 2)?, number(&value, 3)?, number(&value, 4)?];
                (Kind::Constructor { of: value.field(1)?, counts, is_unsafe: truth(&value, 0)? }, value)
            }
            7 => {
                let value = of.constructor("a recursor", 7, 2)?;
                let rules = value.field(6)?.list("a list of rules")?;
                let kind = Kind::Recursor {
                    all: value.field(1)?.list("a list of names")?,
                    counts: [number(&value, 2)?, number(&value, 3)?, number(&value, 4)?, number(&value, 5)?],
                    rules: rules.into_iter().map(Rule::read).collect::<Result<_, _>>()?,
                    k: truth(&value, 0)?,
                    is_unsafe: truth(&value, 1)?,
                };
                (kind, value)
            }
            _ => return Err(node.unlike(WHAT)),
        };
        // Every kind begins with name, universe parameters and type.
        let common = common.field(0)?.constructor("the beginning of a declaration", 3, 0)?;
        let parameters = common.field(1)?.list("a list of names")?;
        Ok(Self { name: common.field(0)?, parameters, statement: common.field(2)?, kind })
    }

    /// The name in a `ConstantInfo`.
    pub fn name(node: Node<'r>) -> Result<Node<'r>, OleanError> {
        let of = node.constructor("a declaration", 1, 0)?.field(0)?;
        let common = of.any_constructor("a declaration")?.field(0)?;
        common.constructor("the beginning of a declaration", 3, 0)?.field(0)
    }

    /// Whether Lean does not check it as it checks a proof.
    pub fn is_unsafe(&self) -> bool {
        match &self.kind {
            Kind::Definition { safety, .. } => *safety != Safety::Safe,
            Kind::Theorem { .. } | Kind::Quotient { .. } => false,
            Kind::Axiom { is_unsafe }
            | Kind::Opaque { is_unsafe, .. }
            | Kind::Inductive { is_unsafe, .. }
            | Kind::Constructor { is_unsafe, .. }
            | Kind::Recursor { is_unsafe, .. } => *is_unsafe,
        }
    }
}

impl Hints {
    fn read(node: Node<'_>) -> Result<Self, OleanError> {
        const WHAT: &str = "a hint of a definition";
        match node.small() {
            Some(0) => Ok(Self::Opaque),
            Some(1) => Ok(Self::Abbreviation),
            Some(_) => Err(node.unlike(WHAT)),
            None => {
                let height = node.constructor(WHAT, 0, 4)?;
                let [a, b, c, d] = [0, 1, 2, 3].map(|offset| height.byte(offset));
                match height.tag {
                    2 => Ok(Self::Regular(u32::from_le_bytes([a?, b?, c?, d?]))),
                    _ => Err(node.unlike(WHAT)),
                }
            }
        }
    }
}

impl<'r> Rule<'r> {
    fn read(node: Node<'r>) -> Result<Self, OleanError> {
        let rule = node.constructor("a rule of a recursor", 3, 0)?;
        Ok(Self { constructor: rule.field(0)?, fields: number(&rule, 1)?, value: rule.field(2)? })
    }
}

fn number<'r>(of: &Constructor<'r>, index: usize) -> Result<Natural<'r>, OleanError> {
    of.field(index)?.natural("a number")
}

fn truth(of: &Constructor<'_>, offset: usize) -> Result<bool, OleanError> {
    Ok(of.byte(offset)? != 0)
}
