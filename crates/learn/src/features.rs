//! What the model knows of a goal, and of a hypothesis in it: a set of words, each of which has weights.

use std::collections::BTreeSet;

use crate::state::{Local, State};
use crate::tree::Tree;

/// Trees are looked at down to this depth.
const PATHS: usize = 3;

/// The features of a goal:
///
/// * `1`, which every goal has;
/// * `t:…` paths from the target's head, each step with its place: `t:=`, `t:=0+`; the target's conclusion, below
///   implications and quantifiers, as `c:…`;
/// * `s:…` symbols anywhere in the target;
/// * `h:…` paths of hypotheses, and `hc:…` heads of their conclusions;
/// * `same`: both sides of the target are equal; `given`: a hypothesis is the target; `fits`: a hypothesis has the
///   target's head as its conclusion; `bare`: there are no hypotheses.
pub fn of_goal(state: &State) -> BTreeSet<String> {
    let mut found = BTreeSet::from(["1".to_owned()]);
    paths("t:", &state.target, 0, &mut found);
    paths("c:", conclusion(&state.target), 1, &mut found);
    symbols(&state.target, &mut found);
    for local in &state.locals {
        paths("h:", &local.ty, 1, &mut found);
        found.insert(format!("hc:{}", conclusion(&local.ty).label));
    }
    let mut note = |holds: bool, what: &str| {
        if holds {
            found.insert(what.to_owned());
        }
    };
    note(matches!(state.target.children.as_slice(), [left, right] if left == right), "same");
    note(state.locals.iter().any(|local| local.text == state.target_text), "given");
    note(state.locals.iter().any(|local| conclusion(&local.ty).label == state.target.label), "fits");
    note(state.locals.is_empty(), "bare");
    found
}

/// The features of a hypothesis or variable as an argument of a tactic: the head of its type, that of its conclusion, how
/// they relate to the target, whether the target mentions it, and whether it is the latest.
pub fn of_argument(state: &State, index: usize) -> BTreeSet<String> {
    let Local { name, text, ty } = &state.locals[index];
    let head = &ty.label;
    let last = &conclusion(ty).label;
    let mut found = BTreeSet::from(["1".to_owned(), format!("a:{head}"), format!("ac:{last}")]);
    found.insert(format!("a:{head}|t:{}", state.target.label));
    let mentions = |text: &str| {
        crate::text::tokens(text).iter().any(|t| matches!(t, crate::text::Token::Word(w) if w == name))
    };
    let mut note = |holds: bool, what: &str| {
        if holds {
            found.insert(what.to_owned());
        }
    };
    note(*text == state.target_text, "is target");
    note(*last == state.target.label, "ends as target");
    note(mentions(&state.target_text), "in target");
    note(state.locals.iter().any(|other| mentions(&other.text)), "in a hypothesis");
    note(index + 1 == state.locals.len(), "latest");
    note(index + 2 == state.locals.len(), "last but one");
    note(ty.children.first().is_some_and(|left| Some(left) == state.target.children.first()), "same left");
    // A variable on which a recursive function of the target recurses.
    let place = mentioned_at(&state.target_text, name);
    if let Some(before) = place {
        found.insert(format!("behind:{before}"));
    }
    found
}

/// The symbol before the first occurrence of a name.
fn mentioned_at(text: &str, name: &str) -> Option<String> {
    use crate::text::Token;
    let tokens: Vec<Token<'_>> =
        crate::text::tokens(text).into_iter().filter(|t| !matches!(t, Token::Space(_))).collect();
    let at = tokens.iter().position(|t| matches!(t, Token::Word(w) if *w == name))?;
    match at.checked_sub(1).map(|at| tokens[at]) {
        Some(Token::Word(_)) => Some("word".to_owned()),
        Some(Token::Number(text) | Token::Symbol(text) | Token::Space(text)) => Some(text.to_owned()),
        None => Some("nothing".to_owned()),
    }
}

/// What a statement ends in, below implications and universal quantifiers.
fn conclusion(tree: &Tree) -> &Tree {
    let mut at = tree;
    while let ("→" | "∀", Some(last)) = (at.label.as_str(), at.children.last()) {
        at = last;
    }
    at
}

fn paths(prefix: &str, tree: &Tree, depth: usize, found: &mut BTreeSet<String>) {
    let path = format!("{prefix}{}", tree.label);
    if depth + 1 < PATHS {
        for (place, child) in tree.children.iter().enumerate() {
            paths(&format!("{path}{place}"), child, depth + 1, found);
        }
    }
    found.insert(path);
}

fn symbols(tree: &Tree, found: &mut BTreeSet<String>) {
    found.insert(format!("s:{}", tree.label));
    for child in &tree.children {
        symbols(child, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_has_heads_paths_and_relations() {
        let found = of_goal(&State::read("n : Nat\nh : n = 0\n⊢ n + 0 = n"));
        for expected in ["1", "t:=", "t:=0+", "t:=0+0•", "s:0", "h:=", "h:=10", "hc:Nat", "fits"] {
            assert!(found.contains(expected), "{expected}: {found:?}");
        }
        assert!(!found.contains("given") && !found.contains("bare"));
        assert!(of_goal(&State::read("p : Prop\nh : p\n⊢ p")).contains("given"));
    }

    #[test]
    fn names_do_not_matter() {
        let renamed = of_goal(&State::read("m : Nat\nk : m = 0\n⊢ m + 0 = m"));
        assert_eq!(of_goal(&State::read("n : Nat\nh : n = 0\n⊢ n + 0 = n")), renamed);
    }

    #[test]
    fn an_argument_is_known_by_its_relation_to_the_target() {
        let state = State::read("p q : Prop\nf : p → q\nh : p\n⊢ q");
        assert!(
            of_argument(&state, 2).contains("ends as target") && !of_argument(&state, 2).contains("latest")
        );
        assert!(of_argument(&state, 3).contains("latest"));
        assert!(of_argument(&state, 1).contains("in target"));
    }
}
