//! Recursive functions: every call must be on something strictly smaller than the argument.
//!
//! A call within a function that is itself an argument may be on a variable of that function: whether it is on a
//! smaller argument is known only when the function is applied. Such an argument is deferred: it is substituted for the
//! variable, and checked again there with its own arguments.

use std::rc::Rc;

use super::machine::{Argument, Bound, CALL, Closure, Env, deep};
use super::size::Status;
use super::{Guard, Unfounded, parts};
use crate::vo::compiled::term::{Case, CoFix, Fix, Term, TermId};

/// The pending conditions for accepting a term: the functions within it whose arguments are unknown, in order.
#[derive(Clone, Default)]
struct Pending(Vec<u32>);

/// A call with too few arguments so far.
const PARTIAL: u32 = u32::MAX;

impl Pending {
    fn of(one: u32) -> Self {
        Self(vec![one])
    }

    fn join(&mut self, other: &[u32]) {
        self.0.extend(other);
        self.0.sort_unstable();
        self.0.dedup();
    }

    /// Removes and returns the conditions of the term itself rather than of its context: those of functions from a
    /// number on.
    fn inner(&mut self, from: u32) -> Option<Rc<[u32]>> {
        let all = self.0.clone();
        self.0.retain(|&function| function < from);
        (self.0.len() < all.len()).then(|| all.into())
    }
}

impl Guard<'_> {
    /// Checks a recursive function in an environment.
    pub(super) fn check_fix(&mut self, fix: &Rc<Fix>, at: Closure) -> Result<(), Unfounded> {
        let count = fix.bodies.len();
        let env = self.bind_block(at.env, count, CALL);
        let bodies: Vec<Closure> = fix.bodies.iter().map(|&term| Closure { term, env, ..at }).collect();
        let mut recursive = false;
        for &body in &bodies {
            recursive |= self.marks(body)? & CALL != 0;
        }
        if !recursive {
            return Ok(());
        }
        if fix.structural.len() != count || fix.types.len() != count {
            return Err(Unfounded::NoPlainFunction);
        }
        self.calls.clear();
        for (&structural, &ty) in fix.structural.iter().zip(fix.types.iter()) {
            let mut ty = Closure { term: ty, ..at };
            for _ in 0..structural {
                let Some((_, body)) = self.product(ty)? else { return Err(Unfounded::UnknownType) };
                ty = Closure { env: self.bind_plain(body.env, 1), ..body };
            }
            let Some((domain, _)) = self.product(ty)? else { return Err(Unfounded::UnknownType) };
            let (_, Term::Inductive(name, number, _), _) = self.head(domain, Vec::new())? else {
                return Err(Unfounded::UnknownType);
            };
            let finite = self.shape(&name).is_some_and(|(_, shape)| !shape.coinductive);
            let tree = self.tree_of(&name, number).filter(|_| finite).ok_or(Unfounded::UnknownType)?;
            self.calls.push((structural, tree));
        }
        self.fresh = 0;
        for (which, &body) in bodies.iter().enumerate() {
            let (structural, tree) = self.calls[which];
            if !self.is_function(body, structural)? {
                return Err(Unfounded::NoPlainFunction);
            }
            let size = Status::Part { strict: false, tree };
            let pending = self.walk(body, sizes(structural, size))?;
            if !pending.0.is_empty() {
                return Err(Unfounded::NotStructural);
            }
        }
        Ok(())
    }

    /// Checks the calls in a term applied to arguments, last first.
    fn walk(&mut self, at: Closure, arguments: Vec<Argument>) -> Result<Pending, Unfounded> {
        deep(|| self.walk_within(at, arguments))
    }

    fn walk_within(&mut self, at: Closure, mut arguments: Vec<Argument>) -> Result<Pending, Unfounded> {
        self.step()?;
        let deferred = arguments.iter().any(Argument::is_deferred);
        if !deferred && self.marks(at)? & CALL == 0 {
            return Ok(Pending::default());
        }
        let mut pending = Pending::default();
        match self.term(at) {
            Term::Rel(number) => {
                let Some(variable) = self.variable(at.env, number) else {
                    return Err(Unfounded::NotStructural);
                };
                let node = *self.node(variable);
                match node.bound {
                    Bound::Call(which) => self.call(which, &arguments),
                    // It is accepted as it is, but deferred arguments must be substituted.
                    Bound::Value(value, _) => self.walk(value, arguments),
                    Bound::Plain(Status::Pending(function)) => {
                        pending.join(&[function]);
                        join_deferred(&mut pending, &arguments);
                        Ok(pending)
                    }
                    Bound::Plain(_) => Err(Unfounded::NotStructural),
                }
            }
            Term::App(function, given) => {
                for &term in given.iter().rev() {
                    let (argument, outer) = self.argument(Closure { term, ..at })?;
                    pending.join(&outer.0);
                    arguments.push(argument);
                }
                pending.join(&self.walk(Closure { term: function, ..at }, arguments)?.0);
                Ok(pending)
            }
            Term::Lambda(domain, body) => {
                pending.join(&self.walk(Closure { term: domain, ..at }, Vec::new())?.0);
                let env = match arguments.pop() {
                    Some(argument) => self.bind_argument(at.env, &argument)?,
                    None => {
                        let size = self.fresh_size();
                        self.bind(at.env, Bound::Plain(size), 0)
                    }
                };
                pending.join(&self.walk(Closure { term: body, env, ..at }, arguments)?.0);
                Ok(pending)
            }
            Term::Let(value, ty, body) => {
                pending.join(&self.walk(Closure { term: ty, ..at }, Vec::new())?.0);
                let (argument, outer) = self.argument(Closure { term: value, ..at })?;
                pending.join(&outer.0);
                let env = self.bind_argument(at.env, &argument)?;
                pending.join(&self.walk(Closure { term: body, env, ..at }, arguments)?.0);
                Ok(pending)
            }
            Term::Case(case) => self.walk_match(&case, at, arguments),
            Term::Projection(.., field, _, of) => {
                let of = Closure { term: of, ..at };
                let (argument, outer) = self.argument(of)?;
                if !deferred && !argument.is_deferred() {
                    return Ok(outer);
                }
                let made = self.constructor(of)?;
                let value = made.and_then(|(_, given)| given.get(field as usize).copied());
                pending.join(&outer.0);
                pending.join(&self.walk(value.ok_or(Unfounded::NotStructural)?, arguments)?.0);
                Ok(pending)
            }
            // It contains no calls, so something is deferred.
            Term::Const(name, _) => match self.unfold(&name) {
                Some(_) if self.unfoldings == 0 => Err(Unfounded::Exhausted),
                Some(value) => {
                    self.unfoldings -= 1;
                    self.walk(value, arguments)
                }
                None => Err(Unfounded::NotStructural),
            },
            Term::Constructor(..) => {
                join_deferred(&mut pending, &arguments);
                Ok(pending)
            }
            Term::Cast(inner, _, ty) => {
                pending.join(&self.walk(Closure { term: ty, ..at }, Vec::new())?.0);
                pending.join(&self.walk(Closure { term: inner, ..at }, arguments)?.0);
                Ok(pending)
            }
            Term::Fix(fix) => self.walk_fix(&fix, at, &arguments).map_err(|reason| match reason {
                Unfounded::NotStructural => Unfounded::InnerFunction,
                other => other,
            }),
            _ if deferred => Err(Unfounded::NotStructural),
            Term::CoFix(cofix) => self.walk_cofix(&cofix, at),
            term @ (Term::Prod(..) | Term::Array(..)) => {
                for (part, binders) in parts(&term) {
                    let env = self.bind_plain(at.env, binders);
                    pending.join(&self.walk(Closure { term: part, env, ..at }, Vec::new())?.0);
                }
                Ok(pending)
            }
            Term::Var(_)
            | Term::Sort(_)
            | Term::Inductive(..)
            | Term::Int(_)
            | Term::Float(_)
            | Term::Text(_) => Err(Unfounded::NotStructural),
        }
    }

    /// Checks an argument by itself. Its own pending conditions make it deferred; the others remain pending in the
    /// application.
    fn argument(&mut self, at: Closure) -> Result<(Argument, Pending), Unfounded> {
        let from = self.fresh;
        let mut pending = self.walk(at, Vec::new())?;
        let inner = pending.inner(from);
        Ok((Argument::Term(at, inner), pending))
    }

    /// The size of the argument of a function that is not yet applied.
    fn fresh_size(&mut self) -> Status {
        self.fresh += 1;
        Status::Pending(self.fresh - 1)
    }

    fn bind_argument(&mut self, env: Env, argument: &Argument) -> Result<Env, Unfounded> {
        Ok(match argument {
            Argument::Term(value, deferred) => {
                let mark = self.marks(*value)?;
                // Accepted terms are not visited again.
                let mark = if deferred.is_some() { mark | CALL } else { mark & !CALL };
                self.bind(env, Bound::Value(*value, None), mark)
            }
            Argument::Size(size) => self.bind(env, Bound::Plain(*size), 0),
        })
    }

    fn call(&mut self, which: u32, arguments: &[Argument]) -> Result<Pending, Unfounded> {
        let (structural, tree) = self.calls[which as usize];
        let Some(last) = arguments.len().checked_sub(structural as usize + 1) else {
            return Ok(Pending::of(PARTIAL));
        };
        if arguments.iter().any(Argument::is_deferred) {
            return Err(Unfounded::HiddenCall);
        }
        match self.argument_size(&arguments[last])? {
            Status::Part { strict: true, tree: found } if self.same_tree(found, tree)? => {
                Ok(Pending::default())
            }
            Status::Dead => Ok(Pending::default()),
            Status::Pending(function) => Ok(Pending::of(function)),
            _ => Err(self.likely_reason(&arguments[last])?),
        }
    }

    fn walk_match(
        &mut self,
        case: &Rc<Case>,
        at: Closure,
        arguments: Vec<Argument>,
    ) -> Result<Pending, Unfounded> {
        let mut pending = Pending::default();
        let types = case.parameters.iter().chain(case.indices.iter().flat_map(|indices| indices.iter()));
        for &term in types {
            pending.join(&self.walk(Closure { term, ..at }, Vec::new())?.0);
        }
        let env = self.bind_plain(at.env, case.returns.0);
        pending.join(&self.walk(Closure { term: case.returns.1, env, ..at }, Vec::new())?.0);
        let scrutinee = Closure { term: case.scrutinee, ..at };
        let (argument, outer) = self.argument(scrutinee)?;
        pending.join(&outer.0);
        if argument.is_deferred() {
            let made = self.constructor(scrutinee)?;
            let Some((number, given)) = made else { return Err(Unfounded::NotStructural) };
            let branch = case.branches.get(number as usize).copied();
            let Some((_, body)) = branch.filter(|branch| branch.0 as usize == given.len()) else {
                return Err(Unfounded::NotStructural);
            };
            let mut env = at.env;
            for value in given {
                let (argument, outer) = self.argument(value)?;
                pending.join(&outer.0);
                env = self.bind_argument(env, &argument)?;
            }
            pending.join(&self.walk(Closure { term: body, env, ..at }, arguments)?.0);
            return Ok(pending);
        }
        let (arguments, lost, _) = self.through_match(case, at, arguments)?;
        if lost {
            return Err(Unfounded::CastAlongEquation);
        }
        let deferred = arguments.iter().any(Argument::is_deferred);
        let mut size = None;
        for (number, &(binders, body)) in case.branches.iter().enumerate() {
            let env = self.bind_plain(at.env, binders);
            if !deferred && self.marks(Closure { term: body, env, ..at })? & CALL == 0 {
                continue;
            }
            let size = match size {
                Some(size) => size,
                None => *size.insert(self.size(scrutinee, Vec::new())?),
            };
            let branch = self.branch(case, at, size, number);
            pending.join(&self.walk(branch, arguments.clone())?.0);
        }
        Ok(pending)
    }

    /// An inner function. Only its decreasing argument keeps its size.
    fn walk_fix(&mut self, fix: &Rc<Fix>, at: Closure, arguments: &[Argument]) -> Result<Pending, Unfounded> {
        if arguments.iter().any(Argument::is_deferred) {
            return Err(Unfounded::InnerFunction);
        }
        let mut pending = self.walk_all(&fix.types, at)?;
        let env = self.bind_plain(at.env, u32::try_from(fix.bodies.len()).unwrap_or(u32::MAX));
        for (number, &body) in fix.bodies.iter().enumerate() {
            let body = Closure { term: body, env, ..at };
            let structural = *fix.structural.get(number).ok_or(Unfounded::NoPlainFunction)?;
            if !self.is_function(body, structural)? {
                return Err(Unfounded::NoPlainFunction);
            }
            let given = arguments.len().checked_sub(structural as usize + 1);
            let size = match given {
                _ if number != fix.index as usize => Status::None,
                Some(given) => self.argument_size(&arguments[given])?,
                None => self.fresh_size(),
            };
            pending.join(&self.walk(body, sizes(structural, size))?.0);
        }
        Ok(pending)
    }

    fn walk_cofix(&mut self, cofix: &Rc<CoFix>, at: Closure) -> Result<Pending, Unfounded> {
        let mut pending = self.walk_all(&cofix.types, at)?;
        let env = self.bind_plain(at.env, u32::try_from(cofix.bodies.len()).unwrap_or(u32::MAX));
        pending.join(&self.walk_all(&cofix.bodies, Closure { env, ..at })?.0);
        Ok(pending)
    }

    fn walk_all(&mut self, terms: &[TermId], at: Closure) -> Result<Pending, Unfounded> {
        let mut pending = Pending::default();
        for &term in terms {
            pending.join(&self.walk(Closure { term, ..at }, Vec::new())?.0);
        }
        Ok(pending)
    }

    /// Why an argument is not known to be smaller.
    fn likely_reason(&mut self, argument: &Argument) -> Result<Unfounded, Unfounded> {
        let Argument::Term(at, _) = *argument else { return Ok(Unfounded::NotStructural) };
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            self.step()?;
            match self.term(at) {
                Term::Rel(number) => {
                    let bound = self.variable(at.env, number).map(|variable| self.node(variable).bound);
                    if let Some(Bound::Value(value, _)) = bound {
                        open.push(value);
                    }
                }
                Term::App(function, _) => open.push(Closure { term: function, ..at }),
                Term::Cast(inner, ..) => open.push(Closure { term: inner, ..at }),
                Term::Case(case) if case.returns.0 > 1 => return Ok(Unfounded::CastAlongEquation),
                Term::Case(case)
                    if matches!(self.term(Closure { term: case.scrutinee, ..at }), Term::Case(_)) =>
                {
                    return Ok(Unfounded::MatchOnMatch);
                }
                Term::Fix(fix) => {
                    for (&term, &structural) in fix.bodies.iter().zip(&fix.structural) {
                        if !self.is_function(Closure { term, ..at }, structural)? {
                            return Ok(Unfounded::NoPlainFunction);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(Unfounded::NotStructural)
    }
}

/// Arguments of unknown size, except for the last.
fn sizes(structural: u32, size: Status) -> Vec<Argument> {
    let mut arguments = vec![Argument::Size(Status::None); structural as usize + 1];
    arguments[0] = Argument::Size(size);
    arguments
}

fn join_deferred(pending: &mut Pending, arguments: &[Argument]) {
    for argument in arguments {
        if let Argument::Term(_, Some(deferred)) = argument {
            pending.join(deferred);
        }
    }
}
