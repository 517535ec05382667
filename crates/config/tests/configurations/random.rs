//! Random configurations: a valid one, and what spoils it now and then.

use andor_system_rocq::ROCQ;
use std::path::PathBuf;
use std::time::Duration;

use andor_config::{
    Backup, BasinConfig, Binding, BudgetConfig, Clock, Config, CycleRule, DistributedMcts, DraftConfig,
    Expansion, Form, Grouping, Identity, LatencyConfig, LatencySpec, LeanBackend, Level, LlmConfig, LoadPath,
    MctsMode, ModelConfig, ObstacleVisits, PlanConfig, PlanSchedule, Preset, ProviderConfig, RankerConfig,
    SearchConfig, SecondJudgeConfig, Selection, ShareProgress, TacticConfig, Universes, VerifyConfig,
    WorkerConfig,
};
use andor_core::rng::Rng;
use andor_model::config::Kind;
use andor_provider::filters::HygieneRule;
use rand::{RngExt, SeedableRng};

/// The configuration of a seed. About half of them are valid.
pub(crate) fn config(seed: u64) -> Config {
    let mut random = Random(Rng::seed_from_u64(seed));
    let mut config = random.valid();
    if random.chance() {
        for _ in 0..random.0.random_range(1..4) {
            random.spoil(&mut config);
        }
    }
    config
}

struct Random(Rng);

impl Random {
    fn chance(&mut self) -> bool {
        self.0.random()
    }

    fn one<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.0.random_range(0..choices.len())].clone()
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance().then(|| value(self))
    }

    /// Any number, with a leaning towards bounds.
    fn number(&mut self) -> f64 {
        let bounds = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            f64::EPSILON,
            -f64::EPSILON,
            -0.0,
            0.0,
            1.0,
            1.0 - f64::EPSILON,
            1.0 + f64::EPSILON,
            1e6,
            1e6 + 1.0,
            1e9,
            2e9,
        ];
        if self.chance() { self.one(&bounds) } else { self.0.random_range(-1.0..2.0) }
    }

    fn whole(&mut self) -> i64 {
        self.one(&[i64::MIN, -1, 0, 1, 2, 1_000_000, 1_000_001, i64::from(u32::MAX), i64::MAX])
    }

    fn open_unit(&mut self) -> f64 {
        self.0.random_range(1e-9..1.0)
    }

    fn seconds(&mut self) -> f64 {
        if self.chance() { self.one(&[1e-9, 0.5, 60.0, 1e9]) } else { self.0.random_range(1e-3..1e5) }
    }

    fn latency(&mut self) -> LatencySpec {
        let nanoseconds =
            if self.chance() { self.0.random_range(0..1_000_000_000_000_000) } else { 50_000_000 };
        let duration = Duration::from_nanos(nanoseconds);
        match self.0.random_range(0..3) {
            0 => LatencySpec::Constant(duration),
            1 => LatencySpec::LogNormal { median: duration, sigma: self.0.random_range(0.0..=10.0) },
            _ => LatencySpec::Recorded(PathBuf::from(self.one(&["latencies.json", "a b/ünï:1ms.json"]))),
        }
    }

    fn valid(&mut self) -> Config {
        let distributed = self.chance();
        let blind = !distributed && self.chance();
        let seeds = if blind { Some(20) } else { self.maybe(|r| r.0.random_range(1..50)) };
        let clock = self.one(Clock::ALL);
        let is_virtual = clock == Clock::Virtual;
        let mut providers = vec![
            ProviderConfig::Heuristic,
            ProviderConfig::Scripted { path: PathBuf::from("regeln \"1\"\\.json") },
            ProviderConfig::Learned { path: PathBuf::from("modelle/1.json") },
            ProviderConfig::Synthetic { critic: self.chance() },
            ProviderConfig::Llm { model: "small".to_owned() },
            ProviderConfig::Replay { run: PathBuf::from("läufe/1") },
            ProviderConfig::Exec { command: "python3 'mein \"1\".py' \\\\".to_owned() },
        ];
        providers.rotate_left(self.0.random_range(0..7));
        providers.truncate(if seeds.is_some() { 1 } else { self.0.random_range(1..=4) });
        let has_program = providers.iter().any(|p| matches!(p, ProviderConfig::Exec { .. }));
        let asks = providers.iter().any(ProviderConfig::is_llm);
        let replays = providers.iter().any(|p| matches!(p, ProviderConfig::Replay { .. }));
        let level = self.one(Level::VERIFIED);
        let deep = matches!(level, Level::Rechecked | Level::Judged);
        let rankers = if providers.len() > 1 { RankerConfig::ALL } else { &[RankerConfig::ShortestFirst] };
        let mut models = std::collections::BTreeMap::new();
        if self.chance() {
            models.insert("small".to_owned(), self.model());
        }
        let planner = self.maybe(|_| "small".to_owned());
        let file = self.maybe(|_| PathBuf::from("pläne \"1\".json"));
        let plans = planner.is_some() || file.is_some();
        let search = self.search(distributed, plans);
        let may_share = plans && seeds.is_none();
        let plan = PlanConfig {
            file,
            prompt: planner.is_some().then(|| self.maybe(|_| PathBuf::from("plan.j2"))).flatten(),
            retries: if planner.is_some() { self.one(&[0, 2, u32::MAX]) } else { 2 },
            replans: if planner.is_some() { self.one(&[0, 3, u32::MAX]) } else { 3 },
            subgoal_replans: if planner.is_some() { self.one(&[0, 2, u32::MAX]) } else { 2 },
            planner,
            share_progress: if may_share { self.one(ShareProgress::ALL) } else { ShareProgress::Off },
            ..PlanConfig::default()
        };
        let plan = match plans {
            true => PlanConfig {
                schedule: self.one(PlanSchedule::ALL),
                subgoal_candidates: self.one(&[1, 1500, u64::MAX]),
                subgoal_time_s: self.maybe(|_| 0.5),
                ..plan
            },
            false => plan,
        };
        Config {
            llm: if asks {
                self.llm(providers.iter().any(|p| matches!(p, ProviderConfig::Llm { .. })), replays)
            } else {
                LlmConfig::default()
            },
            models,
            seed: self.0.random(),
            search,
            budget: BudgetConfig {
                time_s: self.maybe(Self::seconds),
                virtual_time_s: is_virtual.then(|| self.maybe(Self::seconds)).flatten(),
                max_iterations: self.maybe(|r| r.0.random_range(0..1 << 60)),
                max_expansions: self.maybe(|r| r.0.random_range(0..100)),
                max_nodes: self.maybe(|r| r.0.random_range(0..100)),
                max_candidates: self.maybe(|r| r.0.random_range(0..100)),
                max_tokens_total: (asks || has_program)
                    .then(|| self.maybe(|r| r.0.random_range(0..1 << 50)))
                    .flatten(),
                max_cost: (replays || has_program)
                    .then(|| self.maybe(|r| f64::from(r.0.random_range(0..1000)) / 8.0))
                    .flatten(),
            },
            workers: WorkerConfig {
                workers: self.one(&[1, 4, 1_000_000]),
                inflight: if distributed { None } else { self.maybe(|r| r.one(&[1, 16])) },
                reuse: self.chance(),
                tactic_timeout_s: self.seconds(),
                tactic_cpu_timeout_s: self.maybe(Self::seconds),
                max_restarts: self.0.random(),
                sandbox: self.chance(),
                max_memory_mb: self.one(&[1, 2048, 1 << 40]),
                check_timeout_s: self.seconds(),
            },
            providers,
            provider_timeout_s: has_program.then(|| self.maybe(Self::seconds)).flatten(),
            ranker: self.maybe(|r| r.one(rankers)),
            own_ranker: None,
            verify: VerifyConfig {
                level,
                demanded: self.chance(),
                recheck_deps: deep && self.chance(),
                max_file_mb: self.one(&[1, 16, 1 << 40]),
                universes: self.one(Universes::ALL),
                second_judge: if deep {
                    self.one(SecondJudgeConfig::ALL)
                } else {
                    SecondJudgeConfig::Optional
                },
            },
            allowed_axioms: self.one(&[vec![], vec!["propext".to_owned(), "A.b'".to_owned()]]),
            trusted_bugs: self.one(&[vec![], vec!["rocq#20455".to_owned()]]),
            project: self.one(&[None, Some(PathBuf::from("/a b/'c'"))]),
            load_path: self.one(&[
                vec![],
                vec![LoadPath {
                    binding: Binding::R,
                    folder: PathBuf::from("/a b/\"c\""),
                    name: "X.Y".to_owned(),
                }],
            ]),
            agent: None,
            clock,
            latencies: match is_virtual {
                true => LatencyConfig { provider: self.latency(), tactic: self.latency() },
                false => LatencyConfig::default(),
            },
            distributed_mcts: if distributed { self.agents() } else { DistributedMcts::default() },
            tactics: self.tactics(),
            plan,
            lean_backend: self.one(LeanBackend::ALL),
            drafts: DraftConfig {
                file: if plans { None } else { self.maybe(|_| PathBuf::from("a \"draft\".v")) },
                ignore_partial: self.chance(),
                share: self.one(&[0.0, 0.5, 0.99]),
            },
            basin: BasinConfig { seeds, blind, ..BasinConfig::default() },
        }
    }

    fn llm(&mut self, asks: bool, replays: bool) -> LlmConfig {
        LlmConfig {
            prompt: self.one(&[None, Some("bfs-prover".to_owned()), Some("vorlage \"1\".j2".to_owned())]),
            answer: self.maybe(|r| r.one(Form::ALL)),
            n: self.maybe(|r| r.0.random_range(1..100)),
            temperature: self.maybe(|r| f64::from(r.0.random_range(0..80)) / 8.0),
            top_p: self.maybe(|r| f64::from(r.0.random_range(1..=8)) / 8.0),
            max_tokens: self.maybe(|r| r.0.random_range(1..100_000)),
            timeout_s: self.maybe(Self::seconds),
            wait_s: self.maybe(Self::seconds),
            lemmas: self.0.random_range(0..20),
            record: asks && self.chance(),
            replay_else_ask: replays && self.chance(),
        }
    }

    fn model(&mut self) -> ModelConfig {
        ModelConfig {
            base_url: "http://localhost:8000/v1".to_owned(),
            model: "m".to_owned(),
            kind: self.one(&Kind::ALL),
            api_key_env: self.maybe(|_| "MY_KEY".to_owned()),
            ..ModelConfig::default()
        }
    }

    fn search(&mut self, distributed: bool, plans: bool) -> SearchConfig {
        let walking = [Selection::Ucb1, Selection::Puct];
        let policy = if distributed { self.one(&walking) } else { self.one(Selection::ALL) };
        SearchConfig {
            // Not the one with agents: a configuration that lacks them, as spoilt ones may, would get its.
            preset: self.one(&[Preset::Mcts, Preset::BestFirst, Preset::BestFirstGoal]),
            policy,
            priority: (policy == Selection::BestFirst).then(|| self.maybe(|_| "own".to_owned())).flatten(),
            exploration: self.0.random_range(0.0..1e6),
            depth_reward: self.0.random_range(0.0..3.0),
            backprop: self.one(Backup::ALL),
            expand: self.one(Expansion::ALL),
            widening: self.maybe(|r| r.0.random_range(0.0..=1.0)),
            obligation: if plans { Grouping::Coupled } else { self.one(Grouping::ALL) },
            identity: self.one(Identity::ALL),
            cycle_rule: self.one(CycleRule::ALL),
            max_depth: self.maybe(|r| r.0.random()),
            default_value: self.0.random_range(1e-6..0.999),
            step_discount: self.one(&[1e-6, 0.9, 1.0]),
            proposal_temperature: if policy == Selection::BlindUniform {
                0.0
            } else {
                self.one(&[0.0, 0.5, 100.0])
            },
        }
    }

    fn tactics(&mut self) -> TacticConfig {
        let easy_gate = self.chance();
        let words = ["omega".to_owned(), "simp_all".to_owned()];
        let rule = |system, pattern| HygieneRule::new("own", system, pattern, "").expect("it is a rule");
        let rules = [rule(None, r"\bnia\b"), rule(Some(ROCQ), "^.{200}")];
        TacticConfig {
            block: words[..self.0.random_range(0..3)].to_vec(),
            easy_gate,
            allow_easy: easy_gate && self.chance(),
            easy: easy_gate.then(|| self.maybe(|r| words[..r.0.random_range(1..3)].to_vec())).flatten(),
            no_hygiene: self.chance(),
            hygiene: rules[..self.0.random_range(0..3)].to_vec(),
        }
    }

    fn agents(&mut self) -> DistributedMcts {
        let memory = self.0.random_range(0..3);
        let mut mcts = DistributedMcts {
            mode: MctsMode::Distributed,
            agents: Some(self.one(&[1, 4, 1_000_000])),
            inflight: Some(self.one(&[1, 4, 1_000_000])),
            virtual_loss: self.maybe(|r| r.one(&[0.0, 1.0, 1e6])),
            depth_bias: self.maybe(|r| r.one(&[0.0, 0.1, 1e6])),
            path_bias: self.maybe(|r| r.one(&[0.0, 0.1, 1e6])),
            history_cache: memory == 1,
            goal_cache: memory == 2,
            ..DistributedMcts::default()
        };
        if self.chance() {
            mcts.block_fraction = Some(self.open_unit());
            mcts.block_duration = Some(self.one(&[i64::MIN, -1, 1, 50, i64::MAX]));
            mcts.block_seed = Some(self.0.random());
            if mcts.block_duration > Some(0) {
                mcts.block_immovable_fraction = self.maybe(|r| r.one(&[0.0, 0.3, 1.0]));
            }
            mcts.unfreeze_after = self.maybe(|r| r.one(&[1, 3, u64::MAX]));
            mcts.unfreeze_prob = self.maybe(|r| r.one(&[1e-9, 0.5, 1.0]));
        }
        if self.chance() {
            mcts.delay_prob = Some(self.open_unit());
            mcts.delay_duration = Some(self.one(&[1, 50, i64::MAX]));
            mcts.delay_seed = Some(self.one(&[0, 1, i64::MAX]));
        }
        if self.chance() {
            mcts.reroute_blocked = true;
            mcts.reroute_max = Some(self.one(&[1, 4, u32::MAX]));
        }
        if mcts.block_fraction.is_some() || mcts.delay_prob.is_some() {
            let all = if mcts.reroute_blocked { 3 } else { 2 };
            mcts.obstacle_visits = self.maybe(|r| r.one(&ObstacleVisits::ALL[..all]));
        }
        mcts
    }

    /// Sets one field to anything.
    fn spoil(&mut self, config: &mut Config) {
        let (s, w, m) = (&mut config.search, &mut config.workers, &mut config.distributed_mcts);
        match self.0.random_range(0..72) {
            0 => s.policy = self.one(Selection::ALL),
            1 => s.exploration = self.number(),
            2 => s.depth_reward = self.number(),
            3 => s.widening = Some(self.number()),
            4 => s.default_value = self.number(),
            5 => s.step_discount = self.number(),
            68 => s.proposal_temperature = self.number(),
            6 => config.budget.time_s = Some(self.number()),
            7 => config.budget.virtual_time_s = self.maybe(Self::number),
            8 => w.workers = self.one(&[0, 1, 1_000_001, usize::MAX]),
            9 => w.tactic_timeout_s = self.number(),
            10 => w.check_timeout_s = self.number(),
            11 => w.max_memory_mb = self.one(&[0, 1, (1 << 40) + 1, u64::MAX]),
            12 => config.providers.clear(),
            13 => config.providers.push(ProviderConfig::Heuristic),
            14 => config.verify.level = self.one(&[Level::Audited, Level::Claimed]),
            15 => config.verify.recheck_deps = true,
            71 => config.llm.wait_s = Some(self.number()),
            70 => config.verify.max_file_mb = self.one(&[0, 1, (1 << 40) + 1, u64::MAX]),
            69 => config.verify.second_judge = SecondJudgeConfig::Required,
            16 => config.allowed_axioms.push(self.one(&["", "a b", "x.", "good"]).to_owned()),
            45 => config.trusted_bugs.push(self.one(&["", "20455", "rocq#1", "rocq#20455"]).to_owned()),
            17 => config.clock = self.one(Clock::ALL),
            18 => config.latencies.provider = self.latency(),
            19 => {
                let median = self.one(&[Duration::MAX, Duration::from_secs(1_000_001)]);
                config.latencies.tactic = LatencySpec::LogNormal { median, sigma: 1.0 };
            }
            20 => {
                let (median, sigma) = (Duration::from_millis(5), self.number());
                config.latencies.provider = LatencySpec::LogNormal { median, sigma };
            }
            21 => config.latencies.tactic = LatencySpec::Recorded(PathBuf::new()),
            22 => m.mode = self.one(MctsMode::ALL),
            23 => m.agents = self.maybe(|r| r.one(&[0, 1, 1_000_001, u32::MAX])),
            24 => m.inflight = self.maybe(|r| r.one(&[0, 1, 1_000_001, u32::MAX])),
            25 => m.virtual_loss = Some(self.number()),
            26 => m.depth_bias = Some(self.number()),
            27 => m.path_bias = Some(self.number()),
            28 => (m.history_cache, m.goal_cache) = (self.chance(), self.chance()),
            29 => m.block_fraction = self.maybe(Self::number),
            30 => m.block_duration = self.maybe(Self::whole),
            31 => m.block_seed = self.maybe(|r| r.0.random()),
            32 => m.block_immovable_fraction = self.maybe(Self::number),
            33 => m.unfreeze_after = self.maybe(|r| r.one(&[0, 1])),
            34 => m.unfreeze_prob = self.maybe(Self::number),
            35 => m.reroute_blocked = self.chance(),
            36 => m.reroute_max = self.maybe(|r| r.one(&[0, 1])),
            37 => m.delay_prob = self.maybe(Self::number),
            38 => m.delay_duration = self.maybe(Self::whole),
            39 => m.delay_seed = self.maybe(Self::whole),
            40 => config
                .tactics
                .block
                .push(self.one(&["", "two words", "arithmetic", "arithmetik-"]).to_owned()),
            41 => {
                let easy = self.one::<&[&str]>(&[&[], &[""], &["two words"], &["rfl"]]);
                config.tactics.easy = Some(easy.iter().map(|&tactic| tactic.to_owned()).collect());
            }
            42 => config.tactics.allow_easy = true,
            48 => {
                let command = self.one(&["", "'", "x \"y", "''", "# x", "x \\"]).to_owned();
                config.providers.push(ProviderConfig::Exec { command });
            }
            50 => w.inflight = self.maybe(|r| r.one(&[0, 1, 1_000_001])),
            51 => config.budget.max_cost = Some(self.number()),
            52 => config.providers.push(ProviderConfig::Llm { model: String::new() }),
            53 => config.llm.prompt = Some("bfs-prover".to_owned()),
            54 => config.llm.answer = Some(Form::Proof),
            55 => config.llm.n = Some(self.one(&[0, 1, 1_000_001])),
            56 => config.llm.temperature = Some(self.number()),
            57 => config.llm.top_p = Some(self.number()),
            58 => config.llm.max_tokens = Some(self.one(&[0, 1, 1_000_001])),
            59 => config.llm.timeout_s = Some(self.number()),
            60 => match self.chance() {
                true => config.llm.lemmas = 3,
                false => config.budget.max_tokens_total = Some(3),
            },
            61 => config.llm.record = true,
            62 => config.llm.replay_else_ask = true,
            63 => config.plan.planner = Some(String::new()),
            64 => config.plan.prompt = Some(PathBuf::from("plan.j2")),
            65 => match self.one(&[0, 1, 2, 3]) {
                0 => config.plan.retries = self.one(&[0, 4]),
                1 => config.plan.replans = self.one(&[0, 4]),
                2 => config.plan.subgoal_replans = self.one(&[0, 4]),
                _ => config.plan.share_progress = ShareProgress::Run,
            },
            67 => match self.one(&[0, 1, 2, 3]) {
                0 => config.search.obligation = Grouping::Whole,
                3 => config.plan.schedule = PlanSchedule::InOrder,
                1 => config.plan.subgoal_candidates = self.one(&[0, 1]),
                _ => config.plan.subgoal_time_s = self.maybe(Self::number),
            },
            66 => config.drafts.file = Some(PathBuf::from("draft.v")),
            49 => config.provider_timeout_s = self.maybe(Self::number),
            47 => config.ranker = Some(RankerConfig::RoundRobin),
            43 => w.tactic_cpu_timeout_s = self.maybe(Self::number),
            46 => m.obstacle_visits = self.maybe(|r| r.one(ObstacleVisits::ALL)),
            _ => {
                let seeds = self.maybe(|r| r.one(&[0, 9, 1_000_001]));
                config.basin = BasinConfig { seeds, blind: self.chance(), same_damage: self.chance() };
            }
        }
    }
}
