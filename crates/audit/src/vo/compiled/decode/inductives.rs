//! Inductive types.

use std::rc::Rc;

use super::super::DecodeError::{self, Corrupt};
use super::super::declaration::*;
use super::super::layout::{EliminationForm, TemplateForm, TypeForm};
use super::super::marshal::Value;
use super::super::term::*;
use super::Decoder;

impl<'h> Decoder<'h, '_> {
    pub(super) fn block(&mut self, value: Value) -> Result<Block, DecodeError> {
        let (packets, records, parts) = match self.layout.types {
            TypeForm::Tagged | TypeForm::Sorted => {
                let [packets, record, finite, _types, parts @ ..] = self.heap.record::<15>(value)?;
                (packets, self.records(record)?, (finite, parts))
            }
            TypeForm::WithRecord => {
                let [packets, finite, parts @ ..] = self.heap.record::<13>(value)?;
                (packets, None, (finite, parts))
            }
        };
        let (
            finite,
            [
                _section,
                _section_instance,
                parameters,
                uniform,
                _context,
                universes,
                template,
                variances,
                _section_variances,
                private,
                flags,
            ],
        ) = parts;
        let heap = self.heap;
        let packets = heap.array(packets)?;
        if records.is_some_and(|records| records.len() != packets.len()) {
            return Err(Corrupt("the number of records differs from the number of types"));
        }
        let mut types = Vec::new();
        for (number, &packet) in packets.iter().enumerate() {
            let mut one = self.one_inductive(packet)?;
            if let Some(records) = records {
                let [binder, labels, relevances, types] = heap.record(records[number])?;
                one.projections = Some(self.record_of([binder, labels, relevances, types])?);
            }
            types.push(one);
        }
        let template = heap.option(template)?.map(|template| self.template(template)).transpose()?;
        let variances = match heap.option(variances)? {
            None => None,
            Some(variances) => {
                Some(heap.array(variances)?.iter().map(|&v| heap.int(v)).collect::<Result<_, _>>()?)
            }
        };
        Ok(Block {
            types,
            finite: heap.int(finite)?,
            parameters: heap.count(parameters)?,
            uniform: heap.count(uniform)?,
            polymorphic: self.polymorphic(universes)?,
            template,
            variances,
            private: heap.option(private)?.map(|private| heap.int(private)).transpose()?.map(|p| p != 0),
            flags: self.flags(flags)?,
        })
    }

    /// The record data of the types of a block, one per type.
    fn records(&self, value: Value) -> Result<Option<&'h [Value]>, DecodeError> {
        match value {
            Value::Int(_) => Ok(None),
            value => {
                let [records] = self.heap.record(value)?;
                self.heap.array(records).map(Some)
            }
        }
    }

    /// The same for a single type.
    fn record(&mut self, value: Value) -> Result<Option<Projections>, DecodeError> {
        match value {
            Value::Int(_) => Ok(None),
            value => {
                let [binder, labels, relevances, types, eta] = self.heap.record(value)?;
                let mut projections = self.record_of([binder, labels, relevances, types])?;
                projections.eta = match eta {
                    Value::Int(0) => true,
                    Value::Int(1) => false,
                    _ => return Err(Corrupt("a record has an unknown form")),
                };
                Ok(Some(projections))
            }
        }
    }

    fn record_of(&mut self, parts: [Value; 4]) -> Result<Projections, DecodeError> {
        let [_binder, labels, _relevances, types] = parts;
        let types = self.terms(types)?;
        let labels = self.heap.array(labels)?;
        if labels.len() != types.len() {
            return Err(Corrupt("the number of projections differs from the number of their types"));
        }
        let labels = labels.iter().map(|&label| self.text(label)).collect::<Result<Vec<_>, _>>()?;
        Ok(Projections { fields: labels.into_iter().zip(types.iter().copied()).collect(), eta: true })
    }

    fn template(&mut self, value: Value) -> Result<Template, DecodeError> {
        Ok(match self.layout.template {
            TemplateForm::Levels => {
                let [levels, _context] = self.heap.record(value)?;
                let levels = self.heap.list(levels)?.into_iter();
                let level = |level| self.heap.option(level)?.map(|level| self.level(level)).transpose();
                Template::Levels(levels.map(level).collect::<Result<_, _>>()?)
            }
            TemplateForm::Flags => {
                let [flags, _context] = self.heap.record(value)?;
                let flags = self.heap.list(flags)?.into_iter().map(|flag| Ok(self.heap.int(flag)? != 0));
                Template::Flags(flags.collect::<Result<_, _>>()?)
            }
            TemplateForm::Sorts => {
                let [parameters, result, context, defaults] = self.heap.record(value)?;
                let parameters = self.heap.list(parameters)?.into_iter();
                let sort = |sort| self.heap.option(sort)?.map(|sort| self.sort(sort)).transpose();
                Template::Sorts {
                    parameters: parameters.map(sort).collect::<Result<_, _>>()?,
                    result: self.sort(result)?,
                    context: self.parameters(context)?,
                    defaults: self.instance(defaults)?,
                }
            }
        })
    }

    fn elimination(&mut self, value: Value) -> Result<Elimination, DecodeError> {
        Ok(match self.layout.elimination {
            EliminationForm::Family => Elimination::Into(self.heap.int(value)?),
            EliminationForm::Squash => match self.heap.option(value)? {
                None => Elimination::Free,
                Some(Value::Int(0)) => Elimination::OwnSort,
                Some(restricted) => {
                    let [unless] = self.heap.record(restricted)?;
                    let unless = self.heap.tree(unless)?.into_iter();
                    let unless = unless.map(|[_, quality, _, _]| self.quality(quality));
                    Elimination::Restricted(unless.collect::<Result<_, _>>()?)
                }
            },
        })
    }

    /// The sort of an arity in one of its two forms.
    fn sort_of(&mut self, arity: Value) -> Result<Sort, DecodeError> {
        let sort = match self.heap.fields(arity)? {
            (0, &[regular]) => {
                let [_arity, sort] = self.heap.record(regular)?;
                sort
            }
            (1, &[template]) => {
                let [sort] = self.heap.record(template)?;
                sort
            }
            _ => return Err(Corrupt("an arity has an unknown form")),
        };
        self.sort(sort)
    }

    fn one_inductive(&mut self, value: Value) -> Result<OneInductive, DecodeError> {
        let (name, arity, sort, record, parts) = match self.layout.types {
            TypeForm::Tagged => {
                let [name, arity, tagged, parts @ ..] = self.heap.record::<16>(value)?;
                (name, arity, self.sort_of(tagged)?, None, parts)
            }
            TypeForm::Sorted => {
                let [name, arity, sort, _type, parts @ ..] = self.heap.record::<17>(value)?;
                (name, arity, self.sort(sort)?, None, parts)
            }
            TypeForm::WithRecord => {
                let [name, arity, sort, _type, record, parts @ ..] = self.heap.record::<18>(value)?;
                (name, arity, self.sort(sort)?, self.record(record)?, parts)
            }
        };
        let [constructors, types, _, _, elimination, computed, _, _, tree, ..] = parts;
        let names = self.heap.array(constructors)?;
        let names: Vec<Rc<str>> = names.iter().map(|&name| self.text(name)).collect::<Result<_, _>>()?;
        let types = self.terms(types)?;
        if names.len() != types.len() {
            return Err(Corrupt("the number of constructors differs from the number of their types"));
        }
        let computed = self.heap.array(computed)?;
        if computed.len() != names.len() {
            return Err(Corrupt("the number of constructors differs from the number of their contexts"));
        }
        let takes = computed.iter().map(|&computed| {
            let [context, _result] = self.heap.record(computed)?;
            self.context(context)
        });
        let takes = takes.collect::<Result<_, _>>()?;
        Ok(OneInductive {
            name: self.text(name)?,
            arity: self.context(arity)?,
            sort,
            constructors: names.into_iter().zip(types.iter().copied()).collect(),
            takes,
            elimination: self.elimination(elimination)?,
            projections: record,
            tree: self.tree(tree)?,
        })
    }
}
