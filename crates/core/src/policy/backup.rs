//! Backup rules: how the value of a node follows from its subtree.

use crate::ids::{NodeId, StepId};
use crate::stats::{Path, Stats};
use crate::tree::{Status, Tree};

crate::choice!(
/// The rule that turns results into values.
///
/// | rule | unexpanded node | step | node |
/// | --- | --- | --- | --- |
/// | `uniform` | success / visits | success / visits | success / visits |
/// | `and-min` | success / visits, before the first visit its estimate | least child | best step |
/// | `product` | its estimate | product of the children × discount | best step |
///
/// A proved node has the value 1, an exhausted one 0. The estimate is the provider's value if it gives one, and
/// otherwise a constant. With a constant estimate and no discount, `product` orders steps by the number of open leaves of their
/// best partial proof: proof-number search (Allis et al. 1994). With a provider's estimate it is the value
/// of HyperTree Proof Search (Lample et al. 2022, section 3).
///
/// Values are updated along the path of each iteration. In a tree nothing else can change; in a graph
/// ([`crate::tree::Identity::Strict`]) other parents are updated when a path next leads through them.
Backup {
    /// The mean reward of the visits.
    Uniform = "uniform",
    /// The best step by its worst child.
    AndMin = "and-min",
    /// The best step by the product of its children, times a discount. Kept as a logarithm, so that it cannot
    /// underflow.
    Product = "product",
}
);

/// A backup rule with its constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Valuation {
    /// The rule.
    pub(crate) rule: Backup,
    /// Of `product`: the factor applied to the value of every step.
    pub(crate) discount: f32,
    /// The initial value of nodes for which no provider gives one.
    pub(crate) estimate: f32,
}

/// A probability in the scale of `rule`.
pub(crate) fn scale(rule: Backup, probability: f32) -> f32 {
    match rule {
        Backup::Uniform | Backup::AndMin => probability,
        Backup::Product => probability.ln(),
    }
}

/// The probability for a value in the scale of `rule`.
pub(crate) fn unscale(rule: Backup, value: f32) -> f32 {
    match rule {
        Backup::Uniform | Backup::AndMin => value,
        Backup::Product => value.exp(),
    }
}

/// Records a finished iteration with the given reward along `path`, and updates the values on it from the end to the
/// root.
pub(crate) fn back_up(by: Valuation, tree: &Tree, stats: &mut Stats, path: &Path, reward: f32) {
    for index in (0..path.nodes.len()).rev() {
        let node = path.nodes[index];
        let record = &mut stats.nodes[node.index()];
        record.visits += 1;
        record.success += reward;
        if by.rule != Backup::Uniform {
            stats.values[node.index()] = node_value(by, tree, stats, node);
        }
        if index > 0 && !stats.steps.is_empty() {
            let step = path.steps[index - 1];
            let record = &mut stats.steps[step.index()];
            record.visits += 1;
            record.success += reward;
            if by.rule != Backup::Uniform {
                stats.steps[step.index()].value = step_value(by, tree, stats, step);
            }
        }
    }
}

/// Updates the values along a path whose end has a new step, from the end to the root. Nothing is counted.
pub(crate) fn revalue(by: Valuation, tree: &Tree, stats: &mut Stats, path: &Path) {
    if by.rule == Backup::Uniform {
        return;
    }
    for index in (0..path.nodes.len()).rev() {
        let node = path.nodes[index];
        stats.values[node.index()] = node_value(by, tree, stats, node);
        if index > 0 {
            let step = path.steps[index - 1];
            stats.steps[step.index()].value = step_value(by, tree, stats, step);
        }
    }
}

/// The value of an expanded node, from the cached values of its steps.
pub(crate) fn node_value(by: Valuation, tree: &Tree, stats: &Stats, node: NodeId) -> f32 {
    let Valuation { rule, estimate, .. } = by;
    match tree.status(node) {
        Status::Proved => return scale(rule, 1.0),
        Status::Exhausted => return scale(rule, 0.0),
        Status::Open => {}
    }
    let live = tree.steps(node).filter(|&s| tree.step_status(s) != Status::Exhausted);
    let best = live.map(|s| stats.steps[s.index()].value).max_by(f32::total_cmp);
    best.unwrap_or_else(|| match rule {
        Backup::Uniform | Backup::AndMin => stats.node(node).mean().unwrap_or(estimate),
        Backup::Product => scale(rule, estimate),
    })
}

/// The value of a step, from the cached values of its children.
pub(crate) fn step_value(by: Valuation, tree: &Tree, stats: &Stats, step: StepId) -> f32 {
    let Valuation { rule, discount, .. } = by;
    let children = tree.children(step).map(|c| match tree.status(c) {
        Status::Proved => scale(rule, 1.0),
        Status::Exhausted => scale(rule, 0.0),
        Status::Open => stats.values[c.index()],
    });
    match rule {
        Backup::Product => children.sum::<f32>() + discount.ln(),
        Backup::AndMin | Backup::Uniform => children.fold(1.0, f32::min),
    }
}
