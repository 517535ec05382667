//! The second comparison of submission and challenge, on their compiled files.
//!
//! The challenge is a signature, the submission a structure. The statement of each theorem must be the same, term for
//! term, including all declarations of the file itself that the statement depends on. Things that are distinct in the
//! challenge must not be identified in the submission, parameters must not have a value, and opaque values
//! must stay opaque. Names are the canonical names of the kernel, so that aliases make no difference.
//!
//! Computation is limited to unfolding definitions of the files and beta reduction. Statements
//! that need more to be equal count as different; for the values of two definitions, Rocq decides.

mod declarations;
mod reach;
mod terms;
mod unfold;
mod universes;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::compiled::Library;
use super::compiled::declaration::{Body, Field};
use super::compiled::libraries::Libraries;
use super::compiled::term::{Level, Name, Order, Path, Polymorphic, Root, Term, TermId};
pub(super) use reach::{Visible, Walk};
pub(super) use universes::unimplied;
use universes::{Parameters, Renaming, Universes};

/// How a submission differs from its challenge.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what they are")]
pub enum Difference {
    #[error("`{0}` is missing from the submission")]
    Missing(String),
    #[error("`{0}` has a different statement in the submission")]
    Type(String),
    #[error(
        "the statement of `{0}` differs in its universes only; name them in both files, as in `Theorem t@{{u v}}`, or prove it for \
         no fewer"
    )]
    Levels(String),
    #[error("`{0}` has a different value in the submission")]
    Value(String),
    #[error("`{0}` is left undefined by the challenge but defined by the submission")]
    Defined(String),
    #[error("`{0}` is opaque in the challenge but transparent in the submission")]
    Shown(String),
    #[error("`{0}` is a different kind of declaration in the submission")]
    Kind(String),
    #[error("the inductive type `{0}` differs in the submission")]
    Inductive(String),
    #[error("`{0}` is a private type, and Rocq's kernel does not check that proofs respect this")]
    Private(String),
    #[error("`{0}` and `{1}` are distinct in the challenge but identified in the submission")]
    Identified(String, String),
    #[error("`{0}` has different universes in the submission")]
    Polymorphic(String),
    #[error("`{theorem}` is proved only for universes up to those of {library}")]
    Bounded { theorem: String, library: String },
    #[error("the universes of the challenge have another order in the submission")]
    Universes,
    #[error("the files order universes of libraries, and one of the libraries that they load cannot be read")]
    Libraries,
    #[error("the submission adds constraints on the sorts that it declares")]
    Qualities,
    #[error("the proof uses `{0}`, which a module seal hides in the challenge")]
    Revealed(String),
    #[error("the proof depends on `{0}`, which the challenge does not assume")]
    Assumed(String),
    #[error("`{0}` is not proved")]
    Unproved(String),
}

/// Two files without a difference, as far as they can be compared here.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Definitions, by their names in the challenge and in the submission, whose values differ syntactically: Rocq must
    /// confirm that they are equal.
    pub values: Vec<(String, String)>,
    /// Polymorphic theorems, each with a library: the proof requires that a universe of the theorem is at most one of the
    /// library, which the challenge does not.
    pub bounds: BTreeSet<(String, String)>,
    /// Whether it matters how the rest of the challenge orders universes: the statements mention some, values may, or the submission
    /// orders universes of libraries, which constants may hide.
    pub order_matters: bool,
    /// Whether parameters of theorems, which nobody names, have other numbers in the submission. Rocq finds no such files the same.
    pub renumbers: bool,
}

/// Compares theorems of both files, given by their names in both. If Rocq has found [values](Compared::values) equal, `asked` is the
/// compiled file in which it did: what that requires of universes counts, too.
pub fn compare(
    challenge: &Library,
    submission: &Library,
    theorems: &[String],
    libraries: &Libraries,
    asked: Option<&Library>,
) -> Result<Compared, Difference> {
    if !submission.eliminations.is_subset(&challenge.eliminations) {
        return Err(Difference::Qualities);
    }
    let judged: BTreeSet<Path> = theorems.iter().map(|name| Path::named(name)).collect();
    let visible = Visible::of(submission);
    let mut comparison = Comparison::new(challenge, submission, &judged);
    if let Some(asked) = asked {
        comparison.universes.order_asked(asked, &challenge.name, &submission.name);
    }
    for theorem in &judged {
        let name = Name { user: theorem.clone().into(), canonical: theorem.clone().into() };
        comparison.names(&name, &name)?;
    }
    comparison.all_pairs()?;
    // Assumptions of the proofs must be assumptions of the challenge, and so on for their dependencies.
    loop {
        let sealed: BTreeSet<Path> =
            comparison.kept_open.iter().filter_map(|path| visible.seal(path)).collect();
        let before = comparison.met.len();
        for theorem in &judged {
            for assumed in visible.assumed(theorem, &sealed)? {
                comparison.assumption(&assumed)?;
            }
        }
        comparison.all_pairs()?;
        if comparison.met.len() == before {
            break;
        }
    }
    comparison.settled(libraries)
}

/// One of the two files.
struct Side<'a> {
    library: &'a Library,
    declared: HashMap<Path, &'a Field>,
    /// Terms created by unfolding; their numbers follow those of the library.
    made: Vec<Term>,
    /// The number of terms that were looked at for that.
    visited: usize,
}

/// Maximum number of pairs of terms that are unfolded because they differ syntactically.
const MOST_UNFOLDINGS: u32 = 1000;

/// The state of a comparison.
struct Comparison<'a> {
    challenge: Side<'a>,
    submission: Side<'a>,
    /// The theorems under verification, whose values in the challenge do not matter.
    judged: &'a BTreeSet<Path>,
    /// The correspondence between names of the challenge and of the submission (canonical names), in both directions.
    there: HashMap<Path, Path>,
    back: HashMap<Path, Path>,
    /// Declarations that remain to be compared.
    pairs: Vec<(Path, Path)>,
    /// All declarations that were or will be compared.
    met: HashSet<(Path, Path)>,
    /// Terms that are known to be equal, given what their parameters have to do with each other.
    equal: HashSet<(TermId, TermId, Parameters)>,
    compared: Compared,
    /// Parameters of both files, by their names in the submission.
    kept_open: BTreeSet<Path>,
    universes: Universes,
    /// Theorems under verification whose parameters have other numbers in the submission, and those that something else mentions
    /// for some universes.
    renumbered: BTreeSet<Path>,
    mentioned: BTreeSet<Path>,
    /// Polymorphic declarations whose constraints remain to be compared.
    required: Vec<Required<'a>>,
    /// The remaining number of pairs of terms that may be unfolded.
    unfoldings: u32,
}

/// Two polymorphic declarations with the same parameters.
struct Required<'a> {
    /// Their name in the challenge.
    name: Path,
    /// What they differ in if the one requires what the other does not.
    difference: Difference,
    /// Which of their parameters are the same, if not those with the same number.
    renaming: Option<Renaming>,
    challenge: &'a Polymorphic,
    submission: &'a Polymorphic,
}

/// What a theorem requires of a universe of its own: to be at most one of a library.
struct Bounded {
    theorem: Path,
    by: Level,
    /// What the files differ in if that is not allowed.
    difference: Difference,
}

/// Whether another file has all declarations of a file: the same types, and the same values where they are not opaque.
pub fn has_all(one: &Library, other: &Library, libraries: &Libraries) -> bool {
    let judged = BTreeSet::new();
    let mut comparison = Comparison::new(one, other, &judged);
    let compared = move || {
        for path in one.index().into_keys() {
            let name = Name { user: path.clone().into(), canonical: path.into() };
            comparison.names(&name, &name)?;
        }
        comparison.all_pairs()?;
        Ok::<_, Difference>(comparison.settled(libraries)?.values.is_empty())
    };
    compared().unwrap_or(false)
}

impl<'a> Comparison<'a> {
    fn new(challenge: &'a Library, submission: &'a Library, judged: &'a BTreeSet<Path>) -> Self {
        Self {
            challenge: Side { library: challenge, declared: challenge.index(), made: Vec::new(), visited: 0 },
            submission: Side {
                library: submission,
                declared: submission.index(),
                made: Vec::new(),
                visited: 0,
            },
            unfoldings: MOST_UNFOLDINGS,
            judged,
            there: HashMap::new(),
            back: HashMap::new(),
            pairs: Vec::new(),
            met: HashSet::new(),
            equal: HashSet::new(),
            kept_open: BTreeSet::new(),
            compared: Compared::default(),
            renumbered: BTreeSet::new(),
            mentioned: BTreeSet::new(),
            required: Vec::new(),
            universes: Universes::new(&challenge.constraints, &challenge.contexts, &submission.constraints),
        }
    }
}

impl Comparison<'_> {
    /// Whether two names correspond. Declarations of the files themselves are compared later.
    fn names(&mut self, challenge: &Name, submission: &Name) -> Result<bool, Difference> {
        let (here, there) = (&*challenge.canonical, &*submission.canonical);
        if is_library(here) || is_library(there) {
            return Ok(here == there);
        }
        match (self.there.get(here), self.back.get(there)) {
            (None, None) => {
                self.there.insert(here.clone(), there.clone());
                self.back.insert(there.clone(), here.clone());
            }
            (Some(known), _) if known == there => {}
            (None, Some(other)) => return Err(Difference::Identified(other.to_string(), here.to_string())),
            (Some(_), _) => return Ok(false),
        }
        let pair = (here.clone(), there.clone());
        if self.met.insert(pair.clone()) {
            self.pairs.push(pair);
        }
        Ok(true)
    }

    /// Checks an assumption that a proof of the submission uses.
    fn assumption(&mut self, path: &Path) -> Result<(), Difference> {
        if self.back.contains_key(path) {
            return Ok(());
        }
        // A definition in the challenge is at least as strong as an assumption of the same type.
        match self.challenge.declared.get(path) {
            Some(Field::Constant(constant)) if matches!(constant.body, Body::Open { .. }) => {}
            _ => return Err(Difference::Assumed(path.to_string())),
        }
        let name = Name { user: path.clone().into(), canonical: path.clone().into() };
        match self.names(&name, &name)? {
            true => Ok(()),
            false => Err(Difference::Assumed(path.to_string())),
        }
    }

    /// The result, when all declarations are compared.
    fn settled(mut self, libraries: &Libraries) -> Result<Compared, Difference> {
        if let Some(theorem) = self.renumbered.intersection(&self.mentioned).next() {
            return Err(Difference::Levels(theorem.to_string()));
        }
        self.compared.renumbers = !self.renumbered.is_empty();
        let bounded = self.requirements()?;
        let loaded = [self.challenge.library, self.submission.library];
        let is_ordered = |(left, _, _): &(Level, Order, Level)| *left != Level::Set;
        self.compared.order_matters = self.universes.are_mentioned
            || !self.compared.values.is_empty()
            || self.submission.library.constraints.iter().any(is_ordered);
        let universes = self.universes.settle(|| libraries.universes(&loaded))?;
        let unrelated = if bounded.is_empty() { HashSet::new() } else { universes.unrelated() };
        for Bounded { theorem, by, difference } in bounded {
            // The submission may have made it the smallest one, or have put one of the files at it or above it.
            match &by {
                Level::Library(library, ..) if unrelated.contains(&by) => {
                    self.compared.bounds.insert((theorem.to_string(), library.to_string()));
                }
                _ => return Err(difference),
            }
        }
        Ok(self.compared)
    }

    fn all_pairs(&mut self) -> Result<(), Difference> {
        while let Some((challenge, submission)) = self.pairs.pop() {
            self.declarations(&challenge, &submission)?;
        }
        Ok(())
    }
}

fn is_library(path: &Path) -> bool {
    matches!(path.root, Root::Library(_))
}
