//! What a search found.

use super::{Key, Node, Tree};

impl<S> Tree<S> {
    /// The solution with the highest score, the oldest of several. An unknown score comes after every known one.
    pub fn solution(&self) -> Option<Key> {
        best(self.solutions())
    }

    /// All solutions that are not pruned, oldest first.
    pub fn solutions(&self) -> impl Iterator<Item = (Key, &Node<S>)> {
        self.solutions.iter().map(|key| (*key, self.node(*key)))
    }

    /// The same tree, in which nothing is a solution: for readers to whom nobody answers for it.
    #[must_use]
    pub fn without_solutions(mut self) -> Self {
        let solved: Vec<Key> = self.solutions().map(|(key, _)| key).collect();
        for key in solved {
            self.solutions.remove_mut(&key);
            let node = self.node_mut(key);
            node.verdict.terminal = false;
            if node.is_open() && node.n_children == 0 {
                self.frontier.insert_mut(key);
            }
        }
        self
    }

    /// Of the nodes at which branches ended, solutions first, the one with the highest score, the oldest of several.
    pub fn best_terminal(&self) -> Option<Key> {
        self.solution().or_else(|| best(self.nodes().filter(|(_, node)| node.is_end())))
    }

    /// The nodes at which branches ended (solved or stopped, legal and not pruned): solutions first, then by score, highest
    /// first, unknown scores last, then by age.
    pub fn all_terminals(&self) -> Vec<Key> {
        let mut ends: Vec<(Key, &Node<S>)> = self.nodes().filter(|(_, node)| node.is_end()).collect();
        ends.sort_by(|(_, a), (_, b)| {
            let by_score = rank(b.score()).total_cmp(&rank(a.score()));
            b.is_solution().cmp(&a.is_solution()).then(by_score)
        });
        ends.into_iter().map(|(key, _)| key).collect()
    }

    /// The nodes from the root to a node.
    pub fn path(&self, key: Key) -> Vec<Key> {
        let mut path: Vec<Key> = self.ancestors(key).map(|(key, _)| key).collect();
        path.reverse();
        path
    }

    /// What the nodes on the path to a solution contributed: the later, the more. The n-th of k nodes gets n/k.
    pub fn branch_credits(&self, solution: Key) -> Vec<(Key, f64)> {
        let path = self.path(solution);
        let length = path.len() as f64;
        path.into_iter().zip(1u32..).map(|(key, place)| (key, f64::from(place) / length)).collect()
    }
}

/// Orders known scores, and unknown ones below all of them.
pub(crate) fn rank(score: Option<f64>) -> f64 {
    score.unwrap_or(f64::NEG_INFINITY)
}

/// The node with the highest score, the first of several.
fn best<'a, S: 'a>(nodes: impl Iterator<Item = (Key, &'a Node<S>)>) -> Option<Key> {
    let better = |best: (Key, f64), (key, node): (Key, &Node<S>)| {
        let score = rank(node.score());
        if score > best.1 { (key, score) } else { best }
    };
    let mut nodes = nodes;
    let (key, node) = nodes.next()?;
    Some(nodes.fold((key, rank(node.score())), better).0)
}
