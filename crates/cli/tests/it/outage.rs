//! Models that are gone in the middle of a run: it pauses, ends, and goes on when it is resumed.

use std::sync::atomic::{AtomicUsize, Ordering};

use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::{Value, json};

use crate::agent::run;
use crate::support::Folder;

/// A server that answers so many questions of searches, and then no more, nor the probe.
async fn gone(after: usize, status: u16) -> Peer {
    let asked = AtomicUsize::new(0);
    Peer::start(move |r, _| {
        if r.line.starts_with("GET") {
            return listed();
        }
        let is_probe = r.body.to_string().contains("1 + 1 = 2");
        let before = asked.fetch_add(usize::from(!is_probe), Ordering::Relaxed);
        match before < after || (is_probe && before == 0) {
            true => answered(r),
            false => Reply::Json(status, json!({ "error": { "message": "gone" } })),
        }
    })
    .await
}

fn listed() -> Reply {
    Reply::Json(200, json!({ "data": [{ "id": "m" }] }))
}

/// Answers with what proves every theorem here, and no node of the blueprint.
fn answered(r: &Received) -> Reply {
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5 });
    let n = r.body["n"].as_u64().unwrap_or(1);
    let arguments = json!({ "tactics": ["exact h"] }).to_string();
    let call =
        json!({ "id": "c", "type": "function", "function": { "name": "commit", "arguments": arguments } });
    let choice = |index: u64| match r.line.contains("/chat/") {
        true => json!({ "index": index, "finish_reason": "stop",
            "message": { "role": "assistant", "content": "exact h", "tool_calls": [call] } }),
        false => json!({ "index": index, "finish_reason": "stop", "text": "exact h" }),
    };
    let choices: Vec<Value> = (0..n).map(choice).collect();
    Reply::Json(200, json!({ "choices": choices, "usage": usage }))
}

fn theorems() -> String {
    (0..8).map(|i| format!("theorem t{i} (p q : Prop) (h : p) : p := sorry\n")).collect()
}

fn blueprint() -> String {
    let node = |i| format!("[[nodes]]\nname = \"t{i}\"\nstatement = \"∀ (p : Prop), p → p\"\n");
    "system = \"mini\"\n".to_owned() + &(0..8).map(node).collect::<String>()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_model_is_gone_pauses_ends_and_can_be_resumed() {
    let folder = Folder::new();
    let (file, nodes) = (folder.write("f.lean", &theorems()), folder.write("bp.toml", &blueprint()));
    let of_theorems = ["run", &file, "--system", "mini"];
    let of_blueprint = ["run", &nodes];
    let of_agent = ["agent", "prove", &file, "--system", "mini"];
    for (name, kind, statuses) in [
        ("run", &of_theorems[..], &[401, 500][..]),
        ("blueprint", &of_blueprint, &[401]),
        ("agent", &of_agent, &[401]),
    ] {
        for &status in statuses {
            let server = gone(2, status).await;
            let out = folder.path(&format!("{name}-{status}"));
            let config = folder.write("models.toml", &configured(&server.url, name));
            let given =
                [kind, &["--model", "m", "--config", &config, "--out", &out, "--time", "none"]].concat();
            let (code, _, err) = run(&given).await;
            assert!(code > 1, "{name} {status}: {err}");
            assert!(err.contains("4 attempts in a row failed; the run pauses"), "{name} {status}: {err}");
            assert!(
                err.contains("the run ends here; continue the run with --resume"),
                "{name} {status}: {err}"
            );
            drop(server);
            // With the model, all the rest is done.
            let server =
                Peer::start(|r, _| if r.line.starts_with("GET") { listed() } else { answered(r) }).await;
            folder.write("models.toml", &configured(&server.url, name));
            let (code, _, err) = run(&[&given[..], &["--resume"]].concat()).await;
            assert!(code < 2, "{name} {status}: {err}");
            let (_, table, _) = run(&["results", &out]).await;
            assert!(!table.contains("failed"), "{name} {status}: {table}");
        }
    }
}

/// A model that is asked without pauses.
fn configured(url: &str, name: &str) -> String {
    let kind = if name == "agent" { "chat" } else { "completions" };
    format!(
        "[models.m]\nbase_url = \"{url}\"\nkind = \"{kind}\"\nretries = {{ pause_s = 0.0, tries = 2 }}\n\
         timeouts = {{ ready_poll_s = 0.01, wait_s = 0.1 }}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_whose_attempts_failed_is_not_said_to_be_unproved() {
    let folder = Folder::new();
    let node = "system = \"mini\"\n[[nodes]]\nname = \"a\"\nstatement = \"∀ (p : Prop), p → p\"\n";
    let (file, out) = (folder.write("bp.toml", node), folder.path("RUN"));
    let server = gone(0, 401).await;
    let config = folder.write("models.toml", &configured(&server.url, "blueprint"));
    let given = ["run", &file, "--model", "m", "--config", &config, "--out", &out];
    let (code, table, err) = run(&given).await;
    assert!(code > 1, "{err}");
    assert!(table.contains("failed") && !table.contains("not proved"), "{table}{err}");
}
