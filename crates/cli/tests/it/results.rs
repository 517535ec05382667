//! What runs have left, as their users look at it: `andor runs`, `andor results` and `andor compare`.

use crate::support::{Folder, andor, left};
use serde_json::Value;

const SOURCE: &str = "theorem weakening (p q : Prop) : p → q → p := by sorry\n\
    theorem swap (p q : Prop) : p ∧ q → q ∧ p := by sorry\n\
    theorem unclear (p q : Prop) : p → q := by sorry\n\
    theorem wrong (p : Prop) : p → r := by sorry\n";

/// Makes a run of a source file with more options in the folder `name`, whatever comes of it.
fn run(folder: &Folder, source: &str, name: &str, more: &[&str]) -> String {
    let (file, out) = (folder.write("t.lean", source), folder.path(name));
    let args = ["--quiet", "prove", &file, "--verify", "compiled", "--out", &out];
    let (code, _, err) = left(andor(&[&args, more].concat()).output().unwrap());
    assert!(code == 0 || code == 1, "{err}");
    out
}

/// What a command that succeeds prints.
fn printed(args: &[&str]) -> String {
    let (code, out, err) = left(andor(args).output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

/// What a command that cannot be done says.
fn refused(args: &[&str]) -> String {
    let (code, out, err) = left(andor(args).output().unwrap());
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
    err
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn results_of_a_run_stand_in_a_table_in_json_and_under_other_names() {
    let folder = Folder::new();
    let out = run(&folder, SOURCE, "RUN", &[]);
    let text = printed(&["results", &out]);
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[1][..4], ["weakening", "proved", "1", "compiled"]);
    assert_eq!(lines[3][..6], ["unclear", "not", "proved:", "every", "candidate", "tried"]);
    assert_eq!(lines[4][..5], ["wrong", "refused", "-", "1", "refused"]);
    assert!(text.contains("\n2 of 4 proved, 1 not proved, 1 refused\n"), "{text}");
    assert!(
        text.contains("pass@1: 67 % (21–94), the mean of 3 theorems; too few counted attempts at 1\n"),
        "{text}"
    );

    let records = json(&printed(&["results", &out, "--json"]));
    let standings: Vec<&str> = records[..4].iter().map(|r| r["standing"].as_str().unwrap()).collect();
    assert_eq!(standings, ["proved", "proved", "not_proved", "refused"]);
    assert_eq!(records[0]["pass_at_k"]["1"]["value"], 1.0);
    assert_eq!((&records[4]["kind"], &records[4]["standings"]["proved"]), (&"summary".into(), &2.into()));
    let best = &records[1]["best"];
    let steps = best["proof_steps"].as_array().unwrap();
    let tactics: Vec<&str> = steps.iter().map(|s| s["tactic"].as_str().unwrap()).collect();
    assert_eq!(tactics.join("\n"), best["proof"].as_str().unwrap());
    assert_eq!(steps[0]["state"], "p q : Prop\n⊢ p ∧ q → q ∧ p");

    let only = json(&printed(&["results", &out, "--only", "proved", "--json"]));
    assert_eq!((only.len(), &only[2]["theorems"]), (3, &4.into()), "the summary is of all");
    let rows = json(&printed(&["results", &out, "--format", "bfs-prover"]));
    let names = "url commit full_name file_path status proof proof_stats preference_pairs tactic_time vllm_time \
        total_time total_nodes explored_nodes total_attempts proof_validation_passed";
    let mut names: Vec<&str> = names.split_whitespace().collect();
    names.sort_unstable();
    assert_eq!(rows[0].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>(), names);
    assert_eq!((&rows[0]["status"], &rows[2]["status"]), (&"Proved".into(), &"Failed".into()));
    assert_eq!(rows[0]["proof"].as_array().unwrap().len(), rows[0]["proof_stats"].as_array().unwrap().len());
    assert_eq!((&rows[2]["proof"], &rows[3]["proof_validation_passed"]), (&Value::Null, &Value::Null));
    let rows = json(&printed(&["results", &out, "--format", "reprover", "--only", "failed"]));
    assert_eq!((rows.len(), &rows[0]["theorem"]), (1, &"unclear".into()));
    let csv = printed(&["results", &out, "--format", "csv", "--only", "proved"]);
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let headings = "theorem,system,standing,level,solved,attempts,seconds,expansions,stop_detail";
    assert_eq!((lines.len(), lines[0].join(",").as_str()), (3, headings));
    assert_eq!(lines[1][..6], ["weakening", "mini", "proved", "1", "1", "1"]);
}

#[test]
fn all_about_one_theorem() {
    let folder = Folder::new();
    let out = run(&folder, SOURCE, "RUN", &[]);
    let text = printed(&["results", &out, "--theorem", "swap"]);
    assert!(
        text.contains("proved by 1 of 1 attempt that counts") && text.contains("level 1, compiled"),
        "{text}"
    );
    assert!(text.contains("theorem swap (p q : Prop) : p ∧ q → q ∧ p := by\n"), "{text}");
    let text = printed(&["results", &out, "--theorem", "wrong"]);
    assert!(text.contains("unknown identifier `r`") && text.ends_with("no proof\n"), "{text}");
    let records = json(&printed(&["results", &out, "--theorem", "swap", "--json"]));
    assert_eq!((records.len(), records[0]["results"].as_array().unwrap().len()), (1, 1));
    let err = refused(&["results", &out, "--theorem", "weak"]);
    assert!(err.contains("no theorem `weak`; it has `weakening`"), "{err}");
    let err = refused(&["results", &folder.path("nowhere")]);
    assert!(err.contains("is not a run folder"), "{err}");
}

#[test]
fn runs_below_a_folder_are_listed_oldest_first() {
    let folder = Folder::new();
    run(&folder, SOURCE, "RUNS/deep/first", &[]);
    run(&folder, SOURCE, "RUNS/second", &["--limit", "2"]);
    fs_err::create_dir(folder.path("RUNS/broken")).unwrap();
    folder.write("RUNS/broken/run.db", "");
    let runs = folder.path("RUNS");
    let entries = json(&printed(&["runs", &runs, "--json"]));
    let [broken, first, second] = &entries[..] else { panic!("{entries:?}") };
    assert!(broken["error"].as_str().unwrap().contains("run.json"), "{broken}");
    assert!(first["folder"].as_str().unwrap().ends_with("deep/first"));
    assert_eq!(
        (&first["proved"], &first["theorems"], &first["finished"]),
        (&2.into(), &4.into(), &true.into())
    );
    assert_eq!((&second["attempts"], &second["attempts_planned"]), (&2.into(), &2.into()));
    let text = printed(&["runs", &runs]);
    assert_eq!((text.lines().count(), text.matches("finished").count()), (4, 2), "{text}");
    assert!(refused(&["runs", &folder.path("nowhere")]).contains("no folder"));
    assert!(printed(&["runs", &folder.path("RUNS/second/theorems")]).contains("no runs in"));
}

#[test]
fn runs_over_the_same_theorems_are_compared() {
    let folder = Folder::new();
    let a = run(&folder, SOURCE, "A", &[]);
    let b = run(&folder, SOURCE, "B", &["--limit", "3", "--max-iterations", "2"]);
    let text = printed(&["compare", &a, &b]);
    assert!(text.contains("solved by both (1): weakening\nsolved by A only (1): swap\n"), "{text}");
    assert!(text.contains("p = 1.0000; odds of A against B infinite (1 to 0)"), "{text}");
    assert!(text.contains("solved by neither (1): unclear\nin A only (1): wrong\n"), "{text}");
    let record = &json(&printed(&["compare", &b, &a, "--json"]))[0];
    assert_eq!((&record["only_b"][0], &record["mcnemar"]["odds"]), (&"swap".into(), &0.0.into()));
    let other = run(&folder, &SOURCE.replace("q ∧ p", "q ∧ p ∧ q"), "C", &[]);
    let err = refused(&["compare", &a, &other]);
    assert!(err.contains("1 with equal ids differ") && err.contains("`swap`"), "{err}");
    let foreign = run(&folder, "theorem foreign (p : Prop) : p → p := by sorry\n", "D", &[]);
    assert!(refused(&["compare", &a, &foreign]).contains("no theorem in common"));
}

#[test]
fn too_many_failures_of_the_machinery_are_told_in_words() {
    let folder = Folder::new();
    let file = folder.write("t.lean", SOURCE);
    let args = ["prove", &file, "--check-timeout", "1ms"];
    let (code, _, err) = left(andor(&args).output().unwrap());
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("3 of 4 attempts (75 %) failed because of infrastructure"), "{err}");
    assert!(err.contains("--infra-threshold 0.1") && err.contains("most frequent (3 of 3)"), "{err}");
    assert!(err.contains("andor doctor") && err.contains("--resume"), "{err}");
    let (code, _, err) = left(andor(&[&args[..], &["--infra-threshold", "0.8"]].concat()).output().unwrap());
    assert_eq!(code, 1, "{err}");
    assert!(!err.contains("--infra-threshold"), "{err}");
}

/// A run with three seeds and blind search at two theorems.
fn basin_run(folder: &Folder) -> String {
    let source = "theorem weakening (p q : Prop) : p → q → p := by sorry\n\
        theorem swap (p q : Prop) : p ∧ q → q ∧ p := by sorry\n";
    run(folder, source, "BASIN", &["--basin-seeds", "3", "--basin-blind", "--max-iterations", "40"])
}

#[test]
fn the_results_of_a_basin_run_count_blind_attempts() {
    let folder = Folder::new();
    let run = basin_run(&folder);
    let table = printed(&["results", &run]);
    assert!(table.contains("attempts: 12 made, 12 planned"), "{table}");
    assert!(table.lines().next().unwrap().contains("blind"), "{table}");
    let one = printed(&["results", &run, "--theorem", "swap"]);
    assert_eq!(one.matches("\nblind attempt ").count(), 3, "{one}");
    let lines = json(&printed(&["results", &run, "--json"]));
    assert_eq!(lines[0]["blind"]["attempts"], 3, "{}", lines[0]);
}

#[test]
fn an_attempt_is_chosen_by_its_number_and_traces_are_counted_together() {
    let folder = Folder::new();
    let run = basin_run(&folder);
    let digest = |args: &[&str]| {
        let found = json_of(&[&["verify", &run, "--theorem", "swap", "--json"], args].concat());
        let (_, search) = found["searches"].as_object().unwrap().iter().next().unwrap();
        search["tree_digest"].as_str().unwrap().to_owned()
    };
    let shown = |n: &str| {
        let graph = json_of(&["show", &run, "--theorem", "swap", "--json", "--attempt", n]);
        graph["tree_digest"].as_str().unwrap().to_owned()
    };
    assert_eq!(digest(&["--attempt", "4"]), shown("4"), "the first blind one");
    assert_ne!(digest(&["--attempt", "1"]), digest(&["--attempt", "4"]));
    let missing = refused(&["show", &run, "--theorem", "swap", "--attempt", "7"]);
    assert!(missing.contains("attempt 7 at `swap`") && missing.contains("1, 2, 3, 4, 5, 6"), "{missing}");
    let trace = format!("{run}/theorems/swap/attempt-1/trace.jsonl");
    assert!(refused(&["verify", &trace, "--attempt", "2"]).contains("--attempt"));

    let all = json_of(&["trace", "stats", &run, "--json"]);
    assert_eq!((all["traces"].as_u64(), &all["theorem"]), (Some(12), &Value::Null));
    let of = |args: &[&str]| {
        let stats = json_of(&[&["trace", "stats", &run, "--json"], args].concat());
        stats["iterations"].as_u64().unwrap()
    };
    let by_theorem = of(&["--theorem", "swap"]) + of(&["--theorem", "weakening"]);
    let by_attempt: u64 = ["1", "2", "3", "4", "5", "6"].map(|n| of(&["--attempt", n])).iter().sum();
    assert_eq!((by_theorem, by_attempt), (of(&[]), of(&[])));
    assert!(printed(&["trace", "stats", &run]).starts_with("12 traces: "));
}

fn json_of(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).unwrap()
}
