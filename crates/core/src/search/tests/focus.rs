//! A focus that moves about in random searches with grafts: what is chosen lies below it and is the best there, nothing is
//! lost once it is lifted, and the search ends as it would without.

use std::collections::BTreeSet;

use super::*;

impl Driver<'_> {
    /// What lies below the focus and can be chosen, by definition.
    fn eligible(&self) -> BTreeSet<NodeId> {
        let (search, tree) = (&self.search, self.search.tree());
        let root = search.focused().unwrap_or(tree.root());
        let above = search.path_to(root);
        let mut below = BTreeSet::from([root]);
        while let Some(next) = below
            .iter()
            .flat_map(|&node| tree.steps(node))
            .flat_map(|step| tree.children(step))
            .find(|child| !above.contains(child) && !below.contains(child))
        {
            below.insert(next);
        }
        let matters = |node: NodeId| tree.status(node) == Status::Open && tree.is_relevant(node);
        if !matters(root) {
            return BTreeSet::new();
        }
        let is_free = |node: NodeId| !self.in_flight.iter().any(|job| job.node == node);
        below.into_iter().filter(|&n| matters(n) && tree.phase(n) != Phase::Complete && is_free(n)).collect()
    }

    /// The sum of the log-priors from the root along creators, with the next candidate's, over the depth.
    fn naive_priority(&self, node: NodeId, alpha: f64) -> (f64, std::cmp::Reverse<u32>) {
        let tree = self.search.tree();
        let (mut sum, mut depth, mut at) = (0.0, 0u32, node);
        while let Some((step, parent)) = tree.creator(at) {
            (sum, depth, at) = (sum + f64::from(tree.log_prior(step)), depth + 1, parent);
        }
        if tree.phase(node) == Phase::Partial {
            sum += f64::from(self.log_prior(self.tried[node.index()]));
        }
        let scale = if depth == 0 || alpha == 0.0 { 1.0 } else { f64::from(depth).powf(alpha) };
        (sum / scale, std::cmp::Reverse(depth))
    }

    /// Asks, and holds the answer against the definition.
    fn ask_and_compare(&mut self) {
        let eligible = self.eligible();
        let is_tree = self.search.config().identity == Identity::Checkpoint;
        match self.search.ask(AgentId(0)) {
            Ask::Job(job) => {
                assert!(eligible.contains(&job.node), "{} of {eligible:?}", job.node);
                let &Config { selection, depth_reward: alpha, .. } = self.search.config();
                if selection == Selection::BestFirst && is_tree {
                    let chosen = self.naive_priority(job.node, alpha);
                    let best = eligible.iter().map(|&n| self.naive_priority(n, alpha));
                    assert!(best.into_iter().all(|other| other <= chosen), "{} is not the best", job.node);
                }
                if let Some(focus) = self.search.focused().filter(|_| is_tree) {
                    assert!(self.search.path(job.id).contains(&focus));
                    assert!(self.search.is_focus_busy());
                }
                self.in_flight.push(job);
            }
            Ask::OutOfFocus => {
                assert!(self.search.focused().is_some());
                // A descent does not end at a node whose steps are being worked on.
                let descends = matches!(self.search.open, OpenNodes::InTree);
                let is_idle = is_tree && self.in_flight.is_empty();
                assert!(eligible.is_empty() || (descends && !is_idle), "{eligible:?} are left out");
            }
            Ask::Wait | Ask::Done(_) => {}
            Ask::Pass(pass) => panic!("{pass:?}"),
        }
        self.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_focus_restricts_the_choice_and_nothing_else(
        puzzle in puzzles(),
        config in configs(),
        moves in prop::collection::vec((any::<u8>(), any::<u16>()), 0..60),
    ) {
        let mut driver = Driver::new(&puzzle, config);
        let provable = puzzle.provable()[0];
        for (what, choice) in moves {
            let n_nodes = driver.search.tree().n_nodes();
            let choice = usize::from(choice);
            match what % 8 {
                0 => drop(driver.graft(choice, false)),
                1 => driver.search.focus(Some(NodeId::from_index(choice % n_nodes))),
                2 if what > 200 => driver.search.focus(None),
                3 | 4 if !driver.in_flight.is_empty() => driver.tell(choice % driver.in_flight.len()),
                5 if !driver.in_flight.is_empty() => {
                    let job = driver.in_flight.swap_remove(choice % driver.in_flight.len());
                    driver.search.abandon(job.id);
                }
                _ if driver.in_flight.len() < 4 => driver.ask_and_compare(),
                _ => {}
            }
            driver.check();
        }
        driver.search.focus(None);
        driver.check();
        match driver.run(&[], 400) {
            Some(StopReason::Proved) => {
                prop_assert!(provable, "an unprovable root was called proved");
                driver.assert_proof_is_right();
            }
            Some(StopReason::Exhausted) => prop_assert!(!provable, "something was lost"),
            Some(other) => prop_assert!(false, "{other:?}"),
            None => {}
        }
    }
}

/// A skeleton as a plan gives it: two statements with their rests.
const SKELETON: &[&str] = &["1 2", ".", "3 4", "5 | .", ".", "-"];

#[test]
fn each_policy_works_below_the_focus_and_then_elsewhere() {
    for &selection in Selection::ALL {
        for seed in 0..10 {
            let puzzle = puzzle(SKELETON);
            let mut driver =
                Driver::new(&puzzle, Config { selection, exploration: 1.0, seed, ..Config::default() });
            assert!(driver.graft(0, false));
            let [first, rest] = [1, 2].map(NodeId::from_index);
            driver.search.focus(Some(rest));
            for _ in 0..4 {
                let Ask::Job(job) = driver.search.ask(AgentId(0)) else { break };
                assert!(driver.search.path(job.id).contains(&rest), "{selection:?}");
                driver.in_flight.push(job);
                driver.tell(0);
            }
            assert_eq!(driver.search.tree().status(rest), Status::Proved, "{selection:?}");
            assert_eq!(driver.search.ask(AgentId(0)), Ask::OutOfFocus);
            assert_eq!(driver.search.tree().status(first), Status::Open);
            driver.search.focus(Some(first));
            assert_eq!(driver.run(&[], driver.search.spent().iterations + 1), None);
            assert_eq!(driver.search.ask(AgentId(0)), Ask::Done(StopReason::Proved));
        }
    }
}
