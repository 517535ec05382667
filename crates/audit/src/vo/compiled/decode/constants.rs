//! Constants.

use std::rc::Rc;

use super::super::DecodeError::{self, Corrupt};
use super::super::declaration::*;
use super::super::layout::{FlagsForm, Paths};
use super::super::marshal::Value;
use super::super::term::Constraints;
use super::{Decoder, Proof};

/// Cannot be verified: the kernel accepts rewrite rules without proof.
pub(super) const RULES: &str =
    "it declares a symbol or rewrite rules, which the kernel accepts without proof";

impl Decoder<'_, '_> {
    pub(super) fn constant(&mut self, value: Value) -> Result<Constant, DecodeError> {
        let [_section, _instance, body, ty, _relevance, _code, universes, _inline, flags] =
            self.heap.record(value)?;
        let mut private = Constraints::new();
        let body = match self.heap.fields(body)? {
            (0, &[inline]) => Body::Open { inline: self.heap.option(inline)?.is_some() },
            (1, &[body]) => Body::Transparent(self.term(body)?),
            (2, &[opaque]) => {
                let [substitutions, sections, library, number] = self.heap.record(opaque)?;
                let number = self.heap.count(number)? as usize;
                let is_here = self.library(library)? == self.proofs_of;
                let proof = match self.opaque.as_ref().filter(|_| is_here) {
                    Some(proofs) => {
                        proofs.get(number).cloned().ok_or(Corrupt("an opaque proof is missing"))?
                    }
                    None => None,
                };
                let proof = match proof {
                    Some(Proof { term, constraints }) => {
                        private = self.discharged_constraints(constraints, sections)?;
                        term
                    }
                    None => None,
                };
                let proof = proof.map(|proof| self.with_arguments(proof, sections)).transpose()?;
                let substitutions = self.heap.list(substitutions)?.into_iter();
                let renamed = substitutions.map(|s| self.renamed(s)).collect::<Result<_, _>>()?;
                Body::Opaque(Opaque { proof, renamed, discharged: self.discharged(sections)? })
            }
            (3, &[primitive]) => Body::Primitive(self.heap.int(primitive)?),
            (4, &[_]) if self.layout.rules => return Err(Corrupt(RULES)),
            _ => return Err(Corrupt("a constant has an unknown form")),
        };
        let polymorphic = self.polymorphic(universes)?;
        if let (Some(polymorphic), false) = (&polymorphic, private.is_empty()) {
            private.extend(polymorphic.constraints.iter().cloned());
            self.contexts.push(private);
        }
        Ok(Constant {
            body,
            ty: self.term(ty)?,
            binders: self.binders(ty)?,
            polymorphic,
            flags: self.flags(flags)?,
        })
    }

    /// The names of the products that a type begins with, as far as they have one.
    fn binders(&mut self, mut ty: Value) -> Result<Vec<Rc<str>>, DecodeError> {
        let mut names = Vec::new();
        while let (6, &[binder, _, body]) = self.heap.fields(ty)? {
            let [name, _relevance] = self.heap.record(binder)?;
            let Some(name) = self.heap.option(name)? else { break };
            names.push(self.text(name)?);
            ty = body;
        }
        Ok(names)
    }

    /// The module replacements of a substitution.
    fn renamed(&mut self, value: Value) -> Result<Renaming, DecodeError> {
        let mut renamed = Vec::new();
        for [_, from, to, _, _] in self.heap.tree(value)? {
            let to = match self.layout.paths {
                Paths::InModules => self.heap.record::<2>(to)?[0],
                Paths::InResolvers => self.heap.record::<3>(to)?[0],
            };
            renamed.push((self.path(from)?, self.path(to)?));
        }
        Ok(renamed)
    }

    /// The section variables over which a term remains to be closed.
    fn discharged(&mut self, value: Value) -> Result<Vec<Variable>, DecodeError> {
        let mut variables = Vec::new();
        for section in self.heap.list(value)? {
            let [_expanded, abstracted] = self.heap.record(section)?;
            let [context, _universes, _instance] = self.heap.record(abstracted)?;
            for variable in self.heap.list(context)? {
                let (binder, value, ty) = match self.heap.fields(variable)? {
                    (0, &[binder, ty]) => (binder, None, ty),
                    (1, &[binder, value, ty]) => (binder, Some(value), ty),
                    _ => return Err(Corrupt("a variable of a section has an unknown form")),
                };
                let [name, _relevance] = self.heap.record(binder)?;
                let value = value.map(|value| self.term(value)).transpose()?;
                variables.push(Variable { name: self.text(name)?, value, ty: self.term(ty)? });
            }
        }
        Ok(variables)
    }

    pub(super) fn flags(&self, value: Value) -> Result<Flags, DecodeError> {
        let [guarded, positive, universes] = match self.layout.flags {
            FlagsForm::Twelve => {
                let [guarded, positive, universes, ..] = self.heap.record::<12>(value)?;
                [guarded, positive, universes]
            }
            FlagsForm::Eleven => {
                let [guarded, positive, universes, ..] = self.heap.record::<11>(value)?;
                [guarded, positive, universes]
            }
        };
        let on = |flag| Ok(self.heap.int(flag)? != 0);
        Ok(Flags { guarded: on(guarded)?, positive: on(positive)?, universes: on(universes)? })
    }
}
