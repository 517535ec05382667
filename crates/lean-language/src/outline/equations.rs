//! Proofs by equations: `| 0 => … | n + 1 => …` behind a statement.

use std::ops::Range;

use super::{Parts, Reader};
use crate::outline::{Block, Item, Pick, Tactic, Targets, What};

impl Reader<'_> {
    /// The equations of a proof as one function, each right side with the proof of its case. The name of the theorem stands for no
    /// hypothesis, so that right sides which use it do not hold. `None` if several patterns share a right side.
    pub(super) fn equations(&self, range: &Range<usize>) -> Option<Block> {
        let place = self.place(range.start);
        let bars = self.bars(range);
        let ends = bars.iter().skip(1).copied().chain([range.end]);
        let mut parts = Parts { head: "refine fun".to_owned(), proofs: Vec::new(), has_hole: false };
        let mut text = "exact fun".to_owned();
        for (bar, end) in bars.iter().copied().zip(ends) {
            let equation = bar..end;
            let arrow = self.outside(&equation).find(|&at| self.is_arrow(at))?;
            if self.outside(&(bar + 1..arrow)).any(|at| self.is(at, "|")) {
                return None;
            }
            let proof = arrow + 1..end;
            text += &format!("\n  {}", self.source(&equation, 2));
            parts.head += &format!("\n  {} => ?_", self.source(&(bar..arrow), 2));
            parts.has_hole |= proof.clone().any(|at| self.gives_up(at));
            parts
                .proofs
                .push(Item { place: self.place(bar), what: What::Focus(Pick::First, self.term(proof, 1)) });
        }
        let tactic = Tactic { text, on: Targets::First, parts: Some(parts) };
        Some(vec![Item { place, what: What::Tactic(tactic) }])
    }

    /// The bars with which equations begin: those that begin the lines furthest to the left, or else those of the one line. The
    /// text may begin with the first, so that its column says nothing.
    fn bars(&self, range: &Range<usize>) -> Vec<usize> {
        let bars: Vec<usize> = self.outside(range).filter(|&at| self.is(at, "|")).collect();
        let begins_line = |at: &usize| *at > range.start && self.starts_line(*at);
        let column = bars.iter().filter(|at| begins_line(at)).map(|&at| self.tokens[at].column).min();
        let line = self.tokens[range.start].line;
        let begins = |at: &usize| match column {
            Some(column) => *at == range.start || begins_line(at) && self.tokens[*at].column == column,
            None => self.tokens[*at].line == line,
        };
        bars.into_iter().filter(begins).collect()
    }
}
