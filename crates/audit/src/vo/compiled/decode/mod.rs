//! Decodes values into declarations, by the layout of the release. Any unexpected value is an error, so that no layout
//! can be mistaken for another.
//!
//! `constants`, `inductives` and `modules` are built from `names`, `universes` and `terms`.

mod constants;
mod inductives;
mod modules;
mod names;
mod terms;
mod universes;

use std::collections::HashMap;
use std::rc::Rc;

use super::declaration::Resolver;
use super::layout::Layout;
use super::marshal::{Heap, Value};
use super::term::*;
use super::trees::Trees;
use super::{Own, Terms};

/// The decoder is recursive: with less stack than this, it continues on a new segment.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// Continues, on a new stack segment if necessary.
pub(super) fn deep<T>(go_on: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, go_on)
}

/// Decodes the values of one heap. Terms of several heaps are numbered consecutively.
pub(super) struct Decoder<'h, 'b> {
    pub(super) heap: &'h Heap<'b>,
    pub(super) layout: &'static Layout,
    own: &'h Own,
    pub(super) terms: Terms,
    /// The terms of this heap that are decoded or in progress.
    known: HashMap<Value, Option<TermId>>,
    paths: HashMap<Value, Rc<Path>>,
    names: HashMap<Value, Name>,
    levels: HashMap<Value, Level>,
    texts: HashMap<Value, Rc<str>>,
    /// The library whose proofs are known.
    pub(super) proofs_of: String,
    /// The proofs of opaque constants, by their numbers in the file; `None` if they are not read.
    pub(super) opaque: Option<Vec<Option<Proof>>>,
    /// What each declaration requires of its parameters and of other universes.
    pub(super) contexts: Vec<Constraints>,
    /// What modules and module types say of canonical names.
    pub(super) resolvers: Vec<Resolver>,
    pub(super) trees: Trees,
}

/// The proof of an opaque constant.
#[derive(Clone, Debug)]
pub(super) struct Proof {
    /// The term; `None` if only its universes are read.
    pub(super) term: Option<TermId>,
    /// What it requires of universes besides what its statement says, if the constant is polymorphic. Those of sections have
    /// their names.
    pub(super) constraints: Constraints,
}

impl<'h, 'b> Decoder<'h, 'b> {
    pub(super) fn new(
        heap: &'h Heap<'b>,
        layout: &'static Layout,
        own: &'h Own,
        terms: Terms,
        opaque: Option<Vec<Option<Proof>>>,
    ) -> Self {
        Self {
            heap,
            layout,
            own,
            terms,
            known: HashMap::new(),
            paths: HashMap::new(),
            names: HashMap::new(),
            levels: HashMap::new(),
            texts: HashMap::new(),
            proofs_of: own.library.clone(),
            opaque,
            contexts: Vec::new(),
            resolvers: Vec::new(),
            trees: Trees::default(),
        }
    }

    pub(super) fn into_terms(self) -> Terms {
        self.terms
    }
}

/// Maximum nesting depth of modules.
const MAX_DEPTH: usize = 10_000;
