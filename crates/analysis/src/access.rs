//! What stands in the way: which vertices of a directed graph can be reached from its root, and only through which others.

/// A directed graph with a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    root: usize,
    successors: Vec<Vec<usize>>,
}

impl Graph {
    /// A graph of `n` vertices, numbered from 0.
    ///
    /// # Panics
    ///
    /// If the root or an edge names another vertex.
    pub fn new(n: usize, root: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        assert!(root < n, "the root is a vertex");
        let mut successors = vec![Vec::new(); n];
        for (from, to) in edges {
            assert!(to < n, "edges lead to vertices");
            successors[from].push(to);
        }
        Self { root, successors }
    }

    /// Which vertices can be reached without leaving a vertex of `closed`. Such a vertex can itself be reached; a closed root
    /// reaches nothing else.
    pub fn reached(&self, closed: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.successors.len()];
        reached[self.root] = true;
        let mut open = vec![self.root];
        while let Some(at) = open.pop() {
            if closed(at) {
                continue;
            }
            for &next in &self.successors[at] {
                if !reached[next] {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The immediate dominator of each vertex: the last one before it that every path from the root passes. `None` for the
    /// root, and for vertices that no path leads to. (Cooper, Harvey and Kennedy 2001.)
    pub fn dominators(&self) -> Vec<Option<usize>> {
        let order = self.reverse_postorder();
        let mut rank = vec![usize::MAX; self.successors.len()];
        for (at, &vertex) in order.iter().enumerate() {
            rank[vertex] = at;
        }
        let mut predecessors = vec![Vec::new(); order.len()];
        for (at, &vertex) in order.iter().enumerate() {
            for &next in &self.successors[vertex] {
                predecessors[rank[next]].push(at);
            }
        }
        // By rank; the root is its own dominator here.
        let mut above: Vec<Option<usize>> = vec![None; order.len()];
        above[0] = Some(0);
        let mut changes = true;
        while std::mem::take(&mut changes) {
            for at in 1..order.len() {
                let known = predecessors[at].iter().copied().filter(|&from| above[from].is_some());
                let meeting = known.reduce(|a, b| common(&above, a, b));
                changes |= above[at] != meeting;
                above[at] = meeting;
            }
        }
        let mut dominators = vec![None; self.successors.len()];
        for at in 1..order.len() {
            dominators[order[at]] = above[at].map(|above| order[above]);
        }
        dominators
    }

    /// For each vertex, how many of the vertices in `counted` are reached only through it, itself included.
    pub fn gated(&self, counted: impl Fn(usize) -> bool) -> Vec<usize> {
        let dominators = self.dominators();
        let mut gated = vec![0; self.successors.len()];
        // A vertex comes after its dominator in this order.
        for &vertex in self.reverse_postorder().iter().rev() {
            gated[vertex] += usize::from(counted(vertex));
            if let Some(above) = dominators[vertex] {
                gated[above] += gated[vertex];
            }
        }
        gated
    }

    /// The vertices that can be reached, each before those that are reached only through it.
    fn reverse_postorder(&self) -> Vec<usize> {
        let mut seen = vec![false; self.successors.len()];
        seen[self.root] = true;
        let mut order = Vec::new();
        let mut path = vec![(self.root, 0)];
        while let Some((at, next)) = path.last_mut() {
            match self.successors[*at].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !seen[to] {
                        seen[to] = true;
                        path.push((to, 0));
                    }
                }
                None => {
                    order.push(*at);
                    path.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

/// Where the ways from two vertices up to the root meet, by rank.
fn common(above: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let lower = if a > b { &mut a } else { &mut b };
        *lower = above[*lower].expect("it has a dominator already");
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_diamond_behind_a_gate() {
        // 0 → 1 → {2, 3} → 4, and 5 apart.
        let graph = Graph::new(6, 0, [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)]);
        assert_eq!(graph.dominators(), [None, Some(0), Some(1), Some(1), Some(1), None]);
        assert_eq!(graph.gated(|_| true), [5, 4, 1, 1, 1, 0]);
        assert_eq!(graph.reached(|v| v == 2), [true, true, true, true, true, false]);
        assert_eq!(graph.reached(|v| v == 1), [true, true, false, false, false, false]);
    }

    fn graphs() -> impl Strategy<Value = Graph> {
        (1usize..9).prop_flat_map(|n| {
            let edges = prop::collection::vec((0..n, 0..n), 0..20);
            (0..n, edges).prop_map(move |(root, edges)| Graph::new(n, root, edges))
        })
    }

    /// Whether a walk from the root to a vertex exists, by squaring the relation.
    fn brute(graph: &Graph, without: Option<usize>) -> Vec<bool> {
        let n = graph.successors.len();
        let mut walk = vec![vec![false; n]; n];
        for (from, nexts) in graph.successors.iter().enumerate() {
            walk[from][from] = true;
            for &to in nexts {
                walk[from][to] = true;
            }
        }
        if let Some(gone) = without {
            walk[gone] = vec![false; n];
            walk.iter_mut().for_each(|row| row[gone] = false);
        }
        for through in 0..n {
            for from in 0..n {
                for to in 0..n {
                    walk[from][to] |= walk[from][through] && walk[through][to];
                }
            }
        }
        walk[graph.root].clone()
    }

    proptest! {
        #[test]
        fn a_dominator_is_what_cannot_be_taken_away(graph in graphs()) {
            let n = graph.successors.len();
            let all = brute(&graph, None);
            prop_assert_eq!(&graph.reached(|_| false), &all);
            let dominators = graph.dominators();
            for (gate, gated) in graph.gated(|_| true).into_iter().enumerate() {
                let without = brute(&graph, Some(gate));
                let only_through: Vec<usize> = (0..n).filter(|&v| all[v] && !without[v]).collect();
                prop_assert_eq!(gated, only_through.len());
                let below = |mut v: usize| loop {
                    if v == gate {
                        return true;
                    }
                    match dominators[v] {
                        Some(above) => v = above,
                        None => return false,
                    }
                };
                prop_assert_eq!((0..n).filter(|&v| all[v] && below(v)).collect::<Vec<_>>(), only_through);
            }
        }

        #[test]
        fn what_is_closed_is_reached_but_not_left(graph in graphs(), closed in prop::collection::vec(any::<bool>(), 9)) {
            let n = graph.successors.len();
            let open = Graph {
                successors: (0..n).map(|v| if closed[v] { Vec::new() } else { graph.successors[v].clone() }).collect(),
                ..graph.clone()
            };
            prop_assert_eq!(graph.reached(|v| closed[v]), brute(&open, None));
        }
    }
}
