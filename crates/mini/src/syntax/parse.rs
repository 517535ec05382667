//! Parses terms, tactics and commands, with Lean's precedences and layout.
//!
//! Layout depends on columns, as in Lean: every tactic of a block begins at the column of the block's first token,
//! and an application continues, also on the next line, as long as its arguments are right of that column. Within
//! brackets columns do not matter.

mod binders;
mod command;
mod level;
mod pattern;
mod tactic;
mod term;

use super::ast::{Expr, ExprKind, Name, Span, Statement};
use super::tactic::{Block, Command};
use super::token::{Documented, Located, SyntaxError, Token, tokens};
use crate::budget;
use crate::kernel::term::deeper;

/// Terms and tactics nested deeper than this are refused.
const MAX_DEPTH: u32 = 1000;

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads a term.
pub fn term(text: &str) -> Result<Expr> {
    Parser::new(text)?.all(|parser| parser.term(0))
}

/// Reads a statement: `theorem NAME binders : type` or `example binders : type`, with or without `:= by`,
/// `:= by sorry` or `:= sorry` after it.
pub fn statement(text: &str) -> Result<Statement> {
    Parser::new(text)?.all(|parser| {
        parser.documents(Documented::Declaration);
        let Some(statement) = parser.statement()? else {
            return parser.fail("a statement begins with `theorem NAME` or `example`");
        };
        if parser.symbol(":=") {
            parser.keyword("by");
            parser.keyword("sorry");
        }
        Ok(statement)
    })
}

/// Reads tactics, with `;` or line breaks between them. All begin at the column of the first.
pub fn tactics(text: &str) -> Result<Block> {
    Parser::new(text)?.all(Parser::block)
}

/// Reads the commands of a file.
pub fn commands(text: &str) -> Result<Vec<Command>> {
    let mut parser = Parser::new(text)?;
    parser.in_file = true;
    parser.all(Parser::commands)
}

struct Parser {
    tokens: Vec<Located>,
    at: usize,
    /// The current nesting depth of terms and tactics.
    depth: u32,
    /// The maximum nesting depth of the terms and tactics read since this was last set to 0.
    deepest: u32,
    /// Tokens on further lines must be right of this column; `None` where columns do not matter.
    column: Option<usize>,
    /// Whether the text is a file, in which the first column begins a command.
    in_file: bool,
    /// The end of the last token.
    end: usize,
}

impl Parser {
    fn new(text: &str) -> Result<Self> {
        let tokens = tokens(text)?;
        // Comments may follow.
        let end = tokens.last().map_or(0, |last| last.span.end);
        Ok(Self { tokens, at: 0, depth: 0, deepest: 0, column: None, in_file: false, end })
    }

    /// Reads the whole text with one parser.
    fn all<T>(mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let read = read(&mut self)?;
        if self.peek().is_none() { Ok(read) } else { self.unexpected("the end") }
    }

    fn next(&self) -> Option<&Located> {
        budget::visits(1);
        self.tokens.get(self.at)
    }

    fn peek(&self) -> Option<&Token> {
        self.next().map(|t| &t.token)
    }

    fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).map(|t| &t.token)
    }

    /// The position of the next token.
    fn here(&self) -> Span {
        self.next().map_or(Span { start: self.end, end: self.end }, |t| t.span)
    }

    /// From a position to the last token read.
    fn since(&self, start: usize) -> Span {
        let end = self.at.checked_sub(1).map_or(start, |last| self.tokens[last].span.end);
        Span { start, end: end.max(start) }
    }

    /// Whether the next token may continue the current term: it is right of the block's column.
    fn is_inside(&self) -> bool {
        self.next().is_some_and(|next| self.column.is_none_or(|column| next.column > column))
    }

    /// Whether the next token is the first of its line.
    fn starts_line(&self) -> bool {
        let line = |at: usize| self.tokens.get(at).map(|t| t.line);
        self.at == 0 || line(self.at).is_some_and(|here| line(self.at - 1) < Some(here))
    }

    /// Reads with another block column.
    fn with_column<T>(
        &mut self,
        column: Option<usize>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = std::mem::replace(&mut self.column, column);
        let read = read(self);
        self.column = outer;
        read
    }

    /// Reads with the next token's column as the block column.
    fn with_own_column<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let column = self.next().map(|t| t.column);
        self.with_column(column, read)
    }

    /// Reads one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        budget::step();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("this is nested too deeply");
        }
        let read = deeper(|| read(self));
        self.depth -= 1;
        read
    }

    fn fail<T>(&self, what: impl Into<String>) -> Result<T> {
        Err(SyntaxError::new(what, self.here()))
    }

    fn unexpected<T>(&self, expected: &str) -> Result<T> {
        match self.peek() {
            None => self.fail(format!("unexpected end, expected {expected}")),
            Some(token) => self.fail(format!("unexpected {}, expected {expected}", describe(token))),
        }
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.at += usize::from(found);
        found
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(s)) if *s == symbol)
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Keyword(k)) if *k == keyword);
        self.at += usize::from(found);
        found
    }

    /// A contextual keyword.
    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Ident(w)) if &**w == word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.symbol(symbol) { Ok(()) } else { self.unexpected(&format!("`{symbol}`")) }
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        match self.peek() {
            Some(Token::Ident(name)) => {
                let name = Name::clone(name);
                self.at += 1;
                Ok(name)
            }
            _ => self.unexpected(what),
        }
    }

    /// The name that a command declares.
    fn declared_name(&mut self, what: &str) -> Result<Name> {
        let name = self.name(what)?;
        match (self.peek(), self.peek_at(1)) {
            (Some(Token::Symbol(".")), Some(Token::Symbol("{"))) => self.fail(format!(
                "unsupported: universe parameters of `{name}`; leave `.{{…}}` out: they are the names that the statement mentions"
            )),
            _ => Ok(name),
        }
    }

    /// A bound variable's name, or `_`.
    fn variable(&mut self) -> Option<Name> {
        let name = match self.peek() {
            Some(Token::Ident(name)) if !name.contains('.') => Name::clone(name),
            Some(Token::Symbol("_")) => "_".into(),
            _ => return None,
        };
        self.at += 1;
        Some(name)
    }

    /// Names of variables, any number.
    fn variables(&mut self) -> Vec<Name> {
        std::iter::from_fn(|| if self.is_inside() { self.variable() } else { None }).collect()
    }

    /// Names, at least one.
    fn names(&mut self, what: &str) -> Result<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while let (true, Some(Token::Ident(name))) = (self.is_inside(), self.peek()) {
            names.push(Name::clone(name));
            self.at += 1;
        }
        Ok(names)
    }

    /// A comma-separated list up to a closing bracket; columns do not matter.
    fn list<T>(&mut self, close: &str, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.with_column(None, |parser| {
            let mut all = Vec::new();
            while !parser.symbol(close) {
                all.push(one(parser)?);
                if !parser.symbol(",") && !parser.is_symbol(close) {
                    return parser.unexpected(&format!("`,` or `{close}`"));
                }
            }
            Ok(all)
        })
    }

    /// A nonempty comma-separated list.
    fn series<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.symbol(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn make(&mut self, kind: ExprKind, start: usize) -> Result<Expr> {
        let expr = Expr::new(kind, self.since(start));
        self.made(expr)
    }

    /// Records the depth of a term.
    fn made(&mut self, expr: Expr) -> Result<Expr> {
        if expr.depth() > MAX_DEPTH {
            return Err(SyntaxError::new("the term is nested too deeply", expr.span()));
        }
        self.deepest = self.deepest.max(expr.depth());
        Ok(expr)
    }
}

fn describe(token: &Token) -> String {
    match token {
        Token::Ident(name) => format!("`{name}`"),
        Token::Keyword(word) => format!("`{word}`"),
        Token::Num(n) => format!("`{n}`"),
        Token::Field(name) => format!("`.{name}`"),
        Token::Synthetic(name) => format!("`?{}`", name.as_deref().unwrap_or("_")),
        Token::Symbol(symbol) => format!("`{symbol}`"),
        Token::Doc(_) => "documentation comment".to_owned(),
        Token::Unknown(c) => format!("character `{c}` (U+{:04X})", u32::from(*c)),
    }
}

#[cfg(test)]
mod tests;
