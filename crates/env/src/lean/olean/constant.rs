//! Declarations of the kernel.

use super::OleanError;
use super::region::{Constructor, Natural, Node};

/// A declared constant.
#[derive(Clone, Debug)]
pub(in crate::lean) struct Constant<'r> {
    pub(in crate::lean) name: Node<'r>,
    /// The names of its universe parameters.
    pub(in crate::lean) parameters: Vec<Node<'r>>,
    pub(in crate::lean) statement: Node<'r>,
    pub(in crate::lean) kind: Kind<'r>,
}

/// How far Lean checks a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lean) enum Safety {
    Unsafe,
    Safe,
    Partial,
}

/// How eagerly the kernel unfolds a definition. It says nothing about what the definition means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lean) enum Hints {
    Opaque,
    Abbreviation,
    /// By its height: greater ones first.
    Regular(u32),
}

/// What kind of constant it is, with what only this kind has. Lists of names are in the order of their declaration.
#[derive(Clone, Debug)]
pub(in crate::lean) enum Kind<'r> {
    Axiom {
        is_unsafe: bool,
    },
    Definition {
        value: Node<'r>,
        /// How eagerly the kernel unfolds it.
        hints: Hints,
        safety: Safety,
        /// All definitions made together, this one included; likewise below.
        all: Node<'r>,
    },
    Theorem {
        value: Node<'r>,
        all: Node<'r>,
    },
    Opaque {
        value: Node<'r>,
        is_unsafe: bool,
        all: Node<'r>,
    },
    /// One of the four constants of quotients.
    Quotient {
        number: u8,
    },
    Inductive {
        /// Parameters, indices, and types made from nested occurrences.
        counts: [Natural<'r>; 3],
        /// All types declared together.
        all: Vec<Node<'r>>,
        constructors: Vec<Node<'r>>,
        is_recursive: bool,
        is_unsafe: bool,
        is_reflexive: bool,
    },
    Constructor {
        of: Node<'r>,
        /// Its place among the constructors, parameters, and fields.
        counts: [Natural<'r>; 3],
        is_unsafe: bool,
    },
    Recursor {
        all: Vec<Node<'r>>,
        /// Parameters, indices, motives and minor premises.
        counts: [Natural<'r>; 4],
        rules: Vec<Rule<'r>>,
        /// Whether it reduces without looking at the proof (as for equality).
        k: bool,
        is_unsafe: bool,
    },
}

/// How a recursor computes on a constructor.
#[derive(Clone, Debug)]
pub(in crate::lean) struct Rule<'r> {
    pub(in crate::lean) constructor: Node<'r>,
    pub(in crate::lean) fields: Natural<'r>,
    pub(in crate::lean) value: Node<'r>,
}

impl<'r> Constant<'r> {
    /// Reads a `ConstantInfo`.
    pub(in crate::lean) fn read(node: Node<'r>) -> Result<Self, OleanError> {
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
    pub(in crate::lean) fn name(node: Node<'r>) -> Result<Node<'r>, OleanError> {
        let of = node.constructor("a declaration", 1, 0)?.field(0)?;
        let common = of.any_constructor("a declaration")?.field(0)?;
        common.constructor("the beginning of a declaration", 3, 0)?.field(0)
    }

    /// Whether Lean does not check it as it checks a proof.
    pub(in crate::lean) fn is_unsafe(&self) -> bool {
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
