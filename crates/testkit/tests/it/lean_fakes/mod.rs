//! The transports to Lean over the community's REPL and over Pantograph, on fakes of both.

mod behaviour;
mod choice;
mod client;
mod faults;
mod prover;
mod recorded;
mod searches;
