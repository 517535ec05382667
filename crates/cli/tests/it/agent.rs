//! Agents that prove theorems, from the command line to their results: with a server whose answers are known.

use std::path::Path;
use std::process::{Child, Stdio};

use crate::support::{Folder, andor, left};
use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::{Value, json};

const SWAP: &str = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p";

/// The answer of a chat server: text, and calls of tools.
fn answer(text: &str, calls: &[(&str, Value)]) -> Reply {
    let call = |(place, (name, arguments)): (usize, &(&str, Value))| {
        json!({ "id": format!("c{place}"), "type": "function",
            "function": { "name": name, "arguments": arguments.to_string() } })
    };
    let calls: Vec<Value> = calls.iter().enumerate().map(call).collect();
    let message = json!({ "role": "assistant", "content": text, "tool_calls": calls });
    let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5 });
    Reply::Json(
        200,
        json!({ "id": "1", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage }),
    )
}

fn models() -> Reply {
    Reply::Json(200, json!({ "object": "list", "data": [{ "id": "m", "object": "model" }] }))
}

/// What was said last in a request that is not the agent's.
fn told(request: &Received) -> String {
    let messages = request.body["messages"].as_array().cloned().unwrap_or_default();
    let mut told = messages.iter().rev().filter(|message| message["role"] != "assistant");
    told.next().map_or(String::new(), |message| message["content"].as_str().unwrap_or_default().to_owned())
}

/// Tries something wrong, then commits what is right.
pub(crate) async fn learner(right: &'static str) -> Peer {
    Peer::start(move |request, _| {
        if request.line.starts_with("GET") {
            return models();
        }
        match request.body.to_string().contains("fails:") {
            true => answer("I see.", &[("commit", json!({ "tactics": [right] }))]),
            false => answer("", &[("try", json!({ "tactics": ["exact nonsense"] }))]),
        }
    })
    .await
}

/// Acts by the seed of the request.
async fn wanderer() -> Peer {
    Peer::start(|request, _| {
        if request.line.starts_with("GET") {
            return models();
        }
        if told(request).contains("No goals are left") {
            return answer("", &[("submit", json!({}))]);
        }
        let tactics = ["constructor", "exact h.1", "exact h.2", "have k := h", "exact h", "cases h"];
        let seed = request.body["seed"].as_u64().unwrap_or(0) as usize;
        match seed % 8 {
            0 => answer("", &[("undo", json!({}))]),
            1 => answer("", &[("try", json!({ "tactics": tactics }))]),
            n => answer("", &[("commit", json!({ "tactics": [tactics[n - 2]] }))]),
        }
    })
    .await
}

/// Runs the program beside the server, which needs this thread's runtime.
pub(crate) async fn run(args: &[&str]) -> (i32, String, String) {
    let mut command = andor(args);
    left(tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_in_mini_and_one_in_rocq() {
    let rocq = "Theorem swap : forall p q : Prop, p /\\ q -> q /\\ p.";
    for (statement, right, ends) in
        [(SWAP, "exact ⟨h.2, h.1⟩", "exact ⟨h.2, h.1⟩"), (rocq, "intros p q h; split; apply h", "Qed.")]
    {
        let server = learner(right).await;
        let folder = Folder::new();
        let out = folder.path("RUN");
        let given =
            ["agent", "prove", "--statement", statement, "--model", &server.url, "--out", &out, "--record"];
        let (code, proof, err) = run(&given).await;
        assert_eq!(code, 0, "{err}");
        assert!(proof.trim_end().ends_with(ends), "{proof}");
        assert!(err.contains("proved (level 3, rechecked"), "{err}");

        let (code, results, err) = run(&["results", &out]).await;
        assert_eq!(code, 0, "{err}");
        assert!(results.contains("proved"), "{results}");
        let (code, verified, _) = run(&["verify", &out]).await;
        assert!(
            code == 0 && verified.contains("1 proof judged again and accepted: 1 at level 3"),
            "{verified}"
        );
        let (_, shown, _) = run(&["show", &out]).await;
        assert!(shown.contains("✓ 0.0.0  score 1.00"), "{shown}");
        assert!(shown.contains("tool: 1. `exact nonsense` fails"), "{shown}");
        let (_, dot, _) = run(&["show", &out, "--dot"]).await;
        assert!(dot.starts_with("digraph") && dot.contains("n1 -> n2;"), "{dot}");
        let (code, rows, err) = run(&["export", &out, "--format", "trajectories"]).await;
        assert_eq!(code, 0, "{err}");
        let row: Value = serde_json::from_str(rows.trim()).unwrap();
        assert_eq!(row["messages"][0]["role"], "system");
        assert_eq!(row["credits"].as_array().unwrap().len(), row["messages"].as_array().unwrap().len());

        // From the record, without the server, everything is the same.
        drop(server);
        let again = folder.path("AGAIN");
        let replay = format!("replay={out}");
        let given = ["agent", "prove", "--statement", statement, "--model", &replay, "--out", &again];
        let (code, repeated, err) = run(&given).await;
        assert_eq!((code, &repeated), (0, &proof), "{err}");
        assert_eq!(digest(&again).await, digest(&out).await);
    }
}

async fn digest(run: &str) -> Value {
    let (code, text, err) = self::run(&["show", run, "--json"]).await;
    assert_eq!(code, 0, "{err}");
    serde_json::from_str::<Value>(&text).unwrap()["tree_digest"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_without_tools_are_asked_by_text() {
    let server = Peer::start(|request, _| {
        if request.line.starts_with("GET") {
            return models();
        }
        if !request.body["tools"].is_null() {
            return Reply::Json(400, json!({ "error": { "message": "tools are not supported" } }));
        }
        let call = |text: &str| answer(&format!("Now:\n```tool\n{text}\n```"), &[]);
        match told(request) {
            told if told.contains("No goals are left") => call(r#"{"name": "submit"}"#),
            _ => call(r#"{"name": "commit", "arguments": {"tactics": ["exact ⟨h.2, h.1⟩"]}}"#),
        }
    })
    .await;
    let given = ["agent", "prove", "--statement", SWAP, "--model", &server.url];
    let (code, _, err) = run(&given).await;
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("tools are not supported") && err.contains("--tool-calls text"), "{err}");
    let (code, proof, err) = run(&[&given[..], &["--tool-calls", "text"]].concat()).await;
    assert_eq!(code, 0, "{err}");
    assert!(proof.contains("exact ⟨h.2, h.1⟩"), "{proof}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_explained() {
    let server = learner("trivial").await;
    let model = ["--model", server.url.as_str()];
    for (options, wanted) in [
        (&[][..], "--model: name the language model"),
        (&["--model", "nobody"], "nobody"),
        (&["--model", "replay=nowhere"], "nowhere"),
        (&["--model", "replay="], "replay=RUN"),
        (&[model[0], model[1], "--preset", "magic"], "invalid value 'magic'"),
        (&[model[0], model[1], "--width", "3"], "--width: needs --preset beam"),
        (&[model[0], model[1], "--branch", "2"], "--branch: must be 1 with --preset linear"),
        (&[model[0], model[1], "--max-steps", "0"], "--max-steps: must be at least 1"),
        (&[model[0], model[1], "--record"], "--record needs a folder"),
        (&[model[0], model[1], "--resume"], "--out"),
    ] {
        let (code, out, err) = run(&[&["agent", "prove", "--statement", SWAP], options].concat()).await;
        assert_eq!((code, out.as_str()), (2, ""), "{options:?}: {err}");
        assert!(err.contains(wanted), "{options:?}: {err}");
    }
}

/// At how many moments each search is killed.
const MOMENTS: u64 = 10;

/// A run of the program in a folder.
struct Run {
    program: Child,
}

impl Run {
    fn start(args: &[&str]) -> Self {
        let program = andor(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        Self { program }
    }

    /// Kills the program by force once the journal has so many bytes, or the program has ended.
    fn kill_at(mut self, journal: &Path, bytes: u64) {
        loop {
            let long = std::fs::metadata(journal).is_ok_and(|journal| journal.len() >= bytes);
            if long || self.program.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::yield_now();
        }
        // SIGKILL, as with `kill -9`. The program may have ended already.
        let _ = self.program.kill();
        self.program.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_is_killed_goes_on_and_ends_with_the_same_tree() {
    let beam = ["--preset", "beam", "--branch", "3", "--width", "2", "--max-steps", "8"];
    let mcts = ["--preset", "mcts", "--max-steps", "20"];
    for preset in [&beam[..], &mcts] {
        let server = wanderer().await;
        let folder = Folder::new();
        let command = |out: &str, more: &[&str]| {
            let fixed = [
                "agent",
                "prove",
                "--statement",
                SWAP,
                "--model",
                &server.url,
                "--parallel",
                "2",
                "--seed",
                "5",
            ];
            let all = [&fixed[..], preset, &["--out", out], more].concat();
            all.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let whole = folder.path("WHOLE");
        let args = command(&whole, &[]);
        let (code, _, err) = run(&args.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert!(code <= 1, "{err}");
        let journal = |run: &str| Path::new(run).join("theorems/swap/attempt-1/rollout.jsonl");
        let length = std::fs::metadata(journal(&whole)).unwrap().len();
        // Probes of the server are no conversations.
        let turns = || {
            let messages = |request: &Received| request.body["messages"].as_array().map_or(0, Vec::len);
            server.received().iter().filter(|request| messages(request) > 1).count()
        };
        let of_whole = turns();
        for part in 0..MOMENTS {
            let out = folder.path(&format!("RUN{part}"));
            let args = command(&out, &[]);
            let path = journal(&out);
            let killed = tokio::task::spawn_blocking(move || {
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                Run::start(&args).kill_at(&path, length * part / MOMENTS + 1);
            });
            killed.await.unwrap();
            // Only complete lines count, and each branch is one turn.
            let kept = std::fs::read_to_string(journal(&out)).unwrap_or_default();
            let kept = kept.rsplit_once('\n').map_or("", |(lines, _)| lines);
            let kept = kept.lines().filter(|line| line.contains("\"event\":\"branch\"")).count();
            let before = turns();
            let args = command(&out, &["--resume"]);
            let (code, _, err) = run(&args.iter().map(String::as_str).collect::<Vec<_>>()).await;
            assert!(code <= 1, "part {part}: {err}");
            assert_eq!(digest(&out).await, digest(&whole).await, "part {part} of {preset:?}");
            assert_eq!(
                turns() - before,
                of_whole - kept,
                "part {part} of {preset:?}: no branch is made again"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_may_say_how_the_agent_is() {
    let server = wanderer().await;
    let example = include_str!("../../../../examples/agents.toml");
    let folder = Folder::new();
    let file = folder.write("agents.toml", &example.replace("http://127.0.0.1:8000/v1", &server.url));
    let out = folder.path("RUN");
    let given = ["agent", "prove", "--statement", SWAP, "--config", &file, "--out", &out, "--pass-k", "2"];
    let (code, _, err) = run(&given).await;
    assert!(code <= 1, "{err}");
    let record: Value =
        serde_json::from_str(&fs_err::read_to_string(format!("{out}/run.json")).unwrap()).unwrap();
    let agent = &record["config"]["agent"];
    assert_eq!((&agent["preset"], &agent["branch"]), (&json!("beam"), &json!(4)), "{agent}");
    // Another preset comes without the parts of the file's.
    let linear = ["--preset", "linear", "--max-steps", "3"];
    let (code, _, err) = run(&[&given[..6], &linear].concat()).await;
    assert!(code <= 1, "{err}");
    let (code, _, err) = run(&[&given[..6], &["--preset", "mcts", "--width", "3"]].concat()).await;
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("--width: needs --preset beam"), "{err}");
    // Other commands need no agent.
    let (code, _, err) = run(&["prove", "--statement", SWAP, "--config", &file]).await;
    assert_eq!(code, 0, "{err}");
}
