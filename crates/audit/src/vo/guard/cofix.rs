//! Corecursive values: every call must be below a constructor, and only below constructors, matches and functions.

use std::rc::Rc;

use super::machine::{Argument, Bound, CALL, Closure, deep};
use super::size::{Status, Tree};
use super::{Guard, Unfounded};
use crate::vo::compiled::term::{Case, CoFix, Term};
use crate::vo::compiled::trees::Recursion;

impl Guard<'_> {
    /// Checks corecursive values in an environment.
    pub(super) fn check_cofix(&mut self, cofix: &Rc<CoFix>, at: Closure) -> Result<(), Unfounded> {
        // The kernel reduces the types in another environment; so no local definition may matter.
        let plain = self.without_values(at.env);
        let mut trees = Vec::new();
        for &ty in cofix.types.iter() {
            let ty = self.result_type(Closure { term: ty, env: plain, ..at })?;
            let (name, number, _) = ty.ok_or(Unfounded::HiddenType)?;
            let infinite = self.shape(&name).is_some_and(|(_, shape)| shape.coinductive);
            let tree = self.tree_of(&name, number).filter(|_| infinite);
            trees.push(tree.ok_or(Unfounded::NotProductive)?);
        }
        let env = self.bind_block(at.env, cofix.bodies.len(), CALL);
        for (&term, tree) in cofix.bodies.iter().zip(trees) {
            self.produce(Closure { term, env, ..at }, Vec::new(), tree, false)?;
        }
        Ok(())
    }

    fn is_free(&mut self, at: Closure) -> Result<bool, Unfounded> {
        Ok(self.marks(at)? & CALL == 0)
    }

    fn all_free(&mut self, parts: impl IntoIterator<Item = Closure>) -> Result<(), Unfounded> {
        for part in parts {
            if !self.is_free(part)? {
                return Err(Unfounded::NotProductive);
            }
        }
        Ok(())
    }

    /// Checks the calls in a term, applied to arguments (last first), whose type has the given tree; `None` is
    /// an unknown argument.
    fn produce(
        &mut self,
        at: Closure,
        arguments: Vec<Option<Closure>>,
        tree: Tree,
        guarded: bool,
    ) -> Result<(), Unfounded> {
        deep(|| self.produce_within(at, arguments, tree, guarded))
    }

    fn produce_within(
        &mut self,
        mut at: Closure,
        mut arguments: Vec<Option<Closure>>,
        tree: Tree,
        guarded: bool,
    ) -> Result<(), Unfounded> {
        loop {
            self.step()?;
            let mut free = true;
            for &argument in arguments.iter().flatten() {
                free &= self.is_free(argument)?;
            }
            if free && self.is_free(at)? {
                return Ok(());
            }
            match self.term(at) {
                Term::Rel(number) => match self.variable(at.env, number).map(|v| self.node(v).bound) {
                    Some(Bound::Value(value, _)) => at = value,
                    Some(Bound::Call(_)) if guarded && free => return Ok(()),
                    _ => return Err(Unfounded::NotProductive),
                },
                Term::Cast(inner, _, ty) => {
                    self.all_free([Closure { term: ty, ..at }])?;
                    at.term = inner;
                }
                Term::App(function, given) => {
                    arguments.extend(given.iter().rev().map(|&term| Some(Closure { term, ..at })));
                    at.term = function;
                }
                Term::Lambda(domain, body) => {
                    self.all_free([Closure { term: domain, ..at }])?;
                    at.env = match arguments.pop() {
                        Some(Some(argument)) => self.bind_value(at.env, argument)?,
                        _ => self.bind_plain(at.env, 1),
                    };
                    at.term = body;
                }
                Term::Let(value, ty, body) => {
                    self.all_free([Closure { term: ty, ..at }])?;
                    at.env = self.bind_value(at.env, Closure { term: value, ..at })?;
                    at.term = body;
                }
                Term::Const(name, _) => match self.unfold(&name) {
                    Some(_) if self.unfoldings == 0 => return Err(Unfounded::Exhausted),
                    Some(value) => {
                        self.unfoldings -= 1;
                        at = value;
                    }
                    None => return Err(Unfounded::NotProductive),
                },
                Term::Constructor(name, number, constructor, _) => {
                    let Recursion::Type(expected, which) = &self.tree(tree).recursion else {
                        return Err(Unfounded::NotProductive);
                    };
                    if expected.canonical != name.canonical || *which != number {
                        return Err(Unfounded::NotProductive);
                    }
                    let (_, shape) = self.shape(&name).ok_or(Unfounded::NotProductive)?;
                    let below = constructor.checked_sub(1).and_then(|c| self.arguments_of(tree, c as usize));
                    return self.produce_arguments(arguments, shape.parameters, &below.unwrap_or_default());
                }
                Term::Case(case) => {
                    if !free {
                        return Err(Unfounded::NotProductive);
                    }
                    return self.produce_match(&case, at, arguments, tree, guarded);
                }
                Term::CoFix(cofix) => {
                    if !free {
                        return Err(Unfounded::NotProductive);
                    }
                    self.all_free(cofix.types.iter().map(|&term| Closure { term, ..at }))?;
                    let count = u32::try_from(cofix.bodies.len()).unwrap_or(u32::MAX);
                    let env = self.bind_plain(at.env, count);
                    let mut body = None;
                    for (number, &term) in cofix.bodies.iter().enumerate() {
                        let at = Closure { term, env, ..at };
                        if number == cofix.index as usize {
                            body = Some(at);
                        } else if !self.is_free(at)? {
                            return Err(Unfounded::NestedMutual);
                        }
                    }
                    arguments.clear();
                    at = body.ok_or(Unfounded::NotProductive)?;
                }
                _ => return Err(Unfounded::NotProductive),
            }
        }
    }

    fn produce_arguments(
        &mut self,
        arguments: Vec<Option<Closure>>,
        parameters: u32,
        below: &[Tree],
    ) -> Result<(), Unfounded> {
        let mut arguments = arguments.into_iter().rev();
        for parameter in arguments.by_ref().take(parameters as usize).flatten() {
            self.all_free([parameter])?;
        }
        for (number, argument) in arguments.enumerate() {
            let Some(argument) = argument else { continue };
            match below.get(number).map(|&tree| (tree, &self.tree(tree).recursion)) {
                Some((tree, Recursion::Type(..))) => {
                    self.produce(argument, Vec::new(), tree, true)?;
                }
                _ => self.all_free([argument])?,
            }
        }
        Ok(())
    }

    /// A match. Every branch must have the type of the tree; the arguments of the match contain no calls.
    fn produce_match(
        &mut self,
        case: &Rc<Case>,
        at: Closure,
        arguments: Vec<Option<Closure>>,
        tree: Tree,
        guarded: bool,
    ) -> Result<(), Unfounded> {
        let types = case.parameters.iter().chain(case.indices.iter().flat_map(|indices| indices.iter()));
        self.all_free(types.chain([&case.scrutinee]).map(|&term| Closure { term, ..at }))?;
        let env = self.bind_plain(at.env, case.returns.0);
        self.all_free([Closure { term: case.returns.1, env, ..at }])?;
        let unknown = vec![Argument::Size(Status::None); arguments.len()];
        let (_, _, ty) = self.through_match(case, at, unknown)?;
        if !self.keeps_type(ty, tree)? {
            return Err(Unfounded::NotProductive);
        }
        for &(binders, term) in &case.branches {
            let env = self.bind_plain(at.env, binders);
            self.produce(Closure { term, env, ..at }, vec![None; arguments.len()], tree, guarded)?;
        }
        Ok(())
    }
}
