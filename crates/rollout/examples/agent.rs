//! An agent that proves a theorem, with a model that answers by a script: `cargo run -p andor-rollout --example agent`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use andor_system_mini::MINI;
use std::sync::Arc;

use andor_config::Config;
use andor_core::theorem::Theorem;
use andor_engine::interactive::Interactive;
use andor_engine::registry::{self, OwnParts};
use andor_model::request::ToolCall;
use andor_model::{Answer, Choice, Scripted};
use andor_rollout::proof::{Parts, Proof, Verdicts};
use andor_rollout::search::{CallOrder, prune, select};
use andor_rollout::{Agent, AgentState, Child, Search, VerifyResult, turns};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The theorem, open in the embedded prover.
    let config = Config::default();
    let theorem = Theorem {
        id: "swap".to_owned(),
        name: "swap".to_owned(),
        system: MINI,
        header: String::new(),
        statement: "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p".to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    let means = registry::means(theorem.system, &config, 1, &OwnParts::default())?;
    let filter = registry::tactic_filter(theorem.system, &config);
    let open = Interactive::begin(means.workers, theorem, &config).await?;
    let (provider, verdicts) = (means.provider, Verdicts::default());
    let parts = Parts { config, provider, ranker: None, latencies: means.latencies, filter, verdicts };
    let proof = Proof::new(open, Arc::new(parts));

    // The agent: it splits the goal, then has the rest finished.
    let script = [("commit", r#"{"tactics": ["constructor"]}"#), ("finish", "{}"), ("submit", "{}")];
    let model = Scripted::new("script", move |_, number| {
        let (name, arguments) = script[usize::try_from(number).unwrap_or(0) % script.len()];
        let call = ToolCall { id: String::new(), name: name.to_owned(), arguments: arguments.to_owned() };
        let choice = Choice { tool_calls: vec![call], ..Choice::of_text("") };
        Ok(Answer { choices: vec![choice], ..Answer::of_texts([""; 0]) })
    });
    let agent = Agent::new(Arc::new(model));

    // One turn a step, and the best node first.
    let search = Search {
        select: select::best(),
        expand: Box::new(turns(agent, 1, 1)),
        prune: prune::none(),
        max_steps: 10,
        seed: 0,
        order: CallOrder::default(),
    };
    let state = AgentState::new(proof.task(), Arc::new(proof.clone()));
    let found = search.run(Child::new(state, VerifyResult::default())).await?;
    let solution = found.tree.solution().ok_or("no proof was found")?;
    for message in &found.tree.node(solution).state().ok_or("it is in memory")?.messages {
        println!("{:?}: {} {:?}", message.role, message.content, message.tool_calls);
    }
    Ok(())
}
