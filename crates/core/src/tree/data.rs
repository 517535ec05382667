//! The data of the tree: nodes, steps and slots in dense arenas.

use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::ids::{NodeId, SlotId, StepId, TacticId};
use crate::signature::{GoalKey, GoalSig};

crate::choice!(
    /// The status of a node or step. It leaves `Open` once and never returns, with one exception: when the checker
    /// rejects a claimed proof, what depends on it is open again.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "snake_case"))]
    Status {
        /// Neither of the others.
        Open = "open",
        /// A node: some step is proved. A step: all children are proved.
        Proved = "proved",
        /// A node: it is completely expanded and every step is exhausted. A step: some child is exhausted.
        Exhausted = "exhausted",
    }
);

/// How far the candidates of a node have been tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Never expanded.
    Fresh,
    /// Expanded, with candidates left to try.
    Partial,
    /// No candidate left.
    Complete,
}

crate::choice!(
    /// When two obligations share one node.
    #[derive(Default)]
    Identity {
        /// Never, except for an alias of an earlier sibling: the shape is a tree.
        #[default]
        Checkpoint = "checkpoint",
        /// If their keys are equal: a graph, possibly with cycles. Statuses are least fixpoints, so a cycle proves
        /// nothing.
        Strict = "strict",
    }
);

/// The data of an obligation that becomes a child of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Child {
    /// Its coarse signature, for the cycle rule.
    pub coarse: GoalSig,
    /// Its key, for aliases and for [`Identity::Strict`].
    pub key: GoalKey,
    /// A provider's estimate in [0, 1] of the probability that it is provable, if there is one.
    pub value: Option<f32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) coarse: GoalSig,
    pub(crate) key: GoalKey,
    pub(crate) first_step: Option<StepId>,
    pub(crate) last_step: Option<StepId>,
    pub(crate) first_parent: Option<SlotId>,
    /// The step that created the node, and that step's node; `None` for the root.
    pub(crate) creator: Option<(StepId, NodeId)>,
    /// Number of live steps' slots that lead here, plus one for the root. 0 means irrelevant.
    pub(crate) live_parents: u32,
    /// Number of steps in the smallest known proof; `NO_PROOF` until proved.
    pub(crate) distance: u32,
    pub(crate) depth: u32,
    /// Number of steps that are not exhausted.
    pub(crate) n_live_steps: u32,
    pub(crate) status: Status,
    pub(crate) phase: Phase,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) node: NodeId,
    pub(crate) next: Option<StepId>,
    pub(crate) tactic: TacticId,
    pub(crate) log_prior: f32,
    pub(crate) first_slot: u32,
    pub(crate) n_children: u32,
    pub(crate) status: Status,
    /// Whether the step is open, and its node is open and relevant, so that work below it can matter.
    pub(crate) live: bool,
    /// Whether a checker rejected a proof that this step completed.
    pub(crate) refuted: bool,
}

impl Step {
    /// The indices of its slots.
    pub(crate) fn slots(&self) -> Range<usize> {
        let first = self.first_slot as usize;
        first..first + self.n_children as usize
    }
}

/// The upward link of a slot.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) step: StepId,
    /// The next slot that leads to the same child.
    pub(crate) next: Option<SlotId>,
}

/// The distance of an unproved node.
pub(crate) const NO_PROOF: u32 = u32::MAX;
/// The distance of a proof that is too large to count or to write down.
pub(crate) const HUGE_PROOF: u32 = u32::MAX - 1;

/// The AND/OR tree (or graph, see [`Identity::Strict`]).
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) identity: Identity,
    pub(crate) nodes: Vec<Node>,
    pub(crate) steps: Vec<Step>,
    /// The child of each slot; the slots of a step are contiguous. Downward traversals read only this.
    pub(crate) children: Vec<NodeId>,
    /// The upward link of each slot.
    pub(crate) links: Vec<Link>,
    /// Under [`Identity::Strict`]: the nodes, hashed by 32 bits of their keys.
    by_key: HashTable<(u32, NodeId)>,
    /// Nodes that became relevant, including new ones, since the search last looked.
    pub(crate) awakened: Vec<NodeId>,
    /// Scratch space for status updates, empty between calls.
    pub(crate) agenda: std::collections::VecDeque<NodeId>,
    pub(crate) cuts: Vec<StepId>,
}

impl Tree {
    /// A tree with a single fresh node, the root.
    pub fn new(identity: Identity, root: Child) -> Self {
        let mut tree = Self {
            identity,
            nodes: Vec::new(),
            steps: Vec::new(),
            children: Vec::new(),
            links: Vec::new(),
            by_key: HashTable::new(),
            awakened: Vec::new(),
            agenda: std::collections::VecDeque::new(),
            cuts: Vec::new(),
        };
        let root = tree.node_for(&root, None, 0);
        tree.nodes[root.index()].live_parents = 1;
        tree
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId::from_index(0)
    }

    /// Adds a step at `node`, and updates all statuses that follow from it.
    ///
    /// A child with the key of an earlier child of the step becomes an alias of it; under [`Identity::Strict`] a
    /// child with the key of any known node becomes that node.
    pub(crate) fn add_step(
        &mut self,
        node: NodeId,
        tactic: TacticId,
        log_prior: f32,
        children: &[Child],
    ) -> StepId {
        let step = StepId::from_index(self.steps.len());
        let first_slot = self.children.len();
        // What follows for the step: any exhausted child decides, then any open one.
        let mut status = Status::Proved;
        for child in children {
            let id = self.node_for(child, Some((step, node)), first_slot);
            let slot = SlotId::from_index(self.children.len());
            let child = &mut self.nodes[id.index()];
            let next = child.first_parent.replace(slot);
            status = match (status, child.status) {
                (Status::Exhausted, _) | (_, Status::Exhausted) => Status::Exhausted,
                (Status::Open, _) | (_, Status::Open) => Status::Open,
                (Status::Proved, Status::Proved) => Status::Proved,
            };
            self.children.push(id);
            self.links.push(Link { step, next });
        }
        let count = |n: usize| u32::try_from(n).expect("slot ids fit in 32 bits");
        self.steps.push(Step {
            node,
            next: None,
            tactic,
            log_prior,
            first_slot: count(first_slot),
            n_children: count(children.len()),
            status: Status::Open,
            live: false,
            refuted: false,
        });
        let parent = &mut self.nodes[node.index()];
        parent.n_live_steps += 1;
        match parent.last_step.replace(step) {
            Some(last) => self.steps[last.index()].next = Some(step),
            None => parent.first_step = Some(step),
        }
        self.settle_new(step, status);
        step
    }

    /// The node for `child`: an earlier sibling (with a slot from `first_slot` on), a known node under
    /// [`Identity::Strict`], or a new one.
    fn node_for(&mut self, child: &Child, creator: Option<(StepId, NodeId)>, first_slot: usize) -> NodeId {
        let new = NodeId::from_index(self.nodes.len());
        match self.identity {
            Identity::Checkpoint => {
                let mut siblings = self.children[first_slot..].iter();
                if let Some(&twin) = siblings.find(|s| self.nodes[s.index()].key == child.key) {
                    return twin;
                }
            }
            Identity::Strict => {
                let nodes = &self.nodes;
                let part = short(child.key);
                let is_child = |&(p, n): &(u32, NodeId)| p == part && nodes[n.index()].key == child.key;
                match self.by_key.entry(spread(part), is_child, |&(p, _)| spread(p)) {
                    Entry::Occupied(known) => return known.get().1,
                    Entry::Vacant(free) => {
                        free.insert((part, new));
                    }
                }
            }
        }
        self.nodes.push(Node {
            coarse: child.coarse,
            key: child.key,
            first_step: None,
            last_step: None,
            first_parent: None,
            creator,
            live_parents: 0,
            distance: NO_PROOF,
            depth: creator.map_or(0, |(_, parent)| self.nodes[parent.index()].depth + 1),
            n_live_steps: 0,
            status: Status::Open,
            phase: Phase::Fresh,
        });
        new
    }
}

/// The part of a key stored in the hash table. It lets the table grow, and recognise most new keys, without access to
/// the nodes.
fn short(key: GoalKey) -> u32 {
    (key.0 ^ (key.0 >> 32)) as u32
}

/// A 64-bit hash of a short key (Fibonacci hashing).
fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
