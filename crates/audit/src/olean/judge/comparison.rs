//! The comparison of submission and challenge: the theorems must have the same statements, term for term, and everything
//! that the statements depend on must be declared in the same way.
//!
//! Names of bound variables, binder kinds, annotations and the names of universe parameters do not count. Definitions
//! and theorems inside a statement may have other names, as those that Lean makes up do when a file declares more than
//! its challenge: what a definition means is its value, and all proofs of a statement are equal.

use std::collections::{BTreeSet, HashSet};

use super::Side;
use crate::olean::{Address, Constant, Kind, Level, Literal, Name, Node, OleanError, Term};

/// How a submission differs from its challenge.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Difference {
    #[error("the submission has no theorem `{0}`")]
    Missing(Name),
    #[error("`{0}` is an axiom in the submission")]
    Unproved(Name),
    #[error("`{0}` is {1} in the submission and {2} in the challenge")]
    Kind(Name, &'static str, &'static str),
    #[error("`{0}` has a different statement in the submission")]
    Statement(Name),
    #[error("`{0}`, on which the statement depends, is declared differently in the submission")]
    Declaration(Name),
    #[error("the statement refers to `{1}` in the submission where the challenge has `{0}`")]
    Constant(Name, Name),
    #[error("`{0}`, on which the statement depends, is imported by one file and declared by the other")]
    Origin(Name),
}

/// Why a comparison ends.
pub(super) enum Stop {
    Differs(Difference),
    Unreadable(OleanError),
}

impl From<OleanError> for Stop {
    fn from(error: OleanError) -> Self {
        Self::Unreadable(error)
    }
}

/// Compares theorems of the challenge with those of the submission. Returns the imported constants that their statements
/// depend on directly.
pub(super) fn theorems(
    challenge: &Side<'_>,
    submission: &Side<'_>,
    theorems: &[(Name, Name)],
) -> Result<BTreeSet<Name>, Stop> {
    let mut comparison = Comparison::new(challenge, submission);
    for (stated, submitted) in theorems {
        comparison.theorem(stated, submitted)?;
    }
    comparison.complete()
}

/// Compares axioms of the submission with those of the same name in the challenge. Returns the same.
pub(super) fn axioms(
    challenge: &Side<'_>,
    submission: &Side<'_>,
    axioms: &BTreeSet<Name>,
) -> Result<BTreeSet<Name>, Stop> {
    let mut comparison = Comparison::new(challenge, submission);
    for axiom in axioms {
        comparison.pair(axiom.clone(), axiom.clone());
    }
    comparison.complete()
}

struct Comparison<'a, 'm> {
    challenge: &'a Side<'m>,
    submission: &'a Side<'m>,
    /// Pairs of constants that remain to be compared.
    open: Vec<(Name, Name)>,
    /// All pairs so far.
    met: HashSet<(Name, Name)>,
    imported: BTreeSet<Name>,
}

/// The universe parameters of two declarations, in order.
struct Parameters(Vec<Name>, Vec<Name>);

impl<'a, 'm> Comparison<'a, 'm> {
    fn new(challenge: &'a Side<'m>, submission: &'a Side<'m>) -> Self {
        let (open, met, imported) = (Vec::new(), HashSet::new(), BTreeSet::new());
        Self { challenge, submission, open, met, imported }
    }

    /// Compares all that remains.
    fn complete(mut self) -> Result<BTreeSet<Name>, Stop> {
        while let Some((stated, submitted)) = self.open.pop() {
            self.constants(&stated, &submitted)?;
        }
        Ok(self.imported)
    }

    fn theorem(&mut self, name: &Name, submitted: &Name) -> Result<(), Stop> {
        let missing = || Stop::Differs(Difference::Missing(name.clone()));
        let stated = Constant::read(*self.challenge.constants.get(name).ok_or_else(missing)?)?;
        let submitted = Constant::read(*self.submission.constants.get(submitted).ok_or_else(missing)?)?;
        match (&stated.kind, &submitted.kind) {
            (_, Kind::Axiom { .. }) => return Err(Stop::Differs(Difference::Unproved(name.clone()))),
            (Kind::Theorem { .. } | Kind::Axiom { .. } | Kind::Definition { .. }, Kind::Theorem { .. })
            | (Kind::Definition { .. }, Kind::Definition { .. }) => {}
            (stated, submitted) => {
                let kinds = (kind(submitted), kind(stated));
                return Err(Stop::Differs(Difference::Kind(name.clone(), kinds.0, kinds.1)));
            }
        }
        let differs = || Stop::Differs(Difference::Statement(name.clone()));
        let parameters = self.parameters(&stated, &submitted)?.ok_or_else(differs)?;
        match self.terms(vec![(stated.statement, submitted.statement)], &parameters)? {
            true => Ok(()),
            false => Err(differs()),
        }
    }

    /// Compares two constants that occur at the same place.
    fn constants(&mut self, stated: &Name, submitted: &Name) -> Result<(), Stop> {
        let here = self.challenge.constants.get(stated);
        let there = self.submission.constants.get(submitted);
        let (here, there) = match (here, there) {
            (Some(here), Some(there)) => (Constant::read(*here)?, Constant::read(*there)?),
            (None, None) if stated == submitted => {
                self.imported.insert(stated.clone());
                return Ok(());
            }
            (None, None) => {
                return Err(Stop::Differs(Difference::Constant(stated.clone(), submitted.clone())));
            }
            _ => return Err(Stop::Differs(Difference::Origin(stated.clone()))),
        };
        let by_content = matches!(
            (&here.kind, &there.kind),
            (Kind::Definition { .. }, Kind::Definition { .. }) | (Kind::Theorem { .. }, Kind::Theorem { .. })
        );
        if stated != submitted && !by_content {
            return Err(Stop::Differs(Difference::Constant(stated.clone(), submitted.clone())));
        }
        match self.declarations(&here, &there)? {
            true => Ok(()),
            false => Err(Stop::Differs(Difference::Declaration(stated.clone()))),
        }
    }

    fn declarations(&mut self, here: &Constant<'_>, there: &Constant<'_>) -> Result<bool, Stop> {
        let Some(parameters) = self.parameters(here, there)? else { return Ok(false) };
        let mut terms = vec![(here.statement, there.statement)];
        let same = match (&here.kind, &there.kind) {
            (Kind::Axiom { is_unsafe: a }, Kind::Axiom { is_unsafe: b }) => a == b,
            (Kind::Definition { value: a, safety: s, .. }, Kind::Definition { value: b, safety: t, .. }) => {
                terms.push((*a, *b));
                s == t
            }
            (Kind::Theorem { .. }, Kind::Theorem { .. }) => true,
            (Kind::Opaque { value: a, is_unsafe: s, .. }, Kind::Opaque { value: b, is_unsafe: t, .. }) => {
                terms.push((*a, *b));
                s == t
            }
            (Kind::Quotient { number: a }, Kind::Quotient { number: b }) => a == b,
            (
                Kind::Inductive {
                    counts: a,
                    all: b,
                    constructors: c,
                    is_recursive: d,
                    is_unsafe: e,
                    is_reflexive: f,
                },
                Kind::Inductive {
                    counts: s,
                    all: t,
                    constructors: u,
                    is_recursive: v,
                    is_unsafe: w,
                    is_reflexive: x,
                },
            ) => a == s && (d, e, f) == (v, w, x) && self.lists(b, t)? && self.lists(c, u)?,
            (
                Kind::Constructor { of: a, counts: b, is_unsafe: c },
                Kind::Constructor { of: s, counts: t, is_unsafe: u },
            ) => (b, c) == (t, u) && self.lists(&[*a], &[*s])?,
            (
                Kind::Recursor { all: a, counts: b, rules: c, k: d, is_unsafe: e },
                Kind::Recursor { all: s, counts: t, rules: u, k: v, is_unsafe: w },
            ) => {
                let rules = c.iter().zip(u);
                terms.extend(rules.clone().map(|(rule, other)| (rule.value, other.value)));
                let fields = rules.clone().all(|(rule, other)| rule.fields == other.fields);
                let ([ours, theirs], fields) = (
                    [c, u].map(|rules| rules.iter().map(|rule| rule.constructor).collect::<Vec<_>>()),
                    fields && c.len() == u.len(),
                );
                (b, d, e) == (t, v, w) && fields && self.lists(a, s)? && self.lists(&ours, &theirs)?
            }
            _ => false,
        };
        Ok(same && self.terms(terms, &parameters)?)
    }

    /// Whether two terms of each pair are equal, provided that the pairs of constants in `open` are.
    fn terms(&mut self, mut open: Vec<(Node<'_>, Node<'_>)>, parameters: &Parameters) -> Result<bool, Stop> {
        let mut seen: HashSet<(Address, Address)> = HashSet::new();
        while let Some((here, there)) = open.pop() {
            if !seen.insert((here.address(), there.address())) {
                continue;
            }
            match (Term::read(here)?, Term::read(there)?) {
                (Term::Bound(a), Term::Bound(b)) if a == b => {}
                (Term::Literal(a), Term::Literal(b)) if a == b => self.literal(a),
                (Term::Sort(a), Term::Sort(b)) if self.levels(a, b, parameters)? => {}
                (Term::Constant(a, ours), Term::Constant(b, theirs)) => {
                    let (ours, theirs) = (ours.list("levels")?, theirs.list("levels")?);
                    if ours.len() != theirs.len() {
                        return Ok(false);
                    }
                    for (a, b) in ours.into_iter().zip(theirs) {
                        if !self.levels(a, b, parameters)? {
                            return Ok(false);
                        }
                    }
                    self.names(a, b)?;
                }
                (Term::Application(a, b), Term::Application(s, t))
                | (Term::Lambda(a, b), Term::Lambda(s, t))
                | (Term::Pi(a, b), Term::Pi(s, t)) => open.extend([(b, t), (a, s)]),
                (Term::Let(a, b, c), Term::Let(s, t, u)) => open.extend([(c, u), (b, t), (a, s)]),
                (Term::Projection(a, b, c), Term::Projection(s, t, u)) if b == t => {
                    self.names(a, s)?;
                    open.push((c, u));
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn levels(&self, here: Node<'_>, there: Node<'_>, parameters: &Parameters) -> Result<bool, Stop> {
        let mut open = vec![(here, there)];
        let mut seen = HashSet::new();
        while let Some((here, there)) = open.pop() {
            if !seen.insert((here.address(), there.address())) {
                continue;
            }
            match (Level::read(here)?, Level::read(there)?) {
                (Level::Zero, Level::Zero) => {}
                (Level::Successor(a), Level::Successor(b)) => open.push((a, b)),
                (Level::Max(a, b), Level::Max(s, t)) | (Level::IMax(a, b), Level::IMax(s, t)) => {
                    open.extend([(a, s), (b, t)]);
                }
                (Level::Parameter(a), Level::Parameter(b)) => {
                    let (a, b) = (self.challenge.name(a)?, self.submission.name(b)?);
                    let place = |names: &[Name], name: &Name| names.iter().position(|n| n == name);
                    let places = (place(&parameters.0, &a), place(&parameters.1, &b));
                    if places.0.is_none() || places.0 != places.1 {
                        return Ok(false);
                    }
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The kernel gives literals their types and values by the names of these constants.
    fn literal(&mut self, literal: Literal<'_>) {
        let names: &[&str] = match literal {
            Literal::Natural(_) => &["Nat", "Nat.zero", "Nat.succ"],
            Literal::Text(_) => &["String", "String.ofList", "String.mk", "Char", "Char.ofNat"],
        };
        for name in names.iter().map(|name| Name::written(name)) {
            let declared = |side: &Side<'_>| side.constants.contains_key(&name);
            // One that neither file declares is imported or does not exist.
            if declared(self.challenge) || declared(self.submission) {
                self.pair(name.clone(), name);
            }
        }
    }

    /// Has constants that are listed in the same order compared.
    fn lists(&mut self, here: &[Node<'_>], there: &[Node<'_>]) -> Result<bool, Stop> {
        for (a, b) in here.iter().zip(there) {
            self.names(*a, *b)?;
        }
        Ok(here.len() == there.len())
    }

    fn names(&mut self, here: Node<'_>, there: Node<'_>) -> Result<(), Stop> {
        let pair = (self.challenge.name(here)?, self.submission.name(there)?);
        self.pair(pair.0, pair.1);
        Ok(())
    }

    fn pair(&mut self, here: Name, there: Name) {
        let pair = (here, there);
        if !self.met.contains(&pair) {
            self.met.insert(pair.clone());
            self.open.push(pair);
        }
    }

    /// The universe parameters of two declarations, if they have equally many.
    fn parameters(&self, here: &Constant<'_>, there: &Constant<'_>) -> Result<Option<Parameters>, Stop> {
        let read = |side: &Side<'_>, nodes: &[Node<'_>]| -> Result<Vec<Name>, OleanError> {
            nodes.iter().map(|node| side.name(*node)).collect()
        };
        let ours = read(self.challenge, &here.parameters)?;
        let theirs = read(self.submission, &there.parameters)?;
        Ok((ours.len() == theirs.len()).then_some(Parameters(ours, theirs)))
    }
}

/// What kind of constant it is, in words.
fn kind(kind: &Kind<'_>) -> &'static str {
    match kind {
        Kind::Axiom { .. } => "an axiom",
        Kind::Definition { .. } => "a definition",
        Kind::Theorem { .. } => "a theorem",
        Kind::Opaque { .. } => "an opaque constant",
        Kind::Quotient { .. } => "a constant of quotients",
        Kind::Inductive { .. } => "an inductive type",
        Kind::Constructor { .. } => "a constructor",
        Kind::Recursor { .. } => "a recursor",
    }
}
