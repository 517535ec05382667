//! Results under the names that other provers give them, for whoever has scripts that read those: one row per theorem.

use andor_artifact::graph::GraphStatus;
use andor_artifact::result::AttemptResult;
use andor_dataset::Problem;
use serde::Serialize;
use serde_json::Value;

use super::TheoremSummary;

/// A row as BFS-Prover writes it (`best-first-prover-guide`, `SearchResult`). Times are in seconds. Of a theorem that several
/// attempts were made at, it tells the best; its preference pairs are those of all.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BfsProverRow {
    /// Where the theorem comes from, as far as the corpus says it.
    pub url: Option<String>,
    /// The state of that place.
    pub commit: Option<String>,
    /// The name of the theorem.
    pub full_name: String,
    /// The file that it stands in, as far as the corpus says it.
    pub file_path: Option<String>,
    /// Whether the root is proved, `Proved`, or nothing is left to try, `Failed`, or neither, `Open`.
    pub status: &'static str,
    /// States and tactics of the proof, in its order.
    pub proof: Option<Vec<(String, String)>>,
    /// How long each tactic took, and its log-prior.
    pub proof_stats: Option<Vec<(f64, f64)>>,
    /// State, tactic of the proof, tactic that failed there.
    pub preference_pairs: Vec<(String, String, String)>,
    /// Time for tactics.
    pub tactic_time: f64,
    /// Time for the providers of tactics.
    pub vllm_time: f64,
    /// All time.
    pub total_time: f64,
    /// Nodes of the tree.
    pub total_nodes: u64,
    /// Those of them for which candidates were asked.
    pub explored_nodes: u64,
    /// Attempts made at the theorem.
    pub total_attempts: usize,
    /// Whether the checker accepted the proof; `null` when it judged none.
    pub proof_validation_passed: Option<bool>,
}

/// A row as ReProver writes it. Times are in seconds. Of a theorem that several attempts were made at, it tells the best.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReProverRow {
    /// The name of the theorem.
    pub theorem: String,
    /// As in [`BfsProverRow::status`].
    pub status: &'static str,
    /// The tactics of the proof, in its order.
    pub proof: Option<Vec<String>>,
    /// Time for the providers of tactics.
    pub actor_time: f64,
    /// Time for tactics.
    pub environment_time: f64,
    /// All time.
    pub total_time: f64,
    /// Nodes of the tree.
    pub num_total_nodes: u64,
    /// Those of them for which candidates were asked.
    pub num_searched_nodes: u64,
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

/// Their statuses speak of the search alone. A proof that the checker has not accepted is `Proved` to them.
fn status(result: &AttemptResult) -> &'static str {
    match result.root_status {
        GraphStatus::Proved => "Proved",
        GraphStatus::Exhausted => "Failed",
        GraphStatus::Open => "Open",
    }
}

fn tactic_seconds(result: &AttemptResult) -> f64 {
    (result.timing.previewing_ms + result.timing.replaying_ms) / 1e3
}
