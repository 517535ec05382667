//! The plan in a search: where its statements stand in the tree, which of them is worked on, and how the planner is
//! asked to mend it.
//!
//! [`Schedule`] decides; the driver carries it out. For a new plan, nothing is in flight: agents finish what they are at,
//! then the planner is asked, what it adds is grafted below the statements that are proved, and the proofs of statements
//! that it states again are grafted there, too.

use std::sync::Arc;
use std::time::Duration;

use andor_artifact::graft::GraftOrigin;
use andor_artifact::plan::{
    FaultyStepRecord, FocusRecord, PlanRun, ReplanRecord, StuckReason, SubgoalRecord, SubgoalStatus,
};
use andor_core::clock::{Station, Work};
use andor_core::goal::Goal as EnvGoal;
use andor_core::ids::{JobId, NodeId, StepId};
use andor_core::plan::{PlanSchedule, PlanStep, script};
use andor_core::search::Search;
use andor_core::tree::Status;
use andor_core::tree::extract::Proof;
use andor_env::outline::{Block, Item, Outline, Pick, Place, Tactic, What};
use andor_provider::contract::Usage;
use andor_provider::plan::RefusedStep;
use tokio::time::Instant;

use super::pace::Done;
use super::{Driver, Ledger};
use crate::attempt::model_usage;
use crate::event::Event;
use crate::plan::schedule::{Decision, Goal, Limits, Now, Schedule, Standing};
use crate::plan::{Earlier, Ended, Making, make, record};

/// The number of the job of asking the planner, above those of grafts.
const ASKING: JobId = JobId(3 << 62);

/// The greatest number of tactics that the planner is told of.
const MOST_TRIED: usize = 20;

/// The greatest number of steps of a proof that is repeated for a statement of another plan.
const LONGEST_TWIN: u32 = 1000;

/// A plan in a search.
#[derive(Default)]
pub(super) struct Planned {
    /// `None` without a plan, or before its statements are in the tree.
    schedule: Option<Schedule>,
    replanning: Option<Replanning>,
    replans: Vec<ReplanRecord>,
    usage: Usage,
}

/// The planner is being asked about a statement, or its plan is being grafted.
struct Replanning {
    /// The place of the statement among those of the schedule.
    stuck: usize,
    reason: StuckReason,
    earlier: Earlier,
    has_begun: bool,
}

/// What a plan's graft has to know.
#[derive(Default)]
pub(super) struct Skeleton {
    /// The statements that it states.
    steps: Vec<PlanStep>,
    /// The steps of the tree by which they are stated.
    stated: Vec<StepId>,
    is_first: bool,
}

impl Skeleton {
    pub(super) fn new(steps: Vec<PlanStep>, is_first: bool) -> Self {
        Self { steps, stated: Vec::new(), is_first }
    }

    /// The next statement was stated by this step.
    pub(super) fn state(&mut self, step: StepId) {
        self.stated.push(step);
    }
}

impl Driver<'_> {
    /// The nodes of the statements whose steps are in the tree, and of what is left; the latter last.
    fn goals_of(&self, top: NodeId, skeleton: &Skeleton) -> Vec<Goal> {
        let tree = self.search.tree();
        let (mut goals, mut rest) = (Vec::new(), top);
        for (plan_step, &step) in skeleton.steps.iter().zip(&skeleton.stated) {
            let has_name = |node: &NodeId| {
                let goals: &[EnvGoal] = self.ledger.goals(*node);
                goals.iter().any(|goal| goal.locals().any(|(name, _)| name == plan_step.name))
            };
            let children: Vec<NodeId> = tree.children(step).collect();
            let (node, next) = match children[..] {
                [a, b] if has_name(&b) => (a, b),
                [a, b] if has_name(&a) => (b, a),
                // They are one obligation, which is no goal of its own.
                _ => break,
            };
            goals.push(Goal::new(0, Some(plan_step.clone()), node, rest));
            rest = next;
        }
        if !goals.is_empty() {
            goals.push(Goal::new(0, None, rest, rest));
        }
        goals
    }

    /// A plan was grafted.
    pub(super) fn plan_grafted(&mut self, top: NodeId, skeleton: &Skeleton) {
        let goals = self.goals_of(top, skeleton);
        if skeleton.is_first {
            if !goals.is_empty() {
                let plan = &self.config.plan;
                let limits = Limits {
                    candidates: plan.subgoal_candidates,
                    time: plan.subgoal_time_s.map(Duration::from_secs_f64),
                    replans: plan.replans,
                    replans_of_one: plan.subgoal_replans,
                };
                self.planned.schedule =
                    Some(Schedule::new(plan.schedule, limits, self.config.budget(), goals));
            }
            return;
        }
        let now = self.now();
        let Some(Replanning { stuck, .. }) = self.planned.replanning.take() else { return };
        let schedule = self.planned.schedule.as_mut().expect("what is mended is there");
        schedule.look(&self.search, &now);
        let twins: Vec<(NodeId, Proof)> = goals
            .iter()
            .filter(|goal| self.search.tree().status(goal.node) == Status::Open)
            .filter_map(|goal| Some((goal.node, twin(&self.search, schedule, goal)?)))
            .collect();
        schedule.replanned(stuck, (!goals.is_empty()).then_some(goals));
        for (node, proof) in twins {
            let outline = Outline { block: self.block(&proof), ..Outline::default() };
            self.begin_own(node, GraftOrigin::Plan, outline, Place::START, None);
        }
    }

    /// A proof in the tree, as the items of a script.
    fn block(&self, proof: &Proof) -> Block {
        let (tree, tactics) = (self.search.tree(), self.search.tactics());
        let item = |what| Item { place: Place::START, what };
        // Children come after their parents in the list, or are shared with an earlier one, and so have fewer steps.
        let mut order: Vec<usize> = (0..proof.steps.len()).collect();
        order.sort_by_key(|&at| tree.distance(proof.steps[at].node));
        let mut blocks: Vec<Block> = vec![Block::new(); proof.steps.len()];
        for at in order {
            let step = &proof.steps[at];
            let text = tactics.text(tree.tactic(step.step));
            let mut block = vec![item(What::Tactic(Tactic::first(text)))];
            match step.children[..] {
                [only] => block.extend(blocks[only].iter().cloned()),
                _ => block
                    .extend(step.children.iter().map(|&c| item(What::Focus(Pick::First, blocks[c].clone())))),
            }
            blocks[at] = block;
        }
        blocks.swap_remove(0)
    }

    /// What is spent, and the time on the search's clock.
    fn now(&self) -> Now {
        let time = match self.tools.latencies {
            Some(_) => self.pace.virtual_time(),
            None => self.tools.began.elapsed(),
        };
        Now { spent: self.spent(), time }
    }

    /// Notes what an iteration spent.
    pub(super) fn charge_plan(&mut self, path: &[NodeId], candidates: u32) {
        if let Some(schedule) = &mut self.planned.schedule {
            schedule.charge(path, candidates);
        }
    }

    /// Moves the focus as the plan's schedule says. `is_out` says that nothing could be reserved below it. Returns whether a node
    /// may be reserved now.
    pub(super) fn steer(&mut self, is_out: bool) -> bool {
        if self.planned.schedule.is_none() {
            return true;
        }
        let now = self.now();
        let can_replan = self.tools.planner.is_some();
        let schedule = self.planned.schedule.as_mut().expect("there is a plan");
        match schedule.next(&self.search, &now, is_out, can_replan) {
            Decision::Stay => true,
            Decision::Wait => false,
            Decision::Focus(node) => {
                let from = self.search.focused();
                let goal = schedule.goals().iter().rev().find(|goal| Some(goal.node) == from);
                let before = goal.map(|goal| status(goal.standing));
                self.turn_to(node, before);
                true
            }
            Decision::Replan(stuck) => {
                let Standing::Stuck(reason) = schedule.goals()[stuck].standing else {
                    unreachable!("the planner is asked about what is stuck")
                };
                let earlier = Earlier::default();
                let has_begun = false;
                self.planned.replanning = Some(Replanning { stuck, reason, earlier, has_begun });
                false
            }
        }
    }

    fn turn_to(&mut self, node: Option<NodeId>, before: Option<SubgoalStatus>) {
        self.search.focus(node);
        let record = FocusRecord {
            iteration: self.search.spent().iterations,
            reservations: self.search.n_approaches(),
            timestamp_ms: self.pace.stamp(Instant::now()),
            mvar_id: node.map(|node| Arc::clone(self.ledger.name(node))),
            before,
        };
        self.emit(&Event::Focus(record));
    }

    /// Whether nodes may be reserved: not while scripts that do not belong to a job are applied, nor while the plan is being
    /// mended.
    pub(super) fn may_reserve(&mut self) -> bool {
        loop {
            if self.is_preparing() {
                return false;
            }
            if self.planned.replanning.is_some() {
                self.begin_replanning();
                if self.planned.replanning.is_some() {
                    return false;
                }
            }
            if self.steer(false) {
                return true;
            }
            if self.planned.replanning.is_none() {
                return false;
            }
        }
    }

    /// Asks the planner, once nothing is in flight.
    fn begin_replanning(&mut self) {
        let is_idle = self.search.n_in_flight() == 0;
        let Some(replanning) = self.planned.replanning.as_mut().filter(|r| !r.has_begun && is_idle) else {
            return;
        };
        replanning.has_begun = true;
        let stuck = replanning.stuck;
        let now = self.now();
        let schedule = self.planned.schedule.as_mut().expect("what is mended is there");
        schedule.look(&self.search, &now);
        let goal = schedule.goals()[stuck].clone();
        if goal.standing == Standing::Proved {
            // What was in flight has proved it.
            self.planned.replanning = None;
            return;
        }
        let proven: Vec<PlanStep> = schedule.proven().filter_map(|goal| goal.step.clone()).collect();
        // Each request has a number of its own: the first plan took no more tries than each of the later ones.
        let asked =
            (1 + schedule.n_replans() as u32).saturating_mul(self.config.plan.retries.saturating_add(1));
        let signature = self.ledger.signatures(goal.node).strict;
        let earlier = Earlier {
            proven,
            stuck: goal.step.map(|step| (step, signature)),
            tried: self.tried_at(goal.node),
            asked,
        };
        self.planned.replanning.as_mut().expect("it has just begun").earlier = earlier;
        if self.pace.enter(Station::Model, ASKING) {
            self.ask_planner();
        }
    }

    /// What was tried at a node, and what came of it.
    fn tried_at(&self, node: NodeId) -> Vec<RefusedStep> {
        let (tree, tactics) = (self.search.tree(), self.search.tactics());
        let left = tree.steps(node).map(|step| {
            let open = tree.children(step).find(|&child| tree.status(child) != Status::Proved);
            let goal = open.map(|child| self.ledger.goal_type(child)).unwrap_or_default();
            let error = format!("it leaves `{goal}`, which was not proved");
            RefusedStep { step: tactics.text(tree.tactic(step)).to_owned(), error }
        });
        let failed = self
            .ledger
            .failed(node)
            .iter()
            .map(|failed| RefusedStep { step: failed.tactic.to_string(), error: failed.error.to_string() });
        left.chain(failed).take(MOST_TRIED).collect()
    }

    /// Whether a job is that of asking the planner.
    pub(super) fn is_asking(&self, job: JobId) -> bool {
        job == ASKING
    }

    pub(super) fn ask_planner(&mut self) {
        let (session, provider) = (Arc::clone(&self.tools.session), Arc::clone(&self.tools.provider));
        let planner = Arc::clone(self.tools.planner.as_ref().expect("who replans has a planner"));
        let replanning = self.planned.replanning.as_ref().expect("the planner is asked for a reason");
        let earlier = replanning.earlier.clone();
        let (seed, retries) = (self.config.seed, self.config.plan.retries);
        self.tally.drew = true;
        let asking = async move {
            let began = Instant::now();
            let theorem = session.theorem().clone();
            let making = make(&session, &theorem, &planner, Some(&*provider), &earlier, seed, retries).await;
            Done::Replanned(making.map(Box::new).map_err(|error| error.to_string()), began.elapsed())
        };
        self.pace.start(Work::Provider, ASKING, asking);
    }

    /// Takes in the planner's answer. An error ends the attempt.
    pub(super) fn replanned(
        &mut self,
        made: Result<Box<Making>, String>,
        took: Duration,
    ) -> Result<(), String> {
        self.pace.leave(Station::Model);
        self.providing += took;
        self.note_latency(Work::Provider, took);
        let making = made?;
        self.tally.usage += making.usage;
        self.planned.usage += making.usage;
        let planner = self.tools.planner.as_ref().expect("who replans has a planner").id().to_owned();
        let schedule = self.planned.schedule.as_mut().expect("what is mended is there");
        let replanning = self.planned.replanning.as_ref().expect("the planner was asked for a reason");
        let (stuck, earlier) = (replanning.stuck, &replanning.earlier);
        let n_proven = earlier.proven.len();
        let tried = |RefusedStep { step, error }: &RefusedStep| FaultyStepRecord {
            step: step.clone(),
            error: error.clone(),
        };
        let record = ReplanRecord {
            number: schedule.n_replans() as u64 + 1,
            iteration: self.search.spent().iterations,
            timestamp_ms: self.pace.stamp(Instant::now()),
            stuck: schedule.goals()[stuck].step.as_ref().map(record::step),
            reason: replanning.reason,
            proven: n_proven as u64,
            tried: earlier.tried.iter().map(tried).collect(),
            planning: record::planning(&planner, &making, model_usage(&making.usage)),
        };
        let below = schedule.present()[n_proven].stated_at;
        tracing::info!(
            "plan {}: {:?} after {} proved statements, since `{}` is stuck",
            record.number,
            record.planning.ended,
            record.proven,
            record.stuck.as_ref().map_or("what is left", |step| &step.name),
        );
        let is_open = self.search.tree().status(below) == Status::Open;
        if let Some(kept) = &self.tools.kept {
            let steps = match &making.ended {
                Ended::Verified(steps) if is_open => Some(&steps[..]),
                _ => None,
            };
            kept.asked_again(record.planning.model, steps).map_err(|error| error.to_string())?;
        }
        self.emit(&Event::Replan(Box::new(record.clone())));
        self.planned.replans.push(record);
        match making.ended {
            Ended::Verified(steps) if is_open => {
                let new = steps[n_proven..].to_vec();
                let script = script(&new, self.tools.session.theorem().system);
                self.graft_plan(below, &script, Skeleton::new(new, false));
            }
            _ => {
                self.planned.replanning = None;
                let schedule = self.planned.schedule.as_mut().expect("what is mended is there");
                schedule.replanned(stuck, None);
            }
        }
        Ok(())
    }

    /// Takes the plan out of the search at its end.
    pub(super) fn end_plan(&mut self) -> Planned {
        let now = self.now();
        if let Some(schedule) = &mut self.planned.schedule {
            schedule.look(&self.search, &now);
        }
        std::mem::take(&mut self.planned)
    }
}

impl Planned {
    /// The record of the plan. The ledger has the search.
    pub(super) fn record(self, rule: PlanSchedule, ledger: &Ledger) -> Option<PlanRun> {
        let schedule = self.schedule?;
        let stated = || schedule.present().iter().filter(|goal| goal.step.is_some());
        let is_proved = |goal: &&Goal| goal.standing == Standing::Proved;
        Some(PlanRun {
            schedule: rule.name().to_owned(),
            steps: stated().filter_map(|goal| goal.step.as_ref()).map(record::step).collect(),
            progress: stated().take_while(is_proved).count() as u64,
            proved: stated().filter(is_proved).count() as u64,
            subgoals: schedule.goals().iter().map(|goal| subgoal(goal, ledger)).collect(),
            replans: self.replans,
            model: model_usage(&self.usage),
        })
    }
}

fn subgoal(goal: &Goal, ledger: &Ledger) -> SubgoalRecord {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let proof = ledger.search().tree().extract_at(goal.node);
    SubgoalRecord {
        plan: goal.plan,
        step: goal.step.as_ref().map(record::step),
        mvar_id: ledger.name(goal.node).to_string(),
        status: status(goal.standing),
        stuck: match goal.standing {
            Standing::Stuck(reason) => Some(reason),
            _ => None,
        },
        turns: goal.turns,
        iterations: goal.iterations,
        budget_iterations: goal.allotted.and_then(|allotted| allotted.iterations),
        candidates: goal.candidates,
        budget_candidates: goal.allotted.map(|allotted| allotted.candidates),
        focus_ms: ms(goal.focus),
        budget_ms: goal.allotted.and_then(|allotted| allotted.time).map(ms),
        proved_ms: goal.proved.map(ms),
        proof: proof.as_ref().map(|proof| ledger.proof_steps(proof)).unwrap_or_default(),
        preference_pairs: proof.as_ref().map(|proof| ledger.preference_pairs(proof)).unwrap_or_default(),
    }
}

fn status(standing: Standing) -> SubgoalStatus {
    match standing {
        Standing::Waiting => SubgoalStatus::Waiting,
        Standing::Current => SubgoalStatus::Current,
        Standing::Proved => SubgoalStatus::Proved,
        Standing::Stuck(_) => SubgoalStatus::Stuck,
        Standing::NotNeeded => SubgoalStatus::NotNeeded,
        Standing::Replaced => SubgoalStatus::Replaced,
    }
}

/// The proof of an equal obligation, or of the same statement in an earlier plan, if there is one.
fn twin(search: &Search, schedule: &Schedule, goal: &Goal) -> Option<Proof> {
    let tree = search.tree();
    let is_proved = |node: &NodeId| tree.status(*node) == Status::Proved;
    let equal = tree.nodes().filter(is_proved).find(|&node| tree.key(node) == tree.key(goal.node));
    let statement = &goal.step.as_ref()?.statement;
    let states_it = |earlier: &&Goal| earlier.step.as_ref().is_some_and(|step| step.statement == *statement);
    let earlier = schedule.goals().iter().filter(states_it).map(|earlier| earlier.node);
    let node = equal.or_else(|| earlier.rev().find(is_proved))?;
    tree.distance(node).filter(|&steps| steps <= LONGEST_TWIN)?;
    tree.extract_at(node)
}
