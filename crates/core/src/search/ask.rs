//! Asking the search for work.

use rand::RngExt;
use rustc_hash::FxHashMap;

use super::{Ask, CandidateOrder, Detour, Job, OpenNodes, Pass, Reservation, Search};
use crate::ids::{AgentId, JobId, NodeId, StepId};
use crate::policy::{Closed, Expansion, Rule, Selection, StopReason, Walk, walk};
use crate::schedule::{Obstacle, ObstacleVisits};
use crate::stats::Path;
use crate::tree::{Identity, Phase, Status};

impl Search {
    /// Reserves a node for `agent`, or says why there is none.
    pub fn ask(&mut self, agent: AgentId) -> Ask {
        match self.tree.status(self.tree.root()) {
            Status::Proved => return Ask::Done(StopReason::Proved),
            Status::Exhausted => return Ask::Done(StopReason::Exhausted),
            Status::Open => {}
        }
        self.count_in();
        self.begin_approach();
        let mut path = std::mem::take(&mut self.spare_path);
        loop {
            let found = self.select(agent, &mut path);
            if !found {
                break;
            }
            let Some(obstacle) = self.encounter(path.end()) else {
                return Ask::Job(self.reserve(agent, path));
            };
            self.approach.detours.push(Detour { node: path.end(), obstacle });
            if self.approach.detours.len() > self.schedule.max_reroutes() {
                break;
            }
        }
        let answer = self.no_node(agent, &mut path);
        self.spare_path = path;
        answer
    }

    fn begin_approach(&mut self) {
        let approach = &mut self.approach;
        (approach.number, approach.after, approach.score) = (self.n_approaches, self.spent.iterations, None);
        approach.detours.clear();
        approach.lifted.clear();
        approach.in_flight.clear();
        approach.in_flight.extend(self.reservations.iter().map(|r| r.approach.number));
        approach.in_flight.sort_unstable();
    }

    /// The obstacle for an agent at `node`, if any.
    fn encounter(&mut self, node: NodeId) -> Option<Obstacle> {
        if self.schedule.is_idle() || node == self.tree.root() {
            return None;
        }
        let (tree, tactics) = (&self.tree, &self.tactics);
        let met = self.schedule.encounter(node, self.spent.iterations, || tree.place(node, tactics));
        if met.lifted {
            self.approach.lifted.push(node);
        }
        met.obstacle
    }

    /// The answer to an agent that found no node to reserve.
    fn no_node(&mut self, agent: AgentId, path: &mut Path) -> Ask {
        let Some(Detour { node, obstacle }) = self.approach.detours.pop() else {
            if self.focus.is_some() {
                return Ask::OutOfFocus;
            }
            return match (self.reservations.is_empty(), self.schedule.has_lost()) {
                (false, _) => Ask::Wait,
                (true, false) => Ask::Done(StopReason::Exhausted),
                (true, true) => Ask::Done(StopReason::Blocked),
            };
        };
        path.follow_creators(&self.tree, node);
        self.finish_pass(agent, path);
        Ask::Pass(Pass { agent, node, obstacle })
    }

    /// Adds all reservations to the in-flight counts, which are about to be read.
    fn count_in(&mut self) {
        for reservation in self.reservations.iter_mut().filter(|r| !r.counted) {
            reservation.counted = true;
            self.stats.depart(&reservation.path);
            *self.reserved.entry(reservation.path.end()).or_default() += 1;
        }
    }

    pub(super) fn reserve(&mut self, agent: AgentId, path: Path) -> Job {
        let order = match self.config.selection {
            Selection::BlindUniform => {
                self.is_seeded = true;
                CandidateOrder::Shuffled(self.candidates.random())
            }
            Selection::Ucb1 | Selection::Puct | Selection::BestFirst => CandidateOrder::Ranked,
        };
        let collides = self.is_reserved(path.end());
        let job = Job { id: JobId(self.next_job), agent, node: path.end(), order, collides };
        self.next_job += 1;
        if self.config.control.path_bias > 0.0 {
            self.agent(agent).previous.clone_from(&path);
        }
        let approach = std::mem::take(&mut self.approach);
        self.n_approaches += 1;
        self.reservations.push(Reservation { job: job.id, agent, path, approach, counted: false });
        job
    }

    /// Ends an iteration at the obstacle at the end of `path`.
    pub(super) fn finish_pass(&mut self, agent: AgentId, path: &Path) {
        if self.config.control.interventions.visits != ObstacleVisits::None {
            self.back_up_failure(path);
        }
        self.n_approaches += 1;
        let detours = std::mem::take(&mut self.approach.detours);
        self.finish_iteration(agent, &detours);
        self.approach.detours = detours;
    }

    /// Whether a counted reservation holds the node.
    pub(super) fn is_reserved(&self, node: NodeId) -> bool {
        !self.reserved.is_empty() && self.reserved.contains_key(&node)
    }

    /// Selects a node, and stores the path to it in `path`.
    fn select(&mut self, agent: AgentId, path: &mut Path) -> bool {
        self.approach.score = None;
        if self.is_focus_settled() {
            return false;
        }
        let (tree, reserved) = (&self.tree, &self.reserved);
        let eligible = |n: NodeId| {
            tree.status(n) == Status::Open
                && tree.phase(n) != Phase::Complete
                && tree.is_relevant(n)
                && !reserved.contains_key(&n)
        };
        let found = match &mut self.open {
            OpenNodes::Bag(frontier, rng) => frontier.draw(rng, eligible),
            OpenNodes::Queue(queue) => queue.pop(eligible).map(|(node, priority)| {
                self.approach.score = Some(priority);
                self.is_seeded |= queue.ties_with(node);
                node
            }),
            OpenNodes::InTree => return self.walk(agent, path) || self.first_reachable(path),
        };
        match found {
            Some(node) => {
                path.follow_creators(&self.tree, node);
                true
            }
            None => false,
        }
    }

    /// The nodes that cannot be selected now.
    fn closed(&self) -> Closed<'_> {
        let reserved = if self.config.control.collisions { None } else { Some(&self.reserved) };
        Closed { reserved, detours: &self.approach.detours, schedule: &self.schedule }
    }

    fn walk(&mut self, agent: AgentId, path: &mut Path) -> bool {
        let rule = match self.config.selection {
            Selection::Puct => Rule::Puct { c: self.config.exploration },
            Selection::Ucb1 => Rule::Ucb1 { c: self.config.exploration },
            Selection::BlindUniform | Selection::BestFirst => unreachable!("these do not walk"),
        };
        let widening = match self.config.expansion {
            Expansion::FirstNovel => self.config.widening,
            Expansion::All => None,
        };
        let (mut scores, mut ties) = (std::mem::take(&mut self.scores), self.ties.clone());
        let state = Walk {
            tree: &self.tree,
            stats: &self.stats,
            from: self.focus.as_ref().map(|focus| &focus.way),
            closed: self.closed(),
            control: &self.config.control,
            previous: self.agents.get(agent.0 as usize).map(|a| &a.previous),
            backup: self.config.backup,
            widening,
            rule,
        };
        let found = walk(&state, path, &mut scores, &mut ties);
        self.scores = scores;
        // A failed selection draws no random number, so that unsuccessful requests do not affect the search.
        let Some(score) = found else { return false };
        self.is_seeded |= self.ties != ties;
        self.ties = ties;
        self.approach.score = score.is_finite().then_some(score);
        true
    }

    /// The first node with candidates left, in breadth-first order. Used when a descent finds none although there may
    /// be one: in a graph it may find only cyclic paths, and a step whose child is blocked forever is never
    /// exhausted, so that the further candidates of its node would wait forever.
    fn first_reachable(&self, path: &mut Path) -> bool {
        let hindered = self.schedule.has_lost() && self.reservations.is_empty();
        if self.config.identity == Identity::Checkpoint && !hindered {
            return false;
        }
        let closed = self.closed();
        let mut way = Path::default();
        way.follow_creators(&self.tree, self.focused().unwrap_or(self.tree.root()));
        // The nodes on the way are not visited again.
        let mut came_by: FxHashMap<NodeId, Option<StepId>> = FxHashMap::default();
        came_by.extend(std::iter::zip(&way.nodes[1..], &way.steps).map(|(&node, &step)| (node, Some(step))));
        came_by.insert(self.tree.root(), None);
        let mut queue = std::collections::VecDeque::from([way.end()]);
        while let Some(node) = queue.pop_front() {
            if self.tree.phase(node) != Phase::Complete && !closed.contains(node) {
                path.start(node);
                let mut at = node;
                while let Some(step) = came_by[&at] {
                    at = self.tree.step_node(step);
                    path.go(step, at);
                }
                path.reverse();
                return true;
            }
            let live = self.tree.steps(node).filter(|&s| self.tree.step_status(s) == Status::Open);
            for (step, child) in live.flat_map(|s| self.tree.children(s).map(move |c| (s, c))) {
                if self.tree.status(child) == Status::Open && !came_by.contains_key(&child) {
                    came_by.insert(child, Some(step));
                    queue.push_back(child);
                }
            }
        }
        false
    }
}
