//! Search policies: plain configurations, and plain functions over tree and statistics that can be tested
//! alone.

mod backup;
mod best_first;
mod budget;
mod select;
mod uniform;

pub use backup::Backup;
pub use budget::{Budget, Spent, StopReason};

pub(crate) use backup::{back_up, node_value, scale, step_value, unscale};
pub(crate) use best_first::Queue;
pub(crate) use select::{Closed, Rule, StepScore, Walk, walk};
pub(crate) use uniform::Frontier;

/// The rule that chooses where to work.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// Walk from the root to a leaf by upper confidence bounds (Auer et al. 2002, UCB1), as in
    /// `distributed-mcts-guide`, "Virtual Loss". The children of all live steps of a node compete:
    ///
    /// `success_eff / visits_eff + c · sqrt(ln parent_eff / visits_eff)`
    ///
    /// with `visits_eff = visits + in_flight · virtual_loss`, `success_eff = success − in_flight · virtual_loss`, and
    /// `parent_eff` the parent's `visits_eff`; the biases of [`crate::control::Control`] are added. Unless the back-up rule is
    /// `uniform`, `value · visits` stands for `success`. A child neither visited nor in flight comes first (+∞), and so does
    /// one in flight that agents who collide know nothing of yet (0 / 0).
    Ucb1 {
        /// The weight of exploration; √2 in the seeds.
        c: f64,
    },
    /// Walk from the root to a leaf by predictor and upper confidence bound (Silver et al. 2017, AlphaGo
    /// Zero; Lample et al. 2022, HyperTree Proof Search). The live steps of a node compete:
    ///
    /// `Q + c · P · sqrt(visits_eff of the node) / (1 + visits_eff of the step)`
    ///
    /// where `P` is the tactic's prior, normalised over the live steps, and `Q` the step's value divided by
    /// the best value among them, because the values of products shrink with depth. Within the step a
    /// child never visited comes first, then the one with the least value: it can still spoil the step. The
    /// greatest bias of a step's children is added to its score.
    Puct {
        /// The weight of exploration.
        c: f64,
    },
    /// Any node with candidates left, with equal chances; the candidates are tried in random order. The
    /// baseline that knows nothing.
    BlindUniform,
    /// The node with the highest priority `cumulative log-prior / depth^alpha`; the root's is 0. Of
    /// equals the shallower first, and of those the seed decides. (`best-first-prover-guide`, Part II, where the older
    /// comes first.)
    ///
    /// Where nodes are shared ([`crate::tree::Identity::Strict`]), the way with the highest priority counts of those known
    /// when they were found; the seed keeps the first. With `alpha` 0, one agent and [`Expansion::All`] this is Dijkstra's
    /// algorithm, which never finds a better way to a node that it has expanded. Otherwise that may happen, and then the
    /// nodes below keep the ways that they have.
    BestFirst {
        /// The reward for depth; 0 ignores it.
        alpha: f64,
    },
}

/// How many candidates of a node become steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expansion {
    /// Candidates are tried in order; the first with novel children becomes a step, and the rest wait.
    FirstNovel {
        /// When a node with live steps tries further candidates; `None`: only once its steps are exhausted.
        widening: Option<Widening>,
    },
    /// Every successful, novel candidate becomes a step.
    All,
}

impl Expansion {
    /// Whether an expansion goes on after a candidate that became a step with so many children. It always goes on after one
    /// that became none, and always ends with a step without children, which closes the node.
    pub fn goes_on_after(self, n_children: usize) -> bool {
        match self {
            Self::FirstNovel { .. } => false,
            Self::All => n_children > 0,
        }
    }
}

/// Progressive widening (Coulom 2007): a node may have up to `⌈scale · visits^exponent⌉` live steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// The factor.
    pub scale: f64,
    /// The exponent, between 0 and 1.
    pub exponent: f64,
}

impl Widening {
    /// Whether a node with that many visits and live steps may try another candidate.
    pub(crate) fn allows(self, visits: u32, n_live_steps: u32) -> bool {
        f64::from(n_live_steps) < (self.scale * f64::from(visits).powf(self.exponent)).ceil()
    }
}

/// What happens to a preview that leads back to an obligation on the path from the root (design, 4.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CycleRule {
    /// The whole preview is rejected.
    #[default]
    Reject,
    /// Only the repeating child is dropped, as the seeds do. The step may then be called proved with a
    /// child unproved; the checker still decides.
    DropChild,
}
