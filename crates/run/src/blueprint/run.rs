//! Runs of blueprints: nodes are attempted concurrently, each once all that it needs is proved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::blueprint::{BlueprintRun, NodeKind, NodeState, RefinementRecord};
use andor_artifact::files::{FileError, write_bytes, write_json};
use andor_artifact::folders::attempt_folder;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Config, ProviderConfig};
use andor_core::theorem::Theorem;
use andor_engine::attempt::{self, AttemptRequest, Means, Shared, model_usage};
use andor_engine::event::{Event, Outlook, Sink};
use andor_engine::graft::Given;
use andor_engine::{log, registry, verification};
use andor_env::error::EnvError;
use andor_env::session::Session;
use andor_provider::composite::Composite;
use andor_provider::contract::Provider;
use andor_provider::counterexamples::Counterexamples;
use andor_provider::lemmas::Lemmas;
use andor_provider::plan::refine::Failure;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::graph::Progress;
use super::node::{Blueprint, Node};
use super::refine::{Refinement, Refining, refine};
use super::stored::{FILE, read_run, results};
use super::whole::whole;
use super::work::{DISPROOF, Review, Task, Work, origin};
use crate::modules::Modules;
use crate::orchestrate::{self, Keep, LatencyRecords, Outage, RunError, RunRequest, lock};
use crate::records::Records;

/// A disproof may cost this share of what a proof may.
const DISPROOF_SHARE: f64 = 0.25;

/// What a run made of a blueprint.
#[derive(Clone, Debug)]
pub struct Made {
    /// The blueprint, with the states of its nodes.
    pub record: BlueprintRun,
    /// The results of attempts at nodes and at negations of nodes.
    pub results: Vec<AttemptResult>,
}

/// Proves the nodes of a blueprint. The problems of the request are not looked at. Attempts that an earlier run in the
/// same folder finished are not repeated.
///
/// # Errors
///
/// The run cannot be made. Failures of single attempts are results, not errors.
pub async fn run(
    request: &RunRequest,
    blueprint: Blueprint,
    cancel: &CancellationToken,
    sink: Arc<Mutex<dyn Sink>>,
) -> Result<Made, RunError> {
    make(request, blueprint, cancel, sink).instrument(log::run(request.out.as_deref())).await
}

async fn make(
    request: &RunRequest,
    blueprint: Blueprint,
    cancel: &CancellationToken,
    sink: Arc<Mutex<dyn Sink>>,
) -> Result<Made, RunError> {
    if request.config.basin.seeds.is_some() {
        return Err(RunError::BasinOfBlueprint);
    }
    let stated = blueprint.nodes().iter().filter(|node| node.kind != NodeKind::Definition).count();
    if request.config.drafts.file.is_some() && stated > 1 {
        return Err(RunError::DraftOfSeveral(stated));
    }
    let own = registry::OwnParts { record: orchestrate::record(request)?, ..request.own.clone() };
    let system = blueprint.system;
    let all = BTreeMap::from([(system, registry::means(system, &request.config, request.jobs, &own)?)]);
    let systems = orchestrate::probe(&all).await?;
    orchestrate::unless(cancel, orchestrate::ready(&all, None, &request.config.budget)).await?;
    let means = all[&system].clone();
    verification::ensure(&**means.workers.environment(), request.config.verify).await?;
    if let Some(path) = request.record_latencies.as_ref().filter(|path| path.exists()) {
        return Err(RunError::LatenciesExist(path.clone()));
    }
    let texts = blueprint.nodes().iter().map(|node| node.text.as_str());
    let text: Vec<&str> = std::iter::once(blueprint.header.as_str()).chain(texts).collect();
    let modules = Modules::of_text(&text.join("\n"), &**means.workers.environment()).await;
    let (mut results, earlier) = match request.out.as_ref().filter(|_| request.resume) {
        Some(out) => (results(out)?, read_run(out)?),
        None => (Vec::new(), None),
    };
    results.retain(|result| modules.agree(&blueprint.header, result));
    let finished_earlier = results.iter().filter(|result| result.outcome.is_final()).count();
    let accepted_earlier = results.iter().filter(|result| result.outcome == Outcome::Accepted).count();
    let work = Work::new(blueprint, earlier, results, (request.pass_k, means.planner.is_some()));
    let mut run = Run {
        request,
        means: &means,
        cancel,
        sink,
        work,
        records: None,
        shared: Shared::default(),
        modules: modules.clone(),
        problems: Vec::new(),
        latencies: None,
        outlook: Outlook {
            jobs: request.jobs.max(1),
            finished_earlier,
            accepted_earlier,
            waiting: 0,
            limit: request.config.budget.time_s.map(Duration::from_secs_f64),
        },
        outage: Outage::default(),
    };
    if let Some(out) = &request.out {
        // What is proved already has to be known, so that its results are not dropped.
        run.accept_definitions().await?;
        run.problems = run.work.problems(&run.work.review());
        let stored = RunRequest { problems: run.problems.clone(), ..request.clone() };
        run.records = Some(Records::open(out, &stored, systems, modules)?);
    }
    run.shared = orchestrate::shared(request, run.records.as_ref())?;
    run.latencies = request.record_latencies.as_deref().map(LatencyRecords::create).transpose()?;
    run.work_off().await?;
    run.finish().await
}

/// A run in progress.
struct Run<'a> {
    request: &'a RunRequest,
    means: &'a Means,
    cancel: &'a CancellationToken,
    sink: Arc<Mutex<dyn Sink>>,
    work: Work,
    records: Option<Records>,
    shared: Shared,
    modules: Modules,
    /// The theorems as they are stored.
    problems: Vec<andor_dataset::Problem>,
    latencies: Option<LatencyRecords>,
    outlook: Outlook,
    outage: Outage,
}

/// What came of a task.
enum Ended {
    /// A definition, by the digest of the theorem behind it.
    Defined(String, Result<Result<(), String>, EnvError>),
    Attempted(String, Result<Box<AttemptResult>, FileError>),
    Refined(Result<Option<Refinement>, EnvError>),
}

impl Run<'_> {
    /// Does what there is to do, until there is nothing more.
    async fn work_off(&mut self) -> Result<(), RunError> {
        let mut running = JoinSet::new();
        let mut busy: BTreeSet<String> = BTreeSet::new();
        let mut reviews = self.work.review();
        self.save(&reviews)?;
        loop {
            let mut waiting = self.waiting(&reviews, &busy);
            self.say_outlook(&reviews, &busy);
            waiting.reverse();
            while running.len() < self.request.jobs.max(1) && !self.cancel.is_cancelled() {
                let Some((place, task)) = waiting.pop() else { break };
                let name = self.work.blueprint.nodes()[place].name().to_owned();
                busy.insert(name);
                self.say_outlook(&reviews, &busy);
                self.start(&mut running, place, task, &reviews).await?;
            }
            let Some(joined) = running.join_next().await else { return Ok(()) };
            let (name, ended) = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
            busy.remove(&name);
            self.take_in(&name, ended)?;
            if self.outage.is_likely(self.request.jobs) && !self.means.models.is_empty() {
                let all = BTreeMap::from([(self.work.blueprint.system, self.means.clone())]);
                let ready = orchestrate::ready(&all, None, &self.request.config.budget);
                self.outage.pause(self.request.out.as_deref(), self.cancel, ready).await?;
            }
            reviews = self.work.review();
            self.save(&reviews)?;
        }
    }

    /// The nodes with something to do, in the order in which it is done: refinements and definitions first, and first
    /// attempts before second ones.
    fn waiting(&self, reviews: &[Review], busy: &BTreeSet<String>) -> Vec<(usize, Task)> {
        let (nodes, order) = (self.work.blueprint.nodes(), self.work.blueprint.graph().order());
        let is_free = |place: &&usize| !busy.contains(nodes[**place].name());
        let waiting = order.iter().filter(is_free).filter_map(|&place| Some((place, reviews[place].task?)));
        let mut waiting: Vec<(usize, Task)> = waiting.collect();
        waiting.sort_by_key(|(_, task)| match task {
            Task::Refine | Task::Define => 0,
            Task::Prove(number) => *number,
            Task::Disprove => u32::MAX,
        });
        waiting
    }

    /// Starts a task.
    async fn start(
        &mut self,
        running: &mut JoinSet<(String, Ended)>,
        place: usize,
        task: Task,
        reviews: &[Review],
    ) -> Result<(), RunError> {
        let (node, review) = (&self.work.blueprint.nodes()[place], &reviews[place]);
        let name = node.name().to_owned();
        let theorem = review.theorem.clone().expect("what a node needs is there when it is worked on");
        match task {
            Task::Define => {
                let (means, config) = (self.means.clone(), self.request.config.clone());
                running
                    .spawn(async move { (name, define(theorem, &means, &config).await) }.in_current_span());
            }
            Task::Prove(number) => {
                let given = self.given(node, &theorem)?;
                let config = config_of_attempt(&self.request.config, &theorem.id, number);
                self.attempt(running, name, theorem, number, config, given)?;
            }
            Task::Disprove => {
                let disproof = review.disproof.clone().expect("only what can be negated is to be disproved");
                let config = config_of_attempt(&self.request.config, &disproof.id, 1);
                self.attempt(running, name, disproof, 1, config, None)?;
            }
            Task::Refine => {
                let refining = Refining {
                    failure: self.failure(review),
                    neutral: self.work.neutral(&name, theorem.header),
                    number: self.work.refinements.len() as u32,
                    blueprint: self.work.blueprint.clone(),
                    place,
                };
                let (means, request) = (self.means.clone(), self.request.clone());
                let task = async move {
                    let planner = means.planner.as_ref().expect("only with a planner are nodes refined");
                    let refined = refine(&refining, planner, &means, &request);
                    let refined = tokio::select! {
                        biased;
                        () = means.cancel.cancelled() => Ok(None),
                        refined = refined => refined,
                    };
                    (name, Ended::Refined(refined))
                };
                running.spawn(task.in_current_span());
            }
        }
        Ok(())
    }

    /// What the search of a node begins with.
    fn given(&self, node: &Node, theorem: &Theorem) -> Result<Option<Given>, RunError> {
        let own = node.given(theorem.system).expect("plans were read with the blueprint");
        Ok(andor_dataset::given(&self.request.config, theorem, own)?)
    }

    /// What the planner is told of a node.
    fn failure(&self, review: &Review) -> Failure<String> {
        let detail = review.detail.clone().unwrap_or_default();
        match review.progress {
            Progress::Refused => Failure::Refused(detail),
            Progress::Disproved => {
                let found = self.work.disproof_of(review);
                let source = found.and_then(|result| result.source.as_deref()).unwrap_or_default();
                let header = review.disproof.as_ref().map_or("", |theorem| &theorem.header);
                Failure::Disproved(source.strip_prefix(header).unwrap_or(source).trim().to_owned())
            }
            Progress::Open | Progress::Done | Progress::NotProved | Progress::Failed => {
                Failure::NotProved(detail)
            }
        }
    }

    /// Starts an attempt.
    fn attempt(
        &mut self,
        running: &mut JoinSet<(String, Ended)>,
        node: String,
        theorem: Theorem,
        number: u32,
        config: Config,
        given: Option<Given>,
    ) -> Result<(), RunError> {
        self.store_problems()?;
        let label = match self.request.pass_k {
            1 => theorem.id.clone(),
            _ => format!("{}, attempt {number}", theorem.id),
        };
        if let Some(records) = &self.records {
            // Files left by an earlier, unfinished start.
            records.remove_files(&theorem.id, number)?;
        }
        let out = self.request.out.as_ref().filter(|_| self.request.keep != Keep::None);
        let directory = out.map(|out| attempt_folder(out, &theorem.id, number));
        let is_disproof = theorem.id != node;
        let request = AttemptRequest { theorem, attempt: number, role: Role::Configured, config, directory };
        let planner = self.means.planner.clone().filter(|_| !is_disproof);
        let provider = self.provider(&node, is_disproof);
        let means = Means { cancel: self.cancel.child_token(), planner, provider, ..self.means.clone() };
        let (sink, latencies, shared) = (Arc::clone(&self.sink), self.latencies.clone(), self.shared.clone());
        let modules = self.modules.digest(&request.theorem.header).map(str::to_owned);
        let task = async move {
            let mut forward = |_: &str, event: &Event| match event {
                // Reported when the result is stored.
                Event::AttemptFinished(_) => {}
                event => {
                    if let (Some(latencies), Event::Latency(measured)) = (&latencies, event) {
                        latencies.add(*measured);
                    }
                    lock(&sink).event(&label, event);
                }
            };
            let result = attempt::run_sharing(&request, &means, given, shared, &mut forward).await;
            let result = result.map(|result| AttemptResult { modules_digest: modules, ..result });
            (node, Ended::Attempted(label, result.map(Box::new)))
        };
        running.spawn(task.in_current_span());
        Ok(())
    }

    /// The provider for a node. Heuristics do not know the lemmas of a blueprint, so those that the node uses are proposed
    /// beside them; and for negations, small values.
    fn provider(&self, node: &str, is_disproof: bool) -> Arc<dyn Provider> {
        let mut providers = vec![Arc::clone(&self.means.provider)];
        let blueprint = &self.work.blueprint;
        let uses = blueprint.place(node).map(|place| blueprint.graph().uses(place)).unwrap_or_default();
        let used = uses.iter().map(|&used| &blueprint.nodes()[used]);
        let lemmas = used.filter(|node| node.kind != NodeKind::Definition).map(|node| node.name().to_owned());
        let lemmas: Vec<String> = lemmas.collect();
        if self.request.config.providers.contains(&ProviderConfig::Heuristic) {
            if !lemmas.is_empty() {
                providers.push(Arc::new(Lemmas::new(lemmas)));
            }
            if is_disproof {
                providers.push(Arc::new(Counterexamples));
            }
        }
        match <[Arc<dyn Provider>; 1]>::try_from(providers) {
            Ok([only]) => only,
            Err(several) => Arc::new(Composite::new(several)),
        }
    }

    /// Stores the theorems, if they have changed.
    fn store_problems(&mut self) -> Result<(), RunError> {
        let problems = self.work.problems(&self.work.review());
        if let Some(records) = self.records.as_mut().filter(|_| problems != self.problems) {
            records.set_problems(&problems)?;
            self.problems = problems;
        }
        Ok(())
    }

    fn take_in(&mut self, name: &str, ended: Ended) -> Result<(), RunError> {
        match ended {
            Ended::Defined(digest, defined) => {
                let defined = defined?;
                if let Err(message) = &defined {
                    tracing::warn!("the definition `{name}` is refused: {message}");
                }
                self.work.defined.insert(digest, defined);
            }
            Ended::Attempted(label, result) => {
                let result = *result?;
                if let Some(records) = &mut self.records {
                    if !self.request.keep.keeps(&result) {
                        records.remove_files(&result.theorem, result.attempt)?;
                    }
                    records.update(&[&result], &[])?;
                }
                self.outage.note(result.outcome == Outcome::InfrastructureError);
                if result.outcome != Outcome::Interrupted {
                    self.work.add(result.clone());
                }
                lock(&self.sink).event(&label, &Event::AttemptFinished(Box::new(result)));
            }
            // Whatever keeps it from being refined, the other nodes go on.
            Ended::Refined(Err(error)) => {
                tracing::warn!("node `{name}` is not refined: {error}");
                self.work.given_up.insert(name.to_owned());
            }
            Ended::Refined(Ok(None)) => {
                self.work.given_up.insert(name.to_owned());
            }
            Ended::Refined(Ok(Some(refinement))) => self.apply(name, refinement)?,
        }
        Ok(())
    }

    /// Changes the blueprint. Nothing that is proved changes.
    fn apply(&mut self, name: &str, refinement: Refinement) -> Result<(), RunError> {
        let Refinement { added, after, tries, usage } = refinement;
        let blueprint = &self.work.blueprint;
        if added.iter().any(|node| blueprint.mentions(&node.name)) {
            // Another refinement took the name in the meantime: the planner is asked again.
            return Ok(());
        }
        let place = blueprint.place(name).expect("nodes are never removed");
        let node = &blueprint.nodes()[place];
        let state = self.work.states(&self.work.review())[place];
        let planner = self.means.planner.as_ref().map(|planner| planner.id().to_owned());
        let record = RefinementRecord {
            node: name.to_owned(),
            origin: origin(node).to_owned(),
            state,
            planner: planner.unwrap_or_default(),
            before: node.record.clone(),
            after,
            added,
            tries,
            model: model_usage(&usage),
        };
        let refined = match blueprint.refined(&record) {
            Ok(refined) => refined,
            Err(error) => {
                tracing::warn!("node `{name}` is not refined: {error}");
                self.work.given_up.insert(name.to_owned());
                return Ok(());
            }
        };
        tracing::info!(
            "node `{name}` ({}) is refined: {} lemmas are added{}",
            state.words(),
            record.added.len(),
            if record.before.statement == record.after.statement {
                ""
            } else {
                ", and its statement is corrected"
            }
        );
        self.work.refinements.push(record);
        self.work.blueprint = refined;
        Ok(())
    }

    /// Says how many nodes wait to be proved.
    fn say_outlook(&mut self, reviews: &[Review], busy: &BTreeSet<String>) {
        let states = self.work.states(reviews);
        let waits = |(state, node): &(NodeState, &Node)| {
            let is_open = matches!(state, NodeState::NotReady | NodeState::CanState | NodeState::CanProve);
            is_open && node.kind != NodeKind::Definition && !busy.contains(node.name())
        };
        self.outlook.waiting = states.into_iter().zip(self.work.blueprint.nodes()).filter(waits).count();
        lock(&self.sink).outlook(self.outlook);
    }

    /// Writes the blueprint with its states.
    fn save(&mut self, reviews: &[Review]) -> Result<(), RunError> {
        if let Some(out) = &self.request.out {
            write_json(&out.join(FILE), &self.work.record(reviews))?;
        }
        // After the file: what it does not have yet must not be in the database.
        self.store_problems()
    }

    /// Has the system read all definitions that do not wait for lemmas without a proof.
    async fn accept_definitions(&mut self) -> Result<(), RunError> {
        loop {
            let reviews = self.work.review();
            let waiting = reviews.into_iter().filter(|review| review.task == Some(Task::Define));
            let theorems: Vec<Theorem> = waiting.filter_map(|review| review.theorem).collect();
            if theorems.is_empty() || self.cancel.is_cancelled() {
                return Ok(());
            }
            for theorem in theorems {
                if let Ended::Defined(digest, defined) =
                    define(theorem, self.means, &self.request.config).await
                {
                    self.work.defined.insert(digest, defined?);
                }
            }
        }
    }

    /// Writes and judges the final file.
    async fn finish(mut self) -> Result<Made, RunError> {
        let reviews = self.work.review();
        let environment = Arc::clone(self.means.workers.environment());
        let found = whole(&self.work, &reviews, &*environment).filter(|_| !self.cancel.is_cancelled());
        if let Some(whole) = found {
            if let Some(out) = &self.request.out {
                write_bytes(&out.join(&whole.file), whole.text().as_bytes())?;
            }
            let judged = whole.judge(&*environment, self.request).await;
            if let Some(error) = &judged.error {
                tracing::warn!("the final file is not accepted: {error}");
            }
            self.work.whole = Some(judged);
        }
        self.save(&reviews)?;
        if let Some(latencies) = self.latencies.take() {
            latencies.finish()?;
        }
        if let Some(records) = self.records.take() {
            records.finish()?;
        }
        Ok(Made { record: self.work.record(&reviews), results: self.work.counted(&reviews) })
    }
}

/// Whether the system accepts what stands before a theorem that says nothing.
async fn define(theorem: Theorem, means: &Means, config: &Config) -> Ended {
    let digest = theorem.digest();
    let opened = Session::open(Arc::clone(&means.workers), theorem, config.limits()).await;
    let defined = match opened {
        Ok(session) => {
            session.close();
            Ok(Ok(()))
        }
        Err(error @ (EnvError::TheoremRefused { .. } | EnvError::StatementAxioms { .. })) => {
            Ok(Err(error.to_string()))
        }
        Err(error) => Err(error),
    };
    Ended::Defined(digest, defined)
}

/// The configuration with which a run of this configuration makes an attempt at a theorem.
pub fn config_of_attempt(config: &Config, theorem: &str, attempt: u32) -> Config {
    let config =
        Config { seed: config.seed.wrapping_add(u64::from(attempt.saturating_sub(1))), ..config.clone() };
    if theorem.ends_with(DISPROOF) { disproving(&config) } else { config }
}

/// The configuration for attempts at a negation: with a share of the budget.
fn disproving(config: &Config) -> Config {
    let seconds = |limit: Option<f64>| limit.map(|limit| limit * DISPROOF_SHARE);
    let count = |limit: Option<u64>| limit.map(|limit| limit.div_ceil(4));
    let BudgetConfig { time_s, virtual_time_s, max_iterations, max_expansions, max_nodes, .. } =
        config.budget;
    let BudgetConfig { max_candidates, max_tokens_total, max_cost, .. } = config.budget;
    let budget = BudgetConfig {
        time_s: seconds(time_s),
        virtual_time_s: seconds(virtual_time_s),
        max_iterations: count(max_iterations),
        max_expansions: count(max_expansions),
        max_nodes: count(max_nodes),
        max_candidates: count(max_candidates),
        max_tokens_total: count(max_tokens_total),
        max_cost: seconds(max_cost),
    };
    Config { budget, ..config.clone() }
}
