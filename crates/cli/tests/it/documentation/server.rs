//! A language model that knows what the pages ask for.

use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::{Value, json};

/// What is tried, in this order, whoever asks for tactics.
const TACTICS: [&str; 8] =
    ["tauto", "exact ⟨h.2, h.1⟩", "intro h", "lia", "simp_all", "omega", "constructor", "assumption"];

/// Solves the task `examples/code/sum`.
const PROGRAM: &str = "import math, sys\nn = [int(line) for line in sys.stdin]\n\
                       print(math.prod(n) if sys.argv[1:] == ['product'] else sum(n))\n";

pub(super) async fn start() -> Peer {
    Peer::start(|request, _| {
        if request.line.starts_with("GET") {
            return Reply::Json(200, json!({ "object": "list", "data": [{ "id": "m", "object": "model" }] }));
        }
        let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5 });
        let choices =
            if request.line.contains("/chat/completions") { chat(request) } else { tactics(request) };
        Reply::Json(
            200,
            json!({ "id": "1", "object": "completion", "model": "m", "choices": choices, "usage": usage }),
        )
    })
    .await
}

/// As many tactics as are asked for.
fn tactics(request: &Received) -> Value {
    let n = request.body["n"].as_u64().unwrap_or(1) as usize;
    let choice = |at: usize| {
        let text = TACTICS[at % TACTICS.len()];
        let logprobs = json!({ "tokens": [text], "token_logprobs": [-0.1 - at as f64], "text_offset": [0] });
        json!({ "index": at, "text": text, "finish_reason": "stop", "logprobs": logprobs })
    };
    (0..n).map(choice).collect()
}

/// An agent calls the tool that ends its task; a planner states what leads to `my_lemma`.
fn chat(request: &Received) -> Value {
    let tools = request.body["tools"].to_string();
    let call = |name: &str, arguments: Value| {
        let function = json!({ "name": name, "arguments": arguments.to_string() });
        json!({ "role": "assistant", "content": "", "tool_calls": [{ "id": "c", "type": "function", "function": function }] })
    };
    let message = if tools.contains("\"finish\"") {
        // Branches differ by their seeds.
        match request.body["seed"].as_u64().unwrap_or(1) % 2 {
            0 => call("goals", json!({})),
            _ => call("finish", json!({})),
        }
    } else if tools.contains("\"write\"") {
        call("write", json!({ "path": "main.py", "content": PROGRAM }))
    } else {
        let plan = match request.body.to_string().contains("assert (") {
            true => "```coq\nassert (h1 : q /\\ p).\n```",
            false => "```lean\nhave h1 : a = c\nhave h2 : c = a\n```",
        };
        json!({ "role": "assistant", "content": plan })
    };
    json!([{ "index": 0, "message": message, "finish_reason": "stop" }])
}
