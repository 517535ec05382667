//! An independent check that recursive functions terminate and corecursive values are productive.
//!
//! The checks in Rocq's kernel have known bugs, one of which proves `False` from a single function. This
//! check omits the features that contain the bugs and therefore accepts less: a function that passes exploits none of
//! them. It does not check types, and assumes that the kernel has accepted the term.
//!
//! `machine` represents terms in environments, without substitution; `size` determines which terms are smaller than an
//! argument; `fix` and `cofix` are the checks.

mod cofix;
mod fix;
mod machine;
mod size;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use machine::{Bound, Closure, Env, Node, Source, parts};
use size::Tree;

use super::compiled::Library;
use super::compiled::libraries::{Libraries, Outline};
use super::compiled::term::{Term, TermId};

/// Why a recursive function or a corecursive value is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, thiserror::Error)]
pub(super) enum Unfounded {
    #[error("a recursive call occurs inside an argument of another recursive call")]
    HiddenCall,
    #[error("a recursive call is applied to nested matches")]
    MatchOnMatch,
    #[error("the body of a recursive definition is not a plain function")]
    NoPlainFunction,
    #[error("a recursive call inside an inner recursive function is not on a smaller argument")]
    InnerFunction,
    #[error("a recursive call is applied to a match that changes the type")]
    CastAlongEquation,
    #[error("a recursive call is not on a smaller argument")]
    NotStructural,
    #[error("the type of the recursive argument cannot be found")]
    UnknownType,
    #[error("the type of a corecursive definition contains a local definition")]
    HiddenType,
    #[error("a corecursive definition contains mutual corecursive definitions")]
    NestedMutual,
    #[error("a corecursive definition is not productive")]
    NotProductive,
    #[error("a recursive function is too complex to check")]
    Exhausted,
}

impl Unfounded {
    /// The bugs that this may be an instance of, by their numbers in Rocq's tracker. The most likely one comes first;
    /// the others of its kind are not excluded.
    pub(super) fn bugs(self) -> Vec<u32> {
        let (likely, kinds): (&[u32], &[&[u32]]) = match self {
            Self::HiddenCall => (&[20413], &[FIX]),
            Self::MatchOnMatch => (&[20455], &[FIX]),
            Self::NoPlainFunction => (&[21839], &[FIX]),
            Self::InnerFunction => (&[20555, 21682, 21683, 21701, 21797, 22021, 22382], &[FIX]),
            Self::CastAlongEquation => (&[21053], &[FIX]),
            Self::NotStructural | Self::UnknownType => (&[], &[FIX]),
            Self::HiddenType => (&[22386], &[COFIX]),
            Self::NestedMutual => (&[22389], &[COFIX]),
            Self::NotProductive => (&[], &[COFIX]),
            Self::Exhausted => (&[], &[FIX, COFIX]),
        };
        let mut bugs = likely.to_vec();
        bugs.extend(kinds.iter().flat_map(|kind| kind.iter()).filter(|bug| !likely.contains(bug)));
        bugs
    }
}

impl Unfounded {
    /// Whether it is about a corecursive value.
    pub(super) fn is_corecursive(self) -> bool {
        matches!(self, Self::HiddenType | Self::NestedMutual | Self::NotProductive)
    }
}

/// Known bugs of the kernel's check of recursive functions.
const FIX: &[u32] = &[20455, 20413, 21839, 20555, 21682, 21683, 21701, 21797, 22021, 22382, 21053];
/// Known bugs of the kernel's check of corecursive values.
const COFIX: &[u32] = &[22386, 22389];

/// Maximum number of steps for one function, and for one check. No file of Rocq's own library takes more than
/// 600,000 in total.
const STEPS_PER_FUNCTION: u64 = 300_000;
const STEPS: u64 = 100_000_000;
/// Maximum number of definitions to unfold for one function.
const UNFOLDINGS: u32 = 200;

/// The check, for the terms of one compiled file.
pub(super) struct Guard<'a> {
    libraries: &'a Libraries,
    sources: Vec<Source<'a>>,
    /// The indices of the libraries read so far.
    loaded: HashMap<Rc<str>, Option<u32>>,
    /// The environments of terms, as linked variables: each refers to the next one outwards.
    nodes: Vec<Node>,
    /// The free variables of terms.
    free: HashMap<(u32, TermId), Rc<[u32]>>,
    /// Whether a term contains recursive functions or corecursive values.
    recursive: HashMap<TermId, bool>,
    /// Visited terms, with the variables of their environments that have values.
    visited: HashSet<(TermId, Vec<(u32, Env)>)>,
    steps: u64,
    all_steps: u64,
    unfoldings: u32,
    /// The functions under check: the index of the decreasing argument of each, and the tree of its type.
    calls: Vec<(u32, Tree)>,
    /// The number of unapplied functions found so far.
    fresh: u32,
    found: BTreeSet<Unfounded>,
}

impl<'a> Guard<'a> {
    pub(super) fn new(library: &'a Library, libraries: &'a Libraries) -> Self {
        Self {
            libraries,
            sources: vec![Source::Own(library, Outline::of(library))],
            loaded: HashMap::new(),
            nodes: Vec::new(),
            free: HashMap::new(),
            recursive: HashMap::new(),
            visited: HashSet::new(),
            steps: 0,
            all_steps: STEPS,
            unfoldings: 0,
            calls: Vec::new(),
            fresh: 0,
            found: BTreeSet::new(),
        }
    }

    /// The violations of the recursive functions and corecursive values anywhere in a closed term of the file, each
    /// reason once.
    pub(super) fn unfounded(&mut self, term: TermId) -> Vec<Unfounded> {
        self.nodes.clear();
        self.visited.clear();
        self.found.clear();
        if let Err(reason) = self.visit(Closure { source: 0, term, env: Env::EMPTY }) {
            self.found.insert(reason);
        }
        std::mem::take(&mut self.found).into_iter().collect()
    }

    /// Checks everything in a term. It is an error if a part could not be checked.
    fn visit(&mut self, at: Closure) -> Result<(), Unfounded> {
        self.steps = STEPS_PER_FUNCTION;
        self.unfoldings = UNFOLDINGS;
        self.step()?;
        if !self.has_recursion(at.term)? {
            return Ok(());
        }
        let values = self.values_around(at)?;
        if !self.visited.insert((at.term, values)) {
            return Ok(());
        }
        let term = self.term(at);
        let before = self.nodes.len();
        let checked = match &term {
            Term::Fix(fix) => self.check_fix(fix, at),
            Term::CoFix(cofix) => self.check_cofix(cofix, at),
            _ => Ok(()),
        };
        self.nodes.truncate(before);
        if let Err(reason) = checked {
            self.found.insert(reason);
        }
        for (part, binders) in parts(&term) {
            let env = match &term {
                Term::Let(value, ..) if binders == 1 => {
                    self.bind_value(at.env, Closure { term: *value, ..at })?
                }
                _ => self.bind_plain(at.env, binders),
            };
            machine::deep(|| self.visit(Closure { term: part, env, ..at }))?;
        }
        Ok(())
    }

    fn has_recursion(&mut self, term: TermId) -> Result<bool, Unfounded> {
        if let Some(&known) = self.recursive.get(&term) {
            return Ok(known);
        }
        self.steps = STEPS_PER_FUNCTION;
        self.step()?;
        let node = self.term(Closure { source: 0, term, env: Env::EMPTY });
        let mut found = matches!(node, Term::Fix(_) | Term::CoFix(_));
        for (part, _) in parts(&node) {
            found |= machine::deep(|| self.has_recursion(part))?;
        }
        self.recursive.insert(term, found);
        Ok(found)
    }

    /// The free variables of a term that have values.
    fn values_around(&mut self, at: Closure) -> Result<Vec<(u32, Env)>, Unfounded> {
        let mut values = Vec::new();
        for &variable in self.free_variables(at.source, at.term)?.iter() {
            if let Some(env) = self.variable(at.env, variable)
                && matches!(self.node(env).bound, Bound::Value(..))
            {
                values.push((variable, env));
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests;
