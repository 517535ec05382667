//! The driver: owns the session, the provider, time and cancellation around the passive search.
//!
//! One task owns the tree. Slow operations run as tasks of their own and send back messages (`pace`). The state of
//! the search depends only on the order in which these messages arrive.

mod claim;
mod errors;
mod expand;
mod expansion;
mod graft;
mod ledger;
mod memory;
mod operation;
mod pace;
mod plan;
mod progress;
mod records;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use andor_artifact::graft::GraftRecord;
use andor_artifact::order::{Order, Taken};
use andor_artifact::plan::PlanRun;
use andor_artifact::progress::SharingRecord;
use andor_artifact::result::{RejectedClaim, Timing};
use andor_config::{Config, MctsMode};
use andor_core::clock::{Latencies, Station, VirtualClock};
use andor_core::ids::{JobId, NodeId};
use andor_core::policy::{Priority, Spent, StopReason};
use andor_core::search::{Job, Search};
use andor_core::team::{Move, Team};
use andor_core::tree::Status;
use andor_env::checker::Checker;
use andor_env::outline::Gap;
use andor_env::session::{Obligation, Session};
use andor_model::Http;
use andor_provider::contract::{DraftHistory, Failure, Provider, Usage};
use andor_provider::filters::TacticFilter;
use andor_provider::plan::Planner;
use andor_provider::ranker::Ranker;
use claim::Judged;
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::event::{Event, Sink};
use crate::graft::Given;
use crate::progress::{KeptPlan, Sharing};
use crate::registry;
pub use claim::{Accepted, Found};
use expansion::Expansion;
use graft::Grafting;
pub use ledger::Ledger;
use memory::Memories;
use operation::Operator;
use pace::{Done, Ended, Happening, Pace};
use plan::Planned;
use progress::PlanGoals;

/// The parts that a search works with.
pub struct Tools {
    /// The open session.
    pub session: Arc<Session>,
    /// Proposes tactics.
    pub provider: Arc<dyn Provider>,
    /// The language models that it asks.
    pub models: Vec<Arc<Http>>,
    /// Reorders the candidates.
    pub ranker: Option<Arc<dyn Ranker>>,
    /// Orders waiting nodes in the place of best-first search's own priority.
    pub priority: Option<Arc<dyn Priority>>,
    /// Latencies on the virtual clock; `None` for the wall clock.
    pub latencies: Option<Latencies>,
    /// Stops the attempt early.
    pub cancel: CancellationToken,
    /// When the attempt began; its time limit counts from here.
    pub began: Instant,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The order of a recorded search, to be followed under the wall clock.
    pub follow: Option<Order>,
    /// The script that the search begins with, if there is one.
    pub given: Option<Given>,
    /// Asked to mend a plan with a statement that could not be proved.
    pub planner: Option<Arc<Planner>>,
    /// Where its plans are kept until the attempt has ended, if they are.
    pub kept: Option<KeptPlan>,
    /// What is shared with other attempts, if anything is.
    pub sharing: Option<Sharing>,
    /// The open obligation that is searched, instead of the whole theorem. A proof of it is a part of one, so nothing is
    /// judged: the search ends when its root is proved.
    pub part: Option<Obligation>,
}

/// The result of a search.
pub struct Searched {
    /// Why the search ended.
    pub stop: StopReason,
    /// The proof, if one was found.
    pub proof: Option<Found>,
    /// The rejected claims, in order.
    pub rejected_claims: Vec<RejectedClaim>,
    /// The technical failure that ended the search, if any.
    pub failure: Option<String>,
    /// The scripts that were applied, in order.
    pub grafts: Vec<GraftRecord>,
    /// The goals that the theorem's own unfinished proof leaves open, with their places in the file; `None` if it has none,
    /// or does not hold as a whole.
    pub holes: Option<Vec<(Option<Gap>, NodeId)>>,
    /// What became of its plan, if it had one.
    pub plan: Option<PlanRun>,
    /// The counts of what was shared.
    pub sharing: SharingRecord,
    /// The budget spent.
    pub spent: Spent,
    /// Further counters.
    pub tally: Tally,
    /// Whether anything was drawn or timed, so that the search could have come out otherwise.
    pub chance: bool,
    /// Time spent waiting for providers.
    pub providing: Duration,
    /// Time spent checking claimed proofs.
    pub checking: Duration,
    /// The tree and the names in it.
    pub ledger: Ledger,
    /// The order in which results were taken in.
    pub order: Vec<Taken>,
}

/// Counters of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// Obligations given up because their state could not be rebuilt by replay.
    pub replays_diverged: u64,
    /// Blocked candidates, by reason.
    pub refusals: BTreeMap<String, u64>,
    /// Candidates dropped as duplicates within a proposal.
    pub duplicates: u64,
    /// What the answers of language models cost.
    pub usage: Usage,
    /// Requests that a provider answered.
    pub answers: u64,
    /// Requests that a provider did not answer, by provider.
    pub unanswered: BTreeMap<Arc<str>, u64>,
    /// Nodes without candidates because no provider answered.
    pub nodes_unanswered: u64,
    /// Nodes at which everything that providers wrote had no tactic in it.
    pub nodes_without_tactic: u64,
    /// Why there was no answer at the last of them.
    pub last_failure: Option<Failure>,
    /// Iterations that ended at an obstacle.
    pub passes: u64,
    /// Iterations at a node where another agent was working.
    pub collisions: u64,
    /// Tactics of scripts that were tried.
    pub grafted_candidates: u64,
    /// Whether anybody was asked who draws.
    pub drew: bool,
}

impl Tally {
    /// Whether an exhausted search says nothing about the theorem: an answer is missing, or there was none with a tactic.
    fn lacks_answers(&self) -> bool {
        self.nodes_unanswered > 0 || (self.nodes_without_tactic > 0 && self.answers == 0)
    }
}

/// The requests to providers.
#[derive(Default)]
struct Requests {
    /// Those for single tactics.
    suggestions: u64,
    /// Those for whole proofs.
    drafts: u64,
    /// The jobs for which a draft is being written.
    drafting: FxHashMap<JobId, Job>,
    /// What became of the drafts at each node.
    history: FxHashMap<NodeId, DraftHistory>,
    /// The nodes for which there are no further drafts.
    no_draft_at: FxHashSet<NodeId>,
}

/// Searches until a proof is accepted, the budget is spent, the tree is exhausted, or the attempt is cancelled.
pub async fn search(tools: &Tools, config: &Config, checker: &dyn Checker, sink: &mut dyn Sink) -> Searched {
    Driver::new(tools, config, checker, sink).run().await
}

struct Driver<'a> {
    tools: &'a Tools,
    config: &'a Config,
    checker: &'a dyn Checker,
    sink: &'a mut dyn Sink,
    search: Search,
    ledger: Ledger,
    team: Team,
    pace: Pace,
    operator: Arc<Operator>,
    filter: Arc<TacticFilter>,
    expansions: FxHashMap<JobId, Expansion>,
    grafts: FxHashMap<JobId, Grafting>,
    n_grafts: u64,
    grafted: Vec<GraftRecord>,
    holes: Option<Vec<(Option<Gap>, NodeId)>>,
    planned: Planned,
    plan_goals: PlanGoals,
    requests: Requests,
    memories: Memories,
    rejected_claims: Vec<RejectedClaim>,
    /// Hints of providers for later requests, each once.
    notes: Vec<Arc<str>>,
    tally: Tally,
    providing: Duration,
    checking: Duration,
}

/// Why the main loop pauses.
enum Pause {
    /// The search claims a proof.
    Proved,
    /// The search is over.
    Stop(StopReason),
    /// A technical failure.
    Failed(String),
}

impl<'a> Driver<'a> {
    fn new(tools: &'a Tools, config: &'a Config, checker: &'a dyn Checker, sink: &'a mut dyn Sink) -> Self {
        let root = tools.part.unwrap_or(tools.session.root());
        let signatures = tools.session.signatures(root);
        let agents = config.agents();
        let team = match config.distributed_mcts.mode {
            MctsMode::Centralized => Team::single(agents.inflight),
            MctsMode::Distributed => Team::new(agents.count, agents.inflight),
        };
        let clock = tools.latencies.clone().map(|latencies| {
            let workers = u32::try_from(config.workers.workers).unwrap_or(u32::MAX);
            VirtualClock::new(latencies, workers, u32::MAX, config.seed)
        });
        let operator = Operator {
            session: Arc::clone(&tools.session),
            provider: Arc::clone(&tools.provider),
            ranker: tools.ranker.clone(),
            temperature: config.search.proposal_temperature,
        };
        Self {
            search: Search::with_priority(
                config.search(),
                operation::child(&signatures, None),
                tools.priority.clone(),
            ),
            ledger: Ledger::new(&tools.session, root),
            team,
            pace: Pace::new(clock, tools.began, tools.follow.as_ref().map(|order| order.taken.clone())),
            operator: Arc::new(operator),
            filter: Arc::new(registry::tactic_filter(tools.session.theorem().system, config)),
            expansions: FxHashMap::default(),
            grafts: FxHashMap::default(),
            n_grafts: 0,
            grafted: Vec::new(),
            holes: None,
            planned: Planned::default(),
            plan_goals: PlanGoals::default(),
            requests: Requests::default(),
            memories: Memories::new(&agents),
            rejected_claims: Vec::new(),
            notes: Vec::new(),
            tally: Tally::default(),
            providing: Duration::ZERO,
            checking: Duration::ZERO,
            tools,
            config,
            checker,
            sink,
        }
    }

    async fn run(mut self) -> Searched {
        self.emit(&Event::Started(Box::new(self.start_record())));
        if let Some(given) = &self.tools.given {
            self.begin_given(given);
        }
        let mut failure = None;
        let mut proof = None;
        let stop = 'search: loop {
            match self.work().await {
                // A missing answer is no proof that there is none.
                Pause::Stop(StopReason::Exhausted) if self.tally.lacks_answers() => {
                    failure = Some(without_answers(&self.tally));
                    break StopReason::Infrastructure;
                }
                // Nor is one that did not come in time.
                Pause::Stop(StopReason::Time(limit)) => match self.unanswered(limit) {
                    Some(what) => {
                        failure = Some(what);
                        break StopReason::Infrastructure;
                    }
                    None => break StopReason::Time(limit),
                },
                Pause::Stop(reason) => break reason,
                Pause::Failed(message) => {
                    failure = Some(message);
                    break StopReason::Infrastructure;
                }
                Pause::Proved => {}
            }
            // An expansion may complete several proofs, so others may remain after a rejection.
            if self.tools.part.is_some() {
                break StopReason::Proved;
            }
            while self.search.tree().status(self.search.tree().root()) == Status::Proved {
                match self.claim().await {
                    Judged::Accepted(found) => {
                        proof = Some(*found);
                        break 'search StopReason::Proved;
                    }
                    Judged::Rejected => {}
                    Judged::Unchecked(found, message) => {
                        (proof, failure) = (Some(*found), Some(message));
                        break 'search StopReason::Infrastructure;
                    }
                    Judged::Interrupted => break 'search StopReason::Interrupted,
                    Judged::Unwritable => {
                        failure = Some("the proof found is too large to write".to_owned());
                        break 'search StopReason::Infrastructure;
                    }
                }
            }
        };
        // Aborting the tasks releases their workers.
        self.pace.shut_down().await;
        self.end_grafts();
        let end = self.end_record(stop);
        self.emit(&end);
        self.search.abandon_all();
        let chance = self.has_drawn();
        let (spent, planned) = (self.spent(), self.end_plan());
        self.ledger.finish(self.search);
        let plan = planned.record(self.config.plan.schedule, &self.ledger);
        Searched {
            stop,
            proof,
            rejected_claims: self.rejected_claims,
            failure,
            grafts: self.grafted,
            holes: self.holes,
            plan,
            sharing: self.plan_goals.record().clone(),
            spent,
            tally: self.tally,
            chance,
            providing: self.providing,
            checking: self.checking,
            ledger: self.ledger,
            order: self.pace.order(),
        }
    }

    /// What an answer that did not come within a limit failed for: none has come so far, or the server of a model fails.
    fn unanswered(&self, limit: Duration) -> Option<String> {
        let asked = self.requests.suggestions + self.requests.drafts;
        if asked > 0 && self.tally.answers == 0 {
            let what = format!("no provider answered within {} s", limit.as_secs_f64());
            return Some(with_last_failure(what, &self.tally));
        }
        let trouble = self.tools.models.iter().find_map(|model| model.trouble())?;
        Some(format!("the time was up while {trouble}"))
    }

    /// Whether anything was drawn or timed. How long something took under the virtual clock matters if something else was
    /// under way, or if virtual time is limited.
    fn has_drawn(&self) -> bool {
        let durations_matter =
            self.config.agents().inflight > 1 || self.config.budget().virtual_time.is_some();
        self.tally.drew || self.search.is_seeded() || self.pace.has_drawn(durations_matter)
    }

    fn emit(&mut self, event: &Event) {
        self.sink.event(&self.tools.session.theorem().id, event);
    }

    fn spent(&self) -> Spent {
        let spent = *self.search.spent();
        Spent {
            virtual_time: self.pace.virtual_time(),
            candidates: spent.candidates + self.tally.grafted_candidates,
            tokens: self.tally.usage.tokens(),
            cost_micros: self.tally.usage.cost_micros,
            ..spent
        }
    }

    /// What follows the recorded order: the end, if the recorded search was stopped from outside. Otherwise this search ends
    /// by itself.
    fn after_order(&mut self) -> Option<Pause> {
        self.pace.let_go();
        let recorded = self.tools.follow.as_ref().map(|order| order.stop_reason.as_str());
        let time = self.config.budget().time.unwrap_or_default();
        let stops = [StopReason::Time(time), StopReason::Interrupted];
        stops.into_iter().find(|stop| Some(stop.name()) == recorded).map(Pause::Stop)
    }

    /// Starts all possible operations and processes their results, until the search claims a proof or ends.
    async fn work(&mut self) -> Pause {
        let budget = self.config.budget();
        loop {
            let elapsed = if self.pace.is_following() { Duration::ZERO } else { self.tools.began.elapsed() };
            if let Some(reason) = budget.exceeded(&self.spent(), elapsed) {
                return Pause::Stop(reason);
            }
            let next = if self.may_reserve() { self.team.next_move(&mut self.search) } else { None };
            match next {
                Some(Move::Expand(job)) => self.begin(job),
                Some(Move::Skip(job)) => self.skip(&job),
                Some(Move::Rest(pass)) => self.pass(&pass),
                Some(Move::Refocus) => {
                    if !self.steer(true) {
                        self.team.wait();
                    }
                }
                Some(Move::Stop(reason)) => return Pause::Stop(reason),
                None => match self.wait().await {
                    Ok(Some(pause)) => return pause,
                    Ok(None) => {}
                    Err(message) => return Pause::Failed(message),
                },
            }
        }
    }

    /// Waits for the next event and processes it. An error ends the attempt.
    async fn wait(&mut self) -> Result<Option<Pause>, String> {
        let limit = self.config.budget().time.filter(|_| !self.pace.is_following());
        let time_up = async {
            match limit {
                Some(limit) => tokio::time::sleep_until(self.tools.began + limit).await,
                None => std::future::pending().await,
            }
        };
        let happening = tokio::select! {
            biased;
            () = self.tools.cancel.cancelled() => return Ok(Some(Pause::Stop(StopReason::Interrupted))),
            happening = self.pace.next() => happening,
            () = time_up => return Ok(Some(Pause::Stop(StopReason::Time(limit.unwrap_or_default())))),
        };
        let happening = match happening {
            Ok(happening) => happening,
            Err(Ended::Order) => return Ok(self.after_order()),
            Err(Ended::Lost(wanted)) => {
                self.pace.lose(wanted);
                return Ok(None);
            }
        };
        match happening {
            Happening::Entered(job, Station::Model) if self.is_asking(job) => self.ask_planner(),
            Happening::Entered(job, Station::Model) => match self.requests.drafting.get(&job) {
                Some(&draft) => self.ask_draft(job, draft),
                None => self.suggest(job),
            },
            Happening::Entered(job, Station::Workers) if self.grafts.contains_key(&job) => {
                self.try_graft(job);
            }
            Happening::Entered(job, Station::Workers) => self.attempt(job),
            Happening::Rested(agent) => self.team.rested(agent),
            Happening::Done(job, Done::Suggested(proposal, took)) => self.suggested(job, proposal, took)?,
            Happening::Done(job, Done::Drafted(draft, took)) => self.drafted(job, draft, took)?,
            Happening::Done(_, Done::Replanned(made, took)) => self.replanned(made, took)?,
            Happening::Done(job, Done::Tried(lease, tried)) if self.grafts.contains_key(&job) => {
                self.tried_graft(job, lease, tried)?;
            }
            Happening::Done(job, Done::Tried(lease, tried)) => self.tried(job, lease, tried)?,
            Happening::Done(_, Done::Panicked(message)) => {
                return Err(format!("a provider or an adapter panicked: {message}"));
            }
        }
        self.offer_proved();
        let proved = self.search.tree().status(self.search.tree().root()) == Status::Proved;
        Ok(proved.then_some(Pause::Proved))
    }
}

fn without_answers(tally: &Tally) -> String {
    let (did_not, n) = match tally.nodes_unanswered {
        0 => ("wrote a tactic", tally.nodes_without_tactic),
        n => ("answered", n),
    };
    let nodes = if n == 1 { "one node".to_owned() } else { format!("{n} nodes") };
    let what = format!("no provider {did_not} at {nodes}, and nothing else is left to try");
    with_last_failure(what, tally)
}

fn with_last_failure(mut message: String, tally: &Tally) -> String {
    if let Some(Failure { provider, reason, .. }) = &tally.last_failure {
        message += &format!(". `{provider}` failed last: {reason}");
    }
    message
}

/// The timing of an attempt. `pinning` is the time the checker still needed to prepare after the session was open.
pub fn timing(searched: &Searched, session: &Session, pinning: Duration, total: Duration) -> Timing {
    let counters = session.counters();
    let opening = counters.opening + pinning;
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    let known = [opening, counters.previewing, counters.replaying, searched.providing, searched.checking];
    Timing {
        total_ms: ms(total),
        opening_ms: ms(opening),
        importing_ms: ms(counters.importing),
        previewing_ms: ms(counters.previewing),
        replaying_ms: ms(counters.replaying),
        providing_ms: ms(searched.providing),
        checking_ms: ms(searched.checking),
        searching_ms: ms(total.saturating_sub(known.iter().sum())),
    }
}
