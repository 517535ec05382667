//! A goal, read from its text.

use std::collections::BTreeSet;

use crate::text::{Token, tokens};
use crate::tree::{self, Tree};

/// A name of a goal's context with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) ty: Tree,
}

/// The first goal of a state, as the model sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The accessible names of the context, in order.
    pub(crate) locals: Vec<Local>,
    pub(crate) target_text: String,
    pub(crate) target: Tree,
    /// Every word of the goal, which a new name must differ from.
    pub(crate) words: BTreeSet<String>,
}

/// Names of the context beyond the latest of this number are left out.
const MAX_LOCALS: usize = 24;

impl State {
    /// Reads a state: lines `names : type`, and `⊢ target`. Goals after the first are left out, and so is everything that has
    /// another form.
    pub fn read(text: &str) -> Self {
        let (context, rest) = text.split_once('⊢').unwrap_or(("", text));
        let target_text = rest.split("\n\n").next().unwrap_or_default().trim().to_owned();
        let mut declared: Vec<(&str, &str)> = Vec::new();
        for line in context.lines() {
            let Some((names, ty)) = line.split_once(" : ") else { continue };
            let ty = ty.split(" := ").next().unwrap_or(ty).trim();
            declared
                .extend(names.split_whitespace().filter(|name| is_accessible(name)).map(|name| (name, ty)));
        }
        // A name hides an earlier one.
        let mut seen = BTreeSet::new();
        declared.reverse();
        declared.retain(|(name, _)| seen.insert(*name));
        declared.truncate(MAX_LOCALS);
        declared.reverse();
        let is_local = |name: &str| seen.contains(name);
        let local = |(name, ty): &(&str, &str)| Local {
            name: (*name).to_owned(),
            text: (*ty).to_owned(),
            ty: tree::read(ty, &is_local),
        };
        let locals = declared.iter().map(local).collect();
        let target = tree::read(&target_text, &is_local);
        let words = tokens(text).into_iter().filter_map(|token| match token {
            Token::Word(word) => Some(word.to_owned()),
            _ => None,
        });
        Self { locals, target_text, target, words: words.collect() }
    }
}

/// Names that the assistant chose itself and hides cannot be written.
fn is_accessible(name: &str) -> bool {
    !name.contains('✝') && name.chars().next().is_some_and(crate::text::begins_word) && name != "_"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_and_targets() {
        let state =
            State::read("case inl\np q : Prop\nh✝ : p\nh : p ∧ q\nn : Nat := 3\n⊢ q ∧ p\n\np : Prop\n⊢ p");
        let names: Vec<&str> = state.locals.iter().map(|local| local.name.as_str()).collect();
        assert_eq!(names, ["p", "q", "h", "n"]);
        assert_eq!(state.target_text, "q ∧ p");
        assert_eq!((state.locals[3].text.as_str(), state.target.label.as_str()), ("Nat", "∧"));
        assert!(State::read("").locals.is_empty());
    }

    #[test]
    fn a_later_name_hides_an_earlier_one() {
        let state = State::read("h : p\nh : q\n⊢ q");
        assert_eq!((state.locals.len(), state.locals[0].text.as_str()), (1, "q"));
    }
}
