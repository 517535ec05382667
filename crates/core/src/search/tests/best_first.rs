//! Best-first search against brute force: breadth-first search where all tactics are equally likely, and the statuses, distances
//! and shortest proofs of random graphs with shared nodes and cycles.

use std::collections::{BTreeSet, VecDeque};

use super::*;

/// Puzzles whose candidates leave up to `most` goals; with 1, goals are states. Few candidates close a goal, so that proofs
/// are far away.
fn graphs(most: usize) -> impl Strategy<Value = Puzzle> {
    (2usize..24).prop_flat_map(move |n| {
        let candidate = prop_oneof![
            1 => Just(None),
            1 => Just(Some(Vec::new())),
            8 => prop::collection::vec(0..n, 1..=most).prop_map(Some),
        ];
        prop::collection::vec(prop::collection::vec(candidate, 1..5), n).prop_map(Puzzle)
    })
}

/// The parts of best-first search.
fn best_first(alpha: f64) -> Config {
    Config {
        identity: Identity::Strict,
        selection: Selection::BestFirst,
        depth_reward: alpha,
        expansion: Expansion::All,
        backup: Backup::Uniform,
        ..Config::default()
    }
}

impl Puzzle {
    /// The candidates of a goal that become steps: those that succeed and do not leave the goal itself.
    fn steps(&self, goal: usize) -> impl Iterator<Item = &Vec<usize>> {
        self.0[goal].iter().flatten().filter(move |kids| !kids.contains(&goal))
    }

    /// The states that breadth-first search expands, in order. It ends with one that a tactic closes.
    fn breadth_first(&self) -> Vec<usize> {
        let (mut order, mut queue, mut seen) = (Vec::new(), VecDeque::from([0]), vec![false; self.0.len()]);
        seen[0] = true;
        while let Some(state) = queue.pop_front() {
            order.push(state);
            if self.steps(state).any(Vec::is_empty) {
                break;
            }
            for &next in self.steps(state).flatten() {
                if !std::mem::replace(&mut seen[next], true) {
                    queue.push_back(next);
                }
            }
        }
        order
    }

    /// The number of tactics on the shortest path from the first state to a tactic that closes one.
    fn shortest_path(&self) -> Option<u32> {
        let (mut reached, mut length) = (BTreeSet::from([0]), 1);
        loop {
            if reached.iter().any(|&state| self.steps(state).any(Vec::is_empty)) {
                return Some(length);
            }
            let next = reached.iter().flat_map(|&state| self.steps(state).flatten().copied());
            let next: BTreeSet<usize> = next.chain(reached.iter().copied()).collect();
            if next == reached {
                return None;
            }
            (reached, length) = (next, length + 1);
        }
    }

    /// The number of steps in the smallest proof of each goal, steps being taken at expanded goals only.
    fn distances(&self, expanded: &[bool]) -> Vec<Option<u32>> {
        let mut distances: Vec<Option<u32>> = vec![None; self.0.len()];
        loop {
            let smallest = |goal| {
                let proofs = self.steps(goal).filter_map(|kids| kids.iter().map(|&k| distances[k]).sum());
                proofs.min().map(|below: u32| below + 1)
            };
            let next: Vec<_> =
                (0..self.0.len()).map(|g| expanded[g].then(|| smallest(g)).flatten()).collect();
            if next == distances {
                return distances;
            }
            distances = next;
        }
    }

    /// Whether each goal is hopeless: expanded, and each step leaves a hopeless goal.
    fn hopeless(&self, expanded: &[bool]) -> Vec<bool> {
        let mut hopeless = vec![false; self.0.len()];
        loop {
            let no_way = |goal| self.steps(goal).all(|kids| kids.iter().any(|&k| hopeless[k]));
            let next: Vec<bool> = (0..self.0.len()).map(|goal| expanded[goal] && no_way(goal)).collect();
            if next == hopeless {
                return hopeless;
            }
            hopeless = next;
        }
    }
}

impl Driver<'_> {
    /// Holds statuses, distances and the extracted proof against brute force over what is expanded.
    fn assert_settled(&self) {
        let tree = self.search.tree();
        let mut expanded = vec![false; self.puzzle.0.len()];
        tree.nodes().for_each(|n| expanded[self.goal(n)] = tree.phase(n) == Phase::Complete);
        let (distances, hopeless) = (self.puzzle.distances(&expanded), self.puzzle.hopeless(&expanded));
        for node in tree.nodes() {
            let goal = self.goal(node);
            let status = match (distances[goal], hopeless[goal]) {
                (Some(_), false) => Status::Proved,
                (None, true) => Status::Exhausted,
                (None, false) => Status::Open,
                (Some(_), true) => unreachable!("what is proved is not hopeless"),
            };
            assert_eq!((tree.status(node), tree.distance(node)), (status, distances[goal]), "goal {goal}");
        }
        if tree.status(tree.root()) == Status::Proved {
            self.assert_proof_is_right();
        }
    }

    /// Expands everything in the order of the schedule, also when the root is proved: as if all had been at work by then.
    /// Returns the distances that the root has had.
    fn expand_all(&mut self, schedule: &[u8]) -> Vec<u32> {
        let mut distances = Vec::new();
        for &turn in schedule.iter().cycle() {
            let tree = self.search.tree();
            distances.extend(tree.distance(tree.root()));
            let fresh: Vec<NodeId> = tree.nodes().filter(|&n| tree.phase(n) == Phase::Fresh).collect();
            let Some(&node) = fresh.get(usize::from(turn) % fresh.len().max(1)) else { break };
            let job = self
                .search
                .follow(AgentId(0), &self.search.path_to(node), Vec::new())
                .expect("there is a path");
            self.in_flight.push(job);
            self.tell(0);
            self.assert_settled();
        }
        distances.dedup();
        distances
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equally_likely_tactics_make_it_breadth_first(
        puzzle in graphs(1),
        alpha in prop_oneof![Just(0.0), Just(1.0), 0.0f64..1.0],
        log_prior in prop_oneof![Just(0.0f32), Just(-0.1), -5.0f32..0.0],
    ) {
        let mut driver = Driver::new(&puzzle, best_first(alpha));
        driver.constant = Some(log_prior);
        let (mut order, mut depths) = (Vec::new(), Vec::new());
        while let Ask::Job(job) = driver.search.ask(AgentId(0)) {
            order.push(driver.goal(job.node));
            depths.push(driver.search.tree().depth(job.node));
            driver.in_flight.push(job);
            driver.tell(0);
        }
        prop_assert!(depths.is_sorted(), "{depths:?}");
        if driver.search.tree().status(driver.search.tree().root()) != Status::Proved {
            // Within a depth the seed decides.
            let mut expected = puzzle.breadth_first();
            expected.sort_unstable();
            order.sort_unstable();
            prop_assert_eq!(order, expected);
        }
    }

    #[test]
    fn a_search_that_never_drew_is_the_same_under_any_seed(
        puzzle in puzzles(),
        config in configs(),
        seeds in any::<[u64; 2]>(),
    ) {
        let [(seeded, digest), other] = seeds.map(|seed| {
            let mut driver = Driver::new(&puzzle, Config { seed, ..config });
            driver.run(&[], 60);
            (driver.search.is_seeded(), driver.search.digest())
        });
        prop_assert!(seeded || (seeded, digest) == other, "{other:?}");
    }

    #[test]
    fn statuses_and_distances_are_those_of_brute_force(
        puzzle in graphs(3),
        schedule in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let distances = Driver::new(&puzzle, best_first(0.0)).expand_all(&schedule);
        prop_assert!(distances.is_sorted_by(|earlier, later| earlier > later), "{distances:?}");
    }

    #[test]
    fn a_proof_over_states_is_a_shortest_path(
        puzzle in graphs(1),
        schedule in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let mut driver = Driver::new(&puzzle, best_first(0.0));
        let last = driver.expand_all(&schedule).last().copied();
        let path = driver.search.tree().extract().map(|proof| proof.steps.len() as u32);
        prop_assert_eq!(path, puzzle.shortest_path());
        prop_assert_eq!(path, last);
    }
}

/// Nodes that several states lead to, steps that lead back, and a short proof that is told after a long one.
#[test]
fn the_shortest_of_several_proofs_is_taken_whichever_came_first() {
    // 0 → 1 → 2 → 3 closed, 0 → 4 → 3, and 4 → 5 closed; 2 leads back to 0, and 3 is reached twice.
    let puzzle = puzzle(&["1 | 4", "2", "3 | 0", ".", "3 | 5", "."]);
    let mut driver = Driver::new(&puzzle, best_first(0.0));
    for goal in [0, 1, 2] {
        let Ask::Job(job) = driver.search.ask(AgentId(0)) else { panic!("open") };
        assert_eq!(driver.goal(job.node), goal);
        driver.in_flight.push(job);
        driver.tell(0);
    }
    // 4 and 3 are worked on at once; the proof through 3 alone is the longer one.
    let jobs = [(); 2].map(|()| match driver.search.ask(AgentId(0)) {
        Ask::Job(job) => job,
        other => panic!("{other:?}"),
    });
    let [four, three] = if driver.goal(jobs[0].node) == 4 { jobs } else { [jobs[1], jobs[0]] };
    let distance = |driver: &Driver<'_>| driver.search.tree().distance(driver.search.tree().root());
    driver.in_flight = vec![three];
    driver.tell(0);
    assert_eq!(distance(&driver), Some(4));
    driver.in_flight = vec![four];
    driver.tell(0);
    assert_eq!(distance(&driver), Some(3));
    driver.assert_settled();
}

#[test]
fn proofs_of_random_graphs_become_shorter() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut n_shortened = 0;
    for _ in 0..300 {
        let puzzle = graphs(1).new_tree(&mut runner).expect("graphs can be drawn").current();
        n_shortened +=
            usize::from(Driver::new(&puzzle, best_first(0.0)).expand_all(&[201, 77, 250, 13]).len() > 1);
    }
    assert!(n_shortened > 9, "the properties above are about something: {n_shortened} of 300");
}
