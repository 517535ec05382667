//! The tests of Rocq, with every release of it.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{OWN, about, ensure_release, folder, install, pins};
use crate::page::write_table;
use crate::step::{cargo, program, said, say, status};
use crate::{root, setup};

/// Which tests run with every release.
const TESTS: &[&str] = &[
    "--workspace",
    "-E",
    "test(/rocq/) or (package(andor-testkit) and test(/^(contract|warm_workers|walls|escapes)::/)) \
     or (package(andor-cli) and test(/^(cheats|check|drafts|project|verification)::/)) \
     or (package(andor-engine) and test(/^(real_provers|grafts|lemmas)::/)) or (package(andor-dataset) and test(/corpus/)) \
     or (package(andor-lab) and test(/^cheats::/))",
];

/// Tells tests which release is theirs.
const VARIABLE: &str = "ANDOR_ROCQ_RELEASE";

/// What nextest leaves with when tests fail.
const TESTS_FAILED: u8 = 100;

/// What became of a release.
struct Row {
    release: String,
    ocaml: String,
    outcome: Outcome,
}

/// What became of the tests.
#[derive(Debug, PartialEq)]
struct Outcome {
    passed: usize,
    /// Their names.
    failed: Vec<String>,
}

pub(crate) fn run(write: bool) -> anyhow::Result<u8> {
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    let pins = pins::read()?;
    for pinned in std::iter::once(None).chain(pins.release.iter().map(Some)) {
        let release = pinned.map_or(OWN, |pinned| pinned.version.as_str());
        say(&format!("\nRocq {release}"));
        match with_release(release, pinned) {
            Ok(row) => rows.push(row),
            Err(error) => {
                say(&format!("FAILED with Rocq {release}: {error:#}"));
                missing.push(release);
            }
        }
    }
    say("");
    for Row { release, outcome, .. } in &rows {
        let Outcome { passed, failed } = outcome;
        say(&format!("Rocq {release}: {passed} passed, {} failed", failed.len()));
        failed.iter().for_each(|name| say(&format!("  {name}")));
    }
    for release in &missing {
        say(&format!("Rocq {release}: FAILED, as said above"));
    }
    if write {
        ensure!(missing.is_empty(), "the table stays as it was, because a release is missing");
        write_table(&root().join("docs/reference/rocq-versions.md"), "rocq-versions", &table(&rows)?)?;
    }
    let all_passed = missing.is_empty() && rows.iter().all(|row| row.outcome.failed.is_empty());
    Ok(u8::from(!all_passed))
}

/// Runs the tests with a pinned release, or else with the machine's own.
fn with_release(release: &str, pinned: Option<&pins::Release>) -> anyhow::Result<Row> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut coqc = PathBuf::from("coqc");
    if let Some(pinned) = pinned {
        let root = folder(release)?;
        install::release(pinned, &root)?;
        let programs = root.join("usr/bin");
        coqc = programs.join("coqc");
        folders.insert(0, programs);
    } else {
        setup::rocq()?;
    }
    let about = about(&coqc)?;
    ensure_release(&about, release)
        .with_context(|| format!("`{}` is of another release than the tests are run with", coqc.display()))?;
    if pinned.is_none() {
        setup::rocq_libraries()?;
    }
    let work = root().join("target/rocq-versions");
    fs_err::create_dir_all(&work)?;
    let report = work.join(format!("{release}.xml"));
    if report.exists() {
        fs_err::remove_file(&report)?;
    }
    let config = work.join("nextest.toml");
    fs_err::write(&config, format!("[profile.default.junit]\npath = {:?}\n", report.display().to_string()))?;
    let mut nextest = cargo();
    nextest.args(["nextest", "run", "--cargo-quiet", "--status-level", "fail", "--no-fail-fast"]);
    nextest.args(["--tool-config-file", &format!("xtask:{}", config.display())]).args(TESTS);
    nextest.env("PATH", std::env::join_paths(folders)?).env(VARIABLE, release).current_dir(root());
    let code = status(&mut nextest)?;
    ensure!(code == 0 || code == TESTS_FAILED, "the tests did not run: nextest left with {code}");
    let outcome = outcome(&fs_err::read_to_string(&report)?).with_context(|| report.display().to_string())?;
    ensure!(
        (code == 0) == outcome.failed.is_empty(),
        "nextest left with {code}, but {} names {} tests that failed",
        report.display(),
        outcome.failed.len()
    );
    Ok(Row { release: release.to_owned(), ocaml: about.ocaml, outcome })
}

/// Reads a report in JUnit's format.
fn outcome(report: &str) -> anyhow::Result<Outcome> {
    let mut reader = Reader::from_str(report);
    let mut outcome = Outcome { passed: 0, failed: Vec::new() };
    let mut current = None;
    loop {
        match reader.read_event()? {
            Event::Start(start) if start.name().as_ref() == "testcase" => {
                outcome.passed += 1;
                current = Some(name(&start)?);
            }
            Event::Empty(start) if start.name().as_ref() == "testcase" => outcome.passed += 1,
            Event::Start(start) | Event::Empty(start)
                if ["failure", "error"].contains(&start.name().as_ref()) =>
            {
                if let Some(name) = current.take() {
                    outcome.passed -= 1;
                    outcome.failed.push(name);
                }
            }
            Event::Eof => return Ok(outcome),
            _ => {}
        }
    }
}

/// The program of a test and its own name.
fn name(testcase: &BytesStart<'_>) -> anyhow::Result<String> {
    let attribute = |key: &str| -> anyhow::Result<String> {
        for attribute in testcase.attributes() {
            let attribute = attribute?;
            if attribute.key.as_ref() == key {
                return Ok(attribute.value.into_owned());
            }
        }
        bail!("a test has no {key}")
    };
    Ok(format!("{} {}", attribute("classname")?, attribute("name")?))
}

fn table(rows: &[Row]) -> anyhow::Result<String> {
    let today = said(program("date").args(["--utc", "+%F"]))?;
    let today = today.trim();
    let mut table =
        "| release | OCaml | tests passed | tests failed | date |\n| --- | --- | ---: | ---: | --- |\n"
            .to_owned();
    for Row { release, ocaml, outcome } in rows {
        let (passed, failed) = (outcome.passed, outcome.failed.len());
        writeln!(table, "| {release} | {ocaml} | {passed} | {failed} | {today} |")?;
    }
    table.push('\n');
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_tells_which_tests_failed() {
        let report = r#"<?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="nextest-run" tests="3" failures="1" errors="1">
                <testsuite name="andor-testkit::it" tests="3" disabled="0" errors="1" failures="1">
                    <testcase name="rocq::a" classname="andor-testkit::it" time="0.1"/>
                    <testcase name="rocq::b" classname="andor-testkit::it" time="0.1">
                        <failure type="test failure"><![CDATA[<testcase/>]]></failure>
                        <system-out>a &lt; b</system-out>
                    </testcase>
                    <testcase name="rocq::c" classname="andor-testkit::it" time="0.1"><error/></testcase>
                    <testcase name="rocq::d" classname="andor-testkit::it"><system-out/></testcase>
                </testsuite>
            </testsuites>"#;
        let failed = ["andor-testkit::it rocq::b", "andor-testkit::it rocq::c"].map(str::to_owned).into();
        assert_eq!(outcome(report).unwrap(), Outcome { passed: 2, failed });
        assert!(outcome("<a></b>").is_err());
    }
}
