//! Runs whose attempts share what is proved of plans, killed by force and resumed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::support::{Folder, andor, left};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// A theorem whose plan has many steps, each of which takes many tactics.
struct Problem {
    file: String,
    plan: String,
    provider: String,
}

const STEPS: usize = 8;

fn mini(folder: &Folder, n_failing: usize) -> Problem {
    let goal = (0..STEPS).map(|n| format!("f {n} = 0")).collect::<Vec<_>>().join(" ∧ ");
    let statement = format!("theorem t (f : Nat → Nat) (h : ∀ n, f n = 0) : {goal} := by\n  sorry\n");
    let names = (0..STEPS).map(|n| format!("k{n}")).collect::<Vec<_>>().join(", ");
    let proofs = (0..STEPS).map(|n| format!("exact h {n}")).chain([format!("exact ⟨{names}⟩")]);
    let failing = (0..n_failing).map(|n| format!("exact h {}", 1000 + n));
    let steps: Vec<String> = (0..STEPS).map(|n| format!("have k{n} : f {n} = 0")).collect();
    problem(folder, "t.lean", &statement, &steps, failing.chain(proofs))
}

fn rocq(folder: &Folder, n_failing: usize) -> Problem {
    let goal = (0..STEPS).map(|n| format!("f {n} = 0")).collect::<Vec<_>>().join(" /\\ ");
    let statement =
        format!("Theorem t (f : nat -> nat) (h : forall n, f n = 0) : {goal}.\nProof. Admitted.\n");
    let last = (0..STEPS - 1).rev().fold(format!("k{}", STEPS - 1), |rest, n| format!("(conj k{n} {rest})"));
    let proofs = (0..STEPS).map(|n| format!("exact (h {n})")).chain([format!("exact {last}")]);
    let failing = (0..n_failing).map(|n| format!("exact (h {})", 1000 + n));
    let steps: Vec<String> = (0..STEPS).map(|n| format!("assert (k{n} : f {n} = 0)")).collect();
    problem(folder, "t.v", &statement, &steps, failing.chain(proofs))
}

fn problem(
    folder: &Folder,
    name: &str,
    text: &str,
    steps: &[String],
    tactics: impl Iterator<Item = String>,
) -> Problem {
    let tactics: Vec<Value> = tactics.map(|t| json!({"tactic": t, "log_prior": -1.0})).collect();
    let rules = json!({"rules": [{"tactics": tactics}]}).to_string();
    let plan = json!({"t": {"plan": steps, "progress": 0}}).to_string();
    Problem {
        file: folder.write(name, text),
        plan: folder.write("plans.json", &plan),
        provider: format!("scripted={}", folder.write("rules.json", &rules)),
    }
}

impl Problem {
    fn run<'a>(&'a self, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let fixed = ["run", &self.file, "--plan", &self.plan, "--share-progress", "run", "--provider"];
        let rest =
            [&self.provider, "--ignore-partial-proof", "--verify", "1", "--time", "none", "--out", out];
        [&fixed[..], &rest[..], more].concat()
    }
}

/// The complete lines of a file, without its opening.
fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read(path).unwrap_or_default();
    let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    String::from_utf8(text[..end].to_vec()).unwrap().lines().skip(1).map(str::to_owned).collect()
}

fn signatures(lines: &[String]) -> Vec<String> {
    let signature = |line: &String| {
        let value: Value = serde_json::from_str(line).unwrap();
        value["signature"].as_str().unwrap().to_owned()
    };
    lines.iter().map(signature).collect()
}

/// Kills runs at random moments and resumes them until they end, and until this many were killed.
fn kill_and_resume(problem: &Problem, folder: &Folder, kills: usize, seed: u64) {
    let mut rng = andor_core::rng::Rng::seed_from_u64(seed);
    let began = Instant::now();
    let (code, _, err) = left(andor(&problem.run(&folder.path("whole"), &[])).output().unwrap());
    assert_eq!(code, 0, "{err}");
    let whole = began.elapsed();
    let n_whole = lines(Path::new(&folder.path("whole/progress.jsonl"))).len();
    assert_eq!(n_whole, STEPS + 1);
    let (mut killed, mut caught, mut n_told) = (0, BTreeSet::new(), 0);
    // Nobody sends: it measures a moment.
    let (_sender, moment) = mpsc::channel::<()>();
    for number in 0.. {
        let out = folder.path(&format!("run-{number}"));
        let file = Path::new(&out).join("progress.jsonl");
        let mut known: Vec<String> = Vec::new();
        let mut resume: &[&str] = &[];
        loop {
            let mut command = andor(&problem.run(&out, resume));
            command.env("RUST_LOG", "andor_engine=info");
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            if killed < kills {
                // Some moment after the next proofs, or before them.
                let wanted = known.len() + rng.random_range(0..3);
                while child.try_wait().unwrap().is_none() && lines(&file).len() < wanted {
                    let _ = moment.recv_timeout(Duration::from_millis(1));
                }
                let longest = if wanted == known.len() { whole } else { whole / STEPS as u32 };
                let after = longest.mul_f64(rng.random_range(0.0..1.0)).max(Duration::from_millis(1));
                let _ = moment.recv_timeout(after);
                child.kill().unwrap();
            }
            let (code, _, err) = left(child.wait_with_output().unwrap());
            let now = lines(&file);
            let told = err.matches(" is shared").count();
            assert!(known.len() + told <= now.len(), "seed {seed}, run {number}: {err}");
            n_told += told;
            assert!(now.starts_with(&known), "seed {seed}, run {number}: an accepted proof is lost");
            if code == 0 {
                check_end(&out, &known, &now);
                break;
            }
            assert_eq!(code, -1, "seed {seed}, run {number}: {err}");
            killed += 1;
            caught.insert(now.len());
            known = now;
            resume = if Path::new(&out).join("run.db").exists() { &["--resume"] } else { &[] };
        }
        std::fs::remove_dir_all(&out).unwrap();
        if killed >= kills {
            break;
        }
    }
    assert!(n_told > 0, "the program tells what it accepts");
    assert!(caught.len() > kills / 10, "the moments differ: {caught:?}");
}

/// The end of a run that began with these proofs and ended with those.
fn check_end(out: &str, known: &[String], now: &[String]) {
    let ours: BTreeSet<String> = signatures(now).into_iter().collect();
    assert_eq!((now.len(), ours.len()), (STEPS + 1, STEPS + 1), "no subgoal is proved twice");
    let text = std::fs::read_to_string(Path::new(out).join("results.jsonl")).unwrap();
    let result: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(result["outcome"], "accepted");
    let plans = std::fs::read_to_string(Path::new(out).join("plans.json")).unwrap();
    let plans: Value = serde_json::from_str(&plans).unwrap();
    assert_eq!(plans["plans"]["t"]["progress"], STEPS);
    // The program may have been killed after the result was stored: then nothing was done since.
    let sharing = &result["sharing"];
    if known.len() == now.len() && sharing["offered"] != 0 {
        return;
    }
    assert_eq!(sharing["confirmed"], known.len(), "{sharing}");
    assert_eq!((&sharing["found"], &sharing["failed"]), (&sharing["closed"], &json!(0)), "{sharing}");
    assert_eq!(sharing["closed"], known.len(), "{sharing}");
    assert_eq!((&sharing["refused"], &sharing["rejected"]), (&json!(0), &json!(0)), "{sharing}");
    // No tactic was tried at what was proved before.
    let graph = std::fs::read_to_string(Path::new(out).join("theorems/t/attempt-1/graph.json")).unwrap();
    let graph: Value = serde_json::from_str(&graph).unwrap();
    let known: BTreeSet<String> = signatures(known).iter().map(|s| s[..12].to_owned()).collect();
    let proved = graph["nodes"].as_array().unwrap().iter();
    let proved = proved.filter(|node| known.contains(node["goal_sig_strict"].as_str().unwrap()));
    let proved: Vec<&Value> = proved.map(|node| &node["id"]).collect();
    assert_eq!(proved.len(), known.len());
    for step in graph["steps"].as_array().unwrap() {
        assert!(!proved.contains(&&step["node"]) || !step["graft"].is_null(), "{step}");
    }
    let visited = graph["nodes"].as_array().unwrap().iter().filter(|node| proved.contains(&&node["id"]));
    assert!(visited.into_iter().all(|node| node["visit_count"] == 0), "proved twice");
}

#[test]
fn a_run_killed_at_any_moment_loses_no_proof_and_proves_none_twice() {
    let folder = Folder::new();
    kill_and_resume(&mini(&folder, 100), &folder, 30, 1);
}

#[test]
fn so_it_is_with_rocq() {
    let folder = Folder::new();
    kill_and_resume(&rocq(&folder, 5), &folder, 4, 2);
}

#[test]
fn results_say_that_attempts_are_not_independent() {
    let folder = Folder::new();
    let problem = mini(&folder, 0);
    let out = folder.path("run");
    // Three goals each.
    let limits = ["--pass-k", "8", "--max-iterations", "3"];
    let (code, text, err) = left(andor(&problem.run(&out, &limits)).output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert!(text.contains("attempts share what they prove of plans, so they are not independent"), "{text}");
    let (_, text, _) = left(andor(&["results", &out, "--json"]).output().unwrap());
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[1]["attempts_are_independent"], false);
    let estimate = |value: f64| json!({"value": value, "low": null, "high": null});
    assert_eq!(rows[0]["pass_at_k"]["2"], estimate(0.0), "{text}");
    assert_eq!(rows[0]["pass_at_k"]["4"], estimate(1.0), "{text}");
    assert_eq!(rows[0]["best"]["attempt"], 3, "{text}");
    let trace = Path::new(&out).join("theorems/t/attempt-2/trace.jsonl");
    let (code, text, err) = left(andor(&["verify", trace.to_str().unwrap()]).output().unwrap());
    assert!(code == 0 && text.ends_with("holds\n"), "{text}{err}");
    let (_, text, _) = left(andor(&["results", &out, "--theorem", "t"]).output().unwrap());
    assert!(text.contains("  plan: 8 steps, 3 proved, 3 of them from the first on\n"), "{text}");
    let shared =
        "  shared: 6 proofs found, 6 of them closed their goal; 3 proofs offered, 3 of them accepted\n";
    assert!(text.contains(shared), "{text}");
    let (code, _, err) = left(andor(&["run", &problem.file, "--share-progress", "run"]).output().unwrap());
    assert!(code != 0 && err.contains("--share-progress: needs --plan or --planner"), "{err}");
}
