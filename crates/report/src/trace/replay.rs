//! Rebuilds a search from its trace.
//!
//! The search is a state machine: the same reports in the same order give the same tree. A trace holds the reports,
//! so feeding them to a new search must rebuild the tree. Every line also records properties of the tree after it;
//! the replay ends at the first difference.

mod asks;
mod follow;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use andor_artifact::files::{FileError, LinesReader};
use andor_artifact::trace::{Abort, Proved, Start, TraceEvent, TraceTree};
use andor_artifact::version::Kind;
use andor_core::search::Search;
use andor_core::tree::Status;
use asks::Asks;
use follow::Follower;
use serde::Serialize;

use super::fields::Unusable;

/// A rebuilt search.
pub struct Replayed {
    /// The trace's first record.
    pub start: Box<Start>,
    /// The search after the last line.
    pub search: Search,
    /// The texts of each node, by index.
    pub nodes: Vec<NodeText>,
    /// The maximum depth of a node.
    pub max_depth: u32,
    /// Number of agents' choices that were repeated with the same result: nodes reserved and obstacles met.
    pub choices: u64,
    /// How the trace ends.
    pub ending: TraceEnding,
}

/// The texts of a node in the trace.
#[derive(Clone, Debug)]
pub struct NodeText {
    /// The name of its obligation.
    pub name: Arc<str>,
    /// The target of its first goal.
    pub goal_type: Arc<str>,
}

/// How a trace ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceEnding {
    /// With a proof; the recorded digest equals that of the rebuilt tree.
    Proved,
    /// Without a proof, for this reason; the recorded digest equals that of the rebuilt tree.
    Aborted(String),
    /// Truncated: the program was killed.
    BrokenOff,
}

/// Statistics of a rebuilt search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SearchSummary {
    /// The theorem's id.
    pub theorem: String,
    /// The system.
    pub system: String,
    /// Iterations.
    pub iterations: u64,
    /// Iterations that added a step.
    pub expansions: u64,
    /// Nodes.
    pub nodes: u64,
    /// Steps.
    pub steps: u64,
    /// The maximum depth of a node.
    pub max_depth: u32,
    /// Number of agents' choices that were repeated with the same result.
    pub choices: u64,
    /// The status of the root.
    pub status: Status,
    /// `proved`, or the stop reason; `null` for a truncated trace.
    pub ending: Option<String>,
    /// The digest of the rebuilt tree, in hexadecimal.
    pub tree_digest: String,
    /// Whether the trace records a digest, which is then the same.
    pub digest_recorded: bool,
}

/// Why a trace cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The trace holds no search.
    #[error("the trace contains no search: the theorem could not be opened, or the attempt ended first")]
    Empty,
    /// The configuration in the trace is invalid, or of another version.
    #[error("line {line}: invalid configuration: {what}")]
    Config {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The trace contradicts the rebuilt tree.
    #[error("line {line}: {field} is {recorded} in the trace but {rebuilt} in the rebuilt tree")]
    Differs {
        /// The line, from 1.
        line: usize,
        /// The field.
        field: &'static str,
        /// The value in the trace.
        recorded: String,
        /// The value in the rebuilt tree.
        rebuilt: String,
    },
    /// A record cannot be applied to the search.
    #[error("line {line}: cannot replay {field}: {what}")]
    Unfollowable {
        /// The line, from 1.
        line: usize,
        /// The field.
        field: &'static str,
        /// What is wrong.
        what: String,
    },
}

impl ReplayError {
    /// Whether the trace is readable but contradicts the search that it describes.
    pub fn is_difference(&self) -> bool {
        match self {
            Self::Differs { .. } | Self::Unfollowable { .. } => true,
            Self::File(_) | Self::Empty | Self::Config { .. } => false,
        }
    }
}

/// The current line of a replay, from 1.
#[derive(Clone, Copy)]
struct Line(usize);

impl Line {
    /// Succeeds if the recorded value equals the rebuilt one.
    fn same<T: PartialEq + fmt::Display>(
        self,
        field: &'static str,
        recorded: T,
        rebuilt: T,
    ) -> Result<(), ReplayError> {
        if recorded == rebuilt {
            return Ok(());
        }
        let (recorded, rebuilt) = (recorded.to_string(), rebuilt.to_string());
        Err(ReplayError::Differs { line: self.0, field, recorded, rebuilt })
    }

    /// The same for records, which are shown in their JSON form.
    fn same_record<T: PartialEq + Serialize>(
        self,
        field: &'static str,
        recorded: &T,
        rebuilt: &T,
    ) -> Result<(), ReplayError> {
        if recorded == rebuilt {
            return Ok(());
        }
        let text = |record: &T| serde_json::to_string(record).expect("a record is JSON");
        Err(ReplayError::Differs { line: self.0, field, recorded: text(recorded), rebuilt: text(rebuilt) })
    }

    fn unfollowable(self, field: &'static str, what: impl Into<String>) -> ReplayError {
        ReplayError::Unfollowable { line: self.0, field, what: what.into() }
    }

    fn usable<T>(self, field: Result<T, Unusable>) -> Result<T, ReplayError> {
        field.map_err(|Unusable { field, what }| self.unfollowable(field, what))
    }
}

/// Replays a trace. The file is read twice, line by line, so that memory use hardly depends on its length.
///
/// # Errors
///
/// If the trace cannot be read, or contradicts the rebuilt tree; then at the first such line.
pub fn replay(path: &Path) -> Result<Replayed, ReplayError> {
    let asks = Asks::read(LinesReader::open(path, Kind::Trace)?)?;
    follow(asks, LinesReader::open(path, Kind::Trace)?)
}

/// Replays a trace with the recorded choices instead of repeating the selection. For traces of a version whose search
/// selected differently.
///
/// # Errors
/// As [`replay`].
pub fn replay_following(path: &Path) -> Result<Replayed, ReplayError> {
    let asks = Asks::read(LinesReader::open(path, Kind::Trace)?)?;
    follow(asks.unrepeated(), LinesReader::open(path, Kind::Trace)?)
}

/// Replays the records after the opening of a trace.
fn follow(
    asks: Asks,
    records: impl IntoIterator<Item = Result<TraceEvent, FileError>>,
) -> Result<Replayed, ReplayError> {
    let mut records =
        records.into_iter().zip(2..).map(|(record, line)| Ok::<_, FileError>((record?, Line(line))));
    let (start, mut follower) = match records.next().transpose()? {
        // A lone `abort` means that the search ended while its theorem was being opened.
        None | Some((TraceEvent::Abort(_), _)) => return Err(ReplayError::Empty),
        Some((TraceEvent::Start(start), line)) => {
            let follower = Follower::new(line, &start, asks)?;
            (start, follower)
        }
        Some((_, line)) => return Err(line.unfollowable("event", "the first record must be `start`")),
    };
    let mut ending = TraceEnding::BrokenOff;
    for record in records {
        let (record, line) = record?;
        if ending != TraceEnding::BrokenOff {
            return Err(line.unfollowable("event", "the search ended on the line before"));
        }
        match record {
            TraceEvent::Start(_) => return Err(line.unfollowable("event", "the search has already begun")),
            TraceEvent::Iteration(iteration) => follower.iteration(line, &iteration)?,
            TraceEvent::GraftStep(step) => follower.graft_step(line, &step)?,
            TraceEvent::Graft(graft) => follower.graft(line, &graft)?,
            TraceEvent::Focus(focus) => follower.focus(line, &focus)?,
            TraceEvent::Replan(replan) => {
                line.same("iteration", replan.iteration, follower.search.spent().iterations)?;
            }
            TraceEvent::Rejection(rejection) => follower.rejection(line, &rejection)?,
            TraceEvent::Abort(Abort { iteration, reason, tree, tree_digest, given_up }) => {
                follower.given_up(line, &given_up, &tree)?;
                end(line, &follower, iteration, &tree, &tree_digest, true)?;
                ending = TraceEnding::Aborted(reason);
            }
            TraceEvent::Proved(Proved { iteration, tree, tree_digest, given_up }) => {
                follower.given_up(line, &given_up, &tree)?;
                end(line, &follower, iteration, &tree, &tree_digest, false)?;
                line.same("event", "proved", follower.root_status())?;
                ending = TraceEnding::Proved;
            }
        }
    }
    let choices = follower.choices();
    let Follower { search, nodes, max_depth, .. } = follower;
    Ok(Replayed { start, search, nodes, max_depth, choices, ending })
}

fn end(
    line: Line,
    follower: &Follower,
    iteration: u64,
    tree: &TraceTree,
    digest: &str,
    aborted: bool,
) -> Result<(), ReplayError> {
    line.same("iteration", iteration, follower.search.spent().iterations)?;
    follower.same_tree(line, tree, aborted)?;
    line.same("tree_digest", digest, &hexadecimal(follower.search.digest()))
}

fn hexadecimal(digest: u64) -> String {
    format!("{digest:016x}")
}

impl Replayed {
    /// The hexadecimal digest of the tree.
    pub fn digest(&self) -> String {
        hexadecimal(self.search.digest())
    }

    /// The statistics of the search.
    pub fn summary(&self) -> SearchSummary {
        let (tree, spent) = (self.search.tree(), self.search.spent());
        SearchSummary {
            theorem: self.start.theorem.clone(),
            system: self.start.system.clone(),
            iterations: spent.iterations,
            expansions: spent.expansions,
            nodes: tree.n_nodes() as u64,
            steps: tree.n_steps() as u64,
            max_depth: self.max_depth,
            choices: self.choices,
            status: tree.status(tree.root()),
            ending: match &self.ending {
                TraceEnding::Proved => Some("proved".to_owned()),
                TraceEnding::Aborted(reason) => Some(reason.clone()),
                TraceEnding::BrokenOff => None,
            },
            tree_digest: self.digest(),
            digest_recorded: self.ending != TraceEnding::BrokenOff,
        }
    }
}
