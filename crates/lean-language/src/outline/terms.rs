//! Terms that leave something open, taken apart.

use std::ops::Range;

use super::{Parts, Reader, shifted};
use crate::lexer::Kind;
use crate::outline::{Block, Item, Pick, Targets, What};

impl Reader<'_> {
    /// `exact t` and its like, taken apart if the term leaves something open; the block instead if that is all of the term.
    pub(super) fn by_term(
        &self,
        range: &Range<usize>,
        is_last: bool,
        nesting: usize,
    ) -> Result<Option<Parts>, Block> {
        let (first, term) = (range.start, range.start + 1..range.end);
        if term.is_empty() {
            return Ok(None);
        }
        let shows = self.is_word(first, "show");
        if !shows && self.is_word(term.start, "by") && term.clone().any(|at| self.gives_up(at)) {
            return Err(self.block(term.start + 1..term.end, nesting + 1));
        }
        if !shows && term.len() == 1 && self.gives_up(term.start) {
            return Err(vec![Item { place: self.place(first), what: What::hole(Targets::First) }]);
        }
        // What other tactics do with open goals is theirs to say.
        if self.outside(range).any(|at| self.is(at, "<;>") || self.is(at, "<|>")) {
            return Ok(None);
        }
        let of_show = || self.outside(&term).any(|at| self.is_word(at, "from") || self.is_word(at, "by"));
        if shows && !of_show() {
            return Ok(None);
        }
        let taken = if shows { range } else { &term };
        let Some((text, proofs)) = self.opened(taken, &term, is_last, nesting) else { return Ok(None) };
        Ok(Some(Parts { head: self.refine(first, taken.start, &text), proofs, has_hole: true }))
    }

    /// The tactic `refine` with a term of a tactic, whose lines keep their distance from the term's first: a block of `by` in it must
    /// be right of what holds it.
    fn refine(&self, tactic: usize, term: usize, text: &str) -> String {
        let column = self.tokens[tactic].column;
        let distance = self.tokens[term].column.saturating_sub(column);
        if term > tactic && self.starts_line(term) {
            return format!("refine\n{}{}", " ".repeat(distance), shifted(text, column, 0));
        }
        const REFINE: &str = "refine ";
        REFINE.to_owned() + &shifted(text, column, REFINE.len().saturating_sub(distance))
    }

    /// The text of some tokens with `?_` in place of what a term among them leaves open, and what proves it: nothing for `sorry`,
    /// and for `?_` where nothing follows; the block of `by`, if that leaves something open. `None` if nothing is open.
    pub(super) fn opened(
        &self,
        range: &Range<usize>,
        term: &Range<usize>,
        is_last: bool,
        nesting: usize,
    ) -> Option<(String, Block)> {
        let (mut text, mut written) = (String::new(), self.tokens[range.start].start);
        let (mut proofs, mut kept) = (Vec::new(), 0);
        let mut at = term.start;
        while at < term.end {
            let token = &self.tokens[at];
            let place = self.place(at);
            let on = if kept == 0 { Targets::First } else { Targets::Nth(kept + 1) };
            let hole = Item { place, what: What::Hole { on, is_inside: true } };
            let mut end = at + 1;
            if self.is(at, "?") && self.is_word(at + 1, "_") && is_last {
                proofs.push(hole);
                end = at + 2;
            } else if self.is(at, "?") {
                kept += 1;
            } else if self.gives_up(at) {
                text += &self.text[written..token.start];
                text += "?_";
                written = token.end();
                proofs.push(hole);
            } else if self.is_word(at, "by") {
                end = self.end_of_by(at, term.end);
                if (at..end).any(|at| self.gives_up(at)) {
                    let from = if self.ends_type(at, range.start) { "from " } else { "" };
                    text += &self.text[written..token.start];
                    text += &format!("{from}?_");
                    written = self.tokens[end - 1].end();
                    let block = self.block(at + 1..end, nesting + 1);
                    let pick = if kept == 0 { Pick::First } else { Pick::Nth(kept + 1) };
                    proofs.push(Item { place, what: What::Focus(pick, block) });
                }
            }
            at = end;
        }
        text += &self.text[written..self.tokens[range.end - 1].end()];
        self.in_order_of_goals(term, &mut proofs);
        (!proofs.is_empty()).then_some((text, proofs))
    }

    /// Puts the proofs in a term into the order of their goals: those of what `suffices` states come before those that use it.
    fn in_order_of_goals(&self, term: &Range<usize>, proofs: &mut [Item]) {
        let stated = term.clone().filter(|&at| self.is_word(at, "suffices"));
        for suffices in stated.collect::<Vec<_>>().into_iter().rev() {
            let end = self.end_of_term(suffices + 1, term.end);
            let (rest, column) = (suffices + 1..end, self.tokens[suffices].column);
            let by = self.outside(&rest).find(|&at| self.is_word(at, "by")).unwrap_or(end);
            let ends = |&at: &usize| {
                at < by && self.is(at, ";") || self.starts_line(at) && self.tokens[at].column <= column
            };
            let behind = self.outside(&rest).find(ends).unwrap_or(end);
            let before = |at: usize| {
                let is_before = |item: &&Item| at == self.tokens.len() || item.place < self.place(at);
                proofs.iter().filter(is_before).count()
            };
            let [start, behind, end] = [suffices, behind, end].map(before);
            proofs[start..end].rotate_left(behind - start);
        }
    }

    /// Whether `by` at a place follows the type of `show type by` or `suffices type by`, and is not of the type.
    fn ends_type(&self, by: usize, start: usize) -> bool {
        let last = &self.tokens[by.max(1) - 1];
        // A term is due there.
        if last.kind == Kind::Symbol && !last.closes() {
            return false;
        }
        let mut depth = 0_usize;
        for at in (start..by).rev() {
            let token = &self.tokens[at];
            match (token.opens(), token.closes()) {
                (true, _) if depth == 0 => return false,
                (true, _) => depth -= 1,
                (_, true) => depth += 1,
                _ if depth > 0 => {}
                _ if self.is_word(at, "show") || self.is_word(at, "suffices") => return true,
                _ if ["from", "by", "fun", "let", "have"].iter().any(|word| self.is_word(at, word)) => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    /// The end of the block of a `by` in a term: at a bracket or a comma, or in a line that begins left of its first tactic.
    fn end_of_by(&self, by: usize, end: usize) -> usize {
        let margin = self.tokens.get(by + 1).map_or(0, |first| first.column);
        let block = by + 1..self.end_of_term(by + 1, end);
        let is_left = |&at: &usize| self.starts_line(at) && self.tokens[at].column < margin;
        self.outside(&block).find(is_left).unwrap_or(block.end)
    }

    /// The end of what begins at a place in a term: at a bracket that closes around it, or at a comma.
    fn end_of_term(&self, start: usize, end: usize) -> usize {
        let mut depth = 0_usize;
        for at in start..end {
            let token = &self.tokens[at];
            match (token.opens(), token.closes()) {
                (true, _) => depth += 1,
                (_, true) if depth == 0 => return at,
                (_, true) => depth -= 1,
                _ if depth == 0 && self.is(at, ",") => return at,
                _ => {}
            }
        }
        end
    }
}
