//! What the proofs of a submission trust: kernel features, and known bugs of the installed kernel.
//!
//! `bugs` is the table of known bugs, which `table` parses; `submission` flattens the compiled file; `triggers`,
//! `casts` and `sections` recognize the triggers of bugs, and `features` the features that a proof uses.

mod aliases;
pub mod bugs;
mod casts;
mod features;
mod sections;
mod submission;
mod table;
mod triggers;

use std::collections::BTreeMap;

use bugs::{BugId, Trigger, Version};
use submission::Submission;

use super::compiled::Library;
use super::compiled::libraries::Libraries;
use super::compiled::term::Path;
use andor_core::verdict::Feature;

/// The findings for a submission.
#[derive(Debug, PartialEq, Eq)]
pub struct Examined {
    /// The features that the proofs of the theorems use.
    pub features: Vec<Feature>,
    /// Open bugs in one of these features without a trigger in the submission.
    pub named: Vec<BugId>,
    /// Open bugs with a trigger in the submission.
    pub met: Vec<Met>,
}

/// A bug with a trigger in a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// The bug.
    pub bug: BugId,
    /// The declaration with the trigger.
    pub at: String,
}

/// The libraries that a compiled submission loads, without those that come with Rocq.
pub fn libraries(submission: &Library) -> Box<[String]> {
    crate::libraries::libraries(
        submission.dependencies.iter().map(|(name, _)| name.as_str()),
        &["Coq", "Corelib", "Stdlib", "Ltac2"],
    )
}

/// Examines a compiled submission, for the release that compiled it.
pub fn examine(library: &Library, libraries: &Libraries, theorems: &[String], version: Version) -> Examined {
    let submission = Submission::new(library, libraries);
    let features = features::used(&submission, theorems);
    let (mut named, mut met) = (Vec::new(), recursion(&submission, version));
    let mut places: BTreeMap<Trigger, Option<Path>> = BTreeMap::new();
    for bug in bugs::all().iter().filter(|bug| bug.is_open_in(version)) {
        let at = bug.trigger.and_then(|trigger| {
            places.entry(trigger).or_insert_with(|| triggers::met(trigger, &submission)).as_ref()
        });
        match at {
            Some(at) => met.push(Met { bug: bug.id, at: at.to_string() }),
            None if bug.is_named_with(&features) => named.push(bug.id),
            None => {}
        }
    }
    Examined { features, named, met }
}

/// The most likely bug for each function that the guard checks refuse, each bug once.
fn recursion(submission: &Submission<'_>, version: Version) -> Vec<Met> {
    let mut met: Vec<Met> = Vec::new();
    for declared in &submission.declared {
        for unfounded in &declared.recursion {
            let open =
                unfounded.bugs().into_iter().filter_map(bugs::numbered).find(|bug| bug.is_open_in(version));
            if let Some(bug) = open
                && met.iter().all(|met| met.bug != bug.id)
            {
                met.push(Met { bug: bug.id, at: declared.path.to_string() });
            }
        }
    }
    met
}

#[cfg(test)]
mod tests;
