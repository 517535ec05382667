//! What the search for known bugs asks of values, beyond the terms: relevance, sections, nesting, applied functors.

use std::collections::HashSet;
use std::rc::Rc;

use super::Corrupt;
use super::decode::{Decoder, MAX_DEPTH};
use super::marshal::Value;

impl Decoder<'_, '_> {
    /// Whether what a binder stands for is known to be a proof of a strict proposition.
    pub(super) fn irrelevant(&self, binder: Value) -> Result<bool, Corrupt> {
        let [_name, relevance] = self.heap.record(binder)?;
        match relevance {
            Value::Int(0) => Ok(false),
            Value::Int(1) => Ok(true),
            _ => Err(Corrupt("a relevance is of no known form")),
        }
    }

    /// Whether a term that was read binds such a variable itself.
    pub(super) fn binds_irrelevant(&self, value: Value) -> Result<bool, Corrupt> {
        let any = |binders| {
            let binders = self.heap.array(binders)?.iter();
            binders.map(|&binder| self.irrelevant(binder)).try_fold(false, |any, one| Ok(any | one?))
        };
        Ok(match self.heap.fields(value)? {
            (6..=8, &[binder, ..]) => self.irrelevant(binder)?,
            (13, &[_, _, _, returns, _, _, branches]) => {
                let mut found = any(self.heap.record::<2>(returns)?[0])?;
                for &branch in self.heap.array(branches)? {
                    found |= any(self.heap.record::<2>(branch)?[0])?;
                }
                found
            }
            (14 | 15, &[mutual]) => {
                let [_, bodies] = self.heap.record(mutual)?;
                any(self.heap.record::<3>(bodies)?[0])?
            }
            _ => false,
        })
    }

    /// The variables of the sections that something is to be closed over.
    pub(super) fn discharged(&mut self, value: Value) -> Result<Vec<(Rc<str>, bool)>, Corrupt> {
        let mut variables = Vec::new();
        for section in self.heap.list(value)? {
            let [_expanded, abstracted] = self.heap.record(section)?;
            let [context, _universes, _instance] = self.heap.record(abstracted)?;
            for variable in self.heap.list(context)? {
                let (binder, defined) = match self.heap.fields(variable)? {
                    (0, &[binder, _]) => (binder, false),
                    (1, &[binder, _, _]) => (binder, true),
                    _ => return Err(Corrupt("a variable of a section is of no known form")),
                };
                let [name, _relevance] = self.heap.record(binder)?;
                variables.push((self.text(name)?, defined));
            }
        }
        Ok(variables)
    }

    /// Whether a tree of recursive arguments (`lib/rtree.ml` of Rocq) goes through another type.
    pub(super) fn nested(&self, tree: Value) -> Result<bool, Corrupt> {
        let (mut open, mut met) = (vec![tree], HashSet::new());
        while let Some(tree) = open.pop() {
            if !met.insert(tree) {
                continue;
            }
            match self.heap.fields(tree)? {
                (0, &[_, _]) => {}
                (1, &[argument, children]) => {
                    if argument != Value::Int(0) && self.heap.fields(argument)?.0 == 1 {
                        return Ok(true);
                    }
                    open.extend(self.heap.array(children)?);
                }
                (2, &[_, trees]) => open.extend(self.heap.array(trees)?),
                _ => return Err(Corrupt("a tree of recursive arguments is of no known form")),
            }
        }
        Ok(false)
    }

    /// Whether an expression applies a functor. It may be one itself.
    pub(super) fn applied(&self, mut expression: Value) -> Result<bool, Corrupt> {
        for _ in 0..MAX_DEPTH {
            match self.heap.fields(expression)? {
                (0, &[inner]) => {
                    return match self.heap.fields(inner)? {
                        (0, &[_]) => Ok(false),
                        (1 | 2, &[_, _]) => Ok(true),
                        _ => Err(Corrupt("a module expression is of no known form")),
                    };
                }
                (1, &[_, _, inner]) => expression = inner,
                _ => return Err(Corrupt("a module expression is of no known form")),
            }
        }
        Err(Corrupt("a module expression has no end"))
    }
}
