//! A system that only this program has: `andor` with one more entry in each table, and nothing else.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::ffi::OsString;
use std::path::Path;
use std::process::{ExitCode, Output};
use std::sync::Arc;

use andor_core::language::{LANGUAGES, Language};
use andor_env::registry::{ENVIRONMENTS, Made};
use andor_env::source::{SOURCES, Source};
use andor_testkit::contract::{Fixture, run_all};
use andor_testkit::program;
use andor_testkit::toy::{LANGUAGE, Reader, TOY, Toy};
use andor_testkit::{block_on, theorem};
use linkme::distributed_slice;

#[distributed_slice(LANGUAGES)]
static OF_TOY: &Language = &LANGUAGE;

#[distributed_slice(SOURCES)]
static READS_TOY: &dyn Source = &Reader;

#[distributed_slice(ENVIRONMENTS)]
static MADE: Made = Made { system: TOY, environment: |_| Arc::new(Toy) };

/// Where the test below finds the arguments that it is to run.
const ARGUMENTS: &str = "ANDOR_TOY_ARGUMENTS";

/// The program itself, where it is asked for.
#[test]
fn as_program() -> ExitCode {
    match std::env::var(ARGUMENTS) {
        Ok(arguments) => andor_cli::run(["andor"].into_iter().chain(arguments.lines()).map(OsString::from)),
        Err(_) => ExitCode::SUCCESS,
    }
}

/// Runs the program in a folder, and returns what it says.
fn andor(folder: &Path, arguments: &[&str]) -> Output {
    let mut command =
        program::program(std::env::current_exe().unwrap(), &["--exact", "as_program", "--nocapture"]);
    command.env(ARGUMENTS, arguments.join("\n")).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn it_passes_the_contract_suite() {
    block_on(run_all(&Fixture {
        environment: Arc::new(Toy),
        theorem: theorem(TOY, "t", "claim t : 2"),
        split: "half".into(),
        close: ["one".into(), "one".into()],
        fail: "third".into(),
        coupled: None,
        commuting: Vec::new(),
        lemma: None,
        endless: None,
        crash: None,
    }));
}

#[test]
fn the_program_takes_it_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let (file, proved) = (
        "claim a : 3\nhole\nend\n# done\nclaim b : 1\n  one\nend\n",
        "half\n  one\n  half\n  one\n  one\nend",
    );
    write("claims.toy", file);
    let ran = andor(folder.path(), &["prove", "claims.toy", "--write"]);
    assert!(ran.status.success(), "{}", said(&ran));
    let written = std::fs::read_to_string(folder.path().join("claims.toy")).unwrap();
    assert_eq!(written, file.replace("hole\nend", &format!("  {proved}")));
    let checked = andor(folder.path(), &["check", "claims.toy"]);
    assert!(
        checked.status.success() && said(&checked).contains("accepted: 2 theorems"),
        "{}",
        said(&checked)
    );
    // A claim cannot be exchanged.
    write("other.toy", "claim a : 1\none\nend\n");
    let cheated =
        andor(folder.path(), &["check", "other.toy", "--statement-from", "claims.toy", "--theorem", "a"]);
    assert!(!cheated.status.success(), "{}", said(&cheated));
    let stated = andor(folder.path(), &["prove", "--statement", "claim c : 4"]);
    assert!(stated.status.success() && said(&stated).contains("half"), "{}", said(&stated));
    // A statement that says nothing of its system is not for a new one.
    assert_eq!(andor_dataset::system_of("1 = 1").unwrap().name(), "rocq");
    write(
        "rows.jsonl",
        "{\"system\": \"toy\", \"statement\": \"claim d : 5\"}\n{\"statement\": \"claim e : 0\"}\n",
    );
    let ran = andor(folder.path(), &["run", "rows.jsonl", "--out", "out"]);
    assert!(said(&ran).contains("1 of 2") && !ran.status.success(), "{}", said(&ran));
    let exported = andor(folder.path(), &["view", "out", "--export", "page.html"]);
    assert!(exported.status.success(), "{}", said(&exported));
    assert!(folder.path().join("page.html").is_file());
    let results = andor(folder.path(), &["results", "out"]);
    assert!(said(&results).contains("\nd        proved"), "{}", said(&results));
    let doctor = andor(folder.path(), &["doctor", "--system", "toy"]);
    assert!(doctor.status.success() && said(&doctor).contains("built in"), "{}", said(&doctor));
}
