//! Shapes of tactics: a tactic's text with places for names of the goal, and for new names.
//!
//! `exact h` and `exact k` have one shape, `exact {1}`. New names, as in `intro x`, are `{+1}`: the shape puts a name there
//! that the goal does not have. A brace of the tactic itself is doubled.

use std::fmt;
use std::str::FromStr;

use crate::state::State;
use crate::text::{Token, tokens};

/// A tactic without its names.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Shape {
    parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Part {
    Text(String),
    /// A name of the goal, numbered from 0 by first occurrence.
    Given(usize),
    /// A name that the tactic introduces, numbered likewise.
    New(usize),
}

/// Longer shapes, in bytes, say too much of one goal to be of use at another.
const MAX_LENGTH: usize = 120;
/// The most names of the goal in a shape.
const MAX_ARGUMENTS: usize = 4;

/// A text that is not a shape.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not the shape of a tactic: {why}")]
pub struct NotAShape {
    text: String,
    why: &'static str,
}

impl Shape {
    /// The shape of a tactic at a goal, and which of the goal's names stand in its places. `None` for tactics that are too long
    /// to be of use elsewhere.
    pub(crate) fn of(tactic: &str, state: &State) -> Option<(Self, Vec<usize>)> {
        let mut parts: Vec<Part> = Vec::new();
        let (mut given, mut new): (Vec<usize>, Vec<&str>) = (Vec::new(), Vec::new());
        let mut binding = Binding::default();
        let mut is_behind_period = false;
        for token in tokens(tactic.trim()) {
            let binds = !is_behind_period && binding.step(token);
            let Token::Word(word) = token else {
                is_behind_period = token == Token::Symbol(".");
                push(&mut parts, token);
                continue;
            };
            let known = new.iter().position(|name| *name == word);
            let local = state.locals.iter().position(|local| local.name == word);
            parts.push(match (is_behind_period, binds, known, local) {
                (true, ..) => Part::Text(word.to_owned()),
                (_, _, Some(number), _) => Part::New(number),
                (_, true, None, _) => {
                    new.push(word);
                    Part::New(new.len() - 1)
                }
                (_, false, None, Some(local)) => {
                    let number = given.iter().position(|at| *at == local).unwrap_or(given.len());
                    if number == given.len() {
                        given.push(local);
                    }
                    Part::Given(number)
                }
                (_, false, None, None) => Part::Text(word.to_owned()),
            });
            is_behind_period = false;
        }
        let shape = Self { parts: joined(parts) };
        (shape.to_string().len() <= MAX_LENGTH && given.len() <= MAX_ARGUMENTS && !shape.parts.is_empty())
            .then_some((shape, given))
    }

    /// The shape of a tactic at a goal; `None` for tactics that are too long to be of use elsewhere.
    pub fn of_tactic(tactic: &str, state: &State) -> Option<Self> {
        Self::of(tactic, state).map(|(shape, _)| shape)
    }

    /// The number of names of the goal that it takes.
    pub fn arguments(&self) -> usize {
        let number = |part: &Part| if let Part::Given(number) = part { number + 1 } else { 0 };
        self.parts.iter().map(number).max().unwrap_or(0)
    }

    /// The tactic with these names of the goal, by their places among its locals.
    pub(crate) fn tactic(&self, state: &State, given: &[usize]) -> String {
        let mut new: Vec<String> = Vec::new();
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(piece) => text += piece,
                Part::Given(number) => text += &state.locals[given[*number]].name,
                Part::New(number) => {
                    while new.len() <= *number {
                        new.push(fresh(state, &new));
                    }
                    text += &new[*number];
                }
            }
        }
        text
    }
}

/// `h`, `h1`, and so on: the first name that the goal does not mention.
fn fresh(state: &State, new: &[String]) -> String {
    let names = std::iter::once("h".to_owned()).chain((1..).map(|number| format!("h{number}")));
    let is_free = |name: &String| !state.words.contains(name) && !new.contains(name);
    names.into_iter().find(is_free).expect("there are more names than words in a goal")
}

fn push(parts: &mut Vec<Part>, token: Token<'_>) {
    let text = match token {
        Token::Word(text) | Token::Number(text) | Token::Symbol(text) => text,
        // Layout inside a line has no meaning.
        Token::Space(text) if text.contains('\n') => text,
        Token::Space(_) => " ",
    };
    parts.push(Part::Text(text.to_owned()));
}

fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    for part in parts {
        match (all.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (_, part) => all.push(part),
        }
    }
    all
}

/// Where a tactic introduces names: after `intro` and its kind, `fun`, `∀`, `have`, `as`, and in the cases of `with`.
#[derive(Default)]
struct Binding {
    binds: bool,
    /// The next word names a case.
    is_case: bool,
    after: &'static str,
}

impl Binding {
    /// Whether the token, if it is a word, is a new name; the tokens before it have been given.
    fn step(&mut self, token: Token<'_>) -> bool {
        match token {
            Token::Space(_) => {}
            Token::Word(
                "intro" | "intros" | "rintro" | "fun" | "forall" | "have" | "obtain" | "suffices" | "as",
            ) => {
                *self = Self { binds: true, is_case: false, after: "" };
            }
            Token::Word("with") => *self = Self { binds: true, is_case: false, after: "with" },
            Token::Word("at" | "using" | "generalizing" | "from" | "by" | "in" | "eqn") => {
                *self = Self::default()
            }
            Token::Word("rfl" | "_") => {}
            Token::Word(_) => {
                let is_new = self.binds && !self.is_case;
                self.is_case = false;
                self.after = if self.after == "with" { "" } else { self.after };
                return is_new;
            }
            Token::Symbol("∀" | "∃" | "λ") => *self = Self { binds: true, is_case: false, after: "" },
            Token::Symbol("|") if self.after == "with" || self.after == "|" => {
                *self = Self { binds: true, is_case: true, after: "|" };
            }
            Token::Symbol("=>" | ":=" | ":" | ";" | "<;>" | "↦") => self.binds = false,
            Token::Symbol(_) | Token::Number(_) => {}
        }
        false
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}"))?,
                Part::Given(number) => write!(f, "{{{}}}", number + 1)?,
                Part::New(number) => write!(f, "{{+{}}}", number + 1)?,
            }
        }
        Ok(())
    }
}

impl FromStr for Shape {
    type Err = NotAShape;

    fn from_str(text: &str) -> Result<Self, NotAShape> {
        let refuse = |why| NotAShape { text: text.to_owned(), why };
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let part = if let Some(after) = rest.strip_prefix("{{") {
                rest = after;
                Part::Text("{".to_owned())
            } else if let Some(after) = rest.strip_prefix("}}") {
                rest = after;
                Part::Text("}".to_owned())
            } else if let Some(after) = rest.strip_prefix('{') {
                let (inside, after) = after.split_once('}').ok_or_else(|| refuse("a brace is not closed"))?;
                rest = after;
                let digits = inside.strip_prefix('+').unwrap_or(inside);
                let number = digits.parse::<usize>().ok().filter(|number| (1..=9).contains(number));
                let number = number.ok_or_else(|| refuse("a place is a number from 1 to 9"))? - 1;
                if inside.starts_with('+') { Part::New(number) } else { Part::Given(number) }
            } else {
                let end = rest.find(['{', '}']).unwrap_or(rest.len());
                if end == 0 {
                    return Err(refuse("a brace is not opened"));
                }
                let (piece, after) = rest.split_at(end);
                rest = after;
                Part::Text(piece.to_owned())
            };
            parts.push(part);
        }
        let shape = Self { parts: joined(parts) };
        if shape.parts.is_empty() {
            return Err(refuse("it is empty"));
        }
        if shape.arguments() > MAX_ARGUMENTS {
            return Err(refuse("it takes more than 4 names"));
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State::read("p q : Prop\nn : Nat\nxs : List Nat\nhp : p\nh : p → q\n⊢ q")
    }

    fn shaped(tactic: &str) -> String {
        Shape::of(tactic, &state()).unwrap().0.to_string()
    }

    #[test]
    fn names_of_the_goal_become_places() {
        assert_eq!(shaped("exact h hp"), "exact {1} {2}");
        assert_eq!(shaped("exact And.intro hp.left hp"), "exact And.intro {1}.left {1}");
        assert_eq!(shaped("simp [h, Nat.add_comm]"), "simp [{1}, Nat.add_comm]");
        assert_eq!(shaped("exact x.h"), "exact x.h", "behind a period it is no name of the goal");
    }

    #[test]
    fn introduced_names_become_new_ones() {
        assert_eq!(shaped("intro hx  y"), "intro {+1} {+2}");
        assert_eq!(shaped("exact fun x => h x"), "exact fun {+1} => {1} {+1}");
        assert_eq!(shaped("have k := h hp"), "have {+1} := {1} {2}");
        assert_eq!(shaped("rcases h with ⟨a, b⟩"), "rcases {1} with ⟨{+1}, {+2}⟩");
        assert_eq!(shaped("destruct h as [a|b]"), "destruct {1} as [{+1}|{+2}]");
        assert_eq!(
            shaped("induction n with | zero => ?_ | succ n ih => ?_"),
            "induction {1} with | zero => ?_ | succ {+1} {+2} => ?_"
        );
    }

    #[test]
    fn a_shape_gives_the_tactic_back_up_to_new_names() {
        let state = state();
        for (tactic, again) in [
            ("exact h hp", "exact h hp"),
            ("intro k", "intro h1"),
            ("cases xs with | nil => ?_ | cons x xs => ?_", "cases xs with | nil => ?_ | cons h1 h2 => ?_"),
            ("all_goals { simp }", "all_goals { simp }"),
        ] {
            let (shape, given) = Shape::of(tactic, &state).unwrap();
            assert_eq!(shape.tactic(&state, &given), again);
            assert_eq!(shape.to_string().parse(), Ok(shape));
        }
    }

    #[test]
    fn what_is_no_shape_is_refused() {
        for bad in ["", "exact {", "exact {x}", "exact {0}", "a } b", "{5}"] {
            assert!(bad.parse::<Shape>().is_err(), "{bad}");
        }
        assert!(Shape::of(&"simp ".repeat(100), &state()).is_none());
    }
}
