//! Selection by descent from the root to a leaf: `ucb1` and `puct`.

use std::cmp::Reverse;

use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Backup, Widening, unscale};
use crate::control::Control;
use crate::ids::{NodeId, StepId};
use crate::rng::Rng;
use crate::schedule::Schedule;
use crate::search::Detour;
use crate::stats::{NodeStats, Path, Stats};
use crate::tree::{Identity, Phase, Status, Tree};

/// The data of a descent.
pub(crate) struct Walk<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) stats: &'a Stats,
    /// Where it begins, if not at the root.
    pub(crate) from: Option<&'a Path>,
    /// Nodes at which a descent may not end.
    pub(crate) closed: Closed<'a>,
    pub(crate) control: &'a Control,
    /// The agent's previous path, if any.
    pub(crate) previous: Option<&'a Path>,
    pub(crate) backup: Backup,
    pub(crate) widening: Option<Widening>,
    pub(crate) rule: Rule,
}

/// Nodes that cannot be reserved now.
#[derive(Clone, Copy)]
pub(crate) struct Closed<'a> {
    /// Reserved nodes; `None` if agents may collide.
    pub(crate) reserved: Option<&'a FxHashMap<NodeId, u32>>,
    /// Nodes at which the agent has just met an obstacle.
    pub(crate) detours: &'a [Detour],
    /// Knows the nodes that are blocked forever.
    pub(crate) schedule: &'a Schedule,
}

impl Closed<'_> {
    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.reserved.is_some_and(|reserved| !reserved.is_empty() && reserved.contains_key(&node))
            || self.detours.iter().any(|d| d.node == node)
            || self.schedule.is_lost(node)
    }
}

/// The rule that chooses a child at each node.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Ucb1 { c: f64 },
    Puct { c: f64 },
}

/// When a node that was never expanded, but has grafted steps, is expanded itself, unless the search widens anyway.
const BESIDE_GRAFTS: Widening = Widening { scale: 1.0, exponent: 0.5 };

/// The next child of a descent.
struct Choice {
    step: StepId,
    child: NodeId,
    score: f64,
}

/// A step competing at a node.
#[derive(Clone, Debug)]
pub(crate) struct StepScore {
    step: StepId,
    score: f64,
}

/// Descends from the root, or where it is to begin, to an unreserved leaf, and stores the path from the root in `path`. Each
/// node takes the best child by the rule; if none is left, the descent backtracks and takes the next best. Returns the score
/// of the last choice, which is infinite if a different rule made it, or `None` if the descent backtracked out of its
/// beginning. `scratch` is working space.
pub(crate) fn walk(
    walk: &Walk<'_>,
    path: &mut Path,
    scratch: &mut Vec<StepScore>,
    rng: &mut Rng,
) -> Option<f64> {
    let mut last = f64::INFINITY;
    match walk.from {
        Some(way) => path.clone_from(way),
        None => path.start(walk.tree.root()),
    }
    let n_given = path.steps.len();
    // With many agents there are many dead ends: nodes whose children are all reserved.
    let mut dead_ends: FxHashSet<NodeId> = FxHashSet::default();
    loop {
        let node = path.end();
        if walk.is_leaf(node) {
            return Some(last);
        }
        let choice = match walk.rule {
            Rule::Ucb1 { c } => walk.ucb1(c, path, &dead_ends, rng),
            Rule::Puct { c } => walk.puct(c, path, &dead_ends, scratch, rng),
        };
        match choice {
            Some(Choice { step, child, score }) => {
                last = score;
                path.go(step, child);
            }
            None if path.steps.len() == n_given => return None,
            None => {
                dead_ends.insert(node);
                path.back();
            }
        }
    }
}

impl Walk<'_> {
    /// Whether a descent may end at `node`.
    fn is_leaf(&self, node: NodeId) -> bool {
        let data = &self.tree.nodes[node.index()];
        let untried = match data.phase {
            Phase::Fresh if data.n_live_steps == 0 => true,
            // What a grafted step leaves comes first, but not for ever: it may be hopeless.
            Phase::Fresh => self
                .widening
                .unwrap_or(BESIDE_GRAFTS)
                .allows(self.stats.nodes[node.index()].visits, data.n_live_steps),
            Phase::Complete => false,
            Phase::Partial => {
                data.n_live_steps == 0
                    || self
                        .widening
                        .is_some_and(|w| w.allows(self.stats.nodes[node.index()].visits, data.n_live_steps))
            }
        };
        untried && data.status == Status::Open && !self.closed.contains(node)
    }

    /// Whether a descent along `path` may continue to `child`.
    fn is_open(&self, child: NodeId, path: &Path, dead_ends: &FxHashSet<NodeId>) -> bool {
        let data = &self.tree.nodes[child.index()];
        if data.status != Status::Open || (!dead_ends.is_empty() && dead_ends.contains(&child)) {
            return false;
        }
        let taken = data.phase == Phase::Fresh && self.closed.contains(child);
        let circular = self.tree.identity() == Identity::Strict && path.contains(child);
        !taken && !circular
    }

    fn live_steps(&self, node: NodeId) -> impl Iterator<Item = StepId> + '_ {
        self.tree.steps(node).filter(|&s| self.tree.step_status(s) == Status::Open)
    }

    /// See [`super::Selection::Ucb1`].
    fn ucb1(&self, c: f64, path: &Path, dead_ends: &FxHashSet<NodeId>, rng: &mut Rng) -> Option<Choice> {
        let node = path.end();
        let parent_eff = self.visits_eff(self.stats.node(node).visits, self.stats.in_flight(node));
        let ln_parent = parent_eff.max(1.0).ln();
        if self.stats.in_flight.is_empty() && self.backup == Backup::Uniform && self.control.is_unbiased() {
            // Of the formula, this is what other agents, biases and values leave.
            let score = |child| {
                let &NodeStats { visits, success } = self.stats.node(child);
                let visits = f64::from(visits);
                let mean = if visits > 0.0 { f64::from(success) / visits } else { return f64::INFINITY };
                mean + c * (ln_parent / visits).sqrt()
            };
            return self.best_child(path, dead_ends, rng, score);
        }
        self.best_child(path, dead_ends, rng, |child| self.ucb1_score(child, c, ln_parent))
    }

    /// The child of a live step at the end of `path` with the best score.
    fn best_child(
        &self,
        path: &Path,
        dead_ends: &FxHashSet<NodeId>,
        rng: &mut Rng,
        score: impl Fn(NodeId) -> f64,
    ) -> Option<Choice> {
        let mut best = Best::new();
        for step in self.live_steps(path.end()) {
            for child in self.tree.children(step) {
                // Scores are cheap, but whether a child is open costs a hash lookup, so only the best are checked.
                let score = score(child);
                if best.would_take(&score) && self.is_open(child, path, dead_ends) {
                    best.offer(score, (step, child), rng);
                }
            }
        }
        best.taken().map(|(score, (step, child))| Choice { step, child, score })
    }

    fn ucb1_score(&self, child: NodeId, c: f64, ln_parent: f64) -> f64 {
        let record = self.stats.node(child);
        let in_flight = self.stats.in_flight(child);
        if record.visits == 0 && in_flight == 0 {
            return f64::INFINITY;
        }
        let success = match self.backup {
            Backup::Uniform => record.success,
            Backup::AndMin | Backup::Product => {
                unscale(self.backup, self.stats.values[child.index()]) * record.visits as f32
            }
        };
        let visits_eff = self.visits_eff(record.visits, in_flight);
        if visits_eff == 0.0 {
            // In flight without virtual loss: treated as unvisited.
            return f64::INFINITY;
        }
        let success_eff = f64::from(success) - f64::from(in_flight) * self.control.virtual_loss;
        success_eff / visits_eff + c * (ln_parent / visits_eff).sqrt() + self.bias(child)
    }

    /// The agent's bonus for a node.
    fn bias(&self, node: NodeId) -> f64 {
        let Control { depth_bias, path_bias, .. } = *self.control;
        let depth = if depth_bias > 0.0 { depth_bias * f64::from(self.tree.depth(node)) } else { 0.0 };
        let on_path = path_bias > 0.0 && self.previous.is_some_and(|p| p.contains(node));
        depth + if on_path { path_bias } else { 0.0 }
    }

    /// The greatest bonus of a step's children.
    fn step_bias(&self, step: StepId) -> f64 {
        if self.control.is_unbiased() {
            return 0.0;
        }
        self.tree.children(step).map(|c| self.bias(c)).fold(0.0, f64::max)
    }

    fn visits_eff(&self, visits: u32, in_flight: u32) -> f64 {
        f64::from(visits) + f64::from(in_flight) * self.control.virtual_loss
    }

    /// See [`super::Selection::Puct`].
    fn puct(
        &self,
        c: f64,
        path: &Path,
        dead_ends: &FxHashSet<NodeId>,
        scores: &mut Vec<StepScore>,
        rng: &mut Rng,
    ) -> Option<Choice> {
        self.puct_scores(path.end(), c, scores);
        loop {
            let mut best = Best::new();
            for (index, entry) in scores.iter().enumerate() {
                if best.would_take(&entry.score) {
                    best.offer(entry.score, index, rng);
                }
            }
            let (score, index) = best.taken()?;
            let step = scores.swap_remove(index).step;
            if let Some(child) = self.next_child(step, path, dead_ends, rng) {
                return Some(Choice { step, child, score });
            }
        }
    }

    fn puct_scores(&self, node: NodeId, c: f64, scores: &mut Vec<StepScore>) {
        scores.clear();
        scores.extend(
            self.live_steps(node).map(|step| StepScore { step, score: self.step_exploitation(node, step) }),
        );
        if c == 0.0 && self.control.is_unbiased() {
            // Pure exploitation needs no normalisation.
            return;
        }
        let top_value = scores.iter().map(|s| s.score).fold(f64::NEG_INFINITY, f64::max);
        let priors = || scores.iter().map(|s| self.tree.log_prior(s.step));
        let top_prior = priors().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = priors().map(|p| (p - top_prior).exp()).sum();
        let node_visits = self.visits_eff(self.stats.node(node).visits, self.stats.in_flight(node));
        let weight = c * node_visits.sqrt() / f64::from(total);
        for entry in scores {
            let relative = match self.backup {
                Backup::Product if top_value > f64::NEG_INFINITY => (entry.score - top_value).exp(),
                Backup::Uniform | Backup::AndMin if top_value > 0.0 => entry.score / top_value,
                Backup::Product | Backup::Uniform | Backup::AndMin => 1.0,
            };
            let visits = self.stats.steps[entry.step.index()].visits;
            let visits = self.visits_eff(visits, self.stats.step_in_flight(entry.step));
            let prior = f64::from((self.tree.log_prior(entry.step) - top_prior).exp());
            entry.score = relative + weight * prior / (1.0 + visits) + self.step_bias(entry.step);
        }
    }

    /// The step's value, in the scale of the backup rule.
    fn step_exploitation(&self, node: NodeId, step: StepId) -> f64 {
        let record = &self.stats.steps[step.index()];
        if self.backup != Backup::Uniform {
            return f64::from(record.value);
        }
        let in_flight = self.stats.step_in_flight(step);
        let visits_eff = self.visits_eff(record.visits, in_flight);
        if visits_eff > 0.0 {
            (f64::from(record.success) - f64::from(in_flight) * self.control.virtual_loss) / visits_eff
        } else {
            // Not yet visited: use the value of its node.
            self.stats.node(node).mean().map_or(1.0, f64::from)
        }
    }

    /// The open child to continue with: an unvisited one, since its first result says most about the step; otherwise
    /// the one with the least value. Children without work in flight take precedence.
    fn next_child(
        &self,
        step: StepId,
        path: &Path,
        dead_ends: &FxHashSet<NodeId>,
        rng: &mut Rng,
    ) -> Option<NodeId> {
        let mut best = Best::new();
        for child in self.tree.children(step) {
            let in_flight = self.stats.in_flight(child);
            let value = match self.backup {
                Backup::Uniform => self.stats.node(child).mean().map_or(1.0, f64::from),
                Backup::AndMin | Backup::Product => f64::from(self.stats.values[child.index()]),
            };
            let crowd = if self.control.virtual_loss > 0.0 { in_flight } else { 0 };
            let rank = child_rank(crowd, self.stats.node(child).visits, value);
            if best.would_take(&rank) && self.is_open(child, path, dead_ends) {
                best.offer(rank, child, rng);
            }
        }
        best.taken().map(|(_, item)| item)
    }
}

/// The sort key for the children of a step: fewest agents at work, then unvisited, then least value.
fn child_rank(crowd: u32, visits: u32, value: f64) -> (Reverse<u32>, bool, f64) {
    (Reverse(crowd), visits == 0, -value)
}

/// The item of the highest rank so far; ties are broken uniformly at random.
struct Best<R, T> {
    best: Option<(R, T)>,
    n_equal: u32,
}

impl<R: PartialOrd, T> Best<R, T> {
    fn new() -> Self {
        Self { best: None, n_equal: 0 }
    }

    fn would_take(&self, rank: &R) -> bool {
        self.best.as_ref().is_none_or(|(best, _)| rank >= best)
    }

    fn offer(&mut self, rank: R, item: T, rng: &mut Rng) {
        match &mut self.best {
            Some((best, equal)) if rank <= *best => {
                self.n_equal += 1;
                if rng.random_range(0..self.n_equal) == 0 {
                    *equal = item;
                }
            }
            best => {
                *best = Some((rank, item));
                self.n_equal = 1;
            }
        }
    }

    /// The selected item with its rank.
    fn taken(self) -> Option<(R, T)> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn children_are_ranked_by_agents_then_by_visits_then_by_value() {
        // From the best to the worst: agents, visits, value. Logarithms of values may be infinite, and may differ by little.
        let order = [
            (0, 0, -1.0),
            (0, 0, -1.0 + 1e-12),
            (0, 7, f64::NEG_INFINITY),
            (0, 7, -1e9),
            (0, 7, 0.0),
            (1, 0, 0.25),
            (1, 0, 0.25 + 1e-12),
            (1, 1, 0.0),
            (2, 1, f64::NEG_INFINITY),
        ];
        for first in 0..order.len() {
            let mut best = Best::new();
            for (at, (crowd, visits, value)) in order.into_iter().enumerate().skip(first).rev() {
                let rank = child_rank(crowd, visits, value);
                assert!(best.would_take(&rank), "{at}");
                best.offer(rank, at, &mut stream(0, Purpose::Ties));
            }
            let rank = child_rank(2, 9, 1.0);
            assert!(!best.would_take(&rank));
            assert_eq!(best.taken().map(|(_, item)| item), Some(first));
        }
    }
}
