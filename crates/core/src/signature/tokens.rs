//! Token trees: the approximate structure of terms known only by their text.

use std::collections::HashMap;

use super::Infix;
use crate::expr::{Expr, ExprBuilder, ExprId, ExprNode};

/// Reads a printed term as a tree of tokens, brackets and infix operators.
///
/// `locals` are the names of the goal's context. Names introduced by a binder (`∀ ∃ λ fun forall exists`) are
/// numbered by first appearance. Every text is accepted: an unmatched bracket is an ordinary token.
pub fn token_tree(text: &str, locals: &[&str], infix: &[&[Infix]]) -> Expr {
    let mut reader = Reader {
        builder: ExprBuilder::new(),
        locals,
        infix,
        bound: HashMap::new(),
        n_bound: 0,
        binding: false,
    };
    // Each open bracket, with the items read since.
    let mut stack: Vec<(&str, Vec<Item<'_>>)> = vec![("", Vec::new())];
    for token in Tokens(text) {
        match token {
            "(" | "[" | "{" | "⟨" => stack.push((token, Vec::new())),
            ")" | "]" | "}" | "⟩" if stack.len() > 1 => {
                let (open, items) = stack.pop().expect("just checked");
                let inner = reader.fold(&items);
                // Round brackets only group; other brackets have a meaning.
                let group = if open == "(" { inner } else { reader.builder.other(open, &[inner]) };
                stack.last_mut().expect("the outermost level stays").1.push(Item::Node(group));
            }
            _ => {
                let item = reader.item(token);
                stack.last_mut().expect("the outermost level stays").1.push(item);
            }
        }
    }
    while stack.len() > 1 {
        let (open, items) = stack.pop().expect("just checked");
        let inner = reader.fold(&items);
        let group = reader.builder.other(open, &[inner]);
        stack.last_mut().expect("the outermost level stays").1.push(Item::Node(group));
    }
    let root = reader.fold(&stack.pop().expect("the outermost level stays").1);
    reader.builder.finish(root)
}

#[derive(Clone, Copy)]
enum Item<'a> {
    Node(ExprId),
    Operator(&'a str),
}

struct Reader<'a> {
    builder: ExprBuilder,
    locals: &'a [&'a str],
    infix: &'a [&'a [Infix]],
    bound: HashMap<String, u32>,
    n_bound: u32,
    binding: bool,
}

impl<'a> Reader<'a> {
    fn item(&mut self, token: &'a str) -> Item<'a> {
        match token {
            "∀" | "∃" | "λ" | "fun" | "forall" | "exists" => self.binding = true,
            ":" | "," | "=>" | "↦" => self.binding = false,
            _ => {}
        }
        if self.infix.iter().any(|level| level.iter().any(|i| i.symbol == token)) {
            return Item::Operator(token);
        }
        let is_name = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if self.binding && is_name && !matches!(token, "fun" | "forall" | "exists" | "λ") {
            self.bound.insert(token.to_owned(), self.n_bound);
            self.n_bound += 1;
        }
        let node = if let Some(&number) = self.bound.get(token) {
            ExprNode::Bound(number)
        } else if self.locals.contains(&token) {
            ExprNode::Local(token.into())
        } else if token.starts_with('?') {
            ExprNode::Meta(token.into())
        } else {
            ExprNode::Literal(token.into())
        };
        Item::Node(self.builder.push(node))
    }

    /// Splits a bracket level at its loosest operator, and recursively at tighter ones.
    fn fold(&mut self, items: &[Item<'_>]) -> ExprId {
        self.fold_from(items, 0)
    }

    fn fold_from(&mut self, items: &[Item<'_>], level: usize) -> ExprId {
        let Some(operators) = self.infix.get(level) else {
            let nodes: Vec<ExprId> = items
                .iter()
                .map(|item| match item {
                    Item::Node(id) => *id,
                    Item::Operator(text) => self.builder.push(ExprNode::Literal((*text).into())),
                })
                .collect();
            return match nodes[..] {
                [only] => only,
                _ => self.builder.other("tokens", &nodes),
            };
        };
        let is_split = |item: &Item<'_>| match item {
            Item::Operator(text) => operators.iter().any(|o| o.symbol == *text),
            Item::Node(_) => false,
        };
        // A mixed level such as `a + b - c` keeps its order, because its tag is not a single commutative symbol.
        let symbols: Vec<&str> = items
            .iter()
            .filter(|i| is_split(i))
            .map(|i| match i {
                Item::Operator(text) => *text,
                Item::Node(_) => unreachable!("only operators split"),
            })
            .collect();
        if symbols.is_empty() {
            return self.fold_from(items, level + 1);
        }
        let operands: Vec<ExprId> =
            items.split(is_split).map(|part| self.fold_from(part, level + 1)).collect();
        let uniform = symbols.iter().all(|s| s == &symbols[0]);
        let tag = if uniform { symbols[0].to_owned() } else { symbols.join(" ") };
        self.builder.other(tag, &operands)
    }
}

/// Words, brackets and runs of symbol characters.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let first = text.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '.' | '?' | '!' | '✝');
        let is_single = |c: char| {
            matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '⟨' | '⟩' | ',' | '∀' | '∃' | 'λ' | '¬')
        };
        let end = if is_single(first) {
            first.len_utf8()
        } else if is_word(first) {
            text.find(|c: char| !is_word(c) || c == 'λ').unwrap_or(text.len())
        } else {
            text.find(|c: char| c.is_whitespace() || is_word(c) || is_single(c)).unwrap_or(text.len())
        };
        let (token, rest) = text.split_at(end.max(first.len_utf8()));
        self.0 = rest;
        Some(token)
    }
}
