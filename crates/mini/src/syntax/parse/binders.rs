//! Parses bound variables, definitions and quantifiers.

use super::super::ast::{Binders, Expr, ExprKind, Name, Operator, Span, Statement};
use super::super::token::Token;
use super::{Parser, Result};

impl Parser {
    /// `theorem NAME binders : type`, `example binders : type`.
    pub(super) fn statement(&mut self) -> Result<Option<Statement>> {
        let start = self.here().start;
        let name = if self.keyword("theorem") || self.keyword("lemma") {
            Some(self.declared_name("the theorem's name")?)
        } else if self.keyword("example") {
            None
        } else {
            return Ok(None);
        };
        self.stated(name, start).map(Some)
    }

    /// `binders : type`, of a statement that begins at `start`.
    pub(super) fn stated(&mut self, name: Option<Name>, start: usize) -> Result<Statement> {
        let binders = self.all_bracketed()?;
        self.expect(":")?;
        let ty = self.term(0)?;
        Ok(Statement { name, binders, ty, span: self.since(start) })
    }

    /// Bracketed binders, any number.
    pub(super) fn all_bracketed(&mut self) -> Result<Vec<Binders>> {
        let mut binders = Vec::new();
        while let Some(more) = self.bracketed_binders()? {
            binders.push(more);
        }
        Ok(binders)
    }

    /// `binders : T := v`, as a type and a value without binders.
    pub(super) fn definition(&mut self) -> Result<(Option<Expr>, Expr)> {
        let (ty, value) = self.perhaps_defined()?;
        match value {
            Some(value) => Ok((ty, value)),
            None => self.unexpected("`:=`"),
        }
    }

    /// `binders : T := v`, where the value is optional if there is a type.
    pub(super) fn perhaps_defined(&mut self) -> Result<(Option<Expr>, Option<Expr>)> {
        let start = self.here().start;
        let binders = self.some_binders()?;
        let mut ty = if self.symbol(":") { Some(self.term(0)?) } else { None };
        let mut value = if self.symbol(":=") { Some(self.term(0)?) } else { None };
        if ty.is_none() && value.is_none() {
            return self.unexpected("`:` or `:=`");
        }
        if binders.is_empty() {
            return Ok((ty, value));
        }
        let mut parameters = binders;
        if let Some(result) = ty {
            // Then the function's own variables need no types, which avoids duplicates.
            let untyped = parameters.iter().flat_map(untyped).collect();
            let binders = std::mem::replace(&mut parameters, untyped);
            ty = Some(self.make(ExprKind::Forall(binders, Box::new(result)), start)?);
        }
        if let Some(body) = value {
            value = Some(self.make(ExprKind::Fun(parameters, Box::new(body)), start)?);
        }
        Ok((ty, value))
    }

    /// `∀ x, t` or `∃ x, t`, also with a bound: `∀ x < n, t`.
    pub(super) fn quantified(&mut self, all: bool, start: usize) -> Result<Expr> {
        self.at += 1;
        let binders = self.binders()?;
        let bound = self.bound()?;
        self.expect(",")?;
        let mut body = self.term(0)?;
        let Some((operator, bound)) = bound else { return self.quantify(all, binders, body, start) };
        if binders.iter().any(|b| b.ty.is_some()) {
            return self.fail("unsupported: variables with both a type and a bound");
        }
        self.repeated(&bound, binders.len())?;
        for name in binders.into_iter().flat_map(|b| b.names).rev() {
            let variable = if &*name == "_" { ExprKind::Hole } else { ExprKind::Ident(Name::clone(&name)) };
            let variable = Box::new(self.make(variable, start)?);
            let bounded = self.make(ExprKind::Binary(operator, variable, Box::new(bound.clone())), start)?;
            let kind = match all {
                true => ExprKind::Arrow(Box::new(bounded), Box::new(body)),
                false => ExprKind::Binary(Operator::And, Box::new(bounded), Box::new(body)),
            };
            let bounded = self.make(kind, start)?;
            body = self.quantify(
                all,
                vec![Binders { names: vec![name], ty: None, implicit: false }],
                bounded,
                start,
            )?;
        }
        Ok(body)
    }

    /// Refuses to duplicate a large term: nested duplication would grow without bounds.
    pub(super) fn repeated(&self, term: &Expr, times: usize) -> Result<()> {
        let Span { start, end } = term.span();
        if times > 1 && (term.depth() > 8 || times * (end - start) > 10_000) {
            return self.fail("unsupported: several variables that share a term as large as this");
        }
        Ok(())
    }

    fn quantify(&mut self, all: bool, binders: Vec<Binders>, body: Expr, start: usize) -> Result<Expr> {
        let body = Box::new(body);
        let kind = if all { ExprKind::Forall(binders, body) } else { ExprKind::Exists(binders, body) };
        self.make(kind, start)
    }

    /// `< n` after bound variables.
    fn bound(&mut self) -> Result<Option<(Operator, Expr)>> {
        use Operator::{Ge, Gt, Le, Lt, Ne};
        let Some(Token::Symbol(symbol)) = self.peek() else { return Ok(None) };
        let found = [Lt, Le, Gt, Ge, Ne].into_iter().find(|o| o.symbol() == *symbol);
        let Some(operator) = found else { return Ok(None) };
        self.at += 1;
        Ok(Some((operator, self.term(operator.precedence() + 1)?)))
    }

    /// The variables of one binder: brackets, or names with or without a type.
    pub(super) fn binders(&mut self) -> Result<Vec<Binders>> {
        let mut found = self.some_binders()?;
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

    /// Brackets and names without a type, any number.
    fn some_binders(&mut self) -> Result<Vec<Binders>> {
        let mut found = Vec::new();
        loop {
            if let Some(binders) = self.bracketed_binders()? {
                found.push(binders);
            } else if let Some(name) = self.variable() {
                found.push(Binders { names: vec![name], ty: None, implicit: false });
            } else {
                return Ok(found);
            }
        }
    }

    /// `(x y : T)` or `{x : T}`.
    pub(super) fn bracketed_binders(&mut self) -> Result<Option<Binders>> {
        let (close, implicit) = match self.peek() {
            Some(Token::Symbol("(")) => (")", false),
            Some(Token::Symbol("{")) => ("}", true),
            Some(Token::Symbol("[")) => {
                return self.fail("unsupported: instance binders `[…]`; there are no type classes");
            }
            _ => return Ok(None),
        };
        self.at += 1;
        self.with_column(None, |parser| {
            let names = parser.variables();
            if names.is_empty() {
                return parser.unexpected("a variable");
            }
            let ty = if parser.symbol(":") { Some(parser.term(0)?) } else { None };
            parser.expect(close)?;
            Ok(Some(Binders { names, ty, implicit }))
        })
    }
}

/// The same variables without their type.
fn untyped(binders: &Binders) -> impl Iterator<Item = Binders> {
    let implicit = binders.implicit;
    binders.names.iter().map(move |name| Binders { names: vec![Name::clone(name)], ty: None, implicit })
}
