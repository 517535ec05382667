//! The synthetic environment: a deterministic model of a proof assistant and a tactic model, for benchmarks and tests
//! of searches.
//!
//! Everything is derived from a few parameters and a seed by wrapping 64-bit integer arithmetic; there is no state.
//! It says nothing about mathematics. See the specification in `docs/internals/synthetic.md`.

mod language;
mod policy;
mod worker;
mod world;

use std::sync::Arc;

use andor_core::theorem::System;
use andor_env::registry::{ENVIRONMENTS, Made};
use andor_provider::contract::{POLICIES, Policy};
use linkme::distributed_slice;

pub use policy::SyntheticPolicy;
pub use worker::{Synthetic, read_statement};
pub use world::{Applied, Class, Parameters, UnknownPreset, World, WorldGoal, WorldPreset};

/// The synthetic environment.
pub const SYNTHETIC: System = System::of(&language::LANGUAGE);

#[distributed_slice(ENVIRONMENTS)]
static MADE: Made = Made { system: SYNTHETIC, environment: |_| Arc::new(Synthetic) };

#[distributed_slice(POLICIES)]
static POLICY: Policy = Policy { system: SYNTHETIC, provider: |critic| Arc::new(SyntheticPolicy { critic }) };
