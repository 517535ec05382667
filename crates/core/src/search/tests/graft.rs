//! Grafts in the middle of random searches: they keep all invariants, and never prove what is not provable.

use super::*;

impl Driver<'_> {
    /// Grafts a candidate of a random node, as a driver would. Returns whether it was admitted.
    pub(super) fn graft(&mut self, choice: usize, is_only: bool) -> bool {
        let node = NodeId::from_index(choice % self.search.tree().n_nodes());
        let candidates = &self.puzzle.0[self.goal(node)];
        let index = choice / 7 % candidates.len().max(1);
        let Some(Some(kids)) = candidates.get(index) else { return false };
        if self.search.tree().status(node) == Status::Exhausted {
            return false;
        }
        let children: Vec<Child> = kids.iter().map(|&k| Puzzle::child(k)).collect();
        if self.search.guard_of_grafts(node).admit(&children) != Admission::Novel {
            return false;
        }
        let before = (*self.search.spent(), self.search.stats().node(node).visits);
        let tactic = self.search.tactics_mut().intern(&format!("t{index}"));
        let scion = Scion { tactic, log_prior: 0.0, children: &children, is_only };
        let told = self.search.graft(node, &scion);
        self.check();
        assert_eq!(told.steps.len(), 1);
        assert!(self.search.is_grafted(StepId::from_index(told.steps.start)));
        let after = (*self.search.spent(), self.search.stats().node(node).visits);
        let nodes = self.search.tree().n_nodes() as u64;
        assert_eq!(after, (Spent { nodes, ..before.0 }, before.1), "a graft is no iteration");
        true
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_search_with_grafts_agrees_with_brute_force(
        puzzle in puzzles(),
        config in configs(),
        schedule in prop::collection::vec((any::<u8>(), any::<u16>()), 0..30),
    ) {
        let mut driver = Driver::new(&puzzle, config);
        let provable = puzzle.provable()[0];
        let mut grafted = 0;
        for (move_, choice) in schedule {
            grafted += usize::from(driver.graft(usize::from(choice), false));
            driver.run(&[move_], driver.search.spent().iterations);
        }
        prop_assert_eq!(driver.search.n_grafted(), grafted);
        match driver.run(&[], 300) {
            Some(StopReason::Proved) => {
                prop_assert!(provable, "an unprovable root was called proved");
                driver.assert_proof_is_right();
            }
            Some(StopReason::Exhausted) => {
                prop_assert!(!provable, "a provable root was called exhausted: {:?}", driver.search.tree());
            }
            Some(other) => prop_assert!(false, "{other:?}"),
            None => {}
        }
    }
}

#[test]
fn what_a_graft_leaves_comes_before_other_candidates() {
    let puzzle = puzzle(&["1 | 2", "-", "."]);
    for (selection, exploration) in [(Selection::Puct, 0.0), (Selection::Ucb1, 1.0)] {
        let mut driver = Driver::new(&puzzle, Config { selection, exploration, ..Config::default() });
        assert!(driver.graft(0, false));
        let Ask::Job(job) = driver.search.ask(AgentId(0)) else { panic!("there is work") };
        assert_eq!(driver.goal(job.node), 1, "{selection:?}");
        driver.search.abandon(job.id);
        // Its goal cannot be proved, so the root is expanded after all.
        assert_eq!(driver.run(&[], 100), Some(StopReason::Proved), "{selection:?}");
    }
}

#[test]
fn only_what_the_script_leaves_open_is_searched() {
    let puzzle = puzzle(&["1 | .", "-"]);
    let mut driver = Driver::new(&puzzle, Config::default());
    assert!(driver.graft(0, true));
    assert_eq!(driver.run(&[], 100), Some(StopReason::Exhausted));
    assert_eq!(driver.search.spent().iterations, 1);
}
