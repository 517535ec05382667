//! Formulas as trees: a tolerant reader of what the systems have in common.
//!
//! Features need the head of a formula and what stands below it, not its exact meaning. So precedences are those that Lean and
//! Rocq agree on, names of both for one connective become one label, and nothing is an error.

use crate::text::{Token, tokens};

/// A node: a connective, function or constant, with what it is applied to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tree {
    /// Its name; [`LOCAL`] for names of the goal's context, [`BOUND`] for bound variables.
    pub(crate) label: String,
    pub(crate) children: Vec<Tree>,
}

/// The label of a name of the context.
pub(crate) const LOCAL: &str = "•";
/// The label of a bound variable.
pub(crate) const BOUND: &str = "◦";

/// Deeper parts, and what stands after this many tokens, are left out.
const MAX_DEPTH: usize = 48;
const MAX_TOKENS: usize = 400;

/// Infix operators: spellings, label, precedence, and whether they group to the right.
const INFIX: &[(&[&str], &str, u8, bool)] = &[
    (&["↔", "<->"], "↔", 20, false),
    (&["→", "->"], "→", 25, true),
    (&["∨", "\\/"], "∨", 30, true),
    (&["∧", "/\\"], "∧", 35, true),
    (&["="], "=", 50, false),
    (&["≠", "<>"], "≠", 50, false),
    (&["<"], "<", 50, false),
    (&[">"], ">", 50, false),
    (&["≤", "<="], "≤", 50, false),
    (&["≥", ">="], "≥", 50, false),
    (&["∣"], "∣", 50, false),
    (&["∈"], "∈", 50, false),
    (&["⊆"], "⊆", 50, false),
    (&["++"], "++", 65, true),
    (&["+"], "+", 65, false),
    (&["-"], "-", 65, false),
    (&["::"], "::", 67, true),
    (&["*"], "*", 70, false),
    (&["/"], "/", 70, false),
    (&["%"], "%", 70, false),
    (&["×"], "×", 35, true),
    (&["^"], "^", 75, true),
    (&["∘"], "∘", 90, true),
];

/// Reads a formula; `is_local` tells the names of the context.
pub(crate) fn read(text: &str, is_local: &dyn Fn(&str) -> bool) -> Tree {
    let tokens: Vec<Token<'_>> = tokens(text).into_iter().filter(|t| !matches!(t, Token::Space(_))).collect();
    let tokens = &tokens[..tokens.len().min(MAX_TOKENS)];
    Reader { tokens, at: 0, depth: 0, bound: Vec::new(), is_local }.expression(0)
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    depth: usize,
    bound: Vec<&'t str>,
    is_local: &'t dyn Fn(&str) -> bool,
}

fn leaf(label: &str) -> Tree {
    Tree { label: label.to_owned(), children: Vec::new() }
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let is_it = self.peek() == Some(Token::Symbol(symbol));
        self.at += usize::from(is_it);
        is_it
    }

    fn expression(&mut self, least: u8) -> Tree {
        if self.depth >= MAX_DEPTH {
            self.at = self.tokens.len();
            return leaf("…");
        }
        self.depth += 1;
        let mut left = self.application();
        while let Some(Token::Symbol(symbol)) = self.peek() {
            let infix = INFIX.iter().find(|(spellings, ..)| spellings.contains(&symbol));
            let Some(&(_, label, precedence, to_the_right)) = infix else { break };
            if precedence < least {
                break;
            }
            self.at += 1;
            let right = self.expression(if to_the_right { precedence } else { precedence + 1 });
            left = Tree { label: label.to_owned(), children: vec![left, right] };
        }
        self.depth -= 1;
        left
    }

    /// A function with its arguments, or a single part.
    fn application(&mut self) -> Tree {
        let mut head = self.part().unwrap_or_else(|| leaf("?"));
        while let Some(argument) = self.part() {
            head.children.push(argument);
        }
        head
    }

    /// A part without spaces, if one begins here.
    fn part(&mut self) -> Option<Tree> {
        match self.peek()? {
            Token::Word(word @ ("fun" | "forall" | "exists")) => {
                self.at += 1;
                let label = match word {
                    "forall" => "∀",
                    "exists" => "∃",
                    _ => "λ",
                };
                Some(self.binder(label))
            }
            Token::Symbol(symbol @ ("∀" | "∃" | "λ")) => {
                self.at += 1;
                Some(self.binder(symbol))
            }
            Token::Symbol("¬" | "~") => {
                self.at += 1;
                Some(Tree { label: "¬".to_owned(), children: vec![self.expression(40)] })
            }
            Token::Symbol(open @ ("(" | "[" | "{" | "⟨")) => {
                self.at += 1;
                let inside = self.bracketed(open);
                Some(self.projected(inside, "", true))
            }
            Token::Word(word) => {
                self.at += 1;
                let known = if self.bound.contains(&word) {
                    Some(BOUND)
                } else {
                    (self.is_local)(word).then_some(LOCAL)
                };
                Some(self.projected(leaf(known.unwrap_or(word)), word, known.is_some()))
            }
            Token::Number(number) => {
                self.at += 1;
                Some(leaf(number))
            }
            Token::Symbol(")" | "]" | "}" | "⟩" | "," | ":" | ":=" | "=>" | ";" | ".") | Token::Space(_) => {
                None
            }
            Token::Symbol(symbol) if INFIX.iter().any(|(spellings, ..)| spellings.contains(&symbol)) => None,
            Token::Symbol(symbol) => {
                self.at += 1;
                Some(leaf(symbol))
            }
        }
    }

    /// What stands behind a name and a period: a longer name, or a function applied to a variable.
    fn projected(&mut self, first: Tree, word: &str, is_variable: bool) -> Tree {
        let (mut tree, mut name) = (first, word.to_owned());
        while let (Some(Token::Symbol(".")), Some(Token::Word(next) | Token::Number(next))) =
            (self.peek(), self.tokens.get(self.at + 1).copied())
        {
            self.at += 2;
            if is_variable {
                tree = Tree { label: next.to_owned(), children: vec![tree] };
            } else {
                name = format!("{name}.{next}");
                tree = leaf(&name);
            }
        }
        tree
    }

    fn binder(&mut self, label: &str) -> Tree {
        let before = self.bound.len();
        let mut names = true;
        while let Some(token) = self.peek() {
            self.at += 1;
            match token {
                Token::Word(name) if names => self.bound.push(name),
                Token::Symbol(":") => names = false,
                Token::Symbol("(") => names = true,
                Token::Symbol("," | "=>" | "↦") => break,
                _ => {}
            }
        }
        let body = self.expression(0);
        self.bound.truncate(before);
        Tree { label: label.to_owned(), children: vec![body] }
    }

    fn bracketed(&mut self, open: &str) -> Tree {
        let mut parts = Vec::new();
        while self.peek().is_some() {
            if self.takes(")") || self.takes("]") || self.takes("}") || self.takes("⟩") {
                break;
            }
            let before = self.at;
            parts.push(self.expression(0));
            // Separators, types, and whatever is not read.
            if !(self.takes(",") || self.takes(";") || self.takes(":")) && self.at == before {
                self.at += 1;
            }
        }
        match (open, parts.len()) {
            ("(", 1) => parts.remove(0),
            _ => Tree { label: open.to_owned(), children: parts },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(tree: &Tree) -> String {
        if tree.children.is_empty() {
            return tree.label.clone();
        }
        let children: Vec<String> = tree.children.iter().map(shown).collect();
        format!("{}({})", tree.label, children.join(","))
    }

    fn of(text: &str) -> String {
        shown(&read(text, &|name| ["p", "q", "xs", "f", "n"].contains(&name)))
    }

    #[test]
    fn lean_and_rocq_read_alike() {
        assert_eq!(of("p ∧ q → ¬ p ∨ q"), "→(∧(•,•),∨(¬(•),•))");
        assert_eq!(of("p /\\ q -> ~ p \\/ q"), of("p ∧ q → ¬ p ∨ q"));
        assert_eq!(of("∀ x y : Nat, f x = y"), "∀(=(•(◦),◦))");
        assert_eq!(of("forall x y : nat, f x = y"), of("∀ x y : Nat, f x = y"));
    }

    #[test]
    fn functions_lists_and_projections() {
        assert_eq!(of("(xs ++ []).length = xs.length + n"), "=(length(++(•,[)),+(length(•),•))");
        assert_eq!(of("List.map f (n :: xs)"), "List.map(•,::(•,•))");
        assert_eq!(of("2 * n ≤ 3"), "≤(*(2,•),3)");
    }

    proptest! {
        #[test]
        fn nothing_is_an_error(text in "[a-c∀∃¬→=(){}\\[\\]⟨⟩,.:+* ]{0,80}") {
            read(&text, &|name| name == "a");
        }
    }

    #[test]
    fn deep_formulas_are_cut() {
        for deep in ["(".repeat(100_000), "¬ ".repeat(100_000), "p → ".repeat(100_000)] {
            read(&deep, &|_| false);
        }
    }
}
