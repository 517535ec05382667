//! The files that andor writes: record types, format versions, readers and writers.
//!
//! These types exist only to be written and read; the engine's types are converted to them by hand in
//! `andor-engine`. Fields are in snake case with their units, absent values are `null`, and every file opens
//! with its kind and format version. One page per file is in `docs/formats/`, with generated schemas.
//!
//! Nothing here knows the engine.

pub mod assembly;
pub mod background;
pub mod basin;
pub mod blueprint;
pub mod check;
pub mod code;
pub mod doctor;
pub mod files;
pub mod folders;
pub mod graft;
pub mod graph;
pub mod history;
pub mod input;
pub mod latency;
pub mod learned;
pub mod level;
pub mod order;
pub mod plan;
pub mod progress;
pub mod result;
pub mod rollout;
pub mod run;
#[cfg(feature = "schema")]
pub mod schema;
pub mod trace;
pub mod version;
