//! Casts by the virtual machine that depend on a section variable with a value. A tactic can change the value that the
//! machine uses for it (rocq#16957), so no such computation is trusted, whatever created the cast.
//!
//! Such a variable appears in a compiled file in three ways. An opaque proof mentions it by name. A transparent
//! value begins with a `let` for each. In types it is replaced by its value, without a trace.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::submission::{Mark, Submission, roots};
use super::triggers::first;
use crate::rocq::comparison::Walk;
use crate::rocq::compiled::Library;
use crate::rocq::compiled::declaration::*;
use crate::rocq::compiled::libraries::standard;
use crate::rocq::compiled::term::*;

/// The position of such a cast.
pub(super) fn spoken_of(submission: &Submission) -> Option<Path> {
    let has_cast = |term| submission.has(term, Mark::VmCast);
    if !submission.declared.iter().any(|declared| roots(declared.field).any(|root| has_cast(root.term))) {
        return None;
    }
    let casts = Casts::new(submission);
    first(submission, |declared| match declared.field {
        Field::Constant(Constant { ty, body: Body::Transparent(value), .. }) => {
            let (lets, spoken_of) = casts.prefix(*value);
            lets && (has_cast(*ty) || spoken_of || casts.reach_let(*value))
        }
        Field::Constant(Constant { ty, body: Body::Opaque(opaque), .. }) => {
            let is_let =
                |name: &str| opaque.discharged.iter().any(|(known, value)| *value && **known == *name);
            opaque.discharged.iter().any(|(_, value)| *value)
                && (has_cast(*ty)
                    || opaque.proof.is_some_and(|proof| {
                        let is_met =
                            |mention: &Mention| matches!(mention, Mention::Variable(name) if is_let(name));
                        casts.spoken_of(proof).iter().any(is_met) || casts.reach_let(proof)
                    }))
        }
        Field::Constant(_) | Field::Module(_) | Field::ModuleType(_) => false,
        Field::Inductive(_) => roots(declared.field).any(|root| has_cast(root.term)),
    })
}

/// Something that a term mentions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mention {
    /// A loose variable; 1 is the innermost.
    Bound(u32),
    /// A variable of a section.
    Variable(Rc<str>),
    /// A declaration of the file.
    Own(Rc<Path>),
}

type Mentions = Rc<BTreeSet<Mention>>;

/// The casts of a submission, and what they mention.
struct Casts<'s, 'a> {
    submission: &'s Submission<'a>,
    /// What the casts in a term mention, directly or through an enclosing `let`.
    spoken_of: HashMap<TermId, Mentions>,
    nothing: Mentions,
}

impl<'s, 'a> Casts<'s, 'a> {
    fn new(submission: &'s Submission<'a>) -> Self {
        let library = submission.library;
        let nothing = Mentions::default();
        let mut casts = Self { submission, spoken_of: HashMap::new(), nothing: nothing.clone() };
        let inside = casts.inside();
        // Subterms come before the term.
        let mut mentioned: HashMap<TermId, Mentions> = HashMap::new();
        for (id, term) in library.terms() {
            if inside.contains(&id) {
                let itself = match term {
                    Term::Rel(index) => vec![Mention::Bound(*index)],
                    Term::Var(name) => vec![Mention::Variable(name.clone())],
                    term => term.name().map_or_else(Vec::new, |name| {
                        let paths = [&name.user, &name.canonical].into_iter().filter(|path| path.is_own());
                        paths.map(|path| Mention::Own(path.clone())).collect()
                    }),
                };
                let found = of_parts(term, itself.into_iter().collect(), &mentioned, &nothing);
                mentioned.insert(id, found);
            }
            if submission.has(id, Mark::VmCast) {
                let found = match *term {
                    Term::Cast(term, CastKind::Vm, ty) => match rewritten(library, term) {
                        Some(of_type) => {
                            let parts = of_type.into_iter().chain([ty]);
                            Rc::new(parts.flat_map(|part| (*mentioned[&part]).clone()).collect())
                        }
                        None => mentioned[&id].clone(),
                    },
                    Term::Let(value, _, body) if casts.spoken_of(body).contains(&Mention::Bound(1)) => {
                        of_parts(term, (*mentioned[&value]).clone(), &casts.spoken_of, &nothing)
                    }
                    _ => of_parts(term, BTreeSet::new(), &casts.spoken_of, &nothing),
                };
                casts.spoken_of.insert(id, found);
            }
        }
        casts
    }

    /// The terms inside casts, and inside values that casts may mention.
    fn inside(&self) -> HashSet<TermId> {
        let library = self.submission.library;
        let (mut inside, mut open) = (HashSet::new(), Vec::new());
        for (id, term) in library.terms() {
            match term {
                Term::Cast(_, CastKind::Vm, _) => open.push(id),
                Term::Let(value, _, body) if self.submission.has(*body, Mark::VmCast) => open.push(*value),
                _ => {}
            }
        }
        while let Some(term) = open.pop() {
            if inside.insert(term) {
                library[term].each_part(|part| open.push(part));
            }
        }
        inside
    }

    fn spoken_of(&self, term: TermId) -> &Mentions {
        self.spoken_of.get(&term).unwrap_or(&self.nothing)
    }

    /// Whether a value begins with `let`s, and whether casts mention one of these.
    fn prefix(&self, mut value: TermId) -> (bool, bool) {
        let (mut lets, mut spoken_of) = (false, false);
        loop {
            value = match self.submission.library[value] {
                Term::Lambda(_, body) => body,
                Term::Let(.., body) => {
                    lets = true;
                    spoken_of |= self.spoken_of(body).contains(&Mention::Bound(1));
                    body
                }
                _ => return (lets, spoken_of),
            }
        }
    }

    /// Whether casts in a term mention a declaration of the file that begins with a `let`, or depends on one that does.
    fn reach_let(&self, term: TermId) -> bool {
        let submission = self.submission;
        let mut walk = Walk::new(submission.library);
        for mention in self.spoken_of(term).iter() {
            if let Mention::Own(path) = mention {
                walk.name(path);
            }
        }
        while let Some(path) = walk.names.pop() {
            for declared in submission.at(&path) {
                let begins_with_let = match declared.field {
                    Field::Constant(Constant { body: Body::Transparent(value), .. }) => self.prefix(*value).0,
                    Field::Inductive(block) => {
                        let taken = block.types.iter().flat_map(|one| &one.takes).flatten();
                        taken.into_iter().any(|one| one.value.is_some())
                    }
                    _ => false,
                };
                if begins_with_let {
                    return true;
                }
                walk.field(declared.field);
            }
        }
        false
    }
}

/// The machine compares types. The type of a rewriting term, as created by `field`, consists of two of its subterms:
/// the predicate and its argument.
fn rewritten(library: &Library, term: TermId) -> Option<[TermId; 2]> {
    let Term::App(function, arguments) = &library[term] else { return None };
    let Term::Const(name, _) = &library[*function] else { return None };
    match arguments[..] {
        [_, _, predicate, _, of, _]
            if standard(&name.canonical.to_string()) == Some("Init.Logic.eq_ind_r") =>
        {
            Some([predicate, of])
        }
        _ => None,
    }
}

/// What the subterms of a term mention, relative to the term, and additional items.
fn of_parts(
    term: &Term,
    more: BTreeSet<Mention>,
    known: &HashMap<TermId, Mentions>,
    nothing: &Mentions,
) -> Mentions {
    let mut parts: Vec<(&Mentions, u32)> = Vec::new();
    term.each_part_under(|part, under| {
        let of_part = known.get(&part).filter(|of_part| !of_part.is_empty());
        parts.extend(of_part.map(|of_part| (of_part, under)));
    });
    match &parts[..] {
        [] if more.is_empty() => nothing.clone(),
        [(of_part, 0)] if more.is_empty() => (*of_part).clone(),
        parts => {
            let mut all = more;
            for (of_part, under) in parts {
                all.extend(of_part.iter().filter_map(|mention| match mention {
                    Mention::Bound(index) => (index > under).then(|| Mention::Bound(index - under)),
                    other => Some(other.clone()),
                }));
            }
            Rc::new(all)
        }
    }
}
