//! Parses the parts of tactics other than terms: patterns, alternatives, equations, locations.

use super::super::ast::Name;
use super::super::tactic::{Alternative, AlternativeProof, Location, Pattern, Rule, SimpArgument};
use super::super::token::Token;
use super::{Parser, Result};

impl Parser {
    /// Patterns after `intro` or `rintro`, any number.
    pub(super) fn patterns(&mut self) -> Result<Vec<Pattern>> {
        let mut found = Vec::new();
        while self.is_inside() {
            match self.peek() {
                Some(Token::Symbol("(")) if self.typed_binders_ahead() => {
                    let Some(binders) = self.bracketed_binders()? else { break };
                    if let Some(ty) = &binders.ty {
                        self.repeated(ty, binders.names.len())?;
                    }
                    for name in binders.names {
                        let pattern = named(name);
                        found.push(match &binders.ty {
                            Some(ty) => Pattern::Typed(Box::new(pattern), ty.clone()),
                            None => pattern,
                        });
                    }
                }
                Some(Token::Ident(_) | Token::Symbol("_" | "-" | "⟨" | "(")) => found.push(self.pattern()?),
                _ => break,
            }
        }
        Ok(found)
    }

    /// A pattern that needs no parentheses.
    pub(super) fn pattern(&mut self) -> Result<Pattern> {
        self.nested(|parser| {
            if parser.symbol("-") {
                Ok(Pattern::Clear)
            } else if parser.symbol("⟨") {
                Ok(Pattern::Tuple(parser.list("⟩", Self::typed_pattern)?))
            } else if parser.symbol("(") {
                let pattern = parser.with_column(None, Self::typed_pattern)?;
                parser.expect(")")?;
                Ok(pattern)
            } else if let Some(name) = parser.variable() {
                Ok(named(name))
            } else {
                parser.unexpected("a pattern")
            }
        })
    }

    /// `p | q`
    pub(super) fn pattern_alternatives(&mut self) -> Result<Pattern> {
        let first = self.pattern()?;
        let mut all = vec![first];
        // At the start of a line, `|` may begin an alternative of an enclosing `cases`.
        while self.is_inside() && self.symbol("|") {
            all.push(self.pattern()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Pattern::Alternatives(all) })
    }

    /// `p | q : T`
    fn typed_pattern(&mut self) -> Result<Pattern> {
        let pattern = self.pattern_alternatives()?;
        if self.symbol(":") { Ok(Pattern::Typed(Box::new(pattern), self.term(0)?)) } else { Ok(pattern) }
    }

    /// `with | c x => … | d y => …`
    pub(super) fn alternatives(&mut self) -> Result<Option<Vec<Alternative>>> {
        if !self.keyword("with") {
            return Ok(None);
        }
        if !self.is_symbol("|") {
            return self.unexpected("`|`");
        }
        self.bars(Self::alternative).map(Some)
    }

    /// Items that begin with `|`, none of them left of the first.
    pub(super) fn bars<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.with_own_column(|parser| {
            let mut all = Vec::new();
            while parser.next().is_some_and(|next| parser.column.is_none_or(|column| next.column >= column))
                && parser.symbol("|")
            {
                all.push(one(parser)?);
            }
            Ok(all)
        })
    }

    /// An alternative, after its `|`.
    fn alternative(&mut self) -> Result<Alternative> {
        let (first, names) = self.constructor()?;
        let mut constructors = vec![first];
        while self.symbol("|") {
            let (next, its) = self.constructor()?;
            if its != names {
                return self.fail("unsupported: alternatives that share a proof but not the names");
            }
            constructors.push(next);
        }
        self.expect("=>")?;
        let proof = if matches!(self.peek(), Some(Token::Synthetic(_) | Token::Symbol("_"))) {
            self.at += 1;
            AlternativeProof::Goal
        } else {
            AlternativeProof::Block(self.sequence()?)
        };
        Ok(Alternative { constructors, names, proof })
    }

    fn constructor(&mut self) -> Result<(Name, Vec<Name>)> {
        if self.is_symbol("@") {
            return self.fail("unsupported: `@` before a constructor");
        }
        let constructor = if self.symbol("_") { "_".into() } else { self.name("the name of a constructor")? };
        Ok((constructor, self.variables()))
    }

    /// `[a, ← b]`
    pub(super) fn rules(&mut self) -> Result<Vec<Rule>> {
        self.without_configuration()?;
        self.expect("[")?;
        self.list("]", Self::rule)
    }

    fn rule(&mut self) -> Result<Rule> {
        let reversed = self.symbol("←");
        Ok(Rule { reversed, term: self.term(0)? })
    }

    /// `only [a, ← b, -c, *]`; whether there is `only`, and what there is in brackets.
    pub(super) fn simp_arguments(&mut self) -> Result<(bool, Vec<SimpArgument>)> {
        self.without_configuration()?;
        let only = self.is_inside() && self.word("only");
        let argument = |parser: &mut Self| {
            Ok(if parser.symbol("*") {
                SimpArgument::Hypotheses
            } else if parser.symbol("-") {
                SimpArgument::Without(parser.name("a name")?)
            } else {
                SimpArgument::Rule(parser.rule()?)
            })
        };
        let arguments = if self.symbol("[") { self.list("]", argument)? } else { Vec::new() };
        Ok((only, arguments))
    }

    fn without_configuration(&self) -> Result<()> {
        match self.peek() {
            Some(Token::Symbol("(" | "+" | "-")) if self.is_inside() => {
                self.fail("unsupported: settings of a tactic")
            }
            _ => Ok(()),
        }
    }

    /// `at h ⊢`, `at *`, or nothing.
    pub(super) fn location(&mut self) -> Result<Location> {
        if !self.keyword("at") {
            return Ok(Location::goal());
        }
        if self.symbol("*") {
            return Ok(Location { hypotheses: Vec::new(), goal: true, everywhere: true });
        }
        let mut hypotheses = Vec::new();
        while let (true, Some(Token::Ident(name))) = (self.is_inside(), self.peek()) {
            hypotheses.push(Name::clone(name));
            self.at += 1;
        }
        let goal = self.symbol("⊢");
        if hypotheses.is_empty() && !goal {
            return self.unexpected("a hypothesis");
        }
        Ok(Location { hypotheses, goal, everywhere: false })
    }
}

fn named(name: Name) -> Pattern {
    match &*name {
        "_" => Pattern::Wildcard,
        "rfl" => Pattern::Rfl,
        _ => Pattern::Name(name),
    }
}
