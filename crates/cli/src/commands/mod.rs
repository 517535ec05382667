//! One module per command.

pub(crate) mod agent;
pub(crate) mod analyze;
pub(crate) mod bench;
mod blueprint;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod corpus;
pub(crate) mod doctor;
pub(crate) mod documents;
pub(crate) mod export;
mod input;
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
pub(crate) mod simulate;
pub(crate) mod study;
pub(crate) mod trace;
pub(crate) mod verify;
pub(crate) mod view;
