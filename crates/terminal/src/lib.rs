//! What the programs share between their arguments and the library: options from the table, progress, logs, interrupts, text that
//! is safe to show, exit codes.

pub mod command;
pub mod declared;
pub mod exit;
pub mod folder;
pub mod hint;
pub mod interrupt;
pub mod located;
pub mod logging;
pub mod options;
pub mod program;
pub mod progress;
pub mod report;
pub mod shown;
