//! The recorded data of an attempt: its tree, the tactics tried at each node, and its proof.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use andor_artifact::assembly::Assembly;
use andor_artifact::files::{FileError, LinesReader, read_json};
use andor_artifact::graft::GraftOrigin;
use andor_artifact::graph::{Graph, GraphStep};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_artifact::trace::{AttemptOutcome, GraftStep, TraceAttempt, TraceEvent};
use andor_artifact::version::Kind;

/// A recorded search. Nodes, steps and trials are referred to by index.
pub(super) struct Recorded {
    /// In creation order; the first is the root.
    pub(super) nodes: Vec<Node>,
    /// In creation order.
    pub(super) steps: Vec<Step>,
    /// The tactics that were tried, in order.
    pub(super) trials: Vec<Trial>,
    /// The accepted proof, beginning with the root; empty if there is none.
    pub(super) proof: Vec<ProofStep>,
}

pub(super) struct Node {
    pub(super) id: String,
    /// The strict signature.
    pub(super) strict: String,
    /// Number of goals.
    pub(super) goals: usize,
    pub(super) depth: u32,
}

pub(super) struct Step {
    pub(super) id: String,
    pub(super) children: Vec<usize>,
    /// The trial that became this step.
    pub(super) trial: usize,
}

/// A tactic tried at a node.
pub(super) struct Trial {
    pub(super) node: usize,
    pub(super) tactic: String,
    pub(super) log_prior: f64,
    pub(super) outcome: AttemptOutcome,
    pub(super) error: Option<String>,
    pub(super) provider: String,
    /// The step that it became, if any.
    pub(super) step: Option<usize>,
    /// Whether the trace and the tree agree on it.
    pub(super) agreed: bool,
}

/// A step of a proof.
pub(super) struct ProofStep {
    pub(super) step: usize,
    /// Indices of the children's proofs, in goal order.
    pub(super) children: Vec<usize>,
}

/// Why an attempt's records cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unusable {
    #[error("it has no {0}: it was killed, or the run did not keep its files")]
    NoFile(&'static str),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("its files are inconsistent: {0}")]
    Inconsistent(String),
}

impl Recorded {
    /// Reads the files in the folder of an attempt.
    pub(super) fn read(folder: &Path, result: &AttemptResult) -> Result<Self, Unusable> {
        const FILES: [&str; 3] = ["graph.json", "assembly.json.gz", "trace.jsonl"];
        if let Some(name) = FILES.into_iter().find(|name| !folder.join(name).is_file()) {
            return Err(Unusable::NoFile(name));
        }
        let graph: Graph = read_json(&folder.join("graph.json"), Kind::Graph)?;
        if Some(&graph.tree_digest) != result.tree_digest.as_ref() {
            let what = "the digest of graph.json differs from the result's".to_owned();
            return Err(Unusable::Inconsistent(what));
        }
        let by_id = positions(graph.nodes.iter().map(|n| n.id.as_str()));
        let mut reader = Reader {
            by_name: positions(graph.nodes.iter().map(|n| n.mvar_id.as_str())),
            by_id,
            graph: &graph,
            steps: Vec::new(),
            trials: Vec::new(),
        };
        for record in LinesReader::<TraceEvent>::open(&folder.join("trace.jsonl"), Kind::Trace)? {
            match record? {
                TraceEvent::Iteration(iteration) => {
                    let node = named(&reader.by_name, &iteration.node.mvar_id)?;
                    for (attempt, scored) in iteration.attempts.iter().zip(&iteration.tactics) {
                        reader.take(node, attempt, scored.score)?;
                    }
                }
                TraceEvent::GraftStep(step) => reader.take_grafted(&step)?,
                _ => {}
            }
        }
        let Reader { steps, trials, .. } = reader;
        if steps.len() != graph.steps.len() {
            let (traced, known) = (steps.len(), graph.steps.len());
            let what = format!("the trace has {traced} steps, graph.json has {known}");
            return Err(Unusable::Inconsistent(what));
        }
        let proof = match result.outcome {
            Outcome::Accepted => proof(folder, &steps)?,
            _ => Vec::new(),
        };
        let nodes = graph.nodes.into_iter().map(|node| Node {
            id: node.id,
            strict: node.goal_sig_strict,
            goals: node.goals.len(),
            depth: node.depth,
        });
        Ok(Self { nodes: nodes.collect(), steps, trials, proof })
    }

    /// The tactics that failed at each node, in the order tried.
    pub(super) fn failures(&self) -> HashMap<usize, Vec<&Trial>> {
        let mut failures: HashMap<usize, Vec<&Trial>> = HashMap::new();
        for trial in &self.trials {
            if matches!(trial.outcome, AttemptOutcome::Failure | AttemptOutcome::Timeout) {
                failures.entry(trial.node).or_default().push(trial);
            }
        }
        failures
    }
}

/// Reads the trace alongside the tree.
struct Reader<'a> {
    graph: &'a Graph,
    by_id: HashMap<&'a str, usize>,
    by_name: HashMap<&'a str, usize>,
    steps: Vec<Step>,
    trials: Vec<Trial>,
}

impl Reader<'_> {
    fn take(&mut self, node: usize, attempt: &TraceAttempt, score: f64) -> Result<(), Unusable> {
        if attempt.outcome == AttemptOutcome::Blocked {
            return Ok(());
        }
        let mut trial = Trial {
            node,
            tactic: attempt.tactic.to_string(),
            log_prior: score,
            outcome: attempt.outcome,
            error: attempt.error.clone(),
            provider: attempt.provider_id.to_string(),
            step: None,
            agreed: true,
        };
        if attempt.outcome == AttemptOutcome::Success {
            self.take_step(&mut trial, &attempt.child_mvar_ids)?;
        }
        self.trials.push(trial);
        Ok(())
    }

    fn take_grafted(&mut self, step: &GraftStep) -> Result<(), Unusable> {
        let from_user = match step.origin {
            GraftOrigin::File => "file",
            GraftOrigin::Draft => "draft",
            GraftOrigin::Plan => "plan",
            GraftOrigin::Shared => "shared",
            GraftOrigin::Cache => "cache",
        };
        let mut trial = Trial {
            node: named(&self.by_name, &step.mvar_id)?,
            tactic: step.tactic.to_string(),
            log_prior: step.score,
            outcome: AttemptOutcome::Success,
            error: None,
            provider: step.provider_id.as_deref().unwrap_or(from_user).to_owned(),
            step: None,
            agreed: true,
        };
        self.take_step(&mut trial, &step.child_mvar_ids)?;
        self.trials.push(trial);
        Ok(())
    }

    /// Takes the next step of the tree, which the trial became.
    fn take_step(&mut self, trial: &mut Trial, names: &[Arc<str>]) -> Result<(), Unusable> {
        let Some(step) = self.graph.steps.get(self.steps.len()) else {
            let what = "the trace tells of more steps than graph.json".to_owned();
            return Err(Unusable::Inconsistent(what));
        };
        let ids = step.children.iter();
        let children = ids.map(|id| named(&self.by_id, id)).collect::<Result<Vec<usize>, _>>()?;
        trial.step = Some(self.steps.len());
        trial.agreed = self.agree(step, &children, trial, names);
        self.steps.push(Step { id: step.id.clone(), children, trial: self.trials.len() });
        Ok(())
    }

    fn agree(&self, step: &GraphStep, children: &[usize], trial: &Trial, names: &[Arc<str>]) -> bool {
        let found = children.iter().map(|&child| self.graph.nodes[child].mvar_id.as_str());
        step.tactic == trial.tactic
            && self.by_id.get(step.node.as_str()) == Some(&trial.node)
            && found.eq(names.iter().map(|name| &**name))
    }
}

/// The proof tree.
fn proof(folder: &Path, steps: &[Step]) -> Result<Vec<ProofStep>, Unusable> {
    let assembly: Assembly = read_json(&folder.join("assembly.json.gz"), Kind::Assembly)?;
    let by_id = positions(steps.iter().map(|s| s.id.as_str()));
    let winning = assembly.winning.unwrap_or_default();
    if winning.is_empty() {
        let what = "the result is accepted, and assembly.json.gz has no proof".to_owned();
        return Err(Unusable::Inconsistent(what));
    }
    let n_steps = winning.len();
    let step = |winning: andor_artifact::assembly::WinningStep| {
        if let Some(at) = winning.children.iter().find(|&&at| at >= n_steps) {
            return Err(Unusable::Inconsistent(format!("the proof has no step {at}")));
        }
        Ok(ProofStep { step: named(&by_id, &winning.step)?, children: winning.children })
    };
    winning.into_iter().map(step).collect()
}

fn positions<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    names.enumerate().map(|(at, name)| (name, at)).collect()
}

fn named(positions: &HashMap<&str, usize>, name: &str) -> Result<usize, Unusable> {
    let known = positions.get(name).copied();
    known.ok_or_else(|| Unusable::Inconsistent(format!("graph.json has no `{name}`")))
}
