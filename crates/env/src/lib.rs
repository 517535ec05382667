//! Proof environments: the communication with proof assistants.
//!
//! * [`worker`], [`checker`], [`environment`]: the interfaces that an adapter implements.
//! * [`workers`]: the workers of one environment, across theorems.
//! * [`session`]: the logical proof of one theorem over one or more workers, written once for all systems.
//! * [`outline`]: proof scripts read into a form that does not depend on the system.
//! * [`screen`]: the part of the escape filter that all systems share.
//! * [`lean`]: the Lean 4 adapter. [`rocq`]: that of Rocq (Coq). [`mini`]: that of the embedded prover. [`synthetic`]: an environment without
//!   mathematics.
//!
//! Nothing here knows providers, search policies or artifacts.

pub mod checker;
mod checking;
pub mod environment;
pub mod error;
mod explicit;
pub mod lean;
pub mod mini;
pub mod outline;
pub mod rocq;
pub mod screen;
pub mod session;
pub mod synthetic;
pub mod trust;
pub mod worker;
pub mod workers;
