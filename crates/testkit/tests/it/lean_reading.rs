//! How the judge reads a submission. What it takes for comments is compared with a real Lean, which must not run a command in
//! one.

use std::time::Duration;

use andor_env::checker::{Checker, Level, Verdict};
use andor_env::error::EnvError;
use andor_process::error::ProcessError;
use andor_system_lean::commands::harmless;
use andor_system_lean::{LeanConfig, checker};
use andor_testkit::{block_on, lean};

use super::lean_judge::{PROVED, STATED, claim};

/// Pieces that make comments and strings hard to tell from code. `#print Nat` shows what Lean reads as code.
const PIECES: &[&str] = &[
    "/-",
    "-/",
    "/--",
    "/-!",
    "--",
    "/",
    "-",
    "//",
    "\"",
    "'",
    "'\"'",
    "r\"",
    "r#\"",
    "#",
    "\\",
    "«",
    "»",
    "{",
    "}",
    "s!\"",
    "é",
    " ",
    "  ",
    "\n",
    "\n\n",
    "x",
    "def y := ",
    "1",
    "*/",
    "+-",
    "∑'",
    "‖r",
    ".",
    "(",
    ")",
    "↑",
    "#print Nat",
    " #print Nat ",
    "\n#print Nat\n",
    "\n#print Nat\n",
    "-/ #print Nat",
    "example : True := trivial\n",
];

/// Symbols that take the beginning of a comment or of a string.
const NOTATIONS: &str = "notation a \" */ \" b => (a, b)\nnotation a \" +- \" b => (a, b)\n";

/// The number of texts; by hand, more are tried with `READINGS=2000`.
const TEXTS: u64 = 40;

#[test]
fn a_real_lean_runs_no_command_in_a_comment() {
    let texts = std::env::var("READINGS").ok().and_then(|texts| texts.parse().ok()).unwrap_or(TEXTS);
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| u64::from(std::process::id()));
    let (mut state, mut passed, mut hidden) = (seed, 0, 0);
    let mut next = |bound: usize| {
        // The multiplier and increment are Knuth's.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    while passed < texts {
        let pieces = 4 + next(14);
        let body: String = (0..pieces).map(|_| PIECES[next(PIECES.len())]).collect();
        let text = format!("{}{body}\n", ["", NOTATIONS][next(2)]);
        let Ok(code) = harmless(&text) else { continue };
        let shown = code.matches("#print").count();
        if shown == text.matches("#print").count() {
            continue;
        }
        passed += 1;
        hidden += text.matches("#print").count() - shown;
        for read in [&text, &code] {
            let ran = printed(read);
            assert!(
                ran <= shown,
                "seed {seed}: Lean runs {ran} commands of {shown} in\n{read}\nfor us it is\n{code}"
            );
        }
    }
    println!("seed {seed}: {passed} texts with {hidden} hidden commands");
}

/// How often Lean prints the type of natural numbers.
#[expect(clippy::disallowed_methods, reason = "the text is the test's own")]
fn printed(text: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.lean");
    fs_err::write(&file, text).unwrap();
    let done = std::process::Command::new(lean::program()).arg(&file).output().unwrap();
    String::from_utf8_lossy(&done.stdout).matches("inductive Nat : Type").count()
}

#[test]
fn a_check_has_one_limit_of_time_and_reading_is_part_of_it() {
    let check_limit = Duration::ZERO;
    let judge =
        checker(LeanConfig { toolchain: Some(lean::toolchain()), check_limit, ..LeanConfig::default() });
    let text = format!("/- {} -/\n{PROVED}", "long ".repeat(100_000));
    match block_on(judge.check(&claim(STATED, &text), Level::Audited)) {
        Verdict::Infrastructure {
            level: Level::Compiled,
            error: EnvError::Process(ProcessError::Overdue { doing, after }),
        } => {
            assert_eq!((doing.as_str(), after), ("reading a proof", check_limit));
        }
        other => panic!("{other:?}"),
    }
}
