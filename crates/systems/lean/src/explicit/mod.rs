//! Parses the form that Lean prints with `pp.all` as an expression.
//!
//! Everything is a prefix application then: `@HAdd.hAdd.{0, 0, 0} Nat Nat Nat (@instHAdd.{0} Nat instAddNat) a b`. The
//! operations on numbers, which are overloaded, become constants of their own (`Nat.add a b`), and so do numerals.
//! Universes are left out.

mod tokens;

use std::collections::HashSet;

use andor_core::expr::{Expr, ExprId, ExprNode, Name};
use tokens::{KEYWORDS, tokenise};

use andor_env::explicit::{Cursor, Token, all, deeper};
use std::ops::{Deref, DerefMut};

/// A reader of terms of Lean.
struct Reader<'a>(Cursor<'a>);

impl<'a> From<Cursor<'a>> for Reader<'a> {
    fn from(cursor: Cursor<'a>) -> Self {
        Self(cursor)
    }
}

impl<'a> Deref for Reader<'a> {
    type Target = Cursor<'a>;

    fn deref(&self) -> &Cursor<'a> {
        &self.0
    }
}

impl<'a> DerefMut for Reader<'a> {
    fn deref_mut(&mut self) -> &mut Cursor<'a> {
        &mut self.0
    }
}

/// Overloaded operations: the constant, the number of types before the instance and the two operands, and the name for
/// numbers of a type. Names with a dot first follow the type.
pub(super) const OVERLOADED: &[(&str, usize, &str)] = &[
    ("HAdd.hAdd", 3, ".add"),
    ("HSub.hSub", 3, ".sub"),
    ("HMul.hMul", 3, ".mul"),
    ("HDiv.hDiv", 3, ".div"),
    ("HMod.hMod", 3, ".mod"),
    ("HPow.hPow", 3, ".pow"),
    ("LE.le", 1, ".le"),
    ("LT.lt", 1, ".lt"),
    ("GE.ge", 1, "GE.ge"),
    ("GT.gt", 1, "GT.gt"),
    ("Dvd.dvd", 1, "Dvd.dvd"),
    ("Min.min", 1, ".min"),
    ("Max.max", 1, ".max"),
];

/// The types whose operations become constants. Their instances are those of Lean's library, whose names begin like this.
pub(super) const NUMBERS: &[&str] = &["Nat", "Int"];
pub(super) const INSTANCES: &[&str] = &["inst", "Nat.inst", "Int.inst", "Monoid.Pow"];

/// Reads a term. `locals` are the names of the goal's context. `None` if the text does not have the expected form, or is
/// nested too deeply.
pub(super) fn parse(text: &str, locals: &HashSet<&str>) -> Option<Expr> {
    let tokens = tokenise(text)?;
    all(&tokens, locals, Reader::term)
}

impl<'a> Reader<'a> {
    fn term(&mut self) -> Option<ExprId> {
        deeper(self, Self::form)
    }

    fn form(&mut self) -> Option<ExprId> {
        match self.peek()? {
            Token::Symbol("∀") | Token::Word("forall") => {
                self.at += 1;
                self.binders(&[","], |name, ty, body| ExprNode::Pi { name, ty, body })
            }
            Token::Symbol("λ") | Token::Word("fun") => {
                self.at += 1;
                self.binders(&["=>", "↦"], |name, ty, body| ExprNode::Lambda { name, ty, body })
            }
            Token::Word("let" | "have") => self.local_definition(),
            Token::Symbol("{" | "⦃" | "[") => {
                self.binders(&["→"], |name, ty, body| ExprNode::Pi { name, ty, body })
            }
            Token::Symbol("(") if self.begins_binder() => {
                self.binders(&["→"], |name, ty, body| ExprNode::Pi { name, ty, body })
            }
            _ => self.arrow(),
        }
    }

    /// Whether a parenthesis is that of `(x y : A) → B`.
    fn begins_binder(&self) -> bool {
        let names =
            self.tokens[self.at + 1..].iter().take_while(|token| matches!(token, Token::Word(_))).count();
        names > 0 && self.tokens.get(self.at + 1 + names) == Some(&Token::Symbol(":"))
    }

    fn arrow(&mut self) -> Option<ExprId> {
        let ty = self.application()?;
        if self.symbol("→").is_none() {
            return Some(ty);
        }
        self.bound.push("");
        let body = self.term();
        self.bound.pop();
        let body = body?;
        Some(self.builder.push(ExprNode::Pi { name: "a".into(), ty, body }))
    }

    /// Groups such as `(x y : A)`, `{x : A}`, `[A]`, up to one of `ends`, then a body.
    fn binders(&mut self, ends: &[&str], node: fn(Name, ExprId, ExprId) -> ExprNode) -> Option<ExprId> {
        let outside = self.bound.len();
        // Names and types, outermost first; a type shared by several names is read again under each.
        let mut binders: Vec<(&'a str, ExprId)> = Vec::new();
        while !ends.iter().any(|end| self.symbol(end).is_some()) {
            let close = match self.peek()? {
                Token::Symbol("(") => ")",
                Token::Symbol("{") => "}",
                Token::Symbol("⦃") => "⦄",
                Token::Symbol("[") => "]",
                _ => return None,
            };
            let names = match self.begins_binder() {
                true => {
                    let names = self.tokens[self.at + 1..].iter().map_while(|token| match token {
                        Token::Word(name) => Some(*name),
                        _ => None,
                    });
                    names.collect()
                }
                // An instance may have no name.
                false if close == "]" => vec![""],
                false => return None,
            };
            self.at += 1;
            if names != [""] {
                self.at += names.len() + 1;
            }
            let type_at = self.at;
            for name in names {
                self.at = type_at;
                let ty = self.term()?;
                binders.push((name, ty));
                self.bound.push(name);
            }
            self.symbol(close)?;
        }
        let body = self.term()?;
        self.bound.truncate(outside);
        let body = binders.into_iter().rev().fold(body, |body, (name, ty)| {
            let name = if name.is_empty() { "inst" } else { name };
            self.builder.push(node(name.into(), ty, body))
        });
        Some(body)
    }

    /// `let x : T := v; b`, likewise `have`.
    fn local_definition(&mut self) -> Option<ExprId> {
        self.at += 1;
        let Some(Token::Word(name)) = self.peek() else { return None };
        self.at += 1;
        if self.symbol(":").is_some() {
            self.term()?;
        }
        self.symbol(":=")?;
        let value = self.term()?;
        self.symbol(";")?;
        self.bound.push(name);
        let body = self.term();
        self.bound.pop();
        let body = body?;
        Some(self.builder.push(ExprNode::Let { name: name.into(), value, body }))
    }

    fn application(&mut self) -> Option<ExprId> {
        if let Some(sort) = self.sort()? {
            return Some(sort);
        }
        let from = self.at;
        for special in [Self::numeral, Self::operation] {
            if let Some(found) = special(self) {
                return Some(found);
            }
            self.at = from;
        }
        let head = self.atom()?;
        let mut args = Vec::new();
        while self.begins_atom() {
            args.push(self.atom()?);
        }
        // A function, the last argument, without parentheses.
        if matches!(self.peek(), Some(Token::Word("fun") | Token::Symbol("λ"))) {
            args.push(self.term()?);
        }
        Some(self.builder.app(head, &args))
    }

    /// `@OfNat.ofNat Nat (nat_lit 3) instance`. Numbers of other types keep theirs.
    fn numeral(&mut self) -> Option<ExprId> {
        self.constant("OfNat.ofNat")?;
        self.word("Nat")?;
        self.symbol("(")?;
        self.word("nat_lit")?;
        let Some(Token::Literal(digits)) = self.peek() else { return None };
        self.at += 1;
        self.symbol(")")?;
        self.instance()?;
        (!self.begins_atom()).then(|| self.builder.push(ExprNode::Literal(digits.into())))
    }

    /// An operation on numbers: `@HAdd.hAdd Nat Nat Nat instance a b`.
    fn operation(&mut self) -> Option<ExprId> {
        let from = self.at;
        let (constant, types, name) = OVERLOADED.iter().find(|(constant, _, _)| {
            self.at = from;
            self.constant(constant).is_some()
        })?;
        let Some(Token::Word(ty)) = self.peek() else { return None };
        if !NUMBERS.contains(&ty) {
            return None;
        }
        for at in 0..*types {
            // The exponent of a power may have another type.
            let is_exponent = *constant == "HPow.hPow" && at == 1;
            self.word(if is_exponent { "Nat" } else { ty })?;
        }
        self.instance()?;
        // Everything so far is only looked at; now the operands are read. There must be two.
        let operands = self.operands();
        if operands != 2 {
            return None;
        }
        let name = if name.starts_with('.') { format!("{ty}{name}") } else { (*name).to_owned() };
        let head = self.builder.push(ExprNode::Const(name.into()));
        let operands = [self.atom()?, self.atom()?];
        Some(self.builder.app(head, &operands))
    }

    /// The number of arguments that follow, without reading them.
    fn operands(&self) -> usize {
        let (mut count, mut open) = (0, 0_usize);
        for token in &self.tokens[self.at..] {
            match token {
                Token::Symbol("(") => {
                    count += usize::from(open == 0);
                    open += 1;
                }
                Token::Symbol(")") if open == 0 => break,
                Token::Symbol(")") => open -= 1,
                _ if open > 0 => {}
                Token::Word(word) if !KEYWORDS.contains(word) => count += 1,
                Token::Literal(_) | Token::Meta(_) => count += 1,
                // Operands of other forms are left to the general reader.
                Token::Symbol(".{" | "." | "@") => return 0,
                _ => break,
            }
        }
        count
    }

    /// A constant with all its arguments: `@name.{u}`.
    fn constant(&mut self, name: &str) -> Option<()> {
        self.symbol("@")?;
        self.word(name)?;
        self.skip_universes()
    }

    /// An instance of Lean's library, for numbers.
    fn instance(&mut self) -> Option<()> {
        let from = self.at;
        match self.peek()? {
            Token::Symbol("(") => self.skip_group()?,
            _ => self.at += 1,
        }
        let is_standard = |token: &Token<'_>| match token {
            Token::Word(word) => {
                *word == "nat_lit"
                    || NUMBERS.contains(word)
                    || INSTANCES.iter().any(|start| word.starts_with(start))
            }
            _ => true,
        };
        self.tokens[from..self.at].iter().all(is_standard).then_some(())
    }

    fn begins_atom(&self) -> bool {
        match self.peek() {
            Some(Token::Word(word)) => !KEYWORDS.contains(&word),
            Some(Token::Literal(_) | Token::Meta(_) | Token::Symbol("(" | "@")) => true,
            Some(Token::Symbol(_)) | None => false,
        }
    }

    fn atom(&mut self) -> Option<ExprId> {
        self.burn()?;
        let mut id = self.primary()?;
        // Projections: `x.1`.
        while self.peek() == Some(Token::Symbol(".")) {
            let Some(Token::Literal(field)) = self.tokens.get(self.at + 1).copied() else { return None };
            self.at += 2;
            id = self.builder.other(format!("projection {field}"), &[id]);
        }
        Some(id)
    }

    fn primary(&mut self) -> Option<ExprId> {
        let token = self.peek()?;
        self.at += 1;
        let node = match token {
            Token::Symbol("(") => {
                // A number of the kernel: `(nat_lit 3)`.
                let _ = self.word("nat_lit");
                let id = self.term()?;
                self.symbol(")")?;
                return Some(id);
            }
            Token::Symbol("@") => {
                let Some(Token::Word(word)) = self.peek() else { return None };
                self.at += 1;
                self.skip_universes()?;
                self.name(word)
            }
            Token::Word(word) if KEYWORDS.contains(&word) => return None,
            Token::Word(word) => {
                self.skip_universes()?;
                let is_sort = matches!(word, "Prop" | "Type" | "Sort");
                if is_sort { ExprNode::Sort(word.into()) } else { self.name(word) }
            }
            Token::Literal(text) => ExprNode::Literal(text.into()),
            Token::Meta(name) => ExprNode::Meta(name.into()),
            Token::Symbol(_) => return None,
        };
        Some(self.builder.push(node))
    }

    /// `Type`, `Type u`, `Sort (max u v)`: with its universe. The inner `None` is something else.
    fn sort(&mut self) -> Option<Option<ExprId>> {
        let Some(Token::Word(word @ ("Type" | "Sort"))) = self.peek() else { return Some(None) };
        self.at += 1;
        let from = self.at;
        match self.peek() {
            Some(Token::Symbol("(")) => self.skip_group()?,
            Some(Token::Word(level)) if !KEYWORDS.contains(&level) => self.at += 1,
            Some(Token::Literal(_) | Token::Meta(_)) => self.at += 1,
            _ => {}
        }
        let level = self.tokens[from..self.at].iter().map(|token| format!(" {}", token.text()));
        let name = format!("{word}{}", level.collect::<String>());
        Some(Some(self.builder.push(ExprNode::Sort(name.into()))))
    }

    fn skip_group(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                Token::Symbol("(") => open += 1,
                Token::Symbol(")") => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }

    /// `.{u, v}` after a constant.
    fn skip_universes(&mut self) -> Option<()> {
        if self.symbol(".{").is_some() {
            while self.peek()? != Token::Symbol("}") {
                self.at += 1;
            }
            self.at += 1;
        }
        Some(())
    }

    fn name(&self, word: &str) -> ExprNode {
        if let Some(index) = self.bound(word) {
            return ExprNode::Bound(index);
        }
        match self.locals.contains(word) {
            true => ExprNode::Local(word.into()),
            false => ExprNode::Const(word.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_env::explicit::{MAX_DEPTH, shown};

    fn read(text: &str) -> Option<String> {
        let expr = parse(text, &["a", "b", "x✝", "p"].into_iter().collect())?;
        Some(shown(&expr, expr.root()))
    }

    #[test]
    fn terms_are_read() {
        for (text, expected) in [
            ("@Eq.{1} Nat a b", "(Eq Nat 'a 'b)"),
            ("@HAdd.hAdd.{0, 0, 0} Nat Nat Nat (@instHAdd.{0} Nat instAddNat) a b", "(Nat.add 'a 'b)"),
            (
                "@HAdd.hAdd.{0, 0, 0} Nat Nat Nat (@instHAdd.{0} Nat mine) a b",
                "(HAdd.hAdd Nat Nat Nat (instHAdd Nat mine) 'a 'b)",
            ),
            (
                "@LE.le.{0} Nat instLENat a (@OfNat.ofNat.{0} Nat (nat_lit 3) (instOfNatNat (nat_lit 3)))",
                "(Nat.le 'a 3)",
            ),
            ("@Exists.{1} Nat fun (x : Nat) => @Eq.{1} Nat x a", "(Exists Nat (λ Nat (Eq Nat #0 'a)))"),
            ("∀ (x y : Nat) {z : Nat}, p → And p p", "(Π Nat (Π Nat (Π Nat (Π 'p (And 'p 'p)))))"),
            ("(n : Nat) → [Inhabited.{1} Nat] → Type u", "(Π Nat (Π (Inhabited Nat) Type u))"),
            ("let y : Nat := a; @Eq.{1} Nat y x✝", "(let 'a (Eq Nat #0 'x✝))"),
            ("@Eq.{1} Nat (f a).1 ?m.12", "(Eq Nat <projection 1 (f 'a)> ?m.12)"),
            ("Sort (max u (v + 1))", "Sort ( max u ( v + 1 )"),
        ] {
            let found = read(text);
            if text.starts_with("Sort") {
                assert!(found.is_some_and(|found| found.starts_with(expected)), "{text}");
            } else {
                assert_eq!(found.as_deref(), Some(expected), "{text}");
            }
        }
        for text in ["a +", "f ⋯", "fun x", "@", "(a", "match a with | x => x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn nothing_is_left_of_what_was_only_looked_at() {
        let text = "@HMul.hMul.{0, 0, 0} Nat Nat Nat (@instHMul.{0} Nat instMulNat) (f a) b";
        let expr = parse(text, &["a", "b"].into_iter().collect()).unwrap();
        let constants: Vec<&str> = expr.constants().map(|name| &**name).collect();
        assert_eq!(constants, ["Nat.mul", "f"]);
    }

    #[test]
    fn deep_terms_are_read_and_deeper_ones_left_as_text() {
        let nested = |depth: usize| format!("{}a{}", "f (".repeat(depth), ")".repeat(depth));
        assert!(parse(&nested(5_000), &HashSet::new()).is_some());
        assert!(parse(&nested(MAX_DEPTH + 1), &HashSet::new()).is_none());
    }
}
