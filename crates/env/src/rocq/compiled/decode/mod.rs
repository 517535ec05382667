//! From values to declarations, by the layout of the release. Whatever does not look as it should is an error, so that no layout
//! can be taken for another.
//!
//! `names`, `universes` and `terms` are what `constants`, `inductives` and `modules` consist of.

mod constants;
mod inductives;
mod modules;
mod names;
mod terms;
mod universes;

use std::collections::HashMap;
use std::rc::Rc;

use super::layout::Layout;
use super::marshal::{Heap, Value};
use super::term::*;
use super::trees::Trees;
use super::{Own, Terms};

/// The reader is recursive where terms and modules are: with less stack than this left, it goes on in a new piece.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// Goes on, in a new piece of stack if need be.
pub(super) fn deep<T>(go_on: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, go_on)
}

/// Reads the values of one heap. Terms of several heaps get numbers in one sequence.
pub(super) struct Decoder<'h, 'b> {
    pub(super) heap: &'h Heap<'b>,
    pub(super) layout: &'static Layout,
    own: &'h Own,
    pub(super) terms: Terms,
    /// The terms of this heap that were read, or are being read.
    known: HashMap<Value, Option<TermId>>,
    paths: HashMap<Value, Rc<Path>>,
    names: HashMap<Value, Name>,
    levels: HashMap<Value, Level>,
    texts: HashMap<Value, Rc<str>>,
    /// The proofs of opaque constants, by their numbers in the file.
    pub(super) opaque: Vec<Option<TermId>>,
    pub(super) trees: Trees,
}

impl<'h, 'b> Decoder<'h, 'b> {
    pub(super) fn new(
        heap: &'h Heap<'b>,
        layout: &'static Layout,
        own: &'h Own,
        terms: Terms,
        opaque: Vec<Option<TermId>>,
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
            opaque,
            trees: Trees::default(),
        }
    }

    pub(super) fn into_terms(self) -> (Terms, Vec<Option<TermId>>) {
        (self.terms, self.opaque)
    }
}

/// Modules within modules, at most.
const MAX_DEPTH: usize = 10_000;
