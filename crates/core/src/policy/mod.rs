//! Search policies: plain configurations, and functions over tree and statistics that can be tested in isolation.

mod backup;
mod best_first;
mod budget;
mod heap;
mod select;
mod uniform;

pub use backup::Backup;
pub use best_first::{Priority, Waiting};
pub use budget::{Budget, Spent, StopReason};

pub(crate) use backup::{Valuation, back_up, node_value, revalue, scale, step_value, unscale};
pub(crate) use best_first::{Queue, Rank};
pub(crate) use select::{Closed, Rule, StepScore, Walk, walk};
pub(crate) use uniform::Frontier;

crate::choice!(
/// The selection policy. Constants are in [`crate::search::Config`].
Selection {
    /// Descent from the root to a leaf by upper confidence bounds (Auer et al. 2002, UCB1), with virtual loss
    /// (ADR 4). The children of all live steps of a node compete:
    ///
    /// `success_eff / visits_eff + c · sqrt(ln parent_eff / visits_eff)`
    ///
    /// with `visits_eff = visits + in_flight · virtual_loss`, `success_eff = success − in_flight · virtual_loss`, and
    /// `parent_eff` the parent's `visits_eff`; the biases of [`crate::control::Control`] are added. Unless the backup rule is
    /// `uniform`, `value · visits` replaces `success`. A child that is neither visited nor in flight has the score +∞, and
    /// so has an unvisited one in flight without virtual loss (0 / 0).
    Ucb1 = "ucb1",
    /// Descent from the root to a leaf by predictor and upper confidence bound (Silver et al. 2017, AlphaGo
    /// Zero; Lample et al. 2022, HyperTree Proof Search). The live steps of a node compete:
    ///
    /// `Q + c · P · sqrt(visits_eff of the node) / (1 + visits_eff of the step)`
    ///
    /// where `P` is the tactic's prior, normalised over the live steps, and `Q` the step's value divided by
    /// the best value among them, because the values of products shrink with depth. Within the step an
    /// unvisited child comes first, then the one with the least value, which is most likely to refute the step.
    /// The greatest bias of a step's children is added to its score.
    Puct = "puct",
    /// A uniformly random node with candidates left; its candidates are tried in random order. The uninformed
    /// baseline.
    BlindUniform = "blind-uniform",
    /// The node with the highest priority `cumulative log-prior / depth^alpha`; the root's is 0. Ties
    /// go to the shallower node, and then to a random order derived from the seed.
    ///
    /// If nodes are shared ([`crate::tree::Identity::Strict`]), the known path with the highest priority counts. With
    /// `alpha` 0, one agent and [`Expansion::All`] this is Dijkstra's algorithm, which never finds a better path to an
    /// expanded node. Otherwise it may, and the nodes below keep their paths.
    BestFirst = "best-first",
}
);

impl Selection {
    /// The default exploration constant: √2 for `ucb1` (Auer, Cesa-Bianchi and Fischer 2002), 0.5 otherwise.
    pub fn default_exploration(self) -> f64 {
        match self {
            Self::Ucb1 => std::f64::consts::SQRT_2,
            Self::Puct | Self::BlindUniform | Self::BestFirst => 0.5,
        }
    }
}

crate::choice!(
/// How many candidates of a node become steps.
Expansion {
    /// Candidates are tried in order; the first with novel children becomes a step, and the others wait.
    FirstNovel = "first-novel",
    /// Every successful, novel candidate becomes a step.
    All = "all",
}
);

impl Expansion {
    /// Whether an expansion continues after a candidate that became a step with `n_children` children. It always
    /// continues after a candidate that did not become a step, and always ends with a step without children, which
    /// closes the node.
    pub fn goes_on_after(self, n_children: usize) -> bool {
        match self {
            Self::FirstNovel => false,
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
    /// Whether a node with this many visits and live steps may try another candidate.
    pub(crate) fn allows(self, visits: u32, n_live_steps: u32) -> bool {
        f64::from(n_live_steps) < (self.scale * f64::from(visits).powf(self.exponent)).ceil()
    }
}

crate::choice!(
    /// The treatment of previews that lead back to an obligation on the path from the root.
    #[derive(Default)]
    CycleRule {
        /// The whole preview is rejected.
        #[default]
        Reject = "reject",
        /// Only the repeated child is dropped. The step may then count as proved although that child is not; the
        /// checker has the final say.
        DropChild = "drop-child",
    }
);
