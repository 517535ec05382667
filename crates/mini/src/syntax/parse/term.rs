//! Terms.

use super::super::ast::{Argument, Binders, Expr, ExprKind, Grouping, Name, Operator, Span, Universe};
use super::super::tactic::{Tactic, TacticKind};
use super::super::token::Token;
use super::{Parser, Result};

/// The precedence of `→`.
const ARROW: u32 = 25;

/// The precedence of the operand of `¬`.
const NEGATED: u32 = 40;

impl Parser {
    /// A term whose operators bind at least as strongly as `least`.
    pub(super) fn term(&mut self, least: u32) -> Result<Expr> {
        self.nested(|parser| parser.operations(least))
    }

    fn operations(&mut self, least: u32) -> Result<Expr> {
        let start = self.here().start;
        let mut left = self.prefix(least, start)?;
        // A non-associative operator cannot follow one of the same precedence.
        let mut ungrouped: Option<u32> = None;
        loop {
            let Some(Token::Symbol(symbol)) = self.peek() else { return Ok(left) };
            if *symbol == "→" {
                if least > ARROW {
                    return Ok(left);
                }
                self.at += 1;
                let right = self.term(ARROW)?;
                left = self.make(ExprKind::Arrow(Box::new(left), Box::new(right)), start)?;
                continue;
            }
            if matches!(*symbol, "<|" | "|>") {
                return self.fail(format!("unsupported: `{symbol}`"));
            }
            let Some(operator) = Operator::of_symbol(symbol) else {
                return Ok(left);
            };
            let precedence = operator.precedence();
            if precedence < least {
                return Ok(left);
            }
            if ungrouped == Some(precedence) {
                return self.fail(format!("`{symbol}` does not chain; use parentheses"));
            }
            self.at += 1;
            let right = match operator.grouping() {
                Grouping::Right => self.term(precedence)?,
                Grouping::Left | Grouping::None => self.term(precedence + 1)?,
            };
            ungrouped = (operator.grouping() == Grouping::None).then_some(precedence);
            left = self.make(ExprKind::Binary(operator, Box::new(left), Box::new(right)), start)?;
        }
    }

    /// A term up to the first infix operator.
    fn prefix(&mut self, least: u32, start: usize) -> Result<Expr> {
        if self.symbol("¬") {
            let negated = self.term(NEGATED)?;
            return self.make(ExprKind::Not(Box::new(negated)), start);
        }
        if let Some(binding) = self.binding(start)? {
            return Ok(binding);
        }
        if self.typed_binders_ahead() {
            return self.typed(least, start);
        }
        match self.atom()? {
            Some(head) => self.applied(head, start),
            None => self.unexpected("a term"),
        }
    }

    /// A form that extends as far to the right as possible.
    fn binding(&mut self, start: usize) -> Result<Option<Expr>> {
        let Some(Token::Keyword(keyword)) = self.peek() else { return Ok(None) };
        let kind = match *keyword {
            "by" => return self.by().map(Some),
            "fun" => {
                self.at += 1;
                if matches!(self.peek(), Some(Token::Symbol("⟨" | "|"))) {
                    return self.fail("unsupported: patterns after `fun`");
                }
                let binders = self.binders()?;
                self.expect("=>")?;
                ExprKind::Fun(binders, Box::new(self.term(0)?))
            }
            "forall" => return self.quantified(true, start).map(Some),
            "exists" => return self.quantified(false, start).map(Some),
            "let" => {
                let (name, ty, value) = self.with_own_column(|parser| {
                    parser.at += 1;
                    parser.unless_pattern("let")?;
                    let name = parser.name("a name")?;
                    let (ty, value) = parser.definition()?;
                    Ok((name, ty, value))
                })?;
                ExprKind::Let(name, ty.map(Box::new), Box::new(value), Box::new(self.body()?))
            }
            "have" => {
                let (name, ty, value) = self.with_own_column(|parser| {
                    parser.at += 1;
                    parser.unless_pattern("have")?;
                    let name = parser.variable();
                    let place = parser.here().start;
                    let (ty, value) = parser.definition()?;
                    let ty = match ty {
                        Some(ty) => ty,
                        None => parser.made(Expr::new(ExprKind::Hole, Span { start: place, end: place }))?,
                    };
                    Ok((name, ty, value))
                })?;
                ExprKind::Have(name, Box::new(ty), Box::new(value), Box::new(self.body()?))
            }
            "show" => {
                self.at += 1;
                let ty = self.term(0)?;
                match self.proof()? {
                    Some(proof) => ExprKind::Show(Box::new(ty), Box::new(proof)),
                    None => return self.unexpected("`from` or `by`"),
                }
            }
            _ => return Ok(None),
        };
        self.make(kind, start).map(Some)
    }

    /// The body after `let … := …` and a `;` or a line break.
    fn body(&mut self) -> Result<Expr> {
        if !self.symbol(";") && !self.starts_line() {
            return self.unexpected("`;` or a line break");
        }
        self.term(0)
    }

    fn unless_pattern(&self, word: &str) -> Result<()> {
        match self.peek() {
            Some(Token::Symbol("⟨")) => {
                self.fail(format!("unsupported: a pattern after `{word}` within a term"))
            }
            _ => Ok(()),
        }
    }

    /// `from t` or `by …`.
    pub(super) fn proof(&mut self) -> Result<Option<Expr>> {
        if self.keyword("from") {
            return self.term(0).map(Some);
        }
        if matches!(self.peek(), Some(Token::Keyword("by"))) { self.term(0).map(Some) } else { Ok(None) }
    }

    /// `by tactics`, right of the column of the enclosing tactics.
    fn by(&mut self) -> Result<Expr> {
        let start = self.here().start;
        self.at += 1;
        if self.peek().is_some() && !self.is_inside() {
            return self.fail("expected tactics after `by`, further to the right than those around them");
        }
        let outer = std::mem::take(&mut self.deepest);
        let block = self.sequence()?;
        let expr = Expr::by(block, self.deepest, self.since(start));
        self.deepest = self.deepest.max(outer);
        self.made(expr)
    }

    /// Whether variables with a type come next, in brackets.
    pub(super) fn typed_binders_ahead(&self) -> bool {
        if !matches!(self.peek(), Some(Token::Symbol("(" | "{"))) {
            return false;
        }
        let is_variable = |token: Option<&Token>| match token {
            Some(Token::Ident(name)) => !name.contains('.'),
            token => matches!(token, Some(Token::Symbol("_"))),
        };
        let n = (1..).take_while(|&ahead| is_variable(self.peek_at(ahead))).count();
        n > 0 && matches!(self.peek_at(n + 1), Some(Token::Symbol(":")))
    }

    /// `(x y : T) → t` and `{x : T} → t`; without the arrow, `(f x : T)` is a type ascription, possibly
    /// applied.
    fn typed(&mut self, least: u32, start: usize) -> Result<Expr> {
        let Some(binders) = self.bracketed_binders()? else { return self.unexpected("a variable") };
        if least <= ARROW && self.symbol("→") {
            let body = self.term(ARROW)?;
            return self.make(ExprKind::Pi(Box::new(binders), Box::new(body)), start);
        }
        if binders.implicit {
            return self.unexpected("`→`");
        }
        let head = self.ascription(binders, start)?;
        let head = self.fields(head, start)?;
        self.applied(head, start)
    }

    fn ascription(&mut self, binders: Binders, start: usize) -> Result<Expr> {
        let mut terms = Vec::new();
        for name in binders.names {
            let kind = if &*name == "_" { ExprKind::Hole } else { ExprKind::Ident(name) };
            terms.push(self.make(kind, start)?);
        }
        let arguments: Vec<Argument> = terms.drain(1..).map(Argument::Positional).collect();
        let head = terms.pop().expect("binders have names");
        let term = match arguments.is_empty() {
            true => head,
            false => self.make(ExprKind::App(Box::new(head), arguments), start)?,
        };
        let Some(ty) = binders.ty else { return Ok(term) };
        self.make(ExprKind::Ascription(Box::new(term), Box::new(ty)), start)
    }

    /// A head with the arguments that follow.
    fn applied(&mut self, head: Expr, start: usize) -> Result<Expr> {
        let mut arguments = Vec::new();
        while self.is_inside() {
            if let (Some(Token::Symbol("(")), Some(Token::Ident(name)), Some(Token::Symbol(":="))) =
                (self.peek(), self.peek_at(1), self.peek_at(2))
            {
                let name = Name::clone(name);
                self.at += 3;
                let term = self.with_column(None, |parser| parser.term(0))?;
                self.expect(")")?;
                arguments.push(Argument::Named(name, term));
            } else if let Some(atom) = self.atom()? {
                arguments.push(Argument::Positional(atom));
            } else if let Some(Token::Keyword("fun")) = self.peek() {
                // `f fun x => t`: the last argument needs no parentheses.
                let start = self.here().start;
                arguments.extend(self.binding(start)?.map(Argument::Positional));
                break;
            } else {
                break;
            }
        }
        if arguments.is_empty() {
            return Ok(head);
        }
        self.make(ExprKind::App(Box::new(head), arguments), start)
    }

    /// A term that needs no parentheses as an argument, with its fields.
    pub(super) fn atom(&mut self) -> Result<Option<Expr>> {
        let start = self.here().start;
        let atom = if self.symbol("(") {
            let term = self.with_column(None, Self::parenthesised)?;
            self.made(term.within(self.since(start)))?
        } else if self.keyword("sorry") {
            let span = self.since(start);
            self.made(Expr::by(vec![Tactic { kind: TacticKind::Sorry, span }], 0, span))?
        } else {
            let Some(kind) = self.atom_kind()? else { return Ok(None) };
            self.make(kind, start)?
        };
        self.fields(atom, start).map(Some)
    }

    fn fields(&mut self, mut atom: Expr, start: usize) -> Result<Expr> {
        while let Some(Token::Field(field)) = self.peek() {
            let field = Name::clone(field);
            self.at += 1;
            atom = self.make(ExprKind::Project(Box::new(atom), field), start)?;
        }
        Ok(atom)
    }

    fn atom_kind(&mut self) -> Result<Option<ExprKind>> {
        let Some(token) = self.peek().cloned() else { return Ok(None) };
        let kind = match token {
            Token::Ident(name) => ExprKind::Ident(name),
            Token::Num(n) => ExprKind::Num(n),
            Token::Synthetic(name) => ExprKind::Synthetic(name),
            Token::Symbol("_") => ExprKind::Hole,
            Token::Keyword("Prop") => ExprKind::Sort(Universe::Num(0)),
            Token::Keyword(sort @ ("Type" | "Sort")) => {
                self.at += 1;
                return self.universe(sort == "Type").map(Some);
            }
            Token::Symbol("@") => {
                self.at += 1;
                return self.name("a name").map(|n| Some(ExprKind::Explicit(n)));
            }
            Token::Symbol("⟨") => {
                self.at += 1;
                return self.list("⟩", |parser| parser.term(0)).map(|all| Some(ExprKind::Anonymous(all)));
            }
            Token::Symbol("[") => {
                self.at += 1;
                return self.list("]", |parser| parser.term(0)).map(|all| Some(ExprKind::List(all)));
            }
            Token::Keyword(word @ ("if" | "match" | "do" | "nomatch" | "nofun" | "suffices" | "calc")) => {
                return self.fail(format!("unsupported: `{word}` within a term"));
            }
            Token::Symbol(".") => {
                return self.fail("unsupported: `.` before a name that stands for its type");
            }
            Token::Symbol("·") => return self.fail("unsupported: `·` within a term"),
            Token::Keyword(_) | Token::Symbol(_) | Token::Field(_) | Token::Doc(_) | Token::Unknown(_) => {
                return Ok(None);
            }
        };
        self.at += 1;
        Ok(Some(kind))
    }

    /// The rest after `(`.
    fn parenthesised(&mut self) -> Result<Expr> {
        if self.symbol(")") {
            return self.fail("unsupported: `()`");
        }
        let start = self.here().start;
        let first = self.term(0)?;
        if self.symbol(":") {
            let ty = self.term(0)?;
            self.expect(")")?;
            return self.make(ExprKind::Ascription(Box::new(first), Box::new(ty)), start);
        }
        if self.symbol(",") {
            let mut all = vec![first];
            if self.is_symbol(")") {
                return self.unexpected("a term");
            }
            all.extend(self.list(")", |parser| parser.term(0))?);
            return self.make(ExprKind::Tuple(all), start);
        }
        self.expect(")")?;
        Ok(first)
    }
}
