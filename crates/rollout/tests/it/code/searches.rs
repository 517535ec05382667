//! Searches over agents that program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_rollout::agent::Agent;
use andor_rollout::code::{Code, Task};
use andor_rollout::search::{End, linear};
use andor_rollout::{AgentState, Child, VerifyResult, turns};
use serde_json::json;

use super::HONEST;
use crate::models::{calling, model};

pub(super) fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/code/sum")
}

#[tokio::test]
async fn a_task_in_a_folder_is_solved_by_a_model_that_is_told_what_fails() {
    let code = Code::new(Arc::new(Task::open(&example()).unwrap())).await.unwrap();
    let right = "import math, sys\nnumbers = [int(line) for line in sys.stdin]\n\
                 print(math.prod(numbers) if sys.argv[1:] == ['product'] else sum(numbers))\n";
    let learner = model("learner", move |asked| {
        let content = if asked.told().contains("tests fail: product (") { right } else { HONEST };
        calling(&[("write", &json!({ "path": "main.py", "content": content }).to_string())])
    });
    let state = AgentState::new(code.task(), Arc::new(code));
    let search = linear(turns(Agent::new(learner), 1, 1), 5);
    let result = search.run(Child::new(state, VerifyResult::default())).await.unwrap();
    assert_eq!((result.end, result.steps), (End::Solved, 2));
}
