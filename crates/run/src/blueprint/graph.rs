//! The order of a blueprint's nodes, and their states.

use std::collections::{BTreeMap, BTreeSet};

use andor_artifact::blueprint::{NodeKind, NodeState};

/// What nodes need, and an order in which each comes after what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// What each node needs directly.
    uses: Vec<Vec<usize>>,
    /// All nodes. Of several that could come next, the first one does.
    order: Vec<usize>,
    /// The place of each node in the order.
    places: Vec<usize>,
}

impl Graph {
    /// The graph of nodes, of which each needs those at the given indices.
    ///
    /// # Errors
    ///
    /// Nodes need each other: the nodes of a cycle, each of which needs the next, and the last the first.
    pub fn new(uses: Vec<Vec<usize>>) -> Result<Self, Vec<usize>> {
        let mut missing: Vec<BTreeSet<usize>> = uses.iter().map(|of| of.iter().copied().collect()).collect();
        let mut next: BTreeSet<usize> = (0..uses.len()).filter(|&i| missing[i].is_empty()).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
        for (user, of) in missing.iter().enumerate() {
            of.iter().for_each(|&used| users[used].push(user));
        }
        let mut order = Vec::with_capacity(uses.len());
        while let Some(node) = next.pop_first() {
            order.push(node);
            for &user in &users[node] {
                missing[user].remove(&node);
                if missing[user].is_empty() {
                    next.insert(user);
                }
            }
        }
        if order.len() < uses.len() {
            return Err(cycle(&missing));
        }
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &node)| places[node] = place);
        Ok(Self { uses, order, places })
    }

    /// The nodes in an order in which each comes after what it needs.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// What a node needs directly.
    pub fn uses(&self, node: usize) -> &[usize] {
        &self.uses[node]
    }

    /// All that a node needs, in order.
    pub fn needs(&self, node: usize) -> Vec<usize> {
        let mut found = BTreeSet::new();
        let mut todo = self.uses[node].clone();
        while let Some(next) = todo.pop() {
            if found.insert(next) {
                todo.extend(&self.uses[next]);
            }
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable_by_key(|&node| self.places[node]);
        found
    }

    /// The nodes that no other needs.
    pub fn sinks(&self) -> BTreeSet<usize> {
        let used: BTreeSet<usize> = self.uses.iter().flatten().copied().collect();
        (0..self.uses.len()).filter(|node| !used.contains(node)).collect()
    }

    /// How far each node has come.
    pub fn states(&self, nodes: &[Standing]) -> Vec<NodeState> {
        let mut states = vec![NodeState::NotReady; nodes.len()];
        for &node in &self.order {
            let Standing { kind, progress, is_in_whole } = nodes[node];
            let of_uses = || self.uses[node].iter().map(|&used| states[used]);
            let is_definition = kind == NodeKind::Definition;
            states[node] = if of_uses().any(blocks) {
                NodeState::Blocked
            } else if of_uses().all(is_there) {
                match progress {
                    Progress::Open if is_definition => NodeState::CanState,
                    Progress::Open => NodeState::CanProve,
                    Progress::Done if is_definition => NodeState::Defined,
                    Progress::Done if is_in_whole => NodeState::FullyProved,
                    Progress::Done => NodeState::Proved,
                    Progress::NotProved => NodeState::NotProved,
                    Progress::Failed => NodeState::Failed,
                    Progress::Disproved => NodeState::Disproved,
                    Progress::Refused => NodeState::Refused,
                }
            } else {
                // Definitions can need lemmas, so a lemma may wait for a definition further down.
                let waits = |used: usize| nodes[used].kind == NodeKind::Definition && !is_there(states[used]);
                let is_ready = !is_definition && !self.needs(node).into_iter().any(waits);
                if is_ready { NodeState::CanState } else { NodeState::NotReady }
            };
        }
        states
    }
}

/// The nodes of a cycle, among nodes of which each still misses another.
fn cycle(missing: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut path: Vec<usize> = missing.iter().position(|of| !of.is_empty()).into_iter().collect();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    loop {
        let last = *path.last().expect("a node that is left over begins the path");
        if let Some(&start) = places.get(&last) {
            path.pop();
            return path.split_off(start);
        }
        places.insert(last, path.len() - 1);
        path.push(*missing[last].first().expect("what a node still misses misses something itself"));
    }
}

/// What is known of a node, apart from those that it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// What it is.
    pub kind: NodeKind,
    /// What came of it.
    pub progress: Progress,
    /// Whether it is part of a final file that is accepted.
    pub is_in_whole: bool,
}

/// What came of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Nothing yet.
    Open,
    /// It is defined, or its proof is accepted.
    Done,
    /// The search ended without a proof.
    NotProved,
    /// Its attempts failed.
    Failed,
    /// Its negation is proved.
    Disproved,
    /// The system rejects its text.
    Refused,
}

/// Whether a node in this state is available to those that need it.
pub fn is_there(state: NodeState) -> bool {
    matches!(state, NodeState::Defined | NodeState::Proved | NodeState::FullyProved)
}

/// Whether nothing that needs a node in this state can be done.
pub fn blocks(state: NodeState) -> bool {
    matches!(
        state,
        NodeState::NotProved
            | NodeState::Failed
            | NodeState::Disproved
            | NodeState::Refused
            | NodeState::Blocked
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nodes_come_after_what_they_need_and_else_in_their_own_order() {
        let graph = Graph::new(vec![vec![2, 1], vec![3], vec![], vec![2]]).unwrap();
        assert_eq!(graph.order(), [2, 3, 1, 0]);
        assert_eq!((graph.needs(0), graph.needs(3)), (vec![2, 3, 1], vec![2]));
        assert_eq!(graph.sinks(), BTreeSet::from([0]));
    }

    #[test]
    fn a_cycle_is_named_without_what_leads_to_it() {
        assert_eq!(Graph::new(vec![vec![1], vec![2], vec![3], vec![1]]), Err(vec![1, 2, 3]));
        assert_eq!(Graph::new(vec![vec![], vec![0, 1]]), Err(vec![1]));
    }

    /// The states by their definition, node by node, with nothing remembered.
    fn by_definition(uses: &[Vec<usize>], nodes: &[Standing], node: usize) -> NodeState {
        let below = |node: usize| uses[node].iter().map(|&used| by_definition(uses, nodes, used));
        fn all_needs(uses: &[Vec<usize>], node: usize) -> Vec<usize> {
            uses[node].iter().flat_map(|&used| [vec![used], all_needs(uses, used)].concat()).collect()
        }
        let is_done = |node: usize| {
            all_needs(uses, node).into_iter().chain([node]).all(|n| nodes[n].progress == Progress::Done)
        };
        let failed = |node: usize| {
            let fails = |n: usize| {
                !matches!(nodes[n].progress, Progress::Done | Progress::Open)
                    && uses[n].iter().all(|&used| is_done(used))
            };
            all_needs(uses, node).into_iter().any(fails)
        };
        let is_definition = nodes[node].kind == NodeKind::Definition;
        if failed(node) {
            return NodeState::Blocked;
        }
        if below(node).all(is_there) {
            return match (nodes[node].progress, is_definition, nodes[node].is_in_whole) {
                (Progress::Open, true, _) => NodeState::CanState,
                (Progress::Open, false, _) => NodeState::CanProve,
                (Progress::Done, true, _) => NodeState::Defined,
                (Progress::Done, false, true) => NodeState::FullyProved,
                (Progress::Done, false, false) => NodeState::Proved,
                (Progress::NotProved, ..) => NodeState::NotProved,
                (Progress::Failed, ..) => NodeState::Failed,
                (Progress::Disproved, ..) => NodeState::Disproved,
                (Progress::Refused, ..) => NodeState::Refused,
            };
        }
        let mut definitions = all_needs(uses, node);
        definitions.retain(|&used| nodes[used].kind == NodeKind::Definition);
        let is_stated = !is_definition && definitions.into_iter().all(is_done);
        if is_stated { NodeState::CanState } else { NodeState::NotReady }
    }

    fn standing() -> impl Strategy<Value = Standing> {
        let kind = prop_oneof![Just(NodeKind::Definition), Just(NodeKind::Lemma), Just(NodeKind::Theorem)];
        let progress = prop_oneof![
            4 => Just(Progress::Done),
            2 => Just(Progress::Open),
            1 => Just(Progress::NotProved),
            1 => Just(Progress::Failed),
            1 => Just(Progress::Disproved),
            1 => Just(Progress::Refused),
        ];
        (kind, progress, any::<bool>()).prop_map(|(kind, progress, is_in_whole)| Standing {
            kind,
            progress,
            is_in_whole,
        })
    }

    proptest! {
        #[test]
        fn states_are_those_of_the_definition(
            nodes in prop::collection::vec((standing(), any::<u16>()), 1..9),
            shift in 0..9_usize,
        ) {
            // Each node may need those before it, in an order that is not the one in which they are listed.
            let n = nodes.len();
            let place = |node: usize| (node + shift) % n;
            let mut uses = vec![Vec::new(); n];
            for (node, (_, bits)) in nodes.iter().enumerate() {
                uses[place(node)] = (0..node).filter(|used| bits >> used & 1 == 1).map(place).collect();
            }
            let mut standings = vec![nodes[0].0; n];
            for (node, (standing, _)) in nodes.iter().enumerate() {
                standings[place(node)] = *standing;
            }
            let graph = Graph::new(uses.clone()).unwrap();
            let expected: Vec<NodeState> = (0..n).map(|node| by_definition(&uses, &standings, node)).collect();
            prop_assert_eq!(graph.states(&standings), expected);
            for node in 0..n {
                let at = |wanted: usize| graph.order().iter().position(|&node| node == wanted).unwrap();
                prop_assert!(graph.needs(node).into_iter().all(|used| at(used) < at(node)));
            }
        }
    }
}
