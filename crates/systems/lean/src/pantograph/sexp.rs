//! Reads expressions as Pantograph writes them: `((:c Eq) (:c Nat) (:fv _uniq.3) 0)`.

use std::collections::HashMap;

use andor_core::expr::{Expr, ExprBuilder, ExprId, ExprNode};

use crate::explicit::{INSTANCES, NUMBERS, OVERLOADED};

/// A part of a list that is being read.
enum Item {
    /// A node, and its text if it is a constant or a literal.
    Node(ExprId, Option<String>),
    /// Parts of one of these kinds only: types of numbers, their standard instances, literals.
    Standard(ExprId, Option<String>),
    Word(String),
}

impl Item {
    fn new(id: ExprId, name: Option<String>, is_standard: bool) -> Self {
        if is_standard { Self::Standard(id, name) } else { Self::Node(id, name) }
    }
}

/// Reads an expression. `locals` are the names of hypotheses by those of their variables. `None` if the text does not have the
/// expected form.
///
/// Lists that are not closed yet are on a stack, so terms may be nested deeply.
pub(super) fn read(text: &str, locals: &HashMap<&str, &str>) -> Option<Expr> {
    let mut builder = ExprBuilder::new();
    let mut open: Vec<Vec<Item>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '(' => {
                open.push(Vec::new());
                1
            }
            ')' => {
                let item = form(open.pop()?, &mut builder, locals)?;
                open.last_mut()?.push(item);
                1
            }
            '"' => {
                let end = end_of_string(rest)?;
                open.last_mut()?.push(Item::Word(rest[..end].to_owned()));
                end
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
                let end = end.unwrap_or(rest.len());
                open.last_mut()?.push(Item::Word(rest[..end].to_owned()));
                end
            }
        };
        rest = rest[end..].trim_start();
    }
    let whole = open.pop().filter(|_| open.is_empty())?;
    let [only] = <[Item; 1]>::try_from(whole).ok()?;
    let root = node(only, &mut builder)?;
    Some(builder.finish(root))
}

/// The length of the string that a text begins with, including its quotes.
fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A list that has been read.
fn form(items: Vec<Item>, out: &mut ExprBuilder, locals: &HashMap<&str, &str>) -> Option<Item> {
    let head = match items.first()? {
        Item::Word(word) if word.starts_with(':') || word == "+" => word.clone(),
        _ => {
            return application(items, out);
        }
    };
    let mut items = items.into_iter().skip(1);
    let mut word = || match items.next()? {
        Item::Word(word) => Some(word),
        Item::Node(..) | Item::Standard(..) => None,
    };
    let made = match head.as_str() {
        ":fv" => {
            let name = word()?;
            out.push(ExprNode::Local(locals.get(&*name).map_or(&*name, |local| local).into()))
        }
        ":mv" | ":mvd" => out.push(ExprNode::Meta(format!("?{}", word()?).into())),
        ":c" => {
            let name = word()?.trim_matches('"').to_owned();
            let id = out.push(ExprNode::Const(name.as_str().into()));
            let is_standard = is_instance(&name);
            return Some(Item::new(id, Some(name), is_standard));
        }
        ":lit" => {
            let text = word()?;
            let id = out.push(ExprNode::Literal(text.as_str().into()));
            return Some(Item::Standard(id, Some(text)));
        }
        ":sort" => out.push(ExprNode::Sort(sort(&word()?).into())),
        "+" | ":max" | ":imax" => {
            let parts: Option<Vec<String>> = std::iter::repeat_with(word).take(2).collect();
            return Some(Item::Word(format!("({head} {})", parts?.join(" "))));
        }
        ":lambda" | ":forall" | ":let" => {
            let name = word()?.into();
            let ty = node(items.next()?, out)?;
            match head.as_str() {
                ":let" => {
                    let (value, body) = (node(items.next()?, out)?, node(items.next()?, out)?);
                    out.push(ExprNode::Let { name, value, body })
                }
                _ => {
                    let body = node(items.next()?, out)?;
                    out.push(match head.as_str() {
                        ":lambda" => ExprNode::Lambda { name, ty, body },
                        _ => ExprNode::Pi { name, ty, body },
                    })
                }
            }
        }
        ":subst" => {
            let parts = items.map(|item| node(item, out)).collect::<Option<Vec<_>>>()?;
            out.other("subst", &parts)
        }
        ":proj" => {
            let tag = format!("proj {} {}", word()?, word()?);
            let of = node(items.next()?, out)?;
            out.other(tag, &[of])
        }
        _ => return None,
    };
    Some(Item::Node(made, None))
}

/// A part of an application.
struct Part {
    id: ExprId,
    /// Its text, if it is a constant or a literal.
    name: Option<String>,
    is_standard: bool,
}

/// An application. Operations on numbers and numerals become constants of their own, as in what Lean prints.
fn application(items: Vec<Item>, out: &mut ExprBuilder) -> Option<Item> {
    let mut parts: Vec<Part> = Vec::with_capacity(items.len());
    for item in items {
        parts.push(match item {
            Item::Node(id, name) => Part { id, name, is_standard: false },
            Item::Standard(id, name) => Part { id, name, is_standard: true },
            word @ Item::Word(_) => Part { id: node(word, out)?, name: None, is_standard: false },
        });
    }
    let args: Vec<ExprId> = parts[1..].iter().map(|part| part.id).collect();
    let id = overloaded(&parts, out).unwrap_or_else(|| out.app(parts[0].id, &args));
    Some(Item::new(id, None, parts.iter().all(|part| part.is_standard)))
}

/// An operation on numbers, or a numeral: types, a standard instance, operands.
fn overloaded(parts: &[Part], out: &mut ExprBuilder) -> Option<ExprId> {
    let names: Vec<Option<&str>> = parts.iter().map(|part| part.name.as_deref()).collect();
    let ty = names.get(1).copied().flatten().filter(|ty| NUMBERS.contains(ty))?;
    if let [Some("OfNat.ofNat"), _, Some(digits), _] = names[..] {
        // Numbers of other types keep theirs.
        let is_numeral =
            ty == "Nat" && parts[3].is_standard && digits.starts_with(|c: char| c.is_ascii_digit());
        return is_numeral.then(|| out.push(ExprNode::Literal(digits.into())));
    }
    let (constant, types, name) = OVERLOADED.iter().find(|(constant, _, _)| Some(*constant) == names[0])?;
    let is_type = |at: usize| {
        // The exponent of a power may have another type.
        let expected = if *constant == "HPow.hPow" && at == 1 { "Nat" } else { ty };
        names[1 + at] == Some(expected)
    };
    if parts.len() != types + 4 || !(0..*types).all(is_type) || !parts[types + 1].is_standard {
        return None;
    }
    let name = if name.starts_with('.') { format!("{ty}{name}") } else { (*name).to_owned() };
    let head = out.push(ExprNode::Const(name.into()));
    Some(out.app(head, &[parts[types + 2].id, parts[types + 3].id]))
}

/// Whether a constant is a type of numbers or a standard instance for it.
fn is_instance(name: &str) -> bool {
    NUMBERS.contains(&name) || INSTANCES.iter().any(|start| name.starts_with(start))
}

/// A part as a node: alone, a number is a bound variable, and `_` an argument that was left out.
fn node(item: Item, out: &mut ExprBuilder) -> Option<ExprId> {
    match item {
        Item::Node(id, _) | Item::Standard(id, _) => Some(id),
        Item::Word(word) if word == "_" => Some(out.other("_", &[])),
        Item::Word(word) => Some(out.push(ExprNode::Bound(word.parse().ok()?))),
    }
}

/// A universe as Lean prints it, where the level is a number.
fn sort(level: &str) -> String {
    match level.parse::<u32>() {
        Ok(0) => "Prop".to_owned(),
        Ok(1) => "Type".to_owned(),
        Ok(n) => format!("Type {}", n - 1),
        Err(_) => format!("Sort {level}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(expr: &Expr) -> Vec<String> {
        expr.nodes().iter().map(|node| format!("{node:?}").chars().take(30).collect()).collect()
    }

    #[test]
    fn a_recorded_expression_is_read() {
        let text = "(:forall n (:c Nat) ((:c Eq) (:c Nat) ((:c HAdd.hAdd) (:c Nat) (:c Nat) (:c Nat) ((:c instHAdd) (:c Nat) (:c instAddNat)) 0 ((:c OfNat.ofNat) (:c Nat) (:lit 1) ((:c instOfNatNat) (:lit 1)))) ((:c Nat.succ) 0)))";
        let expr = read(text, &HashMap::new()).unwrap();
        let ExprNode::Pi { body, .. } = expr.node(expr.root()) else { panic!("{:?}", shape(&expr)) };
        let [_, sum, successor] = expr.app_of::<3>(*body, "Eq").unwrap();
        let [_, one] = expr.app_of::<2>(sum, "Nat.add").unwrap();
        assert_eq!(*expr.node(one), ExprNode::Literal("1".into()));
        let [bound] = expr.app_of::<1>(successor, "Nat.succ").unwrap();
        assert_eq!(*expr.node(bound), ExprNode::Bound(0));
    }

    #[test]
    fn every_form_is_read() {
        let locals = HashMap::from([("_uniq.3", "h")]);
        for (text, last) in [
            ("(:fv _uniq.3)", "Local(\"h\")"),
            ("(:mvd _uniq.4)", "Meta(\"?_uniq.4\")"),
            ("(:c \"«a b».c\")", "Const(\"«a b».c\")"),
            ("(:lit \"a (\\\" b\")", "Literal(\"\\\"a (\\\\\\\" b\\\"\")"),
            ("(:sort 0)", "Sort(\"Prop\")"),
            ("(:sort (:max (+ u 1) v))", "Sort(\"Sort (:max (+ u 1) v)\")"),
            ("(:lambda x (:sort 1) 0 :i)", "Lambda"),
            ("(:let x (:c A) (:c a) 0)", "Let"),
            ("((:subst (:mv _uniq.1) 0) (:c a) _)", "App"),
            ("(:proj Prod 1 (:c a))", "Other"),
            ("7", "Bound(7)"),
        ] {
            let expr = read(text, &locals).unwrap_or_else(|| panic!("{text}"));
            let root = format!("{:?}", expr.node(expr.root()));
            assert!(root.starts_with(last), "{text}: {root}");
        }
        for text in ["", "(", ")", "(:c)", "(:new 1)", "a", "(:c a) (:c b)", "(:lit \"a)", "()"] {
            assert!(read(text, &locals).is_none(), "{text}");
        }
    }

    #[test]
    fn a_deep_term_is_read() {
        let depth = 200_000;
        let text = "((:c f) ".repeat(depth) + "(:c a)" + &")".repeat(depth);
        assert!(read(&text, &HashMap::new()).is_some());
    }
}
