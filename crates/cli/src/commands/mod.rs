//! One module per command.

pub(crate) mod agent;
pub(crate) mod analyze;
mod blueprint;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod doctor;
pub(crate) mod documents;
pub(crate) mod export;
mod in_place;
mod input;
pub(crate) mod lab;
#[cfg(feature = "learn")]
pub(crate) mod learn;
pub(crate) mod model;
pub(crate) mod plan;
pub(crate) mod prove;
mod recorded;
pub(crate) mod repl;
pub(crate) mod results;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod show;
mod telling;
pub(crate) mod trace;
pub(crate) mod verify;
#[cfg(feature = "view")]
pub(crate) mod view;
mod watch;
