//! The abstract syntax of terms, before names and types are resolved.

use std::sync::Arc;

use num_bigint::BigUint;

use super::tactic::Block;
use crate::kernel::term::drop_deeper;

/// A name as written; dots included.
pub type Name = Arc<str>;

/// A range of the text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// A term and its position. Equality ignores positions.
#[derive(Clone, Debug)]
pub struct Expr {
    kind: ExprKind,
    span: Span,
    depth: u32,
}

impl Drop for Expr {
    /// Terms for printing may be nested as deeply as kernel terms.
    fn drop(&mut self) {
        /// Less nesting fits on any stack.
        const SHALLOW: u32 = 100;
        if self.depth > SHALLOW {
            drop_deeper(std::mem::replace(&mut self.kind, ExprKind::Hole));
        }
    }
}

impl Expr {
    /// A term.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let mut depth = 0;
        kind.for_children(|child| depth = depth.max(child.depth));
        Self { kind, span, depth: depth + 1 }
    }

    /// `by tactics`, with the nesting depth of terms within the tactics.
    pub fn by(block: Block, depth: u32, span: Span) -> Self {
        Self { kind: ExprKind::By(block), span, depth: depth + 1 }
    }

    /// The term in parentheses.
    pub fn within(self, span: Span) -> Self {
        let depth = self.depth;
        Self { kind: self.into_kind(), span, depth }
    }

    /// Its form.
    pub fn kind(&self) -> &ExprKind {
        &self.kind
    }

    /// Its form, by value.
    pub fn into_kind(mut self) -> ExprKind {
        std::mem::replace(&mut self.kind, ExprKind::Hole)
    }

    /// Its position.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The nesting depth of terms, and of tactics within them; 1 for a leaf.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The forms of terms.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A name: a constant, a variable, or one of them with fields.
    Ident(Name),
    /// `@name`: with all arguments explicit.
    Explicit(Name),
    /// A numeral.
    Num(BigUint),
    /// `_`: a hole for unification.
    Hole,
    /// `?x` or `?_`: becomes a goal.
    Synthetic(Option<Name>),
    /// `Prop`, `Type`, `Type n`, `Sort n`: the level is that of `Sort`.
    Sort(Universe),
    /// A function applied.
    App(Box<Expr>, Vec<Argument>),
    /// `fun x => t`
    Fun(Vec<Binders>, Box<Expr>),
    /// `∀ x, t`
    Forall(Vec<Binders>, Box<Expr>),
    /// `(x : T) → t`
    Pi(Box<Binders>, Box<Expr>),
    /// `∃ x, t`
    Exists(Vec<Binders>, Box<Expr>),
    /// `a → b`
    Arrow(Box<Expr>, Box<Expr>),
    /// An infix operator applied.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `¬ a`
    Not(Box<Expr>),
    /// `⟨a, b⟩`
    Anonymous(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `t.1` or `t.field`, where `t` is not a name
    Project(Box<Expr>, Name),
    /// `(t : T)`
    Ascription(Box<Expr>, Box<Expr>),
    /// `let x : T := v; t`
    Let(Name, Option<Box<Expr>>, Box<Expr>, Box<Expr>),
    /// `have h : T := v; t`
    Have(Option<Name>, Box<Expr>, Box<Expr>, Box<Expr>),
    /// `show T from t`
    Show(Box<Expr>, Box<Expr>),
    /// `by tactics`; `sorry` is `by sorry`
    By(Block),
}

impl ExprKind {
    /// Visits the direct subterms.
    pub fn for_children(&self, mut visit: impl FnMut(&Expr)) {
        match self {
            Self::Ident(_)
            | Self::Explicit(_)
            | Self::Num(_)
            | Self::Hole
            | Self::Synthetic(_)
            | Self::Sort(_)
            | Self::By(_) => {}
            Self::App(function, arguments) => {
                visit(function);
                for argument in arguments {
                    match argument {
                        Argument::Positional(term) | Argument::Named(_, term) => visit(term),
                    }
                }
            }
            Self::Fun(binders, body) | Self::Forall(binders, body) | Self::Exists(binders, body) => {
                binders.iter().filter_map(|b| b.ty.as_ref()).for_each(&mut visit);
                visit(body);
            }
            Self::Pi(binders, body) => {
                binders.ty.iter().for_each(&mut visit);
                visit(body);
            }
            Self::Arrow(a, b) | Self::Binary(_, a, b) | Self::Ascription(a, b) | Self::Show(a, b) => {
                visit(a);
                visit(b);
            }
            Self::Not(a) | Self::Project(a, _) => visit(a),
            Self::Anonymous(all) | Self::Tuple(all) | Self::List(all) => all.iter().for_each(visit),
            Self::Let(_, ty, value, body) => {
                ty.iter().for_each(|ty| visit(ty));
                visit(value);
                visit(body);
            }
            Self::Have(_, ty, value, body) => {
                visit(ty);
                visit(value);
                visit(body);
            }
        }
    }
}

/// A universe level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Universe {
    /// A number.
    Num(u32),
    /// A name: a parameter of the declaration.
    Name(Name),
    /// The next one.
    Succ(Box<Universe>),
    /// The higher one.
    Max(Box<Universe>, Box<Universe>),
    /// 0 if the second one is 0, else the higher one.
    IMax(Box<Universe>, Box<Universe>),
}

/// An argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// The next one.
    Positional(Expr),
    /// `(x := t)`
    Named(Name, Expr),
}

/// Variables with a common type: `(x y : T)`, `{x : T}`, or `x` alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Binders {
    /// Their names; `_` for those without.
    pub names: Vec<Name>,
    /// Their type, if given.
    pub ty: Option<Expr>,
    /// Whether they are implicit.
    pub implicit: bool,
}

/// The associativity of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// `a + b + c` is `(a + b) + c`.
    Left,
    /// `a ∧ b ∧ c` is `a ∧ (b ∧ c)`.
    Right,
    /// `a = b = c` is an error.
    None,
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident: $symbol:literal $(or $ascii:literal)?, $precedence:literal, $grouping:ident;)+) => {
        /// An infix operator.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Operator {
            $($(#[$doc])* $name),+
        }

        impl Operator {
            /// Every operator.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Its symbol.
            pub fn symbol(self) -> &'static str {
                match self { $(Self::$name => $symbol),+ }
            }

            /// Its symbols: the one it is printed with, and its spelling in ASCII, if that differs.
            pub fn symbols(self) -> &'static [&'static str] {
                match self { $(Self::$name => &[$symbol $(, $ascii)?]),+ }
            }

            /// The operator with a symbol.
            pub fn of_symbol(symbol: &str) -> Option<Self> {
                match symbol {
                    $($symbol => Some(Self::$name),)+
                    _ => None,
                }
            }

            /// Its precedence in Lean.
            pub fn precedence(self) -> u32 {
                match self { $(Self::$name => $precedence),+ }
            }

            /// Its associativity.
            pub fn grouping(self) -> Grouping {
                match self { $(Self::$name => Grouping::$grouping),+ }
            }
        }
    };
}

operators! {
    /// Equivalence.
    Iff: "↔" or "<->", 20, None;
    /// Disjunction.
    Or: "∨" or "\\/", 30, Right;
    /// Conjunction.
    And: "∧" or "/\\", 35, Right;
    /// The product of types.
    Prod: "×", 35, Right;
    /// Equality.
    Eq: "=", 50, None;
    /// Inequality.
    Ne: "≠", 50, None;
    /// At most.
    Le: "≤" or "<=", 50, None;
    /// At least.
    Ge: "≥" or ">=", 50, None;
    /// Less.
    Lt: "<", 50, None;
    /// Greater.
    Gt: ">", 50, None;
    /// Divides.
    Dvd: "∣", 50, None;
    /// Appending.
    Append: "++", 65, Left;
    /// Addition.
    Add: "+", 65, Left;
    /// Subtraction.
    Sub: "-", 65, Left;
    /// Prepending to a list.
    Cons: "::", 67, Right;
    /// Multiplication.
    Mul: "*", 70, Left;
    /// Division.
    Div: "/", 70, Left;
    /// Remainder.
    Mod: "%", 70, Left;
    /// Power.
    Pow: "^", 75, Right;
    /// Rewriting the type of the right side by the equation on the left.
    Subst: "▸", 75, Right;
}

/// A statement. Equality ignores positions.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its name; `None` for an `example`.
    pub name: Option<Name>,
    /// What comes before the colon.
    pub binders: Vec<Binders>,
    /// What comes after.
    pub ty: Expr,
    /// Its position, from `theorem` to the end of the type.
    pub span: Span,
}

impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.binders, &self.ty) == (&other.name, &other.binders, &other.ty)
    }
}
