//! Terms.

use std::rc::Rc;

use super::super::DecodeError::{self, Beyond, Corrupt};
use super::super::declaration::*;
use super::super::marshal::Value;
use super::super::term::*;
use super::{Decoder, deep};

impl Decoder<'_, '_> {
    pub(super) fn terms(&mut self, value: Value) -> Result<Rc<[TermId]>, DecodeError> {
        let terms = self.heap.array(value)?;
        terms.iter().map(|&term| self.term(term)).collect()
    }

    /// A number of bound variables, and a body.
    fn binding(&mut self, value: Value) -> Result<(u32, TermId), DecodeError> {
        let [names, body] = self.heap.record(value)?;
        Ok((self.heap.length(names)?, self.term(body)?))
    }

    pub(in crate::vo::compiled) fn term(&mut self, value: Value) -> Result<TermId, DecodeError> {
        match self.known.get(&value) {
            Some(Some(term)) => return Ok(*term),
            Some(None) => return Err(Corrupt("a term contains itself")),
            None => {}
        }
        self.known.insert(value, None);
        let term = deep(|| self.new_term(value))?;
        let irrelevant = self.binds_irrelevant(value)?;
        let id = self.terms.push(term, irrelevant).ok_or(Beyond(super::super::MANY_TERMS))?;
        self.known.insert(value, Some(id));
        Ok(id)
    }

    fn new_term(&mut self, value: Value) -> Result<Term, DecodeError> {
        let layout = self.layout;
        let array = if layout.rules { 20 } else { 19 };
        let (tag, fields) = self.heap.fields(value)?;
        Ok(match (tag, fields) {
            (0, &[index]) => Term::Rel(self.heap.count(index)?),
            (1, &[name]) => Term::Var(self.text(name)?),
            (4, &[sort]) => Term::Sort(self.sort(sort)?),
            (5, &[term, kind, ty]) => {
                let kind = match kind {
                    Value::Int(0) => CastKind::Vm,
                    Value::Int(1) => CastKind::Native,
                    Value::Int(2) => CastKind::Default,
                    _ => return Err(Corrupt("a cast has an unknown form")),
                };
                Term::Cast(self.term(term)?, kind, self.term(ty)?)
            }
            (6, &[_, domain, body]) => Term::Prod(self.term(domain)?, self.term(body)?),
            (7, &[_, domain, body]) => Term::Lambda(self.term(domain)?, self.term(body)?),
            (8, &[_, value, ty, body]) => Term::Let(self.term(value)?, self.term(ty)?, self.term(body)?),
            (9, &[function, arguments]) => Term::App(self.term(function)?, self.terms(arguments)?),
            (10, &[constant]) => {
                let [name, instance] = self.heap.record(constant)?;
                Term::Const(self.name(name)?, self.instance(instance)?)
            }
            (11, &[inductive]) => {
                let [inductive, instance] = self.heap.record(inductive)?;
                let (block, number) = self.inductive(inductive)?;
                Term::Inductive(block, number, self.instance(instance)?)
            }
            (12, &[constructor]) => {
                let [constructor, instance] = self.heap.record(constructor)?;
                let [inductive, constructor] = self.heap.record(constructor)?;
                let (block, number) = self.inductive(inductive)?;
                let constructor = self.heap.count(constructor)?;
                Term::Constructor(block, number, constructor, self.instance(instance)?)
            }
            (13, &[info, instance, parameters, returns, indices, scrutinee, branches]) => {
                let inductive = self.matched(info)?;
                let [returns, _relevance] = self.returns(returns)?;
                let indices = match indices {
                    Value::Int(0) => None,
                    indices => {
                        let [indices] = self.heap.record(indices)?;
                        Some(self.terms(indices)?)
                    }
                };
                let branches = self.heap.array(branches)?;
                let branches =
                    branches.iter().map(|&branch| self.binding(branch)).collect::<Result<_, _>>()?;
                Term::Case(Rc::new(Case {
                    inductive,
                    instance: self.instance(instance)?,
                    parameters: self.terms(parameters)?,
                    returns: self.binding(returns)?,
                    indices,
                    scrutinee: self.term(scrutinee)?,
                    branches,
                }))
            }
            (14, &[fix]) => {
                let [which, bodies] = self.heap.record(fix)?;
                let [structural, index] = self.heap.record(which)?;
                let structural = self.heap.array(structural)?;
                let structural = structural.iter().map(|&s| self.heap.count(s)).collect::<Result<_, _>>()?;
                let index = self.heap.count(index)?;
                let [types, bodies] = self.mutual(bodies)?;
                Term::Fix(Rc::new(Fix { structural, index, types, bodies }))
            }
            (15, &[cofix]) => {
                let [index, bodies] = self.heap.record(cofix)?;
                let index = self.heap.count(index)?;
                let [types, bodies] = self.mutual(bodies)?;
                Term::CoFix(Rc::new(CoFix { index, types, bodies }))
            }
            (16, &[projection, of]) if !layout.qualities => self.projection(projection, of)?,
            (16, &[projection, _relevance, of]) if layout.qualities => self.projection(projection, of)?,
            (17, &[number]) => Term::Int(self.heap.int(number)?),
            (18, &[number]) => Term::Float(self.heap.double(number)?),
            (19, &[text]) if layout.rules => Term::Text(self.heap.bytes_at(text)?.into()),
            (tag, &[instance, elements, default, ty]) if tag == array => Term::Array(
                self.instance(instance)?,
                self.terms(elements)?,
                self.term(default)?,
                self.term(ty)?,
            ),
            _ => return Err(Corrupt("a term has an unknown form")),
        })
    }

    /// The inductive type of a match, from its annotation.
    fn matched(&mut self, info: Value) -> Result<(Name, u32), DecodeError> {
        let inductive = if self.layout.qualities {
            self.heap.record::<5>(info)?[0]
        } else {
            self.heap.record::<6>(info)?[0]
        };
        self.inductive(inductive)
    }

    /// The return type of a match, with the variables that it binds; and its relevance, if recorded.
    fn returns(&self, value: Value) -> Result<[Value; 2], DecodeError> {
        match self.layout.qualities {
            true => self.heap.record(value),
            false => Ok([value, Value::Int(0)]),
        }
    }

    fn projection(&mut self, projection: Value, of: Value) -> Result<Term, DecodeError> {
        let [representation, unfolded] = self.heap.record(projection)?;
        let (inductive, field) = if self.layout.qualities {
            let [inductive, _parameters, field, _name] = self.heap.record(representation)?;
            (inductive, field)
        } else {
            let [inductive, _relevance, _parameters, field, _name] = self.heap.record(representation)?;
            (inductive, field)
        };
        let (block, number) = self.inductive(inductive)?;
        let unfolded = self.heap.int(unfolded)? != 0;
        Ok(Term::Projection(block, number, self.heap.count(field)?, unfolded, self.term(of)?))
    }

    /// The types and bodies of mutual functions, equally many.
    fn mutual(&mut self, value: Value) -> Result<[Rc<[TermId]>; 2], DecodeError> {
        let [names, types, bodies] = self.heap.record(value)?;
        let count = self.heap.array(names)?.len();
        let (types, bodies) = (self.terms(types)?, self.terms(bodies)?);
        if types.len() != count || bodies.len() != count {
            return Err(Corrupt("the number of mutual functions differs from the number of their types"));
        }
        Ok([types, bodies])
    }

    /// A context, stored innermost first.
    pub(super) fn context(&mut self, value: Value) -> Result<Context, DecodeError> {
        let mut context = Context::new();
        for declaration in self.heap.list(value)?.into_iter().rev() {
            context.push(match self.heap.fields(declaration)? {
                (0, &[binder, ty]) => {
                    Declaration { value: None, ty: self.term(ty)?, irrelevant: self.irrelevant(binder)? }
                }
                (1, &[binder, value, ty]) => Declaration {
                    value: Some(self.term(value)?),
                    ty: self.term(ty)?,
                    irrelevant: self.irrelevant(binder)?,
                },
                _ => return Err(Corrupt("a declaration in a context has an unknown form")),
            });
        }
        Ok(context)
    }

    /// Whether the variable of a binder may be a proof of a strict proposition.
    pub(super) fn irrelevant(&self, binder: Value) -> Result<bool, DecodeError> {
        let [_name, relevance] = self.heap.record(binder)?;
        self.is_irrelevant(relevance)
    }

    /// Whether a decoded term itself binds such a variable.
    fn binds_irrelevant(&self, value: Value) -> Result<bool, DecodeError> {
        let any = |binders| {
            let binders = self.heap.array(binders)?.iter();
            binders.map(|&binder| self.irrelevant(binder)).try_fold(false, |any, one| Ok(any | one?))
        };
        Ok(match self.heap.fields(value)? {
            (6..=8, &[binder, ..]) => self.irrelevant(binder)?,
            (13, &[_, _, _, returns, _, _, branches]) => {
                let [returns, _relevance] = self.returns(returns)?;
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
}
