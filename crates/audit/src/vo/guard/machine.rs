//! Terms in environments.

use std::rc::Rc;

use super::size::{Status, Tree};
use super::{Guard, Unfounded};
use crate::vo::compiled::Library;
use crate::vo::compiled::libraries::{Outline, Shape, Shown};
use crate::vo::compiled::term::{Name, Path, Root, Term, TermId};
use crate::vo::compiled::trees;

/// Terms may be deeply nested: with less stack than this, the check continues on a new segment.
const RED_ZONE_BYTES: usize = 128 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// Continues, on a new stack segment if necessary.
pub(super) fn deep<T>(go_on: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, go_on)
}

/// The sources of terms.
pub(super) enum Source<'a> {
    Own(&'a Library, Outline),
    Library(Shown),
}

impl Source<'_> {
    pub(super) fn library(&self) -> &Library {
        match self {
            Self::Own(library, _) => library,
            Self::Library(shown) => &shown.0,
        }
    }

    fn outline(&self) -> &Outline {
        match self {
            Self::Own(_, outline) => outline,
            Self::Library(shown) => &shown.1,
        }
    }
}

/// An environment: the number of its innermost variable, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Env(u32);

impl Env {
    pub(super) const EMPTY: Self = Self(0);
}

/// A term of a source with its environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Closure {
    pub(super) source: u32,
    pub(super) term: TermId,
    pub(super) env: Env,
}

/// A mark of a variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Bound {
    Plain(Status),
    /// A function or value under check.
    Call(u32),
    /// A variable with a value, whose size may not be known yet.
    Value(Closure, Option<Status>),
}

/// A function under check, or a variable whose value mentions one at a place that was not accepted as it is.
pub(super) const CALL: u8 = 1;
/// An index variable in the return type of a match.
pub(super) const INDEX: u8 = 2;

/// A variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    next: Env,
    pub(super) bound: Bound,
    pub(super) mark: u8,
    /// The marks of all variables from this one outwards.
    all_marks: u8,
}

/// An argument.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// A term, with its pending conditions if it was not accepted as it is.
    Term(Closure, Option<Rc<[u32]>>),
    /// An argument of which only the size is known.
    Size(Status),
}

impl Argument {
    pub(super) fn is_deferred(&self) -> bool {
        matches!(self, Self::Term(_, Some(_)))
    }
}

/// The subterms of a term, with the number of variables that it binds in each.
pub(super) fn parts(term: &Term) -> Vec<(TermId, u32)> {
    let count = |terms: &[TermId]| u32::try_from(terms.len()).expect("there are no more terms than that");
    match term {
        Term::Prod(domain, body) | Term::Lambda(domain, body) => vec![(*domain, 0), (*body, 1)],
        Term::Let(value, ty, body) => vec![(*value, 0), (*ty, 0), (*body, 1)],
        Term::Case(case) => {
            let mut parts: Vec<_> = case.parameters.iter().map(|&part| (part, 0)).collect();
            parts.extend(case.indices.iter().flat_map(|indices| indices.iter()).map(|&part| (part, 0)));
            parts.push((case.returns.1, case.returns.0));
            parts.push((case.scrutinee, 0));
            parts.extend(case.branches.iter().map(|&(binders, body)| (body, binders)));
            parts
        }
        Term::Fix(fix) => {
            let bodies = fix.bodies.iter().map(|&body| (body, count(&fix.bodies)));
            fix.types.iter().map(|&ty| (ty, 0)).chain(bodies).collect()
        }
        Term::CoFix(cofix) => {
            let bodies = cofix.bodies.iter().map(|&body| (body, count(&cofix.bodies)));
            cofix.types.iter().map(|&ty| (ty, 0)).chain(bodies).collect()
        }
        other => {
            let mut parts = Vec::new();
            other.each_part(|part| parts.push((part, 0)));
            parts
        }
    }
}

impl Guard<'_> {
    pub(super) fn step(&mut self) -> Result<(), Unfounded> {
        if self.steps == 0 || self.all_steps == 0 {
            return Err(Unfounded::Exhausted);
        }
        self.steps -= 1;
        self.all_steps -= 1;
        Ok(())
    }

    pub(super) fn term(&self, at: Closure) -> Term {
        self.sources[at.source as usize].library()[at.term].clone()
    }

    pub(super) fn tree(&self, tree: Tree) -> &trees::Tree {
        self.sources[tree.source as usize].library().trees.node(tree.id)
    }

    pub(super) fn node(&self, env: Env) -> &Node {
        &self.nodes[env.0 as usize - 1]
    }

    pub(super) fn set_size(&mut self, env: Env, size: Status) {
        if let Bound::Value(_, known) = &mut self.nodes[env.0 as usize - 1].bound {
            *known = Some(size);
        }
    }

    /// A variable by its index, 1 for the innermost.
    pub(super) fn variable(&self, mut env: Env, number: u32) -> Option<Env> {
        for _ in 1..number {
            if env == Env::EMPTY {
                return None;
            }
            env = self.node(env).next;
        }
        (env != Env::EMPTY).then_some(env)
    }

    pub(super) fn bind(&mut self, next: Env, bound: Bound, mark: u8) -> Env {
        let outer = if next == Env::EMPTY { 0 } else { self.node(next).all_marks };
        self.nodes.push(Node { next, bound, mark, all_marks: mark | outer });
        Env(u32::try_from(self.nodes.len()).expect("steps are fewer than that"))
    }

    /// Binds a variable to a value, with the marks of everything that the value mentions.
    pub(super) fn bind_value(&mut self, next: Env, value: Closure) -> Result<Env, Unfounded> {
        let mark = self.marks(value)?;
        Ok(self.bind(next, Bound::Value(value, None), mark))
    }

    /// Binds unknown variables.
    pub(super) fn bind_plain(&mut self, env: Env, count: u32) -> Env {
        (0..count).fold(env, |env, _| self.bind(env, Bound::Plain(Status::None), 0))
    }

    /// The environment with the same number of variables, without values.
    pub(super) fn without_values(&mut self, mut env: Env) -> Env {
        let mut count = 0;
        while env != Env::EMPTY {
            env = self.node(env).next;
            count += 1;
        }
        self.bind_plain(Env::EMPTY, count)
    }

    /// The free variables of a term, in order.
    pub(super) fn free_variables(&mut self, source: u32, term: TermId) -> Result<Rc<[u32]>, Unfounded> {
        if let Some(known) = self.free.get(&(source, term)) {
            return Ok(Rc::clone(known));
        }
        self.step()?;
        let node = self.term(Closure { source, term, env: Env::EMPTY });
        let free: Rc<[u32]> = match node {
            Term::Rel(number) => [number].into(),
            node => {
                let mut free = Vec::new();
                for (part, binders) in parts(&node) {
                    let part = deep(|| self.free_variables(source, part))?;
                    free.extend(part.iter().filter(|&&v| v > binders).map(|v| v - binders));
                }
                free.sort_unstable();
                free.dedup();
                // Each costs a step, which bounds the memory.
                let count = free.len() as u64 / 8;
                self.all_steps = self.all_steps.checked_sub(count).ok_or(Unfounded::Exhausted)?;
                free.into()
            }
        };
        self.free.insert((source, term), Rc::clone(&free));
        Ok(free)
    }

    /// The marks of all variables that a term mentions.
    pub(super) fn marks(&mut self, at: Closure) -> Result<u8, Unfounded> {
        if at.env == Env::EMPTY || self.node(at.env).all_marks == 0 {
            return Ok(0);
        }
        let (mut env, mut number, mut marks) = (at.env, 1, 0);
        for &variable in self.free_variables(at.source, at.term)?.iter() {
            while number < variable && env != Env::EMPTY {
                env = self.node(env).next;
                number += 1;
            }
            if env == Env::EMPTY || self.node(env).all_marks == 0 {
                break;
            }
            marks |= self.node(env).mark;
        }
        Ok(marks)
    }

    /// The declaration of a name: the source, and the path in it.
    fn place(&mut self, path: &Path) -> Option<(u32, Path)> {
        let own = Path { root: Root::Own, labels: path.labels.clone() };
        match &path.root {
            Root::Own => Some((0, own)),
            Root::Parameter(_) => Some((0, path.clone())),
            Root::Library(name) => {
                if let Some(known) = self.loaded.get(name) {
                    return known.map(|source| (source, own));
                }
                let source = self.libraries.get(name).map(|shown| {
                    self.sources.push(Source::Library(shown));
                    u32::try_from(self.sources.len() - 1).expect("there are not so many libraries")
                });
                self.loaded.insert(Rc::clone(name), source);
                source.map(|source| (source, own))
            }
        }
    }

    /// The value of a constant, if it is transparent.
    pub(super) fn unfold(&mut self, name: &Name) -> Option<Closure> {
        [&name.user, &name.canonical].into_iter().find_map(|path| {
            let (source, place) = self.place(path)?;
            let term = *self.sources[source as usize].outline().values.get(&place)?;
            Some(Closure { source, term, env: Env::EMPTY })
        })
    }

    /// An inductive block and its source.
    pub(super) fn shape(&mut self, name: &Name) -> Option<(u32, Shape)> {
        [&name.user, &name.canonical].into_iter().find_map(|path| {
            let (source, place) = self.place(path)?;
            let shape = self.sources[source as usize].outline().inductives.get(&place)?;
            Some((source, shape.clone()))
        })
    }

    /// The tree of an inductive type.
    pub(super) fn tree_of(&mut self, name: &Name, number: u32) -> Option<Tree> {
        let (source, shape) = self.shape(name)?;
        Some(Tree { source, id: *shape.trees.get(number as usize)? })
    }

    /// Reduces the head of a term: functions, definitions, matches and projections, but no recursive functions.
    /// Arguments are listed last first; `None` is an unknown argument.
    pub(super) fn head(
        &mut self,
        mut at: Closure,
        mut arguments: Vec<Option<Closure>>,
    ) -> Result<(Closure, Term, Vec<Option<Closure>>), Unfounded> {
        loop {
            self.step()?;
            let term = self.term(at);
            match &term {
                Term::Cast(inner, ..) => at.term = *inner,
                Term::App(function, given) => {
                    arguments.extend(given.iter().rev().map(|&term| Some(Closure { term, ..at })));
                    at.term = *function;
                }
                Term::Lambda(_, body) => {
                    let Some(argument) = arguments.pop() else { return Ok((at, term, arguments)) };
                    at.env = match argument {
                        Some(argument) => self.bind_value(at.env, argument)?,
                        None => self.bind_plain(at.env, 1),
                    };
                    at.term = *body;
                }
                Term::Let(value, _, body) => {
                    at.env = self.bind_value(at.env, Closure { term: *value, ..at })?;
                    at.term = *body;
                }
                Term::Rel(number) => match self.variable(at.env, *number).map(|v| self.node(v).bound) {
                    Some(Bound::Value(value, _)) => at = value,
                    _ => return Ok((at, term, arguments)),
                },
                Term::Const(name, _) => match self.unfold(name) {
                    Some(value) if self.unfoldings > 0 => {
                        self.unfoldings -= 1;
                        at = value;
                    }
                    _ => return Ok((at, term, arguments)),
                },
                Term::Case(case) => {
                    match deep(|| self.constructor(Closure { term: case.scrutinee, ..at }))? {
                        Some((number, given)) => {
                            let branch = case.branches.get(number as usize).copied();
                            match branch {
                                Some((binders, body)) if binders as usize == given.len() => {
                                    for argument in given {
                                        at.env = self.bind_value(at.env, argument)?;
                                    }
                                    at.term = body;
                                }
                                _ => return Ok((at, term, arguments)),
                            }
                        }
                        None => return Ok((at, term, arguments)),
                    }
                }
                Term::Projection(.., field, _, of) => {
                    let made = deep(|| self.constructor(Closure { term: *of, ..at }))?;
                    match made.and_then(|(_, given)| given.get(*field as usize).copied()) {
                        Some(value) => at = value,
                        None => return Ok((at, term, arguments)),
                    }
                }
                _ => return Ok((at, term, arguments)),
            }
        }
    }

    /// The constructor that a term reduces to: its index, from 0, and its arguments without parameters.
    pub(super) fn constructor(&mut self, at: Closure) -> Result<Option<(u32, Vec<Closure>)>, Unfounded> {
        let (_, head, arguments) = self.head(at, Vec::new())?;
        let Term::Constructor(name, _, number, _) = head else { return Ok(None) };
        let Some((_, shape)) = self.shape(&name) else { return Ok(None) };
        let given: Option<Vec<Closure>> =
            arguments.into_iter().rev().skip(shape.parameters as usize).collect();
        Ok(given.zip(number.checked_sub(1)).map(|(given, number)| (number, given)))
    }

    /// The domain and codomain of a type that is, or reduces to, a product.
    pub(super) fn product(&mut self, ty: Closure) -> Result<Option<(Closure, Closure)>, Unfounded> {
        let (at, head, arguments) = self.head(ty, Vec::new())?;
        Ok(match head {
            Term::Prod(domain, body) if arguments.is_empty() => {
                Some((Closure { term: domain, ..at }, Closure { term: body, ..at }))
            }
            _ => None,
        })
    }

    /// The inductive type after all products of a type, and its arguments, first to last.
    pub(super) fn result_type(&mut self, mut ty: Closure) -> Result<Option<ResultType>, Unfounded> {
        loop {
            let (at, head, arguments) = self.head(ty, Vec::new())?;
            match head {
                Term::Prod(_, body) if arguments.is_empty() => {
                    let env = self.bind_plain(at.env, 1);
                    ty = Closure { term: body, env, ..at };
                }
                Term::Inductive(name, number, _) => {
                    return Ok(Some((name, number, arguments.into_iter().rev().flatten().collect())));
                }
                _ => return Ok(None),
            }
        }
    }
}

/// An inductive type, its index in the block, and its arguments.
pub(super) type ResultType = (Name, u32, Vec<Closure>);
