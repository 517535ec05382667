//! What a reader is told: which run, what came of it and why, texts in full.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use andor::{CancellationToken, Config, Event, Prover, RunRequest};
use andor_artifact::version::{Kind, Opening};
use andor_view::{Server, Window};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::Browser;
use crate::made::{Made, iteration, start};
use crate::page::click_root;

const THEOREMS: &str = "\
theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by sorry

theorem a_rather_long_name (alpha beta gamma delta : Prop) :
    (alpha ∧ beta → gamma) ∧ (gamma → delta) → (alpha → beta → gamma ∨ delta) ∧ (alpha → beta → delta) := by sorry

theorem unknown (p : Prop) : p → r := by sorry
";

/// Two runs over the same theorems: `good` has enough time, `short` one iteration.
async fn runs(folder: &TempDir) -> Vec<PathBuf> {
    let file = folder.path().join("theorems.lean");
    fs_err::write(&file, THEOREMS).unwrap();
    let mut runs = Vec::new();
    for (name, iterations) in [("good", None), ("short", Some(1))] {
        let mut config = Config::default();
        config.budget.max_iterations = iterations;
        let problems = andor::read_dataset(&file, None, None).unwrap().problems;
        let out = folder.path().join(name);
        let request = RunRequest { out: Some(out.clone()), ..Prover::new(config).run_request(problems) };
        let told = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
        andor::run(&request, &CancellationToken::new(), told).await.unwrap();
        runs.push(out);
    }
    runs
}

async fn served(runs: &[PathBuf]) -> String {
    let server = Server::bind(Window::open(runs).unwrap(), 0).await.unwrap();
    let url = server.url();
    tokio::spawn(server.run());
    url
}

/// Goes to a row and waits for its panel.
async fn row(browser: &Browser, url: &str, at: &str) {
    browser.open(&format!("{url}#row={at}")).await;
    browser.until("return !!document.getElementById('panel').innerText").await;
}

async fn text(browser: &Browser, id: &str) -> String {
    browser.text(&format!("return document.getElementById('{id}').innerText")).await
}

const CELLS: &str = "return [...document.querySelectorAll('tr.row')].map((row) => \
     [...row.cells].filter((cell) => !/^[0-9.]*$/.test(cell.textContent) || cell.className === 'differ').map((cell) => cell.textContent))";

#[tokio::test]
async fn runs_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let url = served(&runs(&folder).await).await;
    let browser = Browser::start().await;
    browser.open(&url).await;
    let heads = "return [...document.querySelectorAll('th')].map((head) => head.innerText.replace(/\\s+/g, ' ').trim())";
    let expected = [
        "Theorem",
        "≠",
        "good Outcome",
        "good Iterations",
        "good Seconds",
        "short Outcome",
        "short Iterations",
        "short Seconds",
    ];
    assert_eq!(browser.script(heads).await, json!(expected));
    let rows = browser.script(CELLS).await;
    let (proved, not, refused) = (&rows[0][2], &rows[0][3], &rows[2][2]);
    assert_eq!(rows[0], json!(["swap", "≠", proved, not]), "{rows}");
    assert_eq!(rows[2], json!(["unknown", "", refused, refused]), "{rows}");
    let count = text(&browser, "count").await;
    assert_eq!(count, "3 of 3 theorems, good proved 2, short proved 0, 2 differ");
    for width in [1400, 600, 2560] {
        browser.widen(width).await;
        browser.screenshot(&format!("two-runs-{width}")).await;
        let clipped = browser
            .script("return document.documentElement.scrollWidth > document.documentElement.clientWidth")
            .await;
        assert_eq!(clipped, false, "{width}");
    }
    browser.widen(1400).await;
    // Those that differ first; a cell opens the search of its run, the name both.
    browser.script("document.querySelectorAll('th button')[1].click()").await;
    assert_eq!(browser.script(CELLS).await[2][0], "unknown");
    browser.script("document.querySelector('tr.row').cells[5].click()").await;
    browser.until("return document.title.startsWith('swap')").await;
    let header = browser.until("return document.getElementById('where').innerText").await;
    assert!(header.as_str().unwrap().starts_with("short: swap, attempt 1"), "{header}");
    browser.script("location.hash = ''").await;
    browser.until("return !document.getElementById('list').hidden").await;
    browser.script("document.querySelector('tr.row').cells[0].click()").await;
    browser.until("return document.querySelectorAll('.pane canvas').length === 2").await;
    browser.screenshot("two-searches").await;
    // One run alone is a table of its attempts.
    browser.script("location.hash = ''").await;
    browser
        .script(
            "const run = document.getElementById('run'); run.value = 'short'; run.dispatchEvent(new Event('input'))",
        )
        .await;
    assert_eq!(browser.script("return document.querySelectorAll('th').length").await, 10);
    assert_eq!(browser.complaints().await, [] as [String; 0]);
}

#[tokio::test]
async fn the_header_says_what_came_of_a_theorem_and_the_panel_why() {
    let folder = tempfile::tempdir().unwrap();
    let runs = runs(&folder).await;
    let results = andor::read_run(&runs[1]).unwrap().results;
    let url = served(&runs).await;
    let browser = Browser::start().await;
    // Of the first run, then of the second.
    for (at, name) in [("0", "proved"), ("3", "not-proved"), ("2", "refused")] {
        row(&browser, &url, at).await;
        for width in [1400, 600, 2560] {
            browser.widen(width).await;
            browser.screenshot(&format!("{name}-{width}")).await;
        }
        browser.widen(1400).await;
        let pressed =
            browser.text("return document.querySelector('#side nav [aria-pressed=true]').textContent").await;
        let (statement, header) = (text(&browser, "statement").await, text(&browser, "where").await);
        let panel = text(&browser, "panel").await;
        assert_eq!(pressed, if name == "proved" { "Proof" } else { "Attempt" });
        match name {
            "proved" => {
                assert_eq!(statement, "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p");
                assert!(panel.contains("theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by"), "{panel}");
            }
            "not-proved" => {
                let why = &results.iter().find(|result| result.theorem == "swap").unwrap().stop_detail;
                assert!(header.contains(why) && panel.contains(why), "{why}: {header}, {panel}");
            }
            _ => {
                assert!(panel.contains("unknown identifier `r`"), "{panel}");
                assert!(header.contains("unknown identifier `r`"), "{header}");
                assert_eq!(browser.script("return document.querySelectorAll('.pane').length").await, 0);
                assert_eq!(browser.script("return document.getElementById('notes').hidden").await, true);
                let wide = "return document.getElementById('side').offsetWidth === innerWidth";
                assert_eq!(browser.script(wide).await, true, "the panel has the place of the tree");
            }
        }
        assert_eq!(browser.complaints().await, [] as [String; 0]);
    }
}

/// Notes every text that is drawn from now on: what, its left end, its right end, and the width of the canvas.
const DRAWN: &str = "window.drawn = []; const draw = CanvasRenderingContext2D.prototype.fillText; \
     CanvasRenderingContext2D.prototype.fillText = function (text, x, y) { \
       const wide = this.measureText(text).width, from = this.textAlign === 'right' ? x - wide : x; \
       window.drawn.push([text, from, from + wide, this.canvas.clientWidth]); draw.call(this, text, x, y); }";

#[tokio::test]
async fn labels_are_read_in_full() {
    let made = Made::new();
    let trace = made.trace("long", 1);
    made.append(&trace, &json!(Opening::new(Kind::Trace)));
    let goal = "nested (".repeat(30);
    made.append(&trace, &start("long", &goal));
    let words = "induction_on the_first_variable generalizing hypothesis_one hypothesis_two with the_induction_hypothesis";
    let whole: String = (1..9).map(|n| format!("summand_{n} + ")).collect();
    for n in 1..=3 {
        let mut step = iteration(n);
        step["attempts"][1]["tactic"] = json!(words);
        step["tactics"][1]["tactic"] = json!(words);
        step["new_nodes"][0]["goal_type"] = json!(whole);
        made.append(&trace, &step);
    }
    let browser = Browser::start().await;
    let url = served(&[made.path()]).await;
    for width in [1400, 600, 2560] {
        browser.widen(width).await;
        browser.open(&format!("{url}#row=0")).await;
        browser.until("const c = document.querySelector('.pane canvas'); return c && c.dataset.nodes").await;
        browser.script(DRAWN).await;
        browser.script("document.getElementById('fit').click()").await;
        let drawn = browser.until("return window.drawn.length ? window.drawn : null").await;
        browser.screenshot(&format!("labels-{width}")).await;
        let drawn = drawn.as_array().unwrap();
        for label in drawn {
            let [from, to, room] = [1, 2, 3].map(|at| label[at].as_f64().unwrap());
            assert!(from >= 0.0 && to <= room, "{width}: {label} is clipped");
            let text = label[0].as_str().unwrap();
            assert!(!text.ends_with('…') || text.chars().count() > 6, "{width}: `{text}`");
        }
        let texts: Vec<&str> = drawn.iter().map(|label| label[0].as_str().unwrap()).collect();
        if width > 600 {
            let all = texts.concat().replace(' ', "");
            assert_eq!(all.matches(&words.replace(' ', "")).count(), 3, "{width}: {texts:?}");
        }
    }
    // What a label has no room for is shown when the mouse is over the node.
    browser.widen(1400).await;
    click_root(&browser).await;
    browser
        .until(&format!("return document.getElementById('tip').innerText.includes('{}')", goal.trim()))
        .await;
}

#[tokio::test]
async fn virtual_time_is_said_to_be() {
    for (clock, said) in [("virtual", "0.02 s of virtual time: expanded"), ("wall", "0.02 s: expanded")] {
        let made = Made::new();
        let trace = made.trace("timed", 1);
        made.append(&trace, &json!(Opening::new(Kind::Trace)));
        let mut begin = start("timed", "goal 0");
        begin["config"] = json!({ "clock": clock });
        made.append(&trace, &begin);
        made.append(&trace, &iteration(1));
        made.append(&trace, &iteration(2));
        let browser = Browser::start().await;
        browser.open(&format!("{}#row=0", served(&[made.path()]).await)).await;
        let now = text(&browser, "now").await;
        assert!(now.contains(said), "{now}");
    }
}

fn message(role: &str, content: &str) -> Value {
    json!({ "role": role, "content": content })
}

fn state(shared: usize, messages: &[Value], solved: bool) -> Value {
    json!({
        "state": { "shared": shared, "messages": messages }, "score": null, "valid": true, "terminal": solved,
        "feedback": null, "stopped": solved, "cost": 3, "digest": null,
    })
}

#[tokio::test]
async fn the_conversation_of_an_agent_is_read() {
    let made = Made::new();
    let file = made.trace("talk", 1).replace("trace.jsonl", "rollout.jsonl");
    made.append(&file, &json!(Opening::new(Kind::Rollout)));
    let first = [message("system", "You prove theorems."), message("user", "Prove swap.")];
    made.append(&file, &json!({ "event": "root", "settings": {}, "node": state(0, &first, false) }));
    let call = |tactic: &str| {
        let arguments = json!({ "tactics": [tactic, "exact h.1"] }).to_string();
        json!({
            "role": "assistant", "content": "I split it.",
            "tool_calls": [{ "id": "c0", "name": "commit", "arguments": arguments }],
        })
    };
    let tool = json!({ "role": "tool", "content": "No goals are left.", "tool_call_id": "c0" });
    made.append(&file, &json!({ "event": "step", "step": 0, "selected": ["0"] }));
    for (branch, tactic, solved) in [(0, "constructor <b>", true), (1, "nonsense", false)] {
        let children = [state(2, &[call(tactic), tool.clone()], solved)];
        made.append(
            &file,
            &json!({ "event": "branch", "step": 0, "parent": "0", "branch": branch, "children": children }),
        );
    }
    made.append(&file, &json!({ "event": "pruned", "step": 0, "pruned": [] }));
    let browser = Browser::start().await;
    row(&browser, &served(&[made.path()]).await, "0").await;
    browser.until("return document.getElementById('panel').innerText.includes('Conversation')").await;
    let panel = text(&browser, "panel").await;
    // The one that led to the solution.
    for said in [
        "Conversation (4 messages)",
        "system",
        "user\nProve swap.",
        "assistant\nI split it.\ncommit\nconstructor <b>\nexact h.1",
        "tool\nNo goals are left.",
    ] {
        assert!(panel.contains(said), "{said}: {panel}");
    }
    assert!(!panel.contains("nonsense") && !panel.contains("You prove theorems."), "{panel}");
    browser.screenshot("conversation").await;
    assert_eq!(browser.complaints().await, [] as [String; 0]);
}
