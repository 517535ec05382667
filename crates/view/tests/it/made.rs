//! Folders of runs, made by hand.

use std::path::{Path, PathBuf};

use andor_artifact::files::write_json;
use andor_artifact::folders::attempt_folder;
use andor_artifact::graph::{Graph, GraphNode, GraphStep};
use andor_artifact::result::{AttemptResult, Outcome, ProofStep, Role};
use andor_artifact::version::{Kind, Opening};
use andor_core::tree::Status;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The folder of a run.
pub(crate) struct Made(pub(crate) TempDir);

impl Made {
    pub(crate) fn new() -> Self {
        let made = Self(tempfile::tempdir().unwrap());
        made.append("results.jsonl", &json!(Opening::new(Kind::Results)));
        made
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    /// Adds a line to a file.
    pub(crate) fn append(&self, file: &str, line: &Value) {
        self.append_text(file, &format!("{line}\n"));
    }

    pub(crate) fn append_text(&self, file: &str, text: &str) {
        let path = self.0.path().join(file);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = fs_err::OpenOptions::new().create(true).append(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    }

    /// Adds the result of an attempt.
    pub(crate) fn result(&self, theorem: &str, attempt: u32, outcome: Outcome) {
        let mut result = AttemptResult::empty(theorem.into(), "mini".into(), attempt, Role::Configured, 7);
        result.outcome = outcome;
        result.stop_reason = if outcome == Outcome::Accepted { "proved" } else { "iterations" }.into();
        result.spent.iterations = 10 + u64::from(attempt);
        if outcome == Outcome::Accepted {
            result.source = Some(format!("theorem {theorem} : goal 0 := by\n  tactic 0\n  tactic 1\n"));
            let step = |n| ProofStep {
                state: format!("h : hypothesis {n}\n⊢ goal {n}"),
                tactic: format!("tactic {n}"),
                log_prior: -0.5,
                took_ms: 1.0,
                graft: None,
            };
            result.proof_steps = vec![step(0), step(1)];
        }
        self.append("results.jsonl", &json!(result));
    }

    /// The file of an attempt's search, relative to the run.
    pub(crate) fn trace(&self, theorem: &str, attempt: u32) -> String {
        let folder = attempt_folder(Path::new(""), theorem, attempt);
        folder.join("trace.jsonl").to_str().unwrap().to_owned()
    }

    /// Adds the trace of a search that goes deeper with each iteration: each leaves an open goal beside the next one.
    pub(crate) fn search(&self, theorem: &str, attempt: u32, iterations: u64) {
        let trace = self.trace(theorem, attempt);
        self.append(&trace, &json!(Opening::new(Kind::Trace)));
        self.append(&trace, &start(theorem, "goal 0"));
        for n in 1..=iterations {
            self.append(&trace, &iteration(n));
        }
    }

    /// Writes the tree at the end with the nodes that `search` makes.
    pub(crate) fn graph(&self, theorem: &str, attempt: u32, iterations: u64) {
        let node = |id: u64, name: String| GraphNode {
            id: format!("n{id}"),
            goals: vec![format!("h : hypothesis {id}\n⊢ {name}")],
            mvar_id: name,
            goal_sig: format!("{id:012x}"),
            goal_sig_strict: format!("{id:012x}"),
            textual_sig: false,
            status: Status::Open,
            depth: 0,
            visit_count: 1,
            success_count: 1.0,
            value: 0.25,
            distance: None,
        };
        let mut nodes = vec![node(0, "cp0:0".into())];
        for n in 1..=iterations {
            nodes.push(node(2 * n - 1, format!("cp{n}:0")));
            nodes.push(node(2 * n, format!("cp{n}:1")));
        }
        let step = |n: u64| GraphStep {
            id: format!("s{}", n - 1),
            node: format!("n{}", 2 * (n - 1)),
            tactic: format!("tactic {n}"),
            log_prior: -1.5,
            status: Status::Open,
            children: vec![format!("n{}", 2 * n - 1), format!("n{}", 2 * n)],
            took_ms: None,
            graft: None,
        };
        let steps = (1..=iterations).map(step).collect();
        let graph = Graph {
            opening: Opening::new(Kind::Graph),
            theorem: theorem.to_owned(),
            tree_digest: String::new(),
            nodes,
            steps,
        };
        write_json(&attempt_folder(self.0.path(), theorem, attempt).join("graph.json"), &graph).unwrap();
    }
}

fn new_node(name: &str, goal: &str) -> Value {
    json!({ "mvar_id": name, "goal_type": goal, "goal_coarse": "0", "goal_key": "0", "value": null })
}

/// The first record of a trace.
pub(crate) fn start(theorem: &str, goal: &str) -> Value {
    json!({
        "event": "start", "theorem": theorem, "system": "mini", "statement_digest": "0", "config": {},
        "root": new_node("cp0:0", goal),
    })
}

/// The n-th iteration, at the second goal of the one before it. One candidate fails, one leaves two goals.
pub(crate) fn iteration(n: u64) -> Value {
    let name = |n: u64| if n == 0 { "cp0:0".to_owned() } else { format!("cp{n}:1") };
    let at = name(n - 1);
    let children = [format!("cp{n}:0"), name(n)];
    let attempt = |tactic: &str, outcome: &str, error: Value| {
        json!({
            "tactic": tactic, "outcome": outcome, "child_mvar_ids": if error.is_null() { json!(children) } else { json!([]) },
            "timestamp_ms": n, "tactic_norm": tactic, "goal_sig": "0", "goal_sig_strict": "0", "goal_type": "g",
            "block_reason": null, "provider_id": "heuristic", "error": error,
        })
    };
    json!({
        "event": "iteration", "iteration": n, "reason": "expanded", "agent_id": n % 2, "timestamp_ms": 10 * n,
        "collision": false, "selected_path": (0..n).map(name).collect::<Vec<_>>(),
        "node": {
            "mvar_id": at, "goal_type": format!("goal {}", n - 1), "goal_sig": "0",
            "goal_sig_strict": format!("{:012x}", 2 * (n - 1)), "visit_count": 1, "success_count": 1.0,
            "is_terminal": false, "is_dead": false, "depth": n - 1,
        },
        "tactics": [{ "tactic": "fails", "score": -0.25 }, { "tactic": format!("tactic {n}"), "score": -1.5 }],
        "attempts": [
            attempt("fails", "failure", json!("there is no such thing")),
            attempt(&format!("tactic {n}"), "success", Value::Null),
        ],
        "expanded": true, "terminal_reached": false, "backprop_success": true,
        "tree": { "nodes": 2 * n + 1, "expansions": n, "max_depth": n, "solved": false, "aborted": false, "inflight": 0 },
        "new_nodes": [new_node(&children[0], "aside"), new_node(&children[1], &format!("goal {n}"))],
        "next_score": -3.0, "value": null, "block": null, "delay": null, "reroute": [],
    })
}

/// The last record of a trace.
pub(crate) fn abort(n: u64) -> Value {
    json!({
        "event": "abort", "iteration": n, "reason": "iterations", "tree_digest": "0",
        "tree": { "nodes": 2 * n + 1, "expansions": n, "max_depth": n, "solved": false, "aborted": true, "inflight": 0 },
    })
}
