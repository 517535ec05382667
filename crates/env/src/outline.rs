//! Outlines: proof scripts read into a form that does not depend on the system.
//!
//! An outline is what a script asks for, item by item, as far as its text shows: which tactic, on which of the goals
//! in view. Whether a tactic holds, and how many goals it leaves, only the assistant can say. A script is read as far
//! as it can be; see [`crate::environment::Environment::outline`].

use std::fmt;

/// A script, or the part of it that can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Its items, in order.
    pub block: Block,
    /// What is left out because it changes no goal, in order.
    pub skipped: Vec<Skipped>,
    /// Why the rest could not be read, if there is a rest.
    pub unread: Option<Unread>,
}

/// Items in order. Each works on the goals that are then in view, as in a script of the assistant.
pub type Block = Vec<Item>;

/// An item of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where it begins.
    pub place: Place,
    /// What it asks for.
    pub what: What,
}

/// What an item asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A tactic.
    Tactic(Tactic),
    /// A goal to be proved alone: a bullet, braces, a case.
    Focus(Pick, Block),
    /// To move the first goals behind the last, this many; if negative, the last before the first.
    Rotate(i32),
    /// To leave goals open: `admit`, `sorry`.
    Hole {
        /// The goals.
        on: Targets,
        /// Whether it stands inside a tactic, rather than being one: `exact ⟨sorry, h⟩`, `split; [admit | auto]`.
        is_inside: bool,
    },
}

impl What {
    /// A tactic that leaves goals open.
    pub fn hole(on: Targets) -> Self {
        Self::Hole { on, is_inside: false }
    }
}

/// A tactic of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tactic {
    /// Its text, as a tactic that can be tried.
    pub text: String,
    /// The goals that it is tried on.
    pub on: Targets,
    /// How to take it apart, if it contains proofs of its own.
    pub parts: Option<Parts>,
}

impl Tactic {
    /// A tactic on the first goal.
    pub fn first(text: impl Into<String>) -> Self {
        Self { text: text.into(), on: Targets::First, parts: None }
    }
}

/// A tactic that contains proofs, taken apart: `have h : p := by …` is `have h : p` followed by the proof of `p`.
/// Tried if the tactic does not hold as a whole, so that the proofs in it that hold are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The tactic without the proofs, which leaves their goals.
    pub head: String,
    /// The proofs, each on its goal.
    pub proofs: Block,
    /// Whether a goal is given up in a proof, so that the tactic as a whole cannot hold.
    pub has_hole: bool,
}

/// The goals in view that an item is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// The first.
    First,
    /// The n-th, from 1.
    Nth(usize),
    /// Each of them, separately.
    All,
    /// The one with this tag, or the one that this metavariable is for.
    Named(String),
}

/// The goal that is proved alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first in view.
    First,
    /// The n-th in view, from 1.
    Nth(usize),
    /// The first one in view with this case tag; if there is none, the first.
    Case(String),
}

/// A command among tactics that changes no goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where it begins.
    pub place: Place,
    /// Its text.
    pub text: String,
}

/// A place in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl Place {
    /// The start of a text.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place of a byte of a text.
    pub fn of(text: &str, byte: usize) -> Self {
        let before = &text[..byte];
        let line = before.rsplit('\n').next().unwrap_or_default();
        Self { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
    }

    /// This place, for a text that begins at `start` of another one.
    #[must_use]
    pub fn within(self, start: Self) -> Self {
        let column = if self.line == 1 { self.column + start.column - 1 } else { self.column };
        Self { line: self.line + start.line - 1, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Where a script leaves a goal open on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The place of the word that says so.
    pub place: Place,
    /// Whether it stands inside a tactic.
    pub is_inside: bool,
}

/// Why the rest of a script could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Unread {
    /// Where the rest begins.
    pub place: Place,
    /// What is wrong there.
    pub what: String,
}

/// Blocks nested more deeply are not read.
pub const MAX_NESTING: usize = 64;

impl Outline {
    /// An outline in which each line with text is a tactic.
    pub fn of_lines(script: &str) -> Self {
        let lines = script.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let item = |(number, line): (usize, &str)| Item {
            place: Place {
                line: number + 1,
                column: line.chars().take_while(|c| c.is_whitespace()).count() + 1,
            },
            what: What::Tactic(Tactic::first(line.trim())),
        };
        Self { block: lines.map(item).collect(), ..Self::default() }
    }

    /// Whether it asks for any tactic. If not, it only leaves its goals open.
    pub fn has_tactics(&self) -> bool {
        fn any(block: &Block) -> bool {
            block.iter().any(|item| match &item.what {
                What::Tactic(_) => true,
                What::Focus(_, block) => any(block),
                What::Rotate(_) | What::Hole { .. } => false,
            })
        }
        any(&self.block)
    }

    /// The words by which it leaves goals open, without those in tactics that contain proofs.
    pub fn holes(&self) -> Vec<Gap> {
        fn all(block: &Block, found: &mut Vec<Gap>) {
            for Item { place, what } in block {
                match what {
                    What::Hole { is_inside, .. } => found.push(Gap { place: *place, is_inside: *is_inside }),
                    What::Focus(_, block) => all(block, found),
                    What::Tactic(_) | What::Rotate(_) => {}
                }
            }
        }
        let mut found = Vec::new();
        all(&self.block, &mut found);
        found
    }

    /// Whether it leaves a goal open on purpose.
    pub fn has_holes(&self) -> bool {
        fn any(block: &Block) -> bool {
            block.iter().any(|item| match &item.what {
                What::Hole { .. } => true,
                What::Focus(_, block) => any(block),
                What::Tactic(tactic) => tactic.parts.as_ref().is_some_and(|parts| parts.has_hole),
                What::Rotate(_) => false,
            })
        }
        any(&self.block)
    }
}

/// Finds the places of byte offsets in a text.
pub struct Places<'a> {
    text: &'a str,
    /// The offset of each line.
    lines: Vec<usize>,
}

impl<'a> Places<'a> {
    /// Those of a text.
    pub fn of(text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, lines: std::iter::once(0).chain(ends).collect() }
    }

    /// The place of an offset in it.
    pub fn at(&self, offset: usize) -> Place {
        let line = self.lines.partition_point(|&start| start <= offset);
        let before = self.text.get(self.lines[line - 1]..offset).unwrap_or_default();
        Place { line, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_characters_from_one() {
        let places = Places::of("αβ\n\nxy");
        let at = |line, column| Place { line, column };
        assert_eq!([places.at(0), places.at(2), places.at(4)], [at(1, 1), at(1, 2), at(1, 3)]);
        assert_eq!([places.at(5), places.at(7), places.at(8)], [at(2, 1), at(3, 2), at(3, 3)]);
        assert_eq!(at(1, 2).within(at(7, 5)), at(7, 6));
        assert_eq!(at(2, 2).within(at(7, 5)), at(8, 2));
    }

    #[test]
    fn each_line_may_be_a_tactic() {
        let outline = Outline::of_lines("t1\n\n  t2\n");
        let found: Vec<_> = outline.block.iter().map(|item| (item.place.line, item.place.column)).collect();
        assert_eq!(found, [(1, 1), (3, 3)]);
        assert!(outline.has_tactics() && !outline.has_holes());
    }
}
