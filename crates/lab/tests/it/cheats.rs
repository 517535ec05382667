//! The cheat corpus: every cheat is stopped at its level and no earlier, and every honest twin is accepted.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::path::{Path, PathBuf};

use andor_config::Config;
use andor_core::theorem::System;
use andor_engine::judge::Level;
use andor_engine::registry;
use andor_lab::bench::cheats::{self, Cheat, Trick};
use andor_testkit::block_on;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn corpus() -> Vec<Cheat> {
    cheats::read(&root().join("corpus/cheats")).expect("the corpus is well-formed")
}

/// Tries some entries at every level that the machine has.
fn try_all(wanted: impl Fn(&Cheat) -> bool) {
    let entries: Vec<Cheat> = corpus().into_iter().filter(wanted).collect();
    assert!(!entries.is_empty());
    let rows = block_on(cheats::run(entries, &Level::ALL, 2, |_| {})).expect("the systems can be had");
    let mut wrong = Vec::new();
    for row in &rows {
        wrong.extend(row.faults().into_iter().map(|fault| format!("{}: {fault}", row.entry.id())));
        wrong.extend(row.failures().into_iter().map(|failure| format!("{}: {failure}", row.entry.id())));
        let level = row.entry.expected.rejected_at;
        assert!(
            row.cheat.iter().any(|trial| trial.level >= level),
            "{}: this machine cannot reach {level}",
            row.entry.id()
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A part of a system's files, by their places in the corpus.
fn try_files(system: System, part: usize, parts: usize) {
    let is_file = |e: &Cheat| e.system == system && matches!(e.cheat, Trick::File(_));
    let names: Vec<String> = corpus().into_iter().filter(is_file).map(|e| e.name).collect();
    let size = names.len().div_ceil(parts);
    let names: Vec<String> = names.into_iter().skip(part * size).take(size).collect();
    try_all(|e| is_file(e) && names.contains(&e.name));
}

#[test]
fn files_of_rocq_first_part() {
    try_files(ROCQ, 0, 4);
}

#[test]
fn files_of_rocq_second_part() {
    try_files(ROCQ, 1, 4);
}

#[test]
fn files_of_rocq_third_part() {
    try_files(ROCQ, 2, 4);
}

#[test]
fn files_of_rocq_fourth_part() {
    try_files(ROCQ, 3, 4);
}

#[test]
fn files_of_mini_first_part() {
    try_files(MINI, 0, 2);
}

#[test]
fn files_of_mini_second_part() {
    try_files(MINI, 1, 2);
}

#[test]
fn tactics_and_headers_of_rocq() {
    try_all(|e| e.system == ROCQ && matches!(e.cheat, Trick::Tactic { .. }));
}

#[test]
fn tactics_and_headers_of_mini() {
    try_all(|e| e.system == MINI && matches!(e.cheat, Trick::Tactic { .. }));
}

#[test]
fn tactics_that_cheat_are_refused_before_any_worker() {
    let mut seen = 0;
    for entry in corpus() {
        let (Trick::Tactic { theorem, tactic: cheat }, Trick::Tactic { theorem: plain, tactic: honest }) =
            (&entry.cheat, &entry.twin)
        else {
            continue;
        };
        let environment = registry::environment(entry.system, &Config::default());
        assert!(environment.screen(honest).is_ok(), "{}: {honest}", entry.id());
        // Otherwise the header or the statement is the cheat.
        if theorem.header == plain.header && cheat != honest {
            assert!(environment.screen(cheat).is_err(), "{}: {cheat}", entry.id());
            seen += 1;
        }
    }
    assert!(seen >= 12, "{seen}");
}

#[test]
fn the_corpus_is_large_enough_to_mean_something() {
    let entries = corpus();
    let count = |wanted: &dyn Fn(&Cheat) -> bool| entries.iter().filter(|e| wanted(e)).count();
    assert!(count(&|e| e.system == ROCQ && matches!(e.cheat, Trick::File(_))) >= 30);
    assert!(count(&|e| e.system == MINI && matches!(e.cheat, Trick::File(_))) >= 12);
    assert!(count(&|e| e.system == LEAN4 && matches!(e.cheat, Trick::File(_))) >= 60);
    assert!(count(&|e| e.expected.rejected_at == Level::Claimed) >= 12);
}

#[test]
fn the_documented_table_is_that_of_the_corpus() {
    let page = fs_err::read_to_string(root().join("docs/reference/cheats.md")).unwrap();
    let stated: Vec<(String, u8)> = cheats::stated_levels(&page);
    let entries: Vec<(String, u8)> =
        corpus().iter().map(|e| (e.id(), e.expected.rejected_at.number())).collect();
    let (missing, stale): (Vec<_>, Vec<_>) = (
        entries.iter().filter(|e| !stated.contains(e)).collect(),
        stated.iter().filter(|s| !entries.contains(s)).collect(),
    );
    assert!(
        missing.is_empty() && stale.is_empty(),
        "`cargo xtask cheats` writes the table anew: not in it are {missing:?}, and out of date {stale:?}"
    );
    for system in System::all() {
        let of_system = entries.iter().filter(|(id, _)| id.starts_with(&format!("{system}/"))).count();
        let heading = format!("### {system}: {of_system} cheats");
        assert!(of_system == 0 || page.contains(&heading), "`{heading}` is not in it");
    }
    let readme = fs_err::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains(&format!("**{} cheats**", entries.len())), "{}", entries.len());
}
