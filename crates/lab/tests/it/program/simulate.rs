//! `andor-lab simulate` as users of the program meet it.

use std::process::Stdio;

use super::{andor, andor_lab};
use andor_testkit::program::{Folder, left};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor_lab(&[&["simulate"], args].concat()).output().unwrap())
}

fn read(path: &str) -> String {
    fs_err::read_to_string(path).unwrap()
}

/// The column of a table.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let place = lines.next().unwrap().iter().position(|c| c == name).unwrap();
    lines.map(|cells| cells[place].clone()).collect()
}

const SMALL: [&str; 8] =
    ["--preset", "easy", "--seeds", "1..4", "--agents", "1,3", "--block-fraction", "0,0.3"];

#[test]
fn a_sweep_leaves_tables_and_plots_that_are_the_same_every_time() {
    let folder = Folder::new();
    let outputs = ["1", "2"].map(|jobs| {
        let out = folder.path(jobs);
        let (code, stdout, stderr) = run(&[&SMALL[..], &["--out", &out, "--jobs", jobs]].concat());
        assert_eq!(code, 0, "{stderr}");
        (out, stdout)
    });
    let [(first, table), (second, same)] = &outputs;
    assert_eq!(table, same);
    assert_eq!(table.lines().count(), 1 + 4, "a header and four cells:\n{table}");
    let mut files = 0;
    for file in fs_err::read_dir(first).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert_eq!(read(&format!("{first}/{name}")), read(&format!("{second}/{name}")), "{name}");
        files += 1;
    }
    assert_eq!(files, 2 + 8, "two tables and eight plots");
    let searches = read(&format!("{first}/searches.csv"));
    let seeds: Vec<String> = (0..4).flat_map(|_| ["1", "2", "3", "4"].map(str::to_owned)).collect();
    assert_eq!(column(&searches, "seed"), seeds);
    assert_eq!(column(&searches, "claimed"), column(&searches, "solved"));
    let svg = read(&format!("{first}/solve-rate.svg"));
    for text in ["share of searches solved", "agents", "block fraction 0.3"] {
        assert!(svg.contains(text), "{text} stands in the plot");
    }
}

#[test]
fn cells_are_told_as_json() {
    let folder = Folder::new();
    let out = folder.path("out");
    let (code, stdout, stderr) = run(&[&SMALL[..], &["--out", &out, "--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let cells: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cells.len(), 4);
    assert_eq!((&cells[3]["agents"], &cells[3]["searches"]), (&Value::from(3), &Value::from(4)));
    assert!(cells.iter().all(|c| c["worker_utilisation"].as_f64().is_some_and(|u| u > 0.0 && u <= 1.0)));
}

#[test]
fn nothing_is_overwritten_unless_that_is_asked_for() {
    let folder = Folder::new();
    let kept = folder.write("searches.csv", "mine");
    let out = folder.path("");
    let (code, _, stderr) = run(&[&SMALL[..], &["--out", &out]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("searches.csv exists") && stderr.contains("--force"), "{stderr}");
    assert_eq!(read(&kept), "mine");
    let (code, _, stderr) = run(&[&SMALL[..], &["--out", &out, "--force"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert_ne!(read(&kept), "mine");
}

#[test]
fn wrong_usage_names_the_option_and_the_rule() {
    let folder = Folder::new();
    let out = folder.path("out");
    for (args, said) in [
        (["--agents", "0"], "--agents: must be at least 1"),
        (["--workers", "2,2"], "--workers: 2 is listed twice"),
        (["--virtual-loss", "-1"], "--virtual-loss: must be at least 0"),
        (["--block-fraction", "0.2,1"], "--block-fraction: must lie strictly between 0 and 1"),
        (["--delay-prob", "1.5"], "--delay-prob: must lie strictly between 0 and 1"),
        (["--model-slots", "0"], "--model-slots: must be at least 1"),
        (["--policy", "best-first"], "possible values: ucb1, puct"),
        (["--seeds", "5..1"], "is not a range of seeds"),
        (["--x", "seeds"], "possible values: problem, agents"),
        (["--tactic-latency", "recorded:nowhere"], "nowhere"),
        (["--recorded", "nowhere"], "--recorded: "),
    ] {
        let (code, _, stderr) = run(&[&args[..], &["--out", &out]].concat());
        assert_eq!(code, 2, "{args:?}: {stderr}");
        assert!(stderr.contains(said), "{args:?}: {stderr}");
    }
    assert!(!std::path::Path::new(&out).exists(), "nothing is made before the rules are checked");
}

#[test]
fn an_interrupt_leaves_the_searches_that_are_finished() {
    let folder = Folder::new();
    let out = folder.path("out");
    // The second preset is never solved, and there is time for longer than anyone waits.
    let args = ["simulate", "--preset", "easy,open", "--seeds", "1..2", "--agents", "2", "--out", &out];
    let args = [&args[..], &["--virtual-time", "100000000s"]].concat();
    let mut program = andor_lab(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let searches = || fs_err::read_to_string(format!("{out}/searches.csv")).unwrap_or_default();
    while searches().lines().count() < 3 {
        assert!(program.try_wait().unwrap().is_none(), "the program ended too early");
        std::thread::yield_now();
    }
    kill_process(Pid::from_raw(i32::try_from(program.id()).unwrap()).unwrap(), Signal::INT).unwrap();
    let (code, _, stderr) = left(program.wait_with_output().unwrap());
    assert_eq!(code, 130, "{stderr}");
    assert_eq!(column(&searches(), "stop"), ["proved", "proved"]);
    assert!(!std::path::Path::new(&out).join("cells.csv").exists());
}

#[test]
fn a_run_that_was_recorded_is_searched_again() {
    let folder = Folder::new();
    let rows = folder.write("rows.jsonl", r#"{"id": "e", "system": "synthetic", "statement": "easy 1"}"#);
    let (recorded, out) = (folder.path("RUN"), folder.path("out"));
    let (code, _, stderr) = left(andor(&["prove", &rows, "--out", &recorded]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let (code, stdout, stderr) =
        run(&["--recorded", &recorded, "--agents", "1,2", "--seeds", "1..3", "--out", &out]);
    assert_eq!(code, 0, "{stderr}");
    let searches = read(&format!("{out}/searches.csv"));
    assert_eq!(column(&searches, "problem"), ["e"; 6]);
    assert_eq!(column(&searches, "solved"), ["true"; 6], "{stdout}");
}
