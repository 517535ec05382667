//! Child processes: started in their own session, tied to our lifetime, read with deadlines and size limits, and
//! killed with all their descendants.
//!
//! This is the only crate that starts processes. A child gets its own session (so that its whole family can be found
//! and killed), an environment from an allow-list, and a signal when we die. Its standard error is always drained
//! into a bounded buffer, which is attached to errors. [`sandbox`] confines children, [`scratch`] provides temporary
//! folders.

mod cpu;
pub mod error;
mod frames;
pub mod limits;
pub mod lines;
pub mod sandbox;
pub mod scratch;
mod spawn;
mod stderr;
mod tree;
mod unix;

pub use cpu::{CpuAccount, limit_passed};
pub use frames::{FrameError, FrameReader};
pub use spawn::{
    ChildProcess, ChildSpec, Exit, ExitedProcess, ResourceLimits, Spawned, ask, replace_with, run_to_end,
};
pub use tree::{family, nameless_bytes, program_within, resident_bytes};
