//! One expansion of a problem, candidate by candidate. The caller controls what happens between candidates.

use andor_core::ids::NodeId;
use andor_core::rng::{Purpose, stream};
use andor_core::search::{Admission, CandidateOrder, Guard, Job, Report, Search};
use andor_core::signature::GoalKey;
use andor_core::tree::Child;
use rand::seq::SliceRandom;

use super::problem::{SimulatedCandidate, SimulatedProblem};

/// The number of candidates tried at each node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tried(Vec<u32>);

impl Tried {
    fn of(&self, node: NodeId) -> usize {
        self.0.get(node.index()).copied().unwrap_or(0) as usize
    }

    fn set(&mut self, node: NodeId, tried: usize) {
        if self.0.len() <= node.index() {
            self.0.resize(node.index() + 1, 0);
        }
        self.0[node.index()] = u32::try_from(tried).expect("there are few tactics");
    }
}

/// An expansion in progress. [`Expansion::begin`] reuses its allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansion {
    candidates: Vec<SimulatedCandidate>,
    /// The index of the first candidate of this expansion.
    first: usize,
    /// The index of the next candidate.
    next: usize,
    children: Vec<Child>,
    report: Report,
}

impl Expansion {
    /// Fetches the candidates of the job's node.
    pub(crate) fn begin(
        &mut self,
        job: &Job,
        goal: GoalKey,
        tried: &Tried,
        problem: &mut impl SimulatedProblem,
    ) {
        self.report.clear();
        problem.candidates(goal, &mut self.candidates);
        if let CandidateOrder::Shuffled(seed) = job.order {
            self.candidates.shuffle(&mut stream(seed, Purpose::Candidates));
        }
        self.first = tried.of(job.node);
        self.next = self.first;
    }

    /// Whether a candidate is left to try.
    pub(crate) fn has_next(&self) -> bool {
        self.next < self.candidates.len()
    }

    /// Tries the next candidate. Returns whether to try another one.
    pub(crate) fn try_next(
        &mut self,
        search: &Search,
        goal: GoalKey,
        guard: &Guard,
        problem: &mut impl SimulatedProblem,
    ) -> bool {
        let candidate = self.candidates[self.next];
        self.next += 1;
        self.report.candidates += 1;
        if !problem.apply(goal, candidate.tactic, &mut self.children) {
            return self.has_next();
        }
        match guard.admit(&self.children) {
            Admission::Novel => {}
            Admission::Without(dropped) => {
                let mut index = 0..;
                self.children.retain(|_| !index.next().is_some_and(|index| dropped.contains(&index)));
            }
            Admission::Cyclic | Admission::TooDeep => return self.has_next(),
        }
        self.report.push_step(candidate.tactic, candidate.log_prior, &self.children);
        search.config().expansion.goes_on_after(self.children.len()) && self.has_next()
    }

    /// Ends the expansion. Remaining candidates are kept for the node's next one.
    pub(crate) fn finish(&mut self, node: NodeId, tried: &mut Tried) {
        self.report.next_log_prior = self.candidates.get(self.next).map(|c| c.log_prior);
        if self.report.next_log_prior.is_some() {
            tried.set(node, self.next);
        }
    }

    /// The report for the search after the expansion.
    pub(crate) fn report(&self) -> &Report {
        &self.report
    }

    /// The candidates tried, in order.
    pub(crate) fn tried(&self) -> &[SimulatedCandidate] {
        &self.candidates[self.first..self.next]
    }
}
