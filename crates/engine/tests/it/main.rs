//! Searches from outside.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

// Tests name systems by their names.
use andor_system_lean as _;
use andor_system_mini as _;
use andor_system_rocq as _;

mod attempts;
mod counting;
mod distributed;
mod goal_cache;
mod golden;
mod grafts;
mod heuristics;
mod lemmas;
mod lesions;
mod plan_guided;
mod plans;
mod real_provers;
mod recorded_order;
mod rejections;
mod sharing;
mod suggestions;
mod temperature;
mod unanswering_provider;
mod unreliable_checker;
