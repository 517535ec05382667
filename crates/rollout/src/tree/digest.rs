//! A number that tells trees apart.

use xxhash_rust::xxh3::Xxh3;

use super::Tree;

impl<S> Tree<S> {
    /// A digest of all that a search goes by: places, verdicts, visits, costs, digests of states, and what was pruned and why.
    /// Equal searches have trees of equal digests, interrupted or not.
    pub fn digest(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for (key, node) in self.nodes() {
            let verdict = node.verdict();
            let text = format!(
                "{} {:?} {} {} {} {} {} {:?} {:?} {:?}\n",
                self.id(key),
                verdict.score,
                verdict.valid,
                verdict.terminal,
                node.stopped(),
                node.visits(),
                node.cost(),
                node.mean(),
                node.digest(),
                node.pruned(),
            );
            hasher.update(text.as_bytes());
            hasher.update(verdict.feedback.as_deref().unwrap_or_default().as_bytes());
        }
        hasher.digest()
    }
}
