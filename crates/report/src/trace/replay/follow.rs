//! Applies the records of a trace to a search.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use andor_artifact::graft::GraftRecord;
use andor_artifact::plan::FocusRecord;
use andor_artifact::trace::{
    AttemptOutcome, GivenUp, GraftStep, Iteration, IterationReason, NewNode, Rejection, Start, TraceAttempt,
    TraceDetour, TraceTree,
};
use andor_config::{Agents, Config, MctsMode};
use andor_core::ids::{AgentId, NodeId, StepId};
use andor_core::schedule::{Interventions, Obstacle};
use andor_core::search::{Approach, Ask, Detour, Job, Pass, Report, Scion, Search};
use andor_core::tree::{Child, Phase, Status};
use andor_engine::approach::{Written, obstacle, obstructed, written};

use super::asks::{Asked, Asks};
use super::{Line, NodeText, ReplayError};
use crate::trace::fields::{child, estimate, log_prior};

/// A search being rebuilt.
pub(super) struct Follower {
    pub(super) search: Search,
    pub(super) nodes: Vec<NodeText>,
    pub(super) max_depth: u32,
    by_name: HashMap<Arc<str>, NodeId>,
    agents: Agents,
    /// Whether several agents share the tree; then each holds at most one reservation.
    is_shared: bool,
    asks: Asks,
    /// The repeated reservations that are not finished, by number.
    pending: BTreeMap<u64, Job>,
    /// Number of steps of each graft in progress.
    grafted: HashMap<u64, u64>,
}

impl Follower {
    /// A search before its first iteration.
    pub(super) fn new(line: Line, start: &Start, asks: Asks) -> Result<Self, ReplayError> {
        let unusable = |what: String| ReplayError::Config { line: line.0, what };
        let config: Config =
            serde_json::from_value(start.config.clone()).map_err(|error| unusable(error.to_string()))?;
        config.validate().map_err(|error| unusable(error.to_string()))?;
        let search_config = config.search();
        // A program's own priority is not in the trace, so that the choices cannot be made again.
        let asks = if config.search.priority.is_none() { asks } else { asks.unrepeated() };
        let mut follower = Self {
            search: Search::new(search_config, line.usable(child(&start.root))?),
            nodes: Vec::new(),
            max_depth: 0,
            by_name: HashMap::new(),
            agents: config.agents(),
            is_shared: config.distributed_mcts.mode == MctsMode::Distributed,
            asks,
            pending: BTreeMap::new(),
            grafted: HashMap::new(),
        };
        follower.name(line, &start.root)?;
        Ok(follower)
    }

    /// Names the next node.
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

    /// The number of repeated choices.
    pub(super) fn choices(&self) -> u64 {
        self.asks.len()
    }

    /// Repeats an iteration, and compares the results.
    pub(super) fn iteration(&mut self, line: Line, recorded: &Iteration) -> Result<(), ReplayError> {
        line.same("iteration", recorded.iteration, self.search.spent().iterations + 1)?;
        if recorded.agent_id >= self.agents.count {
            let what = format!("there is no agent {}; they are {}", recorded.agent_id, self.agents.count);
            return Err(line.unfollowable("agent_id", what));
        }
        let names = recorded.selected_path.iter();
        let path: Vec<NodeId> =
            names.map(|name| self.node(line, "selected_path", name)).collect::<Result<_, _>>()?;
        let is_pass = matches!(recorded.reason, IterationReason::Blocked | IterationReason::Delayed);
        for (field, is_invented) in [
            ("block", recorded.block.is_some() && recorded.reason != IterationReason::Blocked),
            ("delay", recorded.delay.is_some() && recorded.reason != IterationReason::Delayed),
        ] {
            if is_invented {
                return Err(line.unfollowable(field, "the iteration did not end at one"));
            }
        }
        let pass = self.ask_due(line)?;
        let was_asked = recorded.reservation.as_ref().is_some_and(|r| self.asks.has(r.number));
        let n_nodes = self.nodes.len();
        let (steps, nodes) = match recorded.reason {
            IterationReason::Expanded | IterationReason::NoExpansion | IterationReason::NoGoal => {
                let report = self.report(line, recorded)?;
                let job = self.job(line, recorded, &path, was_asked)?;
                self.tell(line, &job, &report)?
            }
            IterationReason::TerminalNode | IterationReason::DeadNode => {
                let job = self.job(line, recorded, &path, was_asked)?;
                self.search.skip(job.id);
                (0..0, n_nodes..n_nodes)
            }
            IterationReason::Blocked | IterationReason::Delayed => {
                self.pass(line, recorded, &path, pass)?;
                (0..0, n_nodes..n_nodes)
            }
        };
        if pass.is_some() && !is_pass {
            return Err(line.unfollowable("reason", "an agent runs into an obstacle here"));
        }
        line.same("new_nodes", recorded.new_nodes.len(), nodes.len())?;
        for new in &recorded.new_nodes {
            self.name(line, new)?;
        }
        self.same_steps(line, recorded, steps)?;
        let node = *path.last().expect("a path that was followed has an end");
        self.same_node(line, recorded, node)?;
        if self.asks.are_complete() {
            line.same("tree.inflight", recorded.tree.inflight, self.search.n_in_flight() as u64)?;
        }
        self.same_tree(line, &recorded.tree, false)
    }

    /// Adds a script's step again, and compares the results.
    pub(super) fn graft_step(&mut self, line: Line, recorded: &GraftStep) -> Result<(), ReplayError> {
        line.same("iteration", recorded.iteration, self.search.spent().iterations)?;
        if self.ask_before(line, recorded.reservations)?.is_some() {
            return Err(line.unfollowable("reservations", "an agent runs into an obstacle here"));
        }
        let node = self.node(line, "mvar_id", &recorded.mvar_id)?;
        let children = self.children(line, &recorded.child_mvar_ids, &recorded.new_nodes)?;
        let scion = Scion {
            tactic: self.search.tactics_mut().intern(&recorded.tactic),
            log_prior: line.usable(log_prior("score", recorded.score))?,
            children: &children,
            is_only: recorded.is_only,
        };
        if self.search.tree().status(node) == Status::Exhausted {
            return Err(line.unfollowable("mvar_id", "the node is exhausted"));
        }
        line.same("depth", recorded.depth, self.search.tree().depth(node))?;
        let told = self.search.graft(node, &scion);
        line.same("new_nodes", recorded.new_nodes.len(), told.nodes.len())?;
        for new in &recorded.new_nodes {
            self.name(line, new)?;
        }
        for step in told.step_ids() {
            let children: Vec<NodeId> = self.search.tree().children(step).collect();
            line.same("child_mvar_ids", joined(&recorded.child_mvar_ids), joined(&self.names(&children)))?;
        }
        self.grafted.entry(recorded.graft).and_modify(|steps| *steps += 1).or_insert(1);
        self.same_tree(line, &recorded.tree, false)
    }

    /// Moves the focus again.
    pub(super) fn focus(&mut self, line: Line, recorded: &FocusRecord) -> Result<(), ReplayError> {
        line.same("iteration", recorded.iteration, self.search.spent().iterations)?;
        if self.ask_before(line, recorded.reservations)?.is_some() {
            return Err(line.unfollowable("reservations", "an agent runs into an obstacle here"));
        }
        let node = recorded.mvar_id.as_ref().map(|name| self.node(line, "mvar_id", name)).transpose()?;
        self.search.focus(node);
        Ok(())
    }

    /// Compares the number of a script's steps.
    pub(super) fn graft(&mut self, line: Line, recorded: &GraftRecord) -> Result<(), ReplayError> {
        line.same("steps", recorded.steps, self.grafted.remove(&recorded.number).unwrap_or(0))
    }

    /// Lets agents request work in the recorded order, up to the next finished iteration. An agent that meets an
    /// obstacle finishes an iteration itself.
    fn ask_due(&mut self, line: Line) -> Result<Option<(u64, Pass)>, ReplayError> {
        self.ask_before(line, u64::MAX)
    }

    /// The same, up to the request with this number.
    fn ask_before(&mut self, line: Line, end: u64) -> Result<Option<(u64, Pass)>, ReplayError> {
        while let Some((number, Asked { agent, .. })) = self.asks.due(self.search.spent().iterations, end) {
            if self.is_shared && self.pending.values().any(|job| job.agent == agent) {
                let what = format!("agent {agent} reserved two nodes at the same time", agent = agent.0);
                return Err(line.unfollowable("agent_id", what));
            }
            match self.search.ask(agent) {
                Ask::Job(job) => {
                    self.pending.insert(number, job);
                }
                Ask::Pass(pass) => return Ok(Some((number, pass))),
                Ask::Wait | Ask::OutOfFocus | Ask::Done(_) => {
                    let what = format!("reservation {number} could not be made: nothing was left to reserve");
                    return Err(line.unfollowable("reservation", what));
                }
            }
        }
        Ok(None)
    }

    /// The reservation of a line's iteration: the repeated one, which must equal the record, or else one of the
    /// recorded node.
    fn job(
        &mut self,
        line: Line,
        recorded: &Iteration,
        path: &[NodeId],
        was_asked: bool,
    ) -> Result<Job, ReplayError> {
        let Some(reservation) = recorded.reservation.as_ref().filter(|_| was_asked) else {
            let (agent, detours) = (AgentId(recorded.agent_id), self.detours(line, recorded)?);
            let job = self.search.follow(agent, path, detours);
            return job.ok_or_else(|| line.unfollowable("selected_path", "the tree has no such path"));
        };
        let Some(job) = self.pending.remove(&reservation.number) else {
            let what = format!("there is no reservation {} in flight", reservation.number);
            return Err(line.unfollowable("reservation.number", what));
        };
        self.same_path(line, recorded, self.search.path(job.id))?;
        self.same_approach(line, recorded, self.search.approach(job.id))?;
        line.same("collision", recorded.collision, job.collides)?;
        Ok(job)
    }

    /// Ends an iteration at an obstacle, unless the repeated request did so already.
    fn pass(
        &mut self,
        line: Line,
        recorded: &Iteration,
        path: &[NodeId],
        pass: Option<(u64, Pass)>,
    ) -> Result<(), ReplayError> {
        let number = recorded.reservation.as_ref().map(|r| r.number);
        match (pass, number.filter(|&number| self.asks.has(number))) {
            (Some((number, pass)), Some(recorded_number)) => {
                line.same("reservation.number", recorded_number, number)?;
                self.same_path(line, recorded, &self.search.path_to(pass.node))?;
                let approach = self.search.approach_before_pass();
                self.same_approach(line, recorded, approach)?;
                let (_, block, delay) = obstructed(pass.obstacle, approach.after, self.interventions());
                line.same_record("block", &recorded.block, &block)?;
                line.same_record("delay", &recorded.delay, &delay)
            }
            (None, Some(_)) => Err(line.unfollowable("reason", "nothing is in the agent's way")),
            (_, None) => {
                let obstacle = obstacle(recorded.block.as_ref(), recorded.delay.as_ref());
                if !obstacle.is_some_and(|obstacle| self.can_meet(obstacle)) {
                    return Err(line.unfollowable("reason", "in this search nothing can be in the way"));
                }
                let (agent, detours) = (AgentId(recorded.agent_id), self.detours(line, recorded)?);
                let passed = self.search.follow_pass(agent, path, detours);
                passed.ok_or_else(|| line.unfollowable("selected_path", "the tree has no such path"))
            }
        }
    }

    /// Compares the cancelled reservations with those in flight at the end.
    pub(super) fn given_up(
        &mut self,
        line: Line,
        recorded: &[GivenUp],
        tree: &TraceTree,
    ) -> Result<(), ReplayError> {
        if self.asks.are_recorded {
            if let Some(number) = self.asks.missing {
                let what = format!("reservation {number} was in flight and is not recorded");
                return Err(line.unfollowable("given_up", what));
            }
            line.same("tree.inflight", tree.inflight, recorded.len() as u64)?;
        }
        if let Some((number, _)) = self.ask_due(line)? {
            let what = format!("number {number} runs into an obstacle");
            return Err(line.unfollowable("given_up", what));
        }
        let asked: Vec<&GivenUp> =
            recorded.iter().filter(|given_up| self.asks.has(given_up.reservation.number)).collect();
        line.same("given_up", asked.len(), self.pending.len())?;
        for (given_up, (number, job)) in asked.into_iter().zip(&self.pending) {
            line.same("given_up.reservation.number", given_up.reservation.number, *number)?;
            line.same("given_up.selected_path", joined(&given_up.selected_path), {
                joined(&self.names(self.search.path(job.id)))
            })?;
            let written = self.written(self.search.approach(job.id));
            line.same_record("given_up.reservation", &given_up.reservation, &written.reservation)?;
        }
        Ok(())
    }

    /// The obstacles that the agent met, with their visit counts.
    fn detours(&self, line: Line, recorded: &Iteration) -> Result<Vec<Detour>, ReplayError> {
        let detour = |detour: &TraceDetour| {
            let node = self.node(line, "reroute", &detour.mvar_id)?;
            let obstacle = obstacle(detour.block.as_ref(), detour.delay.as_ref());
            let obstacle = obstacle.filter(|obstacle| self.can_meet(*obstacle));
            let obstacle = obstacle.ok_or_else(|| line.unfollowable("reroute", "nothing was in the way"))?;
            Ok(Detour { node, obstacle })
        };
        recorded.reroute.iter().map(detour).collect()
    }

    /// Whether the configuration puts such obstacles up.
    fn can_meet(&self, obstacle: Obstacle) -> bool {
        match obstacle {
            Obstacle::Blocked { .. } => self.interventions().block.is_some(),
            Obstacle::Delayed { .. } => self.interventions().delay.is_some(),
        }
    }

    fn interventions(&self) -> &Interventions {
        &self.search.config().control.interventions
    }

    fn names(&self, nodes: &[NodeId]) -> Vec<Arc<str>> {
        nodes.iter().map(|node| Arc::clone(&self.nodes[node.index()].name)).collect()
    }

    fn written(&self, approach: &Approach) -> Written {
        let name = |node: NodeId| Arc::clone(&self.nodes[node.index()].name);
        written(approach, self.interventions(), name)
    }

    fn same_path(&self, line: Line, recorded: &Iteration, path: &[NodeId]) -> Result<(), ReplayError> {
        line.same("selected_path", joined(&recorded.selected_path), joined(&self.names(path)))
    }

    fn same_approach(&self, line: Line, recorded: &Iteration, made: &Approach) -> Result<(), ReplayError> {
        let written = self.written(made);
        line.same_record("reroute", &recorded.reroute, &written.reroute)?;
        line.same("lifted", joined(&recorded.lifted), joined(&written.lifted))?;
        line.same_record("reservation", &recorded.reservation, &Some(written.reservation))
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

    /// The report to the search.
    fn report(&mut self, line: Line, recorded: &Iteration) -> Result<Report, ReplayError> {
        let mut report = Report::default();
        let tried = recorded.attempts.iter().filter(|a| a.outcome != AttemptOutcome::Blocked).count();
        report.candidates =
            u32::try_from(tried).map_err(|_| line.unfollowable("attempts", "there are too many"))?;
        report.next_log_prior =
            recorded.next_score.map(|s| line.usable(log_prior("next_score", s))).transpose()?;
        report.value = recorded.value.map(|v| line.usable(estimate("value", v))).transpose()?;
        line.same("tactics", recorded.tactics.len(), recorded.attempts.len())?;
        let mut is_over = false;
        for (scored, attempt) in recorded.tactics.iter().zip(&recorded.attempts) {
            line.same("tactics.tactic", &scored.tactic, &attempt.tactic)?;
            if is_over {
                return Err(line.unfollowable("attempts", "the expansion ended with an earlier one"));
            }
            if !committed(attempt) {
                continue;
            }
            let log_prior = line.usable(log_prior("tactics.score", scored.score))?;
            let children = self.children(line, &attempt.child_mvar_ids, &recorded.new_nodes)?;
            report.push_step(self.search.tactics_mut().intern(&attempt.tactic), log_prior, &children);
            is_over = !self.search.config().expansion.goes_on_after(children.len());
        }
        Ok(report)
    }

    /// The children of a step, by their names: new nodes, or nodes of the tree.
    fn children(&self, line: Line, names: &[Arc<str>], new: &[NewNode]) -> Result<Vec<Child>, ReplayError> {
        let child = |name: &Arc<str>| match new.iter().find(|new| new.mvar_id == *name) {
            Some(new) => line.usable(child(new)),
            None => Ok(self.known_child(self.node(line, "child_mvar_ids", name)?)),
        };
        names.iter().map(child).collect()
    }

    /// A child that is already a node of the tree, found by its key.
    fn known_child(&self, node: NodeId) -> Child {
        let tree = self.search.tree();
        Child { coarse: tree.coarse(node), key: tree.key(node), value: None }
    }

    /// Refutes the youngest step of a rejected claim.
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

    /// Compares the added steps with the successful attempts.
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
            // All its candidates are used, though its steps may be open.
            IterationReason::DeadNode => status != Status::Proved && tree.phase(id) == Phase::Complete,
            IterationReason::Blocked => recorded.block.is_some(),
            IterationReason::Delayed => recorded.delay.is_some(),
        };
        if !reason_fits {
            return Err(line.unfollowable("reason", format!("{:?} does not fit the rest", recorded.reason)));
        }
        if recorded.collision && !self.search.config().control.collisions {
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

    /// Compares the size of the tree.
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

fn joined(names: &[Arc<str>]) -> String {
    names.join(", ")
}
