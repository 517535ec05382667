//! Discharges the proofs of closed sections.
//!
//! Such a proof is stored as it was in the section. Since then, the section's earlier declarations have received its
//! variables as additional arguments. This module adds the arguments, so that names in the proof mean the same as
//! elsewhere.

use std::collections::HashMap;
use std::rc::Rc;

use super::decode::{Decoder, deep};
use super::marshal::Value;
use super::term::*;
use super::{DecodeError, Terms};

/// The section variables that each declaration of a section now takes as arguments, by canonical name.
type Arguments = HashMap<Rc<Path>, Vec<Rc<str>>>;

impl Decoder<'_, '_> {
    /// A proof as seen outside its sections: local definitions of the sections precede it as `let`s. It still refers
    /// to the variables by name.
    pub(super) fn with_arguments(
        &mut self,
        mut proof: TermId,
        sections: Value,
    ) -> Result<TermId, DecodeError> {
        for section in self.heap.list(sections)? {
            let [declared, abstracted] = self.heap.record(section)?;
            let [context, _universes, _instance] = self.heap.record(abstracted)?;
            for variable in self.heap.list(context)? {
                if let (1, &[_binder, value, ty]) = self.heap.fields(variable)? {
                    let definition = Term::Let(self.term(value)?, self.term(ty)?, proof);
                    proof = self.terms.push(definition, false).ok_or(TOO_MANY)?;
                }
            }
            let [constants, inductives] = self.heap.record(declared)?;
            let mut arguments = Arguments::new();
            for declared in [constants, inductives] {
                for [_, _hash, named, _, _] in self.heap.tree(declared)? {
                    for [_, name, again, _, _] in self.heap.tree(named)? {
                        let [variables, _levels] = self.heap.record(again)?;
                        let variables = self.heap.list(variables)?.into_iter().rev();
                        let variables = variables.map(|v| self.text(v)).collect::<Result<_, _>>()?;
                        arguments.insert(self.name(name)?.canonical, variables);
                    }
                }
            }
            let mut discharge =
                Discharge { terms: &mut self.terms, arguments: &arguments, done: HashMap::new() };
            proof = discharge.term(proof)?;
        }
        Ok(proof)
    }
}

const TOO_MANY: DecodeError = DecodeError::Beyond(super::MANY_TERMS);

/// Adds the arguments to all declarations that a term mentions.
struct Discharge<'a> {
    terms: &'a mut Terms,
    arguments: &'a Arguments,
    done: HashMap<TermId, TermId>,
}

impl Discharge<'_> {
    fn add(&mut self, term: Term, irrelevant: bool) -> Result<TermId, DecodeError> {
        self.terms.push(term, irrelevant).ok_or(TOO_MANY)
    }

    fn variables(&mut self, name: &Name) -> Result<Vec<TermId>, DecodeError> {
        let arguments = self.arguments;
        let variables = arguments.get(&name.canonical).into_iter().flatten();
        variables.map(|variable| self.add(Term::Var(Rc::clone(variable)), false)).collect()
    }

    fn term(&mut self, term: TermId) -> Result<TermId, DecodeError> {
        if let Some(&done) = self.done.get(&term) {
            return Ok(done);
        }
        let done = deep(|| self.new_term(term))?;
        self.done.insert(term, done);
        Ok(done)
    }

    fn new_term(&mut self, id: TermId) -> Result<TermId, DecodeError> {
        let old = self.terms.terms[id.0 as usize].clone();
        let irrelevant = self.terms.irrelevant.contains(&id);
        if let Term::Const(name, _) | Term::Inductive(name, ..) | Term::Constructor(name, ..) = &old {
            let variables = self.variables(name)?;
            return match variables.is_empty() {
                true => Ok(id),
                false => self.add(Term::App(id, variables.into()), false),
            };
        }
        let mut failed = None;
        let mut new = old.with_parts(&mut |part, _| {
            self.term(part).unwrap_or_else(|error| {
                failed = Some(error);
                part
            })
        });
        if let Some(error) = failed {
            return Err(error);
        }
        // A match mentions its type without applying it.
        if let Term::Case(case) = &mut new {
            let variables = self.variables(&case.inductive.0)?;
            let case = Rc::make_mut(case);
            case.parameters = variables.iter().chain(&*case.parameters).copied().collect();
        }
        if new == old { Ok(id) } else { self.add(new, irrelevant) }
    }
}
