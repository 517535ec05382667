//! Runs in a browser: a page with a run's results, its searches and its proofs.
//!
//! [`Window`] reads the files of runs, whatever made them, and never writes to them. [`Server`] shows them on a loopback
//! address, also while they grow; [`Window::export`] writes the same page into one file that needs no server.
//! [`search::Search`] is what the page shows of a search, for a program that draws it itself.

mod attempt;
mod details;
mod export;
mod json;
mod page;
mod plots;
mod run;
pub mod search;
mod server;
mod tail;
mod tree;
mod window;

pub use export::Exported;
pub use plots::{Plot, Plots};
pub use run::NoRun;
pub use server::Server;
pub use window::Window;
