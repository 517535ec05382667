//! Presets: named combinations of search settings.

use serde::{Deserialize, Serialize};

use super::{Backprop, Config, Expand, Grouping, Identity, MctsMode, Policy};

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
            Self::BestFirst | Self::BestFirstGoal => {
                let is_over_goals = self == Self::BestFirstGoal;
                search.obligation = if is_over_goals { Grouping::Coupled } else { Grouping::Whole };
                search.policy = Policy::BestFirst;
                search.backprop = Backprop::Uniform;
                search.expand = Expand::All;
                search.identity = Identity::Strict;
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
    distributed_mcts.mode,
    distributed_mcts.agents,
    distributed_mcts.inflight,
);
