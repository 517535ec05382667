//! The second comparison of submission and challenge, from what the compiled files hold.
//!
//! The challenge is a signature, the submission a structure. It must say of each theorem what the challenge says, term for
//! term, down to all declarations of the file itself that the statement depends on; and nothing that is different in the
//! challenge may be one in the submission, nothing that is open there may have a value, and of nothing that is hidden there
//! may more be known. Names are those of the kernel (canonical ones), so that no second name of something helps.
//!
//! Of computation it knows only what it takes to see through definitions of the files and to apply functions. Statements
//! that are equal by more than that are different here; whether the values of two definitions are, Rocq is asked.

mod declarations;
mod reach;
mod terms;
mod unfold;
mod universes;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::compiled::Library;
use super::compiled::declaration::{Body, Field};
use super::compiled::term::{Name, Path, Root, Term, TermId};
pub(super) use reach::{Visible, Walk};
use universes::Universes;

/// How a submission differs from its challenge.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Difference {
    #[error("`{0}` is missing from the submission")]
    Missing(String),
    #[error("`{0}` has a different statement in the submission")]
    Type(String),
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
    #[error("a universe of the challenge is the smallest universe in the submission")]
    Universes,
    #[error("the submission adds constraints on the sorts that it declares")]
    Qualities,
    #[error("the proof uses `{0}`, which a module seal hides in the challenge")]
    Revealed(String),
    #[error("the proof depends on `{0}`, which the challenge does not assume")]
    Assumed(String),
    #[error("`{0}` is not proved")]
    Unproved(String),
}

/// Compares what both files say of theorems, by their names in both. Gives definitions, by their names in the challenge and in
/// the submission, whose values do not look the same: Rocq must say that they are.
pub(super) fn compare(
    challenge: &Library,
    submission: &Library,
    theorems: &[String],
) -> Result<Vec<(String, String)>, Difference> {
    if !submission.eliminations.is_subset(&challenge.eliminations) {
        return Err(Difference::Qualities);
    }
    let judged: BTreeSet<Path> = theorems.iter().map(|name| Path::named(name)).collect();
    let visible = Visible::of(submission);
    let mut comparison = Comparison {
        challenge: Side { library: challenge, declared: challenge.index(), made: Vec::new() },
        submission: Side { library: submission, declared: submission.index(), made: Vec::new() },
        unfoldings: MOST_UNFOLDINGS,
        judged: &judged,
        there: HashMap::new(),
        back: HashMap::new(),
        pairs: Vec::new(),
        met: HashSet::new(),
        equal: HashSet::new(),
        kept_open: BTreeSet::new(),
        values: Vec::new(),
        universes: Universes::new(&challenge.constraints, &submission.constraints),
    };
    for theorem in &judged {
        let name = Name { user: theorem.clone().into(), canonical: theorem.clone().into() };
        comparison.names(&name, &name)?;
    }
    comparison.all_pairs()?;
    // What the proofs assume must be assumed by the challenge; what that depends on, too, and so on.
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
    comparison.universes.settle()?;
    Ok(comparison.values)
}

/// One of the two files.
struct Side<'a> {
    library: &'a Library,
    declared: HashMap<Path, &'a Field>,
    /// Terms that were made by unfolding; their numbers follow those of the library's.
    made: Vec<Term>,
}

/// Pairs of terms that are unfolded because they are not the same as they stand.
const MOST_UNFOLDINGS: u32 = 1000;

/// What was compared so far.
struct Comparison<'a> {
    challenge: Side<'a>,
    submission: Side<'a>,
    /// Theorems that are judged: what they are in the challenge says nothing.
    judged: &'a BTreeSet<Path>,
    /// What each thing of the challenge is in the submission, by canonical names, and the other way round.
    there: HashMap<Path, Path>,
    back: HashMap<Path, Path>,
    /// Declarations that are still to be compared.
    pairs: Vec<(Path, Path)>,
    /// All that were or are to be compared.
    met: HashSet<(Path, Path)>,
    /// Terms that were found equal.
    equal: HashSet<(TermId, TermId)>,
    /// Definitions whose values do not look the same.
    values: Vec<(String, String)>,
    /// What both leave open, by its name in the submission.
    kept_open: BTreeSet<Path>,
    universes: Universes,
    /// Pairs of terms that may still be unfolded.
    unfoldings: u32,
}

impl Comparison<'_> {
    /// Whether two names mean the same. What the files declare themselves is compared later.
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

    /// Something without a value that a proof of the submission uses.
    fn assumption(&mut self, path: &Path) -> Result<(), Difference> {
        if self.back.contains_key(path) {
            return Ok(());
        }
        // A definition of the challenge says at least as much as an assumption of the same type.
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
