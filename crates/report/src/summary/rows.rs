//! Results with the field names of other provers, for scripts written for those: one row per theorem.

use andor_artifact::result::AttemptResult;
use andor_core::tree::Status;
use andor_dataset::Problem;
use serde::Serialize;
use serde_json::{Value, json};

use super::TheoremSummary;
use crate::table::Table;

/// A row with the field names of BFS-Prover. Times are in seconds. For a theorem with several attempts, it describes
/// the best one, with the preference pairs of all.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BfsProverRow {
    /// The repository of the theorem, if the corpus states it.
    pub url: Option<String>,
    /// The commit of the repository.
    pub commit: Option<String>,
    /// The name of the theorem.
    pub full_name: String,
    /// The file of the theorem, if the corpus states it.
    pub file_path: Option<String>,
    /// `Proved` if the root is proved, `Failed` if nothing is left to try, `Open` otherwise.
    pub status: &'static str,
    /// States and tactics of the proof, in order.
    pub proof: Option<Vec<(String, String)>>,
    /// The duration and log-prior of each tactic.
    pub proof_stats: Option<Vec<(f64, f64)>>,
    /// State, tactic of the proof, tactic that failed in this state.
    pub preference_pairs: Vec<(String, String, String)>,
    /// Time spent on tactics.
    pub tactic_time: f64,
    /// Time spent on providers.
    pub vllm_time: f64,
    /// Total time.
    pub total_time: f64,
    /// Nodes of the tree.
    pub total_nodes: u64,
    /// Number of explored nodes.
    pub explored_nodes: u64,
    /// Number of attempts at the theorem.
    pub total_attempts: usize,
    /// Whether the checker accepted the proof; `null` if it judged none.
    pub proof_validation_passed: Option<bool>,
}

/// A row with the field names of ReProver. Times are in seconds. For a theorem with several attempts, it describes
/// the best one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReProverRow {
    /// The name of the theorem.
    pub theorem: String,
    /// As in [`BfsProverRow::status`].
    pub status: &'static str,
    /// The tactics of the proof, in order.
    pub proof: Option<Vec<String>>,
    /// Time spent on providers.
    pub actor_time: f64,
    /// Time spent on tactics.
    pub environment_time: f64,
    /// Total time.
    pub total_time: f64,
    /// Nodes of the tree.
    pub num_total_nodes: u64,
    /// Number of explored nodes.
    pub num_searched_nodes: u64,
}

/// Theorems as a table: what came of each, and what all its attempts spent.
pub fn theorems(theorems: &[TheoremSummary<'_>]) -> Table {
    let row = |theorem: &TheoremSummary<'_>| {
        let attempts = || theorem.results.iter().chain(&theorem.blind_results);
        let best = theorem.best;
        vec![
            json!(theorem.theorem),
            json!(theorem.system),
            json!(theorem.standing),
            json!(best.and_then(|best| best.verification_level)),
            json!(theorem.solved),
            json!(theorem.attempts),
            json!(attempts().map(|result| result.timing.total_ms / 1e3).sum::<f64>()),
            json!(attempts().map(|result| result.spent.expansions).sum::<u64>()),
            json!(best.map(|best| &best.stop_detail)),
        ]
    };
    Table {
        name: "theorems",
        about: "What came of each theorem.",
        columns: &[
            "theorem",
            "system",
            "standing",
            "level",
            "solved",
            "attempts",
            "seconds",
            "expansions",
            "stop_detail",
        ],
        rows: theorems.iter().map(row).collect(),
    }
}

impl BfsProverRow {
    /// The row of a theorem; `None` before the first attempt.
    pub fn new(problem: &Problem, theorem: &TheoremSummary<'_>) -> Option<Self> {
        let best = theorem.best?;
        let field = |name: &str| problem.fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let pairs = theorem.results.iter().flat_map(|r| &r.preference_pairs);
        let steps = best.proof.is_some().then_some(&best.proof_steps);
        Some(Self {
            url: field("url"),
            commit: field("commit"),
            full_name: problem.theorem.name.clone(),
            file_path: field("file_path"),
            status: status(best),
            proof: steps.map(|s| s.iter().map(|s| (s.state.clone(), s.tactic.clone())).collect()),
            proof_stats: steps.map(|s| s.iter().map(|s| (s.took_ms / 1e3, s.log_prior)).collect()),
            preference_pairs: pairs
                .map(|p| (p.state.clone(), p.chosen.clone(), p.rejected.clone()))
                .collect(),
            tactic_time: tactic_seconds(best),
            vllm_time: best.timing.providing_ms / 1e3,
            total_time: best.timing.total_ms / 1e3,
            total_nodes: best.spent.nodes,
            explored_nodes: best.spent.explored_nodes,
            total_attempts: theorem.results.len(),
            proof_validation_passed: best.validated,
        })
    }
}

impl ReProverRow {
    /// The row of a theorem; `None` before the first attempt.
    pub fn new(problem: &Problem, theorem: &TheoremSummary<'_>) -> Option<Self> {
        let best = theorem.best?;
        let steps = best.proof.is_some().then_some(&best.proof_steps);
        Some(Self {
            theorem: problem.theorem.name.clone(),
            status: status(best),
            proof: steps.map(|s| s.iter().map(|s| s.tactic.clone()).collect()),
            actor_time: best.timing.providing_ms / 1e3,
            environment_time: tactic_seconds(best),
            total_time: best.timing.total_ms / 1e3,
            num_total_nodes: best.spent.nodes,
            num_searched_nodes: best.spent.explored_nodes,
        })
    }
}

/// These provers report the status of the search alone; a proof that the checker has not accepted is `Proved` too.
fn status(result: &AttemptResult) -> &'static str {
    match result.root_status {
        Status::Proved => "Proved",
        Status::Exhausted => "Failed",
        Status::Open => "Open",
    }
}

fn tactic_seconds(result: &AttemptResult) -> f64 {
    (result.timing.previewing_ms + result.timing.replaying_ms) / 1e3
}
