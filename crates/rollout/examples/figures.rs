//! What trees and turns cost: `cargo run --release -p andor-rollout --example figures -- MEASUREMENT [NODES]`.
//!
//! * `tree`, `shared`, `tuples`, `floor`: builds a tree of so many nodes with 4 children each, and says how many nodes a
//!   second it added and how many bytes of memory a node takes. `tree` is ours, `shared` is ours with a clone kept before
//!   every addition, `tuples` copies all nodes at every addition (as immutable tuples do), `floor` is plain mutable vectors.
//! * `back-up`: visits backed up from leaves, a second.
//! * `prefix`: the share of prompts that a server's cache could answer, by the order of calls and the size of the cache.
//! * `evict`: a search in a journal, with states of 1 KiB and 8 MiB of memory for them.
//! * `turn`: our own time per turn of an agent whose model answers at once.
//!
//! Time is processor time, and memory is that of the process, so each measurement has one of its own.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use andor_model::request::ToolCall;
use andor_model::seed::derived;
use andor_model::{Answer, Choice, Message, Model, Request, Unanswered};
use andor_rollout::journal::Plain;
use andor_rollout::prefix::PrefixMeter;
use andor_rollout::puzzle::Puzzle;
use andor_rollout::search::{CallOrder, expand_by, parallel, select};
use andor_rollout::{
    Agent, AgentState, Child, Expansion, Journal, Key, Prune, PruneReason, Search, Select, Tree,
    VerifyResult, beam, linear, make_root, turns,
};
use async_trait::async_trait;

const BRANCH: usize = 4;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let nodes: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    match what.as_str() {
        "tree" => built(nodes, || grown(nodes, false)),
        "shared" => built(nodes, || grown(nodes, true)),
        "tuples" => tuples(nodes),
        "floor" => built(nodes, || floor(nodes)),
        "back-up" => back_up(nodes),
        "prefix" => return prefix(),
        "evict" => return evict(nodes),
        "turn" => return turn(),
        _ => {
            return Err(
                "say what to measure: tree, shared, tuples, floor, back-up, evict, prefix or turn".into()
            );
        }
    }
    Ok(())
}

/// Times the making of a tree, and measures what memory it takes.
fn built<T>(nodes: usize, make: impl Fn() -> T) {
    let before = resident();
    let first = make();
    let bytes = resident().saturating_sub(before) as f64 / nodes as f64;
    let began = used();
    let mut made = 0;
    while made == 0 || (used() - began) < Duration::from_secs(1) {
        drop(black_box(make()));
        made += 1;
    }
    let speed = (made * nodes) as f64 / (used() - began).as_secs_f64();
    drop(first);
    println!("{nodes} nodes: {speed:.0} nodes a second, {bytes:.0} bytes a node");
}

/// Processor time of this process, which has one thread. The time of other programs does not count.
fn used() -> Duration {
    let text = fs_err::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// Resident memory of this process, in bytes.
fn resident() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}

fn score(number: usize) -> f64 {
    (number.wrapping_mul(2_654_435_761) % 1000) as f64 / 1000.0
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
    let began = used();
    let mut visits = 0;
    while (used() - began) < Duration::from_millis(300) {
        for leaf in &leaves {
            tree = tree.back_up(*leaf, Some(0.5));
        }
        visits += leaves.len();
    }
    let speed = visits as f64 / (used() - began).as_secs_f64();
    let depth = tree.node(*leaves.last().expect("there are leaves")).depth();
    println!("{nodes} nodes, depth {depth}: {speed:.0} visits a second");
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

/// A tree of so many nodes, to which as many additions are made as take a second. To make all of it so would take days.
fn tuples(nodes: usize) {
    let before = resident();
    let mut all = Vec::with_capacity(nodes);
    all.push(tuple_node(0, None, 0, 0));
    let mut parents = 0;
    while all.len() < nodes {
        let parent = all[parents].clone();
        let new = (0..BRANCH).map(|i| tuple_node(all.len() + i, Some(&parent.node_id), parent.depth + 1, i));
        let new: Vec<TupleNode> = new.collect();
        all.extend(new);
        parents += 1;
    }
    let frontier = all[parents..].iter().map(|node| Arc::clone(&node.node_id)).collect();
    let mut tree = TupleTree { nodes: all.into(), frontier };
    let bytes = resident().saturating_sub(before) as f64 / nodes as f64;
    let began = used();
    let mut added = 0;
    while (used() - began) < Duration::from_secs(1) {
        tree = tree.add_children();
        added += BRANCH;
    }
    let speed = added as f64 / (used() - began).as_secs_f64();
    let check = tree
        .nodes
        .iter()
        .filter(|node| !node.pruned && node.score.is_some() && node.parent_id.is_some())
        .map(|node| *node.state);
    black_box(check.max());
    println!("{nodes} nodes: {speed:.0} nodes a second at this size, {bytes:.0} bytes a node");
}

fn tuple_node(state: usize, parent_id: Option<&Arc<str>>, depth: u32, place: usize) -> TupleNode {
    let node_id = parent_id.map_or("0".into(), |parent| format!("{parent}.{place}").into());
    let score = Some(score(state));
    TupleNode { state: Arc::new(state), node_id, parent_id: parent_id.cloned(), depth, score, pruned: false }
}

impl TupleTree {
    /// As the document has it.
    fn add_children(&self) -> Self {
        let parent_id = &self.frontier[0];
        let parent = self.nodes.iter().find(|node| node.node_id == *parent_id).expect("it is a node");
        let mut nodes = self.nodes.to_vec();
        let mut frontier: Vec<Arc<str>> =
            self.frontier.iter().filter(|id| *id != parent_id).cloned().collect();
        for place in 0..BRANCH {
            let node = tuple_node(nodes.len(), Some(parent_id), parent.depth + 1, place);
            frontier.push(Arc::clone(&node.node_id));
            nodes.push(node);
        }
        Self { nodes: nodes.into(), frontier: frontier.into() }
    }
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

/// A model that adds 1, with so many words about it. It takes its time, so that others are asked meanwhile.
#[derive(Debug)]
struct Talkative {
    words: u64,
}

fn talkative(words: u64) -> Arc<dyn Model> {
    Arc::new(Talkative { words })
}

#[async_trait]
impl Model for Talkative {
    fn name(&self) -> &str {
        "talkative"
    }

    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        tokio::task::yield_now().await;
        let seed = request.sampling.seed.unwrap_or_default();
        let text: String = (0..self.words).map(|i| format!("{} ", derived(seed, i) % 10_000)).collect();
        let (name, arguments) = ("add".to_owned(), r#"{"what": 1}"#.to_owned());
        let call = ToolCall { id: String::new(), name, arguments };
        let choice = Choice { tool_calls: vec![call], ..Choice::of_text(text) };
        Ok(Answer { choices: vec![choice], ..Answer::default() })
    }
}

fn root() -> Child<AgentState> {
    let puzzle = Puzzle::new(1, 1_000_000);
    let messages = [Message::system("You make numbers of others. ".repeat(60)), puzzle.task()];
    Child::new(AgentState::new(messages, Arc::new(puzzle)), VerifyResult::default())
}

/// A beam of 8 nodes with 4 branches each, for 10 steps of 2 turns. Which nodes are kept, and in which order they are
/// selected, has nothing to do with their places. With several branches at a time, their turns alternate.
fn prefix() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let by_chance = |tree: &Tree<AgentState>| {
        let mut all: Vec<Key> = tree.frontier().map(|(key, _)| key).collect();
        all.sort_by_key(|key| derived(3, tree.id(*key).number()));
        all
    };
    for kib in [32, 64, 128, 256, 1 << 20] {
        print!("cache {kib} KiB:");
        for (width, order) in
            [1, 8, 32].into_iter().flat_map(|w| [(w, CallOrder::Prefix), (w, CallOrder::Selected)])
        {
            let meter = Arc::new(PrefixMeter::new(talkative(200), kib << 10));
            let agent = Agent::new(Arc::clone(&meter) as Arc<dyn Model>);
            let select: Select<AgentState> = Box::new(by_chance);
            let prune: Prune<AgentState> = Box::new(move |tree| {
                by_chance(tree).into_iter().skip(8).map(|key| (key, PruneReason::Beam)).collect()
            });
            let expand = parallel(width, turns(agent, 2, 4));
            let search = Search { order, prune, select, ..beam(expand, 8, 10) };
            runtime.block_on(search.run(root()))?;
            print!(" {:.1} % ({width} at a time, {order:?})", meter.shared().share() * 100.0);
        }
        println!();
    }
    Ok(())
}

fn evict(nodes: usize) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let folder = tempfile::tempdir()?;
    for limit in [Some(8 << 20), None] {
        let expand = expand_by(4, |branch: &Expansion<String>| {
            let state = format!("{:01024}", branch.seed);
            vec![Child::new(state, VerifyResult::scored((branch.seed % 1000) as f64 / 1000.0))]
        });
        let search = Search { max_steps: nodes as u64 / 64, ..Search::new(select::top_k(16), expand) };
        let path = folder.path().join(format!("{limit:?}.jsonl"));
        let root = Child::new(String::new(), VerifyResult::default());
        let before = resident();
        let mut journal = runtime.block_on(Journal::create(&path, Plain, serde_json::Value::Null, root))?;
        journal = match limit {
            Some(bytes) => journal.limit_memory(bytes),
            None => journal,
        };
        let began = used();
        let result = runtime.block_on(search.run_in(&mut journal))?;
        let speed = result.tree.len() as f64 / (used() - began).as_secs_f64();
        let grown = resident().saturating_sub(before) >> 20;
        let (n, (evicted, recalled)) = (result.tree.len(), journal.traffic());
        println!("{n} nodes, limit {limit:?}: {speed:.0} nodes a second, {grown} MiB more resident");
        println!(
            "  {evicted} states evicted, {recalled} read back, journal of {} MiB",
            path.metadata()?.len() >> 20
        );
        drop(result);
        let began = used();
        drop(Journal::<String>::open(&path, Plain)?);
        println!("  read back in {:.2?}", (used() - began));
    }
    Ok(())
}

fn turn() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    for length in [10, 100, 1000] {
        let mut agent = Agent::new(talkative(20));
        agent.limits.turns = u32::MAX;
        let began = used();
        let search = linear(turns(agent, 1, 1), length);
        let mut steps = 0;
        while (used() - began) < Duration::from_millis(300) {
            steps += u32::try_from(runtime.block_on(search.run(root()))?.steps)?;
        }
        let each = (used() - began) / steps;
        println!("{length} turns: {each:.1?} a turn, the scripted model's time included");
    }
    Ok(())
}
