//! Which statement of a plan the search works on, and for how long.
//!
//! A passive state machine: the driver tells it what was spent and asks it what to do. It reads no clock; equal
//! searches are steered equally.
//!
//! Every statement has a budget of its own. *In order*, the first open statement is worked on until it is proved or
//! stuck, then the next one; what is left to prove from all statements comes last. *In parallel*, they take turns of
//! [`TURN`] candidates. The next turn goes to the statement that has spent least for its weight, `1 + 3 · value`, where
//! the value is the search's own estimate that it can be proved. So all begin with equal turns. Then those that look
//! nearly done, or that turn out cheap, get up to four times as much as the others, since each of them that is out of the
//! way leaves more for the rest; but no statement waits for ever, since its value may be wrong.
//!
//! When all have spent their budgets, the focus is lifted, and the search goes on over everything that is open, inside
//! the plan and around it. In order, it stays so. In parallel, another round with twice the budgets follows once as much has
//! been spent on the whole tree as one statement was given: a plan that is right but harder than thought is not given up,
//! and neither is the search around a plan that is wrong.

use std::time::Duration;

use andor_artifact::plan::StuckReason;
use andor_core::ids::NodeId;
use andor_core::plan::{PlanSchedule, PlanStep};
use andor_core::policy::{Budget, Spent};
use andor_core::search::Search;
use andor_core::tree::Status;

/// Candidates of a turn, if statements take turns.
const TURN: u64 = 32;

/// The limits of the work on one statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// Candidates.
    pub(crate) candidates: u64,
    /// Time in focus, on the search's clock.
    pub(crate) time: Option<Duration>,
    /// Replannings of the theorem.
    pub(crate) replans: u32,
    /// Replannings for one statement.
    pub(crate) replans_of_one: u32,
}

/// A statement of a plan, or what is left to prove from all of them.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The number of its plan, from 0.
    pub(crate) plan: u64,
    /// The statement; `None` for what is left.
    pub(crate) step: Option<PlanStep>,
    /// The node of what is to be proved.
    pub(crate) node: NodeId,
    /// The node at which it is stated.
    pub(crate) stated_at: NodeId,
    pub(crate) standing: Standing,
    pub(crate) turns: u64,
    pub(crate) iterations: u64,
    pub(crate) candidates: u64,
    /// How long it was in focus.
    pub(crate) focus: Duration,
    /// What it was given; `None` before its first turn.
    pub(crate) allotted: Option<Allotted>,
    /// When it was proved, on the search's clock.
    pub(crate) proved: Option<Duration>,
}

impl Goal {
    pub(crate) fn new(plan: u64, step: Option<PlanStep>, node: NodeId, stated_at: NodeId) -> Self {
        Self {
            plan,
            step,
            node,
            stated_at,
            standing: Standing::Waiting,
            turns: 0,
            iterations: 0,
            candidates: 0,
            focus: Duration::ZERO,
            allotted: None,
            proved: None,
        }
    }

    fn is_active(&self) -> bool {
        self.standing == Standing::Waiting || self.standing == Standing::Current
    }

    /// Why it may not be worked on any more, if its budget is spent.
    fn spent(&self) -> Option<StuckReason> {
        let Allotted { candidates, iterations, time } = self.allotted?;
        if self.candidates >= candidates {
            Some(StuckReason::Candidates)
        } else if iterations.is_some_and(|most| self.iterations >= most) {
            Some(StuckReason::Iterations)
        } else {
            time.filter(|&most| self.focus >= most).map(|_| StuckReason::Time)
        }
    }
}

/// What a statement was given, in all rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Allotted {
    pub(crate) candidates: u64,
    pub(crate) iterations: Option<u64>,
    pub(crate) time: Option<Duration>,
}

/// What became of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    Waiting,
    Current,
    Proved,
    Stuck(StuckReason),
    NotNeeded,
    Replaced,
}

/// What was spent so far, and the time on the search's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) spent: Spent,
    pub(crate) time: Duration,
}

/// What to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// Go on.
    Stay,
    /// Wait until something that is in flight is finished.
    Wait,
    /// Turn to this node, or to the whole tree.
    Focus(Option<NodeId>),
    /// Ask the planner about this statement, by its place in [`Schedule::goals`].
    Replan(usize),
}

/// The state of a plan in a search.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    rule: PlanSchedule,
    limits: Limits,
    budget: Budget,
    /// All statements of all plans, those of the present one last.
    goals: Vec<Goal>,
    /// Where the present plan begins.
    first: usize,
    current: Option<usize>,
    /// The candidates that the current statement had spent when its turn began.
    turn_began: u64,
    /// When the current statement was last charged.
    charged: Duration,
    /// Statements with nothing to reserve until something is finished.
    without_work: Vec<usize>,
    /// The statements that the planner was asked about, each with whether it gave another plan.
    asked: Vec<(Option<PlanStep>, bool)>,
    /// The number of finished rounds.
    round: u32,
    /// If the search works on the whole tree: the candidates in all at which a round begins.
    whole_until: Option<u64>,
}

impl Schedule {
    /// A plan with these statements, what is left last.
    pub(crate) fn new(rule: PlanSchedule, limits: Limits, budget: Budget, goals: Vec<Goal>) -> Self {
        Self {
            rule,
            limits,
            budget,
            goals,
            first: 0,
            current: None,
            turn_began: 0,
            charged: Duration::ZERO,
            without_work: Vec::new(),
            asked: Vec::new(),
            round: 0,
            whole_until: None,
        }
    }

    /// How often the planner was asked.
    pub(crate) fn n_replans(&self) -> usize {
        self.asked.len()
    }

    /// All statements of all plans, in order.
    pub(crate) fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The statements of the present plan, what is left last.
    pub(crate) fn present(&self) -> &[Goal] {
        &self.goals[self.first..]
    }

    /// The statements at the beginning of the present plan that are proved.
    pub(crate) fn proven(&self) -> impl Iterator<Item = &Goal> {
        self.present().iter().take_while(|goal| goal.standing == Standing::Proved)
    }

    /// Notes an iteration that ended at the end of `path`, and the candidates tried in it.
    pub(crate) fn charge(&mut self, path: &[NodeId], candidates: u32) {
        self.without_work.clear();
        if let Some(goal) = self.goals.iter_mut().rev().find(|goal| path.contains(&goal.node)) {
            goal.iterations += 1;
            goal.candidates += u64::from(candidates);
        }
    }

    /// Notes what is settled.
    pub(crate) fn look(&mut self, search: &Search, now: &Now) {
        let tree = search.tree();
        for goal in &mut self.goals {
            goal.standing = match (tree.status(goal.node), goal.standing) {
                (Status::Proved, _) => Standing::Proved,
                // A claim with its proof was rejected.
                (_, Standing::Proved) => Standing::Waiting,
                (Status::Exhausted, Standing::Waiting | Standing::Current) => {
                    Standing::Stuck(StuckReason::Exhausted)
                }
                (Status::Open, Standing::Waiting | Standing::Current) if !tree.is_relevant(goal.node) => {
                    Standing::NotNeeded
                }
                (_, standing) => standing,
            };
            let is_proved = goal.standing == Standing::Proved;
            goal.proved = is_proved.then(|| goal.proved.unwrap_or(now.time));
        }
    }

    /// What to do next. `is_out` says that nothing could be reserved below the focus, `can_replan` that a planner can
    /// be asked.
    pub(crate) fn next(&mut self, search: &Search, now: &Now, is_out: bool, can_replan: bool) -> Decision {
        self.look(search, now);
        if let Some(until) = self.whole_until
            && (now.spent.candidates < until || !self.begin_round(search))
        {
            return Decision::Stay;
        }
        if let Some(current) = self.current {
            let goal = &mut self.goals[current];
            goal.focus += now.time.saturating_sub(self.charged);
            self.charged = now.time;
            if goal.is_active() {
                if let Some(reason) = goal.spent() {
                    goal.standing = Standing::Stuck(reason);
                } else if is_out && !search.is_focus_busy() {
                    goal.standing = Standing::Stuck(StuckReason::Exhausted);
                } else if is_out {
                    self.without_work.push(current);
                }
            }
        }
        if let Some(stuck) = self.stuck().filter(|&stuck| can_replan && self.may_replan(stuck)) {
            self.current = None;
            return Decision::Replan(stuck);
        }
        let Some(next) = self.choose(search) else {
            if self.goals.iter().any(Goal::is_active) {
                return Decision::Wait;
            }
            self.current = None;
            self.whole_until = Some(now.spent.candidates.saturating_add(self.given()));
            return Decision::Focus(None);
        };
        if self.current == Some(next) {
            return if is_out { Decision::Wait } else { Decision::Stay };
        }
        self.turn_to(next, now);
        Decision::Focus(Some(self.goals[next].node))
    }

    /// The candidates that a statement is given in this round.
    fn given(&self) -> u64 {
        self.limits.candidates.saturating_mul(2u64.saturating_pow(self.round))
    }

    /// Begins another round, if statements take turns, and if there is something to do in it.
    fn begin_round(&mut self, search: &Search) -> bool {
        let tree = search.tree();
        let goes_on = |goal: &Goal| {
            matches!(goal.standing, Standing::Stuck(reason) if reason != StuckReason::Exhausted)
                && tree.status(goal.node) == Status::Open
                && tree.is_relevant(goal.node)
        };
        if self.rule == PlanSchedule::InOrder || !self.present().iter().any(goes_on) {
            return false;
        }
        for goal in self.goals[self.first..].iter_mut().filter(|goal| goes_on(goal)) {
            (goal.standing, goal.allotted) = (Standing::Waiting, None);
        }
        (self.round, self.whole_until) = (self.round + 1, None);
        true
    }

    /// The first statement of the present plan that is not proved, if it is stuck.
    fn stuck(&self) -> Option<usize> {
        let first = self.present().iter().position(|goal| goal.standing != Standing::Proved)?;
        let first = self.first + first;
        matches!(self.goals[first].standing, Standing::Stuck(_)).then_some(first)
    }

    /// Whether the planner may be asked about a statement: within the limits, and unless it was at a loss before.
    fn may_replan(&self, stuck: usize) -> bool {
        let of_this = || self.asked.iter().filter(|(step, _)| *step == self.goals[stuck].step);
        self.asked.len() < self.limits.replans as usize
            && of_this().count() < self.limits.replans_of_one as usize
            && of_this().all(|&(_, has_answered)| has_answered)
    }

    /// The statement that is worked on next; `None` if there is none at present.
    fn choose(&self, search: &Search) -> Option<usize> {
        let goals = self.goals.iter().enumerate().skip(self.first);
        let mut active = goals.filter(|(at, goal)| goal.is_active() && !self.without_work.contains(at));
        if self.rule == PlanSchedule::InOrder {
            let first = self.goals.iter().position(Goal::is_active);
            return active.next().map(|(at, _)| at).filter(|at| Some(*at) == first);
        }
        let goes_on = |at: &usize| self.goals[*at].candidates < self.turn_began + TURN;
        let is_able = |at: &usize| self.goals[*at].is_active() && !self.without_work.contains(at);
        if let Some(current) = self.current.filter(is_able).filter(goes_on) {
            return Some(current);
        }
        let share = |goal: &Goal| goal.candidates as f64 / (1.0 + 3.0 * f64::from(search.value(goal.node)));
        let least = active.min_by(|(_, a), (_, b)| share(a).total_cmp(&share(b)));
        least.map(|(at, _)| at)
    }

    /// Begins a turn.
    fn turn_to(&mut self, next: usize, now: &Now) {
        if let Some(goal) = self.current.and_then(|current| self.goals.get_mut(current))
            && goal.standing == Standing::Current
        {
            goal.standing = Standing::Waiting;
        }
        if self.goals[next].allotted.is_none() {
            self.allot(next, now);
        }
        let goal = &mut self.goals[next];
        goal.standing = Standing::Current;
        goal.turns += 1;
        (self.current, self.turn_began, self.charged) = (Some(next), goal.candidates, now.time);
    }

    /// Gives a statement its budget, or all of them if they take turns: an equal share of what is left of each limit of
    /// the search, but no more than the limits of one statement.
    fn allot(&mut self, next: usize, now: &Now) {
        let is_new = |goal: &Goal| goal.allotted.is_none() && goal.is_active();
        // One share is for the search after the plan.
        let n_shares = 1 + self.goals.iter().filter(|goal| is_new(goal)).count();
        let share = |limit: Option<u64>, spent: u64| {
            limit.map(|limit| (limit.saturating_sub(spent) / n_shares as u64).max(1))
        };
        let Now { spent, time: at } = *now;
        let time_left = self.budget.virtual_time.map(|limit| limit.saturating_sub(at));
        let time_share = time_left.map(|left| left / u32::try_from(n_shares).unwrap_or(u32::MAX));
        let candidates = share(self.budget.candidates, spent.candidates).unwrap_or(u64::MAX);
        let candidates = candidates.min(self.given());
        let iterations = share(self.budget.iterations, spent.iterations);
        let time_limit = self.limits.time.map(|limit| limit.saturating_mul(2u32.saturating_pow(self.round)));
        let time = [time_share, time_limit].into_iter().flatten().min();
        let takes_turns = self.rule == PlanSchedule::Parallel;
        for (at, goal) in self.goals.iter_mut().enumerate() {
            if at == next || (takes_turns && is_new(goal)) {
                goal.allotted = Some(Allotted {
                    candidates: goal.candidates.saturating_add(candidates),
                    iterations: iterations.map(|more| goal.iterations.saturating_add(more)),
                    time: time.map(|more| goal.focus.saturating_add(more)),
                });
            }
        }
    }

    /// Notes that the planner was asked about a statement, and gave these ones in place of it and what follows it, what is left
    /// last; `None` if it gave none.
    pub(crate) fn replanned(&mut self, stuck: usize, goals: Option<Vec<Goal>>) {
        self.asked.push((self.goals[stuck].step.clone(), goals.is_some()));
        let Some(goals) = goals else { return };
        let proven: Vec<Goal> = self.proven().cloned().collect();
        for goal in self.goals[self.first..].iter_mut().filter(|goal| goal.standing != Standing::Proved) {
            goal.standing = Standing::Replaced;
        }
        // The proved ones go over to the new plan.
        let old = self.goals.split_off(self.first);
        self.goals.extend(old.into_iter().skip(proven.len()));
        self.first = self.goals.len();
        let number = self.asked.len() as u64;
        self.goals.extend(proven.into_iter().chain(goals).map(|goal| Goal { plan: number, ..goal }));
        (self.current, self.whole_until) = (None, None);
    }
}
