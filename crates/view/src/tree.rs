//! A search as the page draws it: its nodes and steps, and everything that changed them, in order.
//!
//! All sequences only grow, so a page that has the first part of each asks for the rest. A node, a step and a move is
//! its position in its sequence.

mod graph;
mod rollout;

use std::sync::Arc;

use andor_artifact::trace::{
    GraftStep, Iteration, IterationReason, NewNode, Rejection, TraceAttempt, TraceBlock, TraceDelay,
    TraceEvent,
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::details::{Candidate, Details};
use crate::json::{Object, column};

/// Status of a node in [`Tree::changes`]: not settled.
pub(crate) const OPEN: u8 = 0;
pub(crate) const PROVED: u8 = 1;
pub(crate) const EXHAUSTED: u8 = 2;

/// Kinds of obstacles in [`Tree::obstacles`].
const BLOCK: u8 = 0;
pub(crate) const DELAY: u8 = 1;

/// Characters of a goal that the tree keeps for labels. The details have the whole text.
const LABEL: usize = 100;

/// A search.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) texts: Vec<Arc<str>>,
    text_ids: FxHashMap<Arc<str>, u32>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) steps: Vec<Step>,
    pub(crate) moves: Vec<Move>,
    /// Changes of a node's status: move, node, status.
    pub(crate) changes: Vec<(u32, u32, u8)>,
    /// Strict signatures, as they become known: node, text.
    signatures: Vec<(u32, u32)>,
    /// Blocks and delays that were met: move, node, kind, and the iteration that ends it; −1: none does.
    pub(crate) obstacles: Vec<(u32, u32, u8, i64)>,
    /// Nodes that an agent would have selected before: move, node.
    detours: Vec<(u32, u32)>,
    /// Selected paths other than the one by which the node was first reached: move, nodes.
    pub(crate) paths: Vec<(u32, Vec<u32>)>,
    /// Why the search ended; `None` if it has not.
    ending: Option<String>,
    /// Whether its times are those of the virtual clock.
    is_virtual: bool,
    /// What was asked of the nodes.
    pub(crate) details: Details,
    pub(crate) building: Building,
}

/// What is needed to take in the next record.
#[derive(Debug, Default)]
pub(crate) struct Building {
    by_name: FxHashMap<Arc<str>, u32>,
    signed: FxHashSet<u32>,
    status: Vec<u8>,
    /// Whether no candidate is left at a node.
    complete: Vec<bool>,
    pub(crate) steps_at: Vec<Vec<u32>>,
    parents: Vec<Vec<u32>>,
    refuted: Vec<bool>,
    /// The step of an agent's search that is not complete.
    waiting: rollout::Waiting,
}

#[derive(Debug)]
pub(crate) struct Node {
    /// The step that left it first; −1 at the root.
    pub(crate) parent: i64,
    /// The move that made it; 0 for the root.
    pub(crate) born: u32,
    pub(crate) goal: u32,
}

#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) node: u32,
    pub(crate) tactic: u32,
    pub(crate) prior: f64,
    pub(crate) born: u32,
    pub(crate) children: Vec<u32>,
}

/// An iteration, or another event that changes the tree.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) iteration: u64,
    pub(crate) node: u32,
    pub(crate) agent: u32,
    pub(crate) at_ms: u64,
    pub(crate) reason: u32,
    /// Whether it counts as a visit of the nodes on its path.
    pub(crate) visits: bool,
}

/// How much of each sequence a page has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Sizes(
    /// In the order of the fields of [`Tree`].
    pub(crate) [usize; 9],
);

impl Sizes {
    /// Numbers separated by commas.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<usize> = text.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Self(numbers.try_into().ok()?))
    }
}

/// Why a record cannot be taken in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Odd {
    #[error("it mentions the node `{0}`, which no line before has added")]
    Unknown(Arc<str>),
    #[error("it has no node")]
    NoPath,
    #[error("the search begins twice")]
    Twice,
    #[error("the search has not begun")]
    NotBegun,
}

impl Tree {
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ending.is_some()
    }

    pub(crate) fn sizes(&self) -> Sizes {
        Sizes([
            self.texts.len(),
            self.nodes.len(),
            self.steps.len(),
            self.moves.len(),
            self.changes.len(),
            self.signatures.len(),
            self.obstacles.len(),
            self.detours.len(),
            self.paths.len(),
        ])
    }

    /// Writes the sequences from these places on, by columns.
    pub(crate) fn write_since(&self, from: Sizes, out: &mut Object) {
        let Sizes([texts, nodes, steps, moves, changes, signatures, obstacles, detours, paths]) = from;
        let nodes = rest(&self.nodes, nodes);
        let steps = rest(&self.steps, steps);
        let moves = rest(&self.moves, moves);
        out.field("from", &from);
        out.field("texts", &rest(&self.texts, texts));
        out.field("node_parent", &column(nodes, |n| n.parent));
        out.field("node_born", &column(nodes, |n| n.born));
        out.field("node_goal", &column(nodes, |n| n.goal));
        out.field("step_node", &column(steps, |s| s.node));
        out.field("step_tactic", &column(steps, |s| s.tactic));
        // Three digits suffice for a label.
        out.field("step_prior", &column(steps, |s| (s.prior * 1e3).round() / 1e3));
        out.field("step_born", &column(steps, |s| s.born));
        out.field("step_children", &column(steps, |s| s.children.as_slice()));
        out.field("move_iteration", &column(moves, |m| m.iteration));
        out.field("move_node", &column(moves, |m| m.node));
        out.field("move_agent", &column(moves, |m| m.agent));
        out.field("move_at", &column(moves, |m| m.at_ms));
        out.field("move_reason", &column(moves, |m| m.reason));
        out.field("move_visits", &column(moves, |m| u8::from(m.visits)));
        out.field("changes", &rest(&self.changes, changes));
        out.field("signatures", &rest(&self.signatures, signatures));
        out.field("obstacles", &rest(&self.obstacles, obstacles));
        out.field("detours", &rest(&self.detours, detours));
        out.field("paths", &rest(&self.paths, paths));
        out.field("ending", &self.ending);
        out.field("is_virtual", &self.is_virtual);
    }

    /// Takes in a line of a trace.
    pub(crate) fn take(&mut self, event: &TraceEvent) -> Result<(), Odd> {
        if !matches!(event, TraceEvent::Start(_) | TraceEvent::Abort(_)) && self.is_empty() {
            return Err(Odd::NotBegun);
        }
        match event {
            TraceEvent::Start(_) if !self.is_empty() => return Err(Odd::Twice),
            TraceEvent::Start(start) => {
                self.is_virtual = start.config["clock"] == "virtual";
                self.add_node(&start.root, -1, 0);
            }
            TraceEvent::Iteration(iteration) => self.iteration(iteration)?,
            TraceEvent::GraftStep(step) => self.graft_step(step)?,
            TraceEvent::Rejection(rejection) => self.rejection(rejection)?,
            TraceEvent::Abort(abort) => self.ending = Some(abort.reason.clone()),
            TraceEvent::Proved(_) => self.ending = Some("proved".to_owned()),
            TraceEvent::Graft(_) | TraceEvent::Focus(_) | TraceEvent::Replan(_) => {}
        }
        Ok(())
    }

    fn iteration(&mut self, it: &Iteration) -> Result<(), Odd> {
        let path: Vec<u32> =
            it.selected_path.iter().map(|name| self.named(name)).collect::<Result<_, _>>()?;
        let node = *path.last().ok_or(Odd::NoPath)?;
        let visits = !matches!(it.reason, IterationReason::TerminalNode | IterationReason::DeadNode);
        let reason = self.text(reason(it.reason));
        let now = self.push_move(Move {
            iteration: it.iteration,
            node,
            agent: it.agent_id,
            at_ms: it.timestamp_ms,
            reason,
            visits,
        });
        if !self.is_first_way(&path) {
            self.paths.push((now, path));
        }
        if let Some(obstacle) = obstacle(it.block.as_ref(), it.delay.as_ref()) {
            self.obstacles.push((now, node, obstacle.0, obstacle.1));
        }
        for detour in &it.reroute {
            let avoided = self.named(&detour.mvar_id)?;
            self.detours.push((now, avoided));
            if let Some((kind, until)) = obstacle(detour.block.as_ref(), detour.delay.as_ref()) {
                self.obstacles.push((now, avoided, kind, until));
            }
        }
        let signature = self.text(&it.node.goal_sig_strict);
        self.sign(node, signature);
        let fresh = it.new_nodes.iter().map(|new| (&new.mvar_id, new)).collect();
        for (at, attempt) in it.attempts.iter().enumerate() {
            let prior = it.tactics.get(at).map_or(0.0, |scored| scored.score);
            self.details.add(node, candidate(attempt, prior, now));
            if attempt.outcome == andor_artifact::trace::AttemptOutcome::Success {
                self.add_step(node, &attempt.tactic, prior, now, &attempt.child_mvar_ids, &fresh)?;
            }
        }
        let asked = matches!(
            it.reason,
            IterationReason::Expanded | IterationReason::NoExpansion | IterationReason::NoGoal
        );
        if asked {
            self.building.complete[node as usize] = it.next_score.is_none();
            self.settle(node, now);
        }
        Ok(())
    }

    fn graft_step(&mut self, graft: &GraftStep) -> Result<(), Odd> {
        let node = self.named(&graft.mvar_id)?;
        let reason = self.text("graft");
        let now = self.push_move(Move {
            iteration: graft.iteration,
            node,
            agent: 0,
            at_ms: graft.timestamp_ms,
            reason,
            visits: false,
        });
        let fresh = graft.new_nodes.iter().map(|new| (&new.mvar_id, new)).collect();
        self.add_step(node, &graft.tactic, graft.score, now, &graft.child_mvar_ids, &fresh)?;
        if graft.is_only {
            self.building.complete[node as usize] = true;
            self.settle(node, now);
        }
        Ok(())
    }

    fn rejection(&mut self, rejection: &Rejection) -> Result<(), Odd> {
        let node = self.named(&Arc::from(rejection.mvar_id.as_str()))?;
        let at_ms = self.moves.last().map_or(0, |last| last.at_ms);
        let reason = self.text("rejected");
        let iteration = rejection.iteration;
        let now = self.push_move(Move { iteration, node, agent: 0, at_ms, reason, visits: false });
        let steps = &self.building.steps_at[node as usize];
        let refuted = steps.iter().rev().find(|&&s| {
            *self.texts[self.steps[s as usize].tactic as usize] == *rejection.tactic
                && !self.building.refuted[s as usize]
        });
        if let Some(&step) = refuted {
            self.building.refuted[step as usize] = true;
            self.settle_all(now);
        }
        Ok(())
    }

    fn push_move(&mut self, event: Move) -> u32 {
        self.moves.push(event);
        // Move 0 is the beginning, before all records.
        self.moves.len() as u32
    }

    fn named(&self, name: &Arc<str>) -> Result<u32, Odd> {
        self.building.by_name.get(name).copied().ok_or_else(|| Odd::Unknown(Arc::clone(name)))
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.building.by_name.get(name).copied()
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.text_ids.get(text) {
            return id;
        }
        let (id, text) = (self.texts.len() as u32, Arc::<str>::from(text));
        self.texts.push(Arc::clone(&text));
        self.text_ids.insert(text, id);
        id
    }

    fn add_node(&mut self, new: &NewNode, parent: i64, born: u32) -> u32 {
        self.add_named(&new.mvar_id, &new.goal_type, parent, born)
    }

    fn add_named(&mut self, name: &Arc<str>, goal: &str, parent: i64, born: u32) -> u32 {
        let id = self.nodes.len() as u32;
        let goal_id = self.text(&label(goal));
        self.nodes.push(Node { parent, born, goal: goal_id });
        self.details.name(name, goal);
        let building = &mut self.building;
        building.by_name.insert(Arc::clone(name), id);
        building.status.push(OPEN);
        building.complete.push(false);
        building.steps_at.push(Vec::new());
        building.parents.push(Vec::new());
        id
    }

    fn add_step(
        &mut self,
        node: u32,
        tactic: &str,
        prior: f64,
        born: u32,
        children: &[Arc<str>],
        fresh: &FxHashMap<&Arc<str>, &NewNode>,
    ) -> Result<(), Odd> {
        let id = self.steps.len() as u32;
        let mut ids = Vec::with_capacity(children.len());
        for name in children {
            let child = match (self.find(name), fresh.get(name)) {
                (Some(child), _) => child,
                (None, Some(new)) => self.add_node(new, i64::from(id), born),
                (None, None) => return Err(Odd::Unknown(Arc::clone(name))),
            };
            ids.push(child);
        }
        self.push_step(node, tactic, prior, born, ids);
        let status = self.step_status(id);
        if status != OPEN {
            self.settle(node, born);
        }
        Ok(())
    }

    fn push_step(&mut self, node: u32, tactic: &str, prior: f64, born: u32, children: Vec<u32>) {
        let id = self.steps.len() as u32;
        for &child in &children {
            self.building.parents[child as usize].push(id);
        }
        let tactic = self.text(tactic);
        self.steps.push(Step { node, tactic, prior, born, children });
        self.building.steps_at[node as usize].push(id);
        self.building.refuted.push(false);
    }

    fn sign(&mut self, node: u32, signature: u32) {
        if self.building.signed.insert(node) {
            self.signatures.push((node, signature));
        }
    }

    /// Whether a path is the one by which its end was first reached.
    fn is_first_way(&self, path: &[u32]) -> bool {
        let mut up = path.iter().rev();
        let mut at = up.next().copied();
        while let Some(node) = at {
            let parent = self.nodes[node as usize].parent;
            let above = usize::try_from(parent).ok().map(|step| self.steps[step].node);
            at = up.next().copied();
            if at != above {
                return false;
            }
        }
        true
    }

    fn step_status(&self, step: u32) -> u8 {
        let statuses =
            || self.steps[step as usize].children.iter().map(|&child| self.building.status[child as usize]);
        if self.building.refuted[step as usize] || statuses().any(|s| s == EXHAUSTED) {
            EXHAUSTED
        } else if statuses().all(|s| s == PROVED) {
            PROVED
        } else {
            OPEN
        }
    }

    fn node_status(&self, node: u32) -> u8 {
        let mut all_exhausted = true;
        for &step in &self.building.steps_at[node as usize] {
            match self.step_status(step) {
                PROVED => return PROVED,
                EXHAUSTED => {}
                _ => all_exhausted = false,
            }
        }
        if all_exhausted && self.building.complete[node as usize] { EXHAUSTED } else { OPEN }
    }

    /// Settles a node, and what follows above it.
    fn settle(&mut self, node: u32, now: u32) {
        let mut agenda = vec![node];
        while let Some(node) = agenda.pop() {
            if self.building.status[node as usize] != OPEN {
                continue;
            }
            let status = self.node_status(node);
            if status != OPEN {
                self.building.status[node as usize] = status;
                self.changes.push((now, node, status));
                let above = self.building.parents[node as usize].iter();
                agenda.extend(above.map(|&step| self.steps[step as usize].node));
            }
        }
    }

    /// Settles everything afresh, after a step was refuted.
    fn settle_all(&mut self, now: u32) {
        let before = std::mem::replace(&mut self.building.status, vec![OPEN; self.nodes.len()]);
        let recorded = self.changes.len();
        for node in (0..self.nodes.len() as u32).rev() {
            self.settle(node, now);
        }
        self.changes.truncate(recorded);
        for (node, (was, is)) in (0..).zip(before.iter().zip(&self.building.status)) {
            if was != is {
                self.changes.push((now, node, *is));
            }
        }
    }
}

fn rest<T>(all: &[T], from: usize) -> &[T] {
    &all[from.min(all.len())..]
}

/// The beginning of a text, as one line.
fn label(text: &str) -> String {
    let mut label = String::new();
    for word in text.split_whitespace() {
        if !label.is_empty() {
            label.push(' ');
        }
        label.push_str(word);
        if label.len() > 4 * LABEL {
            break;
        }
    }
    match label.char_indices().nth(LABEL) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label,
    }
}

fn candidate(attempt: &TraceAttempt, prior: f64, born: u32) -> Candidate {
    Candidate {
        tactic: Arc::clone(&attempt.tactic),
        prior,
        outcome: attempt.outcome.name(),
        provider: Arc::clone(&attempt.provider_id),
        why: attempt.error.clone().or_else(|| attempt.block_reason.clone()),
        born,
    }
}

/// Kind and end of an obstacle.
fn obstacle(block: Option<&TraceBlock>, delay: Option<&TraceDelay>) -> Option<(u8, i64)> {
    let end = |until: u64| i64::try_from(until).unwrap_or(i64::MAX);
    match (block, delay) {
        (Some(block), _) => Some((BLOCK, block.until.map_or(-1, end))),
        (None, Some(delay)) => Some((DELAY, end(delay.until))),
        (None, None) => None,
    }
}

fn reason(reason: IterationReason) -> &'static str {
    match reason {
        IterationReason::Expanded => "expanded",
        IterationReason::NoExpansion => "no expansion",
        IterationReason::NoGoal => "no goal",
        IterationReason::Blocked => "blocked",
        IterationReason::Delayed => "delayed",
        IterationReason::TerminalNode => "already proved",
        IterationReason::DeadNode => "already exhausted",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use andor_artifact::graph::Graph;
    use andor_artifact::version::{Kind, Opening};
    use andor_core::tree::Status;
    use serde_json::{Value, json};

    use super::*;

    /// Statuses, visits of the page's own reckoning, and the files of real searches.
    #[test]
    fn real_searches_end_as_their_graphs_say() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/golden");
        for name in ["agents", "best-first", "blind", "puct", "ucb1"] {
            let text = |kind: &str| fs_err::read_to_string(golden.join(format!("{name}.{kind}"))).unwrap();
            // They are kept without what changes from version to version.
            let mut graph: Value = serde_json::from_str(&text("graph.json")).unwrap();
            for (key, value) in [
                ("opening", json!(Opening::new(Kind::Graph))),
                ("theorem", json!("t")),
                ("tree_digest", json!("")),
            ] {
                graph[key] = value;
            }
            let graph: Graph = serde_json::from_value(graph).unwrap();
            let mut tree = Tree::default();
            for line in text("trace.jsonl").lines() {
                let mut record: Value = serde_json::from_str(line).unwrap();
                if record["event"] == "start" {
                    record["config"] = json!({});
                }
                tree.take(&serde_json::from_value(record).unwrap()).unwrap();
            }
            assert!(tree.has_ended(), "{name}");
            let expected: Vec<u8> = graph
                .nodes
                .iter()
                .map(|node| match node.status {
                    Status::Open => OPEN,
                    Status::Proved => PROVED,
                    Status::Exhausted => EXHAUSTED,
                })
                .collect();
            assert_eq!(tree.building.status, expected, "{name}");
            assert_eq!(tree.steps.len(), graph.steps.len(), "{name}");
            assert_eq!(tree.complete(&graph), 0, "{name}");
            let last = tree.changes.iter().fold(vec![OPEN; expected.len()], |mut all, &(_, node, status)| {
                all[node as usize] = status;
                all
            });
            assert_eq!(last, expected, "{name}: by the changes alone");
            assert_eq!(
                visits(&tree),
                graph.nodes.iter().map(|n| n.visit_count).collect::<Vec<_>>(),
                "{name}"
            );
        }
    }

    /// As the page counts them: up the tree, unless a path is given.
    fn visits(tree: &Tree) -> Vec<u32> {
        let mut visits = vec![0; tree.nodes.len()];
        for (now, made) in (1..).zip(&tree.moves).filter(|(_, made)| made.visits) {
            if let Some((_, path)) = tree.paths.iter().find(|(at, _)| *at == now) {
                path.iter().for_each(|&node| visits[node as usize] += 1);
                continue;
            }
            let mut at = Some(made.node);
            while let Some(node) = at {
                visits[node as usize] += 1;
                let parent = usize::try_from(tree.nodes[node as usize].parent).ok();
                at = parent.map(|step| tree.steps[step].node);
            }
        }
        visits
    }
}
