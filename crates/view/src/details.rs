//! What the page shows of a node when it is selected: its goals, and the candidates tried there.

use std::sync::Arc;

use andor_artifact::graph::GraphNode;
use andor_artifact::rollout::RolloutNode;
use serde::Serialize;
use serde_json::{Value, json};

/// Nodes whose details are given together.
pub(crate) const CHUNK: usize = 256;

/// The details of all nodes.
#[derive(Debug, Default)]
pub(crate) struct Details {
    nodes: Vec<Detail>,
}

#[derive(Debug, Default)]
struct Detail {
    name: Arc<str>,
    goal: Box<str>,
    candidates: Vec<Candidate>,
    end: Option<End>,
    state: Option<Value>,
}

/// A tactic that was tried.
#[derive(Debug, Serialize)]
pub struct Candidate {
    /// The tactic.
    pub tactic: Arc<str>,
    /// Its log-prior.
    pub prior: f64,
    /// What came of it.
    pub outcome: &'static str,
    /// Who proposed it.
    pub provider: Arc<str>,
    /// Why it failed, or was not tried.
    pub why: Option<String>,
    /// The move that tried it.
    pub born: u32,
}

/// A node at the end of its search.
#[derive(Debug, Serialize)]
struct End {
    goals: Vec<String>,
    visits: u32,
    value: f64,
    distance: Option<u32>,
}

impl Details {
    /// Adds the next node.
    pub(crate) fn name(&mut self, name: &Arc<str>, goal: &str) {
        self.nodes.push(Detail { name: Arc::clone(name), goal: goal.into(), ..Detail::default() });
    }

    pub(crate) fn add(&mut self, node: u32, candidate: Candidate) {
        self.nodes[node as usize].candidates.push(candidate);
    }

    pub(crate) fn state(&mut self, node: u32, state: &RolloutNode) {
        let shown = json!({
            "state": state.state,
            "score": state.score,
            "solution": state.terminal,
            "feedback": state.feedback,
            "tokens": state.cost,
        });
        self.nodes[node as usize].state = Some(shown);
    }

    pub(crate) fn end(&mut self, node: u32, end: &GraphNode) {
        self.nodes[node as usize].end = Some(End {
            goals: end.goals.clone(),
            visits: end.visit_count,
            value: end.value,
            distance: end.distance,
        });
    }

    /// The goals of a node, whole; its target alone while the search goes on.
    pub(crate) fn goals(&self, node: u32) -> Vec<&str> {
        let detail = &self.nodes[node as usize];
        match &detail.end {
            Some(end) if !end.goals.is_empty() => end.goals.iter().map(String::as_str).collect(),
            _ => vec![&detail.goal],
        }
    }

    pub(crate) fn name_of(&self, node: u32) -> &str {
        &self.nodes[node as usize].name
    }

    pub(crate) fn candidates(&self, node: u32) -> &[Candidate] {
        &self.nodes[node as usize].candidates
    }

    pub(crate) fn recorded(&self, node: u32) -> Option<&Value> {
        self.nodes[node as usize].state.as_ref()
    }

    pub(crate) fn n_chunks(&self) -> usize {
        self.nodes.len().div_ceil(CHUNK)
    }

    /// The details of the nodes from `CHUNK * chunk` on.
    pub(crate) fn chunk(&self, chunk: usize) -> Value {
        let nodes = self.nodes.iter().skip(chunk.saturating_mul(CHUNK)).take(CHUNK);
        let nodes = nodes.map(|node| {
            json!({
                "name": node.name,
                "goal": node.goal,
                "candidates": node.candidates,
                "end": node.end,
                "state": node.state,
            })
        });
        Value::Array(nodes.collect())
    }
}
