//! Child processes: spawned in their own session, tied to our life, read with deadlines and bounds, killed
//! with everything they started.
//!
//! This is the only place that spawns anything. A child gets its own session (so its whole family can be
//! found and killed), an environment from an allow-list, and a signal when we die. Its standard error is
//! always drained, into a bounded ring that is attached to errors. [`sandbox`] puts children behind walls,
//! [`scratch`] gives them folders to work in.

mod cpu;
mod frames;
pub mod sandbox;
pub mod scratch;
mod spawn;
mod stderr;
mod tree;
mod unix;

pub use cpu::CpuAccount;
pub use frames::{FrameError, FrameReader};
pub use spawn::{Child, ChildSpec, Exit, Finished, ResourceLimits, Spawned, ask, run_to_end};
pub use tree::{family, program_within, resident_bytes};
