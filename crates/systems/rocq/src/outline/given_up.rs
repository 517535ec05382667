//! Tactics that give up goals: which word says so, and which goals it is for.

use super::super::lexer::{Kind, Piece, code};
use super::{nth, pick};
use andor_env::outline::{Item, MAX_NESTING, Parts, Place, Tactic, Targets, What};

/// Words that leave a goal open.
const GIVING_UP: &[&str] = &["admit", "give_up"];
/// Tactics that do to a goal what the tactic behind them does, where that closes it.
const TRANSPARENT: &[&str] = &["try", "now", "by", "once", "progress", "abstract", "time"];

fn gives_up(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().any(|piece| GIVING_UP.iter().any(|word| piece.is_word(word)))
}

/// The word by which a tactic gives up each goal that it is for, and does nothing else: `admit`, `(admit)`, `now admit`,
/// `admit; auto`, `first [ fail | admit ]`, `exact ltac:(admit)`.
fn word(pieces: &[Piece<'_>], from: usize, to: usize, nesting: usize) -> Option<usize> {
    if nesting >= MAX_NESTING {
        return None;
    }
    let word = |pieces: &[Piece<'_>], from, to| word(pieces, from, to, nesting + 1);
    let (from, to) = inner(pieces, from, to);
    let part = pieces.get(from..to)?;
    let first = part.first()?;
    let joins = separators(pieces, from, to, ";");
    if let Some(&joins) = joins.first() {
        // What follows has no goals.
        let does_nothing = pieces[from..joins].iter().all(|piece| piece.is_word("idtac"));
        return if does_nothing { word(pieces, joins + 1, to) } else { word(pieces, from, joins) };
    }
    if part.len() == 1 {
        return gives_up(part).then_some(from);
    }
    let is = |at: usize, symbol: &str| pieces.get(at).is_some_and(|piece| piece.is_symbol(symbol));
    match first.text {
        _ if first.kind != Kind::Word => None,
        "first" | "solve" if is(from + 1, "[") && is(to - 1, "]") => {
            let mut others = alternatives(pieces, from + 2, to - 1);
            others.retain(|&(from, to)| !pieces[from..to].iter().all(|piece| piece.is_word("fail")));
            match others[..] {
                [(from, to)] => word(pieces, from, to),
                _ => None,
            }
        }
        "exact" | "refine" if pieces[from + 1].is_word("ltac") && is(from + 2, ":") => {
            word(pieces, from + 3, to)
        }
        "timeout" if pieces[from + 1].kind == Kind::Number => word(pieces, from + 2, to),
        name if TRANSPARENT.contains(&name) => word(pieces, from + 1, to),
        _ => None,
    }
}

/// A tactic that begins at a place and gives up goals: where it says so, and what it asks for, taken apart if it does more than
/// that, behind `by`, and as one of those that are joined by `;`. What is nested too deeply stays whole.
pub(super) fn taken_apart(text: &str, on: Targets, place: Place, nesting: usize) -> (Place, What) {
    let whole = |parts| (place, What::Tactic(Tactic { text: text.to_owned(), on: on.clone(), parts }));
    if nesting >= MAX_NESTING {
        return whole(None);
    }
    let pieces = code(text).unwrap_or_default();
    if !gives_up(&pieces) {
        return whole(None);
    }
    let at = |piece: &Piece<'_>| Place::of(text, piece.start).within(place);
    if let Some(word) = word(&pieces, 0, pieces.len(), nesting) {
        let is_inside = pieces.len() > 1;
        return (at(&pieces[word]), What::Hole { on, is_inside });
    }
    // The number of the goal in view: those before it stay.
    let first = match on {
        Targets::First => 1,
        Targets::Nth(n) => n,
        Targets::All | Targets::Named(_) => return whole(None),
    };
    let outside = outside(&pieces);
    // What a goal is proved by, which begins and ends with these pieces.
    let proof = |number: usize, from: usize, to: usize| {
        if let Some(word) = word(&pieces, from, to, nesting) {
            let what = What::Hole { on: nth(number), is_inside: true };
            return Some(Item { place: at(&pieces[word]), what });
        }
        let (from, to) = inner(&pieces, from, to);
        let part = pieces.get(from..to).filter(|part| !part.is_empty())?;
        let (start, end) = (part[0].start, part[part.len() - 1].end());
        let place = at(&part[0]);
        let what = if gives_up(part) {
            let (place, what) = taken_apart(&text[start..end], Targets::First, place, nesting + 1);
            What::Focus(pick(number), vec![Item { place, what }])
        } else {
            What::Tactic(Tactic { text: text[start..end].to_owned(), on: nth(number), parts: None })
        };
        Some(Item { place, what })
    };
    let head = |to: usize| text[..pieces[to].start].trim_end().to_owned();
    let joins = separators(&pieces, 0, pieces.len(), ";");
    let (to, proofs) = if joins.is_empty() {
        let by = outside.iter().rev().find(|&&at| pieces[at].is_word("by")).copied();
        let goal = match pieces[0].text {
            "assert" | "have" => first,
            "enough" | "replace" => first + 1,
            _ => return whole(None),
        };
        let Some(by) = by.filter(|&by| !gives_up(&pieces[..by])) else { return whole(None) };
        (by, proof(goal, by + 1, pieces.len()).into_iter().collect())
    } else {
        // The first of the joined tactics that gives up a goal.
        let ends = joins.iter().copied().chain([pieces.len()]);
        let starts = joins.iter().map(|joins| joins + 1);
        let Some((before, (from, to))) =
            joins.iter().copied().zip(starts.zip(ends.skip(1))).find(|(_, (_, to))| gives_up(&pieces[..*to]))
        else {
            return whole(None);
        };
        if gives_up(&pieces[..before]) {
            return whole(None);
        }
        if let Some(word) = word(&pieces, from, to, nesting) {
            // Each goal that the tactic before it leaves; what follows has none.
            let before = Item { place, what: What::Tactic(Tactic::first(head(before))) };
            let hole = What::Hole { on: Targets::All, is_inside: true };
            let hole = Item { place: at(&pieces[word]), what: hole };
            return (place, What::Focus(pick(first), vec![before, hole]));
        }
        let closes = to - 1;
        let is_list =
            pieces[from].is_symbol("[") && outside.last() == Some(&from) && pieces[closes].is_symbol("]");
        if to < pieces.len() || !is_list {
            return whole(None);
        }
        let opens = from + usize::from(pieces[from + 1].is_symbol(">"));
        let mut branches = alternatives(&pieces, opens + 1, closes);
        // Those that follow the last branch stay as they are.
        let is_rest = |&(from, to): &(usize, usize)| to == from + 1 && pieces[from].text == "..";
        if branches.last().is_some_and(is_rest) {
            branches.pop();
        }
        if branches.iter().any(|&(from, to)| pieces[from..to].iter().any(|piece| piece.text == "..")) {
            return whole(None);
        }
        // From the last to the first, so that the numbers of the others stay valid.
        let numbered = branches.into_iter().enumerate().rev();
        (before, numbered.filter_map(|(n, (from, to))| proof(first + n, from, to)).collect())
    };
    whole(Some(Parts { head: head(to), proofs, has_hole: true }))
}

/// How a piece changes the number of open brackets.
fn depth(piece: &Piece<'_>) -> isize {
    match (piece.kind, piece.text) {
        (Kind::Symbol, "(" | "[" | "{") => 1,
        (Kind::Symbol, ")" | "]" | "}") => -1,
        _ => 0,
    }
}

/// The pieces outside all brackets; of brackets, the opening one.
fn outside(pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut open = 0;
    let mut found = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        if open == 0 {
            found.push(at);
        }
        open += depth(piece);
    }
    found
}

/// The separators of a kind between some pieces, outside all brackets.
fn separators(pieces: &[Piece<'_>], from: usize, to: usize, separator: &str) -> Vec<usize> {
    let is_it = |at: &usize| pieces[*at].is_symbol(separator);
    outside(&pieces[from..to]).into_iter().map(|at| from + at).filter(is_it).collect()
}

/// Where the alternatives of a list begin and end.
fn alternatives(pieces: &[Piece<'_>], from: usize, to: usize) -> Vec<(usize, usize)> {
    let bars = separators(pieces, from.min(to), to, "|");
    let starts = std::iter::once(from).chain(bars.iter().map(|bar| bar + 1));
    starts.zip(bars.iter().copied().chain([to])).collect()
}

/// A range of pieces without the parentheses around it.
fn inner(pieces: &[Piece<'_>], mut from: usize, mut to: usize) -> (usize, usize) {
    let mut open = Vec::new();
    let mut closed_at = vec![None; to];
    for (at, piece) in pieces[..to].iter().enumerate().skip(from) {
        match depth(piece) {
            1 => open.push(at),
            -1 => {
                if let Some(opened) = open.pop() {
                    closed_at[opened] = Some(at);
                }
            }
            _ => {}
        }
    }
    while from + 1 < to && pieces[from].is_symbol("(") && closed_at[from] == Some(to - 1) {
        (from, to) = (from + 1, to - 1);
    }
    (from, to)
}
