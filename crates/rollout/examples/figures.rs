//! What trees and turns cost: `cargo run --release -p andor-rollout --example figures -- MEASUREMENT [NODES]`.
//!
//! * `tree`, `shared`, `tuples`, `floor`: builds a tree of so many nodes with 4 children each, and says how many nodes a
//!   second it added and how many bytes of memory a node takes. `tree` is ours, `shared` is ours with a clone kept before
//!   every addition, `tuples` copies all nodes at every addition (as immutable tuples do), `floor` is plain mutable vectors.
//! * `back-up`: visits backed up from leaves, a second.
//! * `prefix`: the share of prompts that a server's cache could answer, by the order of calls and the size of the cache.
//! * `turn`: our own time per turn of an agent whose model answers at once.
//!
//! Memory is that of the process, so each measurement has one of its own.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_model::request::ToolCall;
use andor_model::{Answer, Choice, Message, Model, Scripted, seed::derived};
use andor_rollout::prefix::PrefixMeter;
use andor_rollout::puzzle::Puzzle;
use andor_rollout::search::{CallOrder, parallel, prune, select};
use andor_rollout::{
    Agent, AgentState, Child, Key, Search, Select, Tree, VerifyResult, beam, linear, make_root, turns,
};

const BRANCH: usize = 4;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let nodes: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    match what.as_str() {
        "tree" => built(nodes, || grown(nodes, false)),
        "shared" => built(nodes, || grown(nodes, true)),
        "tuples" => built(nodes, || tuples(nodes)),
        "floor" => built(nodes, || floor(nodes)),
        "back-up" => back_up(nodes),
        "prefix" => return prefix(),
        "turn" => return turn(),
        _ => return Err("say what to measure: tree, shared, tuples, floor, back-up, prefix or turn".into()),
    }
    Ok(())
}

/// Times the making of a tree, and measures what memory it takes.
fn built<T>(nodes: usize, make: impl Fn() -> T) {
    // The first is built to warm up, and small trees several times.
    let before = resident();
    let began = Instant::now();
    let first = make();
    let mut best = began.elapsed();
    let bytes = resident().saturating_sub(before);
    for _ in 0..if best < Duration::from_millis(200) { 50 } else { 2 } {
        let began = Instant::now();
        drop(black_box(make()));
        best = best.min(began.elapsed());
    }
    drop(first);
    let (speed, bytes) = (nodes as f64 / best.as_secs_f64(), bytes as f64 / nodes as f64);
    println!("{nodes} nodes: {speed:.0} nodes a second, {bytes:.0} bytes a node");
}

/// Resident memory of this process, in bytes.
fn resident() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}

fn score(number: usize) -> f64 {
    (derived(7, number as u64) % 1000) as f64 / 1000.0
}

fn grown(nodes: usize, shared: bool) -> Tree<usize> {
    let mut tree = make_root(0);
    let mut kept = None;
    while tree.len() < nodes {
        let parent = tree.frontier().next().expect("nothing is pruned").0;
        let first = tree.len();
        let children = (first..first + BRANCH).map(|n| Child::new(n, VerifyResult::scored(score(n))));
        if shared {
            kept = Some(tree.clone());
        }
        tree = tree.add_children(parent, children).expect("it is open");
    }
    drop(kept);
    tree
}

fn back_up(nodes: usize) {
    let mut tree = grown(nodes, false);
    let leaves: Vec<Key> = tree.frontier().map(|(key, _)| key).collect();
    let began = Instant::now();
    for leaf in &leaves {
        tree = tree.back_up(*leaf, Some(0.5));
    }
    let each = began.elapsed().as_secs_f64() / leaves.len() as f64;
    let depth = tree.node(*leaves.last().expect("there are leaves")).depth();
    println!("{nodes} nodes, depth {depth}: {:.0} visits a second", 1.0 / each);
}

/// The document's node.
#[derive(Clone)]
struct TupleNode {
    state: Arc<usize>,
    node_id: Arc<str>,
    parent_id: Option<Arc<str>>,
    depth: u32,
    score: Option<f64>,
    pruned: bool,
}

/// The document's tree: every addition makes new tuples of all nodes and of the frontier.
struct TupleTree {
    nodes: Arc<[TupleNode]>,
    frontier: Arc<[Arc<str>]>,
}

fn tuples(nodes: usize) -> TupleTree {
    let root = TupleNode {
        state: Arc::new(0),
        node_id: "0".into(),
        parent_id: None,
        depth: 0,
        score: None,
        pruned: false,
    };
    let mut tree = TupleTree { nodes: [root.clone()].into(), frontier: [root.node_id].into() };
    while tree.nodes.len() < nodes {
        let parent_id = Arc::clone(&tree.frontier[0]);
        let parent = tree.nodes.iter().find(|n| n.node_id == parent_id).expect("it is a node").clone();
        let mut all: Vec<TupleNode> = tree.nodes.to_vec();
        let mut frontier: Vec<Arc<str>> =
            tree.frontier.iter().filter(|id| **id != parent_id).cloned().collect();
        for i in 0..BRANCH {
            let node_id: Arc<str> = format!("{parent_id}.{i}").into();
            frontier.push(Arc::clone(&node_id));
            all.push(TupleNode {
                state: Arc::new(all.len()),
                node_id,
                parent_id: Some(Arc::clone(&parent_id)),
                depth: parent.depth + 1,
                score: Some(score(all.len())),
                pruned: false,
            });
        }
        tree = TupleTree { nodes: all.into(), frontier: frontier.into() };
    }
    black_box(tree.nodes.iter().filter(|n| n.pruned || n.score.is_none() || n.parent_id.is_none()).count());
    black_box(tree.nodes.iter().map(|n| *n.state).max());
    tree
}

/// A tree that is only ever changed: no more than the numbers.
struct FloorNode {
    state: Arc<usize>,
    parent: u32,
    children: Vec<u32>,
    score: f64,
}

fn floor(nodes: usize) -> (Vec<FloorNode>, std::collections::VecDeque<u32>) {
    let node = |state, parent| FloorNode {
        state: Arc::new(state),
        parent,
        children: Vec::new(),
        score: score(state),
    };
    let mut all = vec![node(0, 0)];
    let mut frontier = std::collections::VecDeque::from([0]);
    while all.len() < nodes {
        let parent = frontier.pop_front().expect("nothing is pruned");
        for _ in 0..BRANCH {
            let child = u32::try_from(all.len()).expect("it is no larger tree");
            all.push(node(all.len(), parent));
            all[parent as usize].children.push(child);
            frontier.push_back(child);
        }
    }
    black_box(all.iter().map(|n| (*n.state, n.parent, n.score > 0.5)).max());
    (all, frontier)
}

/// A model that adds 1, with so many words about it.
fn talkative(words: usize) -> Arc<dyn Model> {
    let call = ToolCall { id: String::new(), name: "add".to_owned(), arguments: r#"{"what": 1}"#.to_owned() };
    Arc::new(Scripted::new("talkative", move |request, _| {
        let seed = request.sampling.seed.unwrap_or_default();
        let text = (0..words).map(|i| format!("{} ", derived(seed, i as u64) % 10_000)).collect::<String>();
        let choice = Choice { tool_calls: vec![call.clone()], ..Choice::of_text(text) };
        Ok(Answer { choices: vec![choice], ..Answer::default() })
    }))
}

fn root() -> Child<AgentState> {
    let puzzle = Puzzle::new(1, 1_000_000);
    let messages = [Message::system("You make numbers of others. ".repeat(60)), puzzle.task()];
    Child::new(AgentState::new(messages, Arc::new(puzzle)), VerifyResult::default())
}

/// A beam of 8 with 4 branches each, for 10 steps of 2 turns. Its nodes are selected best first, by scores that have nothing
/// to do with their places.
fn prefix() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    for kib in [16, 64, 256, 1024, 1 << 20] {
        let mut shares = Vec::new();
        for order in [CallOrder::Prefix, CallOrder::Selected] {
            let meter = Arc::new(PrefixMeter::new(talkative(200), kib << 10));
            let agent = Agent::new(Arc::clone(&meter) as Arc<dyn Model>);
            let shuffled: Select<AgentState> = Box::new(|tree| {
                let mut all: Vec<Key> = select::all_frontier()(tree);
                all.sort_by_key(|key| derived(3, tree.id(*key).number()));
                all
            });
            let prune = prune::beam(8);
            let search =
                Search { order, prune, select: shuffled, ..beam(parallel(1, turns(agent, 2, 4)), 8, 10) };
            runtime.block_on(search.run(root()))?;
            shares.push(meter.shared());
        }
        let [ordered, selected] = [shares[0].share() * 100.0, shares[1].share() * 100.0];
        let sent = shares[0].sent as f64 / f64::from(1 << 20);
        println!(
            "cache {kib} KiB, {sent:.1} MiB sent: {ordered:.1} % by prefix, {selected:.1} % as selected"
        );
    }
    Ok(())
}

fn turn() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    for length in [10, 100, 1000] {
        let mut agent = Agent::new(talkative(20));
        agent.limits.turns = u32::MAX;
        let began = Instant::now();
        let result = runtime.block_on(linear(turns(agent, 1, 1), length).run(root()))?;
        let each = began.elapsed() / u32::try_from(result.steps)?;
        println!("{length} turns: {each:.1?} a turn, the scripted model's time included");
    }
    Ok(())
}
