//! One expansion on a problem, candidate by candidate. Whoever drives it decides what happens between them.

use andor_core::ids::NodeId;
use andor_core::rng::{Purpose, stream};
use andor_core::search::{Admission, CandidateOrder, Guard, Job, Report, Search};
use andor_core::signature::GoalKey;
use andor_core::tree::Child;
use rand::seq::SliceRandom;

use super::problem::{Candidate, Problem};

/// How many candidates of each node were tried.
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

/// An expansion under way. Reusable: [`Expansion::begin`] keeps the space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansion {
    candidates: Vec<Candidate>,
    /// The first candidate that was not tried before.
    first: usize,
    /// The candidate to be tried next.
    next: usize,
    children: Vec<Child>,
    report: Report,
}

impl Expansion {
    /// Gets the candidates of the job's node.
    pub(crate) fn begin(&mut self, job: &Job, goal: GoalKey, tried: &Tried, problem: &mut impl Problem) {
        self.report.clear();
        problem.candidates(goal, &mut self.candidates);
        if let CandidateOrder::Shuffled(seed) = job.order {
            self.candidates.shuffle(&mut stream(seed, Purpose::Candidates));
        }
        self.first = tried.of(job.node);
        self.next = self.first;
    }

    /// Whether there is a candidate to try.
    pub(crate) fn has_next(&self) -> bool {
        self.next < self.candidates.len()
    }

    /// Tries the next candidate. Says whether another one is to be tried.
    pub(crate) fn try_next(
        &mut self,
        search: &Search,
        goal: GoalKey,
        guard: &Guard,
        problem: &mut impl Problem,
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

    /// Ends the expansion: candidates that are left wait for the node's next one.
    pub(crate) fn finish(&mut self, node: NodeId, tried: &mut Tried) {
        self.report.next_log_prior = self.candidates.get(self.next).map(|c| c.log_prior);
        if self.report.next_log_prior.is_some() {
            tried.set(node, self.next);
        }
    }

    /// What the search is to be told of the expansion when it is finished.
    pub(crate) fn report(&self) -> &Report {
        &self.report
    }

    /// The candidates that it tried, in order.
    pub(crate) fn tried(&self) -> &[Candidate] {
        &self.candidates[self.first..self.next]
    }
}
