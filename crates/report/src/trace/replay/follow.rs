//! Following a search line by line.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use andor_artifact::trace::{
    AttemptOutcome, Iteration, IterationReason, NewNode, Rejection, Start, TraceAttempt, TraceTree,
};
use andor_config::Config;
use andor_core::ids::{AgentId, NodeId, StepId};
use andor_core::search::{Job, Report, Search};
use andor_core::tree::{Child, Phase, Status};

use super::{Line, NodeText, ReplayError};
use crate::trace::fields::{child, estimate, log_prior};

/// A search in the making.
pub(super) struct Follower {
    pub(super) search: Search,
    pub(super) nodes: Vec<NodeText>,
    pub(super) max_depth: u32,
    by_name: HashMap<Arc<str>, NodeId>,
    agents: u32,
    collisions: bool,
}

impl Follower {
    /// A search before its first iteration.
    pub(super) fn new(line: Line, start: &Start) -> Result<Self, ReplayError> {
        let unusable = |what: String| ReplayError::Config { line: line.0, what };
        let config: Config =
            serde_json::from_value(start.config.clone()).map_err(|error| unusable(error.to_string()))?;
        config.validate().map_err(|error| unusable(error.to_string()))?;
        let search_config = config.search();
        let mut follower = Self {
            search: Search::new(search_config, line.usable(child(&start.root))?),
            nodes: Vec::new(),
            max_depth: 0,
            by_name: HashMap::new(),
            agents: config.agents().count,
            collisions: search_config.control.collisions,
        };
        follower.name(line, &start.root)?;
        Ok(follower)
    }

    /// Gives the next node its name.
    fn name(&mut self, line: Line, new: &NewNode) -> Result<(), ReplayError> {
        let node = NodeId::from_index(self.nodes.len());
        if self.by_name.insert(Arc::clone(&new.mvar_id), node).is_some() {
            let what = format!("there is another node named `{}`", new.mvar_id);
            return Err(line.unfollowable("new_nodes", what));
        }
        self.nodes.push(NodeText { name: Arc::clone(&new.mvar_id), goal_type: Arc::clone(&new.goal_type) });
        self.max_depth = self.max_depth.max(self.search.tree().depth(node));
        Ok(())
    }

    fn node(&self, line: Line, field: &'static str, name: &Arc<str>) -> Result<NodeId, ReplayError> {
        let known = self.by_name.get(name).copied();
        known.ok_or_else(|| line.unfollowable(field, format!("there is no node named `{name}`")))
    }

    /// Makes an iteration again, and compares.
    pub(super) fn iteration(&mut self, line: Line, recorded: &Iteration) -> Result<(), ReplayError> {
        line.same("iteration", recorded.iteration, self.search.spent().iterations + 1)?;
        if recorded.agent_id >= self.agents {
            let what = format!("there is no agent {}; they are {}", recorded.agent_id, self.agents);
            return Err(line.unfollowable("agent_id", what));
        }
        for detour in &recorded.reroute {
            self.node(line, "reroute", &detour.mvar_id)?;
        }
        let names = recorded.selected_path.iter();
        let path: Vec<NodeId> =
            names.map(|name| self.node(line, "selected_path", name)).collect::<Result<_, _>>()?;
        let agent = AgentId(recorded.agent_id);
        let no_path = || line.unfollowable("selected_path", "the tree has no such path");
        let n_nodes = self.nodes.len();
        let (steps, nodes) = match recorded.reason {
            IterationReason::Expanded | IterationReason::NoExpansion | IterationReason::NoGoal => {
                let report = self.report(line, recorded)?;
                let job = self.search.follow(agent, &path).ok_or_else(no_path)?;
                self.tell(line, &job, &report)?
            }
            IterationReason::TerminalNode | IterationReason::DeadNode => {
                let job = self.search.follow(agent, &path).ok_or_else(no_path)?;
                self.search.skip(job.id);
                (0..0, n_nodes..n_nodes)
            }
            IterationReason::Blocked | IterationReason::Delayed => {
                self.search.follow_pass(agent, &path).ok_or_else(no_path)?;
                (0..0, n_nodes..n_nodes)
            }
        };
        line.same("new_nodes", recorded.new_nodes.len(), nodes.len())?;
        for new in &recorded.new_nodes {
            self.name(line, new)?;
        }
        self.same_steps(line, recorded, steps)?;
        let node = *path.last().expect("a path that was followed has an end");
        self.same_node(line, recorded, node)?;
        self.same_tree(line, &recorded.tree, false)
    }

    fn tell(
        &mut self,
        line: Line,
        job: &Job,
        report: &Report,
    ) -> Result<(Range<usize>, Range<usize>), ReplayError> {
        if report.candidates > 0 && self.search.tree().phase(job.node) == Phase::Complete {
            return Err(line.unfollowable("attempts", "no candidate was left at the node"));
        }
        let told = self.search.tell(job.id, report);
        Ok((told.steps, told.nodes))
    }

    /// What the search was told.
    fn report(&mut self, line: Line, recorded: &Iteration) -> Result<Report, ReplayError> {
        let mut report = Report::default();
        let tried = recorded.attempts.iter().filter(|a| a.outcome != AttemptOutcome::Blocked).count();
        report.candidates =
            u32::try_from(tried).map_err(|_| line.unfollowable("attempts", "there are too many"))?;
        report.next_log_prior =
            recorded.next_score.map(|s| line.usable(log_prior("next_score", s))).transpose()?;
        report.value = recorded.value.map(|v| line.usable(estimate("value", v))).transpose()?;
        let mut new = HashMap::new();
        for node in &recorded.new_nodes {
            new.insert(&*node.mvar_id, line.usable(child(node))?);
        }
        line.same("tactics", recorded.tactics.len(), recorded.attempts.len())?;
        for (scored, attempt) in recorded.tactics.iter().zip(&recorded.attempts) {
            line.same("tactics.tactic", &scored.tactic, &attempt.tactic)?;
            if !committed(attempt) {
                continue;
            }
            let log_prior = line.usable(log_prior("tactics.score", scored.score))?;
            let mut children = Vec::with_capacity(attempt.child_mvar_ids.len());
            for name in &attempt.child_mvar_ids {
                children.push(match new.get(&**name) {
                    Some(&child) => child,
                    None => self.known_child(self.node(line, "attempts.child_mvar_ids", name)?),
                });
            }
            report.push_step(self.search.tactics_mut().intern(&attempt.tactic), log_prior, &children);
        }
        Ok(report)
    }

    /// A child that is a node of the tree already: its key leads to it.
    fn known_child(&self, node: NodeId) -> Child {
        let tree = self.search.tree();
        Child { coarse: tree.coarse(node), key: tree.key(node), value: None }
    }

    /// Takes the youngest step of a rejected claim back.
    pub(super) fn rejection(&mut self, line: Line, recorded: &Rejection) -> Result<(), ReplayError> {
        line.same("iteration", recorded.iteration, self.search.spent().iterations)?;
        let tree = self.search.tree();
        let Some(proof) = tree.extract() else {
            return Err(line.unfollowable("event", "nothing is proved that could be rejected"));
        };
        let step = proof.youngest();
        line.same("mvar_id", &*recorded.mvar_id, &*self.nodes[tree.step_node(step).index()].name)?;
        line.same("tactic", recorded.tactic.as_str(), self.search.tactics().text(tree.tactic(step)))?;
        self.search.refute(step);
        Ok(())
    }

    /// The status of the root in one word.
    pub(super) fn root_status(&self) -> &'static str {
        let tree = self.search.tree();
        match tree.status(tree.root()) {
            Status::Open => "open",
            Status::Proved => "proved",
            Status::Exhausted => "exhausted",
        }
    }

    /// Compares the steps added with the attempts that succeeded.
    fn same_steps(&self, line: Line, recorded: &Iteration, steps: Range<usize>) -> Result<(), ReplayError> {
        let tree = self.search.tree();
        let successes = recorded.attempts.iter().filter(|a| committed(a));
        line.same("attempts", successes.clone().count(), steps.len())?;
        for (attempt, step) in successes.zip(steps.clone()) {
            let children = tree.children(StepId::from_index(step)).map(|c| &*self.nodes[c.index()].name);
            let names: Vec<&str> = attempt.child_mvar_ids.iter().map(|name| &**name).collect();
            let rebuilt: Vec<&str> = children.collect();
            line.same("attempts.child_mvar_ids", names.join(", "), rebuilt.join(", "))?;
        }
        let expanded = !steps.is_empty();
        line.same("expanded", recorded.expanded, expanded)?;
        line.same("backprop_success", recorded.backprop_success, expanded)
    }

    /// Compares the selected node.
    fn same_node(&self, line: Line, recorded: &Iteration, id: NodeId) -> Result<(), ReplayError> {
        let (tree, node) = (self.search.tree(), &recorded.node);
        let status = tree.status(id);
        let reason_fits = match recorded.reason {
            IterationReason::Expanded => recorded.expanded,
            IterationReason::NoExpansion | IterationReason::NoGoal => !recorded.expanded,
            IterationReason::TerminalNode => status == Status::Proved,
            // Its candidates are spent, though its steps may be open.
            IterationReason::DeadNode => status != Status::Proved && tree.phase(id) == Phase::Complete,
            IterationReason::Blocked => recorded.block.is_some(),
            IterationReason::Delayed => recorded.delay.is_some(),
        };
        if !reason_fits {
            return Err(line.unfollowable("reason", format!("{:?} does not fit the rest", recorded.reason)));
        }
        if recorded.collision && !self.collisions {
            return Err(line.unfollowable("collision", "in this search agents cannot collide"));
        }
        let NodeText { name, goal_type } = &self.nodes[id.index()];
        let record = self.search.stats().node(id);
        let is_terminal = status == Status::Proved && tree.distance(id) == Some(1);
        line.same("node.mvar_id", &node.mvar_id, name)?;
        line.same("node.goal_type", &node.goal_type, goal_type)?;
        line.same("node.goal_sig", &*node.goal_sig, &*tree.coarse(id).to_string())?;
        line.same("node.visit_count", node.visit_count, record.visits)?;
        line.same("node.success_count", node.success_count, f64::from(record.success))?;
        line.same("node.is_terminal", node.is_terminal, is_terminal)?;
        line.same("node.is_dead", node.is_dead, status == Status::Exhausted)?;
        line.same("node.depth", node.depth, tree.depth(id))?;
        line.same("terminal_reached", recorded.terminal_reached, is_terminal)
    }

    /// Compares the tree in numbers.
    pub(super) fn same_tree(
        &self,
        line: Line,
        recorded: &TraceTree,
        aborted: bool,
    ) -> Result<(), ReplayError> {
        let tree = self.search.tree();
        line.same("tree.nodes", recorded.nodes, tree.n_nodes() as u64)?;
        line.same("tree.expansions", recorded.expansions, self.search.spent().expansions)?;
        line.same("tree.max_depth", recorded.max_depth, self.max_depth)?;
        line.same("tree.solved", recorded.solved, tree.status(tree.root()) == Status::Proved)?;
        line.same("tree.aborted", recorded.aborted, aborted)
    }
}

fn committed(attempt: &TraceAttempt) -> bool {
    attempt.outcome == AttemptOutcome::Success
}
