//! Measurements of a simulated search.

use andor_core::clock::{Station, VirtualClock};
use andor_core::ids::NodeId;
use andor_core::search::Search;
use andor_core::signature::GoalKey;
use andor_core::tree::{Phase, Status, Tree};
use rustc_hash::FxHashMap;

/// Measurements of a search. Times are virtual, in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measurements {
    /// The end time of the search.
    pub time: u64,
    /// Number of provider calls.
    pub provider_calls: u64,
    /// Number of iterations that ended at an obstacle.
    pub passes: u64,
    /// Number of iterations skipped because the node was already settled.
    pub skips: u64,
    /// Number of reservations of nodes that other agents had reserved.
    pub collisions: u64,
    /// Number of expansions of goals that were expanded before at another node.
    pub repeats: u64,
    /// Total time for which workers were in use.
    pub workers_busy: u64,
    /// Time during which there was work for all workers.
    pub with_work: u64,
    /// Total time for which workers were in use during `with_work`.
    pub workers_busy_with_work: u64,
    /// Total time of calls to the model.
    pub model_busy: u64,
    /// Number of expansions that received a worker.
    pub worker_entries: u64,
    /// Total time that they waited for it.
    pub worker_wait: u64,
}

/// Collects the measurements.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    pub(super) measured: Measurements,
    workers: usize,
    /// The node at which each goal was first expanded.
    expanded: FxHashMap<GoalKey, NodeId>,
    has_work: bool,
}

impl Meter {
    pub(super) fn new(workers: u32) -> Self {
        Self {
            measured: Measurements::default(),
            workers: workers as usize,
            expanded: FxHashMap::default(),
            has_work: false,
        }
    }

    /// Records the expansion of a node.
    pub(super) fn note_expansion(&mut self, tree: &Tree, node: NodeId) {
        let first = *self.expanded.entry(tree.key(node)).or_insert(node);
        self.measured.repeats += u64::from(first != node);
    }

    /// Accounts for the time since the last call, during which nothing else happened.
    pub(super) fn advance(&mut self, clock: &mut VirtualClock) {
        let m = &mut self.measured;
        let (passed, busy) = (clock.now() - m.time, clock.busy(Station::Workers));
        if self.has_work {
            m.with_work += passed;
            m.workers_busy_with_work += busy - m.workers_busy;
        }
        m.time = clock.now();
        m.workers_busy = busy;
        m.model_busy = clock.busy(Station::Model);
    }

    /// Determines whether there is work for all workers: at least as many relevant leaves, reserved or not, and
    /// reservations of inner nodes as there are workers. Unreserved inner nodes are ignored, because the policy
    /// decides whether they may be expanded further.
    pub(super) fn look(&mut self, search: &Search, reserved: impl Iterator<Item = NodeId>) {
        let tree = search.tree();
        let is_open = |&n: &NodeId| {
            tree.status(n) == Status::Open && tree.phase(n) != Phase::Complete && tree.is_relevant(n)
        };
        let is_leaf = |&n: &NodeId| !tree.steps(n).any(|s| tree.step_status(s) == Status::Open);
        // Leaves are among the youngest nodes.
        let leaves = tree.nodes().rev().filter(|n| is_open(n) && is_leaf(n));
        let inner = reserved.filter(|n| is_open(n) && !is_leaf(n));
        self.has_work = leaves.chain(inner).take(self.workers).count() == self.workers;
    }
}

#[cfg(test)]
mod tests {
    use andor_core::clock::{Latencies, Latency, Turn, Work};
    use andor_core::ids::{AgentId, JobId};
    use andor_core::search::{Ask, Config, Report};
    use andor_core::signature::GoalSig;
    use andor_core::tree::Child;

    use super::*;

    fn child(id: u64) -> Child {
        Child { coarse: GoalSig(id), key: GoalKey(id), value: None }
    }

    #[test]
    fn workers_are_judged_only_while_there_is_work_for_all() {
        let latencies = Latencies { provider: Latency::Constant(10), tactic: Latency::Constant(4) };
        let mut clock = VirtualClock::new(latencies, 2, u32::MAX, 0);
        let mut search = Search::new(Config::default(), child(0));
        let split = search.tactics_mut().intern("split");
        let mut meter = Meter::new(2);
        // One worker has the root for 4 µs; a second one would have nothing to do.
        meter.look(&search, std::iter::empty());
        clock.enter(Station::Workers, JobId(0));
        assert_eq!(clock.next(), Some(Turn::Entered(JobId(0), Station::Workers)));
        clock.start(Work::Tactic, JobId(0));
        clock.next();
        meter.advance(&mut clock);
        let Ask::Job(job) = search.ask(AgentId(0)) else { panic!("the root is open") };
        let mut report = Report::default();
        report.push_step(split, 0.0, &[child(1), child(2)]);
        search.tell(job.id, &report);
        // Now there are two leaves, and still one worker in use, for another 4 µs.
        meter.look(&search, std::iter::empty());
        clock.start(Work::Tactic, JobId(0));
        clock.next();
        meter.advance(&mut clock);
        let expected = Measurements {
            time: 8,
            workers_busy: 8,
            with_work: 4,
            workers_busy_with_work: 4,
            ..Measurements::default()
        };
        assert_eq!(meter.measured, expected);
    }
}
