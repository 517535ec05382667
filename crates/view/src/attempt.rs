//! One attempt: its search, read from the files in its folder, and read on while they grow.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use andor_artifact::assembly::{Assembly, WinningStep};
use andor_artifact::files::read_json;
use andor_artifact::graph::Graph;
use andor_artifact::rollout::RolloutLine;
use andor_artifact::trace::TraceEvent;
use andor_artifact::version::Kind;
use serde_json::{Value, json};

use crate::details::CHUNK;
use crate::json::Object;
use crate::tail::Tail;
use crate::tree::{Sizes, Tree};

pub(crate) const TRACE: &str = "trace.jsonl";
pub(crate) const GRAPH: &str = "graph.json";
pub(crate) const ROLLOUT: &str = "rollout.jsonl";
const ASSEMBLY: &str = "assembly.json.gz";

/// The files of which any makes a folder an attempt's.
pub(crate) const FILES: [&str; 3] = [TRACE, GRAPH, ROLLOUT];

/// How many readings there were.
static EPOCHS: AtomicU64 = AtomicU64::new(1);

/// An attempt that is looked at.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) folder: PathBuf,
    pub(crate) tree: Tree,
    source: Tail,
    /// Distinguishes this reading from one of other files under the same names.
    epoch: u64,
    graph: GraphState,
    notes: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum GraphState {
    Awaited,
    Read,
    Unreadable(String),
}

impl Attempt {
    /// Reads the files in an attempt's folder.
    pub(crate) fn open(folder: &Path) -> Self {
        let source = if folder.join(ROLLOUT).is_file() {
            Tail::new(&folder.join(ROLLOUT), Kind::Rollout)
        } else {
            Tail::new(&folder.join(TRACE), Kind::Trace)
        };
        let mut attempt = Self {
            folder: folder.to_owned(),
            tree: Tree::default(),
            source,
            epoch: EPOCHS.fetch_add(1, Ordering::Relaxed),
            graph: GraphState::Awaited,
            notes: Vec::new(),
        };
        attempt.refresh();
        attempt
    }

    /// Reads on. Starts again if the files are others now.
    pub(crate) fn refresh(&mut self) {
        if self.source.is_replaced() {
            *self = Self::open(&self.folder.clone());
            return;
        }
        if self.is_rollout() {
            let tree = &mut self.tree;
            self.source.read(|line: RolloutLine| tree.take_rollout(line).map_err(|why| why.to_string()));
            return;
        }
        if self.folder.join(TRACE).is_file() {
            let tree = &mut self.tree;
            self.source.read(|line: TraceEvent| tree.take(&line).map_err(|why| why.to_string()));
        }
        let path = self.folder.join(GRAPH);
        if self.graph != GraphState::Awaited || !path.is_file() {
            return;
        }
        match read_json::<Graph>(&path, Kind::Graph) {
            Ok(graph) => {
                let traced = self.tree.n_nodes();
                let lacked = self.tree.complete(&graph);
                if traced == 0 {
                    self.notes.push(format!(
                        "{TRACE} has no search: this is the tree at its end, without its history and candidates"
                    ));
                } else if lacked > 0 {
                    self.notes.push(format!(
                        "{TRACE} lacks {lacked} of {} nodes: they are shown as in {GRAPH}, at the last iteration",
                        graph.nodes.len()
                    ));
                }
                self.graph = GraphState::Read;
            }
            Err(why) => self.graph = GraphState::Unreadable(why.to_string()),
        }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.tree.sizes()
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The search from these places on as JSON; all of it, if they are those of another reading.
    pub(crate) fn since(&self, epoch: Option<u64>, from: Sizes) -> Vec<u8> {
        let from = if epoch.is_none_or(|epoch| epoch == self.epoch) { from } else { Sizes::default() };
        let mut out = Object::new();
        out.field("epoch", &self.epoch);
        out.field("notes", &self.notes());
        out.field("chunk", &CHUNK);
        out.field("states", &self.is_rollout());
        self.tree.write_since(from, &mut out);
        out.finish()
    }

    pub(crate) fn is_rollout(&self) -> bool {
        self.folder.join(ROLLOUT).is_file()
    }

    /// What is missing.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if let Some(why) = &self.source.failed {
            notes.push(format!("Only a part of the search is shown: {why}"));
        } else if self.tree.is_empty() {
            notes.push("The search has not begun, or its files were not kept.".to_owned());
        } else if !self.tree.has_ended() && self.graph == GraphState::Awaited && !self.is_rollout() {
            notes.push(
                "The search has not ended, or the program was killed. This is what it has written."
                    .to_owned(),
            );
        }
        if let GraphState::Unreadable(why) = &self.graph {
            notes.push(format!("Goals are shown without their hypotheses: {why}"));
        }
        notes
    }

    pub(crate) fn chunk(&self, chunk: usize) -> Value {
        self.tree.details.chunk(chunk)
    }

    pub(crate) fn n_chunks(&self) -> usize {
        self.tree.details.n_chunks()
    }

    /// The steps of the proof with the position of each in the search; `None` without a readable proof.
    pub(crate) fn winning(&self) -> Option<Vec<Value>> {
        let assembly: Assembly = read_json(&self.folder.join(ASSEMBLY), Kind::Assembly).ok()?;
        let step = |winning: &WinningStep| {
            let id: Option<u64> = winning.step.strip_prefix('s').and_then(|id| id.parse().ok());
            json!({ "step": id, "script": winning.script, "children": winning.children })
        };
        Some(assembly.winning?.iter().map(step).collect())
    }
}
