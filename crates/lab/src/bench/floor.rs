//! Baselines: minimal hand-written searches on the synthetic environment, with an arena, a heap or a descent, one
//! hash map and incremental statuses, and nothing else. The engine's speed and memory use are reported relative to
//! them, measured in the same run.
//!
//! [`best_first`] is also the reference search of the environment's specification, so its counts are compared with
//! published test vectors.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use andor_system_synthetic::{World, WorldGoal};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The counts of a baseline search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Whether the root was proved.
    pub proved: bool,
    /// Whether the root was refuted.
    pub failed: bool,
    /// Policy calls, one per expansion.
    pub policy_calls: u64,
    /// Tactic applications.
    pub applications: u64,
    /// Distinct goals.
    pub nodes: u64,
    /// Successful tactics, without self-loops.
    pub edges: u64,
    /// Goals in the proof.
    pub proof_goals: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Expanded,
    Proved,
    Failed,
}

struct Node {
    goal: WorldGoal,
    cost: u64,
    first_edge: u32,
    n_edges: u32,
    /// The first incoming edge to be notified of status changes.
    parent: u32,
    proof: u32,
    state: State,
}

struct Edge {
    node: u32,
    open: u32,
    first_child: u32,
    n_children: u32,
    dead: bool,
}

const NONE: u32 = u32::MAX;

/// A graph of goals with incremental statuses.
#[derive(Default)]
struct Graph {
    ids: HashMap<u64, u32, FxBuildHasher>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    children: Vec<u32>,
    /// Linked lists of parents: an edge, and the next link.
    links: Vec<(u32, u32)>,
}

fn index(n: usize) -> u32 {
    u32::try_from(n).expect("a floor holds fewer than 2^32 items")
}

impl Graph {
    fn node(&mut self, goal: WorldGoal, cost: u64) -> (u32, bool) {
        let new = index(self.nodes.len());
        match self.ids.entry(goal.0) {
            hashbrown::hash_map::Entry::Occupied(known) => (*known.get(), false),
            hashbrown::hash_map::Entry::Vacant(free) => {
                free.insert(new);
                let state = State::Open;
                self.nodes.push(Node {
                    goal,
                    cost,
                    first_edge: 0,
                    n_edges: 0,
                    parent: NONE,
                    proof: NONE,
                    state,
                });
                (new, true)
            }
        }
    }

    /// Expands a node with the given tactics, and calls `created` for each new node. Stops when solved.
    fn expand(
        &mut self,
        world: &World,
        id: u32,
        tactics: &[(u64, u64)],
        scratch: &mut Vec<WorldGoal>,
        applications: &mut u64,
        mut created: impl FnMut(u32, u64),
    ) {
        let (goal, cost) = (self.nodes[id as usize].goal, self.nodes[id as usize].cost);
        self.nodes[id as usize].state = State::Expanded;
        self.nodes[id as usize].first_edge = index(self.edges.len());
        let mut live = false;
        for &(tactic, tactic_cost) in tactics {
            *applications += 1;
            if !world.apply_into(goal, tactic, scratch) || scratch.contains(&goal) {
                continue;
            }
            let edge = index(self.edges.len());
            let first_child = self.children.len();
            let (mut open, mut dead) = (0, false);
            for &child in scratch.iter() {
                let (child, is_new) = self.node(child, cost + tactic_cost);
                if self.children[first_child..].contains(&child) {
                    continue;
                }
                self.children.push(child);
                if is_new {
                    created(child, cost + tactic_cost);
                }
                let node = &mut self.nodes[child as usize];
                match node.state {
                    State::Proved => continue,
                    State::Failed => dead = true,
                    State::Open | State::Expanded => {}
                }
                open += 1;
                self.links.push((edge, node.parent));
                node.parent = index(self.links.len() - 1);
            }
            let n_children = index(self.children.len() - first_child);
            self.edges.push(Edge { node: id, open, first_child: index(first_child), n_children, dead });
            self.nodes[id as usize].n_edges += 1;
            live |= !dead;
            if !dead && open == 0 {
                self.settle(id, State::Proved, edge);
                return;
            }
        }
        if !live {
            self.settle(id, State::Failed, NONE);
        }
    }

    fn settle(&mut self, id: u32, state: State, proof: u32) {
        let mut agenda = vec![(id, state, proof)];
        while let Some((id, state, proof)) = agenda.pop() {
            let node = &mut self.nodes[id as usize];
            if matches!(node.state, State::Proved | State::Failed) {
                continue;
            }
            (node.state, node.proof) = (state, proof);
            let mut link = node.parent;
            while link != NONE {
                let (edge_id, next) = self.links[link as usize];
                link = next;
                let edge = &mut self.edges[edge_id as usize];
                if state == State::Proved {
                    edge.open -= 1;
                    if edge.open == 0 && !edge.dead {
                        agenda.push((edge.node, State::Proved, edge_id));
                    }
                } else if !std::mem::replace(&mut edge.dead, true) {
                    let owner = edge.node;
                    let parent = &self.nodes[owner as usize];
                    let edges = &self.edges[parent.first_edge as usize..][..parent.n_edges as usize];
                    if parent.state == State::Expanded && edges.iter().all(|e| e.dead) {
                        agenda.push((owner, State::Failed, NONE));
                    }
                }
            }
        }
    }

    fn counts(&self, policy_calls: u64, applications: u64) -> Counts {
        let root = &self.nodes[0];
        let mut in_proof: Vec<bool> = vec![false; self.nodes.len()];
        let mut stack: Vec<u32> = if root.state == State::Proved { vec![0] } else { Vec::new() };
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut in_proof[id as usize], true) {
                let edge = &self.edges[self.nodes[id as usize].proof as usize];
                stack.extend(&self.children[edge.first_child as usize..][..edge.n_children as usize]);
            }
        }
        Counts {
            proved: root.state == State::Proved,
            failed: root.state == State::Failed,
            policy_calls,
            applications,
            nodes: self.nodes.len() as u64,
            edges: self.edges.len() as u64,
            proof_goals: in_proof.iter().filter(|&&p| p).count() as u64,
        }
    }
}

/// Best-first search by path cost with one node per goal: the reference search of the specification. Stops at either
/// limit.
pub fn best_first(world: &World, max_policy_calls: u64, max_applications: u64) -> Counts {
    let mut graph = Graph::default();
    graph.node(world.root(), 0);
    let mut queue = BinaryHeap::from([Reverse((0u64, 0u32))]);
    let (mut tactics, mut scratch, mut new) = (Vec::new(), Vec::new(), Vec::new());
    let (mut policy_calls, mut applications) = (0, 0);
    while graph.nodes[0].state != State::Proved
        && graph.nodes[0].state != State::Failed
        && policy_calls < max_policy_calls
        && applications < max_applications
    {
        let Some(Reverse((_, id))) = queue.pop() else { break };
        if graph.nodes[id as usize].state != State::Open {
            continue;
        }
        policy_calls += 1;
        world.policy_into(graph.nodes[id as usize].goal, &mut tactics);
        graph.expand(world, id, &tactics, &mut scratch, &mut applications, |n, c| new.push(Reverse((c, n))));
        queue.extend(new.drain(..));
    }
    graph.counts(policy_calls, applications)
}

/// UCB1 descent from the root with one node per goal, each with a visit count and a reward. Stops at the limit
/// of applications, when the root is settled, or when nothing can be selected.
pub fn uct(world: &World, max_applications: u64) -> Counts {
    let mut graph = Graph::default();
    graph.node(world.root(), 0);
    let mut visits: Vec<(u32, f32)> = vec![(0, 0.0)];
    let (mut tactics, mut scratch, mut path) = (Vec::new(), Vec::new(), Vec::new());
    let (mut policy_calls, mut applications) = (0, 0);
    while graph.nodes[0].state != State::Proved
        && graph.nodes[0].state != State::Failed
        && applications < max_applications
    {
        path.clear();
        path.push(0u32);
        let mut at = 0u32;
        while graph.nodes[at as usize].state == State::Expanded {
            let Some(next) = uct_child(&graph, &visits, at, &path) else { break };
            path.push(next);
            at = next;
        }
        if graph.nodes[at as usize].state == State::Open {
            policy_calls += 1;
            world.policy_into(graph.nodes[at as usize].goal, &mut tactics);
            graph.expand(world, at, &tactics, &mut scratch, &mut applications, |_, _| visits.push((0, 0.0)));
        }
        for &node in &path {
            let record = &mut visits[node as usize];
            *record = (record.0 + 1, record.1 + 1.0);
        }
    }
    graph.counts(policy_calls, applications)
}

fn uct_child(graph: &Graph, visits: &[(u32, f32)], at: u32, path: &[u32]) -> Option<u32> {
    let node = &graph.nodes[at as usize];
    let ln_parent = f64::from(visits[at as usize].0).max(1.0).ln();
    let (mut best, mut best_score) = (None, f64::NEG_INFINITY);
    for edge in graph.edges[node.first_edge as usize..][..node.n_edges as usize].iter().filter(|e| !e.dead) {
        for &child in &graph.children[edge.first_child as usize..][..edge.n_children as usize] {
            if !matches!(graph.nodes[child as usize].state, State::Open | State::Expanded) {
                continue;
            }
            let (n, success) = visits[child as usize];
            let score = if n == 0 {
                f64::INFINITY
            } else {
                f64::from(success) / f64::from(n)
                    + std::f64::consts::SQRT_2 * (ln_parent / f64::from(n)).sqrt()
            };
            if score > best_score && !path.contains(&child) {
                (best, best_score) = (Some(child), score);
            }
        }
    }
    best
}

/// The statistics of a node or an edge in [`puct`].
#[derive(Clone, Copy)]
struct Record {
    visits: u32,
    /// Logarithm of the value.
    value: f32,
}

/// PUCT descent with product backup along the path, and a visit count and a value per node and edge. The formula is
/// that of the engine's `puct` with `product`, with `c` = 1 and an initial estimate of 1/2. Stops like [`uct`].
pub fn puct(world: &World, max_applications: u64) -> Counts {
    let fresh = Record { visits: 0, value: 0.5f32.ln() };
    let mut graph = Graph::default();
    graph.node(world.root(), 0);
    let mut nodes = vec![fresh];
    let mut edges: Vec<Record> = Vec::new();
    let mut priors: Vec<f32> = Vec::new();
    let (mut tactics, mut scratch, mut path, mut via) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut scores = Vec::new();
    let (mut policy_calls, mut applications) = (0, 0);
    while graph.nodes[0].state != State::Proved
        && graph.nodes[0].state != State::Failed
        && applications < max_applications
    {
        path.clear();
        via.clear();
        path.push(0u32);
        let mut at = 0u32;
        while graph.nodes[at as usize].state == State::Expanded {
            let Some((edge, next)) = puct_child(&graph, &nodes, &edges, &priors, at, &path, &mut scores)
            else {
                break;
            };
            via.push(edge);
            path.push(next);
            at = next;
        }
        if graph.nodes[at as usize].state == State::Open {
            policy_calls += 1;
            world.policy_into(graph.nodes[at as usize].goal, &mut tactics);
            graph.expand(world, at, &tactics, &mut scratch, &mut applications, |_, _| nodes.push(fresh));
            for edge in &graph.edges[edges.len()..] {
                edges.push(Record { visits: 0, value: edge_value(&graph, &nodes, edge) });
                // The graph stores no priors; any numbers of similar size cost the same.
                priors.push(-1.0 - (priors.len() % 8) as f32 / 4.0);
            }
        }
        for (index, &id) in path.iter().enumerate().rev() {
            let node = &graph.nodes[id as usize];
            let range = node.first_edge as usize..(node.first_edge + node.n_edges) as usize;
            let live = range.filter(|&e| !graph.edges[e].dead).map(|e| edges[e].value);
            nodes[id as usize].visits += 1;
            nodes[id as usize].value = live.max_by(f32::total_cmp).unwrap_or(fresh.value);
            if index > 0 {
                let edge = via[index - 1];
                edges[edge].visits += 1;
                edges[edge].value = edge_value(&graph, &nodes, &graph.edges[edge]);
            }
        }
    }
    graph.counts(policy_calls, applications)
}

fn edge_value(graph: &Graph, nodes: &[Record], edge: &Edge) -> f32 {
    let children = &graph.children[edge.first_child as usize..][..edge.n_children as usize];
    children
        .iter()
        .map(|&c| if graph.nodes[c as usize].state == State::Proved { 0.0 } else { nodes[c as usize].value })
        .sum()
}

fn puct_child(
    graph: &Graph,
    nodes: &[Record],
    edges: &[Record],
    priors: &[f32],
    at: u32,
    path: &[u32],
    scores: &mut Vec<(usize, f64)>,
) -> Option<(usize, u32)> {
    let node = &graph.nodes[at as usize];
    let live = (node.first_edge as usize..(node.first_edge + node.n_edges) as usize)
        .filter(|&e| !graph.edges[e].dead);
    scores.clear();
    scores.extend(live.map(|e| (e, f64::from(edges[e].value))));
    let top_value = scores.iter().map(|s| s.1).fold(f64::NEG_INFINITY, f64::max);
    let top_prior = scores.iter().map(|s| priors[s.0]).fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = scores.iter().map(|s| (priors[s.0] - top_prior).exp()).sum();
    let weight = f64::from(nodes[at as usize].visits).sqrt() / f64::from(total);
    for (edge, score) in scores.iter_mut() {
        let prior = f64::from((priors[*edge] - top_prior).exp());
        *score = (*score - top_value).exp() + weight * prior / (1.0 + f64::from(edges[*edge].visits));
    }
    while let Some(best) = (0..scores.len()).max_by(|&a, &b| scores[a].1.total_cmp(&scores[b].1)) {
        let (edge, _) = scores.swap_remove(best);
        let data = &graph.edges[edge];
        let children = &graph.children[data.first_child as usize..][..data.n_children as usize];
        let open = children
            .iter()
            .copied()
            .filter(|&c| matches!(graph.nodes[c as usize].state, State::Open | State::Expanded));
        let open = open.filter(|c| !path.contains(c));
        if let Some(child) = open.min_by(|&a, &b| nodes[a as usize].value.total_cmp(&nodes[b as usize].value))
        {
            return Some((edge, child));
        }
    }
    None
}
