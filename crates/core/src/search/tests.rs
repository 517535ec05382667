//! The search against brute force: random puzzles, every combination of parts, random schedules of asking,
//! telling and abandoning. The checker runs after every change.

mod agents;
mod best_first;
mod focus;
mod graft;

use proptest::prelude::*;

use super::*;
use crate::control::Control;
use crate::policy::{Backup, Budget, CycleRule, Expansion, StopReason, Widening};
use crate::signature::{GoalKey, GoalSig};

/// Goals by number; each has candidates, `None` for one that fails, else the goals it leaves.
#[derive(Clone, Debug)]
struct Puzzle(Vec<Vec<Option<Vec<usize>>>>);

impl Puzzle {
    fn child(goal: usize) -> Child {
        Child { coarse: GoalSig(goal as u64), key: GoalKey(goal as u64), value: None }
    }

    /// The provable goals, as a least fixpoint.
    fn provable(&self) -> Vec<bool> {
        let mut proved = vec![false; self.0.len()];
        loop {
            let next: Vec<bool> = self
                .0
                .iter()
                .map(|candidates| candidates.iter().flatten().any(|kids| kids.iter().all(|&k| proved[k])))
                .collect();
            if next == proved {
                return proved;
            }
            proved = next;
        }
    }
}

fn puzzles() -> impl Strategy<Value = Puzzle> {
    (2usize..7).prop_flat_map(|n| {
        let kids = prop::collection::vec(0..n, 0..3);
        let candidate = prop_oneof![1 => Just(None), 3 => kids.prop_map(Some)];
        prop::collection::vec(prop::collection::vec(candidate, 0..4), n).prop_map(Puzzle)
    })
}

fn configs() -> impl Strategy<Value = Config> {
    let selection = prop_oneof![
        Just((Selection::Ucb1, std::f64::consts::SQRT_2)),
        Just((Selection::Puct, 0.0)),
        Just((Selection::Puct, 1.0)),
        Just((Selection::BlindUniform, 0.0)),
        Just((Selection::BestFirst, 0.0)),
        Just((Selection::BestFirst, 0.5)),
    ];
    let expansion = prop_oneof![
        Just((Expansion::All, None)),
        Just((Expansion::FirstNovel, None)),
        Just((Expansion::FirstNovel, Some(Widening { scale: 1.0, exponent: 0.5 }))),
    ];
    let backup = prop_oneof![
        Just((Backup::Uniform, 1.0)),
        Just((Backup::AndMin, 1.0)),
        Just((Backup::Product, 1.0)),
        Just((Backup::Product, 0.7))
    ];
    let identity = prop_oneof![Just(Identity::Checkpoint), Just(Identity::Strict)];
    (selection, expansion, backup, identity, 0.0f64..2.0, any::<u64>()).prop_map(
        |(
            (selection, constant),
            (expansion, widening),
            (backup, step_discount),
            identity,
            virtual_loss,
            seed,
        )| Config {
            exploration: constant,
            depth_reward: constant,
            widening,
            step_discount,
            identity,
            selection,
            expansion,
            backup,
            control: Control { virtual_loss, ..Control::default() },
            seed,
            ..Config::default()
        },
    )
}

/// A driver over a puzzle with several agents.
struct Driver<'a> {
    puzzle: &'a Puzzle,
    search: Search,
    /// For each node, the number of candidates tried.
    tried: Vec<usize>,
    in_flight: Vec<Job>,
    /// The log-prior of every candidate, where it is not to fall with its position.
    constant: Option<f32>,
}

impl<'a> Driver<'a> {
    fn new(puzzle: &'a Puzzle, config: Config) -> Self {
        let search = Search::new(config, Puzzle::child(0));
        Self { puzzle, search, tried: Vec::new(), in_flight: Vec::new(), constant: None }
    }

    fn goal(&self, node: NodeId) -> usize {
        usize::try_from(self.search.tree().key(node).0).unwrap()
    }

    fn log_prior(&self, candidate: usize) -> f32 {
        self.constant.unwrap_or(-(candidate as f32))
    }

    /// Plays one job as a driver would: previews in order, admission, first novel or all.
    fn report(&mut self, job: &Job) -> Report {
        self.tried.resize(self.search.tree().n_nodes(), 0);
        let candidates = &self.puzzle.0[self.goal(job.node)];
        let mut report = Report::default();
        let from = self.tried[job.node.index()];
        for (index, candidate) in candidates.iter().enumerate().skip(from) {
            self.tried[job.node.index()] = index + 1;
            report.candidates += 1;
            let Some(kids) = candidate else { continue };
            let mut children: Vec<Child> = kids.iter().map(|&k| Puzzle::child(k)).collect();
            match self.search.guard(job).admit(&children) {
                Admission::Novel => {}
                Admission::Without(dropped) => {
                    for &index in dropped.iter().rev() {
                        children.remove(index);
                    }
                }
                Admission::Cyclic | Admission::TooDeep => continue,
            }
            let tactic = self.search.tactics_mut().intern(&format!("t{index}"));
            report.push_step(tactic, self.log_prior(index), &children);
            if matches!(self.search.config().expansion, Expansion::FirstNovel) {
                break;
            }
        }
        let next = self.tried[job.node.index()];
        report.next_log_prior = (next < candidates.len()).then(|| self.log_prior(next));
        report
    }

    fn check(&self) {
        let violations = self.search.check();
        assert!(violations.is_empty(), "{violations:#?}\n{:#?}", self.search.tree());
    }

    fn tell(&mut self, index: usize) {
        let job = self.in_flight.swap_remove(index);
        let report = self.report(&job);
        self.search.tell(job.id, &report);
        self.check();
    }

    /// Asks, tells and abandons as the schedule says, then goes on in order until the search ends or
    /// `limit` iterations are spent.
    fn run(&mut self, schedule: &[u8], limit: u64) -> Option<StopReason> {
        for &move_ in schedule {
            match move_ % 4 {
                0 | 1 if self.in_flight.len() < 4 => {
                    if let Ask::Job(job) = self.search.ask(AgentId(0)) {
                        self.in_flight.push(job);
                    }
                    self.check();
                }
                3 if !self.in_flight.is_empty() => {
                    let job = self.in_flight.swap_remove(move_ as usize / 4 % self.in_flight.len());
                    self.search.abandon(job.id);
                    self.check();
                }
                _ if !self.in_flight.is_empty() => {
                    self.tell(move_ as usize / 4 % self.in_flight.len());
                }
                _ => {}
            }
        }
        let budget = Budget { iterations: Some(limit), ..Budget::default() };
        while budget.exceeded(self.search.spent(), std::time::Duration::ZERO).is_none() {
            match self.search.ask(AgentId(1)) {
                Ask::Job(job) => {
                    self.in_flight.push(job);
                    self.tell(self.in_flight.len() - 1);
                }
                Ask::Wait => self.tell(0),
                Ask::Pass(_) => {}
                Ask::OutOfFocus => self.search.focus(None),
                Ask::Done(reason) => return Some(reason),
            }
        }
        None
    }

    /// Replays the extracted proof against the puzzle.
    fn assert_proof_is_right(&self) {
        let tree = self.search.tree();
        let proof = tree.extract().expect("a proved root has a proof");
        for (index, step) in proof.steps.iter().enumerate() {
            let tactic = self.search.tactics().text(tree.tactic(step.step));
            let candidate: usize = tactic[1..].parse().unwrap();
            let kids = self.puzzle.0[self.goal(step.node)][candidate].as_ref().expect("it succeeded");
            let proved: Vec<usize> = step.children.iter().map(|&c| self.goal(proof.steps[c].node)).collect();
            assert_eq!(kids, &proved, "step {index} proves exactly what its tactic left");
        }
        // No part rests on itself: peel off steps all of whose children are peeled off.
        let mut done = vec![false; proof.steps.len()];
        for _ in 0..proof.steps.len() {
            for (index, step) in proof.steps.iter().enumerate() {
                done[index] |= step.children.iter().all(|&c| done[c]);
            }
        }
        assert!(done[0], "the proof is not circular");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn search_agrees_with_brute_force(
        puzzle in puzzles(),
        config in configs(),
        schedule in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut driver = Driver::new(&puzzle, config);
        let provable = puzzle.provable()[0];
        match driver.run(&schedule, 150) {
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

    #[test]
    fn the_same_reports_give_the_same_tree(
        puzzle in puzzles(),
        config in configs(),
        schedule in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let digest = || {
            let mut driver = Driver::new(&puzzle, config);
            driver.run(&schedule, 60);
            driver.search.digest()
        };
        prop_assert_eq!(digest(), digest());
    }

    #[test]
    fn a_refuted_proof_never_returns(puzzle in puzzles(), config in configs()) {
        let mut driver = Driver::new(&puzzle, config);
        let mut refuted = Vec::new();
        for _ in 0..20 {
            if driver.run(&[], 150) != Some(StopReason::Proved) {
                break;
            }
            let proof = driver.search.tree().extract().expect("a proved root has a proof");
            prop_assert!(proof.steps.iter().all(|s| !refuted.contains(&s.step)));
            refuted.push(proof.youngest());
            driver.search.refute(proof.youngest());
            driver.check();
        }
    }

    #[test]
    fn drop_child_never_panics(puzzle in puzzles(), config in configs()) {
        let config = Config { cycle_rule: CycleRule::DropChild, max_depth: Some(6), ..config };
        Driver::new(&puzzle, config).run(&[], 100);
    }
}

/// A puzzle from text: goals are numbered by position; `1 2 | - | .` are three candidates: one that leaves
/// goals 1 and 2, one that fails, one that closes the goal.
fn puzzle(goals: &[&str]) -> Puzzle {
    let candidate = |text: &str| match text.trim() {
        "-" => None,
        "." => Some(Vec::new()),
        kids => Some(kids.split_whitespace().map(|k| k.parse().unwrap()).collect()),
    };
    Puzzle(
        goals
            .iter()
            .map(|g| g.split('|').filter(|c| !c.trim().is_empty()).map(candidate).collect())
            .collect(),
    )
}

fn solve(goals: &[&str], config: Config) -> (Option<StopReason>, Search) {
    let puzzle = puzzle(goals);
    let mut driver = Driver::new(&puzzle, config);
    let reason = driver.run(&[], 10_000);
    (reason, driver.search)
}

#[test]
fn first_novel_takes_the_first_success_and_comes_back_for_the_rest() {
    let config = Config { expansion: Expansion::FirstNovel, ..Config::default() };
    // Candidate 0 fails, 1 leads to a dead end, 2 closes the goal.
    let (reason, search) = solve(&["- | 1 | .", "-"], config);
    assert_eq!(reason, Some(StopReason::Proved));
    let steps: Vec<_> =
        search.tree().steps(search.tree().root()).map(|s| search.tree().step_status(s)).collect();
    assert_eq!(steps, [Status::Exhausted, Status::Proved]);
    assert_eq!(search.spent().candidates, 4);
}

#[test]
fn a_preview_that_leads_back_is_cyclic_and_its_siblings_are_not_kept() {
    let (reason, search) = solve(&["1 2", "0", "."], Config::default());
    assert_eq!(reason, Some(StopReason::Exhausted));
    assert_eq!(search.tree().n_nodes(), 3);
    // The seeds' rule keeps the sibling, and calls the root proved.
    let config = Config { cycle_rule: CycleRule::DropChild, ..Config::default() };
    let (reason, _) = solve(&["1 2", "0 2", "."], config);
    assert_eq!(reason, Some(StopReason::Proved));
}

#[test]
fn equal_siblings_are_aliases() {
    let (reason, search) = solve(&["1 1 1", "."], Config::default());
    assert_eq!(reason, Some(StopReason::Proved));
    assert_eq!(search.tree().n_nodes(), 2);
    // The script repeats the proof for each of the three.
    assert_eq!(search.tree().distance(search.tree().root()), Some(4));
    assert_eq!(search.tree().extract().unwrap().steps.len(), 2);
}

#[test]
fn equal_obligations_share_a_node_only_under_strict_identity() {
    let goals = ["1 | 2", "3", "3", "-"];
    let nodes = |identity| solve(&goals, Config { identity, ..Config::default() }).1.tree().n_nodes();
    assert_eq!(nodes(Identity::Checkpoint), 5);
    assert_eq!(nodes(Identity::Strict), 4);
}

#[test]
fn the_smallest_proof_is_extracted() {
    let config =
        Config { identity: Identity::Strict, selection: Selection::BlindUniform, ..Config::default() };
    for seed in 0..20 {
        let (_, search) = solve(&["1 | 2", "3", ".", "4", "."], Config { seed, ..config });
        let proof = search.tree().extract().unwrap();
        let distance = search.tree().distance(search.tree().root()).unwrap();
        assert_eq!(distance as usize, proof.steps.len());
    }
}

#[test]
fn everything_in_flight_means_wait() {
    let puzzle = puzzle(&["1", "."]);
    let mut driver = Driver::new(&puzzle, Config::default());
    assert!(matches!(driver.search.ask(AgentId(0)), Ask::Job(_)));
    assert_eq!(driver.search.ask(AgentId(1)), Ask::Wait);
}

#[test]
fn blind_uniform_shuffles_candidates_and_others_do_not() {
    let order = |selection| {
        let mut search = Search::new(Config { selection, ..Config::default() }, Puzzle::child(0));
        match search.ask(AgentId(0)) {
            Ask::Job(job) => job.order,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(order(Selection::BlindUniform), CandidateOrder::Shuffled(_)));
    assert_eq!(order(Selection::Puct), CandidateOrder::Ranked);
}

/// Sets the records of a node whose step has the number before its own.
fn set(search: &mut Search, node: usize, visits: u32, success: f32, value: f32) {
    search.stats.nodes[node] = NodeStats { visits, success };
    if let Some(cached) = search.stats.values.get_mut(node) {
        *cached = value;
    }
    if node > 0 && search.config.looks_at_steps() {
        search.stats.steps[node - 1] = StepStats { visits, success, value };
    }
}

/// One parent with three visited children; the formulas by hand.
mod formulas {
    use super::*;

    /// A root with one step into three open nodes, visited by hand.
    fn search(selection: Selection, exploration: f64, backup: Backup) -> Search {
        let config = Config { selection, exploration, backup, ..Config::default() };
        let mut search = Search::new(config, Puzzle::child(0));
        let Ask::Job(job) = search.ask(AgentId(0)) else { panic!("the root is open") };
        let mut report = Report::default();
        for (goal, log_prior) in [(1, -0.1), (2, -1.0), (3, -3.0)] {
            let tactic = search.tactics_mut().intern(&format!("t{goal}"));
            report.push_step(tactic, log_prior, &[Puzzle::child(goal)]);
        }
        search.tell(job.id, &report);
        search
    }

    fn chosen(search: &mut Search) -> usize {
        let Ask::Job(job) = search.ask(AgentId(0)) else { panic!("open") };
        job.node.index()
    }

    #[test]
    fn ucb1_visits_the_unvisited_first() {
        let mut search = search(Selection::Ucb1, 1.4, Backup::Uniform);
        set(&mut search, 1, 5, 5.0, 1.0);
        set(&mut search, 2, 5, 5.0, 1.0);
        assert_eq!(chosen(&mut search), 3);
    }

    #[test]
    fn ucb1_weighs_success_against_visits() {
        for (c, expected) in [(0.0, 1), (2.0, 2)] {
            let mut search = search(Selection::Ucb1, c, Backup::Uniform);
            set(&mut search, 0, 21, 10.0, 0.5);
            set(&mut search, 1, 10, 6.0, 0.6);
            // At c = 2: 0.6 + 2·sqrt(ln 21 / 10) = 1.70 against 0.3 + 2·sqrt(ln 21 / 3) = 2.31.
            set(&mut search, 2, 3, 0.9, 0.3);
            set(&mut search, 3, 8, 0.0, 0.0);
            assert_eq!(chosen(&mut search), expected, "c = {c}");
        }
    }

    #[test]
    fn virtual_loss_sends_the_next_agent_elsewhere() {
        let mut search = search(Selection::Ucb1, 0.1, Backup::Uniform);
        set(&mut search, 0, 30, 15.0, 0.5);
        for (node, success) in [(1, 8.0), (2, 7.9), (3, 1.0)] {
            set(&mut search, node, 10, success, success / 10.0);
        }
        assert_eq!([chosen(&mut search), chosen(&mut search), chosen(&mut search)], [1, 2, 3]);
    }

    #[test]
    fn work_in_flight_counts_as_visits_of_the_parent() {
        let mut search = search(Selection::Ucb1, 1.0, Backup::Uniform);
        search.config.control.virtual_loss = 10.0;
        set(&mut search, 0, 5, 2.0, 0.5);
        set(&mut search, 1, 1, 0.0, 0.0);
        set(&mut search, 2, 4, 2.92, 0.73);
        assert_eq!(chosen(&mut search), 3, "the unvisited one");
        // √(ln P) against 0.73 + √(ln P) / 2: with P = 5 + 10 the first is more, with P = 5 it would be less.
        assert_eq!(chosen(&mut search), 1);
    }

    #[test]
    fn virtual_loss_counts_as_losses_on_the_whole_path() {
        let mut search = search(Selection::Ucb1, 0.0, Backup::Uniform);
        set(&mut search, 2, 10, 7.7, 0.77);
        set(&mut search, 3, 10, 0.0, 0.0);
        let Ask::Job(job) = search.ask(AgentId(0)) else { panic!("open") };
        assert_eq!(job.node.index(), 1, "the unvisited one");
        let mut report = Report::default();
        let tactic = search.tactics_mut().intern("split");
        report.push_step(tactic, -0.1, &[Puzzle::child(4), Puzzle::child(5)]);
        search.tell(job.id, &report);
        set(&mut search, 1, 10, 9.0, 0.9);
        assert!(chosen(&mut search) >= 4, "below node 1");
        // (9 − 1) / (10 + 1) = 0.73 is less than 0.77; a visit without loss would leave 0.82.
        assert_eq!(chosen(&mut search), 2);
    }

    #[test]
    fn puct_sees_every_child_before_it_returns_to_the_weakest() {
        let config = Config { selection: Selection::Puct, ..Config::default() };
        let mut search = Search::new(config, Puzzle::child(0));
        let Ask::Job(job) = search.ask(AgentId(0)) else { panic!("the root is open") };
        let mut report = Report::default();
        let tactic = search.tactics_mut().intern("split");
        report.push_step(tactic, -0.1, &[Puzzle::child(1), Puzzle::child(2)]);
        search.tell(job.id, &report);
        search.stats.nodes[1] = NodeStats { visits: 3, success: 0.0 };
        search.stats.values[1] = -5.0;
        assert_eq!(chosen(&mut search), 2, "never visited");
        let mut visited = search.clone();
        visited.reservations.clear();
        visited.stats.nodes[2] = NodeStats { visits: 1, success: 0.0 };
        assert_eq!(chosen(&mut visited), 1, "the weakest");
    }

    #[test]
    fn puct_follows_priors_before_visits_and_values_after() {
        let mut exploring = search(Selection::Puct, 1.0, Backup::Product);
        assert_eq!(chosen(&mut exploring), 1, "equal values, so the highest prior");
        let mut search = search(Selection::Puct, 0.01, Backup::Product);
        for (node, value) in [(1, -9.0), (2, -8.0), (3, -1.0)] {
            set(&mut search, node, 1, 1.0, value);
        }
        assert_eq!(chosen(&mut search), 3);
    }

    #[test]
    fn values_follow_their_rules() {
        // One step into two children valued 0.5 and 0.25, another into one child valued 0.2.
        for (backup, step_discount, expected) in [
            (Backup::AndMin, 1.0, 0.25f32),
            (Backup::Product, 1.0, 0.2),
            (Backup::Product, 0.5, 0.1),
            (Backup::Uniform, 1.0, 1.0),
        ] {
            let config = Config { backup, step_discount, ..Config::default() };
            let mut search = Search::new(config, Puzzle::child(0));
            let Ask::Job(job) = search.ask(AgentId(0)) else { panic!("the root is open") };
            let valued = |goal, value| Child { value: Some(value), ..Puzzle::child(goal) };
            let (a, b) = (search.tactics_mut().intern("a"), search.tactics_mut().intern("b"));
            let mut report = Report::default();
            report.push_step(a, -1.0, &[valued(1, 0.5), valued(2, 0.25)]);
            report.push_step(b, -1.0, &[valued(3, 0.2)]);
            search.tell(job.id, &report);
            assert!((search.value(search.tree().root()) - expected).abs() < 1e-6, "{backup:?}");
        }
    }
}
