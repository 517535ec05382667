//! What is logged of searches, beside what goes wrong: spans that say where in a run one is, and events in the two
//! classes of `best-first-prover-guide`, "LOGGING CONTROL", too many to be read one by one. All of them are logged, and
//! who subscribes takes a sample (docs/guide/logging.md). Nothing is formatted that nobody reads.
//!
//! The events of an attempt are logged by the task that owns its tree. So their order is that in which the search was
//! told things, and the n-th event of a kind is the same in equal runs.

use std::path::Path;
use std::time::Duration;

use andor_artifact::trace::{AttemptOutcome, Iteration};
use andor_core::ids::AgentId;
use andor_provider::contract::Candidate;
use tracing::{Level, Span};

/// The target of standard events: tactics executed, nodes expanded, states reached.
pub const STANDARD: &str = "andor::standard";
/// The target of frequent events: tactics generated, moves of the queue, and what the team of agents does.
pub const FREQUENT: &str = "andor::frequent";
/// The name of the span of a theorem. Its field `id` says which it is.
pub const THEOREM: &str = "theorem";
/// The name of the span of an attempt, within that of its theorem. Its field `number` counts the attempts from 1.
pub const ATTEMPT: &str = "attempt";

// Spans are of the highest level: a warning is to say where it comes from, whatever else is left out.

/// The span of a run with its files in `folder`, if it leaves any.
pub fn run(folder: Option<&Path>) -> Span {
    let folder = folder.map(|folder| tracing::field::display(folder.display()));
    tracing::error_span!("run", folder)
}

/// The span of an attempt, within that of its theorem.
pub fn attempt(theorem: &str, number: u32) -> Span {
    tracing::error_span!(THEOREM, id = %theorem).in_scope(|| tracing::error_span!(ATTEMPT, number))
}

/// The span of work at the node with this scoped goal name.
pub fn node(id: &str) -> Span {
    tracing::error_span!("node", %id)
}

/// A provider proposed tactics.
pub fn tactics_generated(node: &Span, candidates: &[Candidate]) {
    within(node, tracing::enabled!(target: FREQUENT, Level::DEBUG), || {
        for Candidate { tactic, log_prior, provider, .. } in candidates {
            let provider = &**provider;
            tracing::debug!(name: "generated", target: FREQUENT, tactic, log_prior, provider, "tactic generated");
        }
    });
}

/// An agent's move: it expands a node, skips it, or rests before it.
pub fn team_move(node: &Span, agent: AgentId, what: &'static str) {
    within(node, tracing::enabled!(target: FREQUENT, Level::DEBUG), || {
        tracing::debug!(name: "team", target: FREQUENT, agent = agent.0, r#move = what, "team move");
    });
}

/// Whether anybody is to see frequent events.
pub(crate) fn shows_frequent() -> bool {
    tracing::enabled!(target: FREQUENT, Level::DEBUG)
}

/// A node came into the queue of best-first search, or was taken out of it.
pub(crate) fn queue_move(node: &Span, what: &'static str, priority: f64) {
    within(node, tracing::enabled!(target: FREQUENT, Level::DEBUG), || {
        tracing::debug!(name: "queue", target: FREQUENT, r#move = what, priority, "queue move");
    });
}

/// A tactic was executed.
pub fn tactic_executed(node: &Span, tactic: &str, outcome: AttemptOutcome, took: Duration) {
    within(node, tracing::enabled!(target: STANDARD, Level::DEBUG), || {
        let (outcome, took_ms) = (outcome.name(), took.as_micros() as f64 / 1e3);
        tracing::debug!(name: "executed", target: STANDARD, tactic, outcome, took_ms, "tactic executed");
    });
}

/// A node was expanded, and states were reached from it.
pub fn node_expanded(node: &Span, record: &Iteration) {
    within(node, tracing::enabled!(target: STANDARD, Level::DEBUG), || {
        let reached = || record.attempts.iter().filter(|a| a.outcome == AttemptOutcome::Success);
        tracing::debug!(
            name: "expanded",
            target: STANDARD,
            iteration = record.iteration,
            agent = record.agent_id,
            depth = record.node.depth,
            candidates = record.attempts.len(),
            steps = reached().count(),
            nodes = record.tree.nodes,
            "node expanded"
        );
        for step in reached() {
            let (tactic, children) = (&*step.tactic, step.child_mvar_ids.join(" "));
            tracing::debug!(name: "reached", target: STANDARD, tactic, children, "state reached");
        }
    });
}

/// Logs within the node's span, if anybody is to see it. Only the spans that one is in reach every kind of record.
fn within(node: &Span, enabled: bool, log: impl FnOnce()) {
    if enabled {
        node.in_scope(log);
    }
}
