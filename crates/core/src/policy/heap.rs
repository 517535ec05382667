//! A heap with four children per entry. It has half as many levels as a binary heap, so that a large one waits half
//! as often for memory. The order is passed to each call, because it may need more than the entries.

/// The children of each entry.
const ARITY: usize = 4;

/// Entries under an order: `comes_first(a, b)` says whether `a` is taken before `b`. It has to be the same total order in
/// every call.
#[derive(Clone, Debug)]
pub(super) struct Heap<T>(Vec<T>);

impl<T: Copy> Heap<T> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn push(&mut self, entry: T, comes_first: impl Fn(&T, &T) -> bool) {
        self.0.push(entry);
        self.rise(self.0.len() - 1, entry, comes_first);
    }

    /// The first entry.
    pub(super) fn peek(&self) -> Option<&T> {
        self.0.first()
    }

    /// Removes the first entry.
    pub(super) fn pop(&mut self, comes_first: impl Fn(&T, &T) -> bool) -> Option<T> {
        let last = self.0.pop()?;
        let Some(&first) = self.0.first() else { return Some(last) };
        // The gap sinks to the bottom, where the last entry most likely belongs.
        let mut gap = 0;
        while let Some(children) = self.0.get(ARITY * gap + 1..) {
            let mut children = children.iter().take(ARITY).enumerate();
            let Some((mut offset, mut best)) = children.next() else { break };
            for (other, child) in children {
                if comes_first(child, best) {
                    (offset, best) = (other, child);
                }
            }
            self.0[gap] = *best;
            gap = ARITY * gap + 1 + offset;
        }
        self.rise(gap, last, comes_first);
        Some(first)
    }

    /// Moves `entry` up from the gap at `at`.
    fn rise(&mut self, mut at: usize, entry: T, comes_first: impl Fn(&T, &T) -> bool) {
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !comes_first(&entry, &self.0[parent]) {
                break;
            }
            self.0[at] = self.0[parent];
            at = parent;
        }
        self.0[at] = entry;
    }

    /// The entries, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_leave_in_order(rounds in prop::collection::vec((prop::collection::vec(0u32..50, 0..40), 0usize..40), 0..8)) {
            let (mut heap, mut sorted) = (Heap::new(), Vec::new());
            for (pushed, n_popped) in rounds {
                for entry in pushed {
                    heap.push(entry, |a, b| a > b);
                    sorted.push(entry);
                }
                sorted.sort_unstable();
                for _ in 0..n_popped {
                    prop_assert_eq!(heap.peek(), sorted.last());
                    prop_assert_eq!(heap.pop(|a, b| a > b), sorted.pop());
                }
                let mut left: Vec<u32> = heap.iter().copied().collect();
                left.sort_unstable();
                prop_assert_eq!(&left, &sorted);
            }
        }
    }
}
