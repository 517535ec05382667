//! Commands.

use super::super::ast::{Binders, Expr, Name};
use super::super::tactic::{Attribute, Command, CommandKind};
use super::super::token::{COMMANDS, Documented, SyntaxError, Token};
use super::{Parser, Result, describe};

/// A constructor: its name, what comes before the colon, and after.
type Constructor = (Name, Vec<Binders>, Option<Expr>);

/// Commands that declare nothing, so that no comment documents them.
const DOCUMENT_NOTHING: &[&str] = &[
    "attribute",
    "import",
    "open",
    "export",
    "namespace",
    "section",
    "end",
    "mutual",
    "variable",
    "universe",
    "set_option",
];

impl Parser {
    /// Commands up to the end.
    pub(super) fn commands(&mut self) -> Result<Vec<Command>> {
        let mut commands = Vec::new();
        while self.peek().is_some() {
            let start = self.here().start;
            if self.documents(Documented::File) {
                continue;
            }
            let kind = self.command()?;
            commands.push(Command { kind, span: self.since(start) });
        }
        Ok(commands)
    }

    /// Reads a comment that documents this.
    pub(super) fn documents(&mut self, what: Documented) -> bool {
        let found = self.peek() == Some(&Token::Doc(what));
        self.at += usize::from(found);
        found
    }

    fn command(&mut self) -> Result<CommandKind> {
        if self.documents(Documented::Declaration) && !self.declaration_ahead() {
            self.at -= 1;
            return self.fail("this comment documents no declaration; begin it with `/-`");
        }
        if self.keyword("attribute") {
            self.expect("[")?;
            let attributes = self.attributes()?;
            return Ok(CommandKind::Attribute(attributes, self.names("a name")?));
        }
        let before = self.here();
        let mut attributes = Vec::new();
        while self.symbol("@[") {
            attributes.extend(self.attributes()?);
        }
        while self.keyword("private") || self.keyword("noncomputable") {}
        if self.keyword("protected") {
            return self.fail("unsupported: `protected`; leave it out");
        }
        let start = self.here().start;
        if let Some(statement) = self.statement()? {
            if self.is_symbol("|") {
                return self.fail("unsupported: proofs by patterns");
            }
            self.expect(":=")?;
            let proof = self.term(0)?;
            return Ok(CommandKind::Theorem { statement, proof, attributes });
        }
        let word = match self.peek() {
            Some(Token::Keyword(word)) => *word,
            Some(Token::Symbol("#")) => {
                return match self.peek_at(1) {
                    Some(Token::Ident(word)) => self.fail(format!("unsupported: `#{word}`")),
                    _ => self.unexpected("a command"),
                };
            }
            Some(Token::Ident(word)) => return self.fail(format!("unknown command `{word}`")),
            _ => return self.unexpected("a command"),
        };
        let kind = match word {
            "def" | "abbrev" => {
                self.at += 1;
                if word == "abbrev" {
                    attributes.push(Attribute::Reducible);
                }
                return self.function(attributes);
            }
            "axiom" => {
                self.at += 1;
                let name = self.declared_name("the axiom's name")?;
                CommandKind::Axiom(self.stated(Some(name), start)?)
            }
            "inductive" => {
                self.at += 1;
                self.inductive()?
            }
            word if COMMANDS.contains(&word) => return self.fail(format!("unsupported: `{word}`")),
            _ => return self.unexpected("a command"),
        };
        if !attributes.is_empty() {
            let what = format!("unsupported: attributes of `{word}`");
            return Err(SyntaxError::new(what, before));
        }
        Ok(kind)
    }

    /// Whether a declaration comes next, with its attributes and modifiers.
    fn declaration_ahead(&self) -> bool {
        match self.peek() {
            Some(Token::Keyword(word)) => !DOCUMENT_NOTHING.contains(word) && COMMANDS.contains(word),
            next => matches!(next, Some(Token::Symbol("@["))),
        }
    }

    /// `simp, reducible]`
    fn attributes(&mut self) -> Result<Vec<Attribute>> {
        self.list("]", |parser| match parser.peek() {
            Some(Token::Ident(name)) => {
                let attribute = match &**name {
                    "simp" => Attribute::Simp,
                    "reducible" => Attribute::Reducible,
                    other => return parser.fail(format!("unsupported: the attribute `{other}`")),
                };
                parser.at += 1;
                Ok(attribute)
            }
            Some(token) => parser.fail(format!("unsupported: {} in an attribute", describe(token))),
            None => parser.unexpected("an attribute"),
        })
    }

    /// What follows `def`.
    fn function(&mut self, attributes: Vec<Attribute>) -> Result<CommandKind> {
        let name = self.declared_name("a name")?;
        let binders = self.all_bracketed()?;
        let ty = if self.symbol(":") { Some(self.term(0)?) } else { None };
        if self.is_symbol("|") {
            return self.fail("unsupported: definitions by patterns; use the recursor");
        }
        self.expect(":=")?;
        Ok(CommandKind::Definition { name, binders, ty, value: self.term(0)?, attributes })
    }

    /// What follows `inductive`.
    fn inductive(&mut self) -> Result<CommandKind> {
        let name = self.declared_name("a name")?;
        let params = self.all_bracketed()?;
        let ty = if self.symbol(":") { Some(self.term(0)?) } else { None };
        self.keyword("where");
        let mut constructors = Vec::new();
        while self.constructor_ahead() {
            constructors.push(self.declared_constructor()?);
        }
        if matches!(self.peek(), Some(Token::Keyword("deriving"))) {
            return self.fail("unsupported: `deriving`");
        }
        Ok(CommandKind::Inductive { name, params, ty, constructors })
    }

    /// Reads the bar before a constructor, perhaps behind a comment that documents it.
    fn constructor_ahead(&mut self) -> bool {
        let is_documented = self.documents(Documented::Declaration);
        if self.symbol("|") {
            return true;
        }
        self.at -= usize::from(is_documented);
        false
    }

    fn declared_constructor(&mut self) -> Result<Constructor> {
        self.documents(Documented::Declaration);
        let name = self.name("the name of a constructor")?;
        let binders = self.all_bracketed()?;
        let ty = if self.symbol(":") { Some(self.term(0)?) } else { None };
        Ok((name, binders, ty))
    }
}
