//! The abstract syntax of tactics and commands, before names and types are resolved.

use super::ast::{Binders, Expr, Name, Span, Statement};

/// Tactics, one after the other.
pub type Block = Vec<Tactic>;

/// A tactic and its position. Equality ignores positions.
#[derive(Clone, Debug)]
pub struct Tactic {
    /// Its form.
    pub kind: TacticKind,
    /// Its position.
    pub span: Span,
}

impl PartialEq for Tactic {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The forms of tactics.
#[derive(Clone, PartialEq, Debug)]
pub enum TacticKind {
    /// `intro x ⟨a, b⟩ _`; without patterns, one variable without a name.
    Intro(Vec<Pattern>),
    /// `rintro x ⟨a, b⟩ rfl`
    RIntro(Vec<Pattern>),
    /// `intros x y`; without names, all of them.
    Intros(Vec<Name>),
    /// `exact t`
    Exact(Expr),
    /// `apply t`
    Apply(Expr),
    /// `refine t`
    Refine(Expr),
    /// `assumption`
    Assumption,
    /// `constructor`
    Constructor,
    /// `left`
    Left,
    /// `right`
    Right,
    /// `exists a, b`
    Exists(Vec<Expr>),
    /// `use a, b`
    Use(Vec<Expr>),
    /// `exfalso`
    Exfalso,
    /// `contradiction`
    Contradiction,
    /// `absurd h`
    Absurd(Expr),
    /// `trivial`
    Trivial,
    /// `rfl`
    Rfl,
    /// `symm`, `symm at h`
    Symm(Location),
    /// `cases h with | inl a => … | inr b => …`
    Cases {
        /// `h :` before the target.
        equation: Option<Name>,
        /// The target.
        target: Expr,
        /// The alternatives after `with`.
        alternatives: Option<Vec<Alternative>>,
    },
    /// `induction n generalizing m with | zero => … | succ n ih => …`
    Induction {
        /// The target.
        target: Expr,
        /// The variables to generalize.
        generalizing: Vec<Name>,
        /// The alternatives after `with`.
        alternatives: Option<Vec<Alternative>>,
    },
    /// `rcases t with p`, and `obtain p := t`
    RCases(Expr, Pattern),
    /// `obtain p : T`, where the type becomes the first goal
    Obtain(Pattern, Expr),
    /// `generalize h : t = x`
    Generalize {
        /// `h`
        equation: Option<Name>,
        /// `t`
        term: Expr,
        /// `x`
        name: Name,
    },
    /// `subst h`
    Subst(Vec<Expr>),
    /// `rw [a, ← b] at h`; `rewrite` does not try `rfl` afterwards
    Rewrite {
        /// The equations.
        rules: Vec<Rule>,
        /// The location.
        at: Location,
        /// Whether `rfl` is tried afterwards.
        closes: bool,
    },
    /// `simp [a, ← b, -c] at h`, `simp only [a] at h`
    Simp {
        /// Whether it is `only`, without the default rules.
        only: bool,
        /// The arguments.
        arguments: Vec<SimpArgument>,
        /// The location.
        at: Location,
    },
    /// `simp_all [a]`
    SimpAll {
        /// Whether it is `only`, without the default rules.
        only: bool,
        /// The arguments.
        arguments: Vec<SimpArgument>,
    },
    /// `simpa [a] using t`
    Simpa {
        /// Whether it is `only`, without the default rules.
        only: bool,
        /// The arguments.
        arguments: Vec<SimpArgument>,
        /// The term after `using`.
        using: Option<Expr>,
    },
    /// `unfold f g at h`
    Unfold(Vec<Name>, Location),
    /// `show T`
    Show(Expr),
    /// `change T at h`
    Change(Expr, Location),
    /// `have p : T := t`
    Have {
        /// The name or pattern; `this` when there is none.
        pattern: Option<Pattern>,
        /// `T`
        ty: Option<Expr>,
        /// `t`; without it, `T` becomes the first goal.
        value: Option<Expr>,
    },
    /// `let x : T := t`
    Let {
        /// `x`
        name: Name,
        /// `T`
        ty: Option<Expr>,
        /// `t`
        value: Expr,
    },
    /// `suffices h : T`, followed by `from t`, `by …` or nothing
    Suffices {
        /// `h`
        name: Option<Name>,
        /// `T`
        ty: Expr,
        /// The proof of the goal from it.
        from: Option<Expr>,
    },
    /// `by_cases h : p`
    ByCases(Option<Name>, Expr),
    /// `by_contra h`
    ByContra(Option<Name>),
    /// `decide`
    Decide,
    /// `omega`
    Omega,
    /// `ring`
    Ring,
    /// `funext x y`, and `ext x y`
    Funext(Vec<Name>),
    /// `injection h with a b`
    Injection(Expr, Vec<Name>),
    /// `specialize h a b`
    Specialize(Expr),
    /// `clear h k`
    Clear(Vec<Name>),
    /// `revert h k`
    Revert(Vec<Name>),
    /// `rename_i x y`
    RenameI(Vec<Name>),
    /// `calc a = b := p; _ = c := q`, a step per line
    Calc(Vec<(Expr, Expr)>),
    /// `repeat t`
    Repeat(Block),
    /// `try t`
    Try(Block),
    /// `first | a | b`
    First(Vec<Block>),
    /// `a <;> b`
    Then(Box<Tactic>, Box<Tactic>),
    /// `all_goals t`
    AllGoals(Block),
    /// `any_goals t`
    AnyGoals(Block),
    /// `focus t`
    Focus(Block),
    /// `· t`, and `{ t }`: the first goal alone, which must be closed
    Bullet(Block),
    /// `(a; b)`
    Paren(Block),
    /// `case tag x y => t`
    Case {
        /// The tag; `_` is the first goal.
        tag: Name,
        /// Names for the last variables without accessible names.
        names: Vec<Name>,
        /// The tactics that close the goal.
        block: Block,
    },
    /// `next x y => t`
    Next(Vec<Name>, Block),
    /// `rotate_left n`; negative for `rotate_right`
    Rotate(i32),
    /// `skip`
    Skip,
    /// `done`
    Done,
    /// `sorry`, and `admit`
    Sorry,
}

/// A pattern for a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// `x`
    Name(Name),
    /// `_`: a variable without accessible name
    Wildcard,
    /// `-`: clears the variable
    Clear,
    /// `rfl`: substitutes by the equation
    Rfl,
    /// `⟨a, b⟩`
    Tuple(Vec<Pattern>),
    /// `(a | b)`
    Alternatives(Vec<Pattern>),
    /// `(p : T)`
    Typed(Box<Pattern>, Expr),
}

impl Pattern {
    /// Whether it can be read as a term.
    pub fn is_term(&self) -> bool {
        match self {
            Self::Name(_) | Self::Wildcard | Self::Rfl => true,
            Self::Clear | Self::Alternatives(_) => false,
            Self::Tuple(parts) => parts.iter().all(Self::is_term),
            Self::Typed(pattern, _) => pattern.is_term(),
        }
    }
}

/// A case of `cases` or `induction`.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative {
    /// The constructors; `_` for all remaining ones.
    pub constructors: Vec<Name>,
    /// Names of their arguments; `_` for none.
    pub names: Vec<Name>,
    /// Its proof.
    pub proof: AlternativeProof,
}

/// The right side of an alternative, after `=>`.
#[derive(Clone, PartialEq, Debug)]
pub enum AlternativeProof {
    /// `?x` or `_`: left as a goal
    Goal,
    /// Tactics, which must close it.
    Block(Block),
}

/// An equation to rewrite by.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// Whether it is used from right to left.
    pub reversed: bool,
    /// The equation.
    pub term: Expr,
}

/// An argument of `simp`.
#[derive(Clone, PartialEq, Debug)]
pub enum SimpArgument {
    /// `h`, `← h`: a lemma, a hypothesis, or a definition to unfold
    Rule(Rule),
    /// `-h`: not to be used
    Without(Name),
    /// `*`: all hypotheses
    Hypotheses,
}

/// The location of a tactic.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Hypotheses by name.
    pub hypotheses: Vec<Name>,
    /// Whether the goal is included: without `at`, or with `⊢`.
    pub goal: bool,
    /// `at *`: everywhere.
    pub everywhere: bool,
}

impl Location {
    /// The goal.
    pub fn goal() -> Self {
        Self { hypotheses: Vec::new(), goal: true, everywhere: false }
    }
}

/// A command of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Command {
    /// Its form.
    pub kind: CommandKind,
    /// Its position, without its comment.
    pub span: Span,
}

/// What `@[…]` says of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// `simp` uses it by default.
    Simp,
    /// A definition is unfolded wherever terms are compared.
    Reducible,
}

/// The forms of commands.
#[derive(Clone, PartialEq, Debug)]
pub enum CommandKind {
    /// `theorem`, `lemma` or `example`
    Theorem {
        /// Its statement.
        statement: Statement,
        /// The proof, a term; `by …` is one.
        proof: Expr,
        /// `@[simp]` and the like.
        attributes: Vec<Attribute>,
    },
    /// `def f binders : T := t`
    Definition {
        /// `f`
        name: Name,
        /// The binders before the colon.
        binders: Vec<Binders>,
        /// `T`
        ty: Option<Expr>,
        /// `t`
        value: Expr,
        /// `@[simp]`, `@[reducible]` and the like; `abbrev` is `reducible`.
        attributes: Vec<Attribute>,
    },
    /// `axiom a binders : T`
    Axiom(Statement),
    /// `inductive T params : indices → Sort where | c fields : result …`
    Inductive {
        /// `T`
        name: Name,
        /// The binders before the colon.
        params: Vec<Binders>,
        /// The type after the colon; `Type` by default.
        ty: Option<Expr>,
        /// The constructors: names, binders, and result types.
        constructors: Vec<(Name, Vec<Binders>, Option<Expr>)>,
    },
    /// `attribute [simp] a b`
    Attribute(Vec<Attribute>, Vec<Name>),
}
