//! Searches guided by a plan: schedules and budgets, plans that are mended, and traces that replay.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::plan::{PlanRun, PlanningEnd, StuckReason, SubgoalRecord, SubgoalStatus};
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Clock, Config, Level, PlanSchedule, Preset, VerifyConfig};
use andor_core::plan::PlanStep;
use andor_core::theorem::Theorem;
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::plan;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::workers::Workers;
use andor_model::{Answer, Input, Prices, Request, Sampling};
use andor_provider::heuristic::Heuristic;
use andor_provider::plan::{PlanTemplate, Planner};
use andor_provider::scripted::Scripted;
use andor_report::trace::replay::replay;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

/// Nobody proves it in one step with [`TACTICS`], since the middle has to be found.
const STATEMENT: &str = "theorem t (f : Nat → Nat) (n : Nat) (h : ∀ n, f n = 0) : f n = f 0";
const TACTICS: &[&str] = &["exact h n", "exact h 0", "exact Eq.trans h1 (Eq.symm h2)"];

fn step(name: &str, statement: &str) -> PlanStep {
    PlanStep { name: name.to_owned(), statement: statement.to_owned() }
}

fn good() -> Vec<PlanStep> {
    vec![step("h1", "f n = 0"), step("h2", "f 0 = 0")]
}

fn config() -> Config {
    Config {
        budget: BudgetConfig { time_s: None, max_iterations: Some(200), ..BudgetConfig::default() },
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        ..Config::default()
    }
}

fn scheduled(schedule: PlanSchedule) -> Config {
    let mut config = config();
    config.plan.schedule = schedule;
    // The plan is given in the test; the trace's configuration has to be valid.
    config.plan.file = Some("plans.json".into());
    config
}

struct Guided<'a> {
    theorem: Theorem,
    config: Config,
    tactics: Option<&'a [&'a str]>,
    plan: Vec<PlanStep>,
    planner: Option<Arc<Planner>>,
}

impl Guided<'_> {
    fn search(&self, folder: Option<&Path>) -> AttemptResult {
        let environment: Arc<dyn Environment> = match self.theorem.system.name() {
            "rocq" => Arc::new(Rocq::new(RocqConfig::default())),
            _ => Arc::new(Mini::new(MiniConfig::default())),
        };
        let means = Means {
            workers: Workers::new(environment, self.config.search.obligation),
            provider: match self.tactics {
                Some(tactics) => Arc::new(Scripted::always(tactics)),
                None => Arc::new(Heuristic),
            },
            models: Vec::new(),
            planner: self.planner.clone(),
            ranker: None,
            priority: None,
            latencies: registry::latencies(&self.config).unwrap(),
            cancel: CancellationToken::new(),
        };
        let request = AttemptRequest {
            theorem: self.theorem.clone(),
            attempt: 1,
            role: Role::Configured,
            config: self.config.clone(),
            directory: folder.map(Path::to_owned),
        };
        let given = (!self.plan.is_empty()).then(|| plan::given(&self.plan, self.theorem.system));
        let mut no_sink = |_: &str, _: &Event| {};
        block_on(attempt::run_from(&request, &means, given, &mut no_sink)).unwrap()
    }
}

fn on_mini(config: Config, plan: Vec<PlanStep>) -> Guided<'static> {
    let theorem = theorem(MINI, "t", STATEMENT);
    Guided { theorem, config, tactics: Some(TACTICS), plan, planner: None }
}

fn subgoals(result: &AttemptResult) -> &[SubgoalRecord] {
    &result.plan.as_ref().unwrap().subgoals
}

fn standing(result: &AttemptResult) -> Vec<(u64, Option<&str>, SubgoalStatus)> {
    let name = |s: &SubgoalRecord| s.step.as_ref().map(|step| step.name.clone());
    let subgoals = subgoals(result).iter();
    subgoals.map(|s| (s.plan, name(s).map(|n| &*n.leak()), s.status)).collect()
}

#[test]
fn both_schedules_prove_what_the_search_alone_does_not() {
    assert_eq!(on_mini(config(), Vec::new()).search(None).outcome, Outcome::NotProved);
    let mut sources = Vec::new();
    for schedule in [PlanSchedule::InOrder, PlanSchedule::Parallel] {
        let result = on_mini(scheduled(schedule), good()).search(None);
        assert_eq!(result.outcome, Outcome::Accepted, "{result:#?}");
        let proved = SubgoalStatus::Proved;
        let wanted = [(0, Some("h1"), proved), (0, Some("h2"), proved), (0, None, proved)];
        assert_eq!(standing(&result), wanted);
        for subgoal in subgoals(&result) {
            assert!(subgoal.turns > 0 && subgoal.candidates > 0, "{subgoal:?}");
            assert_eq!(subgoal.proof.len(), 1);
            assert!(subgoal.budget_iterations.unwrap() < 200);
        }
        // Of three statements and the search after them, each has an equal share.
        assert_eq!(subgoals(&result)[0].budget_iterations, Some(200 / 4));
        assert!(subgoals(&result)[1].preference_pairs.iter().any(|pair| pair.rejected == "exact h n"));
        sources.push(result.source.unwrap());
    }
    assert_eq!(sources[0], sources[1]);
    assert!(!sources[0].contains("sorry"));
}

/// Statements that nobody proves, and one that somebody does.
fn hopeless() -> Vec<PlanStep> {
    vec![step("h1", "f (n + 1) = f n"), step("h2", "f 0 = 0"), step("h3", "f 1 = f n")]
}

#[test]
fn what_is_stuck_leaves_its_share_to_the_others() {
    for schedule in [PlanSchedule::InOrder, PlanSchedule::Parallel] {
        let result = on_mini(scheduled(schedule), hopeless()).search(None);
        assert_eq!(result.outcome, Outcome::NotProved);
        let [h1, h2, ..] = subgoals(&result) else { panic!("{result:#?}") };
        assert_eq!((h1.status, h1.stuck), (SubgoalStatus::Stuck, Some(StuckReason::Exhausted)), "{schedule}");
        // With a statement that cannot be proved, the others do not matter: nothing is spent on them.
        assert_eq!(h2.status, SubgoalStatus::NotNeeded, "{schedule}: {h2:?}");
        assert_eq!((h2.turns, h2.candidates), (0, 0), "{schedule}: {h2:?}");
    }
}

#[test]
fn a_budget_ends_the_work_on_a_statement_and_the_search_comes_back_to_it() {
    // An expansion ends with the first candidate that holds, and the right one is the last.
    let useless = ["have a : 0 = 0 := rfl", "have b : 0 = 0 := rfl", "have c : 0 = 0 := rfl"];
    let tactics: Vec<&str> = useless.iter().chain(TACTICS).copied().collect();
    let mut guided = on_mini(scheduled(PlanSchedule::InOrder), good());
    guided.tactics = Some(&tactics);
    guided.config.plan.subgoal_candidates = 1;
    guided.config.search.max_depth = Some(5);
    guided.config.budget.max_iterations = Some(3000);
    let result = guided.search(None);
    let [h1, h2, rest] = subgoals(&result) else { panic!("{result:#?}") };
    assert!(h1.proved_ms > Some(h1.focus_ms), "it is proved after its turn: {h1:?}");
    for subgoal in [h1, h2, rest] {
        assert!(subgoal.candidates > 1 && subgoal.turns == 1, "{subgoal:?}");
        assert_eq!(subgoal.budget_candidates, Some(1));
    }
    assert_eq!(result.outcome, Outcome::Accepted, "the search goes on over all that is left");

    guided.config.plan.schedule = PlanSchedule::Parallel;
    let result = guided.search(None);
    let again = subgoals(&result).iter().filter(|subgoal| subgoal.turns > 1).collect::<Vec<_>>();
    // Twice as much in the second round, beside what was spent before.
    let has_more = |subgoal: &&SubgoalRecord| subgoal.budget_candidates >= Some(1 + 2);
    assert!(!again.is_empty() && again.iter().all(has_more), "{:#?}", subgoals(&result));
    assert_eq!(result.outcome, Outcome::Accepted, "{result:#?}");
}

#[test]
fn a_statement_is_not_proved_any_more_once_the_checker_rejects_its_proof() {
    // An axiom that is not allowed.
    let header = "axiom cheat : ∀ (f : Nat → Nat) (n : Nat), f n = 0\n".to_owned();
    let statement = "theorem t (f : Nat → Nat) (n : Nat) : f n = f 0".to_owned();
    for schedule in [PlanSchedule::InOrder, PlanSchedule::Parallel] {
        let mut guided = on_mini(scheduled(schedule), good());
        (guided.theorem.header, guided.theorem.statement) = (header.clone(), statement.clone());
        guided.tactics = Some(&["exact cheat f n", "exact cheat f 0", "exact Eq.trans h1 (Eq.symm h2)"]);
        let result = guided.search(None);
        assert_eq!(
            (result.outcome, result.rejected_claims.len()),
            (Outcome::AxiomNotAllowed, 1),
            "{result:#?}"
        );
        // Its last step is refuted.
        let not_proved = subgoals(&result).iter().filter(|s| s.status != SubgoalStatus::Proved);
        let not_proved: Vec<&SubgoalRecord> = not_proved.collect();
        assert!(!not_proved.is_empty(), "{schedule}: {:#?}", subgoals(&result));
        assert!(not_proved.iter().all(|s| s.proof.is_empty() && s.proved_ms.is_none()), "{not_proved:?}");
    }
}

/// The texts that a planner is asked, and how it answers.
type Answers = fn(&str) -> &'static str;

fn planner(answers: Answers) -> (Arc<Planner>, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let model = andor_model::Scripted::new("planner", move |request: &Request, _| {
        let Input::Messages(messages) = &request.input else { panic!("{request:?}") };
        let prompt: String = messages.iter().map(|message| message.content.as_str()).collect();
        log.lock().unwrap().push(prompt.clone());
        Ok(Answer::of_texts([answers(&prompt)]))
    });
    let (template, prices) = (PlanTemplate::default(), Prices::default());
    let planner = Planner::new("p", Arc::new(model), template, Sampling::default(), prices, 0);
    (Arc::new(planner), asked)
}

/// A second statement that [`TACTICS`] do not prove.
fn with_a_gap() -> Vec<PlanStep> {
    vec![step("h1", "f n = 0"), step("k", "f n + 0 = f 0")]
}

/// Answers rightly only when it sees the stuck statement, what stays, and what was tried.
fn mends(prompt: &str) -> &'static str {
    let sees =
        ["could not be proved:\n```lean\nhave k : f n + 0 = f 0", "have h1 : f n = 0", "`exact h 0`: "];
    match sees.iter().all(|text| prompt.contains(text)) {
        true => "have h1 : f n = 0\nhave h2 : f 0 = 0",
        false => "have h1 : f n = 0\nhave k : f n + 0 = f 0",
    }
}

fn replanned(config: Config, plan: Vec<PlanStep>, answers: Answers) -> (AttemptResult, Vec<String>) {
    let (planner, asked) = planner(answers);
    let mut guided = on_mini(config, plan);
    guided.config.plan.planner = Some("p".to_owned());
    guided.planner = Some(planner);
    let result = guided.search(None);
    let asked = asked.lock().unwrap().clone();
    (result, asked)
}

#[test]
fn a_stuck_statement_is_replanned_by_a_planner_that_sees_what_was_tried() {
    for schedule in [PlanSchedule::InOrder, PlanSchedule::Parallel] {
        let alone = on_mini(scheduled(schedule), with_a_gap()).search(None);
        assert_eq!(alone.outcome, Outcome::NotProved);
        let (result, asked) = replanned(scheduled(schedule), with_a_gap(), mends);
        assert_eq!(result.outcome, Outcome::Accepted, "{result:#?}");
        assert_eq!(asked.len(), 1, "{asked:#?}");
        let PlanRun { replans, .. } = result.plan.as_ref().unwrap();
        let [replan] = &replans[..] else { panic!("{replans:#?}") };
        assert_eq!((replan.number, replan.proven, replan.reason), (1, 1, StuckReason::Exhausted));
        assert_eq!(replan.stuck.as_ref().unwrap().name, "k");
        assert!(replan.tried.iter().any(|tried| tried.step == "exact h 0" && !tried.error.is_empty()));
        let (proved, stuck) = (SubgoalStatus::Proved, SubgoalStatus::Replaced);
        let wanted = [
            (0, Some("k"), stuck),
            (0, None, stuck),
            (1, Some("h1"), proved),
            (1, Some("h2"), proved),
            (1, None, proved),
        ];
        assert_eq!(standing(&result), wanted);
        // What is proved is not searched again.
        assert_eq!(subgoals(&result)[2].turns, 1);
        assert_eq!(subgoals(&result)[2].proof.len(), 1);
    }
}

#[test]
fn a_planner_that_breaks_the_rules_is_refused_and_told() {
    let breaks: [(Answers, &str); 4] = [
        (
            |_| "have h1 : 0 = f n\nhave h2 : f 0 = 0",
            "step 1: `have h1 : f n = 0` is proved and must stay here",
        ),
        (
            |_| "have g : f 0 = 0\nhave h1 : f n = 0",
            "step 1: `have h1 : f n = 0` is proved and must stay here",
        ),
        (|_| "have h1 : f n = 0", "nothing follows the proved steps"),
        (|_| "have h1 : f n = 0\nhave other : f n + 0 = (f 0)", "step 2: this could not be proved"),
    ];
    for (answers, told) in breaks {
        let (result, asked) = replanned(scheduled(PlanSchedule::InOrder), with_a_gap(), answers);
        assert_eq!(result.outcome, Outcome::NotProved);
        // Once, and twice more; a planner that is at a loss is not asked again.
        assert_eq!(asked.len(), 3, "{told}");
        assert!(!asked[0].contains("was refused") && asked[1].contains(told), "{told}: {}", asked[1]);
        let replans = &result.plan.as_ref().unwrap().replans;
        assert_eq!(replans.len(), 1);
        assert_eq!(replans[0].planning.ended, PlanningEnd::Refused);
    }
}

#[test]
fn replanning_has_bounds() {
    /// Always a new statement that cannot be proved before the old one.
    fn more(prompt: &str) -> &'static str {
        match ["have k2", "have k3", "have k4"].iter().filter(|text| prompt.contains(**text)).count() {
            0 => "have h1 : f n = 0\nhave k2 : f n + 0 = f 0 + 0\nhave k : f n + 0 = f 0",
            1 => "have h1 : f n = 0\nhave k3 : f n + 0 = 0 + f 0\nhave k : f n + 0 = f 0",
            _ => "have h1 : f n = 0\nhave k4 : 0 + f n = 0 + f 0\nhave k : f n + 0 = f 0",
        }
    }
    for (replans, of_one, wanted) in [(0, 2, 0), (1, 2, 1), (2, 2, 2), (3, 0, 0)] {
        let mut config = scheduled(PlanSchedule::InOrder);
        config.plan.planner = Some("p".to_owned());
        (config.plan.replans, config.plan.subgoal_replans) = (replans, of_one);
        let (result, _) = replanned(config, with_a_gap(), more);
        assert_eq!(result.plan.as_ref().unwrap().replans.len(), wanted, "{replans}, {of_one}");
    }
}

#[test]
fn a_statement_that_was_proved_is_not_searched_again_in_another_plan() {
    // `h2` is proved in turn while `k` is stuck, and stated again after something new.
    let plan = vec![step("h1", "f n = 0"), step("k", "f n + 0 = f 0"), step("h2", "f 0 = 0")];
    fn answers(_: &str) -> &'static str {
        "have h1 : f n = 0\nhave g : f 1 = 0\nhave h2 : f 0 = 0"
    }
    let (planner, _) = planner(answers);
    let mut guided = on_mini(scheduled(PlanSchedule::Parallel), plan);
    guided.config.plan.planner = Some("p".to_owned());
    guided.planner = Some(planner);
    // `k` is never exhausted, so that it spends its budget while the others are proved.
    let more = ["exact h 1", "have a := h 5", "have b := h 6", "have c := h 7", "have d := h 8"];
    let tactics: Vec<&str> = TACTICS.iter().chain(&more).copied().collect();
    guided.tactics = Some(&tactics);
    guided.config.plan.subgoal_candidates = 60;
    guided.config.budget.max_iterations = Some(2000);
    let result = guided.search(None);
    assert_eq!(result.outcome, Outcome::Accepted, "{result:#?}");
    let again =
        subgoals(&result).iter().find(|s| s.plan == 1 && s.step.as_ref().is_some_and(|s| s.name == "h2"));
    let again = again.unwrap();
    assert_eq!((again.status, again.turns, again.candidates), (SubgoalStatus::Proved, 0, 0), "{result:#?}");
    assert!(again.proof[0].graft.is_some(), "its proof is taken over");
}

/// The trace of a search, without its first line, which names the version.
fn traced(guided: &Guided<'_>) -> (AttemptResult, String, u64) {
    let folder = tempfile::tempdir().unwrap();
    let result = guided.search(Some(folder.path()));
    let path = folder.path().join("trace.jsonl");
    let replayed = replay(&path).unwrap();
    assert_eq!(Some(replayed.digest()), result.tree_digest);
    (result, fs_err::read_to_string(path).unwrap(), replayed.choices)
}

#[test]
fn equal_searches_write_equal_traces_which_replay() {
    let mut n_choices = 0;
    for preset in [Preset::Mcts, Preset::BestFirstGoal, Preset::MctsDistributed] {
        for (schedule, workers) in
            [PlanSchedule::InOrder, PlanSchedule::Parallel].into_iter().flat_map(|s| [(s, 1), (s, 3)])
        {
            let mut config = preset.config();
            (config.budget, config.verify) = (self::config().budget, self::config().verify);
            config.plan = scheduled(schedule).plan;
            config.plan.planner = Some("p".to_owned());
            config.clock = Clock::Virtual;
            (config.workers.workers, config.budget.virtual_time_s) = (workers, Some(1000.0));
            config.validate().unwrap();
            let guided = || {
                let (planner, _) = planner(mends);
                Guided { planner: Some(planner), ..on_mini(config.clone(), with_a_gap()) }
            };
            let (first, second) = (traced(&guided()), traced(&guided()));
            assert_eq!(first.1, second.1, "{preset} {schedule} {workers}");
            assert_eq!(first.0.outcome, Outcome::Accepted, "{preset} {schedule} {workers}");
            assert!(first.1.contains("\"event\":\"focus\"") && first.1.contains("\"event\":\"replan\""));
            let (one, other) = (first.0.without_timings(), second.0.without_timings());
            assert_eq!(one.plan, other.plan);
            n_choices += first.2;
        }
    }
    assert!(n_choices > 50, "{n_choices} choices were repeated");
}

#[test]
fn a_trace_with_another_focus_does_not_replay() {
    let folder = tempfile::tempdir().unwrap();
    on_mini(scheduled(PlanSchedule::InOrder), good()).search(Some(folder.path()));
    let path = folder.path().join("trace.jsonl");
    let trace = fs_err::read_to_string(&path).unwrap();
    let is_focus = |line: &&str| line.contains("\"event\":\"focus\"");
    let without: Vec<&str> = trace.lines().filter(|line| !is_focus(line)).collect();
    assert!(without.len() < trace.lines().count());
    fs_err::write(&path, without.join("\n") + "\n").unwrap();
    assert!(replay(&path).is_err());
}

#[test]
fn without_a_plan_nothing_is_recorded_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let result = on_mini(config(), Vec::new()).search(Some(folder.path()));
    assert_eq!(result.plan, None);
    assert!(!fs_err::read_to_string(folder.path().join("trace.jsonl")).unwrap().contains("focus"));
}

/// A theorem of Rocq, its plan, and tactics that prove only what the plan states.
fn on_rocq(schedule: PlanSchedule, plan: Vec<PlanStep>) -> Guided<'static> {
    let statement = "Theorem t : forall (f : nat -> nat) (n : nat), (forall n, f n = 0) -> f n = f 0.";
    let tactics = &["intros", "exact (H n)", "exact (H 0)", "exact (eq_trans H1 (eq_sym H2))"];
    let mut config = scheduled(schedule);
    config.clock = Clock::Virtual;
    Guided { theorem: theorem(ROCQ, "t", statement), config, tactics: Some(tactics), plan, planner: None }
}

const FIRST: &str = "forall (f : nat -> nat) n, (forall m, f m = 0) -> f n = 0";

#[test]
fn a_plan_of_rocq_is_proved_by_both_schedules_and_mended() {
    let alone = on_rocq(PlanSchedule::InOrder, Vec::new());
    let alone = Guided { config: Config { plan: config().plan, ..alone.config }, ..alone }.search(None);
    assert_eq!(alone.outcome, Outcome::NotProved);
    fn mends(prompt: &str) -> &'static str {
        let sees = ["could not be proved:\n```coq\nassert (K : ", "`exact (H 0)`: ", "assert (G : "];
        match sees.iter().all(|text| prompt.contains(text)) {
            true => {
                "assert (G : forall (f : nat -> nat) n, (forall m, f m = 0) -> f n = 0)\n\
                 assert (M : forall (f : nat -> nat) n, (forall m, f m = 0) -> f n = f 0)"
            }
            false => "assert (G : True)",
        }
    }
    for schedule in [PlanSchedule::InOrder, PlanSchedule::Parallel] {
        let tactics: &[&str] =
            &["intros", "exact (H n)", "exact (H 0)", "exact (eq_trans (G f n H) (eq_sym (G f 0 H)))"];
        let good = on_rocq(schedule, vec![step("G", FIRST)]);
        let result = Guided { tactics: Some(tactics), ..good }.search(None);
        assert_eq!(result.outcome, Outcome::Accepted, "{result:#?}");
        assert!(subgoals(&result).iter().all(|subgoal| subgoal.status == SubgoalStatus::Proved));

        let gap =
            on_rocq(schedule, vec![step("G", FIRST), step("K", "forall f : nat -> nat, f 0 + 0 = f 0")]);
        let (planner, asked) = planner(mends);
        let mut gap = Guided { tactics: Some(tactics), planner: Some(planner), ..gap };
        gap.config.plan.planner = Some("p".to_owned());
        let (result, _, choices) = traced(&gap);
        assert_eq!(result.outcome, Outcome::Accepted, "{:?}\n{result:#?}", asked.lock().unwrap());
        let [replan] = &result.plan.as_ref().unwrap().replans[..] else { panic!("{result:#?}") };
        assert_eq!((replan.proven, replan.stuck.as_ref().unwrap().name.as_str()), (1, "K"));
        assert!(choices > 0);
    }
}
