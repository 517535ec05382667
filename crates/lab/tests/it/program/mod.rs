//! The program as its users run it.

mod cheats;
mod corpus;
mod simulate;
mod study;

use std::path::Path;
use std::process::Command;

use andor_testkit::program::{left, program};

const LAB: &str = env!("CARGO_BIN_EXE_andor-lab");

/// The program, with nothing on standard input.
fn andor_lab(args: &[&str]) -> Command {
    program(LAB, args)
}

/// The program `andor`, which a build of the whole workspace puts beside it.
fn andor(args: &[&str]) -> Command {
    program(Path::new(LAB).with_file_name("andor"), args)
}

#[test]
fn what_cannot_be_read_ends_with_2() {
    for (args, expected) in [
        (["--seeds", "9..1"], "is not a range of seeds"),
        (["--presets", "huge"], "huge"),
        (["--conjure", "1"], "unexpected argument"),
    ] {
        let (code, out, err) =
            left(andor_lab(&[&["bench", "synthetic"], &args[..]].concat()).output().unwrap());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
}
