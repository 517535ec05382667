//! What distances between proofs and between searches cost, and how far the bounds of large searches are from the distance.
//!
//! `cargo run --release -p andor-analysis --example distances [PAIRS]`

#![expect(clippy::print_stdout, reason = "an example shows what it found")]
#![expect(clippy::expect_used, reason = "an example may stop")]

use std::hint::black_box;
use std::time::Instant;

use andor_analysis::graph_distance::{self, Graph};
use andor_analysis::tree_distance::{self, Tree};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Labels to draw from, about as many as there are kinds of tactics.
const LABELS: u8 = 8;

/// In a deep tree, a node hangs below one of this many nodes before it.
const REACH: usize = 4;

fn main() {
    let pairs = std::env::args().nth(1).map_or(20, |text| text.parse().expect("give a number of pairs"));
    let random = &mut Pcg64Mcg::seed_from_u64(1);
    println!("ms per pair, the median of {pairs} (lowest to highest)");
    type Shape = fn(&mut Pcg64Mcg, usize) -> Vec<(usize, usize)>;
    let shapes: [(&str, Shape, [usize; 3]); 3] = [
        ("main branch last", main_branch, [10, 100, 1000]),
        ("bushy", |random, nodes| edges(random, nodes, usize::MAX), [10, 100, 1000]),
        ("deep", |random, nodes| edges(random, nodes, REACH), [10, 100, 300]),
    ];
    for (name, shape, sizes) in shapes {
        for nodes in sizes {
            let spent = times(pairs, || {
                let [a, b] = [(); 2].map(|()| {
                    let edges = shape(random, nodes);
                    tree(random, nodes, &edges)
                });
                move || tree_distance::distance(&a, &b) as usize
            });
            println!("{:<24} {nodes:>5} nodes {spent}", format!("proofs, {name}"));
        }
    }
    for nodes in [10, 100, 1000] {
        let spent = times(pairs, || {
            let (a, b) = (graph(random, nodes), graph(random, nodes));
            move || graph_distance::distance(&a, &b).high
        });
        let (a, b) = (graph(random, nodes), graph(random, nodes));
        let method = format!("{:?}", graph_distance::distance(&a, &b).method).to_lowercase();
        println!("{:<24} {nodes:>5} nodes {spent}", format!("searches, {method}"));
    }
    quality(random, 10 * pairs);
}

/// How bounds compare with the exact distance, for searches that are small enough for it.
fn quality(random: &mut Pcg64Mcg, pairs: usize) {
    let each = graph_distance::EXACT / 2;
    let (mut exactly, mut ratios) = ([0, 0], [0.0, 0.0]);
    for _ in 0..pairs {
        // Half of the pairs are unrelated, in half of them the second is the first with three edits.
        let a = edges(random, each, REACH);
        let labels: Vec<u8> = (0..each).map(|_| random.random_range(0..LABELS)).collect();
        let (mut b, mut relabelled) =
            (edges(random, each, REACH), (0..each).map(|_| random.random_range(0..LABELS)).collect());
        if random.random_bool(0.5) {
            (b, relabelled) = (a.clone(), labels.clone());
            b.pop();
            for _ in 0..2 {
                relabelled[random.random_range(0..each)] = random.random_range(0..LABELS);
            }
        }
        let (a, b) = (Graph::new(labels, a), Graph::new(relabelled, b));
        let exact = graph_distance::distance(&a, &b).high;
        let bounds = graph_distance::approximate(&a, &b);
        assert!(bounds.low <= exact && exact <= bounds.high, "{bounds:?} are no bounds of {exact}");
        for (which, bound) in [bounds.low, bounds.high].into_iter().enumerate() {
            exactly[which] += usize::from(bound == exact);
            ratios[which] += bound as f64 / exact.max(1) as f64;
        }
    }
    println!("bounds against the exact distance, of {pairs} pairs of searches with {each} nodes");
    for (which, name) in ["lower", "upper"].into_iter().enumerate() {
        let of = |n: f64| n / pairs as f64;
        println!(
            "  {name}: {:.2} of it, exact in {:.0} %",
            of(ratios[which]),
            100.0 * of(exactly[which] as f64)
        );
    }
}

fn times<F: FnOnce() -> usize>(pairs: usize, mut make: impl FnMut() -> F) -> String {
    let one = |_| {
        let distance = make();
        let began = Instant::now();
        black_box(distance());
        began.elapsed().as_secs_f64() * 1e3
    };
    let mut times: Vec<f64> = (0..pairs).map(one).collect();
    times.sort_by(f64::total_cmp);
    format!("{:>9.3} ({:.3} to {:.3})", times[pairs / 2], times[0], times[pairs - 1])
}

/// The edges of a tree: each node hangs below one of the `reach` nodes before it.
fn edges(random: &mut Pcg64Mcg, nodes: usize, reach: usize) -> Vec<(usize, usize)> {
    (1..nodes).map(|node| (random.random_range(node.saturating_sub(reach)..node), node)).collect()
}

/// The edges of a proof whose steps have a short branch, or none, before the rest of the proof.
fn main_branch(random: &mut Pcg64Mcg, nodes: usize) -> Vec<(usize, usize)> {
    let (mut edges, mut main) = (Vec::new(), 0);
    while edges.len() + 1 < nodes {
        let mut above = main;
        for _ in 0..random.random_range(0..4usize).min(nodes - edges.len() - 2) {
            let node = edges.len() + 1;
            edges.push((above, node));
            above = node;
        }
        let node = edges.len() + 1;
        edges.push((main, node));
        main = node;
    }
    edges
}

fn tree(random: &mut Pcg64Mcg, nodes: usize, edges: &[(usize, usize)]) -> Tree<u8> {
    let mut children = vec![Vec::new(); nodes];
    for &(parent, node) in edges {
        children[parent].push(node);
    }
    let labels: Vec<u8> = (0..nodes).map(|_| random.random_range(0..LABELS)).collect();
    Tree::new(0, |node: usize| labels[node], |node| children[node].clone())
}

/// A deep tree, and an edge more for every fourth node.
fn graph(random: &mut Pcg64Mcg, nodes: usize) -> Graph<u8> {
    let mut all = edges(random, nodes, REACH);
    for _ in 0..nodes / 4 {
        let to = random.random_range(1..nodes);
        all.push((random.random_range(0..to), to));
    }
    Graph::new((0..nodes).map(|_| random.random_range(0..LABELS)).collect(), all)
}
