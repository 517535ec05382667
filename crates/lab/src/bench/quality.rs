//! Search quality: solved instances by search, preset and budget.

use andor_system_synthetic::{World, WorldPreset};
use serde::Serialize;

use super::engine::Engine;
use super::{Contestant, floor};

/// A measured cell.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// The search.
    pub search: String,
    /// Whether it used the environment's critic.
    pub critic: bool,
    /// The preset.
    pub preset: String,
    /// The budget of tactic applications.
    pub applications: u64,
    /// Number of instances.
    pub instances: u64,
    /// Instances whose root the search claims to be proved.
    pub claimed: u64,
    /// Claims that a fresh instance confirmed.
    pub accepted: u64,
}

/// A range of seeds, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
}

/// Runs one search on the instances of a preset.
pub fn measure(
    contestant: &Contestant,
    critic: bool,
    preset: WorldPreset,
    applications: u64,
    seeds: Seeds,
) -> Solved {
    let (mut claimed, mut accepted) = (0, 0);
    for seed in seeds.first..=seeds.last {
        let world = World::new(preset, seed);
        let config = andor_core::search::Config { seed, ..contestant.config };
        let mut engine = Engine::new(world, config, critic);
        engine.run(applications);
        if engine.claims_proof() {
            claimed += 1;
            accepted += u64::from(engine.proof_is_right(&World::new(preset, seed)));
        }
    }
    let search = contestant.name.to_owned();
    let instances = seeds.last - seeds.first + 1;
    Solved { search, critic, preset: preset.name().to_owned(), applications, instances, claimed, accepted }
}

/// Runs the reference search of the specification on the instances of a preset, for comparison.
pub fn measure_reference(preset: WorldPreset, applications: u64, seeds: Seeds) -> Solved {
    let solved = |seed| floor::best_first(&World::new(preset, seed), u64::MAX, applications).proved;
    let proved = (seeds.first..=seeds.last).filter(|&seed| solved(seed)).count() as u64;
    Solved {
        search: "reference".to_owned(),
        critic: false,
        preset: preset.name().to_owned(),
        applications,
        instances: seeds.last - seeds.first + 1,
        claimed: proved,
        accepted: proved,
    }
}
