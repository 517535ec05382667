//! Determines which terms are smaller than the decreasing argument of a function.

use std::collections::HashSet;
use std::rc::Rc;

use super::machine::{Argument, Bound, Closure, Env, INDEX, deep};
use super::{Guard, Unfounded};
use crate::vo::compiled::term::{Case, Fix, Name, Term};
use crate::vo::compiled::trees::{Recursion, TreeId};

/// A tree of a source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tree {
    pub(super) source: u32,
    pub(super) id: TreeId,
}

/// The size of a term.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Status {
    /// Unknown.
    None,
    /// The argument itself, or strictly smaller; with the tree of its recursive parts.
    Part { strict: bool, tree: Tree },
    /// The future argument of an inner function with this number.
    Pending(u32),
    /// Unreachable: inside a match without branches.
    Dead,
}

/// Maximum number of steps for the size of one term; beyond it the size is unknown.
const STEPS_PER_SIZE: u64 = 20_000;

impl Guard<'_> {
    /// The size of a term applied to arguments, last first.
    pub(super) fn size(&mut self, at: Closure, arguments: Vec<Argument>) -> Result<Status, Unfounded> {
        let kept = self.steps.saturating_sub(STEPS_PER_SIZE);
        let (unfoldings, all) = (self.unfoldings, self.steps - kept);
        self.steps = all;
        let size = self.size_within(at, arguments);
        let used_up = self.steps == 0 && kept > 0 && self.all_steps > 0;
        self.steps += kept;
        self.unfoldings = unfoldings;
        match size {
            Err(Unfounded::Exhausted) if used_up => Ok(Status::None),
            size => size,
        }
    }

    pub(super) fn argument_size(&mut self, argument: &Argument) -> Result<Status, Unfounded> {
        match argument {
            Argument::Term(term, _) => deep(|| self.size(*term, Vec::new())),
            Argument::Size(size) => Ok(*size),
        }
    }

    fn size_within(&mut self, mut at: Closure, mut arguments: Vec<Argument>) -> Result<Status, Unfounded> {
        loop {
            self.step()?;
            match self.term(at) {
                Term::Cast(inner, ..) => at.term = inner,
                Term::App(function, given) => {
                    let given = given.iter().rev();
                    arguments.extend(given.map(|&term| Argument::Term(Closure { term, ..at }, None)));
                    at.term = function;
                }
                Term::Lambda(_, body) => {
                    at.env = match arguments.pop() {
                        Some(Argument::Term(argument, _)) => self.bind_value(at.env, argument)?,
                        Some(Argument::Size(size)) => self.bind(at.env, Bound::Plain(size), 0),
                        None => self.bind_plain(at.env, 1),
                    };
                    at.term = body;
                }
                Term::Let(value, _, body) => {
                    at.env = self.bind_value(at.env, Closure { term: value, ..at })?;
                    at.term = body;
                }
                Term::Rel(number) => {
                    let Some(variable) = self.variable(at.env, number) else { return Ok(Status::None) };
                    match self.node(variable).bound {
                        // An application of a part that is a function is a part.
                        Bound::Plain(size) => return Ok(size),
                        Bound::Call(_) => return Ok(Status::None),
                        Bound::Value(_, Some(size)) if arguments.is_empty() => return Ok(size),
                        Bound::Value(value, None) if arguments.is_empty() => {
                            let size = deep(|| self.size_within(value, Vec::new()))?;
                            self.set_size(variable, size);
                            return Ok(size);
                        }
                        Bound::Value(value, _) => at = value,
                    }
                }
                Term::Const(name, _) => match self.unfold(&name) {
                    Some(value) if self.unfoldings > 0 => {
                        self.unfoldings -= 1;
                        at = value;
                    }
                    _ => return Ok(Status::None),
                },
                Term::Case(case) => return self.size_of_match(&case, at, arguments),
                Term::Projection(name, number, field, _, of) => {
                    let size = deep(|| self.size_within(Closure { term: of, ..at }, Vec::new()))?;
                    let fields = match size {
                        Status::Part { tree, .. } => {
                            self.arguments_of(tree, 0).map_or(0, |trees| trees.len())
                        }
                        _ => field as usize + 1,
                    };
                    let fields = u32::try_from(fields).expect("a constructor has not so many arguments");
                    let fields = self.sizes_below(size, (&name, number), 0, fields);
                    return Ok(fields.get(field as usize).copied().unwrap_or(Status::None));
                }
                Term::Fix(fix) => return self.size_of_fix(&fix, at, &arguments),
                _ => return Ok(Status::None),
            }
        }
    }

    fn size_of_match(
        &mut self,
        case: &Rc<Case>,
        at: Closure,
        arguments: Vec<Argument>,
    ) -> Result<Status, Unfounded> {
        if case.branches.is_empty() {
            return Ok(Status::Dead);
        }
        let scrutinee = Closure { term: case.scrutinee, ..at };
        if let Some((number, given)) = deep(|| self.constructor(scrutinee))?
            && let Some(&(binders, term)) = case.branches.get(number as usize)
            && binders as usize == given.len()
        {
            let mut env = at.env;
            for argument in given {
                env = self.bind_value(env, argument)?;
            }
            return deep(|| self.size_within(Closure { term, env, ..at }, arguments));
        }
        let (arguments, _, result) = self.through_match(case, at, arguments)?;
        let scrutinee = deep(|| self.size_within(scrutinee, Vec::new()))?;
        let mut size = Status::Dead;
        for number in 0..case.branches.len() {
            let branch = self.branch(case, at, scrutinee, number);
            let other = deep(|| self.size_within(branch, arguments.clone()))?;
            size = self.either(size, other)?;
            if size == Status::None {
                break;
            }
        }
        match size {
            Status::Part { tree, .. } if !self.keeps_type(result, tree)? => Ok(Status::None),
            size => Ok(size),
        }
    }

    /// The size of the result of a recursive function, if it maps smaller arguments to smaller results.
    fn size_of_fix(
        &mut self,
        fix: &Rc<Fix>,
        at: Closure,
        arguments: &[Argument],
    ) -> Result<Status, Unfounded> {
        let index = fix.index as usize;
        let (Some(&structural), Some(&ty), Some(&body)) =
            (fix.structural.get(index), fix.types.get(index), fix.bodies.get(index))
        else {
            return Ok(Status::None);
        };
        if !self.is_function(Closure { term: body, ..at }, structural)? {
            return Ok(Status::None);
        }
        let Some((name, number, _)) = self.result_type(Closure { term: ty, ..at })? else {
            return Ok(Status::None);
        };
        let Some(tree) = self.tree_of(&name, number) else { return Ok(Status::None) };
        let last = arguments.len().checked_sub(structural as usize + 1).map(|at| &arguments[at]);
        let size = match last {
            Some(argument) => self.argument_size(argument)?,
            None => Status::None,
        };
        let mut env = at.env;
        for which in 0..fix.bodies.len() {
            let size = if which == index { Status::Part { strict: true, tree } } else { Status::None };
            env = self.bind(env, Bound::Plain(size), 0);
        }
        let given = arguments.len().max(structural as usize + 1);
        let mut sizes = vec![Argument::Size(Status::None); given];
        sizes[given - 1 - structural as usize] = Argument::Size(size);
        deep(|| self.size_within(Closure { term: body, env, ..at }, sizes))
    }

    /// A branch of a match on a term of a size, in the environment with its variables.
    pub(super) fn branch(&mut self, case: &Case, at: Closure, scrutinee: Status, number: usize) -> Closure {
        let (binders, body) = case.branches[number];
        let name = (&case.inductive.0, case.inductive.1);
        let env = self
            .sizes_below(scrutinee, name, number, binders)
            .into_iter()
            .fold(at.env, |env, size| self.bind(env, Bound::Plain(size), 0));
        Closure { term: body, env, ..at }
    }

    /// The sizes of the arguments of a constructor of a term of a size.
    fn sizes_below(
        &self,
        size: Status,
        (name, number): (&Name, u32),
        constructor: usize,
        count: u32,
    ) -> Vec<Status> {
        let all = |size| vec![size; count as usize];
        let Status::Part { tree, .. } = size else { return all(size) };
        let Recursion::Type(found, at) = &self.tree(tree).recursion else { return all(Status::None) };
        if found.canonical != name.canonical || *at != number {
            return all(Status::None);
        }
        match self.arguments_of(tree, constructor) {
            // If there are `let`s, their positions are not determined.
            Some(below) if below.len() == count as usize => below
                .into_iter()
                .map(|tree| match self.tree(tree).recursion {
                    Recursion::None => Status::None,
                    _ => Status::Part { strict: true, tree },
                })
                .collect(),
            _ => all(Status::None),
        }
    }

    /// The trees of the arguments of a constructor.
    pub(super) fn arguments_of(&self, tree: Tree, constructor: usize) -> Option<Vec<Tree>> {
        let of = |id| Tree { source: tree.source, id };
        let constructor = *self.tree(tree).below.get(constructor)?;
        Some(self.tree(of(constructor)).below.iter().map(|&id| of(id)).collect())
    }

    /// The size of a term that has one of two sizes.
    fn either(&mut self, one: Status, other: Status) -> Result<Status, Unfounded> {
        Ok(match (one, other) {
            (Status::Dead, size) | (size, Status::Dead) => size,
            (Status::Part { strict, tree }, Status::Part { strict: also, tree: second })
                if self.same_tree(tree, second)? =>
            {
                Status::Part { strict: strict && also, tree }
            }
            (Status::Pending(one), Status::Pending(other)) if one == other => Status::Pending(one),
            _ => Status::None,
        })
    }

    /// Whether the infinite unfoldings of two trees are equal.
    pub(super) fn same_tree(&mut self, one: Tree, other: Tree) -> Result<bool, Unfounded> {
        let (mut open, mut met) = (vec![(one, other)], HashSet::new());
        while let Some((one, other)) = open.pop() {
            if one == other || !met.insert((one, other)) {
                continue;
            }
            self.step()?;
            let (left, right) = (self.tree(one), self.tree(other));
            let same = match (&left.recursion, &right.recursion) {
                (Recursion::None, Recursion::None) => true,
                (Recursion::Type(l, n), Recursion::Type(r, m)) => l.canonical == r.canonical && n == m,
                _ => false,
            };
            if !same || left.below.len() != right.below.len() {
                return Ok(false);
            }
            let below = left.below.iter().zip(&right.below);
            open.extend(
                below.map(|(&l, &r)| {
                    (Tree { source: one.source, id: l }, Tree { source: other.source, id: r })
                }),
            );
        }
        Ok(true)
    }

    /// The arguments of a match as passed to its branches, whether a deferred condition was lost, and
    /// the resulting type of the match. An argument whose type the match may change is dropped except for its size.
    pub(super) fn through_match(
        &mut self,
        case: &Case,
        at: Closure,
        mut arguments: Vec<Argument>,
    ) -> Result<(Vec<Argument>, bool, Closure), Unfounded> {
        let (binders, ty) = case.returns;
        let env = (0..binders).fold(at.env, |env, _| self.bind(env, Bound::Plain(Status::None), INDEX));
        let mut ty = Closure { term: ty, env, ..at };
        let (mut lost, mut known) = (false, true);
        for argument in arguments.iter_mut().rev() {
            let product = if known { self.product(ty)? } else { None };
            let Some((domain, body)) = product else {
                known = false;
                lost |= argument.is_deferred();
                *argument = Argument::Size(Status::None);
                continue;
            };
            let mark = self.marks(domain)? & INDEX;
            ty = Closure { env: self.bind(body.env, Bound::Plain(Status::None), mark), ..body };
            if mark == 0 {
                continue;
            }
            lost |= argument.is_deferred();
            let size = match self.argument_size(argument)? {
                Status::Part { strict, tree } if self.keeps_type(domain, tree)? => {
                    Status::Part { strict, tree }
                }
                _ => Status::None,
            };
            *argument = Argument::Size(size);
        }
        Ok((arguments, lost, ty))
    }

    /// Whether a type is the inductive type of a tree, with the same parameters, in all branches of a match.
    pub(super) fn keeps_type(&mut self, ty: Closure, tree: Tree) -> Result<bool, Unfounded> {
        let Some((name, number, arguments)) = self.result_type(ty)? else { return Ok(false) };
        let Recursion::Type(expected, at) = &self.tree(tree).recursion else { return Ok(false) };
        if expected.canonical != name.canonical || *at != number {
            return Ok(false);
        }
        let Some((_, shape)) = self.shape(&name) else { return Ok(false) };
        if arguments.len() < shape.parameters as usize {
            return Ok(false);
        }
        for &parameter in &arguments[..shape.parameters as usize] {
            if self.marks(parameter)? & INDEX != 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a body begins with enough nested functions to bind the argument with a given index.
    pub(super) fn is_function(&mut self, mut at: Closure, structural: u32) -> Result<bool, Unfounded> {
        let mut missing = u64::from(structural) + 1;
        while missing > 0 {
            self.step()?;
            match self.term(at) {
                Term::Lambda(_, body) => {
                    missing -= 1;
                    at.term = body;
                }
                Term::Cast(inner, ..) => at.term = inner,
                Term::Let(_, _, body) => at.term = body,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The environment of a body, in which the variables of the block are calls.
    pub(super) fn bind_block(&mut self, env: Env, count: usize, mark: u8) -> Env {
        (0..count).fold(env, |env, number| {
            let number = u32::try_from(number).expect("there are no more values than that");
            self.bind(env, Bound::Call(number), mark)
        })
    }
}
