//! The invariants of the search, apart from those of the tree.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{OpenNodes, Search};
use crate::ids::NodeId;
use crate::policy::{Backup, node_value, step_value};
use crate::tree::check::Violation;
use crate::tree::{Identity, Phase, Status};

impl Search {
    /// All violated invariants of tree and search; empty if there are none. Recomputes everything, so it is for
    /// tests.
    pub fn check(&self) -> Vec<Violation> {
        let mut found = self.tree.check();
        self.check_in_flight(&mut found);
        self.check_open_nodes(&mut found);
        self.check_stats(&mut found);
        self.check_grafts(&mut found);
        found
    }

    fn check_in_flight(&self, found: &mut Vec<Violation>) {
        let mut nodes: FxHashMap<NodeId, u32> = FxHashMap::default();
        let mut steps = FxHashMap::default();
        let mut reserved = FxHashMap::default();
        for reservation in &self.reservations {
            let path = &reservation.path;
            let n_reserved = self.reservations.iter().filter(|r| r.path.end() == path.end()).count();
            if n_reserved > 1 && !self.config.control.collisions {
                found.push(Violation(format!("{} is reserved twice", path.end())));
            }
            if path.nodes[0] != self.tree.root() {
                found.push(Violation(format!("the path {:?} does not begin at the root", path.nodes)));
            }
            for (index, &step) in path.steps.iter().enumerate() {
                let linked = self.tree.step_node(step) == path.nodes[index]
                    && self.tree.children(step).any(|c| c == path.nodes[index + 1]);
                if !linked {
                    found.push(Violation(format!("{step} is no link of the path {:?}", path.nodes)));
                }
            }
            if !reservation.counted {
                continue;
            }
            *reserved.entry(path.end()).or_default() += 1;
            path.nodes.iter().for_each(|&n| *nodes.entry(n).or_default() += 1);
            path.steps.iter().for_each(|&s| *steps.entry(s).or_default() += 1);
        }
        if nodes != self.stats.in_flight || steps != self.stats.steps_in_flight || reserved != self.reserved {
            found.push(Violation("in-flight counts differ from the reservations".to_owned()));
        }
    }

    fn check_open_nodes(&self, found: &mut Vec<Violation>) {
        let selectable = |n: &NodeId| {
            self.tree.status(*n) == Status::Open
                && self.tree.phase(*n) != Phase::Complete
                && self.tree.is_relevant(*n)
                && !self.reservations.iter().any(|r| r.path.end() == *n)
        };
        let known: FxHashSet<NodeId> = match &self.open {
            OpenNodes::InTree => return,
            OpenNodes::Bag(frontier, _) => frontier.nodes().collect(),
            OpenNodes::Queue(queue) => queue.nodes().collect(),
        };
        let below = self.focused().map(|node| self.below(node));
        let is_below = |node: &NodeId| below.as_ref().is_none_or(|below| below.contains(node));
        for node in self.tree.nodes().filter(selectable).filter(is_below) {
            if !known.contains(&node) {
                found.push(Violation(format!("{node} could be selected but is not in the frontier")));
            }
        }
        for node in known.iter().filter(|node| !is_below(node)) {
            found.push(Violation(format!("{node} is in the frontier but not below the focus")));
        }
    }

    /// What is below a node: see [`Self::focus`].
    fn below(&self, node: NodeId) -> FxHashSet<NodeId> {
        let above = self.path_to(node);
        let mut below = FxHashSet::from_iter([node]);
        loop {
            let steps = below.iter().flat_map(|&node| self.tree.steps(node));
            let children = steps.flat_map(|step| self.tree.children(step));
            let next: Vec<NodeId> =
                children.filter(|child| !above.contains(child) && !below.contains(child)).collect();
            if next.is_empty() {
                return below;
            }
            below.extend(next);
        }
    }

    fn check_grafts(&self, found: &mut Vec<Violation>) {
        if !self.grafts.is_sorted() || self.grafts.last().is_some_and(|s| s.index() >= self.tree.n_steps()) {
            found.push(Violation("the grafted steps are not those of the tree".to_owned()));
        }
        for node in self.tree.nodes().filter(|&n| self.tree.phase(n) == Phase::Fresh) {
            if let Some(step) = self.tree.steps(node).find(|&s| !self.is_grafted(s)) {
                found.push(Violation(format!("{step} was not grafted, but {node} was never expanded")));
            }
        }
    }

    fn check_stats(&self, found: &mut Vec<Violation>) {
        let mut fail = |text: String| found.push(Violation(text));
        let n_steps = if self.config.looks_at_steps() { self.tree.n_steps() } else { 0 };
        if self.stats.nodes.len() != self.tree.n_nodes() || self.stats.steps.len() != n_steps {
            return fail("statistics do not cover the tree".to_owned());
        }
        let by = self.config.valuation();
        for node in self.tree.nodes() {
            let record = self.stats.node(node);
            if !(0.0..=record.visits as f32 + 0.5).contains(&record.success) {
                fail(format!("{node} has {} successes in {} visits", record.success, record.visits));
            }
            if !(0.0..=1.0).contains(&self.value(node)) {
                fail(format!("{node} has the value {}", self.value(node)));
            }
            if self.config.identity == Identity::Strict {
                continue;
            }
            let records = self.tree.steps(node).filter_map(|s| self.stats.step(s));
            let below: u32 = records.map(|r| r.visits).sum();
            if below > record.visits {
                fail(format!("{node} has {} visits, its steps {below}", record.visits));
            }
            if by.rule == Backup::Uniform {
                continue;
            }
            for step in self.tree.steps(node).filter(|&s| self.tree.step_status(s) == Status::Open) {
                let right = step_value(by, &self.tree, &self.stats, step);
                let cached = self.stats.steps[step.index()].value;
                if cached != right {
                    fail(format!("{step} has the value {cached}, should have {right}"));
                }
            }
            let right = node_value(by, &self.tree, &self.stats, node);
            let cached = self.stats.values[node.index()];
            if self.tree.has_grown(node) && cached != right {
                fail(format!("{node} has the value {cached}, should have {right}"));
            }
        }
    }
}
