//! What is shared of plans with other attempts.
//!
//! When a plan has been grafted, the goals that it leaves are looked up among the proofs that other attempts found. What
//! is found is grafted before the search goes on. From then on these goals are watched, and the proof of each is
//! offered to others as soon as there is one.

use andor_artifact::graft::GraftOrigin;
use andor_artifact::progress::{ProvedSubgoal, SharingRecord, WayStep, WithdrawnProof};
use andor_core::goal::Goal;
use andor_core::ids::NodeId;
use andor_core::tree::Status;
use andor_env::outline::Place;

use super::Driver;
use crate::progress::{Sharing, names, renaming};

/// The greatest number of tactics in a proof that is shared.
const LARGEST: u32 = 2000;

/// The goals of the plans of a search.
#[derive(Default)]
pub(super) struct PlanGoals {
    watched: Vec<Watched>,
    record: SharingRecord,
}

/// A goal that a plan leaves.
struct Watched {
    node: NodeId,
    state: Watch,
}

enum Watch {
    /// No proof is known.
    Open,
    /// A proof by another attempt is being grafted.
    Trying(WithdrawnProof),
    /// It is proved, by another attempt or this one.
    Proved(WithdrawnProof),
    /// Its proof is not shared, since it is too large, or cannot be written.
    Unshared,
}

impl PlanGoals {
    /// The counts of what the search shared.
    pub(super) fn record(&self) -> &SharingRecord {
        &self.record
    }
}

impl Driver<'_> {
    /// Watches the goals that a grafted plan leaves, and begins to graft proofs of them that others have found. `nodes` are
    /// all nodes that the plan came by.
    pub(super) fn watch_plan(&mut self, mut nodes: Vec<NodeId>) {
        let Some(sharing) = self.tools.sharing.clone() else { return };
        nodes.sort_unstable();
        nodes.dedup();
        let tree = self.search.tree();
        let is_stated = |node: NodeId| {
            let mut steps = tree.steps(node);
            steps.any(|step| tree.children(step).len() > 0 && tree.children(step).all(|c| nodes.contains(&c)))
        };
        let leaves: Vec<NodeId> = nodes.iter().copied().filter(|&node| !is_stated(node)).collect();
        for node in leaves {
            let is_watched = self.plan_goals.watched.iter().any(|watched| watched.node == node);
            if is_watched || self.only_goal(node).is_none() {
                continue;
            }
            self.plan_goals.watched.push(Watched { node, state: Watch::Open });
            if self.search.tree().status(node) == Status::Open {
                self.try_shared(&sharing, node);
            }
        }
    }

    /// The goal of a node, if a proof of it can be shared: it must be a single one, without metavariables, since a proof
    /// might fix them.
    fn only_goal(&self, node: NodeId) -> Option<Goal> {
        let goals = self.tools.session.goals(self.ledger.obligation(node));
        match &*goals {
            [goal] if goal.metas.is_empty() => Some(goal.clone()),
            _ => None,
        }
    }

    fn signature(&self, node: NodeId) -> String {
        format!("{:016x}", self.ledger.signatures(node).strict.0)
    }

    /// Begins to graft a proof of a goal that another attempt found, if there is one.
    fn try_shared(&mut self, sharing: &Sharing, node: NodeId) {
        let Some(proof) = sharing.best(&self.signature(node)) else { return };
        let Some(goal) = self.only_goal(node) else { return };
        self.plan_goals.record.found += 1;
        let system = self.tools.session.theorem().system;
        let Some(renaming) = renaming(&proof.names, &goal, system) else {
            tracing::info!("a shared proof does not fit: its names cannot be given");
            self.plan_goals.record.failed += 1;
            return;
        };
        self.plan_goals.record.renamed += u64::from(!renaming.is_empty());
        self.watch(node, Watch::Trying(proof.withdrawn()));
        let outline = self.tools.session.outline(&(renaming + &proof.script));
        self.begin_own(node, GraftOrigin::Shared, outline, Place::START, None);
    }

    /// Notes whether a shared proof has closed its goal.
    pub(super) fn note_shared(&mut self, node: NodeId) {
        let is_proved = self.search.tree().status(node) == Status::Proved;
        let record = &mut self.plan_goals.record;
        *if is_proved { &mut record.closed } else { &mut record.failed } += 1;
        let watched = self.plan_goals.watched.iter_mut().find(|watched| watched.node == node);
        let Some(Watched { state, .. }) = watched else { return };
        *state = match std::mem::replace(state, Watch::Open) {
            Watch::Trying(proof) if is_proved => Watch::Proved(proof),
            Watch::Trying(_) => Watch::Open,
            other => other,
        };
    }

    fn watch(&mut self, node: NodeId, state: Watch) {
        if let Some(watched) = self.plan_goals.watched.iter_mut().find(|watched| watched.node == node) {
            watched.state = state;
        }
    }

    /// Offers the proofs of watched goals that the search has just found.
    pub(super) fn offer_proved(&mut self) {
        if self.plan_goals.watched.is_empty() {
            return;
        }
        let Some(sharing) = self.tools.sharing.clone() else { return };
        let tree = self.search.tree();
        let is_new = |watched: &&Watched| {
            matches!(watched.state, Watch::Open) && tree.status(watched.node) == Status::Proved
        };
        let proved: Vec<NodeId> =
            self.plan_goals.watched.iter().filter(is_new).map(|watched| watched.node).collect();
        for node in proved {
            let state = match self.proved_subgoal(&sharing, node) {
                Some(proof) => {
                    let state = Watch::Proved(proof.withdrawn());
                    self.plan_goals.record.offered += 1;
                    sharing.offer(proof);
                    state
                }
                None => Watch::Unshared,
            };
            self.watch(node, state);
        }
    }

    /// The proof of a node, for others; `None` if it is too large, or lacks a child.
    fn proved_subgoal(&self, sharing: &Sharing, node: NodeId) -> Option<ProvedSubgoal> {
        let tree = self.search.tree();
        let size = tree.distance(node).filter(|&size| size <= LARGEST)?;
        let proof = tree.extract_at(node)?;
        let script = self.tools.session.proof_text(&self.script(&proof)?);
        let goal = self.only_goal(node)?;
        let mut way = Vec::new();
        let mut at = node;
        while let Some((step, parent)) = tree.creator(at) {
            way.push(WayStep {
                tactic: self.search.tactics().text(tree.tactic(step)).to_owned(),
                child: u32::try_from(self.ledger.obligation(at).group).ok()?,
            });
            at = parent;
        }
        way.reverse();
        Some(ProvedSubgoal {
            theorem: self.tools.session.theorem().id.clone(),
            statement_digest: sharing.statement_digest().to_owned(),
            signature: self.signature(node),
            key: format!("{:016x}", self.ledger.signatures(node).key.0),
            goal: goal.to_string(),
            names: names(std::slice::from_ref(&goal)),
            way,
            script,
            size: u64::from(size),
            steps: self.ledger.steps_of(&self.search, &proof),
            preference_pairs: self.ledger.pairs_of(&self.search, &proof),
            found: sharing.found_by().clone(),
        })
    }

    /// Takes back the proofs of goals that have none any more, since the checker rejected a claim.
    pub(super) fn withdraw_refuted(&mut self) {
        let Some(sharing) = &self.tools.sharing else { return };
        let tree = self.search.tree();
        for watched in &mut self.plan_goals.watched {
            if tree.status(watched.node) != Status::Proved
                && let Watch::Proved(_) = &watched.state
                && let Watch::Proved(proof) = std::mem::replace(&mut watched.state, Watch::Open)
            {
                sharing.withdraw(proof);
            }
        }
    }
}
