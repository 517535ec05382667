//! Modules.

use std::rc::Rc;

use super::super::DecodeError::{self, Corrupt};
use super::super::declaration::*;
use super::super::layout::{Implementations, Paths};
use super::super::marshal::Value;
use super::constants::RULES;
use super::{Decoder, MAX_DEPTH, deep};

impl Decoder<'_, '_> {
    pub(in crate::vo::compiled) fn module(&mut self, value: Value) -> Result<Module, DecodeError> {
        let [implementation, signature, _algebraic, resolver, _retroknowledge] = self.parts(value)?;
        let signature = self.signature(signature)?;
        let implementation = match self.given(implementation)? {
            Value::Int(0) => Implementation::Declared,
            Value::Int(1) => Implementation::Plain,
            other => match (self.layout.implementations, self.heap.fields(other)?) {
                (_, (0, &[expression])) => Implementation::Algebraic { applied: self.applied(expression)? },
                (Implementations::Repeated, (1, &[behind])) => {
                    Implementation::Sealed(self.signature(behind)?)
                }
                (Implementations::Bare | Implementations::Boxed, (1, &[fields])) => {
                    Implementation::Sealed(signature.around(self.structure(fields)?))
                }
                (Implementations::Resolved, (1, &[resolver, fields])) => {
                    self.resolver(resolver)?;
                    Implementation::Sealed(signature.around(self.structure(fields)?))
                }
                _ => return Err(Corrupt("a module has an unknown form")),
            },
        };
        self.resolver(resolver)?;
        Ok(Module { implementation, signature })
    }

    /// The parts of a module or module type, without its path.
    fn parts(&self, value: Value) -> Result<[Value; 5], DecodeError> {
        match self.layout.paths {
            Paths::InModules => {
                let [_path, parts @ ..] = self.heap.record::<6>(value)?;
                Ok(parts)
            }
            Paths::InResolvers => self.heap.record(value),
        }
    }

    /// The implementation of a module.
    fn given(&self, value: Value) -> Result<Value, DecodeError> {
        match self.layout.implementations {
            Implementations::Repeated | Implementations::Bare => Ok(value),
            Implementations::Boxed | Implementations::Resolved => {
                self.heap.record(value).map(|[given]| given)
            }
        }
    }

    /// Whether an expression is a functor application, possibly below parameters.
    fn applied(&self, mut expression: Value) -> Result<bool, DecodeError> {
        for _ in 0..MAX_DEPTH {
            match (self.layout.implementations, self.heap.fields(expression)?) {
                (_, (0, &[inner])) => {
                    return match self.heap.fields(inner)? {
                        (0, &[_]) => Ok(false),
                        (1 | 2, &[_, _]) => Ok(true),
                        _ => Err(Corrupt("a module expression has an unknown form")),
                    };
                }
                (Implementations::Repeated, (1, &[_, _, inner]))
                | (
                    Implementations::Bare | Implementations::Boxed | Implementations::Resolved,
                    (1, &[inner]),
                ) => expression = inner,
                _ => return Err(Corrupt("a module expression has an unknown form")),
            }
        }
        Err(Corrupt("a module expression has no end"))
    }

    /// Takes in a resolver, if it says anything.
    fn resolver(&mut self, value: Value) -> Result<(), DecodeError> {
        let [modules, names] = match self.layout.paths {
            Paths::InModules => self.heap.record::<2>(value)?,
            Paths::InResolvers => {
                self.heap.record::<3>(value).map(|[_root, modules, names]| [modules, names])?
            }
        };
        let mut resolver = Resolver::default();
        for [_, from, to, _, _] in self.heap.tree(modules)? {
            resolver.modules.insert(self.path(from)?, self.path(to)?);
        }
        for [_, _hash, named, _, _] in self.heap.tree(names)? {
            for [_, name, hint, _, _] in self.heap.tree(named)? {
                // Others are inlined.
                if let (1, &[canonical]) = self.heap.fields(hint)? {
                    resolver.names.insert(self.kernel_name(name)?, self.kernel_name(canonical)?);
                }
            }
        }
        if resolver != Resolver::default() {
            self.resolvers.push(resolver);
        }
        Ok(())
    }

    fn module_type(&mut self, value: Value) -> Result<Signature, DecodeError> {
        let [_implementation, signature, _algebraic, resolver, _retroknowledge] = self.parts(value)?;
        self.resolver(resolver)?;
        self.signature(signature)
    }

    fn signature(&mut self, value: Value) -> Result<Signature, DecodeError> {
        deep(|| match self.heap.fields(value)? {
            (0, &[fields]) => self.structure(fields).map(Signature::Structure),
            (1, &[bound, parameter, result]) => Ok(Signature::Functor {
                bound: self.parameter(bound)?,
                parameter: Box::new(self.module_type(parameter)?),
                result: Box::new(self.signature(result)?),
            }),
            _ => Err(Corrupt("a signature has an unknown form")),
        })
    }

    fn structure(&mut self, value: Value) -> Result<Vec<(Rc<str>, Field)>, DecodeError> {
        let mut structure = Vec::new();
        for field in self.heap.list(value)? {
            let [label, body] = self.heap.record(field)?;
            let label = self.text(label)?;
            let body = match (self.layout.rules, self.heap.fields(body)?) {
                (_, (0, &[constant])) => Field::Constant(self.constant(constant)?),
                (_, (1, &[block])) => Field::Inductive(self.block(block)?),
                (true, (2, &[_])) => return Err(Corrupt(RULES)),
                (false, (2, &[module])) | (true, (3, &[module])) => Field::Module(self.module(module)?),
                (false, (3, &[ty])) | (true, (4, &[ty])) => Field::ModuleType(self.module_type(ty)?),
                _ => return Err(Corrupt("a field of a module has an unknown form")),
            };
            structure.push((label, body));
        }
        Ok(structure)
    }
}
