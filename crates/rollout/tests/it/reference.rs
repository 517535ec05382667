//! Trees as plain mutable data, by names: what [`andor_rollout::Tree`] is compared with.

use andor_rollout::{Child, PruneReason, Tree, VerifyResult};

#[derive(Clone, Debug, Default)]
pub(crate) struct Plain {
    pub(crate) nodes: Vec<PlainNode>,
}

#[derive(Clone, Debug)]
pub(crate) struct PlainNode {
    pub(crate) id: String,
    pub(crate) state: u32,
    pub(crate) verdict: VerifyResult,
    pub(crate) stopped: bool,
    pub(crate) pruned: Option<PruneReason>,
    pub(crate) visits: u32,
    pub(crate) values: Vec<f64>,
}

impl PlainNode {
    fn is_open(&self) -> bool {
        self.pruned.is_none() && self.verdict.valid && !self.verdict.terminal && !self.stopped
    }

    fn is_end(&self) -> bool {
        self.pruned.is_none() && self.verdict.valid && (self.verdict.terminal || self.stopped)
    }
}

impl Plain {
    pub(crate) fn new(root: &Child<u32>) -> Self {
        let mut plain = Self::default();
        plain.push("0".to_owned(), root);
        plain
    }

    fn push(&mut self, id: String, child: &Child<u32>) {
        let (state, verdict, stopped) = (child.state, child.verdict.clone(), child.stopped);
        self.nodes.push(PlainNode {
            id,
            state,
            verdict,
            stopped,
            pruned: None,
            visits: 0,
            values: Vec::new(),
        });
    }

    fn parent(id: &str) -> Option<&str> {
        id.rsplit_once('.').map(|(parent, _)| parent)
    }

    fn n_children(&self, id: &str) -> usize {
        self.nodes.iter().filter(|node| Self::parent(&node.id) == Some(id)).count()
    }

    pub(crate) fn add(&mut self, at: usize, children: &[Child<u32>]) -> bool {
        if !self.nodes[at].is_open() {
            return false;
        }
        for child in children {
            let parent = self.nodes[at].id.clone();
            let place = self.n_children(&parent);
            self.push(format!("{parent}.{place}"), child);
        }
        true
    }

    pub(crate) fn prune(&mut self, at: usize, reason: PruneReason) {
        let below = format!("{}.", self.nodes[at].id);
        self.nodes[at].pruned.get_or_insert(reason);
        for node in self.nodes.iter_mut().filter(|node| node.id.starts_with(&below) && node.is_open()) {
            node.pruned = Some(PruneReason::Above);
        }
    }

    pub(crate) fn back_up(&mut self, at: usize, value: Option<f64>) {
        let id = format!("{}.", self.nodes[at].id);
        for node in self.nodes.iter_mut().filter(|node| id.starts_with(&format!("{}.", node.id))) {
            node.visits += 1;
            node.values.extend(value);
        }
    }

    fn frontier(&self) -> Vec<String> {
        let open = self.nodes.iter().filter(|node| node.is_open() && self.n_children(&node.id) == 0);
        open.map(|node| node.id.clone()).collect()
    }

    fn estimate(&self, id: &str) -> Option<f64> {
        let node = self.nodes.iter().find(|node| node.id == id)?;
        node.verdict.score.or_else(|| self.estimate(Self::parent(id)?))
    }

    fn terminals(&self) -> Vec<String> {
        let mut ends: Vec<&PlainNode> = self.nodes.iter().filter(|node| node.is_end()).collect();
        ends.sort_by_key(|node| {
            let score = node.verdict.score.map_or(-1, |score| (score * 1000.0) as i64);
            (!node.verdict.terminal, -score)
        });
        ends.into_iter().map(|node| node.id.clone()).collect()
    }

    /// Compares everything that can be seen of a tree.
    pub(crate) fn compare(&self, tree: &Tree<u32>) {
        let name = |key| tree.id(key).to_string();
        assert_eq!(tree.objection(), None);
        assert_eq!(tree.len(), self.nodes.len());
        for ((key, node), plain) in tree.nodes().zip(&self.nodes) {
            assert_eq!(name(key), plain.id);
            let parent = node.parent().map(name);
            assert_eq!(parent.as_deref(), Self::parent(&plain.id), "parent of {}", plain.id);
            assert_eq!(node.state().map(|state| **state), Some(plain.state));
            assert_eq!(node.verdict(), &plain.verdict);
            assert_eq!(node.pruned(), plain.pruned.as_ref(), "{}", plain.id);
            assert_eq!(node.visits(), plain.visits, "visits of {}", plain.id);
            let n = plain.values.len() as f64;
            assert_eq!(node.mean(), (n > 0.0).then(|| plain.values.iter().sum::<f64>() / n));
            assert_eq!(tree.estimate(key), self.estimate(&plain.id), "estimate of {}", plain.id);
            assert_eq!(node.depth() as usize, plain.id.matches('.').count());
        }
        let frontier: Vec<String> = tree.frontier().map(|(key, _)| name(key)).collect();
        assert_eq!(frontier, self.frontier());
        let terminals: Vec<String> = tree.all_terminals().into_iter().map(name).collect();
        assert_eq!(terminals, self.terminals());
        assert_eq!(tree.best_terminal().map(name), self.terminals().first().cloned());
    }
}
