//! The contract with proof assistants, and what is written once for all of them.
//!
//! * [`worker`], [`checker`], [`environment`]: the interfaces that a system implements; [`other_kernel`]: a second judge.
//! * [`registry`]: the environments of the systems that are linked.
//! * [`workers`]: the workers of one environment, across theorems.
//! * [`session`]: the logical proof of one theorem over one or more workers.
//! * [`outline`]: proof scripts read into a form that does not depend on the system.
//! * [`screen`]: the part of the escape filter that all systems share; [`checking`] and [`explicit`], likewise, of checkers and
//!   of readers of terms.
//! * [`source`]: what the users of a system write, read without it; [`mod@file`]: source files around a theorem; [`in_place`]: proofs in
//!   their own files.
//!
//! Nothing here knows providers, search policies or artifacts, or starts a process.

pub mod checker;
pub mod checking;
pub mod environment;
pub mod error;
pub mod explicit;
pub mod file;
pub mod in_place;
pub mod other_kernel;
pub mod outline;
pub mod registry;
pub mod screen;
pub mod session;
pub mod source;
pub mod trust;
pub mod worker;
pub mod workers;
