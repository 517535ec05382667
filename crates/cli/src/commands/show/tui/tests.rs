//! States of the screen.

use std::io::Write;
use std::path::Path;

use andor_artifact::version::{Kind, Opening};
use andor_view::search::Search;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::draw::draw;
use super::screen::{Flow, Screen};

fn node(name: &str, goal: &str) -> Value {
    json!({ "mvar_id": name, "goal_type": goal, "goal_coarse": "0", "goal_key": "0", "value": null })
}

/// The n-th iteration: at the second goal of the one before it, one tactic fails, and one leaves `wide` goals.
fn iteration(n: u64, wide: u64) -> Value {
    let name = |n: u64| if n == 0 { "cp0:0".to_owned() } else { format!("cp{n}:1") };
    let children: Vec<String> = (0..wide).map(|at| format!("cp{n}:{at}")).collect();
    let attempt = |tactic: String, outcome: &str, error: Option<&str>| {
        json!({
            "tactic": tactic, "outcome": outcome, "timestamp_ms": n, "tactic_norm": "", "goal_sig": "0",
            "child_mvar_ids": if error.is_none() { json!(children) } else { json!([]) }, "goal_sig_strict": "0",
            "goal_type": "g", "block_reason": null, "provider_id": "heuristic", "error": error,
        })
    };
    json!({
        "event": "iteration", "iteration": n, "reason": "expanded", "agent_id": 0, "timestamp_ms": 10 * n,
        "collision": false, "selected_path": (0..n).map(name).collect::<Vec<_>>(),
        "node": {
            "mvar_id": name(n - 1), "goal_type": "g", "goal_sig": "0", "goal_sig_strict": format!("{n:012x}"),
            "visit_count": 1, "success_count": 1.0, "is_terminal": false, "is_dead": false, "depth": n - 1,
        },
        "tactics": [{ "tactic": "fails", "score": -0.25 }, { "tactic": format!("tactic {n}"), "score": -1.5 }],
        "attempts": [
            attempt("fails".into(), "failure", Some("no\u{1b}[2Jsuch\nlemma")),
            attempt(format!("tactic {n}"), "success", None),
        ],
        "expanded": true, "terminal_reached": false, "backprop_success": true,
        "tree": { "nodes": 1, "expansions": n, "max_depth": n, "solved": false, "aborted": false, "inflight": 0 },
        "new_nodes": children.iter().map(|child| node(child, &format!("goal {child}"))).collect::<Vec<_>>(),
        "next_score": -3.0, "value": null, "block": null, "delay": null, "reroute": [],
    })
}

/// A folder with the trace of a search whose last iteration leaves no goals if `closes`.
fn folder(iterations: u64, wide: u64, closes: bool) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = vec![
        json!(Opening::new(Kind::Trace)),
        json!({
            "event": "start", "theorem": "t", "system": "mini", "statement_digest": "0", "config": {},
            "root": node("cp0:0", "the \u{202e}root"),
        }),
    ];
    lines.extend((1..=iterations).map(|n| iteration(n, if closes && n == iterations { 0 } else { wide })));
    append(folder.path(), &lines);
    folder
}

fn append(folder: &Path, lines: &[Value]) {
    let path = folder.join("trace.jsonl");
    let mut file = fs_err::OpenOptions::new().create(true).append(true).open(path).unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    file.write_all(text.as_bytes()).unwrap();
}

struct Seen {
    screen: Screen,
    terminal: Terminal<TestBackend>,
}

impl Seen {
    fn new(folder: &Path, width: u16, height: u16) -> Self {
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        Self { screen: Screen::new(Search::open(folder)), terminal }
    }

    fn press(&mut self, code: KeyCode) -> Flow {
        self.screen.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn types(&mut self, keys: &str) {
        for key in keys.chars() {
            assert_eq!(self.press(KeyCode::Char(key)), Flow::On, "{key}");
        }
    }

    fn lines(&mut self) -> Vec<String> {
        self.terminal.draw(|frame| draw(&mut self.screen, frame)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let rows = buffer.content.chunks(width);
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned())
            .collect()
    }

    fn has(&mut self, text: &str) {
        let lines = self.lines();
        assert!(lines.iter().any(|line| line.contains(text)), "{text}: {lines:#?}");
    }

    fn has_not(&mut self, text: &str) {
        let lines = self.lines();
        assert!(!lines.iter().any(|line| line.contains(text)), "{text}: {lines:#?}");
    }
}

#[test]
fn the_tree_is_folded_and_its_items_are_explained() {
    let folder = folder(3, 2, false);
    let mut seen = Seen::new(folder.path(), 120, 30);
    let lines = seen.lines();
    assert!(lines[0].ends_with("7 nodes, 3 steps"), "{lines:#?}");
    assert!(lines[1].starts_with("The search has not ended"), "{lines:#?}");
    assert!(lines[2].starts_with("▾ ? ⊢ the \\u202eroot  3 visits"), "{lines:#?}");
    assert!(lines[3].starts_with("  ▾ ? tactic 1  -1.50"), "{lines:#?}");
    for shown in ["? open", "Candidates: 2", "✗ fails", "failure, log-prior -0.25, heuristic,"] {
        seen.has(shown);
    }
    seen.has("no\\u001b[2Jsuch");
    seen.types(" ");
    seen.has("▸ ? ⊢ the");
    seen.has_not("? tactic 1  -1.50");
    seen.press(KeyCode::Right);
    seen.press(KeyCode::Right);
    seen.has("2 goals left");
    assert_eq!(seen.press(KeyCode::Char('q')), Flow::End);
}

#[test]
fn a_search_is_replayed_and_searched() {
    let folder = folder(4, 2, true);
    let mut seen = Seen::new(folder.path(), 120, 30);
    seen.has("iteration 4 of 4, 0.04 s: expanded  7 nodes, 1 proved, 0 exhausted");
    seen.types(",,");
    seen.has("iteration 2 of 4, 0.02 s: expanded  5 nodes, 0 proved");
    seen.has_not("tactic 3");
    seen.types("0");
    seen.has("start of 4  1 node, 0 proved");
    seen.types("p");
    seen.has("there is no proof at this time");
    seen.types("$/TACTIC 4");
    seen.has("/TACTIC 4▏");
    seen.press(KeyCode::Enter);
    seen.has("0 goals left");
    seen.types("/nowhere");
    seen.press(KeyCode::Enter);
    seen.has("no goal or tactic contains `nowhere`");
    seen.types("?");
    seen.has("the next goal or tactic of the proof");
    seen.types("x");
    seen.has_not("the next goal or tactic of the proof");
    let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(seen.screen.key(ctrl_c), Flow::End);
}

#[test]
fn a_proof_is_walked_through() {
    let folder = folder(1, 0, true);
    let mut seen = Seen::new(folder.path(), 120, 30);
    seen.has("✓ ⊢ the");
    seen.types("p");
    seen.has("✓ proved");
    seen.has("0 goals left");
    seen.types("p");
    seen.has("Candidates: 2");
}

#[test]
fn a_search_that_is_on_is_followed() {
    let folder = folder(1, 2, false);
    let mut seen = Seen::new(folder.path(), 120, 30);
    append(folder.path(), &[iteration(2, 2)]);
    seen.screen.refresh();
    seen.has("iteration 2 of 2");
    // Who looks at an earlier time is left there.
    seen.types(",");
    append(folder.path(), &[iteration(3, 2)]);
    seen.screen.refresh();
    seen.has("iteration 1 of 3");
    fs_err::write(folder.path().join("trace.jsonl"), "").unwrap();
    seen.screen.refresh();
    seen.has("There is nothing to show.");
    seen.types("p/a");
    seen.press(KeyCode::Enter);
    seen.types(" *-s,");
    seen.press(KeyCode::Left);
    seen.lines();
}

#[test]
fn broken_and_large_searches_are_shown() {
    let folder = folder(200, 500, false);
    fs_err::OpenOptions::new()
        .append(true)
        .open(folder.path().join("trace.jsonl"))
        .unwrap()
        .write_all(b"{]\n")
        .unwrap();
    let mut seen = Seen::new(folder.path(), 60, 20);
    seen.has("100001 nodes");
    seen.has("Only a part of the search is shown: line 203");
    seen.types("*");
    seen.press(KeyCode::End);
    seen.has("? ⊢ goal cp1:499");
}
