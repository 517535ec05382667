//! Runs that someone changed afterwards: readers take nothing for proved that does not fit, and `andor verify` says what
//! does not hold.

use std::path::{Path, PathBuf};

use crate::support::{Folder, andor, left};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// Short searches that depend on nothing but their seeds.
const SHORT: [&str; 4] = ["--max-iterations", "40", "--time", "none"];

const THEOREMS: &str = "theorem bad : 0 = 1 := sorry\ntheorem good : 1 = 1 := sorry\n";

const BLUEPRINT: &str = "system = \"mini\"\n[[nodes]]\nname = \"bad\"\nstatement = \"0 = 1\"\n\
     [[nodes]]\nname = \"good\"\nstatement = \"1 = 1\"\n";

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

fn printed(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, 0, "{args:?}: {out}{err}");
    out
}

/// Makes a run, and returns its folder.
fn made(folder: &Folder, file: &str, args: &[&str]) -> String {
    let out = folder.path("RUN");
    let (code, _, err) = run(&[&["run", file, "--out", &out], &SHORT[..], args].concat());
    assert!(code < 2, "{err}");
    out
}

fn of_theorems(folder: &Folder, args: &[&str]) -> String {
    let file = folder.write("f.lean", THEOREMS);
    made(folder, &file, &[&["--system", "mini"], args].concat())
}

/// What `andor verify` finds: whether all holds, and the lines about what does not.
fn verified(run_folder: &str, args: &[&str]) -> (i32, Vec<String>) {
    let (code, out, err) = run(&[&["verify", run_folder, "--json"], args].concat());
    let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let line = |remark: &Value| {
        let theorem = remark["theorem"].as_str().unwrap_or_default();
        format!("{} {theorem}: {}", remark["file"].as_str().unwrap(), remark["what"].as_str().unwrap())
    };
    (code, found["fails"].as_array().unwrap().iter().map(line).collect())
}

/// Whether one of the lines has all these parts.
fn says(lines: &[String], parts: &[&str]) -> bool {
    lines.iter().any(|line| parts.iter().all(|part| line.contains(part)))
}

fn stored(database: &Connection, theorem: &str) -> Value {
    let text: String = database
        .query_row("SELECT result FROM attempts WHERE theorem = ?1", [theorem], |row| row.get(0))
        .unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Copies what proves `good` into the result of `bad`. `source` makes the file of it.
fn forge(run_folder: &str, source: impl Fn(&str) -> String) {
    let database = Connection::open(Path::new(run_folder).join("run.db")).unwrap();
    let (good, mut bad) = (stored(&database, "good"), stored(&database, "bad"));
    for key in [
        "outcome",
        "stop_reason",
        "stop_detail",
        "verification_level",
        "verification_shortfall",
        "axioms",
        "validated",
        "root_status",
        "proof",
        "proof_steps",
        "proof_digest",
    ] {
        bad[key] = good[key].clone();
    }
    bad["source"] = source(good["source"].as_str().unwrap()).into();
    let update = "UPDATE attempts SET result = ?1 WHERE theorem = 'bad'";
    database.execute(update, params![bad.to_string()]).unwrap();
    database.execute("DELETE FROM attempts WHERE theorem = 'bad#disproof'", []).unwrap();
}

/// The file with the forged theorem in it.
fn restated(source: &str) -> String {
    source.replace("good", "bad").replace("1 = 1", "0 = 1")
}

/// Changes a JSON file.
fn edit(path: PathBuf, edit: impl FnOnce(&mut Value)) {
    let mut record = serde_json::from_str(&fs_err::read_to_string(&path).unwrap()).unwrap();
    edit(&mut record);
    fs_err::write(&path, record.to_string()).unwrap();
}

#[test]
fn a_proof_of_another_theorem_is_unverified() {
    let folder = Folder::new();
    let out = of_theorems(&folder, &[]);
    forge(&out, str::to_owned);
    let table = printed(&["results", &out]);
    assert!(table.contains("1 of 2 proved, 1 unverified"), "{table}");
    let one = printed(&["results", &out, "--theorem", "bad"]);
    assert!(
        one.contains("proved by 0 of 0") && one.contains("its source does not state the theorem"),
        "{one}"
    );
    let costs = printed(&["analyze", &out, "--measure", "costs", "--json"]);
    let rows: Vec<Value> = costs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!rows.iter().any(|row| row["theorem"] == "bad" && row["proved"] == true), "{costs}");
    let (code, lines) = verified(&out, &[]);
    assert_eq!(code, 1);
    assert!(says(&lines, &["run.db bad", "its source does not state"]), "{lines:?}");
    assert!(says(&lines, &["run.db bad", "the proof is rejected at level 1"]), "{lines:?}");
    assert!(says(&lines, &["results.jsonl bad", "is not the result in run.db"]), "{lines:?}");
    assert!(says(&lines, &["bad/attempt-1/trace.jsonl", "the end: iterations"]), "{lines:?}");
    // The attempt is made again.
    let file = folder.path("f.lean");
    let resumed = run(&[&["run", &file, "--system", "mini", "--out", &out, "--resume"], &SHORT[..]].concat());
    assert!(resumed.1.contains("1 of 2 proved, 1 not proved"), "{resumed:?}");
    assert_eq!(verified(&out, &[]), (0, Vec::new()));
}

#[test]
fn a_proof_that_its_trace_does_not_know_is_unverified() {
    let folder = Folder::new();
    let file = folder.write("bp.toml", BLUEPRINT);
    let out = made(&folder, &file, &[]);
    assert_eq!(verified(&out, &["--statement-from", &file]), (0, Vec::new()));
    let other = folder.write("other.toml", &BLUEPRINT.replace("1 = 1", "1 = 2"));
    let (code, lines) = verified(&out, &["--statement-from", &other]);
    assert!(
        code == 1 && says(&lines, &["blueprint.json good", "your file says something else"]),
        "{lines:?}"
    );
    forge(&out, restated);
    edit(Path::new(&out).join("blueprint.json"), |record| {
        for node in record["nodes"].as_array_mut().unwrap() {
            (node["state"], node["disproof"], node["detail"]) =
                (json!("fully_proved"), Value::Null, Value::Null);
        }
    });
    let table = printed(&["results", &out]);
    assert!(table.contains("1 of 3 proved, 1 unverified"), "{table}");
    let shown = printed(&["show", &out]);
    assert!(shown.contains("2 nodes: 1 proved, 1 unverified"), "{shown}");
    assert!(shown.contains("not accepted: unverified"), "{shown}");
    let (code, lines) = verified(&out, &[]);
    assert_eq!(code, 1);
    assert!(says(&lines, &["run.db bad", "its trace ends without a proof"]), "{lines:?}");
    assert!(says(&lines, &["run.db bad", "the sides are not equal"]), "{lines:?}");
    assert!(says(&lines, &["blueprint.json bad", "it is not fully proved"]), "{lines:?}");
    let (_, resumed, _) = run(&[&["run", &file, "--out", &out, "--resume"], &SHORT[..]].concat());
    assert!(resumed.contains("2 nodes: 1 fully proved, 1 disproved"), "{resumed}");
    assert_eq!(verified(&out, &[]), (0, Vec::new()));
}

#[test]
fn a_forgery_without_a_contradiction_is_found_by_judging_again() {
    let folder = Folder::new();
    let out = of_theorems(&folder, &["--keep", "none"]);
    forge(&out, restated);
    let (code, lines) = verified(&out, &["--theorem", "bad"]);
    assert_eq!((code, lines.len()), (1, 1), "{lines:?}");
    assert!(says(&lines, &["run.db bad", "the proof is rejected at level 1", "not equal"]), "{lines:?}");
    // Another level, and other axioms, than those of the proof.
    let database = Connection::open(Path::new(&out).join("run.db")).unwrap();
    let mut good = stored(&database, "good");
    good["axioms"] = json!(["propext"]);
    let update = "UPDATE attempts SET result = ?1 WHERE theorem = 'good'";
    database.execute(update, params![good.to_string()]).unwrap();
    let (code, lines) = verified(&out, &["--theorem", "good"]);
    assert!(
        code == 1 && says(&lines, &["run.db good", "axioms: propext, and judged again none"]),
        "{lines:?}"
    );
    good["axioms"] = json!([]);
    good["verification_level"] = json!(4);
    database.execute(update, params![good.to_string()]).unwrap();
    let (code, text, _) = run(&["verify", &out, "--theorem", "good"]);
    assert!(
        code == 3 && text.contains("not recomputed: run.db, `good`, attempt 1: the proof, at level 4"),
        "{text}"
    );
    good["verification_level"] = json!(3);
    for field in ["features", "known_bugs", "libraries", "statement_axioms", "universes"] {
        let mut forged = good.clone();
        forged[field] = json!(["invented"]);
        database.execute(update, params![forged.to_string()]).unwrap();
        let (code, lines) = verified(&out, &["--theorem", "good"]);
        let what = format!("{field}: invented, and judged again none");
        assert!(code == 1 && says(&lines, &["run.db good", &what]), "{lines:?}");
    }
}

#[test]
fn a_record_below_the_level_that_the_run_demands_does_not_hold() {
    let folder = Folder::new();
    let out = of_theorems(&folder, &["--keep", "none", "--verify", "rechecked"]);
    let database = Connection::open(Path::new(&out).join("run.db")).unwrap();
    let mut good = stored(&database, "good");
    assert_eq!(good["verification_level"], 3);
    good["verification_level"] = json!(1);
    let update = "UPDATE attempts SET result = ?1 WHERE theorem = 'good'";
    database.execute(update, params![good.to_string()]).unwrap();
    let (code, lines) = verified(&out, &["--theorem", "good"]);
    assert!(
        code == 1 && says(&lines, &["run.db good", "accepted at level 1", "demands level 3"]),
        "{lines:?}"
    );
}

#[test]
fn a_theorem_that_was_changed_is_found_by_comparison_with_the_file() {
    let folder = Folder::new();
    let out = of_theorems(&folder, &[]);
    let file = folder.path("f.lean");
    assert_eq!(verified(&out, &["--statement-from", &file]), (0, Vec::new()));
    let other = folder.write("other.lean", &THEOREMS.replace("0 = 1", "0 = 2"));
    let (code, lines) = verified(&out, &["--statement-from", &other]);
    assert_eq!((code, &lines[..]), (1, &["run.db bad: your file states another theorem".to_owned()][..]));
    let fewer = folder.write("fewer.lean", "theorem good : 1 = 1 := sorry\n");
    let (code, lines) = verified(&out, &["--statement-from", &fewer]);
    assert!(code == 1 && says(&lines, &["run.db bad", "your file has no such theorem"]), "{lines:?}");
}

#[test]
fn a_graph_whose_root_is_said_to_be_proved_is_shown_as_open() {
    let folder = Folder::new();
    let out = of_theorems(&folder, &[]);
    let graph = Path::new(&out).join("theorems/bad/attempt-1/graph.json");
    edit(graph, |record| {
        record["nodes"][0]["status"] = json!("proved");
        record["steps"] = json!([{"id": "s0", "node": "n0", "tactic": "rfl", "log_prior": 0.0, "status": "proved", "children": []}]);
    });
    let (code, text, err) = run(&["show", &out, "--theorem", "bad"]);
    assert!(code == 0 && text.contains("(0 proved)") && !text.contains('✓'), "{text}");
    assert!(err.contains("unverified"), "{err}");
    assert!(printed(&["show", &out, "--theorem", "good"]).contains('✓'));
    let (code, lines) = verified(&out, &[]);
    assert!(code == 1 && says(&lines, &["bad/attempt-1/graph.json"]), "{lines:?}");
}

/// A run with agents that work on one tree, in which some nodes are blocked.
fn of_agents(folder: &Folder) -> String {
    let out = folder.path("AGENTS");
    let args = [
        "prove",
        "--system",
        "synthetic",
        "--statement",
        "hard 1",
        "--max-iterations",
        "60",
        "--time",
        "none",
    ];
    let agents = ["--mcts-mode", "distributed", "--mcts-agents", "4", "--mcts-inflight", "4"];
    let blocks = ["--mcts-block-fraction", "0.3", "--mcts-block-duration", "8", "--mcts-block-seed", "3"];
    let given = ["--clock", "virtual", "--out", &out];
    let (code, _, err) = run(&[&args[..], &agents, &blocks, &given].concat());
    assert!(code < 2, "{err}");
    out
}

/// Changes the first record of a run's only trace that is so.
fn edit_trace(run_folder: &str, is_it: impl Fn(&Value) -> bool, edit: impl FnOnce(&mut Value)) -> String {
    let trace = find(Path::new(run_folder));
    let before = fs_err::read_to_string(&trace).unwrap();
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    let records = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (place, mut record) = records.enumerate().find(|(_, record)| is_it(record)).unwrap();
    edit(&mut record);
    lines[place] = record.to_string();
    fs_err::write(&trace, lines.join("\n") + "\n").unwrap();
    before
}

fn find(run_folder: &Path) -> PathBuf {
    let theorems = fs_err::read_dir(run_folder.join("theorems")).unwrap();
    theorems.map(|entry| entry.unwrap().path().join("attempt-1/trace.jsonl")).next().unwrap()
}

/// Which record is forged, how, and what is said of it.
type Forgery<'a> = (&'a dyn Fn(&Value) -> bool, &'a dyn Fn(&mut Value), &'a str);

#[test]
fn a_trace_of_another_search_than_the_run_says_is_found() {
    let folder = Folder::new();
    let out = of_agents(&folder);
    assert_eq!(verified(&out, &[]), (0, Vec::new()));
    // What was not given is written down.
    for file in [Path::new(&out).join("run.json"), find(Path::new(&out))] {
        let text = fs_err::read_to_string(&file).unwrap().replace(char::is_whitespace, "");
        assert!(text.contains("\"virtual_loss\":1.0"), "{file:?}");
    }
    let start = |record: &Value| record["event"] == "start";
    // A failure at a node with others.
    let fails = |record: &Value| {
        let outcomes: Vec<&Value> =
            record["attempts"].as_array().into_iter().flatten().map(|attempt| &attempt["outcome"]).collect();
        outcomes.len() > 1 && outcomes[0] == "failure"
    };
    let forgeries: [Forgery<'_>; 4] = [
        (
            &start,
            &|r| r["config"]["distributed_mcts"]["agents"] = json!(8),
            "config.distributed_mcts.agents is 8",
        ),
        (&start, &|r| r["theorem"] = json!("other"), "theorem: other by the trace"),
        (
            &start,
            &|r| r["statement_digest"] = json!("0123456789abcdef"),
            "statement_digest: 0123456789abcdef",
        ),
        (
            &fails,
            &|r| {
                for list in ["attempts", "tactics"] {
                    r[list].as_array_mut().unwrap().remove(0);
                }
            },
            "candidates: ",
        ),
    ];
    for (is_it, forged, said) in forgeries {
        let before = edit_trace(&out, is_it, forged);
        let (code, lines) = verified(&out, &[]);
        assert!(code == 1 && says(&lines, &["trace.jsonl", said]), "{said}: {lines:?}");
        fs_err::write(find(Path::new(&out)), before).unwrap();
    }
    // With other configurations in all files, the result is that of another one.
    edit(Path::new(&out).join("run.json"), |record| record["config"]["seed"] = json!(9));
    let (code, lines) = verified(&out, &[]);
    assert!(code == 1 && says(&lines, &["run.json", "config_digest is"]), "{lines:?}");
    assert!(says(&lines, &["run.db", "that of no configuration of the run"]), "{lines:?}");
}
