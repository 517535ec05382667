//! A search from the lines of its journal.

use std::path::Path;

use andor_artifact::rollout::{RolloutBranch, RolloutLine, RolloutPruned, RolloutRoot, RolloutStep};
use serde_json::Value;

use super::file::{self, Place};
use super::{JournalError, record};
use crate::search::{Done, take_in};
use crate::tree::{Child, Held, Key, NodeId, Tree, TreeError};

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

/// Reads a journal. `hold` says what becomes of the states. Returns the number of bytes of its complete lines, too.
pub(super) fn replayed<S>(
    path: &Path,
    hold: impl Fn(Value) -> Held<S>,
) -> Result<(Replay<S>, u64), JournalError> {
    let mut replay: Option<Replay<S>> = None;
    let end = file::read(path, |place, line| match (&mut replay, line) {
        (Some(replay), line) => replay.line(place, line, &hold),
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

impl<S> Replay<S> {
    fn line(
        &mut self,
        place: Place,
        line: RolloutLine,
        hold: &impl Fn(Value) -> Held<S>,
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
                let selected = selected.iter().map(|id| find(id)).collect::<Result<_, _>>()?;
                *pending = Some(Pending { selected, done: Vec::new() });
            }
            (RolloutLine::Branch(RolloutBranch { parent, branch, children, .. }), Some(pending)) => {
                let key = find(&parent)?;
                let children = children.into_iter().map(|node| record::child(node).map(hold)).collect();
                pending.done.push(Done { key, branch, children, place: Some(place) });
            }
            (RolloutLine::Pruned(RolloutPruned { pruned, .. }), Some(_)) => {
                let Pending { selected, done } = pending.take().expect("it was looked at");
                let (mut grown, places) =
                    take_in(tree.clone(), &selected, done).map_err(|error| error.to_string())?;
                self.places.extend(places);
                for pruning in &pruned {
                    let id: NodeId =
                        pruning.node.parse().map_err(|error: crate::tree::NotAnId| error.to_string())?;
                    let key = grown.find(&id).map_err(|error| error.to_string())?;
                    grown = grown.prune_node(key, record::reason(pruning)?);
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
