//! An agent on a real language-model server, with a model whose answers are known: it acts by the last byte of what it is
//! told.

use andor_artifact::result::Outcome;
use andor_config::{AgentConfig, AgentPreset, Config, ToolCalls};
use andor_engine::models;
use andor_rollout::journal;
use andor_rollout::proof::JOURNAL;
use andor_testkit::bigram;
use andor_testkit::llama::{Llama, Options};

use super::proof::{config, in_mini, made_by};

/// Goals end in `p` or `q`, sentences in a period. Only some of the calls help, and one is broken.
const CALLS: &[(&str, f64)] = &[
    ("```tool\n{\"name\": \"commit\", \"arguments\": {\"tactics\": [\"constructor\"]}}\n```", 0.3),
    ("```tool\n{\"name\": \"commit\", \"arguments\": {\"tactics\": [\"exact h.2\"]}}\n```", 0.2),
    ("```tool\n{\"name\": \"commit\", \"arguments\": {\"tactics\": [\"exact h.1\"]}}\n```", 0.2),
    ("```tool\n{\"name\": \"try\", \"arguments\": {\"tactics\": [\"exact h\", \"rfl\"]}}\n```", 0.2),
    ("```tool\n{\"name\": \"prove\"", 0.1),
];

#[tokio::test]
async fn an_agent_on_a_real_server_proves_it_in_a_beam() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bigram.gguf");
    bigram::write(&file, &[(b'p', CALLS), (b'q', CALLS), (b'.', CALLS)]).unwrap();
    // A token of this model is a byte, and a conversation has thousands.
    let server = Llama::start(&file, &Options { slots: 2, context: 1 << 16, ..Options::default() }).await;
    let agent = AgentConfig {
        preset: AgentPreset::Beam,
        tool_calls: ToolCalls::Text,
        branch: Some(4),
        width: Some(3),
        max_steps: Some(12),
        parallel: Some(2),
        ..AgentConfig::default()
    };
    let config = config(agent);
    let agent = config.agent.clone().map(|agent| AgentConfig { model: server.url.clone(), ..agent });
    let mut config = Config { agent, ..config };
    config.llm.temperature = Some(1.0);
    let acting = models::acting(&config, None).unwrap().unwrap();
    let out = folder.path().join("attempt");
    let result = made_by(in_mini(), config, acting, Some(out.clone())).await;
    assert_eq!(result.outcome, Outcome::Accepted, "{result:#?}");
    assert!(result.spent.model.completion_tokens > 0, "{result:#?}");
    let tree = journal::read(&out.join(JOURNAL)).unwrap().tree;
    assert_eq!(tree.objection(), None);
    // Branches of a node said different things.
    assert!(tree.nodes().any(|(key, _)| {
        let digests: Vec<_> = tree.children(key).map(|(_, child)| child.digest()).collect();
        digests.iter().any(|digest| *digest != digests[0])
    }));
}
