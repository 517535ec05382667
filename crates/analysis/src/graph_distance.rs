//! The edit distance of directed graphs with labelled nodes: the least number of nodes and edges to insert and delete,
//! and of nodes to relabel.
//!
//! It is exact for small graphs. Larger ones get a lower and an upper bound, and the result says by which method.

use std::collections::BTreeMap;

use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// A directed graph. Two nodes have at most one edge in each direction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph<L> {
    labels: Vec<L>,
    edges: FxHashSet<(usize, usize)>,
    /// Number of edges that leave each node.
    out: Vec<usize>,
    /// Number of edges that come into each node.
    into: Vec<usize>,
}

impl<L> Graph<L> {
    /// A graph with a label for each node and edges between nodes by their numbers. Repeated edges count once.
    ///
    /// # Panics
    ///
    /// If an edge ends at a node that does not exist.
    pub fn new(labels: Vec<L>, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let edges: FxHashSet<(usize, usize)> = edges.into_iter().collect();
        let (mut out, mut into) = (vec![0; labels.len()], vec![0; labels.len()]);
        for &(from, to) in &edges {
            out[from] += 1;
            into[to] += 1;
        }
        Self { labels, edges, out, into }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.labels.len()
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }
}

/// How a distance was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// All ways to match the nodes were tried, but for those that cannot be better: both bounds are the distance.
    Exact,
    /// Both bounds come from the best matching of nodes by label and degree (Riesen and Bunke 2009).
    Assignment,
    /// The lower bound counts labels and edges; the upper bound matches nodes with equal labels.
    Labels,
}

/// The edit distance lies between two bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Bounds {
    /// It is at least this.
    pub low: usize,
    /// It is at most this: the cost of edits that were found.
    pub high: usize,
    /// How the bounds were found.
    pub method: Method,
}

/// Graphs with at most this many nodes together are compared exactly.
pub const EXACT: usize = 16;

/// Graphs with at most this many nodes together are compared by assignment.
pub const ASSIGNED: usize = 600;

/// For each node of the first graph the one of the second that it becomes, if it is kept.
type Matching = Vec<Option<usize>>;

/// The edit distance of two graphs, or bounds for it. `EXACT` and `ASSIGNED` say what is done for which size.
pub fn distance<L: Ord>(a: &Graph<L>, b: &Graph<L>) -> Bounds {
    let nodes = a.nodes() + b.nodes();
    if nodes <= EXACT {
        let (_, matching) = assignment(a, b);
        let distance = exact(a, b, cost(a, b, &matching));
        return Bounds { low: distance, high: distance, method: Method::Exact };
    }
    approximate(a, b)
}

/// Bounds of the edit distance of two graphs, without an exact search, however small they are.
pub fn approximate<L: Ord>(a: &Graph<L>, b: &Graph<L>) -> Bounds {
    let nodes = a.nodes() + b.nodes();
    let by_labels = matched_labels(a, b);
    let high = by_labels.iter().map(|matching| cost(a, b, matching)).min().expect("two matchings were made");
    let low = counts(a, b);
    if nodes <= ASSIGNED {
        let (half_costs, matching) = assignment(a, b);
        let low = low.max(half_costs.div_ceil(2));
        return Bounds { low, high: high.min(cost(a, b, &matching)), method: Method::Assignment };
    }
    Bounds { low, high, method: Method::Labels }
}

/// What it costs to turn `a` into `b` if nodes are matched in this way.
fn cost<L: PartialEq>(a: &Graph<L>, b: &Graph<L>, matching: &Matching) -> usize {
    let kept = matching.iter().flatten().count();
    let relabelled = |(x, y): (usize, &Option<usize>)| y.is_some_and(|y| a.labels[x] != b.labels[y]);
    let changed = matching.iter().enumerate().filter(|pair| relabelled(*pair)).count();
    let kept_edges = a.edges.iter().filter(|(from, to)| match (matching[*from], matching[*to]) {
        (Some(from), Some(to)) => b.edges.contains(&(from, to)),
        _ => false,
    });
    let same = kept_edges.count();
    (a.nodes() - kept) + (b.nodes() - kept) + changed + (a.edges() - same) + (b.edges() - same)
}

/// A lower bound from the numbers of nodes with each label, and of edges.
fn counts<L: Ord>(a: &Graph<L>, b: &Graph<L>) -> usize {
    let common: usize = by_label(a, b).values().map(|(x, y)| x.len().min(y.len())).sum();
    a.nodes().max(b.nodes()) - common + a.edges().abs_diff(b.edges())
}

/// The nodes of both graphs with each label.
fn by_label<'a, L: Ord>(a: &'a Graph<L>, b: &'a Graph<L>) -> BTreeMap<&'a L, (Vec<usize>, Vec<usize>)> {
    let mut groups: BTreeMap<&L, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (node, label) in a.labels.iter().enumerate() {
        groups.entry(label).or_default().0.push(node);
    }
    for (node, label) in b.labels.iter().enumerate() {
        groups.entry(label).or_default().1.push(node);
    }
    groups
}

/// Two matchings: nodes with equal labels in order of their degrees; and the same, with the nodes that are left over
/// matched in order.
fn matched_labels<L: Ord>(a: &Graph<L>, b: &Graph<L>) -> [Matching; 2] {
    let mut equal = vec![None; a.nodes()];
    let (mut left_a, mut left_b): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for (mut x, mut y) in by_label(a, b).into_values() {
        x.sort_by_key(|&node| (a.out[node], a.into[node], node));
        y.sort_by_key(|&node| (b.out[node], b.into[node], node));
        for (&from, &to) in x.iter().zip(&y) {
            equal[from] = Some(to);
        }
        left_a.extend(x.iter().skip(y.len()));
        left_b.extend(y.iter().skip(x.len()));
    }
    left_a.sort_unstable();
    left_b.sort_unstable();
    let mut all = equal.clone();
    for (&from, &to) in left_a.iter().zip(&left_b) {
        all[from] = Some(to);
    }
    [equal, all]
}

/// The best matching if an edge's cost is shared by its two ends, with twice its cost. Since each edit of an edge
/// concerns two ends at most, half of that is a lower bound of the distance.
fn assignment<L: PartialEq>(a: &Graph<L>, b: &Graph<L>) -> (usize, Matching) {
    let (n, m) = (a.nodes(), b.nodes());
    if n + m == 0 {
        return (0, Vec::new());
    }
    let half = |degree: usize| i64::try_from(degree).expect("a graph has fewer than 2^63 edges");
    let costs = Matrix::from_fn(n + m, n + m, |(row, column)| match (row < n, column < m) {
        (true, true) => {
            let edges = a.out[row].abs_diff(b.out[column]) + a.into[row].abs_diff(b.into[column]);
            2 * i64::from(a.labels[row] != b.labels[column]) + half(edges)
        }
        (true, false) => 2 + half(a.out[row] + a.into[row]),
        (false, true) => 2 + half(b.out[column] + b.into[column]),
        (false, false) => 0,
    });
    let (total, columns) = kuhn_munkres_min(&costs);
    let matching = columns[..n].iter().map(|&column| (column < m).then_some(column)).collect();
    (usize::try_from(total).expect("costs are not negative"), matching)
}

/// The distance, by trying all matchings that can cost less than `bound`, which is the cost of one.
fn exact<L: Ord>(a: &Graph<L>, b: &Graph<L>, bound: usize) -> usize {
    let mut order: Vec<usize> = (0..a.nodes()).collect();
    // Nodes with many edges first: what they cost is known early.
    order.sort_by_key(|&node| (std::cmp::Reverse(a.out[node] + a.into[node]), node));
    let mut search =
        Exact { a, b, order, matching: vec![None; a.nodes()], used: vec![false; b.nodes()], best: bound };
    search.go(0, 0);
    search.best
}

struct Exact<'a, L> {
    a: &'a Graph<L>,
    b: &'a Graph<L>,
    /// The nodes of `a`, in the order in which they are matched.
    order: Vec<usize>,
    matching: Matching,
    /// Which nodes of `b` are matched.
    used: Vec<bool>,
    /// The least cost so far.
    best: usize,
}

impl<L: Ord> Exact<'_, L> {
    /// Matches the nodes from `at` on; the edits of the earlier ones, and of edges between them, cost `spent`.
    fn go(&mut self, at: usize, spent: usize) {
        let left = (self.order.len() - at).abs_diff(self.used.iter().filter(|used| !**used).count());
        if spent + left >= self.best {
            return;
        }
        let Some(&node) = self.order.get(at) else {
            self.best = cost(self.a, self.b, &self.matching).min(self.best);
            return;
        };
        for to in 0..self.b.nodes() {
            if !self.used[to] {
                self.used[to] = true;
                self.matching[node] = Some(to);
                self.go(at + 1, spent + self.step(at));
                self.used[to] = false;
            }
        }
        self.matching[node] = None;
        self.go(at + 1, spent + self.step(at));
    }

    /// What the node at `at` costs as it is matched, with its edges to earlier ones and to itself.
    fn step(&self, at: usize) -> usize {
        let (a, b) = (self.a, self.b);
        let node = self.order[at];
        let to = self.matching[node];
        let itself = to.map_or(1, |to| usize::from(a.labels[node] != b.labels[to]));
        let differs = |x: (usize, usize), y: Option<(usize, usize)>| {
            usize::from(a.edges.contains(&x) != y.is_some_and(|y| b.edges.contains(&y)))
        };
        let earlier = self.order[..at].iter().map(|&other| {
            let both = to.zip(self.matching[other]);
            differs((node, other), both) + differs((other, node), both.map(|(x, y)| (y, x)))
        });
        itself + earlier.sum::<usize>() + differs((node, node), to.map(|to| (to, to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graph(labels: &str, edges: &[(usize, usize)]) -> Graph<char> {
        Graph::new(labels.chars().collect(), edges.iter().copied())
    }

    #[test]
    fn small_graphs() {
        let a = graph("xyz", &[(0, 1), (0, 2)]);
        assert_eq!(distance(&a, &a).high, 0);
        assert_eq!(distance(&a, &graph("zxy", &[(1, 2), (1, 0)])).high, 0);
        // One label, one edge.
        assert_eq!(distance(&a, &graph("xyw", &[(0, 1)])), Bounds { low: 2, high: 2, method: Method::Exact });
        assert_eq!(distance(&a, &graph("", &[])).high, 5);
        assert_eq!(distance(&graph("", &[]), &graph("", &[])).high, 0);
        assert_eq!(distance(&graph("x", &[(0, 0)]), &graph("x", &[])).high, 1);
    }

    #[test]
    fn large_graphs_with_labels_of_their_own() {
        let path = |n: usize| Graph::new((0..n).collect(), (1..n).map(|i| (i - 1, i)));
        let (a, b) = (path(2_000), path(2_003));
        assert_eq!(distance(&a, &b), Bounds { low: 6, high: 6, method: Method::Labels });
        let (a, b) = (path(20), path(23));
        assert_eq!(distance(&a, &b), Bounds { low: 6, high: 6, method: Method::Assignment });
    }

    fn small() -> impl Strategy<Value = Graph<char>> {
        (1usize..5).prop_flat_map(|n| {
            let labels = prop::collection::vec(prop::sample::select(vec!['a', 'b']), n);
            let edges = prop::collection::hash_set((0..n, 0..n), 0..6);
            (labels, edges).prop_map(|(labels, edges)| Graph::new(labels, edges))
        })
    }

    /// The least cost over all matchings, one by one.
    fn by_brute_force(a: &Graph<char>, b: &Graph<char>) -> usize {
        let mut matchings: Vec<Matching> = vec![Vec::new()];
        for _ in 0..a.nodes() {
            let extend = |matching: &Matching| {
                let free = (0..b.nodes()).filter(|to| !matching.contains(&Some(*to))).map(Some).chain([None]);
                free.map(|to| [matching.clone(), vec![to]].concat()).collect::<Vec<_>>()
            };
            matchings = matchings.iter().flat_map(extend).collect();
        }
        matchings.iter().map(|matching| cost(a, b, matching)).min().expect("there is always one")
    }

    proptest! {
        #[test]
        fn small_graphs_are_compared_exactly(a in small(), b in small()) {
            let expected = by_brute_force(&a, &b);
            prop_assert_eq!(distance(&a, &b), Bounds { low: expected, high: expected, method: Method::Exact });
        }

        #[test]
        fn bounds_enclose_the_distance(a in small(), b in small()) {
            let expected = by_brute_force(&a, &b);
            let (half_costs, matching) = assignment(&a, &b);
            prop_assert!(half_costs.div_ceil(2) <= expected);
            prop_assert!(counts(&a, &b) <= expected);
            prop_assert!(cost(&a, &b, &matching) >= expected);
            for matching in matched_labels(&a, &b) {
                prop_assert!(cost(&a, &b, &matching) >= expected);
            }
        }
    }
}
