//! Presets: named combinations of search settings.

use andor_core::choice;

use super::{Backup, Config, Expansion, Grouping, Identity, MctsMode, Selection};

choice!(
    /// A named combination of search settings.
    Preset {
        /// The default: a tree over goals, one step at a time.
        Mcts = "mcts",
        /// The same with eight agents that share the tree.
        MctsDistributed = "mcts-distributed",
        /// Best-first search over a graph of proof states, with all steps of an expansion at once.
        BestFirst = "best-first",
        /// The same over goals, so that the goals left by a tactic are proved separately.
        BestFirstGoal = "best-first-goal",
        /// Best-first search as BFS-Prover-V2 runs it: its budgets and sampling.
        BfsProver = "bfs-prover",
        /// The same with the settings of its large runs.
        BfsProverProduction = "bfs-prover-production",
    }
);

impl Preset {
    /// The number of agents of `mcts-distributed`, and of the nodes they may reserve together.
    const AGENTS: u32 = 8;

    /// The default configuration with the settings of this preset.
    pub fn config(self) -> Config {
        let mut config = Config::default();
        let (search, mcts) = (&mut config.search, &mut config.distributed_mcts);
        search.preset = self;
        match self {
            Self::Mcts => {}
            Self::MctsDistributed => {
                mcts.mode = MctsMode::Distributed;
                (mcts.agents, mcts.inflight) = (Some(Self::AGENTS), Some(Self::AGENTS));
            }
            Self::BestFirst | Self::BestFirstGoal | Self::BfsProver | Self::BfsProverProduction => {
                let is_over_goals = self == Self::BestFirstGoal;
                search.obligation = if is_over_goals { Grouping::Coupled } else { Grouping::Whole };
                search.policy = Selection::BestFirst;
                search.backprop = Backup::Uniform;
                search.expand = Expansion::All;
                search.identity = Identity::Strict;
            }
        }
        let (budget, workers, llm) = (&mut config.budget, &mut config.workers, &mut config.llm);
        match self {
            Self::Mcts | Self::MctsDistributed | Self::BestFirst | Self::BestFirstGoal => {}
            Self::BfsProver => {
                budget.time_s = Some(600.0);
                (workers.tactic_timeout_s, workers.tactic_cpu_timeout_s) = (15.0, Some(10.0));
                (llm.n, llm.temperature, llm.top_p, llm.max_tokens) =
                    (Some(16), Some(0.7), Some(1.0), Some(2048));
                llm.timeout_s = Some(60.0);
                workers.check_timeout_s = 600.0;
            }
            Self::BfsProverProduction => {
                budget.time_s = Some(600.0);
                (workers.tactic_timeout_s, workers.tactic_cpu_timeout_s) = (18.0, Some(12.0));
                (llm.n, llm.temperature, llm.top_p, llm.max_tokens) =
                    (Some(16), Some(1.3), Some(1.0), Some(2048));
                (llm.timeout_s, llm.wait_s) = (Some(60.0), Some(600.0));
                workers.check_timeout_s = 600.0;
                config.search.depth_reward = 2.0;
            }
        }
        config.clock = config.default_clock();
        config
    }
}

macro_rules! parts {
    ($($table:ident.$field:ident),+ $(,)?) => {
        /// The keys that presets set.
        pub(super) const PARTS: &[&str] = &[$(concat!(stringify!($table), ".", stringify!($field))),+];

        impl Preset {
            /// Sets the keys of this preset that were not given.
            pub fn fill_in(self, config: &mut Config, is_given: impl Fn(&str) -> bool) {
                let preset = self.config();
                config.search.preset = self;
                $(
                    if !is_given(concat!(stringify!($table), ".", stringify!($field))) {
                        config.$table.$field = preset.$table.$field;
                    }
                )+
            }
        }
    };
}

parts!(
    search.obligation,
    search.policy,
    search.depth_reward,
    search.backprop,
    search.expand,
    search.identity,
    budget.time_s,
    workers.tactic_timeout_s,
    workers.tactic_cpu_timeout_s,
    workers.check_timeout_s,
    llm.n,
    llm.temperature,
    llm.top_p,
    llm.max_tokens,
    llm.timeout_s,
    llm.wait_s,
    distributed_mcts.mode,
    distributed_mcts.agents,
    distributed_mcts.inflight,
);
