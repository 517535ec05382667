//! A search for programs that draw it themselves: its items, and what each was after any of its moves.
//!
//! An item is a node or a step. Every item but the root stands below one other; a goal that is met again is a link to
//! the node where it stands. A *move* is an iteration, or another event that changed the tree.

use andor_core::tree::Status;
use std::path::Path;

use crate::attempt::Attempt;
use crate::run::named;
use crate::tree::{DELAY, EXHAUSTED, OPEN, PROVED, Tree};

pub use crate::details::Candidate;

/// A node or a step, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Item {
    /// A goal; in the search of an agent, a state.
    Node(u32),
    /// A tactic that was committed; in the search of an agent, a branch.
    Step(u32),
}

/// What stands below an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Child {
    /// An item of its own.
    Own(Item),
    /// A goal that stands elsewhere in the tree.
    Link(u32),
}

/// The status with this number in the page's arrays.
fn status(number: u8) -> Status {
    match number {
        OPEN => Status::Open,
        PROVED => Status::Proved,
        _ => Status::Exhausted,
    }
}

/// A search as it was after some of its moves.
#[derive(Debug)]
pub struct Moment {
    /// The number of moves made.
    pub moves: u32,
    /// Nodes that there were by then.
    pub nodes: usize,
    /// Nodes that were proved.
    pub proved: usize,
    /// Nodes that were exhausted.
    pub exhausted: usize,
    node_status: Vec<u8>,
    visits: Option<Vec<u32>>,
}

impl Moment {
    /// How often a node had been visited; `None` if the history of the search is lost.
    pub fn visits(&self, node: u32) -> Option<u32> {
        self.visits.as_ref().map(|visits| visits[node as usize])
    }

    /// The status of a node.
    pub fn node(&self, node: u32) -> Status {
        status(self.node_status[node as usize])
    }
}

/// A move as it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told<'a> {
    /// The number of the iteration.
    pub iteration: u64,
    /// Who made it.
    pub agent: u32,
    /// When it was finished, in milliseconds since the start.
    pub at_ms: u64,
    /// How it went.
    pub reason: &'a str,
    /// The node that was selected.
    pub node: u32,
}

/// What has happened to the files of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// Nothing.
    None,
    /// The search has grown: items keep their numbers.
    More,
    /// There are other files under the same names.
    Other,
}

/// A node that was found blocked or delayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// Delayed rather than blocked.
    pub is_delay: bool,
    /// The iteration that ends it; `None`: none does.
    pub until: Option<u64>,
}

/// The search of an attempt. It is read from its files, and never written.
#[derive(Debug)]
pub struct Search {
    attempt: Attempt,
}

impl Search {
    /// Reads the files in an attempt's folder, as far as they can be read: [`Self::notes`] says what is missing.
    pub fn open(folder: &Path) -> Self {
        Self { attempt: Attempt::open(folder) }
    }

    /// Reads what was added to the files.
    pub fn refresh(&mut self) -> News {
        let (epoch, sizes) = (self.attempt.epoch(), self.attempt.sizes());
        self.attempt.refresh();
        if self.attempt.epoch() != epoch {
            News::Other
        } else if self.attempt.sizes() != sizes {
            News::More
        } else {
            News::None
        }
    }

    /// What is searched for, and in which attempt: the names of the folder and of the one above.
    pub fn title(&self) -> String {
        match named(&self.attempt.folder) {
            (theorem, Some(attempt)) => format!("{theorem}, attempt {attempt}"),
            (theorem, None) => theorem,
        }
    }

    fn tree(&self) -> &Tree {
        &self.attempt.tree
    }

    /// What could not be read, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.attempt.notes()
    }

    /// The root; `None` if nothing of the search could be read.
    pub fn root(&self) -> Option<Item> {
        (!self.tree().is_empty()).then_some(Item::Node(0))
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.tree().nodes.len()
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.tree().steps.len()
    }

    /// The number of moves.
    pub fn moves(&self) -> u32 {
        self.tree().moves.len() as u32
    }

    /// Whether it is an agent's search, whose nodes are states.
    pub fn has_states(&self) -> bool {
        self.attempt.is_rollout()
    }

    /// A move, counted from 1.
    pub fn told(&self, number: u32) -> Option<Told<'_>> {
        let made = self.tree().moves.get(number.checked_sub(1)? as usize)?;
        let reason = &self.tree().texts[made.reason as usize];
        Some(Told {
            iteration: made.iteration,
            agent: made.agent,
            at_ms: made.at_ms,
            reason,
            node: made.node,
        })
    }

    /// The number of agents, as far as they have moved.
    pub fn agents(&self) -> u32 {
        self.tree().moves.iter().map(|made| made.agent + 1).max().unwrap_or(1)
    }

    /// A line about an item: the beginning of a goal, or a tactic.
    pub fn label(&self, item: Item) -> &str {
        let tree = self.tree();
        let text = match item {
            Item::Node(node) => tree.nodes[node as usize].goal,
            Item::Step(step) => tree.steps[step as usize].tactic,
        };
        &tree.texts[text as usize]
    }

    /// The move that made an item; 0 for the root.
    pub fn born(&self, item: Item) -> u32 {
        match item {
            Item::Node(node) => self.tree().nodes[node as usize].born,
            Item::Step(step) => self.tree().steps[step as usize].born,
        }
    }

    /// The log-prior of a step.
    pub fn prior(&self, step: u32) -> f64 {
        self.tree().steps[step as usize].prior
    }

    /// The nodes that a step left, in goal order.
    pub fn left_by(&self, step: u32) -> &[u32] {
        &self.tree().steps[step as usize].children
    }

    /// The item above.
    pub fn parent(&self, item: Item) -> Option<Item> {
        match item {
            Item::Node(node) => {
                let step = u32::try_from(self.tree().nodes[node as usize].parent).ok()?;
                ((step as usize) < self.steps()).then_some(Item::Step(step))
            }
            Item::Step(step) => Some(Item::Node(self.tree().steps[step as usize].node)),
        }
    }

    /// What stands below an item at the end of the search.
    pub fn children(&self, item: Item) -> impl Iterator<Item = Child> + '_ {
        let tree = self.tree();
        let (steps, goals, step) = match item {
            Item::Node(node) => (tree.building.steps_at[node as usize].as_slice(), &[][..], -1),
            Item::Step(step) => (&[][..], tree.steps[step as usize].children.as_slice(), i64::from(step)),
        };
        let below = goals.iter().enumerate().map(move |(at, &node)| {
            let is_own = tree.nodes[node as usize].parent == step && !goals[..at].contains(&node);
            if is_own { Child::Own(Item::Node(node)) } else { Child::Link(node) }
        });
        steps.iter().map(|&step| Child::Own(Item::Step(step))).chain(below)
    }

    /// The goals of a node, whole: the first is the one to prove next. Before the end of a search only its target is
    /// known.
    pub fn goals(&self, node: u32) -> Vec<&str> {
        self.tree().details.goals(node)
    }

    /// The name of a node.
    pub fn name(&self, node: u32) -> &str {
        self.tree().details.name_of(node)
    }

    /// What was tried at a node, in order.
    pub fn candidates(&self, node: u32) -> &[Candidate] {
        self.tree().details.candidates(node)
    }

    /// What was recorded of an agent's state.
    pub fn state(&self, node: u32) -> Option<&serde_json::Value> {
        self.tree().details.recorded(node)
    }

    /// What a node was last found to be blocked or delayed by, at a moment.
    pub fn obstacle(&self, node: u32, now: &Moment) -> Option<Obstacle> {
        let met = self.tree().obstacles.iter().take_while(|(at, ..)| *at <= now.moves);
        let (_, _, kind, until) = met.filter(|(_, of, ..)| *of == node).last()?;
        Some(Obstacle { is_delay: *kind == DELAY, until: u64::try_from(*until).ok() })
    }

    /// The search after this many moves.
    pub fn moment(&self, moves: u32) -> Moment {
        let tree = self.tree();
        let mut node_status = vec![OPEN; tree.nodes.len()];
        for &(_, node, status) in tree.changes.iter().take_while(|(at, ..)| *at <= moves) {
            node_status[node as usize] = status;
        }
        // A tree without moves is read from its end.
        let has_history = !tree.moves.is_empty() || tree.nodes.len() < 2;
        let visits = has_history.then(|| self.visits(moves));
        let there = || tree.nodes.iter().zip(&node_status).filter(|(node, _)| node.born <= moves);
        let count = |wanted: u8| there().filter(|(_, status)| **status == wanted).count();
        let (nodes, proved, exhausted) = (there().count(), count(PROVED), count(EXHAUSTED));
        Moment { moves, nodes, proved, exhausted, node_status, visits }
    }

    /// Visits of every node: along the way by which it was first reached, unless a move took another.
    fn visits(&self, moves: u32) -> Vec<u32> {
        let tree = self.tree();
        let mut up = vec![0; tree.nodes.len()];
        let mut direct = vec![0; tree.nodes.len()];
        let mut paths = tree.paths.iter().peekable();
        for (number, made) in (1..=moves).zip(&tree.moves) {
            let path = paths.next_if(|(at, _)| *at == number);
            match path {
                _ if !made.visits => {}
                Some((_, path)) => path.iter().for_each(|&node| direct[node as usize] += 1),
                None => up[made.node as usize] += 1,
            }
        }
        // A node is younger than the one above it.
        for node in (1..tree.nodes.len()).rev() {
            if let Some(Item::Node(above)) = self.parent(Item::Node(node as u32)).and_then(|s| self.parent(s))
            {
                up[above as usize] += up[node];
            }
        }
        up.iter().zip(direct).map(|(up, direct)| up + direct).collect()
    }

    /// The status of an item at a moment.
    pub fn status(&self, item: Item, now: &Moment) -> Status {
        let step = match item {
            Item::Node(node) => return now.node(node),
            Item::Step(step) => &self.tree().steps[step as usize],
        };
        let mut status = Status::Proved;
        for &child in &step.children {
            match now.node(child) {
                Status::Exhausted => return Status::Exhausted,
                Status::Open => status = Status::Open,
                Status::Proved => {}
            }
        }
        // A closing step whose node is not proved was refuted.
        if step.children.is_empty() && now.node(step.node) != Status::Proved {
            return if self.has_states() { Status::Open } else { Status::Exhausted };
        }
        status
    }

    /// The first proof that the search has at a moment: its items from the root on, each before those below it.
    pub fn proof(&self, now: &Moment) -> Vec<Item> {
        let mut proof = Vec::new();
        let mut seen = vec![false; self.nodes()];
        let mut agenda: Vec<u32> = self.root().map(|_| 0).into_iter().collect();
        while let Some(node) = agenda.pop() {
            if now.node(node) != Status::Proved || std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            proof.push(Item::Node(node));
            let steps = self.tree().building.steps_at[node as usize].iter().copied();
            let mut proving = steps.filter(|&step| {
                self.born(Item::Step(step)) <= now.moves
                    && self.status(Item::Step(step), now) == Status::Proved
            });
            if let Some(step) = proving.next() {
                proof.push(Item::Step(step));
                agenda.extend(self.tree().steps[step as usize].children.iter().rev());
            }
        }
        proof
    }
}
