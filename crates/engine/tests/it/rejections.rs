//! Claims that the search believes and the checker rejects, with the real systems: the search takes them back, goes on,
//! and finds a valid proof.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::sync::Arc;

use andor_artifact::files::{read_json, read_lines};
use andor_artifact::graph::Graph;
use andor_artifact::result::{AttemptResult, Outcome, RejectedClaim, Role};
use andor_artifact::trace::{Rejection, TraceEvent};
use andor_artifact::version::Kind;
use andor_config::{Config, Level, VerifyConfig};
use andor_core::theorem::Theorem;
use andor_core::tree::Status;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::scripted::Scripted;
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

/// What an attempt leaves that concerns rejections.
struct Left {
    result: AttemptResult,
    graph: Graph,
    rejections: Vec<Rejection>,
    proof: String,
}

impl Left {
    /// The status of the step that a tactic made.
    fn status(&self, tactic: &str) -> Status {
        self.graph.steps.iter().find(|s| s.tactic == tactic).unwrap().status
    }

    /// The one rejected claim, after making sure that everything about it agrees.
    fn rejected(&self, tactic: &str) -> &RejectedClaim {
        let [claim] = &self.result.rejected_claims[..] else { panic!("{:?}", self.result.rejected_claims) };
        let [event] = &self.rejections[..] else { panic!("{:?}", self.rejections) };
        assert_eq!(
            (event.level, &event.reason, &event.message),
            (claim.level, &claim.reason, &claim.message)
        );
        assert_eq!(event.tactic, tactic);
        assert_eq!(self.status(tactic), Status::Exhausted);
        claim
    }
}

/// Searches with tactics that are proposed in order, best first.
fn search(theorem: Theorem, tactics: &[&str], verify: VerifyConfig) -> Left {
    let config = Config { verify, ..Config::default() };
    let means = Means {
        workers: Workers::new(registry::environment(theorem.system, &config), Grouping::Coupled),
        provider: Arc::new(Scripted::always(tactics)),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&config).unwrap(),
        cancel: CancellationToken::new(),
    };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let proof = file(if theorem.system == ROCQ { "proof.v" } else { "proof.lean" });
    let directory = Some(folder.path().to_owned());
    let request = attempt::AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory };
    let result = block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap();
    let trace = read_lines::<TraceEvent>(&file("trace.jsonl"), Kind::Trace).unwrap().records;
    let rejections = trace.into_iter().filter_map(|event| match event {
        TraceEvent::Rejection(rejection) => Some(rejection),
        _ => None,
    });
    Left {
        rejections: rejections.collect(),
        graph: read_json(&file("graph.json"), Kind::Graph).unwrap(),
        proof: fs_err::read_to_string(proof).unwrap_or_default(),
        result,
    }
}

fn demanded(level: Level) -> VerifyConfig {
    VerifyConfig { level, demanded: true, ..VerifyConfig::default() }
}

fn with_header(header: &str, theorem: Theorem) -> Theorem {
    Theorem { header: header.to_owned(), ..theorem }
}

fn rocq() -> Theorem {
    let statement = theorem(ROCQ, "t", "Theorem t : 1 + 1 = 2.");
    with_header("Axiom cheat : forall P : Prop, P.\n", statement)
}

fn mini() -> Theorem {
    with_header("axiom cheat (p : Prop) : p\n", theorem(MINI, "t", "theorem t : 1 + 1 = 2"))
}

#[test]
fn a_proof_by_an_axiom_is_rejected_and_an_honest_one_found() {
    for (theorem, honest) in [(rocq(), "reflexivity"), (mini(), "rfl")] {
        let left = search(theorem, &["apply cheat", honest], demanded(Level::Rechecked));
        let result = &left.result;
        assert_eq!(result.outcome, Outcome::Accepted, "{result:?}");
        assert_eq!((result.verification_level, &result.verification_shortfall), (Some(3), &None));
        let claim = left.rejected("apply cheat");
        assert_eq!(claim.reason, "axiom", "{claim:?}");
        assert!((1..=2).contains(&claim.level) && claim.message.contains("`cheat`"), "{claim:?}");
        assert_eq!((result.axioms.len(), left.status(honest)), (0, Status::Proved));
        assert!(left.proof.contains(honest) && !left.proof.contains("apply cheat"), "{}", left.proof);
    }
}

#[test]
fn a_state_without_goals_is_no_proof() {
    // It closes the goal whatever the term is; only the kernel looks at it, at `Qed`.
    let wrong = "exact_no_check (@eq_refl nat 3)";
    let left = search(rocq(), &[wrong, "reflexivity"], demanded(Level::Compiled));
    assert_eq!(left.result.outcome, Outcome::Accepted, "{:?}", left.result);
    assert_eq!(left.result.verification_level, Some(1));
    let claim = left.rejected(wrong);
    assert_eq!((claim.level, claim.reason.as_str()), (1, "refused"), "{claim:?}");
}

#[test]
fn without_an_honest_way_the_theorem_is_not_proved() {
    for theorem in [rocq(), mini()] {
        let left = search(theorem, &["apply cheat"], demanded(Level::Compiled));
        assert_eq!(left.result.outcome, Outcome::AxiomNotAllowed, "{:?}", left.result);
        assert_eq!((left.result.stop_reason.as_str(), left.result.verification_level), ("exhausted", None));
        assert_eq!(left.graph.nodes[0].status, Status::Exhausted);
        left.rejected("apply cheat");
    }
}
