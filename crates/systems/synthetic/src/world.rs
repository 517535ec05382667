//! Goals, tactics, policy and critic of the synthetic environment.

use std::fmt;
use std::str::FromStr;

/// A goal: the upper 6 bits are its level (roughly its difficulty), the rest its identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct WorldGoal(pub u64);

const IDENTITY: u64 = (1 << 58) - 1;

impl WorldGoal {
    fn new(level: u64, identity: u64) -> Self {
        Self((level << 58) | (identity & IDENTITY))
    }

    /// 0 to 63.
    pub fn level(self) -> u64 {
        self.0 >> 58
    }
}

impl fmt::Display for WorldGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The kind of a tactic on a given goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// It fails.
    Fail,
    /// It closes the goal.
    Close,
    /// It makes progress: the children are one level easier.
    Good,
    /// It makes no progress.
    Side,
}

/// The result of a tactic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Applied {
    /// It failed, without effect.
    Fail,
    /// The goals that remain to be proved; empty if the goal is closed. Repetitions and the goal itself may occur.
    Children(Vec<WorldGoal>),
}

/// The parameters. Probabilities are numerators over 65536; costs are in units of 1/1024 nat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// The level of the root.
    pub root_level: u64,
    /// Number of tactics offered at every goal.
    pub b: u64,
    /// Probability that a tactic fails.
    pub fail: u64,
    /// Probability that a tactic closes a goal at level 0; halved with each level.
    pub close: u64,
    /// Probability that a tactic makes progress (at level 0: closes the goal).
    pub good: u64,
    /// Probability that a tactic leaves two children.
    pub kids2: u64,
    /// Probability that a tactic leaves three children.
    pub kids3: u64,
    /// Probability that a child of a sideways tactic is one level harder.
    pub up: u64,
    /// Probability that a child comes from a pool of shared goals.
    pub pool: u64,
    /// Each level's pool has 2^pool_bits goals.
    pub pool_bits: u32,
    /// Probability that the first child of a sideways tactic is the goal itself.
    pub self_loop: u64,
    /// The highest level that `up` reaches.
    pub max_level: u64,
    /// Prior cost of a failing tactic.
    pub base_fail: u64,
    /// Prior cost of a closing tactic.
    pub base_close: u64,
    /// Prior cost of a tactic that makes progress.
    pub base_good: u64,
    /// Prior cost of a sideways tactic.
    pub base_side: u64,
    /// Width of the uniform noise on prior costs.
    pub noise: u64,
    /// The critic's cost per level.
    pub value_slope: u64,
    /// Width of the uniform noise on the critic's costs.
    pub value_noise: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            root_level: 0,
            b: 8,
            fail: 32768,
            close: 655,
            good: 9830,
            kids2: 22938,
            kids3: 9830,
            up: 13107,
            pool: 19661,
            pool_bits: 10,
            self_loop: 3277,
            max_level: 63,
            base_fail: 2560,
            base_close: 512,
            base_good: 1024,
            base_side: 2048,
            noise: 3072,
            value_slope: 384,
            value_noise: 1024,
        }
    }
}

/// A named choice of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum WorldPreset {
    /// Solved by most searches within 1,000 applications.
    Easy,
    /// Separates searches at 10,000 applications.
    Medium,
    /// Needs AND/OR accounting at 10,000 applications.
    Hard,
    /// 10,000 to 100,000 applications; proofs of 50 to 500 goals.
    Deep,
    /// Many tactics, most failing.
    Wide,
    /// No goal can ever be closed; for measuring throughput and memory.
    Open,
}

impl WorldPreset {
    /// Every preset.
    pub const ALL: [Self; 6] = [Self::Easy, Self::Medium, Self::Hard, Self::Deep, Self::Wide, Self::Open];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Deep => "deep",
            Self::Wide => "wide",
            Self::Open => "open",
        }
    }

    /// Its parameters.
    pub fn parameters(self) -> Parameters {
        let rest = Parameters::default();
        match self {
            Self::Easy => Parameters { root_level: 3, ..rest },
            Self::Medium => Parameters { root_level: 5, ..rest },
            Self::Hard => Parameters { root_level: 8, ..rest },
            Self::Deep => Parameters { root_level: 11, ..rest },
            Self::Wide => Parameters { root_level: 5, b: 32, fail: 42598, good: 2458, close: 164, ..rest },
            Self::Open => Parameters { root_level: 20, good: 0, close: 0, value_slope: 24, ..rest },
        }
    }

    /// The number of applications for which solve rates are reported.
    pub fn standard_budget(self) -> u64 {
        match self {
            Self::Easy => 1_000,
            Self::Medium | Self::Hard | Self::Wide => 10_000,
            Self::Deep | Self::Open => 100_000,
        }
    }
}

impl FromStr for WorldPreset {
    type Err = UnknownPreset;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|p| p.name() == text).ok_or_else(|| UnknownPreset(text.to_owned()))
    }
}

impl fmt::Display for WorldPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a preset.
#[derive(Debug, thiserror::Error)]
#[error("unknown preset `{0}` (known: easy, medium, hard, deep, wide, open)")]
pub struct UnknownPreset(String);

/// An instance: parameters and a seed. Instances share nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct World {
    parameters: Parameters,
    key: u64,
}

impl World {
    /// The instance of a preset with a seed.
    pub fn new(preset: WorldPreset, seed: u64) -> Self {
        Self { parameters: preset.parameters(), key: mix(seed) }
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The goal to prove.
    pub fn root(&self) -> WorldGoal {
        WorldGoal::new(self.parameters.root_level, mix(self.key))
    }

    /// The kind of `tactic` on `goal`.
    pub fn class(&self, goal: WorldGoal, tactic: u64) -> Class {
        self.class_of(goal, self.tactic_hash(goal, tactic))
    }

    /// Applies a tactic, and writes the children to `children`. Returns `false` if it failed.
    pub fn apply_into(&self, goal: WorldGoal, tactic: u64, children: &mut Vec<WorldGoal>) -> bool {
        let p = &self.parameters;
        children.clear();
        let base = self.goal_hash(goal);
        let hash = mix(base ^ (tactic << 16));
        let class = self.class_of(goal, hash);
        match class {
            Class::Fail => return false,
            Class::Close => return true,
            Class::Good | Class::Side => {}
        }
        let kids = (hash >> 32) & 0xFFFF;
        let n = if kids < p.kids3 {
            3
        } else if kids < p.kids3 + p.kids2 {
            2
        } else {
            1
        };
        for i in 0..n {
            let child = if class == Class::Side && i == 0 && (hash & 0xFFFF) < p.self_loop {
                goal
            } else {
                self.child(goal, class, mix(base ^ (tactic << 16) ^ (i + 1)))
            };
            children.push(child);
        }
        true
    }

    /// Applies a tactic.
    pub fn apply(&self, goal: WorldGoal, tactic: u64) -> Applied {
        let mut children = Vec::new();
        if self.apply_into(goal, tactic, &mut children) { Applied::Children(children) } else { Applied::Fail }
    }

    /// Writes all tactics with their costs to `tactics`, cheapest first, ties ordered by index. The log-prior of a
    /// tactic is `-cost / 1024`.
    pub fn policy_into(&self, goal: WorldGoal, tactics: &mut Vec<(u64, u64)>) {
        let p = &self.parameters;
        tactics.clear();
        let base = self.goal_hash(goal);
        tactics.extend((0..p.b).map(|tactic| {
            let hash = mix(base ^ (tactic << 16));
            let class = match self.class_of(goal, hash) {
                Class::Fail => p.base_fail,
                Class::Close => p.base_close,
                Class::Good => p.base_good,
                Class::Side => p.base_side,
            };
            (tactic, class + ((((hash >> 16) & 0xFFFF) * p.noise) >> 16))
        }));
        tactics.sort_unstable_by_key(|&(tactic, cost)| (cost, tactic));
    }

    /// All tactics with their costs, cheapest first.
    pub fn policy(&self, goal: WorldGoal) -> Vec<(u64, u64)> {
        let mut tactics = Vec::new();
        self.policy_into(goal, &mut tactics);
        tactics
    }

    /// The critic's cost of a goal; its estimate of the probability that the goal is provable is `exp(-cost / 1024)`.
    pub fn value_cost(&self, goal: WorldGoal) -> u64 {
        let p = &self.parameters;
        let noise = mix(self.goal_hash(goal) ^ 0xFFFF_FFFF) >> 48;
        p.value_slope * goal.level() + ((noise * p.value_noise) >> 16)
    }

    fn goal_hash(&self, goal: WorldGoal) -> u64 {
        mix(self.key ^ goal.0)
    }

    fn tactic_hash(&self, goal: WorldGoal, tactic: u64) -> u64 {
        mix(self.goal_hash(goal) ^ (tactic << 16))
    }

    fn class_of(&self, goal: WorldGoal, hash: u64) -> Class {
        let p = &self.parameters;
        let mut draw = hash >> 48;
        if draw < p.fail {
            return Class::Fail;
        }
        draw -= p.fail;
        let close = p.close >> goal.level();
        if draw < close {
            return Class::Close;
        }
        draw -= close;
        match (draw < p.good, goal.level()) {
            (true, 0) => Class::Close,
            (true, _) => Class::Good,
            (false, _) => Class::Side,
        }
    }

    fn child(&self, goal: WorldGoal, class: Class, hash: u64) -> WorldGoal {
        let p = &self.parameters;
        let level = match class {
            Class::Good => goal.level() - 1,
            Class::Side if (hash >> 48) < p.up => (goal.level() + 1).min(p.max_level),
            Class::Side | Class::Fail | Class::Close => goal.level(),
        };
        if ((hash >> 32) & 0xFFFF) < p.pool {
            let index = hash & ((1 << p.pool_bits) - 1);
            WorldGoal::new(level, mix(self.key ^ ((1 << 62) | (level << 32) | index)))
        } else {
            WorldGoal::new(level, mix(hash))
        }
    }
}

/// One splitmix64 step (Steele, Lea, Flood 2014).
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
