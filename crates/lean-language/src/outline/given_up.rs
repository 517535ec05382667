//! Tactics that give up goals and do nothing else.

use std::ops::Range;

use super::Reader;
use crate::outline::{Item, MAX_NESTING, Pick, Targets, What};

impl Reader<'_> {
    /// The word by which a tactic gives up its goal, if it does nothing else: `sorry`, `(sorry)`, `try sorry`, `(sorry; done)`.
    pub(super) fn given_up(&self, range: &Range<usize>, nesting: usize) -> Option<usize> {
        let (first, length) = (range.start, range.len());
        if nesting >= MAX_NESTING {
            return None;
        }
        if length == 1 {
            return self.gives_up(first).then_some(first);
        }
        if self.is_word(first, "try") {
            return self.given_up(&(first + 1..range.end), nesting + 1);
        }
        let is_bracketed =
            self.is(first, "(") && self.is(range.end - 1, ")") && self.outside(range).nth(1).is_none();
        if !is_bracketed {
            return None;
        }
        match &self.split(first + 1..range.end - 1)[..] {
            [only] => self.given_up(only, nesting + 1),
            [only, done] if done.len() == 1 && self.is_word(done.start, "done") => {
                self.given_up(only, nesting + 1)
            }
            _ => None,
        }
    }

    /// `all_goals sorry` and `tactic <;> sorry`: each goal in view, or that the tactic leaves, is given up.
    pub(super) fn all_given_up(&self, range: &Range<usize>, nesting: usize) -> Option<Item> {
        let hole = |at: usize| Item { place: self.place(at), what: What::hole(Targets::All) };
        if matches!(self.word(range.start), "all_goals" | "any_goals") {
            return self.given_up(&(range.start + 1..range.end), nesting).map(hole);
        }
        let joins = self.outside(range).filter(|&at| self.is(at, "<;>")).last()?;
        let before = range.start..joins;
        let has_block = |at: usize| self.is_word(at, "by") || self.is_arrow(at) || self.is(at, "·");
        if before.is_empty() || before.clone().any(|at| has_block(at) || self.gives_up(at)) {
            return None;
        }
        let given_up = hole(self.given_up(&(joins + 1..range.end), nesting)?);
        let mut block = self.item(before, false, nesting + 1);
        block.push(given_up);
        Some(Item { place: self.place(range.start), what: What::Focus(Pick::First, block) })
    }
}
