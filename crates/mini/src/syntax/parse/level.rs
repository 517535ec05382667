//! Reading universes.

use super::super::ast::{ExprKind, Name, Universe};
use super::super::token::Token;
use super::{Parser, Result};

impl Parser {
    /// The level after `Type` or `Sort`.
    pub(super) fn universe(&mut self, is_type: bool) -> Result<ExprKind> {
        let level = match self.peek() {
            // A name directly after it is a universe name.
            Some(Token::Ident(name)) if is_level_name(name) => self.level()?,
            Some(Token::Num(_)) => self.level()?,
            Some(Token::Symbol("(")) if self.peek_at(1).is_some_and(begins_level) => self.level()?,
            _ => Universe::Num(0),
        };
        Ok(ExprKind::Sort(match level {
            level if !is_type => level,
            level => successor(level),
        }))
    }

    fn level(&mut self) -> Result<Universe> {
        match self.peek() {
            Some(Token::Num(_)) => Ok(Universe::Num(self.level_number()?)),
            Some(Token::Ident(name)) if is_level_name(name) => {
                let name = Name::clone(name);
                self.at += 1;
                Ok(Universe::Name(name))
            }
            Some(Token::Symbol("(")) => {
                self.at += 1;
                let mut level = match self.peek() {
                    Some(Token::Ident(name)) if &**name == "max" => self.highest(Universe::Max)?,
                    Some(Token::Ident(name)) if &**name == "imax" => self.highest(Universe::IMax)?,
                    _ => self.nested_level()?,
                };
                while self.symbol("+") {
                    for _ in 0..self.level_number()? {
                        level = successor(level);
                    }
                }
                self.expect(")")?;
                Ok(level)
            }
            _ => self.unexpected("a universe"),
        }
    }

    fn level_number(&mut self) -> Result<u32> {
        /// The highest number that Lean reads in a level.
        const HIGHEST: u32 = 32;
        let Some(Token::Num(n)) = self.peek() else { return self.unexpected("a number") };
        let Some(number) = u32::try_from(n).ok().filter(|n| *n <= HIGHEST) else {
            return self.fail("unsupported: a universe as high as this");
        };
        self.at += 1;
        Ok(number)
    }

    /// The levels after `max` or `imax`.
    fn highest(&mut self, join: fn(Box<Universe>, Box<Universe>) -> Universe) -> Result<Universe> {
        self.at += 1;
        let mut levels = vec![self.nested_level()?];
        while !self.is_symbol(")") && !self.is_symbol("+") {
            levels.push(self.nested_level()?);
        }
        let last = levels.pop().expect("there is one");
        Ok(levels.into_iter().rfold(last, |after, level| join(Box::new(level), Box::new(after))))
    }

    fn nested_level(&mut self) -> Result<Universe> {
        self.nested(Self::level)
    }
}

/// The next level.
fn successor(level: Universe) -> Universe {
    match level {
        Universe::Num(n) => Universe::Num(n + 1),
        level => Universe::Succ(Box::new(level)),
    }
}

/// Whether a token after `(` begins a level.
fn begins_level(token: &Token) -> bool {
    match token {
        Token::Ident(name) => matches!(&**name, "max" | "imax") || is_level_name(name),
        Token::Num(_) | Token::Symbol("(") => true,
        _ => false,
    }
}

/// Whether a name is a universe name: `u`, `v`, `w`, optionally with a number.
fn is_level_name(name: &str) -> bool {
    name.strip_prefix(['u', 'v', 'w']).is_some_and(|rest| rest.trim_start_matches('_').chars().all(is_digit))
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('₀'..='₉').contains(&c)
}
