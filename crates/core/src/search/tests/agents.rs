//! Many agents on one tree, against brute force: random puzzles, controls and orders of finishing. The checker runs after
//! every change.

use proptest::prelude::*;

use super::*;
use crate::schedule::{Block, Delay, Interventions, Obstacle, ObstacleVisits, Reroute, Span, Unfreeze};
use crate::team::{Move, Team};

fn interventions() -> impl Strategy<Value = Interventions> {
    let span = prop_oneof![(1u64..20).prop_map(Span::Iterations), Just(Span::Forever)];
    let unfreeze =
        prop::option::of((1u64..4, 0.1f64..=1.0).prop_map(|(after, prob)| Unfreeze { after, prob }));
    let block = (0.05f64..0.95, span, any::<u64>(), 0.0f64..=1.0, unfreeze).prop_map(
        |(fraction, span, seed, immovable_fraction, unfreeze)| Block {
            fraction,
            span,
            seed,
            immovable_fraction,
            unfreeze,
        },
    );
    let delay = (0.05f64..0.95, 1u64..20, any::<u64>()).prop_map(|(prob, duration, seed)| Delay {
        prob,
        duration,
        seed,
    });
    let reroute = (1u32..4).prop_map(|max_attempts| Reroute { max_attempts });
    let visits =
        prop_oneof![Just(ObstacleVisits::None), Just(ObstacleVisits::Last), Just(ObstacleVisits::All)];
    (prop::option::of(block), prop::option::of(delay), prop::option::of(reroute), visits)
        .prop_map(|(block, delay, reroute, visits)| Interventions { block, delay, reroute, visits })
}

fn controls() -> impl Strategy<Value = Control> {
    let virtual_loss = prop_oneof![Just(0.0), 0.1f64..3.0];
    (virtual_loss, 0.0f64..0.5, 0.0f64..0.5, interventions()).prop_map(
        |(virtual_loss, depth_bias, path_bias, interventions)| Control {
            collisions: virtual_loss == 0.0,
            virtual_loss,
            depth_bias,
            path_bias,
            interventions,
        },
    )
}

fn walking_configs() -> impl Strategy<Value = Config> {
    (configs(), controls(), any::<bool>()).prop_map(|(config, control, puct)| {
        let (selection, exploration) = if puct { (Selection::Puct, 0.7) } else { (Selection::Ucb1, 1.4) };
        Config { selection, exploration, control, ..config }
    })
}

/// What came of a search by a team.
struct Ended {
    stop: Option<StopReason>,
    passes: u64,
    skips: u64,
    collisions: u64,
}

impl Driver<'_> {
    /// Lets a team search until it stops or `limit` iterations are spent. `order` says whose expansion is finished next.
    fn run_team(&mut self, mut team: Team, order: &[u8], limit: u64) -> Ended {
        let mut ended = Ended { stop: None, passes: 0, skips: 0, collisions: 0 };
        let mut resting = Vec::new();
        let mut order = order.iter().cycle();
        while self.search.spent().iterations < limit {
            match team.next_move(&mut self.search) {
                Some(Move::Expand(job)) => {
                    ended.collisions += u64::from(job.collides);
                    self.in_flight.push(job);
                }
                Some(Move::Skip(job)) => {
                    self.search.skip(job.id);
                    team.finished(&job);
                    (ended.skips, ended.collisions) = (ended.skips + 1, ended.collisions + 1);
                }
                Some(Move::Rest(pass)) => {
                    ended.passes += 1;
                    resting.push(pass.agent);
                }
                Some(Move::Refocus) => unreachable!("there is no focus"),
                Some(Move::Stop(reason)) => {
                    ended.stop = Some(reason);
                    break;
                }
                None => {
                    let next = usize::from(*order.next().expect("the order is not empty"));
                    let waiting = self.in_flight.len() + resting.len();
                    assert!(waiting > 0, "somebody is at work, or there is a move");
                    match next % waiting {
                        at if at < self.in_flight.len() => {
                            let job = self.in_flight[at];
                            self.tell(at);
                            team.finished(&job);
                        }
                        at => team.rested(resting.swap_remove(at - self.in_flight.len())),
                    }
                }
            }
            self.check();
        }
        self.search.abandon_all();
        self.check();
        ended
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn teams_agree_with_brute_force_and_leave_nothing_in_flight(
        puzzle in puzzles(),
        config in walking_configs(),
        agents in 1u32..7,
        inflight in 1u32..7,
        order in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let mut driver = Driver::new(&puzzle, config);
        let ended = driver.run_team(Team::new(agents, inflight), &order, 200);
        let (search, solved) = (&driver.search, puzzle.provable());
        let provable = solved[0];
        // In a tree a node may be exhausted because the way to it forbids a goal; in a graph nothing is forbidden.
        let graph = config.identity == Identity::Strict;
        for node in search.tree().nodes() {
            let provable = solved[driver.goal(node)];
            match search.tree().status(node) {
                Status::Proved => prop_assert!(provable, "{node} is not provable"),
                Status::Exhausted => prop_assert!(!provable || !graph, "{node} is provable"),
                Status::Open => {}
            }
        }
        let interventions = config.control.interventions;
        match ended.stop {
            Some(StopReason::Proved) => {
                prop_assert!(provable, "an unprovable root was called proved");
                driver.assert_proof_is_right();
            }
            Some(StopReason::Exhausted) => prop_assert!(!provable, "a provable root was called exhausted"),
            Some(StopReason::Blocked) => prop_assert!(interventions.block.is_some()),
            Some(other) => prop_assert!(false, "{other:?}"),
            None => {}
        }
        prop_assert_eq!(search.n_in_flight(), 0);
        prop_assert!(search.tree().nodes().all(|n| search.stats().in_flight(n) == 0));
        prop_assert!(search.tree().all_steps().all(|s| search.stats().step_in_flight(s) == 0));
        prop_assert_eq!(search.iterations_by_agent().sum::<u64>(), search.spent().iterations);
        if !config.control.collisions {
            prop_assert_eq!((ended.collisions, ended.skips), (0, 0), "no node is reserved twice");
        }
        if interventions.block.is_none() && interventions.delay.is_none() {
            prop_assert_eq!(ended.passes, 0);
        }
    }

    #[test]
    fn a_team_of_one_is_the_centralized_search(puzzle in puzzles(), config in walking_configs()) {
        let mut control = Control { interventions: Interventions::default(), ..config.control };
        (control.depth_bias, control.path_bias) = (0.0, 0.0);
        let mut centralized = Driver::new(&puzzle, Config { control: Control::default(), ..config });
        centralized.run(&[], 150);
        let mut team = Driver::new(&puzzle, Config { control, ..config });
        team.run_team(Team::new(1, 1), &[0], 150);
        prop_assert_eq!(centralized.search.digest(), team.search.digest());
    }

    #[test]
    fn the_same_schedule_gives_the_same_tree(
        puzzle in puzzles(),
        config in walking_configs(),
        order in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let digest = || {
            let mut driver = Driver::new(&puzzle, config);
            driver.run_team(Team::new(4, 3), &order, 100);
            driver.search.digest()
        };
        prop_assert_eq!(digest(), digest());
    }
}

/// A root with three children, each closed by its only candidate.
const BROAD: &[&str] = &["1 | 2 | 3", "4", "4", "4", "5", "6", "."];

fn broad(control: Control) -> Search {
    let config = Config {
        selection: Selection::Ucb1,
        exploration: 1.0,
        backup: Backup::Uniform,
        control,
        ..Config::default()
    };
    let puzzle = puzzle(BROAD);
    let mut driver = Driver::new(&puzzle, config);
    let Ask::Job(job) = driver.search.ask(AgentId(0)) else { panic!("the root is open") };
    let report = driver.report(&job);
    driver.search.tell(job.id, &report);
    driver.search
}

fn blocked(fraction: f64, span: Span, reroute: Option<Reroute>) -> Control {
    let block = Block { fraction, span, seed: 1, immovable_fraction: 0.0, unfreeze: None };
    let interventions = Interventions { block: Some(block), reroute, ..Interventions::default() };
    Control { interventions, ..Control::default() }
}

#[test]
fn without_virtual_loss_agents_collide() {
    let control = Control { collisions: true, virtual_loss: 0.0, ..Control::default() };
    let puzzle = puzzle(&["1 | ."]);
    let mut search = Search::new(Config { control, ..Config::default() }, Puzzle::child(0));
    let jobs = [0, 1, 2].map(|agent| match search.ask(AgentId(agent)) {
        Ask::Job(job) => (job.node.index(), job.collides),
        other => panic!("{other:?}"),
    });
    assert_eq!(jobs, [(0, false), (0, true), (0, true)], "{puzzle:?}");
}

#[test]
fn a_block_lasts_as_many_iterations_as_it_should() {
    let mut search = broad(blocked(0.999, Span::Iterations(3), None));
    let mut passes = 0;
    let job = loop {
        match search.ask(AgentId(0)) {
            Ask::Pass(pass) => {
                let Obstacle::Blocked { until: Some(until), immovable: false } = pass.obstacle else {
                    panic!("{pass:?}")
                };
                assert!(until <= search.spent().iterations + 3);
                passes += 1;
            }
            Ask::Job(job) => break job,
            other => panic!("{other:?}"),
        }
    };
    // Three nodes are met one after the other; then the first is free again.
    assert!((3..=5).contains(&passes), "the three nodes, until {} is free: {passes}", job.node);
    assert_eq!(search.spent().iterations, 1 + passes, "passes are iterations");
}

#[test]
fn a_reroute_tries_other_nodes_in_the_same_iteration() {
    let mut search = broad(blocked(0.999, Span::Iterations(9), Some(Reroute { max_attempts: 2 })));
    let Ask::Pass(pass) = search.ask(AgentId(0)) else { panic!("everything is blocked") };
    let trail: Vec<NodeId> = search.approach_before_pass().detours.iter().map(|d| d.node).collect();
    assert_eq!(trail.len(), 2);
    assert!(!trail.contains(&pass.node));
    assert_eq!(search.spent().iterations, 2, "one expansion and one pass");
}

#[test]
fn a_search_ends_when_everything_left_is_blocked_for_good() {
    let mut search = broad(blocked(0.999, Span::Forever, None));
    let answers: Vec<Ask> = (0..4).map(|_| search.ask(AgentId(0))).collect();
    let [Ask::Pass(a), Ask::Pass(b), Ask::Pass(c), Ask::Done(StopReason::Blocked)] = answers[..] else {
        panic!("{answers:?}")
    };
    assert!(a.node != b.node && b.node != c.node && c.node != a.node, "nobody comes to one of them again");
}

#[test]
fn other_candidates_are_tried_when_a_step_is_blocked_for_good() {
    let config = Config {
        expansion: Expansion::FirstNovel,
        control: blocked(0.999, Span::Forever, None),
        ..Config::default()
    };
    let puzzle = puzzle(&["1 | .", "."]);
    let mut driver = Driver::new(&puzzle, config);
    let ended = driver.run_team(Team::single(1), &[0], 100);
    assert_eq!((ended.stop, ended.passes), (Some(StopReason::Proved), 1));
}

#[test]
fn an_agent_leans_to_its_previous_path() {
    let stays = |path_bias: f64, seed: u64| {
        let mut search = broad(Control { path_bias, virtual_loss: 0.0, ..Control::default() });
        (1..=3).for_each(|node| set(&mut search, node, 10, 5.0, 0.5));
        search.ties = stream(seed, Purpose::Ties);
        let Ask::Job(first) = search.ask(AgentId(0)) else { panic!("open") };
        search.abandon(first.id);
        let Ask::Job(second) = search.ask(AgentId(0)) else { panic!("open") };
        first.node == second.node
    };
    assert!((0..20).all(|seed| stays(0.5, seed)));
    assert!(!(0..20).all(|seed| stays(0.0, seed)), "ties are broken at random");
}

#[test]
fn who_comes_back_often_enough_lifts_a_block() {
    let unfreeze = Some(Unfreeze { after: 2, prob: 1.0 });
    let block = Block { fraction: 0.999, span: Span::Forever, seed: 1, immovable_fraction: 0.0, unfreeze };
    let interventions = Interventions { block: Some(block), ..Interventions::default() };
    let mut search = broad(Control { interventions, ..Control::default() });
    let mut met: Vec<NodeId> = Vec::new();
    let lifted = loop {
        match search.ask(AgentId(0)) {
            Ask::Pass(pass) => met.push(pass.node),
            Ask::Job(job) => break job.node,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        met.iter().filter(|&&node| node == lifted).count(),
        2,
        "first met, once come back to: {met:?}"
    );
}

#[test]
fn a_pass_is_a_visit_without_success() {
    let mut search = broad(blocked(0.999, Span::Iterations(9), None));
    let Ask::Pass(pass) = search.ask(AgentId(0)) else { panic!("everything is blocked") };
    let record = |node| *search.stats().node(node);
    assert_eq!(record(pass.node), NodeStats { visits: 1, success: 0.0 });
    assert_eq!(record(search.tree().root()), NodeStats { visits: 2, success: 1.0 });
}

#[test]
fn in_a_graph_an_agent_leans_to_deeper_nodes() {
    // Node 1 leads to node 2, which the root knows too, and to node 3, which is one step deeper.
    let puzzle = puzzle(&["1 | 2", "2 3", "4", "4", "."]);
    let chosen = |depth_bias: f64, seed: u64| {
        let control = Control { depth_bias, ..Control::default() };
        let config = Config {
            identity: Identity::Strict,
            selection: Selection::Ucb1,
            backup: Backup::Uniform,
            control,
            ..Config::default()
        };
        let mut driver = Driver::new(&puzzle, config);
        let Ask::Job(job) = driver.search.ask(AgentId(0)) else { panic!("the root is open") };
        let report = driver.report(&job);
        driver.search.tell(job.id, &report);
        (1..=2).for_each(|node| set(&mut driver.search, node, 10, 10.0 / node as f32, 0.5));
        let Ask::Job(job) = driver.search.ask(AgentId(0)) else { panic!("node 1 is open") };
        let report = driver.report(&job);
        driver.search.tell(job.id, &report);
        (2..=3).for_each(|node| set(&mut driver.search, node, 10, 5.0, 0.5));
        driver.search.ties = stream(seed, Purpose::Ties);
        let Ask::Job(job) = driver.search.ask(AgentId(0)) else { panic!("open") };
        job.node.index()
    };
    assert!((0..20).all(|seed| chosen(0.1, seed) == 3));
    assert!((0..20).any(|seed| chosen(0.0, seed) == 2), "without a bias they are equal");
}
