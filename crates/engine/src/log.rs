//! Log spans and events of searches, besides warnings and errors: spans that locate an event within a run, and two
//! classes of events that are too frequent to be read one by one. All of them are emitted; subscribers take a sample
//! (docs/guide/logging.md). Events that nobody reads are not formatted.
//!
//! The task that owns the tree logs all events of its attempt. Their order is therefore the order in which the search
//! received its reports, and the n-th event of a kind is the same in equal runs.

use std::path::Path;
use std::time::Duration;

use andor_artifact::trace::{AttemptOutcome, Iteration};
use andor_core::ids::AgentId;
use andor_provider::contract::Candidate;
use tracing::{Level, Span};

/// The target of standard events: tactics executed, nodes expanded, states reached.
pub const STANDARD: &str = "andor::standard";
/// The target of frequent events: tactics generated, queue operations, and moves of the agents.
pub const FREQUENT: &str = "andor::frequent";
/// The name of a theorem's span. Its field `id` holds the theorem's id.
pub const THEOREM: &str = "theorem";
/// The name of an attempt's span, inside the span of its theorem. Its field `number` counts the attempts from 1.
pub const ATTEMPT: &str = "attempt";

// Spans have the highest level, so that a warning shows its origin whatever else is filtered out.

/// The span of a run, with the `folder` of its files, if it has one.
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

/// Logs the tactics that a provider proposed.
pub fn tactics_generated(node: &Span, candidates: &[Candidate]) {
    within(node, tracing::enabled!(target: FREQUENT, Level::DEBUG), || {
        for Candidate { tactic, log_prior, provider, .. } in candidates {
            let provider = &**provider;
            tracing::debug!(name: "generated", target: FREQUENT, tactic, log_prior, provider, "tactic generated");
        }
    });
}

/// Logs an agent's move: it expands a node, skips it, or rests at it.
pub fn team_move(node: &Span, agent: AgentId, what: &'static str) {
    within(node, tracing::enabled!(target: FREQUENT, Level::DEBUG), || {
        tracing::debug!(name: "team", target: FREQUENT, agent = agent.0, r#move = what, "team move");
    });
}

/// Whether a subscriber receives frequent events.
pub(crate) fn shows_frequent() -> bool {
    tracing::enabled!(target: FREQUENT, Level::DEBUG)
}

/// Logs that a node entered or left the queue of best-first search.
pub(crate) fn queue_move(node: &Span, what: &'static str, priority: f64) {
    within(node, tracing::enabled!(target: FREQUENT, Level::DEBUG), || {
        tracing::debug!(name: "queue", target: FREQUENT, r#move = what, priority, "queue move");
    });
}

/// Logs an executed tactic.
pub fn tactic_executed(node: &Span, tactic: &str, outcome: AttemptOutcome, took: Duration) {
    within(node, tracing::enabled!(target: STANDARD, Level::DEBUG), || {
        let (outcome, took_ms) = (outcome.name(), took.as_micros() as f64 / 1e3);
        tracing::debug!(name: "executed", target: STANDARD, tactic, outcome, took_ms, "tactic executed");
    });
}

/// Logs an expanded node and the states reached from it.
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

/// Logs within the node's span, if a subscriber receives the event. Only the current span reaches all kinds of
/// subscribers.
fn within(node: &Span, enabled: bool, log: impl FnOnce()) {
    if enabled {
        node.in_scope(log);
    }
}
