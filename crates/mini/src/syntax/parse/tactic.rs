//! Tactics.

use super::super::ast::{Expr, ExprKind, Name, Operator};
use super::super::tactic::{Block, Pattern, Tactic, TacticKind};
use super::super::token::Token;
use super::{MAX_DEPTH, Parser, Result};

impl Parser {
    /// The tactics of a block, in braces or by layout.
    pub(super) fn sequence(&mut self) -> Result<Block> {
        if !self.symbol("{") {
            if self.in_file && self.next().is_some_and(|next| next.column == 0) {
                return self.fail("tactics do not begin in the first column of a file");
            }
            return self.block();
        }
        let block = self.with_column(None, Self::block)?;
        self.expect("}")?;
        Ok(block)
    }

    /// Tactics separated by `;` or line breaks, all at the column of the first.
    pub(super) fn block(&mut self) -> Result<Block> {
        self.with_own_column(|parser| {
            let column = parser.column.unwrap_or_default();
            let mut block = Vec::new();
            loop {
                block.push(parser.tactic()?);
                let here = parser.next().map(|next| next.column);
                let goes_on = if parser.symbol(";") {
                    parser.next().is_some_and(|next| next.column >= column)
                } else {
                    parser.starts_line() && here == Some(column)
                };
                if !goes_on || !parser.tactic_ahead() {
                    return Ok(block);
                }
            }
        })
    }

    /// Whether a tactic comes next, known or not.
    fn tactic_ahead(&self) -> bool {
        match self.peek() {
            Some(Token::Ident(_) | Token::Symbol("·" | "." | "{" | "(")) => true,
            Some(Token::Keyword(word)) => TERM_WORDS.contains(word),
            _ => false,
        }
    }

    /// A tactic, with further ones after `<;>`.
    fn tactic(&mut self) -> Result<Tactic> {
        self.nested(|parser| {
            let start = parser.here().start;
            let outer = std::mem::take(&mut parser.deepest);
            let mut tactic = parser.single()?;
            parser.deepest += 1;
            while parser.symbol("<;>") {
                let next = parser.nested(Self::single)?;
                let kind = TacticKind::Then(Box::new(tactic), Box::new(next));
                tactic = Tactic { kind, span: parser.since(start) };
                parser.deepest += 1;
                if parser.deepest > MAX_DEPTH {
                    return parser.fail("the tactic is nested too deeply");
                }
            }
            parser.deepest = parser.deepest.max(outer);
            Ok(tactic)
        })
    }

    fn single(&mut self) -> Result<Tactic> {
        let start = self.here().start;
        let kind = match self.peek().cloned() {
            Some(Token::Symbol("·" | ".")) => {
                self.at += 1;
                TacticKind::Bullet(self.sequence()?)
            }
            Some(Token::Symbol("{")) => TacticKind::Bullet(self.sequence()?),
            Some(Token::Symbol("(")) => {
                self.at += 1;
                let block = self.with_column(None, Self::sequence)?;
                self.expect(")")?;
                TacticKind::Paren(block)
            }
            Some(Token::Keyword(word)) if TERM_WORDS.contains(&word) => self.named_tactic(word, start)?,
            Some(Token::Ident(word)) => self.named_tactic(&word, start)?,
            _ => return self.unexpected("a tactic"),
        };
        Ok(Tactic { kind, span: self.since(start) })
    }

    /// The tactic that begins with a word, which is the next token.
    fn named_tactic(&mut self, word: &str, start: usize) -> Result<TacticKind> {
        let Some(kind) = simple(word) else { return self.compound(word, start) };
        self.at += 1;
        Ok(kind)
    }

    /// The tactic that begins with a word and has arguments.
    fn compound(&mut self, word: &str, start: usize) -> Result<TacticKind> {
        self.at += 1;
        Ok(match word {
            "intro" => {
                let patterns = self.patterns()?;
                if !patterns.iter().all(Pattern::is_term) {
                    return self.fail("`intro` knows no `-` and no alternatives; `rintro` does");
                }
                TacticKind::Intro(patterns)
            }
            "rintro" => TacticKind::RIntro(self.patterns()?),
            "intros" => TacticKind::Intros(self.variables()),
            "exact" => TacticKind::Exact(self.term(0)?),
            "apply" => TacticKind::Apply(self.term(0)?),
            "refine" => TacticKind::Refine(self.term(0)?),
            "exists" => TacticKind::Exists(self.series(|p| p.term(0))?),
            "use" => TacticKind::Use(self.series(|p| p.term(0))?),
            "exacts" => {
                self.expect("[")?;
                let terms = self.list("]", |parser| parser.term(0))?;
                let exact = |term: Expr| {
                    let span = term.span();
                    let exact = Tactic { kind: TacticKind::Exact(term), span };
                    Tactic { kind: TacticKind::Bullet(vec![exact]), span }
                };
                let mut block: Block = terms.into_iter().map(exact).collect();
                block.push(Tactic { kind: TacticKind::Done, span: self.since(start) });
                TacticKind::Paren(block)
            }
            "absurd" => TacticKind::Absurd(self.term(0)?),
            "symm" => TacticKind::Symm(self.location()?),
            "cases" => {
                let equation = self.label();
                let target = self.target()?;
                TacticKind::Cases { equation, target, alternatives: self.alternatives()? }
            }
            "induction" => {
                let target = self.target()?;
                let generalizing =
                    if self.keyword("generalizing") { self.names("a variable")? } else { Vec::new() };
                TacticKind::Induction { target, generalizing, alternatives: self.alternatives()? }
            }
            "rcases" => {
                let target = self.term(0)?;
                let has_pattern = self.keyword("with");
                // Without a pattern it takes the target apart once.
                let pattern =
                    if has_pattern { self.pattern_alternatives()? } else { Pattern::Tuple(Vec::new()) };
                TacticKind::RCases(target, pattern)
            }
            "obtain" => self.obtain()?,
            "generalize" => {
                let equation = self.label();
                // The term ends before the last `=`, which does not chain.
                let term = self.term(Operator::Eq.precedence() + 1)?;
                self.expect("=")?;
                TacticKind::Generalize { equation, term, name: self.name("a name")? }
            }
            "subst" => {
                let mut terms = Vec::new();
                while self.is_inside()
                    && let Some(term) = self.atom()?
                {
                    terms.push(term);
                }
                if terms.is_empty() {
                    return self.unexpected("a hypothesis");
                }
                TacticKind::Subst(terms)
            }
            "rw" | "rewrite" => {
                let rules = self.rules()?;
                TacticKind::Rewrite { rules, at: self.location()?, closes: word == "rw" }
            }
            "rwa" => {
                let kind = TacticKind::Rewrite { rules: self.rules()?, at: self.location()?, closes: true };
                let span = self.since(start);
                let assumption = Tactic { kind: TacticKind::Assumption, span };
                TacticKind::Paren(vec![Tactic { kind, span }, assumption])
            }
            "simp" => {
                let (only, arguments) = self.simp_arguments()?;
                TacticKind::Simp { only, arguments, at: self.location()? }
            }
            "simp_all" => {
                let (only, arguments) = self.simp_arguments()?;
                TacticKind::SimpAll { only, arguments }
            }
            "simpa" => {
                let (only, arguments) = self.simp_arguments()?;
                let using = if self.keyword("using") { Some(self.term(0)?) } else { None };
                TacticKind::Simpa { only, arguments, using }
            }
            "unfold" => TacticKind::Unfold(self.names("a definition")?, self.location()?),
            "show" => {
                let ty = self.term(0)?;
                if matches!(self.peek(), Some(Token::Keyword("from" | "by"))) {
                    return self.fail("the tactic `show` takes a type alone; write `exact show … from …`");
                }
                TacticKind::Show(ty)
            }
            "change" => TacticKind::Change(self.term(0)?, self.location()?),
            "have" => self.have()?,
            "let" => {
                if self.is_symbol("⟨") {
                    return self.fail("unsupported: a pattern after `let`");
                }
                let name = self.name("a name")?;
                let (ty, value) = self.definition()?;
                TacticKind::Let { name, ty, value }
            }
            "suffices" => {
                let name = self.label();
                TacticKind::Suffices { name, ty: self.term(0)?, from: self.proof()? }
            }
            "by_cases" => TacticKind::ByCases(self.label(), self.term(0)?),
            "by_contra" => TacticKind::ByContra(if self.is_inside() { self.variable() } else { None }),
            "funext" => TacticKind::Funext(self.variables()),
            "ext" => match self.variables() {
                names if names.is_empty() => return self.unexpected("a name"),
                names => TacticKind::Funext(names),
            },
            "injection" => {
                let term = self.term(0)?;
                let names = if self.keyword("with") { self.variables() } else { Vec::new() };
                TacticKind::Injection(term, names)
            }
            "specialize" => TacticKind::Specialize(self.term(0)?),
            "clear" => TacticKind::Clear(self.names("a hypothesis")?),
            "revert" => TacticKind::Revert(self.names("a hypothesis")?),
            "rename_i" => match self.variables() {
                names if names.is_empty() => return self.unexpected("a name"),
                names => TacticKind::RenameI(names),
            },
            "calc" => self.calc()?,
            "repeat" => TacticKind::Repeat(self.sequence()?),
            "try" => TacticKind::Try(self.sequence()?),
            "all_goals" => TacticKind::AllGoals(self.sequence()?),
            "any_goals" => TacticKind::AnyGoals(self.sequence()?),
            "focus" => TacticKind::Focus(self.sequence()?),
            "first" => {
                if !self.is_symbol("|") {
                    return self.unexpected("`|`");
                }
                TacticKind::First(self.bars(Self::sequence)?)
            }
            "case" => {
                let tag = if self.symbol("_") { "_".into() } else { self.name("the tag of a goal")? };
                let names = self.variables();
                self.expect("=>")?;
                TacticKind::Case { tag, names, block: self.sequence()? }
            }
            "next" => {
                let names = self.variables();
                self.expect("=>")?;
                TacticKind::Next(names, self.sequence()?)
            }
            "rotate_left" => TacticKind::Rotate(self.count()?),
            "rotate_right" => TacticKind::Rotate(-self.count()?),
            "erw" => {
                self.at -= 1;
                return self.fail("unsupported: `erw`");
            }
            _ => {
                self.at -= 1;
                return self.fail(format!("unknown tactic `{word}`"));
            }
        })
    }

    /// `h :` before a term.
    fn label(&mut self) -> Option<Name> {
        let has_label = matches!(self.peek_at(1), Some(Token::Symbol(":")));
        let name = if has_label { self.variable() } else { None };
        self.at += usize::from(name.is_some());
        name
    }

    /// The target of `cases` or `induction`.
    fn target(&mut self) -> Result<Expr> {
        let target = self.term(0)?;
        match self.peek() {
            Some(Token::Keyword("using")) => self.fail("unsupported: `using` with a recursor"),
            Some(Token::Symbol(",")) => self.fail("unsupported: more than one thing to take apart"),
            _ => Ok(target),
        }
    }

    fn obtain(&mut self) -> Result<TacticKind> {
        let pattern = self.pattern_alternatives()?;
        let ty = if self.symbol(":") { Some(self.term(0)?) } else { None };
        let value = if self.symbol(":=") { Some(self.term(0)?) } else { None };
        match (ty, value) {
            (None, None) => self.unexpected("`:` or `:=`"),
            (Some(ty), None) => Ok(TacticKind::Obtain(pattern, ty)),
            (None, Some(value)) => Ok(TacticKind::RCases(value, pattern)),
            (Some(ty), Some(value)) => {
                let start = ty.span().start;
                let value = self.make(ExprKind::Ascription(Box::new(value), Box::new(ty)), start)?;
                Ok(TacticKind::RCases(value, pattern))
            }
        }
    }

    fn have(&mut self) -> Result<TacticKind> {
        if matches!(self.peek(), Some(Token::Symbol("⟨"))) {
            let pattern = Some(self.pattern()?);
            let (ty, value) = self.definition()?;
            return Ok(TacticKind::Have { pattern, ty, value: Some(value) });
        }
        let name = |name: Name| if &*name == "_" { Pattern::Wildcard } else { Pattern::Name(name) };
        let pattern = self.variable().map(name);
        let (ty, value) = self.perhaps_defined()?;
        Ok(TacticKind::Have { pattern, ty, value })
    }

    /// The steps of `calc`.
    fn calc(&mut self) -> Result<TacticKind> {
        let outer = self.column;
        // If the first step is on its own line, the others are at its column, regardless of `calc`.
        let below = self.next().filter(|_| self.starts_line()).map(|first| first.column);
        let first = self.with_own_column(|parser| {
            let start = parser.here().start;
            let term = parser.term(0)?;
            if parser.symbol(":=") {
                return Ok((term, parser.term(0)?));
            }
            // `calc a` followed by `_ = b := p`.
            let hole = Box::new(parser.make(ExprKind::Hole, start)?);
            let equation = parser.make(ExprKind::Binary(Operator::Eq, Box::new(term), hole), start)?;
            Ok((equation, parser.make(ExprKind::Ident("rfl".into()), start)?))
        })?;
        let mut steps = vec![first];
        self.with_own_column(|parser| {
            let column = parser.column;
            // Steps that begin with `_` may be at the column of `calc`, since no tactic begins with it.
            while parser.starts_line()
                && parser.next().is_some_and(|next| {
                    Some(next.column) >= column
                        && (next.token == Token::Symbol("_")
                            || outer.is_some_and(|outer| {
                                next.column > outer || Some(next.column) == below && next.column != outer
                            }) && starts_term(&next.token))
                })
            {
                let step = parser.term(0)?;
                parser.expect(":=")?;
                steps.push((step, parser.term(0)?));
            }
            Ok(TacticKind::Calc(steps))
        })
    }

    /// The number of goals to rotate by; 1 by default.
    fn count(&mut self) -> Result<i32> {
        let Some(Token::Num(n)) = self.peek() else { return Ok(1) };
        match i32::try_from(n) {
            Ok(n) => {
                self.at += 1;
                Ok(n)
            }
            Err(_) => self.fail("a number of goals as large as this"),
        }
    }
}

/// Keywords of terms that may occur at the beginning of a tactic, most of them for an error message.
const TERM_WORDS: &[&str] = &[
    "exists", "have", "let", "show", "suffices", "calc", "sorry", "fun", "if", "match", "do", "nomatch",
    "nofun",
];

/// Whether a step of `calc` may begin with this token.
fn starts_term(token: &Token) -> bool {
    matches!(token, Token::Ident(_) | Token::Num(_) | Token::Symbol("(" | "¬" | "[" | "⟨" | "@"))
}

/// The tactic that consists of one word.
fn simple(word: &str) -> Option<TacticKind> {
    Some(match word {
        "assumption" => TacticKind::Assumption,
        "constructor" => TacticKind::Constructor,
        "left" => TacticKind::Left,
        "right" => TacticKind::Right,
        "exfalso" => TacticKind::Exfalso,
        "contradiction" => TacticKind::Contradiction,
        "trivial" => TacticKind::Trivial,
        "rfl" | "eq_refl" => TacticKind::Rfl,
        "decide" => TacticKind::Decide,
        "omega" => TacticKind::Omega,
        "ring" => TacticKind::Ring,
        "skip" => TacticKind::Skip,
        "done" => TacticKind::Done,
        "sorry" | "admit" => TacticKind::Sorry,
        _ => return None,
    })
}
