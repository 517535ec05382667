//! Agents with real servers of language models.

use std::sync::Arc;

use andor_config::ToolCalls;
use andor_model::config::{Kind, ModelConfig};
use andor_model::request::Sampling;
use andor_model::{Http, Model};
use andor_rollout::agent::{Agent, Idle};
use andor_rollout::search::{CallOrder, End, parallel};
use andor_rollout::{Search, Stop, beam, linear, turns};
use andor_testkit::bigram;
use andor_testkit::llama::{Llama, Options};
use andor_testkit::peer::{Peer, Reply};
use serde_json::{Value, json};

use crate::agent::start;

fn http(url: &str) -> Arc<Http> {
    let config = ModelConfig {
        base_url: url.to_owned(),
        kind: Kind::Chat,
        model: "m".into(),
        ..ModelConfig::default()
    };
    Arc::new(Http::new(config, None).unwrap())
}

/// By a real llama.cpp server, whose model calls tools as text: it doubles, adds 1 or submits, by chance.
#[tokio::test]
async fn a_beam_search_solves_the_puzzle_with_a_real_server() {
    let call = |name: &str, arguments: &str| {
        format!("```tool\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n```")
    };
    let [double, add, submit] = [call("double", "{}"), call("add", "{\"what\": 1}"), call("submit", "{}")];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bigram.gguf");
    let after_a_point: &[(&str, f64)] = &[(&double, 0.5), (&add, 0.3), (&submit, 0.2)];
    bigram::write(&file, &[(b'.', after_a_point)]).unwrap();
    let llama = Llama::start(&file, &Options { slots: 4, context: 32768, ..Options::default() }).await;
    let model = http(&llama.url);
    let agent = Agent {
        tool_calls: ToolCalls::Text,
        sampling: Sampling { n: 1, temperature: 1.0, max_tokens: Some(8), ..Sampling::default() },
        idle: Idle::Remind("Call a tool.".into()),
        ..Agent::new(Arc::clone(&model) as Arc<dyn Model>)
    };
    let searched = async |width| {
        let expand = parallel(width, turns(agent.clone(), 1, 4));
        let search = Search { seed: 1, order: CallOrder::Prefix, ..beam(expand, 4, 12) };
        search.run(start(3, 14)).await.unwrap()
    };
    let result = searched(4).await;
    assert_eq!(result.end, End::Solved);
    let state = result.tree.node(result.tree.solution().unwrap()).state().unwrap();
    assert_eq!(state.stop, Some(Stop::Submitted));
    assert!(state.usage.input_tokens > 0 && state.usage.output_tokens > 0);
    let used = model.usage();
    assert_eq!(used.requests as usize, result.tree.len() - 1);
    // The same seeds, one after the other.
    let again = searched(1).await;
    let ids = |tree: &andor_rollout::Tree<_>| {
        tree.all_terminals().into_iter().map(|key| tree.id(key).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&again.tree), ids(&result.tree));
}

#[tokio::test]
async fn tools_go_through_the_interface_of_the_server() {
    let peer = Peer::start(|_, n| {
        let call = |id: &str, name: &str, arguments: &str| {
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        };
        let calls = match n {
            0 => vec![call("c1", "add", "{\"what\": oops")],
            1 => vec![call("c2", "add", "{\"what\": 1}"), call("c3", "double", "{}")],
            _ => vec![call("c4", "submit", "{}")],
        };
        Reply::Json(200, json!({ "model": "m", "choices": [{ "index": 0, "finish_reason": "tool_calls",
            "message": { "role": "assistant", "content": null, "tool_calls": calls } }],
            "usage": { "prompt_tokens": 100, "completion_tokens": 7 } }))
    })
    .await;
    let result = linear(turns(Agent::new(http(&peer.url)), 3, 1), 1).run(start(3, 8)).await.unwrap();
    assert_eq!(result.end, End::Solved);
    let received = peer.received();
    let bodies: Vec<&Value> = received.iter().map(|r| &r.body).collect();
    assert_eq!(bodies[0]["tools"][1]["function"]["name"], "add");
    assert_eq!(bodies[0]["tools"][1]["function"]["parameters"]["required"], json!(["what"]));
    let messages = |i: usize| bodies[i]["messages"].as_array().unwrap();
    // The arguments that were no JSON are sent as JSON, with what was wrong with them.
    assert_eq!(
        messages(1)[2]["tool_calls"][0]["function"]["arguments"],
        r#"{"unreadable":"{\"what\": oops"}"#
    );
    assert_eq!(messages(1)[3]["tool_call_id"], "c1");
    assert!(messages(1)[3]["content"].as_str().unwrap().contains("not valid JSON"));
    let results: Vec<&str> = messages(2)[5..].iter().map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(results, ["The number is 4.", "The number is 8."]);
    // Every conversation begins with the one before it.
    assert!(messages(2).starts_with(messages(1)) && messages(1).starts_with(messages(0)));
}
