//! Selectors, pruners and presets on searches over numbers, and their laws.

use std::collections::HashSet;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use andor_rollout::search::select::Widening;
use andor_rollout::search::{CallOrder, End, ExpandError, SearchError, expand_by, parallel, prune, select};
use andor_rollout::{
    Child, Expand, Expansion, Key, Prune, PruneReason, Search, Select, Tree, TreeError, VerifyResult, beam,
    best_first, linear, make_root, mcts, run_search,
};
use async_trait::async_trait;
use proptest::prelude::*;

/// A tree with one layer of children that have these scores.
fn scored(scores: &[Option<f64>]) -> Tree<u64> {
    let child = |(i, score): (u64, &Option<f64>)| {
        Child::new(i, VerifyResult { score: *score, ..VerifyResult::default() })
    };
    make_root(99).add_children(Key::ROOT, (0..).zip(scores).map(child)).unwrap()
}

fn ids<S>(tree: &Tree<S>, keys: impl IntoIterator<Item = Key>) -> Vec<String> {
    keys.into_iter().map(|key| tree.id(key).to_string()).collect()
}

fn left<S>(tree: Tree<S>, prune: &Prune<S>) -> Vec<String> {
    let gone = prune(&tree);
    let tree = gone.into_iter().fold(tree, |tree, (key, reason)| tree.prune_node(key, reason));
    ids(&tree, tree.frontier().map(|(key, _)| key))
}

#[test]
fn an_unknown_score_is_not_zero() {
    let tree = scored(&[Some(0.2), None, Some(0.6), Some(0.0)]);
    // Without any estimate above, it comes after what is known, also after 0, and no threshold applies to it.
    assert_eq!(ids(&tree, select::top_k(9)(&tree)), ["0.2", "0.0", "0.3", "0.1"]);
    assert_eq!(left(tree.clone(), &prune::threshold(0.1)), ["0.0", "0.1", "0.2"]);
    assert_eq!(left(tree.clone(), &prune::beam(2)), ["0.0", "0.2"]);
    // With one, it is as good as the node above.
    let best = tree.find(&"0.2".parse().unwrap()).unwrap();
    let tree = tree.add_children(best, [Child::new(7, VerifyResult::default())]).unwrap();
    assert_eq!(ids(&tree, select::best()(&tree)), ["0.2.0"]);
    assert_eq!(left(tree, &prune::beam(1)), ["0.2.0"]);
}

#[test]
fn of_equal_nodes_the_older_comes_first() {
    let tree = scored(&[Some(0.5), Some(0.5), Some(0.7), Some(0.5)]);
    assert_eq!(ids(&tree, select::top_k(3)(&tree)), ["0.2", "0.0", "0.1"]);
    assert_eq!(ids(&tree, select::all_frontier()(&tree)), ["0.0", "0.1", "0.2", "0.3"]);
    assert_eq!(left(tree, &prune::beam(2)), ["0.0", "0.2"]);
}

/// In the document pruners take nodes out of the frontier and never mark them.
#[test]
fn what_a_pruner_drops_is_marked_with_its_reason() {
    let tree = scored(&[Some(0.1), Some(0.9), Some(0.5)]);
    let prune = prune::compose([prune::threshold(0.3), prune::beam(1)]);
    let gone = prune(&tree);
    let tree = gone.into_iter().fold(tree, |tree, (key, reason)| tree.prune_node(key, reason));
    let reasons: Vec<_> = tree.children(Key::ROOT).map(|(_, node)| node.pruned().cloned()).collect();
    assert_eq!(reasons, [Some(PruneReason::Threshold), None, Some(PruneReason::Beam)]);
    assert_eq!(left(tree.clone(), &prune::depth(2)), ["0.1"]);
    assert!(left(tree.clone(), &prune::depth(1)).is_empty());
    assert_eq!(left(tree.clone(), &prune::budget(5)), ["0.1"]);
    assert!(left(tree, &prune::budget(4)).is_empty());
}

#[test]
fn duplicates_are_those_of_siblings() {
    let child = |digest| Child { digest: NonZeroU64::new(digest), ..Child::new(0, VerifyResult::default()) };
    let tree = make_root(0).add_children(Key::ROOT, [5, 6, 5, 0, 0, 5].map(child)).unwrap();
    assert_eq!(left(tree, &prune::duplicates()), ["0.0", "0.1", "0.3", "0.4"]);
}

/// The counts of the document are in a closure, so a restored search begins anew. Here a tree says all.
#[test]
fn ucb_goes_by_the_counts_of_the_tree() {
    let two = Widening::fixed(2);
    let tree = scored(&[Some(0.5), Some(0.4)]);
    let [a, b] = ["0.0", "0.1"].map(|id| tree.find(&id.parse().unwrap()).unwrap());
    let tree = tree.back_up(a, Some(0.5)).back_up(b, Some(0.4));
    let select = select::ucb(1.0, two);
    assert_eq!(ids(&tree, select(&tree)), ["0.0"]);
    // Asking again changes nothing; another visit does.
    assert_eq!(ids(&tree, select(&tree)), ["0.0"]);
    let visited = tree.clone().back_up(a, Some(0.5));
    assert_eq!(ids(&visited, select(&visited)), ["0.1"]);
    assert_eq!(ids(&visited, select::ucb(0.0, two)(&visited)), ["0.0"]);
    let better = tree.clone().back_up(b, Some(0.9));
    assert_eq!(ids(&better, select::ucb(0.0, two)(&better)), ["0.1"]);
    // A visit without value counts, and is not a 0.
    let unknown = tree.back_up(a, None);
    assert_eq!(unknown.node(a).mean(), Some(0.5));
    assert_eq!(ids(&unknown, select(&unknown)), ["0.1"]);
}

#[test]
fn puct_goes_by_its_prior() {
    let tree = scored(&[None, None, None]);
    let tree = ["0.0", "0.1", "0.2"].iter().fold(tree, |tree, id| {
        let key = tree.find(&id.parse().unwrap()).unwrap();
        tree.back_up(key, None)
    });
    let select = select::puct(1.0, Widening::fixed(3), |node| if node.place() == 1 { 0.8 } else { 0.1 });
    assert_eq!(ids(&tree, select(&tree)), ["0.1"]);
}

/// From 1 by doubling and adding 1, 2, 3.
fn steps(target: u64) -> impl Expand<u64> + 'static {
    expand_by(4, move |branch: &Expansion<u64>| {
        let n = *branch.state;
        let n = if branch.branch == 0 { n * 2 } else { n + u64::from(branch.branch) };
        let verdict = if n == target {
            VerifyResult::solved()
        } else if n > target {
            VerifyResult::invalid("too large")
        } else {
            VerifyResult::scored(n as f64 / target as f64 * 0.9)
        };
        vec![Child::new(n, verdict)]
    })
}

#[tokio::test]
async fn presets_find_what_there_is() {
    let root = || Child::new(1u64, VerifyResult::default());
    let searches = [
        (100, beam(steps(100), 3, 30)),
        (100, best_first(steps(100), 0.0, 20, 200)),
        (30, mcts(steps(30), 0.3, 300)),
    ];
    for (target, search) in searches {
        let result = search.run(root()).await.unwrap();
        assert_eq!(result.end, End::Solved, "{target}");
        assert_eq!(**result.tree.node(result.tree.solution().unwrap()).state().unwrap(), target);
        assert_eq!(result.tree.objection(), None);
    }
    let one = expand_by(1, |b: &Expansion<u64>| vec![Child::new(*b.state + 1, VerifyResult::default())]);
    let result = linear(one, 7).run(root()).await.unwrap();
    assert_eq!((result.end, result.tree.len(), result.steps), (End::Steps, 8, 7));
}

/// With one child an expansion, the document's selector has a frontier of one node, and never branches.
#[tokio::test]
async fn mcts_with_one_branch_makes_a_tree() {
    let one = expand_by(1, |b: &Expansion<u64>| {
        vec![Child::new(b.seed, VerifyResult::scored((b.seed % 100) as f64 / 100.0))]
    });
    let result = mcts(one, 1.0, 60).run(Child::new(0, VerifyResult::default())).await.unwrap();
    assert_eq!(result.tree.len(), 61);
    assert!(result.tree.node(Key::ROOT).n_children() > 3);
    assert!(result.tree.nodes().any(|(_, node)| node.depth() > 2));
    assert_eq!(result.tree.node(Key::ROOT).visits(), 60);
}

#[tokio::test]
async fn nothing_to_expand_ends_the_search() {
    let nothing = expand_by(1, |_: &Expansion<u64>| Vec::new());
    let result = run_search(1, select::best(), nothing, prune::none(), 10).await.unwrap();
    assert_eq!((result.end, result.steps), (End::Exhausted, 1));
    assert_eq!(result.tree.node(Key::ROOT).pruned(), Some(&PruneReason::Barren));
    let solved = Child::new(1, VerifyResult::solved());
    let result = linear(steps(9), 10).run(solved).await.unwrap();
    assert_eq!((result.end, result.steps, result.tree.len()), (End::Solved, 0, 1));
}

#[tokio::test]
async fn a_selector_must_not_choose_what_is_pruned_or_twice_the_same() {
    let stubborn: Select<u64> = Box::new(|tree| vec![tree.nodes().last().unwrap().0]);
    let error = run_search(1, stubborn, steps(9), prune::beam(1), 10).await.unwrap_err();
    assert!(matches!(error, SearchError::Tree(TreeError::NotOpen(_))), "{error}");
    let twice: Select<u64> = Box::new(|_| vec![Key::ROOT, Key::ROOT]);
    assert!(run_search(1, twice, steps(9), prune::none(), 10).await.is_err());
}

/// Notes which branches were begun, and finishes them in an order that depends on their seeds.
#[derive(Clone, Default)]
struct Noting {
    begun: Arc<Mutex<Vec<String>>>,
    running: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

#[async_trait]
impl Expand<u64> for Noting {
    fn branches(&self) -> u32 {
        3
    }

    async fn expand(&self, branch: &Expansion<u64>) -> Result<Vec<Child<u64>>, ExpandError> {
        self.begun.lock().unwrap().push(format!("{}.{}", branch.id, branch.place));
        let running = self.running.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(running, Ordering::Relaxed);
        for _ in 0..branch.seed % 7 {
            tokio::task::yield_now().await;
        }
        self.running.fetch_sub(1, Ordering::Relaxed);
        let score = (branch.seed % 1000) as f64 / 1000.0;
        let n = branch.seed % 2 + 1;
        Ok((0..n).map(|i| Child::new(branch.seed + i, VerifyResult::scored(score))).collect())
    }
}

fn outline(tree: &Tree<u64>) -> Vec<String> {
    let line = |(key, node): (Key, &andor_rollout::Node<u64>)| {
        let (score, state) = (node.score(), node.state());
        format!(
            "{} {state:?} {score:?} {:?} {} {:?}",
            tree.id(key),
            node.pruned(),
            node.visits(),
            node.mean()
        )
    };
    tree.nodes().map(line).collect()
}

#[tokio::test]
async fn the_tree_depends_neither_on_the_width_nor_on_the_order_of_calls() {
    let mut trees = Vec::new();
    for (width, order) in
        [(1, CallOrder::Prefix), (1, CallOrder::Selected), (5, CallOrder::Prefix), (64, CallOrder::Selected)]
    {
        let noting = Noting::default();
        // Younger nodes first, so that the order of selection is not that of the tree.
        let select: Select<u64> = Box::new(|tree| {
            let mut all: Vec<Key> = tree.frontier().map(|(key, _)| key).collect();
            all.reverse();
            all
        });
        let search = Search {
            prune: prune::beam(6),
            max_steps: 4,
            seed: 11,
            order,
            ..Search::new(select, parallel(width, noting.clone()))
        };
        let result = search.run(Child::new(0, VerifyResult::default())).await.unwrap();
        assert_eq!(result.tree.objection(), None);
        assert!(noting.most.load(Ordering::Relaxed) <= width);
        assert!(width == 1 || noting.most.load(Ordering::Relaxed) > 1);
        trees.push(outline(&result.tree));
        if order == CallOrder::Prefix && width == 1 {
            let begun = noting.begun.lock().unwrap();
            let [first, second] = [&begun[..3], &begun[3..12]];
            assert_eq!(first, ["0.0", "0.1", "0.2"]);
            assert!(second.is_sorted_by(|a, b| a > b), "{second:?}");
        }
    }
    assert!(trees.iter().all(|tree| *tree == trees[0]));
}

#[derive(Clone, Debug)]
struct Recipe {
    select: u8,
    prune: u8,
    branches: u32,
    invalid: u64,
    terminal: u64,
    stopped: u64,
    unscored: u64,
    seed: u64,
}

fn recipe() -> impl Strategy<Value = Recipe> {
    (0u8..6, 0u8..6, 0u32..4, 2u64..9, 5u64..60, 2u64..9, 1u64..4, any::<u64>()).prop_map(
        |(select, prune, branches, invalid, terminal, stopped, unscored, seed)| Recipe {
            select,
            prune,
            branches,
            invalid,
            terminal,
            stopped,
            unscored,
            seed,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the parts: what is pruned is never expanded, ids are unique, parents come before children, equal searches
    /// have equal trees.
    #[test]
    fn searches_keep_the_laws(recipe in recipe()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let one = runtime.block_on(searched(&recipe));
        let other = runtime.block_on(searched(&recipe));
        prop_assert_eq!(outline(&one), outline(&other));
    }
}

async fn searched(recipe: &Recipe) -> Tree<u64> {
    let Recipe { branches, invalid, terminal, stopped, unscored, .. } = *recipe;
    let expanded = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&expanded);
    let expand = expand_by(branches, move |branch: &Expansion<u64>| {
        note.lock().unwrap().push(branch.key);
        let seed = branch.seed;
        let child = Child {
            state: seed,
            verdict: VerifyResult {
                score: seed.is_multiple_of(unscored).then(|| (seed % 97) as f64 / 97.0),
                valid: !seed.is_multiple_of(invalid),
                terminal: seed.is_multiple_of(terminal),
                feedback: None,
            },
            stopped: (seed >> 8).is_multiple_of(stopped),
            cost: 1,
            digest: NonZeroU64::new(seed),
        };
        vec![child; (seed >> 16) as usize % 3]
    });
    let select: Select<u64> = match recipe.select {
        0 => select::all_frontier(),
        1 => select::best(),
        2 => select::top_k(3),
        3 => select::ucb(1.0, Widening::default()),
        4 => select::puct(1.0, Widening::fixed(3), |_| 0.5),
        _ => Box::new(|tree| {
            tree.nodes().filter(|(_, node)| node.is_open()).map(|(key, _)| key).take(2).collect()
        }),
    };
    let prune: Prune<u64> = match recipe.prune {
        0 => prune::none(),
        1 => prune::beam(2),
        2 => prune::threshold(0.3),
        3 => prune::depth(3),
        4 => prune::budget(20),
        _ => prune::compose([prune::duplicates(), prune::beam(3), prune::threshold(0.1)]),
    };
    // Looks at the tree before the pruner does, and at what was expanded while it was pruned.
    let pruned: Arc<Mutex<HashSet<Key>>> = Arc::default();
    let seen = Arc::clone(&expanded);
    let watched: Prune<u64> = Box::new(move |tree| {
        assert_eq!(tree.objection(), None);
        let mut pruned = pruned.lock().unwrap();
        let mut expanded = seen.lock().unwrap();
        assert!(expanded.iter().all(|key| !pruned.contains(key)));
        expanded.clear();
        let gone = prune(tree);
        let before = tree.nodes().filter(|(_, node)| !node.is_open()).map(|(key, _)| key);
        pruned.extend(before.chain(gone.iter().map(|(key, _)| *key)));
        gone
    });
    let search = Search { prune: watched, max_steps: 12, seed: recipe.seed, ..Search::new(select, expand) };
    let result = search.run(Child::new(0, VerifyResult::default())).await.unwrap();
    assert_eq!(result.tree.objection(), None);
    result.tree
}
