//! Parses the form that Lean prints with `pp.all` as an expression.
//!
//! Everything is a prefix application then: `@HAdd.hAdd.{0, 0, 0} Nat Nat Nat (@instHAdd.{0} Nat instAddNat) a b`. The
//! operations on numbers, which are overloaded, become constants of their own (`Nat.add a b`), and so do numerals.
//! Universes are left out.

use std::collections::HashSet;

use andor_core::expr::{Expr, ExprBuilder, ExprId, ExprNode, Name};

/// Terms nested deeper than this are left as text.
const MAX_DEPTH: usize = 20_000;

/// The reader is recursive: with less stack than this, it continues on a new segment of this size.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// Overloaded operations: the constant, how many arguments come before its operands (types, then an instance), and the name
/// for numbers of a type. Names with a dot first follow the type.
const OVERLOADED: &[(&str, usize, &str)] = &[
    ("HAdd.hAdd", 4, ".add"),
    ("HSub.hSub", 4, ".sub"),
    ("HMul.hMul", 4, ".mul"),
    ("HDiv.hDiv", 4, ".div"),
    ("HMod.hMod", 4, ".mod"),
    ("HPow.hPow", 4, ".pow"),
    ("LE.le", 2, ".le"),
    ("LT.lt", 2, ".lt"),
    ("GE.ge", 2, "GE.ge"),
    ("GT.gt", 2, "GT.gt"),
    ("Dvd.dvd", 2, "Dvd.dvd"),
    ("Min.min", 2, ".min"),
    ("Max.max", 2, ".max"),
];

/// The types whose operations become constants. Their instances are those of Lean's library, whose names begin like this.
const NUMBERS: &[&str] = &["Nat", "Int"];
const INSTANCES: &[&str] = &["inst", "Nat.inst", "Int.inst", "Monoid.Pow"];

/// Reads a term. `locals` are the names of the goal's context. `None` if the text does not have the expected form, or is
/// nested too deeply.
pub(super) fn parse(text: &str, locals: &HashSet<&str>) -> Option<Expr> {
    let tokens = tokenise(text)?;
    let fuel = 20 * tokens.len();
    let builder = ExprBuilder::new();
    let mut reader = Reader { tokens: &tokens, at: 0, locals, bound: Vec::new(), depth: 0, fuel, builder };
    let (root, _) = reader.term()?;
    (reader.at == tokens.len()).then(|| reader.builder.finish(root))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    /// An identifier or a keyword.
    Word(&'a str),
    /// A number, a string or a character.
    Literal(&'a str),
    /// A metavariable, with its question mark.
    Meta(&'a str),
    Symbol(&'a str),
}

const SYMBOLS: &[&str] = &[
    ":=", "=>", ".{", "→", "∀", "λ", "↦", "@", "(", ")", "{", "}", "⦃", "⦄", "[", "]", ",", ":", ";", ".",
    "+",
];

fn is_word(c: char) -> bool {
    (c.is_alphanumeric() && c != 'λ') || "_'!?✝¹²³⁴⁵⁶⁷⁸⁹⁰₀₁₂₃₄₅₆₇₈₉".contains(c)
}

/// The length of an identifier at the start of a text: parts separated by dots.
fn identifier(text: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let part = if rest.starts_with('«') {
            rest.find('»').map_or(0, |at| at + '»'.len_utf8())
        } else {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        };
        end += part;
        // A number after a dot is a projection.
        let next = text[end..].strip_prefix('.').and_then(|after| after.chars().next());
        match next {
            Some(c) if part > 0 && (c == '«' || (is_word(c) && !c.is_ascii_digit())) => end += 1,
            _ => return end,
        }
    }
}

fn tokenise<'a>(text: &'a str) -> Option<Vec<Token<'a>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (length, token): (usize, fn(&'a str) -> Token<'a>) = if first == '"' {
            (string(rest)?, Token::Literal)
        } else if first.is_ascii_digit() {
            (rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()), Token::Literal)
        } else if first == '?' {
            // The number of a nameless one follows a dot.
            let name = 1 + identifier(&rest[1..]);
            let number = rest[name..].strip_prefix('.').map_or(0, |number| {
                let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                if digits > 0 { digits + 1 } else { 0 }
            });
            (name + number, Token::Meta)
        } else if is_word(first) || first == '«' {
            (identifier(rest), Token::Word)
        } else {
            (SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol))?.len(), Token::Symbol)
        };
        tokens.push(token(&rest[..length]));
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// The length of a string literal at the start of a text.
fn string(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

const KEYWORDS: &[&str] =
    &["fun", "let", "have", "forall", "match", "with", "if", "then", "else", "show", "from", "sorry"];

/// What an instance is made of, as far as it matters: whether all its constants are those of Lean's library.
type IsStandard = bool;

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    locals: &'a HashSet<&'a str>,
    /// Names of the binders around, innermost last.
    bound: Vec<&'a str>,
    depth: usize,
    /// The remaining number of atoms; reading a type again counts too, which bounds the time.
    fuel: usize,
    builder: ExprBuilder,
}

/// A part of an application that was read.
#[derive(Clone, Copy)]
struct Part<'a> {
    id: ExprId,
    /// Its text, if it is a constant or a literal.
    name: Option<&'a str>,
    is_standard: IsStandard,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn symbol(&mut self, symbol: &str) -> Option<()> {
        (self.peek()? == Token::Symbol(symbol)).then(|| self.at += 1)
    }

    /// Reads one level deeper, if that is allowed.
    fn term(&mut self) -> Option<(ExprId, IsStandard)> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, || self.form());
        self.depth -= 1;
        found
    }

    fn form(&mut self) -> Option<(ExprId, IsStandard)> {
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

    fn arrow(&mut self) -> Option<(ExprId, IsStandard)> {
        let (ty, is_standard) = self.application()?;
        if self.symbol("→").is_none() {
            return Some((ty, is_standard));
        }
        self.bound.push("");
        let body = self.term();
        self.bound.pop();
        let body = body?.0;
        Some((self.builder.push(ExprNode::Pi { name: "a".into(), ty, body }), false))
    }

    /// Groups such as `(x y : A)`, `{x : A}`, `[A]`, up to one of `ends`, then a body.
    fn binders(
        &mut self,
        ends: &[&str],
        node: fn(Name, ExprId, ExprId) -> ExprNode,
    ) -> Option<(ExprId, IsStandard)> {
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
                let ty = self.term()?.0;
                binders.push((name, ty));
                self.bound.push(name);
            }
            self.symbol(close)?;
        }
        let body = self.term()?.0;
        self.bound.truncate(outside);
        let body = binders.into_iter().rev().fold(body, |body, (name, ty)| {
            let name = if name.is_empty() { "inst" } else { name };
            self.builder.push(node(name.into(), ty, body))
        });
        Some((body, false))
    }

    /// `let x : T := v; b`, likewise `have`.
    fn local_definition(&mut self) -> Option<(ExprId, IsStandard)> {
        self.at += 1;
        let Some(Token::Word(name)) = self.peek() else { return None };
        self.at += 1;
        if self.symbol(":").is_some() {
            self.term()?;
        }
        self.symbol(":=")?;
        let value = self.term()?.0;
        self.symbol(";")?;
        self.bound.push(name);
        let body = self.term();
        self.bound.pop();
        let body = body?.0;
        Some((self.builder.push(ExprNode::Let { name: name.into(), value, body }), false))
    }

    fn application(&mut self) -> Option<(ExprId, IsStandard)> {
        if let Some(sort) = self.sort()? {
            return Some((sort, false));
        }
        let mut parts = vec![self.atom()?];
        while self.begins_atom() {
            parts.push(self.atom()?);
        }
        // A function, the last argument, without parentheses.
        if matches!(self.peek(), Some(Token::Word("fun") | Token::Symbol("λ"))) {
            let (id, is_standard) = self.term()?;
            parts.push(Part { id, name: None, is_standard });
        }
        let is_standard = parts.iter().all(|part| part.is_standard);
        Some((self.overloaded(&parts).unwrap_or_else(|| self.apply(&parts)), is_standard))
    }

    fn apply(&mut self, parts: &[Part<'a>]) -> ExprId {
        let args: Vec<ExprId> = parts[1..].iter().map(|part| part.id).collect();
        self.builder.app(parts[0].id, &args)
    }

    /// An operation on numbers, or a numeral, with its own constant.
    fn overloaded(&mut self, parts: &[Part<'a>]) -> Option<ExprId> {
        let head = parts[0].name?;
        let ty = parts.get(1)?.name.filter(|ty| NUMBERS.contains(ty))?;
        if head == "OfNat.ofNat" {
            let [_, _, literal, instance] = parts else { return None };
            let digits = literal.name.filter(|text| text.starts_with(|c: char| c.is_ascii_digit()))?;
            // Numbers of other types keep theirs.
            return (ty == "Nat" && instance.is_standard)
                .then(|| self.builder.push(ExprNode::Literal(digits.into())));
        }
        let (_, before, name) = OVERLOADED.iter().find(|(constant, _, _)| *constant == head)?;
        let operands = parts.get(before + 1..)?;
        let (types, instance) = parts[1..=*before].split_at(before - 1);
        // Powers have exponents of another type.
        let same = types.iter().all(|part| part.name == Some(ty))
            || (head == "HPow.hPow" && types[1].name == Some("Nat"));
        if operands.len() != 2 || !same || !instance[0].is_standard {
            return None;
        }
        let name = if name.starts_with('.') { format!("{ty}{name}") } else { (*name).to_owned() };
        let head = self.builder.push(ExprNode::Const(name.into()));
        Some(self.builder.app(head, &[operands[0].id, operands[1].id]))
    }

    fn begins_atom(&self) -> bool {
        match self.peek() {
            Some(Token::Word(word)) => !KEYWORDS.contains(&word),
            Some(Token::Literal(_) | Token::Meta(_) | Token::Symbol("(" | "@")) => true,
            Some(Token::Symbol(_)) | None => false,
        }
    }

    fn atom(&mut self) -> Option<Part<'a>> {
        self.fuel = self.fuel.checked_sub(1)?;
        let mut part = self.primary()?;
        // Projections: `x.1`.
        while self.peek() == Some(Token::Symbol(".")) {
            let Some(Token::Literal(field)) = self.tokens.get(self.at + 1).copied() else { return None };
            self.at += 2;
            let id = self.builder.other(format!("projection {field}"), &[part.id]);
            part = Part { id, name: None, is_standard: false };
        }
        Some(part)
    }

    fn primary(&mut self) -> Option<Part<'a>> {
        let token = self.peek()?;
        self.at += 1;
        let (node, name, is_standard) = match token {
            Token::Symbol("(") => {
                if let Some(Token::Word("nat_lit")) = self.peek() {
                    self.at += 1;
                    let part = self.primary()?;
                    self.symbol(")")?;
                    return Some(part);
                }
                let (id, is_standard) = self.term()?;
                self.symbol(")")?;
                return Some(Part { id, name: None, is_standard });
            }
            Token::Symbol("@") => {
                let Some(Token::Word(word)) = self.peek() else { return None };
                self.at += 1;
                self.skip_universes()?;
                (self.name(word), Some(word), is_instance(word))
            }
            Token::Word("nat_lit") => return self.primary(),
            Token::Word(word) if KEYWORDS.contains(&word) => return None,
            Token::Word(word) => {
                self.skip_universes()?;
                let sort = matches!(word, "Prop" | "Type" | "Sort");
                let node = if sort { ExprNode::Sort(word.into()) } else { self.name(word) };
                (node, Some(word), is_instance(word))
            }
            Token::Literal(text) => (ExprNode::Literal(text.into()), Some(text), true),
            Token::Meta(name) => (ExprNode::Meta(name.into()), None, false),
            Token::Symbol(_) => return None,
        };
        let name = name.filter(|_| matches!(node, ExprNode::Const(_) | ExprNode::Literal(_)));
        let is_standard = is_standard && name.is_some();
        Some(Part { id: self.builder.push(node), name, is_standard })
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
        let level = self.tokens[from..self.at].iter().map(|token| match token {
            Token::Word(text) | Token::Literal(text) | Token::Meta(text) | Token::Symbol(text) => {
                format!(" {text}")
            }
        });
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
        if let Some(index) = self.bound.iter().rev().position(|bound| *bound == word) {
            return ExprNode::Bound(u32::try_from(index).expect("depth is bounded"));
        }
        match self.locals.contains(word) {
            true => ExprNode::Local(word.into()),
            false => ExprNode::Const(word.into()),
        }
    }
}

fn is_instance(name: &str) -> IsStandard {
    NUMBERS.contains(&name) || INSTANCES.iter().any(|start| name.starts_with(start))
}
