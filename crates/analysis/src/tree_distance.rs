//! The edit distance of ordered, labelled trees: the least number of nodes to insert, delete and relabel.

/// An ordered tree, prepared for [`distance`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree<L> {
    from_left: Reading<L>,
    /// Of its mirror image. A step of a proof tends to have a short first child and the rest of the proof as its last, and
    /// then this has much less work.
    from_right: Reading<L>,
}

/// A tree as the algorithm reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Reading<L> {
    /// Labels in postorder.
    labels: Vec<L>,
    /// For each node its leftmost leaf, both by postorder.
    leftmost: Vec<usize>,
    /// The last node with each leftmost leaf, ascending: the roots of the subproblems.
    keyroots: Vec<usize>,
}

impl<L> Tree<L> {
    /// The tree below `root`. Nodes are of any type; `label` and `children` read them. Each node is visited once for
    /// each path to it, so that a shared node is copied.
    pub fn new<N: Copy>(root: N, label: impl Fn(N) -> L, children: impl Fn(N) -> Vec<N>) -> Self {
        let from_right = |node| children(node).into_iter().rev().collect();
        Self {
            from_right: Reading::new(root, &label, from_right),
            from_left: Reading::new(root, &label, &children),
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.from_left.labels.len()
    }

    /// Whether the tree has no nodes: never.
    pub fn is_empty(&self) -> bool {
        self.from_left.labels.is_empty()
    }
}

impl<L> Reading<L> {
    fn new<N: Copy>(root: N, label: impl Fn(N) -> L, children: impl Fn(N) -> Vec<N>) -> Self {
        let (mut labels, mut leftmost) = (Vec::new(), Vec::new());
        // A node, its children that are not done, and the number of nodes that were finished when it began: the
        // next to finish is its leftmost leaf. A stack of our own, since proofs can be deep.
        let mut stack = vec![(root, children(root).into_iter(), 0)];
        while let Some((node, rest, first)) = stack.last_mut() {
            match rest.next() {
                Some(child) => {
                    let begun = labels.len();
                    stack.push((child, children(child).into_iter(), begun));
                }
                None => {
                    leftmost.push(*first);
                    labels.push(label(*node));
                    stack.pop();
                }
            }
        }
        let mut last = vec![None; labels.len()];
        for (node, &leaf) in leftmost.iter().enumerate() {
            last[leaf] = Some(node);
        }
        let mut keyroots: Vec<usize> = last.into_iter().flatten().collect();
        keyroots.sort_unstable();
        Self { labels, leftmost, keyroots }
    }

    /// Number of nodes.
    fn len(&self) -> usize {
        self.labels.len()
    }

    /// Number of nodes in all its subproblems. The work for two trees is the product.
    fn work(&self) -> u64 {
        self.keyroots.iter().map(|&root| (root - self.leftmost[root] + 1) as u64).sum()
    }
}

/// The edit distance of two trees with unit costs, exactly, by the algorithm of Zhang and Shasha (1989), from the left or
/// from the right, whichever is less work. Time is O(n·m·min(depth, leaves)²), memory O(n·m).
pub fn distance<L: PartialEq>(a: &Tree<L>, b: &Tree<L>) -> u32 {
    let work = |a: &Reading<L>, b: &Reading<L>| a.work().saturating_mul(b.work());
    if work(&a.from_left, &b.from_left) <= work(&a.from_right, &b.from_right) {
        read(&a.from_left, &b.from_left)
    } else {
        read(&a.from_right, &b.from_right)
    }
}

fn read<L: PartialEq>(a: &Reading<L>, b: &Reading<L>) -> u32 {
    let (n, m) = (a.len(), b.len());
    let mut of_trees = vec![0u32; n * m];
    let mut of_forests = vec![0u32; (n + 1) * (m + 1)];
    for &i in &a.keyroots {
        for &j in &b.keyroots {
            subproblem(a, b, i, j, &mut of_trees, &mut of_forests);
        }
    }
    of_trees[n * m - 1]
}

/// Fills in the distances of all pairs of subtrees whose leftmost leaves are those of `i` and `j`. `of_forests` is
/// scratch space: its entry (x, y) is the distance of the forests of the first x and y nodes from those leaves on.
fn subproblem<L: PartialEq>(
    a: &Reading<L>,
    b: &Reading<L>,
    i: usize,
    j: usize,
    of_trees: &mut [u32],
    of_forests: &mut [u32],
) {
    let (first_a, first_b) = (a.leftmost[i], b.leftmost[j]);
    let (rows, columns) = (i - first_a + 1, j - first_b + 1);
    let width = columns + 1;
    let small = |n: usize| u32::try_from(n).expect("a proof has fewer than 2^32 steps");
    for (y, entry) in of_forests[..=columns].iter_mut().enumerate() {
        *entry = small(y);
    }
    for x in 1..=rows {
        of_forests[x * width] = small(x);
        let at_a = first_a + x - 1;
        for y in 1..=columns {
            let at_b = first_b + y - 1;
            let edited = of_forests[(x - 1) * width + y].min(of_forests[x * width + y - 1]) + 1;
            let trees = a.leftmost[at_a] == first_a && b.leftmost[at_b] == first_b;
            let kept = if trees {
                let relabelled = u32::from(a.labels[at_a] != b.labels[at_b]);
                of_forests[(x - 1) * width + y - 1] + relabelled
            } else {
                let (before_a, before_b) = (a.leftmost[at_a] - first_a, b.leftmost[at_b] - first_b);
                of_forests[before_a * width + before_b] + of_trees[at_a * b.len() + at_b]
            };
            let least = edited.min(kept);
            of_forests[x * width + y] = least;
            if trees {
                of_trees[at_a * b.len() + at_b] = least;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use proptest::prelude::*;

    /// Children of each node, with labels; node 0 is the root.
    type Plain = Vec<(char, Vec<usize>)>;

    fn tree(plain: &Plain) -> Tree<char> {
        Tree::new(0, |n: usize| plain[n].0, |n| plain[n].1.clone())
    }

    #[test]
    fn the_example_of_the_paper() {
        // f(d(a c(b)) e) and f(c(d(a b)) e): one deletion and one insertion.
        let t1 = vec![
            ('f', vec![1, 5]),
            ('d', vec![2, 3]),
            ('a', vec![]),
            ('c', vec![4]),
            ('b', vec![]),
            ('e', vec![]),
        ];
        let t2 = vec![
            ('f', vec![1, 5]),
            ('c', vec![2]),
            ('d', vec![3, 4]),
            ('a', vec![]),
            ('b', vec![]),
            ('e', vec![]),
        ];
        assert_eq!(distance(&tree(&t1), &tree(&t2)), 2);
        assert_eq!(distance(&tree(&t1), &tree(&t1)), 0);
    }

    #[test]
    fn deep_trees_do_not_overflow() {
        let chain: Plain = (0..3_000).map(|n| ('x', if n < 2_999 { vec![n + 1] } else { vec![] })).collect();
        let leaf = vec![('x', vec![])];
        assert_eq!(distance(&tree(&chain), &tree(&leaf)), 2_999);
    }

    /// The definition: the forest distance by removing rightmost roots, memoised.
    fn by_definition(a: &Plain, b: &Plain) -> u32 {
        type Forests = (Vec<usize>, Vec<usize>);
        fn go(a: &Plain, b: &Plain, (x, y): Forests, seen: &mut HashMap<Forests, u32>) -> u32 {
            if let Some(known) = seen.get(&(x.clone(), y.clone())) {
                return *known;
            }
            let without = |of: &Plain, forest: &[usize]| {
                let (last, rest) = forest.split_last().map(|(l, r)| (*l, r.to_vec())).unwrap_or_default();
                ([rest, of[last].1.clone()].concat(), last)
            };
            let least = match (x.is_empty(), y.is_empty()) {
                (true, true) => 0,
                (false, true) => 1 + go(a, b, (without(a, &x).0, y.clone()), seen),
                (true, false) => 1 + go(a, b, (x.clone(), without(b, &y).0), seen),
                (false, false) => {
                    let ((less_x, i), (less_y, j)) = (without(a, &x), without(b, &y));
                    let delete = 1 + go(a, b, (less_x, y.clone()), seen);
                    let insert = 1 + go(a, b, (x.clone(), less_y), seen);
                    let below = go(a, b, (a[i].1.clone(), b[j].1.clone()), seen);
                    let beside = go(a, b, (x[..x.len() - 1].to_vec(), y[..y.len() - 1].to_vec()), seen);
                    delete.min(insert).min(below + beside + u32::from(a[i].0 != b[j].0))
                }
            };
            seen.insert((x, y), least);
            least
        }
        go(a, b, (vec![0], vec![0]), &mut HashMap::new())
    }

    /// Trees of up to eight nodes: each node after the first hangs below an earlier one.
    fn small() -> impl Strategy<Value = Plain> {
        prop::collection::vec((prop::sample::select(vec!['a', 'b', 'c']), any::<prop::sample::Index>()), 1..9)
            .prop_map(|nodes| {
                let mut plain: Plain = nodes.iter().map(|(label, _)| (*label, vec![])).collect();
                for n in 1..nodes.len() {
                    plain[nodes[n].1.index(n)].1.push(n);
                }
                plain
            })
    }

    proptest! {
        #[test]
        fn the_distance_is_that_of_the_definition(a in small(), b in small()) {
            let expected = by_definition(&a, &b);
            let (a, b) = (tree(&a), tree(&b));
            prop_assert_eq!(distance(&a, &b), expected);
            prop_assert_eq!(read(&a.from_left, &b.from_left), expected);
            prop_assert_eq!(read(&a.from_right, &b.from_right), expected);
        }

        #[test]
        fn it_is_a_metric(a in small(), b in small(), c in small()) {
            let (a, b, c) = (tree(&a), tree(&b), tree(&c));
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert_eq!(distance(&a, &b) == 0, a == b);
            prop_assert!(distance(&a, &c) <= distance(&a, &b) + distance(&b, &c));
        }
    }
}
