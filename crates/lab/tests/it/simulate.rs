//! Simulated searches: against those that are driven and those of the benches, by hand, and many at once.

use andor_system_synthetic::SYNTHETIC;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use andor_artifact::files::{LinesWriter, read_json};
use andor_artifact::graph::{Graph, GraphNode};
use andor_artifact::result::{AttemptResult, Role};
use andor_artifact::trace::{
    AttemptOutcome, Iteration, IterationReason, NewNode, ScoredTactic, Start, TraceAttempt, TraceEvent,
    TraceNode, TraceTree,
};
use andor_artifact::version::Kind;
use andor_config::{Config, DistributedMcts, MctsMode};
use andor_core::clock::{Latencies, Latency};
use andor_core::ids::TacticId;
use andor_core::policy::{Backup, Budget, Expansion, Selection, StopReason};
use andor_core::search::Config as SearchConfig;
use andor_core::signature::{GoalKey, GoalSig};
use andor_core::tree::{Child, Identity, Status};
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_lab::bench::engine::Engine;
use andor_lab::bench::quality::Seeds;
use andor_lab::simulate::Measurements;
use andor_lab::simulate::engine::{Simulated, SimulationSetting, simulate};
use andor_lab::simulate::problem::{SimulatedCandidate, SimulatedProblem, SyntheticProblem, proof_is_right};
use andor_lab::simulate::recorded::{Recorded, RecordedError};
use andor_lab::simulate::sweep::{Axes, Subject, Sweep, SweepRequest};
use andor_lab::simulate::table::{CELL, CsvWriter, SEARCH, header};
use andor_system_synthetic::SyntheticPolicy;
use andor_system_synthetic::{World, WorldPreset};
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

fn constant(provider_ms: u64, tactic_ms: u64) -> Latencies {
    let ms = |ms| Latency::Constant(ms * 1000);
    Latencies { provider: ms(provider_ms), tactic: ms(tactic_ms) }
}

fn setting(agents: u32, workers: u32) -> SimulationSetting {
    SimulationSetting {
        search: SearchConfig::default(),
        budget: Budget::default(),
        agents,
        inflight: agents,
        workers,
        model_slots: None,
        latencies: constant(10, 4),
    }
}

fn run(problem: &mut impl SimulatedProblem, setting: &SimulationSetting) -> Simulated {
    simulate(problem, setting, &AtomicBool::new(false))
}

/// `split` leaves two goals, each of which `close` closes.
#[derive(Clone)]
struct Pair;

const SPLIT: usize = 0;
const CLOSE: usize = 1;

fn child(id: u64) -> Child {
    Child { coarse: GoalSig(id), key: GoalKey(id), value: None }
}

impl SimulatedProblem for Pair {
    fn tactics(&self) -> Vec<String> {
        vec!["split".to_owned(), "close".to_owned()]
    }

    fn root(&self) -> Child {
        child(0)
    }

    fn candidates(&mut self, goal: GoalKey, candidates: &mut Vec<SimulatedCandidate>) {
        let tactic = TacticId::from_index(if goal.0 == 0 { SPLIT } else { CLOSE });
        candidates.clear();
        candidates.push(SimulatedCandidate { tactic, log_prior: -0.5 });
    }

    fn apply(&mut self, goal: GoalKey, tactic: TacticId, children: &mut Vec<Child>) -> bool {
        children.clear();
        match (goal.0, tactic.index()) {
            (0, SPLIT) => children.extend([child(1), child(2)]),
            (0, _) | (_, SPLIT) => return false,
            (_, _) => {}
        }
        true
    }
}

#[test]
fn a_tiny_search_takes_the_time_that_one_counts_by_hand() {
    // The root: model 0 to 10 ms, worker 10 to 14. Then both goals at once: model 14 to 24, workers 24 to 28.
    let simulated = run(&mut Pair, &setting(2, 2));
    assert_eq!(simulated.stop, StopReason::Proved);
    assert!(proof_is_right(&simulated.search, &mut Pair));
    let expected = Measurements {
        time: 28_000,
        provider_calls: 3,
        workers_busy: 12_000,
        with_work: 14_000,
        workers_busy_with_work: 8_000,
        model_busy: 30_000,
        worker_entries: 3,
        ..Measurements::default()
    };
    assert_eq!(simulated.measured, expected);

    // With one place at the model, the second goal has its answer at 34 ms.
    let narrow = run(&mut Pair, &SimulationSetting { model_slots: Some(1), ..setting(2, 2) });
    assert_eq!((narrow.measured.time, narrow.measured.model_busy), (38_000, 30_000));

    // With one worker, the second goal waits for it from 24 to 28 ms.
    let slow = run(&mut Pair, &setting(2, 1));
    assert_eq!((slow.measured.time, slow.measured.worker_wait), (32_000, 4_000));
    assert_eq!(slow.measured.workers_busy, 12_000);
}

#[test]
fn one_agent_with_one_worker_grows_the_tree_of_the_bench() {
    let ucb1 = SearchConfig {
        selection: Selection::Ucb1,
        exploration: std::f64::consts::SQRT_2,
        backup: Backup::Uniform,
        identity: Identity::Strict,
        ..SearchConfig::default()
    };
    let lazy = SearchConfig { expansion: Expansion::FirstNovel, ..SearchConfig::default() };
    for config in [SearchConfig::default(), ucb1, lazy] {
        for (preset, seed) in [(WorldPreset::Easy, 3), (WorldPreset::Medium, 1), (WorldPreset::Open, 2)] {
            let search = SearchConfig { seed, ..config };
            let world = World::new(preset, seed);
            let mut engine = Engine::new(world, search, true);
            engine.run(2_000);
            let budget = Budget { candidates: Some(2_000), ..Budget::default() };
            let setting = SimulationSetting { search, budget, ..setting(1, 1) };
            let simulated = run(&mut SyntheticProblem::new(world, true), &setting);
            assert_eq!(simulated.search.digest(), engine.search().digest(), "{preset} {seed}");
        }
    }
}

/// Has the driver search an instance of the synthetic environment.
fn drive(config: &Config, statement: &str, directory: Option<&Path>) -> AttemptResult {
    let means = Means {
        workers: Workers::new(Arc::new(andor_system_synthetic::Synthetic), Grouping::Coupled),
        provider: Arc::new(SyntheticPolicy { critic: false }),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(config).expect("no file is read"),
        cancel: CancellationToken::new(),
    };
    let request = attempt::AttemptRequest {
        theorem: theorem(SYNTHETIC, "t", statement),
        attempt: 1,
        role: Role::Configured,
        config: config.clone(),
        directory: directory.map(Path::to_owned),
    };
    block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).expect("files can be written")
}

/// What both of them know of a node: its goal, its depth, its visits, the size of its proof; and of its steps.
type Known = (String, u32, u32, Option<u32>, Vec<(String, Vec<String>)>);

fn known_to_driver(directory: &Path) -> Vec<Known> {
    let graph: Graph = read_json(&directory.join("graph.json"), Kind::Graph).expect("the driver wrote it");
    let of = |node: &GraphNode| {
        let goal = node.goals[0].trim_start_matches("⊢ ").to_owned();
        let steps = graph.steps.iter().filter(|step| step.node == node.id);
        let steps = steps.map(|step| (step.tactic.clone(), step.children.clone())).collect();
        (goal, node.depth, node.visit_count, node.distance, steps)
    };
    graph.nodes.iter().map(of).collect()
}

fn known_to_simulation(simulated: &Simulated) -> Vec<Known> {
    let (search, tree) = (&simulated.search, simulated.search.tree());
    let of = |node| {
        let steps = tree.steps(node).map(|step| {
            let tactic = search.tactics().text(tree.tactic(step)).to_owned();
            (tactic, tree.children(step).map(|child| child.to_string()).collect())
        });
        let visits = search.stats().node(node).visits;
        (format!("{:016x}", tree.key(node).0), tree.depth(node), visits, tree.distance(node), steps.collect())
    };
    tree.nodes().map(of).collect()
}

#[test]
fn simulated_and_driven_searches_grow_the_same_trees() {
    let (lazy, eager) = (Expansion::FirstNovel, Expansion::All);
    for (agents, workers, virtual_loss, expand) in
        [(1, 1, 1.0, lazy), (6, 3, 1.0, lazy), (5, 2, 0.0, lazy), (4, 2, 0.0, eager)]
    {
        for seed in [1, 2] {
            let mut config = Config { seed, ..Config::default() };
            config.budget.time_s = None;
            config.budget.max_iterations = Some(150);
            config.workers.workers = workers;
            config.search.policy = Selection::Puct;
            config.search.expand = expand;
            config.latencies.tactic = "lognormal:50ms:0.5".parse().unwrap();
            config.latencies.provider = "lognormal:200ms:0.5".parse().unwrap();
            config.distributed_mcts = DistributedMcts {
                mode: MctsMode::Distributed,
                agents: Some(agents),
                inflight: Some(agents),
                virtual_loss: Some(virtual_loss),
                block_fraction: Some(0.2),
                block_duration: Some(20),
                block_seed: Some(seed),
                reroute_blocked: true,
                reroute_max: Some(2),
                delay_prob: Some(0.1),
                delay_duration: Some(5),
                delay_seed: Some(4),
                ..DistributedMcts::default()
            };
            config.validate().unwrap();
            let setting = SimulationSetting {
                search: config.search(),
                budget: config.budget(),
                agents,
                inflight: agents,
                workers: u32::try_from(workers).unwrap(),
                model_slots: None,
                latencies: registry::latencies(&config).unwrap().unwrap(),
            };
            let simulated =
                run(&mut SyntheticProblem::new(World::new(WorldPreset::Medium, seed), false), &setting);
            let folder = tempfile::tempdir().unwrap();
            let driven = drive(&config, &format!("medium {seed}"), Some(folder.path()));
            let case = format!("{agents} agents, virtual loss {virtual_loss}, seed {seed}");
            assert_eq!(known_to_simulation(&simulated), known_to_driver(folder.path()), "{case}");
            let by_agent: Vec<u64> = simulated.search.iterations_by_agent().collect();
            assert_eq!(by_agent, driven.agent_iterations, "{case}");
            let m = simulated.measured;
            assert_eq!(m.time as f64, (driven.virtual_ms.unwrap() * 1e3).round(), "{case}");
            assert_eq!((m.passes, m.collisions), (driven.spent.passes, driven.spent.collisions), "{case}");
            assert!(m.passes > 0 && (m.collisions > 0) == (virtual_loss == 0.0), "{case}: {m:?}");
        }
    }
}

#[test]
fn a_thousand_agents_on_a_hundred_workers() {
    let budget = Budget { candidates: Some(9_000), ..Budget::default() };
    let setting = SimulationSetting { budget, latencies: constant(200, 50), ..setting(1_000, 100) };
    let simulated = run(&mut SyntheticProblem::new(World::new(WorldPreset::Open, 1), false), &setting);
    assert!(matches!(simulated.stop, StopReason::Candidates(_)));
    assert_eq!(simulated.search.n_in_flight(), 0);
    let agents = simulated.search.iterations_by_agent();
    assert_eq!(agents.len(), 1_000);
    assert_eq!(agents.sum::<u64>(), simulated.spent.iterations);
    assert!(
        simulated.measured.workers_busy > 50 * simulated.measured.time,
        "more than 50 workers are in use"
    );
}

fn request() -> SweepRequest {
    SweepRequest {
        subjects: vec![Subject::Synthetic(WorldPreset::Easy)],
        seeds: Seeds { first: 1, last: 6 },
        critic: false,
        axes: Axes {
            agents: vec![1, 5],
            workers: vec![2],
            virtual_loss: vec![0.0, 1.0],
            block_fraction: vec![0.0, 0.3],
            block_duration: vec![10],
            reroute: vec![0],
            delay_prob: vec![0.0],
            delay_duration: vec![5],
        },
        inflight: None,
        model_slots: None,
        config: Config::default(),
    }
}

fn csv(request: SweepRequest, jobs: usize) -> String {
    let sweep = Sweep::new(request).unwrap();
    let mut table = CsvWriter::new(&SEARCH, Vec::new()).unwrap();
    let jobs = NonZeroUsize::new(jobs).unwrap();
    let finished = sweep
        .run(jobs, &AtomicBool::new(false), |f| table.write(&sweep.request, &sweep.cells[f.cell], f))
        .unwrap();
    assert_eq!(finished.len(), sweep.n_searches());
    assert!(finished.iter().all(|f| f.claimed == f.solved), "no claim is wrong");
    String::from_utf8(table.finish().unwrap()).unwrap()
}

#[test]
fn a_sweep_writes_the_same_bytes_whatever_runs_side_by_side() {
    let alone = csv(request(), 1);
    assert_eq!(alone.lines().count(), 1 + 8 * 6);
    assert_eq!(alone, csv(request(), 3));
    let other = csv(SweepRequest { seeds: Seeds { first: 2, last: 7 }, ..request() }, 2);
    assert_ne!(alone, other, "seeds matter");
}

#[test]
fn every_column_is_documented() {
    let page = include_str!("../../../../docs/guide/simulation.md");
    for name in header(&SEARCH).into_iter().chain(header(&CELL)) {
        let name = name.trim_end_matches("_low").trim_end_matches("_high");
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn a_sweep_that_is_cancelled_gives_what_is_finished() {
    let sweep = Sweep::new(request()).unwrap();
    let cancelled = AtomicBool::new(false);
    let mut seen = 0;
    let finished = sweep.run(NonZeroUsize::MIN, &cancelled, |_| {
        seen += 1;
        cancelled.fetch_or(seen == 3, Ordering::Relaxed);
        Ok::<(), ()>(())
    });
    let finished = finished.unwrap();
    assert!(finished.len() >= 3 && finished.len() < sweep.n_searches());
    assert_eq!(finished.len(), seen);
}

#[test]
fn agents_that_only_run_into_blocks_come_to_an_end() {
    let mut request = request();
    request.config.budget.max_candidates = Some(200);
    request.axes = Axes {
        block_fraction: vec![0.3],
        block_duration: vec![1_000_000],
        virtual_loss: vec![1.0],
        ..request.axes
    };
    let sweep = Sweep::new(request).unwrap();
    let finished = sweep.run(NonZeroUsize::MIN, &AtomicBool::new(false), |_| Ok::<(), ()>(())).unwrap();
    assert!(finished.iter().any(|f| f.stop == StopReason::Iterations(2_000)));
}

#[test]
fn broken_rules_are_named_as_the_options_of_sweeps() {
    let message = |change: fn(&mut SweepRequest)| {
        let mut request = request();
        change(&mut request);
        Sweep::new(request).unwrap_err().to_string()
    };
    assert_eq!(
        message(|p| p.axes.block_fraction = vec![1.0]),
        "--block-fraction: must lie strictly between 0 and 1"
    );
    assert_eq!(
        message(|p| p.axes.block_duration = vec![0]),
        "--block-duration: must not be 0; a negative number means permanently"
    );
    assert!(message(|p| p.axes.workers = vec![0]).starts_with("--workers: must be at least 1"));
    assert_eq!(message(|p| p.axes.agents = vec![2, 2]), "--agents: 2 is listed twice");
    assert_eq!(message(|p| p.model_slots = Some(0)), "--model-slots: must be at least 1");
    assert!(message(|p| p.config.search.policy = Selection::BestFirst).starts_with("--policy: "));
}

fn new_node(id: &str, key: u64) -> NewNode {
    NewNode {
        mvar_id: id.into(),
        goal_type: "P".into(),
        goal_coarse: format!("{key:016x}").into(),
        goal_key: format!("{key:016x}").into(),
        value: Some(0.25),
    }
}

fn tried(tactic: &str, outcome: AttemptOutcome, children: &[&str]) -> TraceAttempt {
    TraceAttempt {
        tactic: tactic.into(),
        outcome,
        child_mvar_ids: children.iter().map(|&c| c.into()).collect(),
        timestamp_ms: 0,
        tactic_norm: tactic.into(),
        goal_sig: "".into(),
        goal_sig_strict: "".into(),
        goal_type: "P".into(),
        block_reason: None,
        provider_id: "p".into(),
        error: None,
    }
}

fn iteration(
    node: &str,
    scores: &[(&str, f64)],
    attempts: Vec<TraceAttempt>,
    new_nodes: Vec<NewNode>,
) -> TraceEvent {
    let tactics = scores.iter().map(|&(tactic, score)| ScoredTactic { tactic: tactic.into(), score });
    TraceEvent::Iteration(Box::new(Iteration {
        iteration: 1,
        reason: IterationReason::Expanded,
        agent_id: 0,
        timestamp_ms: 0,
        collision: false,
        selected_path: Vec::new(),
        node: TraceNode {
            mvar_id: node.into(),
            goal_type: "P".into(),
            goal_sig: "".into(),
            goal_sig_strict: "".into(),
            visit_count: 1,
            success_count: 1.0,
            is_terminal: false,
            is_dead: false,
            depth: 0,
        },
        tactics: tactics.collect(),
        attempts,
        expanded: true,
        terminal_reached: false,
        backprop_success: true,
        tree: TraceTree { nodes: 1, expansions: 1, max_depth: 1, solved: false, aborted: false, inflight: 0 },
        new_nodes,
        next_score: None,
        value: None,
        block: None,
        delay: None,
        reroute: Vec::new(),
        lifted: Vec::new(),
        reservation: None,
    }))
}

fn write_trace(path: &Path, events: &[TraceEvent]) {
    let start = TraceEvent::Start(Box::new(Start {
        theorem: "t".to_owned(),
        system: "mini".to_owned(),
        statement_digest: "ab".to_owned(),
        config: serde_json::Value::Null,
        root: new_node("cp0:1", 1),
    }));
    let mut writer = LinesWriter::create(path, Kind::Trace).unwrap();
    writer.write(&start).unwrap();
    events.iter().for_each(|event| writer.write(event).unwrap());
    writer.sync().unwrap();
}

#[test]
fn traces_of_one_theorem_make_one_problem() {
    use AttemptOutcome::{Blocked, Failure, Success};
    let folder = tempfile::tempdir().unwrap();
    let trace = |name: &str| folder.path().join(name).join("trace.jsonl");
    // The first run found a way to goal 2, and got no further.
    write_trace(
        &trace("a"),
        &[
            iteration(
                "cp0:1",
                &[("bad", -0.5), ("split", -1.0)],
                vec![tried("bad", Failure, &[]), tried("split", Success, &["cp1:1", "cp1:2"])],
                vec![new_node("cp1:1", 2), new_node("cp1:2", 3)],
            ),
            iteration("cp1:1", &[("close", -0.1)], vec![tried("close", Success, &[])], vec![]),
        ],
    );
    // The second, which calls the nodes by other names, closed goal 3.
    write_trace(
        &trace("b"),
        &[
            iteration(
                "cp0:1",
                &[("best", -0.2), ("split", -1.0)],
                vec![tried("best", Blocked, &[]), tried("split", Success, &["cp7:1", "cp7:2"])],
                vec![new_node("cp7:1", 2), new_node("cp7:2", 3)],
            ),
            iteration("cp7:2", &[("finish", -0.3)], vec![tried("finish", Success, &[])], vec![]),
        ],
    );
    let mut problems = Recorded::read(&[folder.path().to_owned()]).unwrap();
    assert_eq!(problems.len(), 1, "both are of one theorem");
    let problem = &mut problems[0];
    assert_eq!((problem.theorem(), problem.root().key), ("t", GoalKey(1)));
    let texts = problem.tactics();
    let mut candidates = Vec::new();
    let mut known = |problem: &mut Recorded, goal| {
        problem.candidates(GoalKey(goal), &mut candidates);
        candidates.iter().map(|c| texts[c.tactic.index()].clone()).collect::<Vec<_>>()
    };
    assert_eq!(known(problem, 1), ["bad", "split"], "by score; what was kept out was never tried");
    assert_eq!(known(problem, 3), ["finish"]);
    assert!(known(problem, 9).is_empty(), "never seen");
    let tactic = |text: &str| TacticId::from_index(texts.iter().position(|t| t == text).unwrap());
    let mut children = Vec::new();
    assert!(!problem.apply(GoalKey(1), tactic("bad"), &mut children));
    assert!(problem.apply(GoalKey(1), tactic("split"), &mut children));
    let keys: Vec<u64> = children.iter().map(|c| c.key.0).collect();
    assert_eq!((keys, children[0].value), (vec![2, 3], Some(0.25)));

    let simulated = run(problem, &setting(2, 2));
    assert!(proof_is_right(&simulated.search, problem), "together the runs know a proof");

    // One run alone does not: goal 3 has no candidates.
    let mut alone = Recorded::read(&[trace("a")]).unwrap().remove(0);
    let simulated = run(&mut alone, &setting(2, 2));
    assert_eq!(simulated.stop, StopReason::Exhausted);
}

#[test]
fn broken_traces_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.jsonl");
    assert!(matches!(Recorded::read(&[folder.path().to_owned()]), Err(RecordedError::NoTrace(_))));
    drop(LinesWriter::<TraceEvent>::create(&path, Kind::Trace).unwrap());
    assert!(matches!(Recorded::read(std::slice::from_ref(&path)), Err(RecordedError::NoStart(_))));
    write_trace(&path, &[iteration("cp3:1", &[], vec![], vec![])]);
    let error = Recorded::read(&[path]).unwrap_err().to_string();
    assert!(error.contains("trace.jsonl, iteration 1: unknown node `cp3:1`"), "{error}");
}

#[test]
fn what_was_driven_can_be_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config::default();
    drive(&config, "medium 3", Some(folder.path()));
    let mut problem = Recorded::read(&[folder.path().to_owned()]).unwrap().remove(0);
    let simulated = run(&mut problem, &SimulationSetting { search: config.search(), ..setting(4, 2) });
    let tree = simulated.search.tree();
    assert_eq!(tree.status(tree.root()), Status::Proved, "{:?}", simulated.stop);
    // What the recording knows is true.
    let mut fresh = SyntheticProblem::new(World::new(WorldPreset::Medium, 3), true);
    let proof = tree.extract().unwrap();
    for step in &proof.steps {
        let name = simulated.search.tactics().text(tree.tactic(step.step));
        let tactic = fresh.tactics().iter().position(|t| t == name).unwrap();
        let mut left = Vec::new();
        let applies =
            fresh.apply(GoalKey(goal_of(&simulated, step.node)), TacticId::from_index(tactic), &mut left);
        assert!(applies && left.len() == step.children.len());
    }
}

/// The synthetic goal of a node: its text is not in the tree, but the world tells it by where it stands.
fn goal_of(simulated: &Simulated, node: andor_core::ids::NodeId) -> u64 {
    let tree = simulated.search.tree();
    let Some((step, parent)) = tree.creator(node) else { return World::new(WorldPreset::Medium, 3).root().0 };
    let name = simulated.search.tactics().text(tree.tactic(step));
    let tactic = name.trim_start_matches('t').parse().unwrap();
    let place = tree.children(step).position(|c| c == node).unwrap();
    let mut left = Vec::new();
    let parent = andor_system_synthetic::WorldGoal(goal_of(simulated, parent));
    assert!(World::new(WorldPreset::Medium, 3).apply_into(parent, tactic, &mut left));
    left[place].0
}
