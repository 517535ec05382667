//! `andor analyze`: what its tables say about runs whose differences are known.

use crate::support::{Folder, andor, left};
use serde_json::{Value, json};

const SOURCE: &str = "theorem swap (p q : Prop) : p ∧ q → q ∧ p := by sorry\n\
    theorem weakening (p q : Prop) : p → q → p := by sorry\n\
    theorem unclear (p q : Prop) : p → q := by sorry\n";

/// Tactics that prove `swap` in one way, and `weakening`.
const WHOLE: &[&str] = &["intro h", "exact ⟨h.2, h.1⟩", "intro a b", "assumption"];

/// Tactics that prove `swap` in another way, which begins with the same tactic.
const SPLIT: &[&str] = &["intro h", "constructor", "exact h.2", "exact h.1", "intro a b", "assumption"];

/// Runs the source with a list of tactics, and returns the folder.
fn run(folder: &Folder, name: &str, tactics: &[&str], more: &[&str]) -> String {
    let source = folder.write("t.lean", SOURCE);
    let scored = |(at, tactic): (usize, &&str)| json!({"tactic": tactic, "log_prior": -1.0 - at as f64});
    let tactics: Vec<Value> = tactics.iter().enumerate().map(scored).collect();
    let script = folder.write(&format!("{name}.json"), &json!({"rules": [{"tactics": tactics}]}).to_string());
    let (provider, out) = (format!("scripted={script}"), folder.path(name));
    let args = ["--quiet", "run", &source, "--provider", &provider, "--verify", "compiled", "--time", "none"];
    let args =
        [&args[..], &["--max-iterations", "20", "--preset", "best-first", "--out", &out], more].concat();
    let (code, _, err) = left(andor(&args).output().unwrap());
    assert!(code == 0 || code == 1, "{err}");
    out
}

/// The rows of a table.
fn rows(args: &[&str], table: &str) -> Vec<Value> {
    let (code, out, err) = left(andor(&[args, &["--json"]].concat()).output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    let rows = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["table"] == table).collect()
}

#[test]
fn runs_with_different_proofs() {
    let folder = Folder::new();
    let (a, b) = (run(&folder, "A", WHOLE, &[]), run(&folder, "B", SPLIT, &[]));
    let both = ["analyze", a.as_str(), b.as_str()];

    let costs = rows(&both, "costs");
    let iterations = costs.iter().find(|row| row["cost"] == "iterations").unwrap();
    assert_eq!((&iterations["theorems"], &iterations["cheaper_in_a"]), (&2.into(), &1.into()));
    assert!(iterations["ratio"].as_f64().unwrap() > 1.0);
    assert!(costs.iter().all(|row| row["cost"] != "tokens"), "no model was asked");

    let survival = rows(&both, "survival");
    let of =
        |run: &str| survival.iter().find(|row| row["run"] == run && row["cost"] == "iterations").unwrap();
    assert_eq!((&of("A")["theorems"], &of("A")["proved"]), (&3.into(), &2.into()));

    // `intro h` is common; then one step stands against three, of which one has the same goal.
    let distances = rows(&both, "proof_distances");
    let swap = distances.iter().find(|row| row["theorem"] == "swap").unwrap();
    assert_eq!((&swap["steps_a"], &swap["steps_b"], &swap["distance"]), (&2.into(), &4.into(), &2.0.into()));
    let weakening = distances.iter().find(|row| row["theorem"] == "weakening").unwrap();
    assert_eq!(weakening["distance"], 0.0);
    let tactics = rows(&[&both[..], &["--label", "tactic"]].concat(), "proof_distances");
    let swap = tactics.iter().find(|row| row["theorem"] == "swap").unwrap();
    assert_eq!(swap["distance"], 3.0, "another tactic at the same goal");
    let basins = rows(&both, "basins");
    let members: Vec<(&Value, &Value)> =
        basins.iter().map(|row| (&row["theorem"], &row["members"])).collect();
    assert_eq!(
        members,
        [
            (&"swap".into(), &"A:1".into()),
            (&"swap".into(), &"B:1".into()),
            (&"weakening".into(), &"A:1 B:1".into()),
        ]
    );

    let searches = rows(&both, "search_pairs");
    let swap = searches.iter().find(|row| row["theorem"] == "swap").unwrap();
    assert_eq!((&swap["parts_at"], &swap["edits_low"]), (&2.into(), &swap["edits_high"]));
    assert!(swap["choice_b"].as_str().unwrap().starts_with("constructor at "), "{swap}");
    let weakening = searches.iter().find(|row| row["theorem"] == "weakening").unwrap();
    assert_eq!((&weakening["edits_high"], &weakening["parts_at"]), (&0.into(), &Value::Null));

    let paths = rows(&[&both[..], &["--measure", "paths"]].concat(), "path_steps");
    let of_swap: Vec<&Value> =
        paths.iter().filter(|row| row["run"] == "A" && row["theorem"] == "swap").collect();
    assert_eq!(of_swap.iter().map(|row| row["depth"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(of_swap[1]["frontier"], 0);
}

#[test]
fn parts_of_runs() {
    let folder = Folder::new();
    let (a, b) = (run(&folder, "A", WHOLE, &[]), run(&folder, "B", SPLIT, &[]));
    let swap = |run: &str| format!("{run}/theorems/swap");
    let (theorem, attempt) = (swap(&a), format!("{}/attempt-1/trace.jsonl", swap(&b)));
    let pairs = rows(&["analyze", &theorem, &attempt], "search_pairs");
    assert_eq!(pairs.len(), 1);
    assert_eq!(
        (&pairs[0]["a"], &pairs[0]["b"], &pairs[0]["parts_at"]),
        (&"A/swap".into(), &"B/swap/attempt-1/trace.jsonl".into(), &2.into())
    );
    let around = format!("{}/attempt-1/../../weakening/../swap/attempt-1", swap(&b));
    assert_eq!(rows(&["analyze", &theorem, &around], "search_pairs")[0]["b"], "B/swap/attempt-1");
    let whole = rows(&["analyze", &a, &b, "--theorem", "swap"], "search_pairs");
    assert_eq!(whole[0]["edits_low"], pairs[0]["edits_low"]);

    let map = rows(&["analyze", &a, &b, "--measure", "paths"], "goal_map");
    let of_swap: Vec<&Value> = map.iter().filter(|row| row["theorem"] == "swap").collect();
    let roots: Vec<&&Value> = of_swap.iter().filter(|row| row["first"] == 1).collect();
    assert_eq!(roots.len(), 2);
    assert_eq!((&roots[0]["x"], &roots[0]["text"]), (&roots[1]["x"], &roots[1]["text"]));
    let said = |path: &str| left(andor(&["analyze", path]).output().unwrap());
    for wrong in [format!("{a}/theorems/none"), format!("{}/attempt-2", swap(&a)), folder.path("t.lean")] {
        let (code, _, err) = said(&wrong);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(&wrong) && err.contains("neither a run folder nor"), "{err}");
    }
}

#[test]
fn a_run_beside_itself() {
    let folder = Folder::new();
    let a = run(&folder, "A", SPLIT, &[]);
    for row in rows(&["analyze", &a, &a], "search_pairs") {
        assert_eq!((&row["edits_high"], &row["common_visits"]), (&0.into(), &1.0.into()), "{row}");
    }
    for row in rows(&["analyze", &a, &a], "costs") {
        assert_eq!((&row["a"], &row["b"]), (&"A".into(), &"A (2)".into()));
        let exact = row["cost"] != "seconds";
        assert!(!exact || (row["ratio"] == 1.0 && row["p_value"] == 1.0), "{row}");
    }
    let solved = &rows(&["analyze", &a, &a], "solved")[0];
    assert_eq!(
        (&solved["both"], &solved["neither"], &solved["p_value"]),
        (&2.into(), &1.into(), &1.0.into())
    );
}

#[test]
fn each_seed_is_a_search() {
    let folder = Folder::new();
    let seeds = &["--basin-seeds", "3", "--seed", "5"];
    // Nothing is drawn at random, so there is one proof of each theorem.
    let a = run(&folder, "A", SPLIT, seeds);
    let survival = |run: &str| {
        let rows = rows(&["analyze", &a, run, "--measure", "survival"], "survival");
        rows.into_iter().rfind(|row| row["cost"] == "iterations").unwrap()
    };
    let row = survival(&a);
    assert_eq!((&row["theorems"], &row["searches"], &row["proved"]), (&3.into(), &9.into(), &6.into()));
    assert!(rows(&["analyze", &a, "--measure", "proofs"], "basins").iter().all(|row| row["proofs"] == 1));

    let b = run(&folder, "B", SPLIT, &[seeds, &["--policy", "blind-uniform"][..]].concat());
    let row = survival(&b);
    assert_eq!((&row["theorems"], &row["searches"], &row["common"]), (&3.into(), &9.into(), &3.into()));
    let spent: Vec<Value> = fs_err::read_to_string(format!("{b}/results.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|result| result["theorem"] == "swap" && result["outcome"] == "accepted")
        .map(|result| result["spent"]["iterations"].clone())
        .collect();
    assert_eq!(spent.len(), 3);
    let logs: f64 = spent.iter().map(|n| n.as_f64().unwrap().ln()).sum();
    let pairs = rows(&["analyze", &a, &b, "--measure", "costs"], "cost_pairs");
    let pair = pairs.iter().find(|row| row["theorem"] == "swap" && row["cost"] == "iterations").unwrap();
    assert!((pair["of_b"].as_f64().unwrap() - (logs / 3.0).exp()).abs() < 1e-9, "{pair} {spent:?}");
}

#[test]
fn only_what_both_runs_have_is_tested() {
    let folder = Folder::new();
    let (a, b) = (run(&folder, "A", WHOLE, &[]), run(&folder, "B", SPLIT, &["--theorem", "swap"]));
    let wall = run(&folder, "W", WHOLE, &["--clock", "wall"]);
    let survival = rows(&["analyze", &a, &b, &wall, "--measure", "survival"], "survival");
    let of = |run: &str, cost: &str| survival.iter().find(|row| row["run"] == run && row["cost"] == cost);
    let row = of("B", "iterations").unwrap();
    assert_eq!((&row["theorems"], &row["common"], &row["p_value"]), (&1.into(), &1.into(), &1.0.into()));
    assert!(of("A", "virtual_seconds").is_some() && of("W", "virtual_seconds").is_none());
    let survival = rows(&["analyze", &wall, &a, "--measure", "survival"], "survival");
    let row = survival.iter().find(|row| row["cost"] == "virtual_seconds").unwrap();
    assert_eq!((&row["run"], &row["common"], &row["p_value"]), (&"A".into(), &Value::Null, &Value::Null));
}

#[test]
fn agents_are_told_one_by_one_and_together() {
    let folder = Folder::new();
    let agents = ["--mcts-mode", "distributed", "--mcts-agents", "2", "--mcts-inflight", "2"];
    let a = run(&folder, "A", SPLIT, &[&["--policy", "ucb1"][..], &agents].concat());
    let paths = rows(&["analyze", &a, "--measure", "paths"], "paths");
    let of = |agent: Value| {
        let mut rows = paths.iter().filter(|row| row["theorem"] == "unclear" && row["agent"] == agent);
        rows.next().map(|row| row["iterations"].as_u64().unwrap())
    };
    let alone: u64 = [0, 1].into_iter().filter_map(|agent| of(agent.into())).sum();
    assert_eq!(of(Value::Null), Some(alone), "{paths:?}");
}

#[test]
fn obstacles_take_time_and_are_no_work_at_a_goal() {
    let folder = Folder::new();
    let agents = ["--mcts-mode", "distributed", "--mcts-agents", "2", "--mcts-inflight", "2"];
    let delays = [
        "--mcts-delay-prob",
        "0.5",
        "--mcts-delay-duration",
        "2",
        "--mcts-delay-seed",
        "1",
        "--clock",
        "virtual",
    ];
    let a = run(&folder, "A", SPLIT, &[&["--policy", "ucb1"][..], &agents, &delays].concat());
    let measured = ["analyze", &a, "--measure", "paths"];
    let number = |row: &Value, name: &str| row[name].as_u64().unwrap();
    let steps = rows(&measured, "path_steps");
    let mut wanted = 0;
    for theorem in ["swap", "weakening", "unclear"] {
        for agent in [0, 1] {
            let of_agent = steps.iter().filter(|row| row["theorem"] == theorem && row["agent"] == agent);
            let mut before = 0;
            for row in of_agent {
                let ms = number(row, "ms") - before;
                before += ms;
                wanted += if row["obstacle"].is_null() { 0 } else { ms };
            }
        }
    }
    assert!(wanted > 0, "{steps:?}");
    let paths = rows(&measured, "paths");
    let of_agents = || paths.iter().filter(|row| !row["agent"].is_null());
    assert_eq!(of_agents().map(|row| number(row, "obstacle_ms")).sum::<u64>(), wanted);
    assert!(of_agents().all(|row| number(row, "obstacle_ms") <= number(row, "ms")));

    let worked = |theorem: &str| {
        let of_theorem = steps.iter().filter(|row| row["theorem"] == theorem);
        of_theorem.filter(|row| row["obstacle"].is_null()).count() as u64
    };
    let map = rows(&measured, "goal_map");
    let on_map: u64 =
        map.iter().filter(|row| row["theorem"] == "swap").map(|row| number(row, "iterations")).sum();
    assert_eq!(on_map, worked("swap"));
}

#[test]
fn damaged_files_cost_their_rows() {
    let folder = Folder::new();
    let a = run(&folder, "A", WHOLE, &[]);
    let attempt = std::path::Path::new(&a).join("theorems/swap/attempt-1");
    fs_err::write(attempt.join("graph.json"), "{").unwrap();
    let (code, out, err) = left(andor(&["analyze", &a, &a]).output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("weakening") && err.contains("left out: ") && err.contains("graph.json"),
        "{out}{err}"
    );

    let trace = attempt.join("trace.jsonl");
    let lines = fs_err::read_to_string(&trace).unwrap();
    let kept: String = lines.lines().take(3).map(|line| line.to_owned() + "\n").collect();
    assert!(kept.len() < lines.len());
    fs_err::write(&trace, kept).unwrap();
    let (code, out, err) = left(andor(&["analyze", &a, "--measure", "paths", "--json"]).output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("the path of `swap`, attempt 1 of A: trace.jsonl breaks off"), "{err}");
    assert!(!out.contains("swap") && out.contains("weakening"), "{out}");
}

#[test]
fn attempts_that_failed_count_nowhere() {
    let folder = Folder::new();
    let (a, b) = (run(&folder, "A", WHOLE, &[]), folder.path("B"));
    let failing = ["--quiet", "run", &folder.path("t.lean"), "--provider", "exec=false", "--out", &b];
    assert_eq!(left(andor(&failing).output().unwrap()).0, 3);
    let (code, out, err) = left(andor(&["analyze", &a, &b, "--json"]).output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("left out: 3 of 3 attempts of B: they failed for technical reasons"), "{err}");
    assert!(out.contains(r#""run":"A""#) && !out.contains(r#""run":"B""#), "{out}");
}

#[test]
fn what_is_refused_was_not_searched() {
    let folder = Folder::new();
    let source = folder.write(
        "r.lean",
        "theorem wrong (p : Prop) : p → r := by sorry\ntheorem right (p : Prop) : p → p := by sorry\n",
    );
    let out = folder.path("R");
    let (code, _, err) = left(andor(&["--quiet", "run", &source, "--out", &out]).output().unwrap());
    assert_eq!(code, 1, "{err}");
    let (code, paths, err) =
        left(andor(&["analyze", &out, "--measure", "paths", "--json"]).output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(paths.contains("right") && !paths.contains("wrong"), "{paths}");
}

#[test]
fn tables_are_written_as_files() {
    let folder = Folder::new();
    let (a, tables) = (run(&folder, "A", WHOLE, &[]), folder.path("TABLES"));
    let (code, _, err) = left(andor(&["analyze", &a, &a, "--out", &tables]).output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""));
    let costs = fs_err::read_to_string(format!("{tables}/costs.csv")).unwrap();
    assert!(costs.starts_with("a,b,stratum,cost,theorems,ratio,low,high,"), "{costs}");
    let parquet = fs_err::read(format!("{tables}/costs.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let plot = fs_err::read_to_string(format!("{tables}/survival-iterations.svg")).unwrap();
    assert!(plot.contains("share of theorems proved"), "{plot}");
    let plot = fs_err::read_to_string(format!("{tables}/costs-iterations.svg")).unwrap();
    assert!(plot.contains("iterations: below the line, A (2) is cheaper"), "{plot}");

    let again = ["analyze", &a, &a, "--measure", "survival", "--out", &tables];
    let (code, _, err) = left(andor(&again).output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("files that this analysis did not write: basin_falls.csv, "), "{err}");
    assert!(!err.contains("survival"), "{err}");
}

#[test]
fn what_cannot_be_analyzed_is_said() {
    let folder = Folder::new();
    let a = run(&folder, "A", WHOLE, &[]);
    for (args, said) in [
        (vec!["analyze", "/nowhere"], "is neither a run folder nor"),
        (vec!["analyze", &a, "--measure", "speed"], "unknown variant `speed`, expected one of `costs`"),
        (vec!["analyze", &a, "--measure", "costs", "--label", "tactic"], "--label applies to the measures"),
        (vec!["analyze", &a, "--out", &a], "is a run folder; choose another"),
        (vec!["analyze", &a, "--theorem", "swop"], "no theorem `swop`; it has swap, weakening, unclear"),
    ] {
        let (code, out, err) = left(andor(&args).output().unwrap());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(said), "{err}");
    }
}
