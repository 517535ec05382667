//! Budgets and stop reasons.

use std::fmt;
use std::time::Duration;

/// Limits of a search; `None` means unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Iterations: selection, expansion and backup.
    pub iterations: Option<u64>,
    /// Iterations that added at least one step.
    pub expansions: Option<u64>,
    /// Nodes in the tree.
    pub nodes: Option<u64>,
    /// Tactic applications.
    pub candidates: Option<u64>,
    /// Tokens sent to and received from language models.
    pub tokens: Option<u64>,
    /// Money for language models, in millionths of the currency of their prices.
    pub cost_micros: Option<u64>,
    /// Real time since the search began.
    pub time: Option<Duration>,
    /// Time on the virtual clock.
    pub virtual_time: Option<Duration>,
}

/// The budget spent so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Iterations: selection, expansion and backup.
    pub iterations: u64,
    /// Iterations that added at least one step.
    pub expansions: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// Tactic applications.
    pub candidates: u64,
    /// Tokens sent to and received from language models.
    pub tokens: u64,
    /// Money for language models, in millionths of the currency of their prices.
    pub cost_micros: u64,
    /// Time on the virtual clock; zero under the wall clock.
    pub virtual_time: Duration,
}

impl Budget {
    /// The first limit that is reached. `elapsed` is the time since the search began.
    pub fn exceeded(&self, spent: &Spent, elapsed: Duration) -> Option<StopReason> {
        let reached = |limit: Option<u64>, n: u64| limit.filter(|&l| n >= l);
        reached(self.iterations, spent.iterations)
            .map(StopReason::Iterations)
            .or_else(|| reached(self.expansions, spent.expansions).map(StopReason::Expansions))
            .or_else(|| reached(self.nodes, spent.nodes).map(StopReason::Nodes))
            .or_else(|| reached(self.candidates, spent.candidates).map(StopReason::Candidates))
            .or_else(|| reached(self.tokens, spent.tokens).map(StopReason::Tokens))
            .or_else(|| reached(self.cost_micros, spent.cost_micros).map(StopReason::Cost))
            .or_else(|| self.time.filter(|&t| elapsed >= t).map(StopReason::Time))
            .or_else(|| self.virtual_time.filter(|&t| spent.virtual_time >= t).map(StopReason::VirtualTime))
    }
}

/// Why a search ended. Limits carry their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The root is proved.
    Proved,
    /// Nothing is left to try.
    Exhausted,
    /// Everything left is blocked forever by interventions.
    Blocked,
    /// The iteration budget is spent.
    Iterations(u64),
    /// The expansion budget is spent.
    Expansions(u64),
    /// The node budget is spent.
    Nodes(u64),
    /// The budget of tactic applications is spent.
    Candidates(u64),
    /// The budget of language-model tokens is spent.
    Tokens(u64),
    /// The money for language models is spent: millionths of the currency.
    Cost(u64),
    /// The time limit was reached.
    Time(Duration),
    /// The limit on virtual time was reached.
    VirtualTime(Duration),
    /// The user interrupted.
    Interrupted,
    /// The proof assistant or a provider failed permanently.
    Infrastructure,
    /// The proof assistant rejects the theorem itself; no search began.
    Refused,
    /// The statement depends on axioms that are not allowed; no search began.
    Axioms,
}

impl StopReason {
    /// The name used in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Exhausted => "exhausted",
            Self::Blocked => "blocked",
            Self::Iterations(_) => "iterations",
            Self::Expansions(_) => "expansions",
            Self::Nodes(_) => "nodes",
            Self::Candidates(_) => "candidates",
            Self::Tokens(_) => "tokens",
            Self::Cost(_) => "cost",
            Self::Time(_) => "time",
            Self::VirtualTime(_) => "virtual_time",
            Self::Interrupted => "interrupted",
            Self::Infrastructure => "infrastructure",
            Self::Refused => "refused",
            Self::Axioms => "axioms",
        }
    }
}

/// A description as a sentence fragment.
impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved => write!(f, "proved"),
            Self::Exhausted => write!(f, "every candidate was tried"),
            Self::Blocked => write!(f, "everything left is blocked for good"),
            Self::Iterations(n) => write!(f, "reached {n} iterations"),
            Self::Expansions(n) => write!(f, "reached {n} expansions"),
            Self::Nodes(n) => write!(f, "reached {n} nodes"),
            Self::Candidates(n) => write!(f, "reached {n} candidates"),
            Self::Tokens(n) => write!(f, "reached {n} tokens"),
            Self::Cost(n) => write!(f, "reached a cost of {}", *n as f64 / 1e6),
            Self::Time(t) => write!(f, "reached {} s", t.as_secs_f64()),
            Self::VirtualTime(t) => {
                write!(f, "reached {} s on the virtual clock", t.as_secs_f64())
            }
            Self::Interrupted => write!(f, "interrupted"),
            Self::Infrastructure => write!(f, "the proof assistant or a provider failed"),
            Self::Refused => write!(f, "the proof assistant refuses the theorem"),
            Self::Axioms => write!(f, "the statement depends on axioms that are not allowed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_its_own_reason() {
        let virtual_time = Duration::from_secs(3);
        let (tokens, cost_micros) = (700, 2_000);
        let spent = Spent {
            iterations: 5,
            expansions: 4,
            nodes: 9,
            candidates: 40,
            tokens,
            cost_micros,
            virtual_time,
        };
        let second = Duration::from_secs(1);
        let check = |budget: Budget, expected| assert_eq!(budget.exceeded(&spent, second), expected);
        check(Budget::default(), None);
        check(Budget { iterations: Some(5), ..Budget::default() }, Some(StopReason::Iterations(5)));
        check(Budget { iterations: Some(6), ..Budget::default() }, None);
        check(Budget { expansions: Some(4), ..Budget::default() }, Some(StopReason::Expansions(4)));
        check(Budget { nodes: Some(8), ..Budget::default() }, Some(StopReason::Nodes(8)));
        check(Budget { candidates: Some(40), ..Budget::default() }, Some(StopReason::Candidates(40)));
        check(Budget { tokens: Some(700), ..Budget::default() }, Some(StopReason::Tokens(700)));
        check(Budget { cost_micros: Some(1_999), ..Budget::default() }, Some(StopReason::Cost(1_999)));
        check(Budget { time: Some(second), ..Budget::default() }, Some(StopReason::Time(second)));
        let limit = Some(virtual_time);
        check(Budget { virtual_time: limit, ..Budget::default() }, limit.map(StopReason::VirtualTime));
    }
}
