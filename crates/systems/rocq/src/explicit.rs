//! Parses Coq's explicit form as an expression.
//!
//! With notations off and implicit arguments and coercions shown, Coq prints
//! `forall (x : nat) (_ : le x 3), @eq nat (Nat.add x 0) x`: prefix applications, binders, literals. Matches,
//! fixpoints and the like are kept as groups of tokens.

use std::collections::HashSet;

use andor_core::expr::{Expr, ExprId, ExprNode, Name};

use andor_env::explicit::{Cursor, Token, all, deeper};
use std::ops::{Deref, DerefMut};

/// A reader of terms of Rocq. Words may have `@` before them, and literals their scope behind them.
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

/// Reads a term. `locals` are the names of the goal's context. `None` if the text does not have the expected
/// form, or nested too deeply.
pub(super) fn parse(text: &str, locals: &HashSet<&str>) -> Option<Expr> {
    let tokens: Vec<Token<'_>> = tokenise(text)?;
    all(&tokens, locals, Reader::term)
}

/// The metavariables that an explicit form mentions, sorted, each with its question mark.
pub(super) fn metavariables(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text
        .match_indices('?')
        .filter_map(|(at, _)| {
            let rest = &text[at + 1..];
            let end = rest.find(|c: char| !is_word(c) || c == '.').unwrap_or(rest.len());
            rest.starts_with(|c: char| c.is_alphabetic() || c == '_')
                .then(|| text[at..at + 1 + end].to_owned())
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '.')
}

fn tokenise(text: &str) -> Option<Vec<Token<'_>>> {
    const SYMBOLS: &[&str] =
        &["=>", ":=", "{|", "|}", "@{", "(", ")", "{", "}", ",", ":", "|", ";", "&", "'", "[", "]"];
    let begins_name = |c: char| c.is_alphabetic() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let after_first = &rest[first.len_utf8()..];
        // The end of a token that continues after its first character while `more` holds.
        let end_of = |more: &dyn Fn(char) -> bool| {
            first.len_utf8() + after_first.find(|c| !more(c)).unwrap_or(after_first.len())
        };
        let with_scope = |end: usize| match rest[end..].strip_prefix('%') {
            Some(scope) => end + 1 + scope.find(|c| !is_word(c)).unwrap_or(scope.len()),
            None => end,
        };
        let negative = first == '-' && after_first.starts_with(|c: char| c.is_ascii_digit());
        let token = if first == '"' {
            Token::Literal(&rest[..with_scope(after_first.find('"')? + 2)])
        } else if first.is_ascii_digit() || negative {
            Token::Literal(&rest[..with_scope(end_of(&is_word))])
        } else if first == '?' && after_first.starts_with(begins_name) {
            Token::Meta(&rest[..end_of(&|c| is_word(c) && c != '.')])
        } else if is_word(first) || (first == '@' && after_first.starts_with(is_word)) {
            Token::Word(&rest[..end_of(&is_word)])
        } else {
            let symbol = SYMBOLS.iter().find(|s| rest.starts_with(**s))?;
            Token::Symbol(&rest[..symbol.len()])
        };
        tokens.push(token);
        rest = rest[token.text().len()..].trim_start();
    }
    Some(tokens)
}

const KEYWORDS: &[&str] = &[
    "forall", "fun", "let", "in", "match", "with", "end", "if", "then", "else", "fix", "cofix", "return",
    "as", "for", "where", "struct",
];

impl<'a> Reader<'a> {
    fn term(&mut self) -> Option<ExprId> {
        deeper(self, |reader| match reader.peek()? {
            Token::Word("forall") => reader.binder(",", |name, ty, body| ExprNode::Pi { name, ty, body }),
            Token::Word("fun") => reader.binder("=>", |name, ty, body| ExprNode::Lambda { name, ty, body }),
            Token::Word("let") => reader.let_in(),
            Token::Word("if") => reader.if_then_else(),
            Token::Word("fix" | "cofix") => reader.soup("fix", None),
            _ => reader.application(),
        })
    }

    fn application(&mut self) -> Option<ExprId> {
        let head = self.atom()?;
        let mut args = Vec::new();
        while self.begins_atom() {
            args.push(self.atom()?);
        }
        Some(self.builder.app(head, &args))
    }

    fn begins_atom(&self) -> bool {
        match self.peek() {
            Some(Token::Word(word)) => word == "match" || !KEYWORDS.contains(&word),
            Some(Token::Literal(_) | Token::Meta(_) | Token::Symbol("(" | "{|")) => true,
            Some(Token::Symbol(_)) | None => false,
        }
    }

    fn atom(&mut self) -> Option<ExprId> {
        self.burn()?;
        let token = self.peek()?;
        match token {
            Token::Word("match") => return self.nested("match", Some("end")),
            Token::Symbol("(") => {
                self.at += 1;
                let inner = self.term()?;
                let inner = if self.symbol(":").is_some() {
                    let ty = self.term()?;
                    self.builder.other("cast", &[inner, ty])
                } else {
                    inner
                };
                self.symbol(")")?;
                return Some(inner);
            }
            Token::Symbol("{|") => return self.nested("record", Some("|}")),
            _ => self.at += 1,
        }
        let node = match token {
            Token::Word(word) if KEYWORDS.contains(&word) => return None,
            Token::Word(word) => self.name(word.strip_prefix('@').unwrap_or(word)),
            Token::Literal(text) => ExprNode::Literal(text.into()),
            Token::Meta(name) => {
                if self.symbol("@{").is_some() {
                    self.skip_to("}")?;
                }
                ExprNode::Meta(name.into())
            }
            Token::Symbol(_) => return None,
        };
        Some(self.builder.push(node))
    }

    fn name(&self, word: &str) -> ExprNode {
        if let Some(index) = self.bound(word) {
            return ExprNode::Bound(index);
        }
        match word {
            _ if self.locals.contains(word) => ExprNode::Local(word.into()),
            "Prop" | "Set" | "Type" | "SProp" => ExprNode::Sort(word.into()),
            _ => ExprNode::Const(word.into()),
        }
    }

    /// `forall (x y : T) (_ : U), body` or `forall x : T, body`, likewise `fun`.
    fn binder(&mut self, end: &str, node: fn(Name, ExprId, ExprId) -> ExprNode) -> Option<ExprId> {
        self.at += 1;
        let outside = self.bound.len();
        // Names and types, outermost first; a type shared by several names is read again under each.
        let mut binders: Vec<(&'a str, ExprId)> = Vec::new();
        while self.symbol(end).is_none() {
            let in_parentheses = self.symbol("(").is_some();
            let mut names = Vec::new();
            while let Some(Token::Word(name)) = self.peek() {
                names.push(name);
                self.at += 1;
            }
            self.symbol(":")?;
            let type_at = self.at;
            for name in names {
                self.at = type_at;
                let ty = self.term()?;
                binders.push((name, ty));
                self.bound.push(name);
            }
            if in_parentheses {
                self.symbol(")")?;
            }
        }
        let mut body = self.term()?;
        self.bound.truncate(outside);
        for (name, ty) in binders.into_iter().rev() {
            body = self.builder.push(node(name.into(), ty, body));
        }
        Some(body)
    }

    /// `let x := a in b`, `let x : T := a in b`, `let (x, y) := a in b`.
    fn let_in(&mut self) -> Option<ExprId> {
        self.at += 1;
        let outside = self.bound.len();
        let mut names = Vec::new();
        let tuple = self.symbol("(").is_some();
        loop {
            match self.peek()? {
                Token::Word(name) if !KEYWORDS.contains(&name) => names.push(name),
                Token::Symbol(",") if tuple => {}
                Token::Symbol(")") if tuple => {}
                _ => break,
            }
            self.at += 1;
        }
        if self.symbol(":").is_some() {
            self.term()?;
        }
        self.symbol(":=")?;
        let value = self.term()?;
        self.word("in")?;
        self.bound.extend(&names);
        let mut body = self.term()?;
        self.bound.truncate(outside);
        if !tuple {
            return Some(self.builder.push(ExprNode::Let {
                name: names.first().copied()?.into(),
                value,
                body,
            }));
        }
        for name in names.iter().rev() {
            let ty = self.builder.push(ExprNode::Sort("_".into()));
            body = self.builder.push(ExprNode::Lambda { name: (*name).into(), ty, body });
        }
        Some(self.builder.other("let-tuple", &[value, body]))
    }

    fn if_then_else(&mut self) -> Option<ExprId> {
        self.at += 1;
        let condition = self.term()?;
        self.word("then")?;
        let yes = self.term()?;
        self.word("else")?;
        let no = self.term()?;
        Some(self.builder.other("if", &[condition, yes, no]))
    }

    /// A form kept as its tokens, up to `end`, or to the enclosing closing bracket. Text in
    /// brackets inside is read as terms.
    fn soup(&mut self, tag: &str, end: Option<&str>) -> Option<ExprId> {
        let mut parts = Vec::new();
        self.at += 1;
        while let Some(token) = self.peek() {
            match token {
                Token::Word(word) if Some(word) == end => break,
                Token::Symbol(symbol) if Some(symbol) == end => break,
                Token::Symbol(")" | "}" | "|}" | "]") if end.is_none() => break,
                _ => {}
            }
            let part = match token {
                Token::Word("match") => self.nested("match", Some("end"))?,
                Token::Word(word) if !KEYWORDS.contains(&word) => self.atom()?,
                Token::Literal(_) | Token::Meta(_) => self.atom()?,
                Token::Symbol("(") => self.group()?,
                Token::Word(text) | Token::Symbol(text) => {
                    self.at += 1;
                    self.builder.push(ExprNode::Literal(text.into()))
                }
            };
            parts.push(part);
        }
        if end.is_some() {
            self.peek()?;
            self.at += 1;
        }
        Some(self.builder.other(tag, &parts))
    }

    /// A bracket inside such a form: a term or, for patterns and binders, its tokens.
    fn group(&mut self) -> Option<ExprId> {
        let start = self.at;
        let (depth, n_bound) = (self.depth, self.bound.len());
        if let Some(term) = self.atom() {
            return Some(term);
        }
        (self.at, self.depth) = (start, depth);
        self.bound.truncate(n_bound);
        let group = self.nested("group", None)?;
        self.symbol(")")?;
        Some(group)
    }

    fn nested(&mut self, tag: &str, end: Option<&str>) -> Option<ExprId> {
        deeper(self, |reader| reader.soup(tag, end))
    }

    fn skip_to(&mut self, symbol: &str) -> Option<()> {
        while self.peek()? != Token::Symbol(symbol) {
            self.at += 1;
        }
        self.at += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use andor_env::explicit::shown;

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "[(){}|@?:=>,.%\"δ∀ a-c0-2-]{0,40}|\\PC{0,30}") {
            let _ = parse(&text, &HashSet::new());
            let _ = metavariables(&text);
        }
    }

    fn check(text: &str, expected: &str) {
        let locals = HashSet::from(["n", "m", "f", "x"]);
        let expr = parse(text, &locals).unwrap_or_else(|| panic!("cannot read {text}"));
        assert_eq!(shown(&expr, expr.root()), expected);
    }

    #[test]
    fn what_coq_prints_is_read() {
        check("@eq nat (Init.Nat.add n 0) n", "(eq nat (Init.Nat.add 'n 0) 'n)");
        check("forall (z : nat) (_ : @eq nat z n), le z 3%Z", "(Π nat (Π (eq nat #0 'n) (le #1 3%Z)))");
        check("forall _ : nat, nat", "(Π nat nat)");
        check("fun δ : ℕ => f₁ δ x", "(λ ℕ (f₁ #0 'x))");
        check("forall x y : f n, P x y", "(Π ('f 'n) (Π ('f 'n) (P #1 #0)))");
    }

    #[test]
    fn binders_shadow_the_context() {
        check("fun n : nat => f n m", "(λ nat ('f #0 'm))");
        check("fun (a : nat) (b : P a) => Q a b", "(λ nat (λ (P #0) (Q #1 #0)))");
        check("forall (a : nat) (b c : P a), Q a b c", "(Π nat (Π (P #0) (Π (P #1) (Q #2 #1 #0))))");
    }

    #[test]
    fn other_forms_are_kept() {
        check("let z := 3 in f z", "(let 3 ('f #0))");
        check("let (a, _) := n in f a", "<let-tuple 'n (λ _ (λ _ ('f #1)))>");
        check("if Nat.eqb 1 2 then True else False", "<if (Nat.eqb 1 2) True False>");
        check("match n with | 0 => m | S k => k end", "<match 'n with | 0 => 'm | S k => k>");
        check(
            "f match n with | O => match m with | O => 1 | S _ => 2 end | S _ => 3 end",
            "('f <match 'n with | O => <match 'm with | O => 1 | S _ => 2> | S _ => 3>)",
        );
        check(
            "(fix g (k : nat) : nat := match k with | 0 => 0 | S j => S (g j) end) 3",
            "(<fix g <cast k nat> : nat := <match k with | 0 => 0 | S j => S (g j)>> 3)",
        );
        check("P ?x ?Goal0@{n:=m; a:=f n} \"a b\"%string (-5)", "(P ?x ?Goal0 \"a b\"%string -5)");
        check("{| Qnum := 1; Qden := 2 |}", "<record Qnum := 1 ; Qden := 2>");
        check("(n : nat)", "<cast 'n nat>");
        check("@eq Type (forall _ : nat, Set) Prop", "(eq Type (Π nat Set) Prop)");
    }

    #[test]
    fn what_is_no_term_is_refused() {
        for text in
            ["", "(", "∀", "δ ⊢", "?δ@{", "f (n", "forall", "forall A, P", "fun x", ")", "n +", "let", "?"]
        {
            assert!(parse(text, &HashSet::new()).is_none(), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded_and_no_stack_overflows() {
        let nested = |n: usize| format!("{}x{}", "S (".repeat(n), ")".repeat(n));
        assert!(parse(&nested(10_000), &HashSet::new()).is_some());
        assert!(parse(&nested(100_000), &HashSet::new()).is_none());
    }

    #[test]
    fn metavariables_are_found() {
        assert_eq!(metavariables("P ?y ?x@{a:=?z} ?x \"?\" ? 3"), ["?x", "?y", "?z"]);
    }
}
