//! Fakes of the two servers that prove in Lean, with the embedded prover behind them: `fake-repl`, `fake-pantograph`, and a `lake`
//! that sets the environment for them.
//!
//! They speak the protocols as the programs' sources and recorded exchanges have them, and fail as those do: what the REPL takes for a
//! success although it is none, they do too. On demand they misbehave ([`faults`]), or play recorded exchanges ([`recorded`]).
//!
//! What they prove is `mini`'s part of Lean. Namespaces and variables are refused, other commands of scope have no effect, and of
//! unfinished proofs only those that are just `sorry` have proof states.

mod explicit;
pub mod faults;
pub mod pantograph;
pub mod prover;
pub mod recorded;
pub mod repl;
