//! Reads expressions as Pantograph writes them: `((:c Eq) (:c Nat) (:fv _uniq.3) 0)`.

use std::collections::HashMap;

use andor_core::expr::{Expr, ExprBuilder, ExprId, ExprNode};

/// A part of a list that is being read.
enum Item {
    Node(ExprId),
    Word(String),
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
            let mut parts = items.into_iter().map(|item| node(item, out)).collect::<Option<Vec<_>>>()?;
            let head = parts.remove(0);
            return Some(Item::Node(out.app(head, &parts)));
        }
    };
    let mut items = items.into_iter().skip(1);
    let mut word = || match items.next()? {
        Item::Word(word) => Some(word),
        Item::Node(_) => None,
    };
    let made = match head.as_str() {
        ":fv" => {
            let name = word()?;
            out.push(ExprNode::Local(locals.get(&*name).map_or(&*name, |local| local).into()))
        }
        ":mv" | ":mvd" => out.push(ExprNode::Meta(format!("?{}", word()?).into())),
        ":c" => out.push(ExprNode::Const(word()?.trim_matches('"').into())),
        ":lit" => out.push(ExprNode::Literal(word()?.into())),
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
    Some(Item::Node(made))
}

/// A part as a node: alone, a number is a bound variable, and `_` an argument that was left out.
fn node(item: Item, out: &mut ExprBuilder) -> Option<ExprId> {
    match item {
        Item::Node(id) => Some(id),
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
        assert!(expr.app_of::<6>(sum, "HAdd.hAdd").is_some());
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
