//! What the tests of the program share.

pub(crate) mod terminal;

use std::path::Path;
use std::process::Command;

use andor_testkit::program::{kill_when as kill_program_when, program};

pub(crate) use andor_testkit::program::{Folder, left};

const ANDOR: &str = env!("CARGO_BIN_EXE_andor");

/// The program, with nothing on standard input.
pub(crate) fn andor(args: &[&str]) -> Command {
    program(ANDOR, args)
}

/// The program of experiments, which a build of the whole workspace puts beside it.
pub(crate) fn andor_lab(args: &[&str]) -> Command {
    program(Path::new(ANDOR).with_file_name("andor-lab"), args)
}

/// Kills the program once something holds. Returns whether it had not ended by itself.
pub(crate) fn kill_when(args: &[&str], holds: impl Fn() -> bool) -> bool {
    kill_program_when(andor(args), holds)
}
