//! Searches that are killed and taken up again, and trees larger than memory.

use std::path::Path;
use std::sync::Arc;

use andor_model::{Model, ModelError, Record, Recorded, Replay, Scripted};
use andor_rollout::agent::Agent;
use andor_rollout::journal::{self, Agents, Journal, JournalError, Plain};
use andor_rollout::puzzle::Puzzle;
use andor_rollout::search::{End, expand_by, parallel, prune};
use andor_rollout::{
    AgentState, Child, Expansion, Search, Tree, VerifyResult, beam, best_first, mcts, turns,
};
use serde_json::{Value, json};

use crate::agent::start;
use crate::models::wanderer;

fn codec() -> Agents {
    Agents { environment: Arc::new(Puzzle::new(1, 1)) }
}

async fn begun(path: &Path) -> Journal<AgentState> {
    Journal::create(path, codec(), json!({ "preset": "of the test" }), start(1, 50)).await.unwrap()
}

/// Everything about a tree but how long it took. States are read from the journal.
async fn outline(tree: &Tree<AgentState>, journal: &mut Journal<AgentState>) -> Vec<String> {
    let mut lines = Vec::new();
    for (key, node) in tree.nodes() {
        let state = journal.state(tree, key).await.unwrap();
        let environment = state.environment.serialize().await.unwrap();
        lines.push(format!(
            "{} {:?} {:?} {} {:?} {:?} {} {environment} {:?} {} {:?} {:?}",
            tree.id(key),
            node.verdict(),
            node.pruned(),
            node.visits(),
            node.mean(),
            node.digest(),
            node.cost(),
            state.messages,
            state.turns,
            state.stop,
            state.branch,
        ));
    }
    lines
}

type Make = fn(Arc<dyn Model>) -> Search<AgentState>;

fn in_beam(model: Arc<dyn Model>) -> Search<AgentState> {
    let prune = prune::compose([prune::duplicates(), prune::beam(3)]);
    Search { seed: 5, prune, ..beam(parallel(4, turns(Agent::new(model), 2, 3)), 3, 6) }
}

fn by_mcts(model: Arc<dyn Model>) -> Search<AgentState> {
    Search { seed: 6, prune: prune::duplicates(), ..mcts(turns(Agent::new(model), 1, 2), 0.5, 25) }
}

/// Cuts the journal off as if the program had been killed while it wrote this byte, and goes on.
async fn killed_at(bytes: usize, whole: &[u8], folder: &Path, make: Make) -> (End, Vec<String>) {
    let path = folder.join(format!("killed-at-{bytes}.jsonl"));
    std::fs::write(&path, &whole[..bytes]).unwrap();
    let mut journal = Journal::open(&path, codec()).unwrap();
    assert_eq!(journal.settings(), &json!({ "preset": "of the test" }));
    let result = make(wanderer(50)).run_in(&mut journal).await.unwrap();
    assert_eq!(result.tree.objection(), None);
    let outline = outline(&result.tree, &mut journal).await;
    std::fs::remove_file(&path).unwrap();
    (result.end, outline)
}

async fn a_killed_search_goes_on_the_same(make: Make) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.jsonl");
    let mut journal = begun(&path).await;
    let result = make(wanderer(50)).run_in(&mut journal).await.unwrap();
    assert!(result.tree.len() > 30, "{}", result.tree.len());
    let expected = outline(&result.tree, &mut journal).await;
    let without = make(wanderer(50)).run(start(1, 50)).await.unwrap();
    assert_eq!(without.tree.len(), result.tree.len());

    let whole = std::fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..whole.len()).filter(|i| whole[*i] == b'\n').map(|i| i + 1).collect();
    // After the root: at 20 moments, at ends of lines, next to them, and in between.
    for moment in 0..20 {
        let line = 2 + moment * (ends.len() - 2) / 20;
        let bytes = match moment % 4 {
            0 => ends[line],
            1 => ends[line] - 1,
            2 => ends[line - 1] + 1,
            _ => (ends[line - 1] + ends[line]) / 2,
        };
        let (end, outline) = killed_at(bytes, &whole, folder.path(), make).await;
        assert_eq!(end, result.end);
        assert_eq!(outline, expected, "killed at byte {bytes}");
    }
}

#[tokio::test]
async fn a_killed_beam_search_goes_on_the_same() {
    a_killed_search_goes_on_the_same(in_beam).await;
}

#[tokio::test]
async fn a_killed_mcts_goes_on_the_same() {
    a_killed_search_goes_on_the_same(by_mcts).await;
}

#[tokio::test]
async fn a_branch_that_has_ended_is_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.jsonl");
    // The server fails at the seventh request.
    let asked = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = |fails_at: u64, asked: Arc<std::sync::atomic::AtomicU64>| -> Arc<dyn Model> {
        let inner = wanderer(50);
        Arc::new(Scripted::new("wanderer", move |request, n| {
            if n == fails_at {
                return Err(ModelError::Unreachable { message: "gone".into() });
            }
            asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            futures(&*inner, request)
        }))
    };
    let sequential = |model| Search { seed: 5, ..beam(turns(Agent::new(model), 1, 3), 3, 4) };
    let mut journal = begun(&path).await;
    let failing = sequential(counted(7, Arc::clone(&asked)));
    assert!(failing.run_in(&mut journal).await.is_err());
    // In the same program, and then in another.
    let result = sequential(counted(3, Arc::clone(&asked))).run_in(&mut journal).await;
    assert!(result.is_err());
    let mut journal = Journal::open(&path, codec()).unwrap();
    let result = sequential(counted(u64::MAX, Arc::clone(&asked))).run_in(&mut journal).await.unwrap();
    assert_eq!(result.tree.len() as u64, 1 + asked.load(std::sync::atomic::Ordering::Relaxed));
    let expected = sequential(wanderer(50)).run(start(1, 50)).await.unwrap();
    assert_eq!(result.tree.len(), expected.tree.len());
}

fn futures(model: &dyn Model, request: &andor_model::Request) -> Result<andor_model::Answer, ModelError> {
    futures_util::FutureExt::now_or_never(model.ask(request)).unwrap().map_err(|failed| failed.error)
}

#[tokio::test]
async fn a_longer_search_begins_where_a_shorter_one_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.jsonl");
    let mut journal = begun(&path).await;
    for max_steps in [2, 2, 7] {
        let search = Search { max_steps, ..by_mcts(wanderer(50)) };
        let result = search.run_in(&mut journal).await.unwrap();
        assert_eq!((result.end, result.steps), (End::Steps, max_steps));
    }
    let search = Search { max_steps: 7, ..by_mcts(wanderer(50)) };
    let expected = search.run(start(1, 50)).await.unwrap();
    assert_eq!(journal::read(&path).unwrap().tree.len(), expected.tree.len());
}

#[tokio::test]
async fn a_tree_larger_than_memory_is_the_same_tree() {
    let folder = tempfile::tempdir().unwrap();
    let expected = {
        let mut journal = begun(&folder.path().join("all.jsonl")).await;
        let result = by_mcts(wanderer(50)).run_in(&mut journal).await.unwrap();
        assert_eq!(journal.traffic(), (0, 0));
        outline(&result.tree, &mut journal).await
    };
    for limit in [0, 3_000, 10_000] {
        let mut journal = begun(&folder.path().join(format!("{limit}.jsonl"))).await.limit_memory(limit);
        let result = by_mcts(wanderer(50)).run_in(&mut journal).await.unwrap();
        let (evicted, recalled) = journal.traffic();
        assert!(evicted > 0 && (recalled > 0 || limit > 0), "{limit}: {evicted} {recalled}");
        let held: usize = result.tree.nodes().filter(|(_, node)| node.state().is_some()).count();
        assert!(held < result.tree.len(), "{held}");
        assert_eq!(outline(&result.tree, &mut journal).await, expected);
    }
}

#[tokio::test]
async fn the_least_promising_states_are_evicted_first() {
    let folder = tempfile::tempdir().unwrap();
    let five = expand_by(5, |branch: &Expansion<u64>| {
        vec![Child::new(u64::from(branch.branch), VerifyResult::scored(f64::from(branch.branch) / 5.0))]
    });
    let root = Child::new(9, VerifyResult::default());
    let path = folder.path().join("numbers.jsonl");
    let mut journal = Journal::create(&path, Plain, Value::Null, root).await.unwrap().limit_memory(500);
    let result = best_first(five, 0.0, 9, 1).run_in(&mut journal).await.unwrap();
    let held: Vec<bool> = result.tree.nodes().map(|(_, node)| node.state().is_some()).collect();
    // The root has children, so it goes before them.
    assert_eq!(held, [false, false, false, false, true, true]);
    let worst = result.tree.find(&"0.0".parse().unwrap()).unwrap();
    assert_eq!(*journal.state(&result.tree, worst).await.unwrap(), 0);
}

#[tokio::test]
async fn a_tree_can_be_read_without_its_environments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.jsonl");
    let mut journal = begun(&path).await;
    let result = in_beam(wanderer(50)).run_in(&mut journal).await.unwrap();
    let recorded = journal::read(&path).unwrap();
    assert_eq!((recorded.tree.len(), recorded.steps), (result.tree.len(), result.steps));
    for (key, node) in result.tree.nodes() {
        let read = recorded.tree.node(key);
        assert_eq!((read.verdict(), read.pruned()), (node.verdict(), node.pruned()));
        assert_eq!((read.visits(), read.mean()), (node.visits(), node.mean()));
        let messages: Vec<_> = node.state().unwrap().messages.iter().map(|m| (**m).clone()).collect();
        assert_eq!(journal::conversation(&recorded.tree, key).unwrap(), messages);
    }
}

/// A conversation is written once, however long the branch.
#[tokio::test]
async fn a_journal_grows_with_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.jsonl");
    let mut journal = begun(&path).await;
    let adding = crate::models::model("adding", |_| crate::models::calling(&[("add", r#"{"what": 1}"#)]));
    let search = andor_rollout::linear(turns(Agent::new(adding), 1, 1), 40);
    search.run_in(&mut journal).await.unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let lengths: Vec<usize> =
        text.lines().filter(|line| line.contains("\"event\":\"branch\"")).map(str::len).collect();
    assert_eq!(lengths.len(), 40);
    // Ids are paths, and grow.
    assert!(lengths[39] < lengths[5] + 150, "{} {}", lengths[5], lengths[39]);
}

#[tokio::test]
async fn equal_records_give_equal_trees() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.gz");
    let recorded: Arc<dyn Model> =
        Arc::new(Recorded::new(wanderer(50), Arc::new(Record::open(&file).unwrap())));
    let mut one = begun(&folder.path().join("one.jsonl")).await;
    let result = in_beam(Arc::clone(&recorded)).run_in(&mut one).await.unwrap();
    drop(recorded);
    let replay = Replay::open(&file, None).unwrap();
    let mut two = begun(&folder.path().join("two.jsonl")).await;
    let again = in_beam(Arc::new(replay)).run_in(&mut two).await.unwrap();
    assert_eq!(outline(&again.tree, &mut two).await, outline(&result.tree, &mut one).await);
}

#[tokio::test]
async fn what_is_no_journal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout.jsonl");
    let mut journal = begun(&path).await;
    in_beam(wanderer(50)).run_in(&mut journal).await.unwrap();
    let again = Journal::create(&path, codec(), Value::Null, start(1, 50)).await;
    assert!(matches!(again, Err(JournalError::Io(_))));
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let broken = folder.path().join("broken.jsonl");
    let error = |lines: &[&str]| {
        std::fs::write(&broken, lines.join("\n") + "\n").unwrap();
        journal::read(&broken).unwrap_err().to_string()
    };
    assert!(error(&["{}"]).contains("line 1"));
    assert!(error(&lines[..1]).contains("the root is missing"));
    assert!(
        error(&[lines[0], lines[2]]).contains("line 2: the first line after the opening is not the root")
    );
    assert!(error(&[lines[0], lines[1], lines[1]]).contains("line 3: there are two roots"));
    assert!(error(&[lines[0], lines[1], lines[3]]).contains("line 3: a line of step 0 is out of place"));
    assert!(error(&[lines[0], lines[1], "{\"event\":\"nonsense\"}"]).contains("line 3: unknown variant"));
    let missing = lines[2].replace("\"selected\":[\"0\"]", "\"selected\":[\"0.7\"]");
    assert!(error(&[lines[0], lines[1], &missing]).contains("line 3: the tree has no node 0.7"));
}
