//! Reads a proof script in Lean's syntax into an outline.
//!
//! The script is cut by its layout alone: a tactic begins at the start of a line, no further right than the first one
//! of its block, or after `;`. So a tactic that the prover cannot read costs that tactic, and not the script. `mini`
//! speaks Lean, so its scripts are read in the same way.

mod equations;
mod given_up;
mod terms;

use std::ops::Range;

use super::keywords::{BEHIND_PROOFS, GIVING_UP, is_command};
use super::lexer::{Kind, Token, readable};
use andor_env::outline::{
    Block, Item, MAX_NESTING, Outline, Parts, Pick, Place, Places, Tactic, Targets, Unread, What,
};

/// The outline of a proof: of tactics, with `by` before them or without, of a term, or of a whole theorem.
pub fn outline(text: &str) -> Outline {
    let places = Places::of(text);
    let (all, unclosed) = readable(text);
    let mut unread = unclosed.map(|unclosed| Unread {
        place: places.at(unclosed.at),
        what: format!("the {} is not closed", unclosed.what),
    });
    let reader = Reader { text, tokens: &all, places: &places };
    let proof = reader.proof();
    let block = match reader.tokens.get(proof.start) {
        Some(first) if first.is_word("by") => reader.block(proof.start + 1..proof.end, 0),
        Some(first) if first.is_symbol("|") => reader.equations(&proof).unwrap_or_else(|| {
            let what =
                "several patterns with one right side are not read: write an equation for each".to_owned();
            unread = Some(Unread { place: reader.place(proof.start), what });
            Block::new()
        }),
        // After a statement stands a term.
        Some(_) if proof.start > 0 => reader.term(proof, 0),
        _ => reader.block(proof, 0),
    };
    Outline { block, skipped: Vec::new(), unread }
}

/// The case tag that Lean gives the first hole of a term, and so that of `have h : p := ?_`.
const HOLE: &str = "refine_1";

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    places: &'a Places<'a>,
}

impl Reader<'_> {
    fn is(&self, at: usize, symbol: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_symbol(symbol))
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(word))
    }

    /// Whether the arrow of an alternative stands at a place.
    fn is_arrow(&self, at: usize) -> bool {
        self.is(at, "=>") || self.is(at, "↦")
    }

    /// The word at a place, if it is a name or a keyword.
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).filter(|token| token.kind == Kind::Word).map_or("", |token| token.text)
    }

    fn starts_line(&self, at: usize) -> bool {
        at == 0 || self.tokens[at - 1].line < self.tokens[at].line
    }

    fn gives_up(&self, at: usize) -> bool {
        GIVING_UP.contains(&self.word(at))
    }

    fn place(&self, at: usize) -> Place {
        self.places.at(self.tokens[at].start)
    }

    /// The tokens of the proof: what follows the `:=` of a statement, or all of them, up to the next command.
    fn proof(&self) -> Range<usize> {
        let is_doc = |at: usize| self.tokens.get(at).is_some_and(|token| token.kind == Kind::Doc);
        let begins = |at: usize| is_command(self.word(at)) || self.is(at, "@[") || is_doc(at);
        let states = begins(0) && !self.opens_for_tactic(0);
        let start = if self.is(0, ":=") {
            1
        } else if states {
            let all = 0..self.tokens.len();
            let defines: Vec<usize> = self.outside(&all).filter(|&at| self.is(at, ":=")).collect();
            let by = defines.iter().find(|&&at| self.is_word(at + 1, "by"));
            let stated = defines.first().copied().unwrap_or(self.tokens.len());
            self.equation_within(stated)
                .unwrap_or_else(|| by.map_or(stated, |&by| by) + 1)
                .min(self.tokens.len())
        } else {
            0
        };
        let next = (start..self.tokens.len()).find(|&at| {
            self.starts_line(at) && self.tokens[at].column == 0 && begins(at) && !self.opens_for_tactic(at)
        });
        let end = next.unwrap_or(self.tokens.len());
        let helpers = self.outside(&(start..end)).find(|&at| BEHIND_PROOFS.contains(&self.word(at)));
        start..helpers.unwrap_or(end)
    }

    /// Where the equations of a theorem begin, if they do before `end`. In a statement on one line, a bar may be of `|x|`.
    fn equation_within(&self, end: usize) -> Option<usize> {
        let stated = 0..end;
        let bar = self.outside(&stated).find(|&at| self.is(at, "|") && self.starts_line(at))?;
        self.outside(&(bar..end)).any(|at| self.is_arrow(at)).then_some(bar)
    }

    /// The tokens of a range that are outside all brackets in it; of brackets, the opening one.
    fn outside(&self, range: &Range<usize>) -> impl Iterator<Item = usize> {
        let mut depth = 0_usize;
        range.clone().filter(move |&at| {
            let token = &self.tokens[at];
            if token.opens() {
                depth += 1;
                return depth == 1;
            }
            if token.closes() {
                depth = depth.saturating_sub(1);
                return false;
            }
            depth == 0
        })
    }

    /// Whether `open … in` or `set_option … in` begins a tactic here, rather than a command.
    fn opens_for_tactic(&self, at: usize) -> bool {
        let line =
            || (at + 1..self.tokens.len()).take_while(|&next| next == at + 1 || !self.starts_line(next));
        let within = line().find(|&next| self.is_word(next, "in"));
        matches!(self.word(at), "open" | "set_option")
            && within.is_some_and(|within| !is_command(self.word(within + 1)))
    }

    /// A proof by a term.
    fn term(&self, range: Range<usize>, nesting: usize) -> Block {
        if self.is_word(range.start, "by") {
            return self.block(range.start + 1..range.end, nesting + 1);
        }
        if range.is_empty() {
            return Vec::new();
        }
        let place = self.place(range.start);
        let what = if range.len() == 1 && self.gives_up(range.start) {
            What::Hole { on: Targets::First, is_inside: true }
        } else {
            let text = format!("exact {}", self.source(&range, 6));
            let parts = self.opened(&range, &range, true, nesting);
            let parts = parts.map(|(term, proofs)| Parts {
                head: format!("refine {}", shifted(&term, self.tokens[range.start].column, 7)),
                proofs,
                has_hole: true,
            });
            What::Tactic(Tactic { text, on: Targets::First, parts })
        };
        vec![Item { place, what }]
    }

    /// The items of a block.
    fn block(&self, range: Range<usize>, nesting: usize) -> Block {
        let mut items = Vec::new();
        for item in self.split(range.clone()) {
            let is_last = item.end == range.end;
            items.extend(self.item(item, is_last, nesting));
        }
        items
    }

    /// Cuts a block into the ranges of its items.
    fn split(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let Some(first) = self.tokens.get(range.start).filter(|_| !range.is_empty()) else {
            return Vec::new();
        };
        let mut cuts = vec![];
        let mut start = range.start;
        let outside: Vec<usize> = self.outside(&range).collect();
        for at in outside {
            let has_block =
                || (start..at).any(|at| self.is_word(at, "by") || self.is_arrow(at) || self.is(at, "·"));
            if self.is(at, ";") && !has_block() {
                cuts.push(start..at);
                start = at + 1;
            } else if at > start && self.starts_line(at) && self.begins(at, start, first.column, has_block())
            {
                cuts.push(start..at);
                start = at;
            }
        }
        cuts.push(start..range.end);
        cuts.retain(|cut| !cut.is_empty());
        cuts
    }

    /// Whether a line begins an item, behind one that begins at `start`. Bullets may stand further right than the
    /// tactic before them, unless that holds a block which they may belong to.
    fn begins(&self, at: usize, start: usize, column: usize, has_block: bool) -> bool {
        let token = &self.tokens[at];
        if self.is(at, "·") {
            let is_next = self.is(start, "·") && token.column <= self.tokens[start].column;
            return token.column <= column || !has_block || is_next;
        }
        token.column <= column && !self.goes_on(at)
    }

    /// Whether a line that begins like this belongs to the tactic before it: an alternative, a step of `calc`, `<;>`.
    fn goes_on(&self, at: usize) -> bool {
        self.is(at, "|") || self.is(at, "<;>") || self.is_word(at, "_") || self.is_word(at, "with")
    }

    /// An item, which may be the last of its block; `done` is none, since it changes nothing.
    fn item(&self, range: Range<usize>, is_last: bool, nesting: usize) -> Vec<Item> {
        let place = self.place(range.start);
        let one = |what| vec![Item { place, what }];
        let (first, length) = (range.start, range.len());
        let inner = |from: usize| self.block(from..range.end, nesting + 1);
        if nesting >= MAX_NESTING {
            return one(What::Tactic(Tactic::first(self.source(&range, 0))));
        }
        if self.is(first, "·") || self.is(first, ".") {
            return one(What::Focus(Pick::First, inner(first + 1)));
        }
        if self.is(first, "{") {
            let end = if self.is(range.end - 1, "}") { range.end - 1 } else { range.end };
            return one(What::Focus(Pick::First, self.block(first + 1..end.max(first + 1), nesting + 1)));
        }
        if let Some(at) = self.given_up(&range, nesting) {
            return vec![Item { place: self.place(at), what: What::hole(Targets::First) }];
        }
        if let Some(item) = self.all_given_up(&range, nesting) {
            return vec![item];
        }
        let word = self.word(first);
        match word {
            "done" if length == 1 => Vec::new(),
            "case" | "next" => {
                self.case(&range, nesting).unwrap_or_else(|| self.plain(&range, is_last, nesting))
            }
            "all_goals" if length > 1 => {
                let text = self.source(&(first + 1..range.end), 0);
                one(What::Tactic(Tactic { text, on: Targets::All, parts: None }))
            }
            "rotate_left" | "rotate_right" if length <= 2 => {
                let by = if length == 2 { self.tokens[first + 1].text.parse().unwrap_or(0) } else { 1 };
                one(What::Rotate(if word == "rotate_left" { by } else { -by }))
            }
            _ => self.plain(&range, is_last, nesting),
        }
    }

    /// `case tag x y => …`, for several cases `case a | b => …`, and `next x y => …`.
    fn case(&self, range: &Range<usize>, nesting: usize) -> Option<Vec<Item>> {
        let arrow = self.outside(range).find(|&at| self.is_arrow(at))?;
        let has_tag = self.word(range.start) == "case";
        let alternatives = range.start + 1..arrow;
        let bars: Vec<usize> = self.outside(&alternatives).filter(|&at| self.is(at, "|")).collect();
        let starts = std::iter::once(range.start + 1).chain(bars.iter().map(|bar| bar + 1));
        let ends = bars.iter().copied().chain([arrow]);
        let focus = |(start, end): (usize, usize)| {
            let pick = match self.word(start) {
                tag if has_tag && !matches!(tag, "" | "_") => Pick::Case(tag.to_owned()),
                _ => Pick::First,
            };
            let names = (start + usize::from(has_tag)).min(end)..end;
            let mut block = Vec::new();
            if !names.is_empty() {
                let text = format!("rename_i {}", self.source(&names, 0));
                block.push(Item { place: self.place(names.start), what: What::Tactic(Tactic::first(text)) });
            }
            block.extend(self.block(arrow + 1..range.end, nesting + 1));
            Item { place: self.place(range.start), what: What::Focus(pick, block) }
        };
        Some(starts.zip(ends).map(focus).collect())
    }

    /// A tactic, which may contain proofs.
    fn plain(&self, range: &Range<usize>, is_last: bool, nesting: usize) -> Vec<Item> {
        let parts = match self.word(range.start) {
            "cases" | "induction" | "match" => self.alternatives(range, nesting),
            "have" | "obtain" | "rcases" => self.have(range, nesting),
            "suffices" => self.suffices(range, nesting),
            "calc" => self.calc(range, nesting),
            "exact" | "refine" | "apply" | "show" => match self.by_term(range, is_last, nesting) {
                Ok(parts) => parts,
                Err(block) => return block,
            },
            _ => None,
        };
        let text = self.source(range, 0);
        vec![Item {
            place: self.place(range.start),
            what: What::Tactic(Tactic { text, on: Targets::First, parts }),
        }]
    }

    /// `cases h with | a x => … | b y => …`, taken apart.
    fn alternatives(&self, range: &Range<usize>, nesting: usize) -> Option<Parts> {
        let with = self.outside(range).find(|&at| self.is_word(at, "with"))?;
        let (first, is_match) = (with + 1, self.word(range.start) == "match");
        if !self.is(first, "|") {
            return None;
        }
        let (on_line, column, line) =
            (!self.starts_line(first), self.tokens[first].column, self.tokens[first].line);
        let begins = |at: &usize| {
            let token = &self.tokens[*at];
            let belongs =
                if on_line { token.line == line } else { self.starts_line(*at) && token.column == column };
            self.is(*at, "|") && belongs
        };
        let bars: Vec<usize> = self.outside(&(first..range.end)).filter(begins).collect();
        let ends = bars.iter().skip(1).copied().chain([range.end]);
        let mut parts =
            Parts { head: self.source(&(range.start..first), 0), proofs: Vec::new(), has_hole: false };
        for (bar, end) in bars.iter().copied().zip(ends) {
            let arrow = (bar..end).find(|&at| self.is_arrow(at))?;
            let pick = if is_match {
                Pick::First
            } else {
                let name = (bar + 1..arrow).find(|&at| !self.is(at, "@") && !self.is(at, "."))?;
                Pick::Case(self.word(name).to_owned())
            };
            if pick == Pick::Case(String::new()) {
                return None;
            }
            parts.head += &format!("\n{} => ?_", self.source(&(bar..arrow), 0));
            let proof = arrow + 1..end;
            let is_open = match proof.len() {
                1 => self.is_word(proof.start, "_"),
                2 => self.is(proof.start, "?"),
                _ => false,
            };
            let block = if is_open || proof.is_empty() {
                vec![Item { place: self.place(arrow), what: What::hole(Targets::First) }]
            } else {
                self.block(proof.clone(), nesting + 1)
            };
            parts.has_hole |= proof.clone().any(|at| self.gives_up(at));
            let what = What::Focus(pick, block);
            parts.proofs.push(Item { place: self.place(bar), what });
        }
        Some(parts)
    }

    /// `have h : p := by …` or `obtain ⟨x, h⟩ : p := by …`, taken apart.
    fn have(&self, range: &Range<usize>, nesting: usize) -> Option<Parts> {
        let defines = self.outside(range).find(|&at| self.is(at, ":="))?;
        if !self.outside(&(range.start..defines)).any(|at| self.is(at, ":")) {
            return None;
        }
        let (mut proof, has_hole) = self.proof_within(defines + 1..range.end, nesting)?;
        let mut head = self.source(&(range.start..defines), 0);
        // `have` without a term is Mathlib's. A hole in its place is the goal after that of the rest.
        if self.word(range.start) == "have" {
            head += " := ?_";
            if let What::Focus(pick, _) = &mut proof.what {
                *pick = Pick::Case(HOLE.to_owned());
            }
        }
        Some(Parts { head, proofs: vec![proof], has_hole })
    }

    /// `suffices h : p by …` or `suffices h : p from …`, taken apart. The proof with `h` comes first.
    fn suffices(&self, range: &Range<usize>, nesting: usize) -> Option<Parts> {
        let proof = self.outside(range).find(|&at| self.is_word(at, "by") || self.is_word(at, "from"))?;
        let begins = proof + usize::from(self.is_word(proof, "from"));
        let (block, has_hole) = self.proof_within(begins..range.end, nesting)?;
        let head = format!("{} from ?_", self.source(&(range.start..proof), 0));
        Some(Parts { head, proofs: vec![block], has_hole })
    }

    /// The steps of `calc`, each with its proof, taken apart.
    fn calc(&self, range: &Range<usize>, nesting: usize) -> Option<Parts> {
        let outside: Vec<usize> = self.outside(&(range.start + 1..range.end)).collect();
        let defines: Vec<usize> = outside.iter().copied().filter(|&at| self.is(at, ":=")).collect();
        let lines = outside
            .iter()
            .copied()
            .filter(|&at| at > *defines.first().unwrap_or(&at) && self.starts_line(at));
        let column = lines.clone().map(|at| self.tokens[at].column).min();
        let steps: Vec<usize> = lines.filter(|&at| Some(self.tokens[at].column) == column).collect();
        let starts = std::iter::once(range.start).chain(steps.iter().copied());
        let ends = steps.iter().copied().chain([range.end]);
        let mut parts = Parts { head: String::new(), proofs: Vec::new(), has_hole: false };
        let mut written = self.tokens[range.start].start;
        for (start, end) in starts.zip(ends) {
            let define = defines.iter().copied().find(|at| (start..end).contains(at))?;
            let Some((proof, has_hole)) = self.proof_within(define + 1..end, nesting) else { continue };
            parts.head += &self.text[written..self.tokens[define].end()];
            parts.head += " ?_";
            written = self.tokens[end - 1].end();
            parts.proofs.push(proof);
            parts.has_hole |= has_hole;
        }
        parts.head += &self.text[written..self.tokens[range.end - 1].end()];
        parts.head = shifted(&parts.head, self.tokens[range.start].column, 0);
        (!parts.proofs.is_empty()).then_some(parts)
    }

    /// A proof in a tactic, as a block of its own: `by …`, or a term that leaves something open.
    fn proof_within(&self, proof: Range<usize>, nesting: usize) -> Option<(Item, bool)> {
        let has_hole = proof.clone().any(|at| self.gives_up(at));
        let is_block = self.is_word(proof.start, "by") && proof.len() > 1;
        if !has_hole && !is_block {
            return None;
        }
        let block = self.term(proof.clone(), nesting);
        Some((Item { place: self.place(proof.start), what: What::Focus(Pick::First, block) }, has_hole))
    }

    /// The text of some tokens, with its further lines moved to the left like the first, and to the right by
    /// `indent`.
    fn source(&self, range: &Range<usize>, indent: usize) -> String {
        match (self.tokens.get(range.start), self.tokens[range.clone()].last()) {
            (Some(first), Some(last)) => shifted(&self.text[first.start..last.end()], first.column, indent),
            _ => String::new(),
        }
    }
}

/// A text whose further lines are moved to the left by `column`, as far as they are indented, and then to the right.
fn shifted(text: &str, column: usize, indent: usize) -> String {
    let mut shifted = String::new();
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            let blank = line.chars().take_while(|c| c.is_whitespace()).count();
            let rest: String = line.chars().skip(blank.min(column)).collect();
            shifted.push('\n');
            shifted += &" ".repeat(indent);
            shifted += rest.trim_end();
        } else {
            shifted += line.trim_end();
        }
    }
    shifted
}

#[cfg(test)]
mod tests;
