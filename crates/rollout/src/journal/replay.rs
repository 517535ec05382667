//! A search from the lines of its journal.

use std::collections::BTreeSet;
use std::path::Path;

use andor_artifact::rollout::{RolloutBranch, RolloutLine, RolloutPruned, RolloutRoot, RolloutStep};
use serde_json::Value;

use super::file::{self, Place};
use super::{JournalError, record};
use crate::search::{Done, Search, take_in};
use crate::tree::{Child, Held, Key, NodeId, PruneReason, Tree, TreeError};

/// Where a state is: the line, and which of its children it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) place: Place,
    pub(crate) child: usize,
}

/// How far a search has got.
#[derive(Debug)]
pub(crate) struct Progress<S> {
    /// The tree of the complete steps.
    pub(crate) tree: Tree<S>,
    /// Their number.
    pub(crate) steps: u64,
    /// The step that is not complete.
    pub(crate) pending: Option<Pending<S>>,
}

impl<S> Progress<S> {
    pub(crate) fn of_root(root: Child<Held<S>>) -> Result<Self, TreeError> {
        Ok(Self { tree: Tree::of_held(root)?, steps: 0, pending: None })
    }
}

/// A step that is not complete: what was selected, and the branches that have ended.
#[derive(Debug)]
pub(crate) struct Pending<S> {
    pub(crate) selected: Vec<Key>,
    pub(crate) done: Vec<Done<S>>,
}

/// What a journal says.
pub(super) struct Replay<S> {
    pub(super) settings: Value,
    pub(super) places: Vec<At>,
    pub(super) progress: Progress<S>,
}

/// Reads a journal. `hold` says what becomes of the states. If `search` is given, it decides again, and what the journal says
/// otherwise is an error. Returns the number of bytes of the complete lines, too.
pub(super) fn replayed<S: Send + Sync + 'static>(
    path: &Path,
    hold: impl Fn(Value) -> Held<S>,
    search: Option<&Search<S>>,
) -> Result<(Replay<S>, u64), JournalError> {
    let mut replay: Option<Replay<S>> = None;
    let end = file::read(path, |place, line| match (&mut replay, line) {
        (Some(replay), line) => replay.line(place, line, &hold, search),
        (None, RolloutLine::Root(RolloutRoot { settings, node })) => {
            let progress = Progress::of_root(record::child(node).map(&hold)).map_err(|e| e.to_string())?;
            replay = Some(Replay { settings, places: vec![At { place, child: 0 }], progress });
            Ok(())
        }
        (None, _) => Err("the first line after the opening is not the root".to_owned()),
    })?;
    let no_root = || JournalError::Malformed {
        path: path.to_owned(),
        line: None,
        what: "the root is missing: the program was killed before the search began; remove the file"
            .to_owned(),
    };
    Ok((replay.ok_or_else(no_root)?, end))
}

impl<S: Send + Sync + 'static> Replay<S> {
    fn line(
        &mut self,
        place: Place,
        line: RolloutLine,
        hold: &impl Fn(Value) -> Held<S>,
        search: Option<&Search<S>>,
    ) -> Result<(), String> {
        let Progress { tree, steps, pending } = &mut self.progress;
        let find = |id: &str| -> Result<Key, String> {
            let id: NodeId = id.parse().map_err(|error: crate::tree::NotAnId| error.to_string())?;
            tree.find(&id).map_err(|error| error.to_string())
        };
        let step = match &line {
            RolloutLine::Root(_) => return Err("there are two roots".to_owned()),
            RolloutLine::Step(RolloutStep { step, .. })
            | RolloutLine::Branch(RolloutBranch { step, .. })
            | RolloutLine::Pruned(RolloutPruned { step, .. }) => *step,
        };
        if step != *steps || matches!(line, RolloutLine::Step(_)) != pending.is_none() {
            return Err(format!("a line of step {step} is out of place"));
        }
        match (line, pending.as_mut()) {
            (RolloutLine::Step(RolloutStep { selected, .. }), _) => {
                let selected = selected.iter().map(|id| find(id)).collect::<Result<Vec<_>, _>>()?;
                if let Some(search) = search {
                    selects(search, tree, &selected)?;
                }
                *pending = Some(Pending { selected, done: Vec::new() });
            }
            (RolloutLine::Branch(RolloutBranch { parent, branch, children, .. }), Some(pending)) => {
                let key = find(&parent)?;
                let children = children.into_iter().map(|node| record::child(node).map(hold)).collect();
                pending.done.push(Done { key, branch, children, place: Some(place) });
            }
            (RolloutLine::Pruned(RolloutPruned { pruned, .. }), Some(_)) => {
                let Pending { selected, done } = pending.take().expect("it was looked at");
                if let Some(search) = search {
                    has_all_branches(search, tree, &selected, &done)?;
                }
                let (mut grown, places) =
                    take_in(tree.clone(), &selected, done).map_err(|error| error.to_string())?;
                self.places.extend(places);
                let decided = search.map(|search| search.pruned(grown.clone(), &selected).1);
                let mut recorded = Vec::new();
                for pruning in &pruned {
                    let id: NodeId =
                        pruning.node.parse().map_err(|error: crate::tree::NotAnId| error.to_string())?;
                    let key = grown.find(&id).map_err(|error| error.to_string())?;
                    let reason = record::reason(pruning)?;
                    grown = grown.prune_node(key, reason.clone());
                    recorded.push((key, reason));
                }
                if let Some(decided) = decided.filter(|decided| *decided != recorded) {
                    let (decided, recorded) = (told(&grown, &decided), told(&grown, &recorded));
                    return Err(format!("the step prunes {recorded}, and its search {decided}"));
                }
                *tree = grown;
                *steps += 1;
            }
            (RolloutLine::Root(_) | RolloutLine::Branch(_) | RolloutLine::Pruned(_), _) => {
                unreachable!("lines out of place were refused")
            }
        }
        Ok(())
    }
}

/// Whether the search selects these nodes.
fn selects<S>(search: &Search<S>, tree: &Tree<S>, selected: &[Key]) -> Result<(), String> {
    let names = |keys: &[Key]| match keys {
        [] => "nothing".to_owned(),
        keys => keys.iter().map(|key| tree.id(*key).to_string()).collect::<Vec<_>>().join(", "),
    };
    if tree.solutions().next().is_some() {
        return Err("a step follows the one that found the solution".to_owned());
    }
    let decided = (search.select)(tree);
    if decided != selected {
        return Err(format!("the step selects {}, and its search {}", names(selected), names(&decided)));
    }
    Ok(())
}

/// Whether every branch of every selected node has ended, each with one child, as agents end them.
fn has_all_branches<S>(
    search: &Search<S>,
    tree: &Tree<S>,
    selected: &[Key],
    done: &[Done<S>],
) -> Result<(), String> {
    let branch = |key: Key, branch: u32| format!("branch {branch} of node {}", tree.id(key));
    let mut missing: BTreeSet<(Key, u32)> = selected
        .iter()
        .flat_map(|key| (0..search.expand.branches()).map(move |branch| (*key, branch)))
        .collect();
    for done in done {
        if !missing.remove(&(done.key, done.branch)) {
            return Err(format!("{} was not begun", branch(done.key, done.branch)));
        }
        if done.children.len() != 1 {
            return Err(format!("{} has {} ends", branch(done.key, done.branch), done.children.len()));
        }
    }
    match missing.first() {
        Some(&(key, number)) => Err(format!("{} is missing", branch(key, number))),
        None => Ok(()),
    }
}

fn told<S>(tree: &Tree<S>, pruned: &[(Key, PruneReason)]) -> String {
    match pruned {
        [] => "nothing".to_owned(),
        pruned => {
            let each = pruned.iter().map(|(key, reason)| format!("{} ({reason})", tree.id(*key)));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}
