//! Tactic combinators, and tactics on the list of goals.

use super::Tactics;
use crate::budget;
use crate::elab::context::{Failure, Result, fail};
use crate::kernel::term::{MetaId, Name};
use crate::syntax::tactic::{Block, TacticKind};

impl Tactics<'_, '_> {
    /// Runs a tactic on the list of goals; `false` if it is not one of these.
    pub(super) fn is_structural(&mut self, kind: &TacticKind) -> Result<bool> {
        use TacticKind as T;
        match kind {
            T::Repeat(block) => self.repeat(block)?,
            T::Try(block) => {
                let _ = self.attempt(|t| t.block(block))?;
            }
            T::First(alternatives) => self.first_of(alternatives)?,
            T::Then(first, second) => {
                let goal = self.first()?;
                self.focused(goal, |t| {
                    t.run(first)?;
                    t.each(|t| t.run(second))
                })?;
            }
            T::AllGoals(block) => self.each(|t| t.block(block))?,
            T::AnyGoals(block) => {
                let mut succeeded = false;
                self.each(|t| {
                    succeeded |= t.attempt(|t| t.block(block))?.is_ok();
                    Ok(())
                })?;
                if !succeeded {
                    return fail("`any_goals` succeeded on no goal");
                }
            }
            T::Focus(block) => {
                let goal = self.first()?;
                self.focused(goal, |t| t.block(block))?;
            }
            T::Bullet(block) => {
                let goal = self.first()?;
                self.closed_by(goal, block)?;
            }
            T::Paren(block) => self.block(block)?,
            T::Case { tag, names, block } => {
                let goal = self.tagged(tag)?;
                let goal = self.renamed(goal, names)?;
                self.closed_by(goal, block)?;
            }
            T::Next(names, block) => {
                let goal = self.first()?;
                let goal = self.renamed(goal, names)?;
                self.closed_by(goal, block)?;
            }
            T::Rotate(by) => {
                let n = self.goals.len();
                if n > 0 {
                    let by =
                        usize::try_from(by.rem_euclid(i32::try_from(n).unwrap_or(i32::MAX))).unwrap_or(0);
                    self.goals.rotate_left(by);
                }
            }
            T::Skip => {}
            T::Done => self.done()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Runs something on a single goal; the other goals follow its remaining goals.
    pub(super) fn focused(&mut self, goal: MetaId, f: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let at = self.goals.iter().position(|g| *g == goal).unwrap_or(0);
        let mut others = std::mem::replace(&mut self.goals, vec![goal]);
        budget::visits(others.len());
        f(self)?;
        let left = std::mem::take(&mut self.goals);
        others.splice(at..=at, left);
        self.goals = others;
        Ok(())
    }

    /// Closes a goal.
    pub(super) fn closed_by(&mut self, goal: MetaId, block: &Block) -> Result<()> {
        self.focused(goal, |t| {
            t.block(block)?;
            t.done()
        })
    }

    /// Runs something on every goal.
    fn each(&mut self, mut f: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        for goal in self.goals.clone() {
            if !self.ctx.is_assigned(goal) {
                self.focused(goal, &mut f)?;
            }
        }
        Ok(())
    }

    fn repeat(&mut self, block: &Block) -> Result<()> {
        // As in Lean: on the main goal, then on the first remaining goal.
        while !self.goals.is_empty() {
            let before = self.goals.clone();
            budget::visits(before.len());
            if self.attempt(|t| t.block(block))?.is_err() {
                break;
            }
            if self.goals == before {
                budget::step();
            }
        }
        Ok(())
    }

    fn first_of(&mut self, alternatives: &[Block]) -> Result<()> {
        let mut failure = Failure::new("`first` has no alternatives");
        for block in alternatives {
            match self.attempt(|t| t.block(block))? {
                Ok(()) => return Ok(()),
                Err(f) => failure = f,
            }
        }
        Err(failure)
    }

    /// The goal with a given tag, or whose tag ends in it.
    fn tagged(&self, tag: &Name) -> Result<MetaId> {
        if &**tag == "_" {
            return self.first();
        }
        budget::visits(self.goals.len());
        let tag_of = |g: &MetaId| self.ctx.meta(*g).tag.clone();
        let ends = |t: &str| t.strip_suffix(&**tag).is_some_and(|before| before.ends_with('.'));
        let starts = |t: &str| t.strip_prefix(&**tag).is_some_and(|after| after.starts_with('.'));
        let found = self
            .goals
            .iter()
            .find(|g| tag_of(g) == *tag)
            .or_else(|| self.goals.iter().find(|g| ends(&tag_of(g))))
            .or_else(|| self.goals.iter().find(|g| starts(&tag_of(g))));
        match found {
            Some(goal) => Ok(*goal),
            None => fail(format!("no goal has the tag `{tag}`")),
        }
    }
}
