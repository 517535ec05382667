//! Casts by the virtual machine that depend on a section. The machine keeps the values of a section's variables and
//! constants, and a tactic can have it compute them where the variables stand for something else (rocq#16957). So no
//! computation is trusted that reaches a variable with a value, or a constant that depends on variables, whatever created
//! the cast.
//!
//! The machine compares the type of a term, which the kernel infers, with the type of the cast. The first need not appear
//! in the file. It consists of what the term mentions, and of the types and values of that. So these count, too.
//!
//! Variables appear in a compiled file in three ways. An opaque proof mentions them by name. A transparent value begins
//! with a function or `let` for each. In types, those with a value are replaced by it, without a trace.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::submission::{Declared, Mark, Submission, roots};
use super::triggers::first;
use crate::vo::compiled::Library;
use crate::vo::compiled::declaration::*;
use crate::vo::compiled::libraries::standard;
use crate::vo::compiled::term::*;

/// The position of such a cast.
pub(super) fn computed(submission: &Submission) -> Option<Path> {
    let has_cast = |term| submission.has(term, Mark::VmCast);
    if !submission.declared.iter().any(|declared| roots(declared.field).any(|root| has_cast(root.term))) {
        return None;
    }
    let casts = Casts::new(submission);
    first(submission, |declared| match declared.field {
        Field::Constant(Constant { ty, body, .. }) => {
            has_cast(*ty)
                || match body {
                    Body::Transparent(value) => casts.depend(&casts.in_value(*value)),
                    Body::Opaque(Opaque { proof: Some(proof), discharged, .. }) => {
                        casts.depend(&casts.in_proof(*proof, discharged))
                    }
                    Body::Opaque(_) | Body::Open { .. } | Body::Primitive(_) => false,
                }
        }
        Field::Inductive(_) => roots(declared.field).any(|root| has_cast(root.term)),
        Field::Module(_) | Field::ModuleType(_) => false,
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

/// What the casts of a declaration depend on.
#[derive(Default)]
struct Reach {
    /// Whether the declaration is closed over a variable with a value.
    has_let: bool,
    /// Whether casts depend on such a variable.
    meets_let: bool,
    /// Whether casts depend on a variable of any kind.
    meets_variable: bool,
    /// The declarations of the file that casts depend on, directly.
    own: BTreeSet<Rc<Path>>,
}

/// The casts of a submission, and what they mention.
struct Casts<'s, 'a> {
    submission: &'s Submission<'a>,
    /// What a term mentions, for the terms that `inside` lists.
    mentioned: HashMap<TermId, Mentions>,
    /// What the casts in a term mention, directly or by way of the variables that the term binds.
    spoken_of: HashMap<TermId, Mentions>,
    nothing: Mentions,
}

impl<'s, 'a> Casts<'s, 'a> {
    fn new(submission: &'s Submission<'a>) -> Self {
        let library = submission.library;
        let nothing = Mentions::default();
        let mut casts = Self { submission, mentioned: HashMap::new(), spoken_of: HashMap::new(), nothing };
        let inside = casts.inside();
        // Subterms come before the term.
        for (id, term) in library.terms() {
            if inside.contains(&id) {
                let itself = match term {
                    Term::Rel(index) => BTreeSet::from([Mention::Bound(*index)]),
                    Term::Var(name) => BTreeSet::from([Mention::Variable(name.clone())]),
                    term => own_names(term),
                };
                let found = casts.of_parts(term, itself, &casts.mentioned);
                casts.mentioned.insert(id, found);
            }
            if submission.has(id, Mark::VmCast) {
                let mut more = BTreeSet::new();
                if let Term::Cast(inner, CastKind::Vm, ty) = *term {
                    let compared = rewritten(library, inner).map_or_else(|| vec![inner], Vec::from);
                    let compared = compared.into_iter().chain([ty]);
                    more.extend(compared.flat_map(|part| (*casts.mentioned[&part]).clone()));
                }
                if casts.binds_mentioned(term) {
                    more.extend(own_names(term));
                    of_bound(term, |part| more.extend((*casts.mentioned[&part]).clone()));
                }
                let found = casts.of_parts(term, more, &casts.spoken_of);
                casts.spoken_of.insert(id, found);
            }
        }
        casts
    }

    /// The terms inside casts, and inside the types and values of variables that casts may mention.
    fn inside(&self) -> HashSet<TermId> {
        let library = self.submission.library;
        let (mut inside, mut open) = (HashSet::new(), Vec::new());
        for (id, term) in library.terms().filter(|&(id, _)| self.submission.has(id, Mark::VmCast)) {
            if let Term::Cast(_, CastKind::Vm, _) = term {
                open.push(id);
            }
            of_bound(term, |part| open.push(part));
        }
        for declared in &self.submission.declared {
            if let Field::Constant(Constant { body: Body::Opaque(opaque), .. }) = declared.field
                && opaque.proof.is_some_and(|proof| self.submission.has(proof, Mark::VmCast))
            {
                open.extend(opaque.discharged.iter().flat_map(|one| one.value.into_iter().chain([one.ty])));
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

    /// Whether casts inside a term mention a variable that the term binds.
    fn binds_mentioned(&self, term: &Term) -> bool {
        let mut found = false;
        term.each_part_under(|part, under| {
            // The loose variables are first in order.
            found |= matches!(self.spoken_of(part).first(), Some(Mention::Bound(index)) if *index <= under);
        });
        found
    }

    /// What the subterms of a term mention, relative to the term, and additional items.
    fn of_parts(&self, term: &Term, more: BTreeSet<Mention>, known: &HashMap<TermId, Mentions>) -> Mentions {
        let mut parts: Vec<(&Mentions, u32)> = Vec::new();
        term.each_part_under(|part, under| {
            let of_part = known.get(&part).filter(|of_part| !of_part.is_empty());
            parts.extend(of_part.map(|of_part| (of_part, under)));
        });
        match &parts[..] {
            [] if more.is_empty() => self.nothing.clone(),
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

    /// What the casts in a transparent value depend on. All functions and `let`s that it begins with count as variables.
    fn in_value(&self, value: TermId) -> Reach {
        let mut reach = Reach { own: own(self.spoken_of(value)), ..Reach::default() };
        let mut inner = value;
        while let Some((body, is_let)) = opened(self.submission.library, inner) {
            let is_met = self.spoken_of(body).contains(&Mention::Bound(1));
            reach.has_let |= is_let;
            reach.meets_let |= is_let && is_met;
            reach.meets_variable |= is_met;
            inner = body;
        }
        reach
    }

    /// What the casts in an opaque proof depend on.
    fn in_proof(&self, proof: TermId, variables: &[Variable]) -> Reach {
        let has_let = variables.iter().any(|variable| variable.value.is_some());
        let mut reach = Reach { has_let, ..Reach::default() };
        let (mut met, mut open) = (HashSet::new(), vec![self.spoken_of(proof)]);
        while let Some(mentions) = open.pop() {
            reach.own.append(&mut own(mentions));
            for mention in mentions.iter() {
                let Mention::Variable(name) = mention else { continue };
                reach.meets_variable = true;
                for variable in variables.iter().filter(|variable| variable.name == *name) {
                    if met.insert(name) {
                        reach.meets_let |= variable.value.is_some();
                        let terms = variable.value.into_iter().chain([variable.ty]);
                        open.extend(terms.filter_map(|term| self.mentioned.get(&term)));
                    }
                }
            }
        }
        reach
    }

    /// Whether casts depend on a variable with a value, or on a declaration that may depend on variables.
    fn depend(&self, reach: &Reach) -> bool {
        let submission = self.submission;
        if reach.meets_let {
            return true;
        }
        if !reach.has_let && !reach.meets_variable {
            return false;
        }
        let (mut met, mut met_terms) = (HashSet::new(), HashSet::new());
        let mut open: Vec<Rc<Path>> = reach.own.iter().cloned().collect();
        while let Some(path) = open.pop() {
            if !met.insert(path.clone()) {
                continue;
            }
            for declared in submission.at(&path) {
                if self.may_depend(declared, reach) {
                    return true;
                }
                // The proof of an opaque constant is never computed.
                let mut terms: Vec<TermId> =
                    roots(declared.field).filter(|root| root.proof.is_none()).map(|root| root.term).collect();
                while let Some(term) = terms.pop() {
                    if met_terms.insert(term) {
                        let term = &submission.library[term];
                        open.extend(own(&own_names(term)));
                        term.each_part(|part| terms.push(part));
                    }
                }
            }
        }
        false
    }

    /// Whether something that casts depend on may itself depend on variables of the section in a way that matters. What is
    /// declared in types and by `Parameter` shows no trace of variables with a value.
    fn may_depend(&self, declared: &Declared<'_>, reach: &Reach) -> bool {
        match declared.field {
            Field::Constant(Constant { body: Body::Transparent(value), .. }) => {
                let (mut value, mut has_let, mut has_variable) = (*value, false, false);
                while let Some((body, is_let)) = opened(self.submission.library, value) {
                    has_let |= is_let;
                    has_variable = true;
                    value = body;
                }
                (reach.has_let && has_let) || (reach.meets_variable && has_variable)
            }
            Field::Constant(Constant { body: Body::Opaque(opaque), .. }) => {
                reach.has_let && opaque.discharged.iter().any(|variable| variable.value.is_some())
            }
            Field::Constant(Constant { body: Body::Open { .. }, .. }) | Field::Inductive(_) => reach.has_let,
            Field::Constant(Constant { body: Body::Primitive(_), .. })
            | Field::Module(_)
            | Field::ModuleType(_) => false,
        }
    }
}

/// The body of a function or `let`, and whether it is a `let`.
fn opened(library: &Library, term: TermId) -> Option<(TermId, bool)> {
    match library[term] {
        Term::Lambda(_, body) => Some((body, false)),
        Term::Let(.., body) => Some((body, true)),
        _ => None,
    }
}

/// The declarations of the file that a term mentions itself, without its subterms.
fn own_names(term: &Term) -> BTreeSet<Mention> {
    let names = term.name().into_iter().flat_map(|name| [&name.user, &name.canonical]);
    names.filter(|path| path.is_own()).map(|path| Mention::Own(path.clone())).collect()
}

/// The declarations of the file among mentioned things.
fn own(mentions: &BTreeSet<Mention>) -> BTreeSet<Rc<Path>> {
    let own = |mention: &Mention| match mention {
        Mention::Own(path) => Some(path.clone()),
        _ => None,
    };
    mentions.iter().filter_map(own).collect()
}

/// Visits the subterms that give the types and values of the variables that a term binds. Those of a match depend on its
/// inductive type, too.
fn of_bound(term: &Term, each: impl FnMut(TermId)) {
    match term {
        Term::Prod(domain, _) | Term::Lambda(domain, _) => [*domain].into_iter().for_each(each),
        Term::Let(value, ty, _) => [*value, *ty].into_iter().for_each(each),
        Term::Case(case) => case.parameters.iter().copied().for_each(each),
        Term::Fix(fix) => fix.types.iter().copied().for_each(each),
        Term::CoFix(cofix) => cofix.types.iter().copied().for_each(each),
        _ => {}
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
