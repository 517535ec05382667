//! Problems built from traces of earlier searches.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_artifact::files::{FileError, read_lines};
use andor_artifact::trace::{AttemptOutcome, Iteration, NewNode, Start, TraceAttempt, TraceEvent};
use andor_artifact::version::Kind;
use andor_core::ids::TacticId;
use andor_core::signature::GoalKey;
use andor_core::tactic::Tactics;
use andor_core::tree::Child;
use andor_report::trace::fields;
use rustc_hash::FxHashMap;

use super::problem::{SimulatedCandidate, SimulatedProblem};

/// The combined knowledge of one theorem's traces. The candidates at a goal are all tactics that were ever tried
/// there, with their scores; those that became a step succeed, and leave the recorded goals. A goal that was never
/// expanded has no candidates.
#[derive(Clone, Debug)]
pub struct Recorded {
    theorem: String,
    facts: Arc<Facts>,
}

#[derive(Clone, Debug)]
struct Facts {
    root: Child,
    tactics: Tactics,
    goals: FxHashMap<GoalKey, Vec<Fact>>,
}

/// A recorded tactic at a goal.
#[derive(Clone, Debug)]
struct Fact {
    candidate: SimulatedCandidate,
    /// `None` if it failed.
    children: Option<Vec<Child>>,
}

/// Why traces cannot be used as a problem.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// A trace cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder has no trace.
    #[error(
        "{0}: no trace.jsonl was found here; give a trace, or a run folder written by `andor prove --out`"
    )]
    NoTrace(PathBuf),
    /// A trace does not begin with the root.
    #[error("{0}: the event `start` is missing: the trace is damaged, or older than format version 3")]
    NoStart(PathBuf),
    /// A trace contradicts itself.
    #[error("{path}, iteration {iteration}: {what}")]
    Broken {
        /// The trace.
        path: PathBuf,
        /// The iteration.
        iteration: u64,
        /// What is wrong.
        what: String,
    },
}

impl Recorded {
    /// Reads traces, and the traces in folders. Traces of the same statement form one problem; the problems have the
    /// order of their first traces.
    ///
    /// # Errors
    ///
    /// If a trace cannot be read or is malformed, or a folder has none.
    pub fn read(paths: &[PathBuf]) -> Result<Vec<Self>, RecordedError> {
        let mut theorems: Vec<(String, Collector)> = Vec::new();
        for path in paths {
            for trace in traces(path)? {
                let events = read_lines::<TraceEvent>(&trace, Kind::Trace)?.records;
                let Some((TraceEvent::Start(start), rest)) = events.split_first() else {
                    return Err(RecordedError::NoStart(trace));
                };
                let known = theorems.iter().position(|(digest, _)| *digest == start.statement_digest);
                let place = known.unwrap_or_else(|| {
                    theorems.push((start.statement_digest.clone(), Collector::default()));
                    theorems.len() - 1
                });
                theorems[place].1.add(&trace, start, rest)?;
            }
        }
        Ok(theorems.into_iter().map(|(_, collector)| collector.finish()).collect())
    }

    /// The theorem's id.
    pub fn theorem(&self) -> &str {
        &self.theorem
    }
}

impl SimulatedProblem for Recorded {
    fn tactics(&self) -> Vec<String> {
        let tactics = &self.facts.tactics;
        (0..tactics.len()).map(|index| tactics.text(TacticId::from_index(index)).to_owned()).collect()
    }

    fn root(&self) -> Child {
        self.facts.root
    }

    fn candidates(&mut self, goal: GoalKey, candidates: &mut Vec<SimulatedCandidate>) {
        candidates.clear();
        candidates.extend(self.facts.goals.get(&goal).into_iter().flatten().map(|fact| fact.candidate));
    }

    fn apply(&mut self, goal: GoalKey, tactic: TacticId, children: &mut Vec<Child>) -> bool {
        children.clear();
        let facts = self.facts.goals.get(&goal).into_iter().flatten();
        let fact = facts.into_iter().find(|fact| fact.candidate.tactic == tactic);
        let left = fact.and_then(|fact| fact.children.as_deref());
        children.extend_from_slice(left.unwrap_or_default());
        left.is_some()
    }
}

/// The traces at a path, in order.
fn traces(path: &Path) -> Result<Vec<PathBuf>, RecordedError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(&folder).map_err(FileError::Io)? {
            let entry = entry.map_err(FileError::Io)?;
            if entry.file_type().map_err(FileError::Io)?.is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() == "trace.jsonl" {
                found.push(entry.path());
            }
        }
    }
    if found.is_empty() {
        return Err(RecordedError::NoTrace(path.to_owned()));
    }
    found.sort();
    Ok(found)
}

/// Collects the data of one theorem's traces.
#[derive(Default)]
struct Collector {
    theorem: String,
    root: Option<Child>,
    tactics: Tactics,
    goals: FxHashMap<GoalKey, Vec<Fact>>,
}

impl Collector {
    fn add(&mut self, path: &Path, start: &Start, rest: &[TraceEvent]) -> Result<(), RecordedError> {
        let broken = |iteration, what| RecordedError::Broken { path: path.to_owned(), iteration, what };
        let mut nodes: FxHashMap<Arc<str>, Child> = FxHashMap::default();
        let root = child(&start.root).map_err(|what| broken(0, what))?;
        nodes.insert(Arc::clone(&start.root.mvar_id), root);
        if self.root.is_none() {
            (self.theorem, self.root) = (start.theorem.clone(), Some(root));
        }
        for event in rest {
            let TraceEvent::Iteration(record) = event else { continue };
            let broken = |what| broken(record.iteration, what);
            for new in &record.new_nodes {
                nodes.insert(Arc::clone(&new.mvar_id), child(new).map_err(broken)?);
            }
            let known = |id: &Arc<str>| nodes.get(id).copied().ok_or_else(|| format!("unknown node `{id}`"));
            let goal = known(&record.node.mvar_id).map_err(broken)?.key;
            for attempt in record.attempts.iter().filter(|a| a.outcome != AttemptOutcome::Blocked) {
                let log_prior = score(record, &attempt.tactic).map_err(broken)?;
                let children = match attempt.outcome {
                    AttemptOutcome::Success => Some(
                        attempt.child_mvar_ids.iter().map(known).collect::<Result<_, _>>().map_err(broken)?,
                    ),
                    AttemptOutcome::Failure
                    | AttemptOutcome::Blocked
                    | AttemptOutcome::Timeout
                    | AttemptOutcome::Cyclic => None,
                };
                self.note(goal, attempt, log_prior, children);
            }
        }
        Ok(())
    }

    /// If a tactic was tried several times at equal goals, the first success counts.
    fn note(&mut self, goal: GoalKey, attempt: &TraceAttempt, log_prior: f32, children: Option<Vec<Child>>) {
        let tactic = self.tactics.intern(&attempt.tactic);
        let facts = self.goals.entry(goal).or_default();
        match facts.iter_mut().find(|fact| fact.candidate.tactic == tactic) {
            Some(fact) if fact.children.is_none() => fact.children = children,
            Some(_) => {}
            None => facts.push(Fact { candidate: SimulatedCandidate { tactic, log_prior }, children }),
        }
    }

    fn finish(mut self) -> Recorded {
        for facts in self.goals.values_mut() {
            // A stable sort: equal scores keep the order in which they were first seen.
            facts.sort_by(|a, b| b.candidate.log_prior.total_cmp(&a.candidate.log_prior));
        }
        let root = self.root.expect("a collector is made for a trace");
        let facts = Facts { root, tactics: self.tactics, goals: self.goals };
        Recorded { theorem: self.theorem, facts: Arc::new(facts) }
    }
}

/// The score of a tactic, as a log-prior.
fn score(record: &Iteration, tactic: &str) -> Result<f32, String> {
    let scored = record.tactics.iter().find(|scored| &*scored.tactic == tactic);
    let scored = scored.ok_or_else(|| format!("`{tactic}` was tried but has no score"))?;
    fields::log_prior("tactics.score", scored.score).map_err(|error| error.to_string())
}

fn child(node: &NewNode) -> Result<Child, String> {
    fields::child(node).map_err(|error| format!("node `{}`: {error}", node.mvar_id))
}
