//! Damage on purpose: what is done to searches that are to be compared.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use andor_config::{Config, DistributedMcts, MctsMode, ObstacleVisits, SearchConfig, Selection};
use andor_core::clock::{Latencies, Latency};
use andor_core::policy::Budget;
use andor_core::search::Search;
use andor_lab::bench::quality::Seeds;
use andor_lab::simulate::engine::{SimulationSetting, simulate};
use andor_lab::simulate::problem::SyntheticProblem;
use andor_lab::simulate::sweep::{Axes, Subject, Sweep, SweepRequest};
use andor_system_synthetic::{World, WorldPreset};

/// Whether each node that an agent came to was blocked then, by the tactics that lead there from the root.
fn damage(search: &Search) -> HashMap<Vec<(String, usize)>, bool> {
    let tree = search.tree();
    let way = |node| {
        let mut way = Vec::new();
        let mut at = node;
        while let Some((step, parent)) = tree.creator(at) {
            let child = tree.children(step).position(|c| c == at).unwrap();
            way.push((search.tactics().text(tree.tactic(step)).to_owned(), child));
            at = parent;
        }
        way
    };
    tree.nodes().filter_map(|node| Some((way(node), search.was_blocked(node)?))).collect()
}

#[test]
fn two_searches_that_are_hurt_under_one_seed_are_hurt_alike() {
    let (mut common, mut alike, mut blocked, mut different) = (0, 0, 0, 0);
    for seed in 1..=20 {
        let search = |reroute: bool| {
            let mut config = Config { seed, ..Config::default() };
            config.distributed_mcts = DistributedMcts {
                mode: MctsMode::Distributed,
                agents: Some(8),
                inflight: Some(8),
                block_fraction: Some(0.3),
                block_duration: Some(50),
                block_seed: Some(seed),
                reroute_blocked: reroute,
                reroute_max: reroute.then_some(3),
                ..DistributedMcts::default()
            };
            let budget = Budget { iterations: Some(1000), ..Budget::default() };
            let ms = |ms: u64| Latency::Constant(ms * 1000);
            let setting = SimulationSetting {
                search: config.search(),
                budget,
                agents: 8,
                inflight: 8,
                workers: 4,
                model_slots: None,
                latencies: Latencies { provider: ms(10), tactic: ms(4) },
            };
            let mut problem = SyntheticProblem::new(World::new(WorldPreset::Medium, seed), false);
            simulate(&mut problem, &setting, &AtomicBool::new(false))
        };
        let (plain, rerouted) = (search(false), search(true));
        different += u32::from(plain.search.digest() != rerouted.search.digest());
        let (plain, rerouted) = (damage(&plain.search), damage(&rerouted.search));
        for (way, is_blocked) in &plain {
            if let Some(other) = rerouted.get(way) {
                (common, blocked) = (common + 1, blocked + u32::from(*is_blocked));
                alike += u32::from(is_blocked == other);
            }
        }
    }
    println!("{alike} of {common} common nodes are blocked or free in both, {blocked} of them blocked");
    assert!(common > 500 && blocked > 100, "{common} common nodes, {blocked} blocked");
    assert!(different > 15, "going round changes the search: {different} of 20");
    assert_eq!(alike, common);
}

fn request() -> SweepRequest {
    SweepRequest {
        subjects: vec![Subject::Synthetic(WorldPreset::Easy)],
        seeds: Seeds { first: 1, last: 6 },
        critic: false,
        axes: Axes {
            agents: vec![5],
            workers: vec![2],
            virtual_loss: vec![1.0],
            block_fraction: vec![0.3],
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

#[test]
fn damage_varies_over_seeds_unless_it_has_a_seed_and_options_without_effect_are_refused() {
    let damaged = |given: DistributedMcts| {
        let mut request = request();
        request.config.distributed_mcts = given;
        request
    };
    let digests = |request: SweepRequest| {
        let sweep = Sweep::new(request).unwrap();
        let jobs = NonZeroUsize::new(1).unwrap();
        let done = sweep.run(jobs, &AtomicBool::new(false), |_| Ok::<_, ()>(())).unwrap();
        done.into_iter().map(|f| f.tree_digest).collect::<Vec<_>>()
    };
    let nothing = DistributedMcts::default;
    let varied = digests(damaged(nothing()));
    assert_eq!(varied, digests(damaged(nothing())));
    // Seed 2 blocks the same nodes in the search with seed 2, and others elsewhere.
    let fixed = digests(damaged(DistributedMcts { block_seed: Some(2), ..nothing() }));
    assert_eq!((varied.len(), varied[1]), (fixed.len(), fixed[1]));
    assert_ne!(varied, fixed);
    for given in [
        DistributedMcts { block_immovable_fraction: Some(1.0), ..nothing() },
        DistributedMcts { unfreeze_prob: Some(0.9), ..nothing() },
        DistributedMcts { obstacle_visits: Some(ObstacleVisits::None), ..nothing() },
        DistributedMcts { path_bias: Some(2.0), ..nothing() },
    ] {
        assert_ne!(varied, digests(damaged(given)), "{given:?} has an effect");
    }
    let refused =
        |request: SweepRequest| Sweep::new(request).err().map(|error| error.to_string()).unwrap_or_default();
    let unhurt = |given: DistributedMcts| {
        let mut request = damaged(given);
        request.axes.block_fraction = vec![0.0];
        refused(request)
    };
    for (given, option) in [
        (DistributedMcts { block_seed: Some(1), ..nothing() }, "--block-seed: has no effect without"),
        (DistributedMcts { unfreeze_after: Some(1), ..nothing() }, "--unfreeze-after: has no effect without"),
        (DistributedMcts { delay_seed: Some(1), ..nothing() }, "--delay-seed: has no effect without"),
        (DistributedMcts { depth_bias: Some(0.5), ..nothing() }, "--depth-bias: has no effect without"),
    ] {
        assert!(unhurt(given).starts_with(option), "{option}: {}", unhurt(given));
    }
    let rerouted = SweepRequest {
        axes: Axes { reroute: vec![3], block_fraction: vec![0.0], ..request().axes },
        ..request()
    };
    assert!(refused(rerouted).starts_with("--reroute: has no effect without"));
    let mut explored = request();
    explored.config.search =
        SearchConfig { policy: Selection::BestFirst, exploration: 2.0, ..SearchConfig::default() };
    assert_eq!(refused(explored), "--exploration has no effect without --policy ucb1 or puct");
}
