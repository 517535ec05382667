//! Searches that begin with a plan, and planners that have to correct theirs.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::sync::Arc;

use andor_artifact::graft::GraftOrigin;
use andor_artifact::plan::PlanningEnd;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Config, Level, VerifyConfig};
use andor_core::plan::PlanStep;
use andor_core::theorem::Theorem;
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::plan::{self, Fault};
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_model::{Answer, Input, ModelError, Prices, Request, Sampling, Scripted};
use andor_provider::contract::Provider;
use andor_provider::heuristic::Heuristic;
use andor_provider::plan::{PlanTemplate, Planner};
use andor_provider::scripted;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

/// What nobody proves in one step with [`TACTICS`].
const STATEMENT: &str = "theorem t (f : Nat → Nat) (n : Nat) (h : ∀ n, f n = 0) : f n = f 0";
const TACTICS: &[&str] = &["exact h n", "exact h 0", "exact Eq.trans h1 (Eq.symm h2)"];
const GOOD: &str = "```lean\nhave h1 : f n = 0\nhave h2 : f 0 = 0\n```";
const BAD: &str = "have h1 : f n = 0\nhave h2 : f zero = 0";

fn mini() -> Arc<dyn Environment> {
    Arc::new(Mini::new(MiniConfig::default()))
}

fn text(request: &Request) -> String {
    match &request.input {
        Input::Messages(messages) => messages.iter().map(|message| message.content.as_str()).collect(),
        other => panic!("{other:?}"),
    }
}

fn planner(script: impl Fn(&str, u64) -> Result<Answer, ModelError> + Send + Sync + 'static) -> Arc<Planner> {
    let model = Scripted::new("planner", move |request, asked| script(&text(request), asked));
    let (template, prices) = (PlanTemplate::default(), Prices::default());
    Arc::new(Planner::new("p", Arc::new(model), template, Sampling::default(), prices, 0))
}

fn search(planner: Option<Arc<Planner>>) -> AttemptResult {
    let means = Means {
        workers: Workers::new(mini(), Grouping::Coupled),
        provider: Arc::new(scripted::Scripted::always(TACTICS)),
        models: Vec::new(),
        planner,
        ranker: None,
        priority: None,
        latencies: None,
        cancel: CancellationToken::new(),
    };
    let config = Config {
        budget: BudgetConfig { time_s: None, max_iterations: Some(100), ..BudgetConfig::default() },
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        ..Config::default()
    };
    let theorem = theorem(MINI, "t", STATEMENT);
    let request = AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory: None };
    block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap()
}

#[test]
fn a_theorem_is_proved_with_a_plan_that_the_planner_corrects() {
    assert_eq!(search(None).outcome, Outcome::NotProved);
    // Corrects itself only if it is told the step and the error.
    let planner = planner(|prompt, _| {
        let is_told = prompt.contains("`have h2 : f zero = 0`: step 2: unknown identifier `zero`");
        Ok(Answer::of_texts([if is_told { GOOD } else { BAD }]))
    });
    let result = search(Some(planner));
    assert_eq!(result.outcome, Outcome::Accepted, "{result:?}");
    let planning = result.planning.unwrap();
    assert_eq!((planning.ended, planning.tries.len()), (PlanningEnd::Verified, 2));
    assert_eq!(planning.tries[0].faulty.len(), 1);
    assert_eq!(result.grafts[0].origin, GraftOrigin::Plan);
    let source = result.source.unwrap();
    assert!(source.contains("have h1 : f n = 0") && !source.contains("sorry"), "{source}");
}

#[test]
fn a_planner_is_asked_again_if_its_plan_is_wrong_and_only_then() {
    let tries = |script: fn(&str, u64) -> Result<Answer, ModelError>| {
        let planning = search(Some(planner(script))).planning.unwrap();
        (planning.ended, planning.tries.len())
    };
    assert_eq!(tries(|_, _| Ok(Answer::of_texts([BAD]))), (PlanningEnd::Refused, 3));
    assert_eq!(tries(|_, _| Ok(Answer::of_texts(["I cannot do that."]))), (PlanningEnd::NoPlan, 1));
    assert_eq!(tries(|_, _| Ok(Answer::of_texts([""]))), (PlanningEnd::NoPlan, 1));
    let refused = |_: &str, _| Err(ModelError::NotFound { message: "no such model".to_owned() });
    assert_eq!(tries(refused), (PlanningEnd::Failed, 0));
}

fn faults(
    environment: Arc<dyn Environment>,
    theorem: &Theorem,
    steps: &[(&str, &str)],
) -> Vec<(usize, Fault)> {
    faults_by(&Heuristic, environment, theorem, steps)
}

fn faults_by(
    refuter: &dyn Provider,
    environment: Arc<dyn Environment>,
    theorem: &Theorem,
    steps: &[(&str, &str)],
) -> Vec<(usize, Fault)> {
    block_on(async {
        let session = plan::open(theorem, environment, refuter, &Config::default()).await.unwrap();
        let step = |&(name, statement): &(&str, &str)| PlanStep {
            name: name.to_owned(),
            statement: statement.to_owned(),
        };
        let steps: Vec<PlanStep> = steps.iter().map(step).collect();
        let faults = plan::verify(&session, theorem, &steps, Some(refuter)).await.unwrap();
        faults.into_iter().map(|fault| (fault.number, fault.fault)).collect()
    })
}

#[test]
fn steps_that_are_of_no_use_are_refused() {
    let theorem = theorem(MINI, "t", "theorem t (a b : Nat) (h : a = b) : b + 0 = a");
    let found = faults(
        mini(),
        &theorem,
        &[
            ("h1", "b = a"),
            ("h2", "b + 0 = a"),
            ("h3", "True"),
            ("h4", "a = b"),
            ("h5", "a < a"),
            ("h", "b = b"),
        ],
    );
    assert_eq!(found[0], (2, Fault::Theorem), "{found:?}");
    assert_eq!(found[1], (3, Fault::Trivial));
    assert_eq!(found[2], (4, Fault::Known("h".to_owned())));
    assert!(matches!(found[3], (5, Fault::Refuted(_))), "{found:?}");
    assert_eq!(found[4], (6, Fault::NameTaken("h".to_owned())));
    assert_eq!(found.len(), 5);
}

#[test]
fn a_refutation_has_at_most_200_candidates_and_five_tactics_in_a_row() {
    let theorem = theorem(MINI, "t", "theorem t (n : Nat) : n = n + 0");
    let is_refuted = |tactics: &[&str], step: &str| {
        let refuter = scripted::Scripted::always(tactics);
        let found = faults_by(&refuter, mini(), &theorem, &[("h", step)]);
        assert!(found.iter().all(|(_, fault)| matches!(fault, Fault::Refuted(_))), "{found:?}");
        !found.is_empty()
    };
    for (n_useless, expected) in [(199, true), (200, false)] {
        let useless: Vec<String> = (0..n_useless).map(|i| format!("exact missing{i}")).collect();
        let tactics: Vec<&str> = useless.iter().map(String::as_str).chain(["exact fun h => h"]).collect();
        assert_eq!(is_refuted(&tactics, "False"), expected, "{n_useless}");
    }
    // Two tactics, one for each variable, and one more.
    for (variables, expected) in [("a b", true), ("a b c", false)] {
        let step = format!("¬ (∀ {variables} : Nat, a = a)");
        assert_eq!(is_refuted(&["rfl", "apply h", "intro h"], &step), expected, "{variables}");
    }
}

#[test]
fn steps_of_rocq_are_checked_in_order() {
    let theorem = theorem(ROCQ, "t", "Theorem t : forall n : nat, n + 0 = n.");
    let rocq = || Arc::new(Rocq::new(RocqConfig::default())) as Arc<dyn Environment>;
    let good = [("H1", "0 + 0 = 0"), ("H2", "forall n, n + 0 = n -> S n + 0 = S n")];
    assert_eq!(faults(rocq(), &theorem, &good), []);
    let found = faults(rocq(), &theorem, &[("H1", "0 + 0 = 0"), ("H2", "missing = 0"), ("H3", "True")]);
    assert!(
        matches!(&found[..], [(2, Fault::Rejected(message))] if message.contains("missing")),
        "{found:?}"
    );
}

#[test]
fn steps_of_lean_are_checked_in_order() {
    let theorem = theorem(LEAN4, "t", "theorem t (a b : Nat) (h : a = b) : b = a");
    let lean = || Arc::new(andor_testkit::lean::environment()) as Arc<dyn Environment>;
    assert_eq!(faults(lean(), &theorem, &[("h1", "a + 0 = b"), ("h2", "b + 0 = a")]), []);
    let found = faults(lean(), &theorem, &[("h1", "a = b"), ("h2", "missing = b")]);
    assert_eq!(found[0], (1, Fault::Known("h".to_owned())), "{found:?}");
    assert!(matches!(&found[1], (2, Fault::Rejected(message)) if message.contains("missing")), "{found:?}");
}
