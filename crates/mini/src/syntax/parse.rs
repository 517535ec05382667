//! Reading terms and statements, with Lean's precedences.

use super::ast::{Argument, Binders, Expr, ExprKind, Grouping, Name, Operator, Span, Statement};
use super::token::{Located, SyntaxError, Token, tokens};

/// Terms nested deeper than this are refused.
const MAX_DEPTH: u32 = 1000;

/// The precedence of `→`.
const ARROW: u32 = 25;

/// The precedence of what `¬` negates.
const NEGATED: u32 = 40;

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads a term.
pub fn term(text: &str) -> Result<Expr> {
    let mut parser = Parser::new(text)?;
    let term = parser.term(0)?;
    parser.end()?;
    Ok(term)
}

/// Reads a statement: `theorem NAME binders : type` or `example binders : type`, with or without `:= by`,
/// `:= by sorry` or `:= sorry` behind it.
pub fn statement(text: &str) -> Result<Statement> {
    let mut parser = Parser::new(text)?;
    let name = if parser.keyword("theorem") || parser.keyword("lemma") {
        Some(parser.name("the theorem's name")?)
    } else if parser.keyword("example") {
        None
    } else {
        return parser.fail("a statement begins with `theorem NAME` or `example`");
    };
    let mut binders = Vec::new();
    while let Some(more) = parser.bracketed_binders()? {
        binders.push(more);
    }
    parser.expect(":")?;
    let ty = parser.term(0)?;
    if parser.symbol(":=") {
        parser.keyword("by");
        if let Some(Token::Ident(word)) = parser.peek()
            && &**word == "sorry"
        {
            parser.at += 1;
        }
    }
    parser.end()?;
    Ok(Statement { name, binders, ty })
}

struct Parser {
    tokens: Vec<Located>,
    at: usize,
    depth: u32,
    /// Where the text ends.
    end: usize,
}

impl Parser {
    fn new(text: &str) -> Result<Self> {
        Ok(Self { tokens: tokens(text)?, at: 0, depth: 0, end: text.len() })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|t| &t.token)
    }

    fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).map(|t| &t.token)
    }

    /// Where the next token stands.
    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(Span { start: self.end, end: self.end }, |t| t.span)
    }

    /// From a place to the last token read.
    fn since(&self, start: usize) -> Span {
        let end = self.at.checked_sub(1).map_or(start, |last| self.tokens[last].span.end);
        Span { start, end }
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

    fn end(&self) -> Result<()> {
        if self.peek().is_none() { Ok(()) } else { self.unexpected("the end") }
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Symbol(s)) if *s == symbol);
        self.at += usize::from(found);
        found
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Keyword(k)) if *k == keyword);
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

    /// A bound variable's name, or `_`.
    fn variable(&mut self) -> Option<Name> {
        match self.peek() {
            Some(Token::Ident(name)) if !name.contains('.') => {
                let name = Name::clone(name);
                self.at += 1;
                Some(name)
            }
            Some(Token::Symbol("_")) => {
                self.at += 1;
                Some("_".into())
            }
            _ => None,
        }
    }

    fn make(&self, kind: ExprKind, start: usize) -> Result<Expr> {
        let expr = Expr::new(kind, self.since(start));
        if expr.depth() > MAX_DEPTH {
            return Err(SyntaxError::new("the term is nested too deeply", expr.span()));
        }
        Ok(expr)
    }

    /// A term whose operators bind at least as strongly as `least`.
    fn term(&mut self, least: u32) -> Result<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("the term is nested too deeply");
        }
        let term = stacker::maybe_grow(128 << 10, 2 << 20, || self.operations(least));
        self.depth -= 1;
        term
    }

    fn operations(&mut self, least: u32) -> Result<Expr> {
        let start = self.here().start;
        let mut left = self.prefix(least, start)?;
        // An operator that does not group cannot follow one of its own strength.
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
            let Some(&operator) = Operator::ALL.iter().find(|o| o.symbol() == *symbol) else {
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

    /// A form that reaches as far to the right as it can.
    fn binding(&mut self, start: usize) -> Result<Option<Expr>> {
        let Some(Token::Keyword(keyword)) = self.peek() else { return Ok(None) };
        let kind = match *keyword {
            "fun" => {
                self.at += 1;
                let binders = self.binders()?;
                self.expect("=>")?;
                ExprKind::Fun(binders, Box::new(self.term(0)?))
            }
            "forall" => {
                self.at += 1;
                let binders = self.binders()?;
                self.expect(",")?;
                ExprKind::Forall(binders, Box::new(self.term(0)?))
            }
            "exists" => {
                self.at += 1;
                let binders = self.binders()?;
                self.expect(",")?;
                ExprKind::Exists(binders, Box::new(self.term(0)?))
            }
            "let" => {
                self.at += 1;
                let name = self.name("a name")?;
                let ty = if self.symbol(":") { Some(Box::new(self.term(0)?)) } else { None };
                self.expect(":=")?;
                let value = self.term(0)?;
                self.expect(";")?;
                ExprKind::Let(name, ty, Box::new(value), Box::new(self.term(0)?))
            }
            "have" => {
                self.at += 1;
                let name = self.variable();
                self.expect(":")?;
                let ty = self.term(0)?;
                self.expect(":=")?;
                let value = self.term(0)?;
                self.expect(";")?;
                ExprKind::Have(name, Box::new(ty), Box::new(value), Box::new(self.term(0)?))
            }
            "show" => {
                self.at += 1;
                let ty = self.term(0)?;
                if !self.keyword("from") {
                    return self.unexpected("`from`");
                }
                ExprKind::Show(Box::new(ty), Box::new(self.term(0)?))
            }
            _ => return Ok(None),
        };
        self.make(kind, start).map(Some)
    }

    /// Whether variables with a type come next, in brackets.
    fn typed_binders_ahead(&self) -> bool {
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

    /// `(x y : T) → t` and `{x : T} → t`; without the arrow, `(f x : T)` is a term with its type, and perhaps
    /// applied.
    fn typed(&mut self, least: u32, start: usize) -> Result<Expr> {
        let Some(binders) = self.bracketed_binders()? else { return self.unexpected("a variable") };
        if least <= ARROW && self.symbol("→") {
            let body = self.term(ARROW)?;
            return self.make(ExprKind::Forall(vec![binders], Box::new(body)), start);
        }
        if binders.implicit {
            return self.unexpected("`→`");
        }
        let head = self.ascription(binders, start)?;
        let head = self.fields(head, start)?;
        self.applied(head, start)
    }

    fn ascription(&self, binders: Binders, start: usize) -> Result<Expr> {
        let variable = |name: Name| {
            let kind = if &*name == "_" { ExprKind::Hole } else { ExprKind::Ident(name) };
            self.make(kind, start)
        };
        let mut terms = binders.names.into_iter().map(variable).collect::<Result<Vec<_>>>()?;
        let arguments: Vec<Argument> = terms.drain(1..).map(Argument::Positional).collect();
        let head = terms.pop().expect("binders have names");
        let term = match arguments.is_empty() {
            true => head,
            false => self.make(ExprKind::App(Box::new(head), arguments), start)?,
        };
        let Some(ty) = binders.ty else { return Ok(term) };
        self.make(ExprKind::Ascription(Box::new(term), Box::new(ty)), start)
    }

    /// Variables bound by one word: brackets, or names with or without a type.
    fn binders(&mut self) -> Result<Vec<Binders>> {
        let mut found = Vec::new();
        loop {
            if let Some(binders) = self.bracketed_binders()? {
                found.push(binders);
            } else if let Some(name) = self.variable() {
                found.push(Binders { names: vec![name], ty: None, implicit: false });
            } else {
                break;
            }
        }
        if found.is_empty() {
            return self.unexpected("a variable");
        }
        if self.symbol(":") {
            let ty = self.term(0)?;
            // `x y : T` gives all of them one type.
            if found.iter().any(|b| b.ty.is_some()) {
                return self.fail("give each variable its type within parentheses");
            }
            let names = found.into_iter().flat_map(|b| b.names).collect();
            found = vec![Binders { names, ty: Some(ty), implicit: false }];
        }
        Ok(found)
    }

    /// `(x y : T)` or `{x : T}`.
    fn bracketed_binders(&mut self) -> Result<Option<Binders>> {
        let (close, implicit) = match self.peek() {
            Some(Token::Symbol("(")) => (")", false),
            Some(Token::Symbol("{")) => ("}", true),
            Some(Token::Symbol("[")) => {
                return self.fail("unsupported: instance binders `[…]`; there are no type classes");
            }
            _ => return Ok(None),
        };
        self.at += 1;
        let mut names = Vec::new();
        while let Some(name) = self.variable() {
            names.push(name);
        }
        if names.is_empty() {
            return self.unexpected("a variable");
        }
        let ty = if self.symbol(":") { Some(self.term(0)?) } else { None };
        self.expect(close)?;
        Ok(Some(Binders { names, ty, implicit }))
    }

    /// A head with the arguments that follow.
    fn applied(&mut self, head: Expr, start: usize) -> Result<Expr> {
        let mut arguments = Vec::new();
        loop {
            if let (Some(Token::Symbol("(")), Some(Token::Ident(name)), Some(Token::Symbol(":="))) =
                (self.peek(), self.peek_at(1), self.peek_at(2))
            {
                let name = Name::clone(name);
                self.at += 3;
                arguments.push(Argument::Named(name, self.term(0)?));
                self.expect(")")?;
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
    fn atom(&mut self) -> Result<Option<Expr>> {
        let start = self.here().start;
        let Some(kind) = self.atom_kind()? else { return Ok(None) };
        let atom = self.make(kind, start)?;
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
            Token::Keyword("Prop") => ExprKind::Sort(0),
            Token::Keyword(sort @ ("Type" | "Sort")) => {
                self.at += 1;
                return self.universe(sort == "Type").map(Some);
            }
            Token::Symbol("@") => {
                self.at += 1;
                return self.name("a name").map(|n| Some(ExprKind::Explicit(n)));
            }
            Token::Symbol("(") => {
                self.at += 1;
                return self.parenthesised().map(Some);
            }
            Token::Symbol("⟨") => {
                self.at += 1;
                return self.list("⟩").map(|all| Some(ExprKind::Anonymous(all)));
            }
            Token::Symbol("[") => {
                self.at += 1;
                return self.list("]").map(|all| Some(ExprKind::List(all)));
            }
            Token::Keyword(word @ ("if" | "match" | "do" | "by")) => {
                return self.fail(format!("unsupported: `{word}` within a term"));
            }
            Token::Keyword(_) | Token::Symbol(_) | Token::Field(_) => return Ok(None),
        };
        self.at += 1;
        Ok(Some(kind))
    }

    /// What follows `Type` or `Sort`.
    fn universe(&mut self, is_type: bool) -> Result<ExprKind> {
        /// The highest universe in which types may be stated.
        const HIGHEST: u8 = 3;
        let shift = u8::from(is_type);
        let Some(Token::Num(n)) = self.peek() else { return Ok(ExprKind::Sort(shift)) };
        let number = u8::try_from(n).ok().map(|n| n.saturating_add(shift)).filter(|n| *n <= HIGHEST);
        let Some(number) = number else { return self.fail("unsupported: a universe as high as this") };
        self.at += 1;
        Ok(ExprKind::Sort(number))
    }

    /// What follows `(`.
    fn parenthesised(&mut self) -> Result<ExprKind> {
        if self.symbol(")") {
            return self.fail("unsupported: `()`");
        }
        let first = self.term(0)?;
        if self.symbol(":") {
            let ty = self.term(0)?;
            self.expect(")")?;
            return Ok(ExprKind::Ascription(Box::new(first), Box::new(ty)));
        }
        if self.symbol(",") {
            let mut all = vec![first];
            all.extend(self.list(")")?);
            return Ok(ExprKind::Tuple(all));
        }
        self.expect(")")?;
        Ok(first.into_kind())
    }

    /// Terms with commas between, up to a closing bracket.
    fn list(&mut self, close: &str) -> Result<Vec<Expr>> {
        let mut all = Vec::new();
        if self.symbol(close) {
            return Ok(all);
        }
        loop {
            all.push(self.term(0)?);
            if self.symbol(close) {
                return Ok(all);
            }
            if !self.symbol(",") {
                return self.unexpected(&format!("`,` or `{close}`"));
            }
        }
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
    }
}

#[cfg(test)]
mod tests;
