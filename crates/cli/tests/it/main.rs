//! The program as its users run it.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

// Its systems are read from run folders.
use andor_cli as _;

mod access;
mod agent;
mod agent_code;
mod agent_forged;
mod analyze;
mod basin;
mod blueprints;
mod check;
mod check_places;
mod documentation;
mod drafts;
mod endings;
mod exec;
mod export;
mod forged;
mod hostile_text;
mod in_place;
mod killed;
mod lab;
mod lean;
mod learn;
mod logging;
mod mini;
mod no_files;
mod options;
mod outage;
mod plans;
mod program;
mod progress;
mod project;
mod results;
mod resume;
mod rocq_releases;
mod sharing;
mod support;
mod trace;
mod tui;
mod verification;
mod view;
