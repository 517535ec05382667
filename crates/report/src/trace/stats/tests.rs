//! Small traces, counted by hand.

use andor_artifact::trace::{
    NewNode, Rejection, ScoredTactic, Start, TraceAttempt, TraceBlock, TraceDetour, TraceNode, TraceTree,
};
use serde_json::json;

use super::*;

fn new_node(name: &str, key: &str) -> NewNode {
    NewNode {
        mvar_id: name.into(),
        goal_type: "p".into(),
        goal_coarse: key.into(),
        goal_key: key.into(),
        value: None,
    }
}

fn start() -> TraceEvent {
    TraceEvent::Start(Box::new(Start {
        theorem: "t".to_owned(),
        system: "mini".to_owned(),
        statement_digest: String::new(),
        config: json!({ "clock": "virtual" }),
        root: new_node("root", "k0"),
    }))
}

fn attempt(tactic: &str, provider: &str, outcome: AttemptOutcome) -> TraceAttempt {
    TraceAttempt {
        tactic: tactic.into(),
        outcome,
        child_mvar_ids: Vec::new(),
        timestamp_ms: 0,
        tactic_norm: tactic.into(),
        goal_sig: "".into(),
        goal_sig_strict: "".into(),
        goal_type: "".into(),
        block_reason: (outcome == AttemptOutcome::Blocked).then(|| "easy".to_owned()),
        provider_id: provider.into(),
        error: None,
    }
}

/// An iteration of agent 0 at a node, with nothing special to it.
fn iteration(reason: IterationReason, node: &str, depth: u32) -> Iteration {
    let expanded = reason == IterationReason::Expanded;
    Iteration {
        iteration: 0,
        reason,
        agent_id: 0,
        timestamp_ms: 0,
        collision: false,
        selected_path: Vec::new(),
        node: TraceNode {
            mvar_id: node.into(),
            goal_type: "".into(),
            goal_sig: "".into(),
            goal_sig_strict: "".into(),
            visit_count: 0,
            success_count: 0.0,
            is_terminal: false,
            is_dead: false,
            depth,
        },
        tactics: vec![ScoredTactic { tactic: "simp".into(), score: -1.0 }],
        attempts: Vec::new(),
        expanded,
        terminal_reached: false,
        backprop_success: expanded,
        tree: TraceTree { nodes: 1, expansions: 0, max_depth: 0, solved: false, aborted: false, inflight: 0 },
        new_nodes: Vec::new(),
        next_score: None,
        value: None,
        block: None,
        delay: None,
        reroute: Vec::new(),
        lifted: Vec::new(),
        reservation: None,
    }
}

fn detour(node: &str) -> TraceDetour {
    let block = TraceBlock { until: None, remaining: None, duration: -1, immovable: false };
    TraceDetour { mvar_id: node.into(), reason: IterationReason::Blocked, block: Some(block), delay: None }
}

fn counts(records: impl IntoIterator<Item = TraceEvent>) -> TraceStats {
    let mut counter = Counter::default();
    counter.begin();
    records.into_iter().for_each(|record| counter.add(&record));
    counter.finish()
}

fn counts_of(iterations: Vec<Iteration>) -> TraceStats {
    counts([start()].into_iter().chain(iterations.into_iter().map(|i| TraceEvent::Iteration(Box::new(i)))))
}

#[test]
fn an_empty_trace_counts_nothing() {
    assert_eq!(counts([]), TraceStats { traces: 1, ..TraceStats::default() });
}

#[test]
fn reasons_come_with_what_was_in_flight() {
    let at = |reason, inflight| {
        let mut iteration = iteration(reason, "root", 0);
        iteration.tree.inflight = inflight;
        iteration
    };
    let stats = counts_of(vec![
        at(IterationReason::Expanded, 0),
        at(IterationReason::Expanded, 3),
        at(IterationReason::NoExpansion, 2),
        at(IterationReason::Expanded, 3),
    ]);
    let [expanded, failed] = &stats.reasons[..] else { panic!("{stats:?}") };
    assert_eq!((expanded.reason, expanded.iterations, expanded.share), (IterationReason::Expanded, 3, 0.75));
    assert_eq!((expanded.inflight_mean, expanded.inflight_max), (2.0, 3));
    assert_eq!((failed.iterations, failed.inflight_mean, failed.inflight_max), (1, 2.0, 2));
}

#[test]
fn agents_have_shares() {
    let by = |agent_id, reason, outcomes: &[AttemptOutcome]| {
        let attempts = outcomes.iter().map(|&outcome| attempt("simp", "a", outcome)).collect();
        Iteration { agent_id, attempts, ..iteration(reason, "root", 0) }
    };
    let (success, failure) = (AttemptOutcome::Success, AttemptOutcome::Failure);
    let stats = counts_of(vec![
        by(2, IterationReason::Expanded, &[success, failure, success]),
        by(0, IterationReason::NoExpansion, &[failure]),
        by(2, IterationReason::NoExpansion, &[]),
        by(2, IterationReason::Expanded, &[success]),
    ]);
    let agent = |agent_id, iterations, share, expansions, successes| AgentStats {
        agent_id,
        iterations,
        share,
        expansions,
        successes,
    };
    assert_eq!(stats.agents, [agent(0, 1, 0.25, 0, 0), agent(2, 3, 0.75, 2, 3)]);
}

#[test]
fn collisions_say_what_came_of_them() {
    let with = |reason, collision| Iteration { collision, ..iteration(reason, "root", 0) };
    let stats = counts_of(vec![
        with(IterationReason::Expanded, false),
        with(IterationReason::Expanded, true),
        with(IterationReason::TerminalNode, true),
        with(IterationReason::DeadNode, false),
        with(IterationReason::TerminalNode, true),
    ]);
    assert_eq!((stats.collisions.iterations, stats.collisions.rate), (3, 0.6));
    let kinds: Vec<_> = stats.collisions.reasons.iter().map(|c| (c.kind, c.count)).collect();
    assert_eq!(kinds, [(IterationReason::Expanded, 1), (IterationReason::TerminalNode, 2)]);
    assert_eq!((stats.duplicates.settled_iterations, stats.duplicates.settled_share), (3, 0.6));
}

#[test]
fn attempts_are_counted_by_outcome_and_provider() {
    let mut tried = iteration(IterationReason::Expanded, "root", 0);
    tried.attempts = vec![
        attempt("simp", "a", AttemptOutcome::Blocked),
        attempt("intro", "a", AttemptOutcome::Failure),
        attempt("split", "b", AttemptOutcome::Success),
        attempt("omega", "b", AttemptOutcome::Blocked),
    ];
    let stats = counts_of(vec![tried]).attempts;
    assert_eq!(stats.total, 4);
    let outcomes: Vec<_> = stats.outcomes.iter().map(|c| (c.kind, c.count, c.share)).collect();
    assert_eq!(
        outcomes,
        [
            (AttemptOutcome::Success, 1, 0.25),
            (AttemptOutcome::Failure, 1, 0.25),
            (AttemptOutcome::Blocked, 2, 0.5)
        ]
    );
    let providers: Vec<_> =
        stats.providers.iter().map(|p| (&*p.provider_id, p.attempts, p.successes)).collect();
    assert_eq!(providers, [("a", 2, 0), ("b", 2, 1)]);
    assert_eq!(stats.block_reasons, [Counted { kind: "easy".into(), count: 2, share: 1.0 }]);
}

#[test]
fn a_tactic_tried_again_on_an_equal_obligation_is_duplicate_work() {
    let try_at = |node: &str, tactics: &[(&str, AttemptOutcome)], new: Vec<NewNode>| Iteration {
        attempts: tactics.iter().map(|(tactic, outcome)| attempt(tactic, "a", *outcome)).collect(),
        new_nodes: new,
        ..iteration(IterationReason::Expanded, node, 0)
    };
    let (success, failure, blocked) =
        (AttemptOutcome::Success, AttemptOutcome::Failure, AttemptOutcome::Blocked);
    let stats = counts_of(vec![
        // The two new nodes hold equal obligations.
        try_at("root", &[("split", success)], vec![new_node("x", "k1"), new_node("y", "k1")]),
        try_at("x", &[("simp", failure), ("intro", failure)], vec![]),
        // One again, one new, one not tried.
        try_at("y", &[("simp", failure), ("split", failure), ("intro", blocked)], vec![]),
        // Another obligation.
        try_at("root", &[("simp", failure)], vec![]),
    ]);
    let DuplicateStats { previews, repeated_previews, repeated_share, .. } = stats.duplicates;
    assert_eq!((previews, repeated_previews), (6, 1));
    assert!((repeated_share - 1.0 / 6.0).abs() < 1e-12);
}

#[test]
fn ways_round_obstacles_are_measured() {
    let with = |reason, trail: &[&str]| {
        let reroute = trail.iter().map(|node| detour(node)).collect();
        Iteration { reroute, ..iteration(reason, "root", 0) }
    };
    let stats = counts_of(vec![
        with(IterationReason::Expanded, &["a"]),
        with(IterationReason::Expanded, &[]),
        with(IterationReason::Blocked, &["a", "b"]),
        with(IterationReason::Delayed, &[]),
        with(IterationReason::NoExpansion, &["a", "b", "c"]),
    ]);
    let expected = ObstacleStats { blocked: 1, delayed: 1, rerouted: 3, rescued: 2, mean_trail: 2.0 };
    assert_eq!(stats.obstacles, expected);
}

#[test]
fn time_and_depths() {
    let at = |depth, timestamp_ms, new: &[&str]| Iteration {
        timestamp_ms,
        new_nodes: new.iter().map(|name| new_node(name, name)).collect(),
        ..iteration(IterationReason::Expanded, "n", depth)
    };
    let stats = counts_of(vec![at(0, 100, &["a", "b"]), at(1, 500, &["c"]), at(1, 400, &[])]);
    let expected = TimeStats { clock: Some("virtual".to_owned()), span_ms: 500, iterations_per_s: Some(6.0) };
    assert_eq!(stats.time, expected);
    let level = |depth, nodes, iterations| DepthStats { depth, nodes, iterations };
    assert_eq!(stats.depths, [level(0, 1, 1), level(1, 2, 2), level(2, 1, 0)]);
}

#[test]
fn rejections_and_the_ending_are_noted() {
    let rejection = Rejection {
        iteration: 1,
        level: 1,
        reason: "refused".to_owned(),
        message: String::new(),
        mvar_id: "root".to_owned(),
        tactic: "simp".to_owned(),
    };
    let stats = counts([start(), TraceEvent::Rejection(rejection)]);
    assert_eq!((stats.theorem.as_deref(), stats.ending, stats.rejections), (Some("t"), None, 1));
}

#[test]
fn several_traces_are_counted_together_and_repeat_nothing_of_each_other() {
    let trace = || {
        let tried = |timestamp_ms: u64| {
            let attempts = vec![attempt("simp", "a", AttemptOutcome::Failure)];
            let iteration = iteration(IterationReason::NoExpansion, "root", 0);
            TraceEvent::Iteration(Box::new(Iteration { attempts, timestamp_ms, ..iteration }))
        };
        [start(), tried(4), tried(9)]
    };
    let one = counts(trace());
    let mut counter = Counter::default();
    for _ in 0..3 {
        counter.begin();
        trace().iter().for_each(|record| counter.add(record));
    }
    let all = counter.finish();
    assert_eq!((all.traces, &all.theorem, all.ending), (3, &one.theorem, None));
    assert_eq!((one.iterations, one.time.span_ms, one.duplicates.repeated_previews), (2, 9, 1));
    assert_eq!((all.iterations, all.time.span_ms, all.duplicates.repeated_previews), (6, 27, 3));
}
