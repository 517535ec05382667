//! Universes, qualities of sorts, and their declarations.

use std::rc::Rc;

use super::super::DecodeError::{self, Corrupt};
use super::super::marshal::Value;
use super::super::term::*;
use super::Decoder;

impl Decoder<'_, '_> {
    pub(super) fn level(&mut self, value: Value) -> Result<Level, DecodeError> {
        if let Some(level) = self.levels.get(&value) {
            return Ok(level.clone());
        }
        let [_hash, raw] = self.heap.record(value)?;
        let level = match raw {
            Value::Int(0) => Level::Set,
            raw => match self.heap.fields(raw)? {
                (0, &[global]) => {
                    let [library, worker, number] = self.heap.record(global)?;
                    let (library, worker) = (self.library(library)?, self.text(worker)?);
                    let number = self.heap.count(number)?;
                    if library == self.own.library {
                        Level::Own(worker, number)
                    } else {
                        Level::Library(library.into(), worker, number)
                    }
                }
                (1, &[number]) => Level::Bound(self.heap.count(number)?),
                _ => return Err(Corrupt("a universe has an unknown form")),
            },
        };
        self.levels.insert(value, level.clone());
        Ok(level)
    }

    /// A quality that is a variable, or has a name.
    fn variable_quality(&mut self, value: Value) -> Result<Quality, DecodeError> {
        match self.heap.fields(value)? {
            (0, &[number]) => Ok(Quality::Bound(self.heap.count(number)?)),
            (1, &[_, _]) => Err(Corrupt("the quality of a sort is undetermined")),
            (2, &[global]) => {
                let [library, name] = self.heap.record(global)?;
                let (library, name) = (self.library(library)?, self.text(name)?);
                let own = library == self.own.library;
                Ok(if own { Quality::Own(name) } else { Quality::Library(library.into(), name) })
            }
            _ => Err(Corrupt(QUALITY)),
        }
    }

    pub(super) fn quality(&mut self, value: Value) -> Result<Quality, DecodeError> {
        match self.heap.fields(value)? {
            (0, &[variable]) => self.variable_quality(variable),
            (1, &[constant]) => match constant {
                Value::Int(0) => Ok(Quality::Prop),
                Value::Int(1) => Ok(Quality::SProp),
                Value::Int(2) => Ok(Quality::Type),
                _ => Err(Corrupt(QUALITY)),
            },
            _ => Err(Corrupt(QUALITY)),
        }
    }

    pub(super) fn sort(&mut self, value: Value) -> Result<Sort, DecodeError> {
        Ok(match value {
            Value::Int(0) => Sort::SProp,
            Value::Int(1) => Sort::Prop,
            Value::Int(2) => Sort::Set,
            other => match self.heap.fields(other)? {
                (0, &[universe]) => Sort::Type(self.universe(universe)?),
                (1, &[quality, universe]) if self.layout.qualities => {
                    Sort::Quality(self.variable_quality(quality)?, self.universe(universe)?)
                }
                _ => return Err(Corrupt("a sort has an unknown form")),
            },
        })
    }

    fn universe(&mut self, value: Value) -> Result<Vec<(Level, u32)>, DecodeError> {
        let mut levels = Vec::new();
        for expression in self.heap.list(value)? {
            let [level, steps] = self.heap.record(expression)?;
            levels.push((self.level(level)?, self.heap.count(steps)?));
        }
        Ok(levels)
    }

    fn constraints(&mut self, value: Value) -> Result<Constraints, DecodeError> {
        let mut constraints = Constraints::new();
        for [_, constraint, _, _] in self.heap.tree(value)? {
            let [left, order, right] = self.heap.record(constraint)?;
            let order = match order {
                Value::Int(0) => Order::Less,
                Value::Int(1) => Order::LessOrEqual,
                Value::Int(2) => Order::Equal,
                _ => return Err(Corrupt("a constraint has an unknown form")),
            };
            constraints.push((self.level(left)?, order, self.level(right)?));
        }
        Ok(constraints)
    }

    fn eliminations(&mut self, value: Value) -> Result<Eliminations, DecodeError> {
        let mut eliminations = Eliminations::new();
        for [_, elimination, _, _] in self.heap.tree(value)? {
            let [from, Value::Int(0), to] = self.heap.record(elimination)? else {
                return Err(Corrupt("a constraint on qualities has an unknown form"));
            };
            eliminations.insert((self.quality(from)?, self.quality(to)?));
        }
        Ok(eliminations)
    }

    pub(super) fn instance(&mut self, value: Value) -> Result<Instance, DecodeError> {
        let (qualities, levels) = if self.layout.qualities {
            let [qualities, levels] = self.heap.record(value)?;
            let qualities = self.heap.array(qualities)?.iter();
            (qualities.map(|&quality| self.quality(quality)).collect::<Result<_, _>>()?, levels)
        } else {
            (Rc::default(), value)
        };
        let levels = self.heap.array(levels)?.iter();
        Ok(Instance { qualities, levels: levels.map(|&level| self.level(level)).collect::<Result<_, _>>()? })
    }

    pub(super) fn polymorphic(&mut self, value: Value) -> Result<Option<Polymorphic>, DecodeError> {
        if value == Value::Int(0) {
            return Ok(None);
        }
        let [context] = self.heap.record(value)?;
        self.parameters(context).map(Some)
    }

    /// The context of the parameters of a declaration.
    pub(super) fn parameters(&mut self, value: Value) -> Result<Polymorphic, DecodeError> {
        let [names, constraints] = self.heap.record(value)?;
        let (qualities, levels) = if self.layout.qualities {
            let [qualities, levels] = self.heap.record(names)?;
            (self.heap.length(qualities)?, levels)
        } else {
            (0, names)
        };
        let mut is_named = false;
        for &name in self.heap.array(levels)? {
            // Those of sections are called `file.1` by some releases, as no user can call one.
            if let Some(name) = self.heap.option(name)? {
                is_named |= !self.text(name)?.contains('.');
            }
        }
        let parameters = self.heap.length(levels)?;
        let (eliminations, constraints) = if self.layout.eliminations {
            let [eliminations, constraints] = self.heap.record(constraints)?;
            (self.eliminations(eliminations)?, constraints)
        } else {
            (Eliminations::new(), constraints)
        };
        let constraints = self.constraints(constraints)?;
        self.contexts.push(constraints.clone());
        Ok(Polymorphic { qualities, parameters, is_named, eliminations, constraints })
    }

    /// What an opaque proof requires of universes besides what its statement says, and nothing if it is not polymorphic: all
    /// that the others require is in the constraints of the library.
    pub(in crate::vo::compiled) fn private(&mut self, value: Value) -> Result<Constraints, DecodeError> {
        match self.heap.fields(value)? {
            (0, &[_]) => Ok(Constraints::new()),
            (1, &[context]) => self.context_set(context),
            _ => Err(Corrupt("the universes of a proof have an unknown form")),
        }
    }

    /// The same as seen outside the sections of a constant, whose universes are then its first parameters.
    pub(super) fn discharged_constraints(
        &mut self,
        mut constraints: Constraints,
        sections: Value,
    ) -> Result<Constraints, DecodeError> {
        for section in self.heap.list(sections)? {
            let [_expanded, abstracted] = self.heap.record(section)?;
            let [_context, _universes, instance] = self.heap.record(abstracted)?;
            let levels = self.instance(instance)?.levels;
            let count =
                u32::try_from(levels.len()).map_err(|_| Corrupt("a section has too many universes"))?;
            let outside = |level: &Level| match level {
                Level::Bound(number) => Level::Bound(number + count),
                level => match (0..).zip(&*levels).find(|(_, own)| *own == level) {
                    Some((number, _)) => Level::Bound(number),
                    None => level.clone(),
                },
            };
            for (left, _, right) in &mut constraints {
                (*left, *right) = (outside(left), outside(right));
            }
        }
        Ok(constraints)
    }

    /// The constraints of a library.
    pub(in crate::vo::compiled) fn context_set(&mut self, value: Value) -> Result<Constraints, DecodeError> {
        let [_levels, constraints] = self.heap.record(value)?;
        self.constraints(constraints)
    }

    /// The quality declarations of a library.
    pub(in crate::vo::compiled) fn quality_set(&mut self, value: Value) -> Result<Eliminations, DecodeError> {
        let [_qualities, eliminations] = self.heap.record(value)?;
        self.eliminations(eliminations)
    }

    /// Whether a relevance mark allows a proof of a strict proposition.
    pub(super) fn is_irrelevant(&self, mark: Value) -> Result<bool, DecodeError> {
        match mark {
            Value::Int(0) => Ok(false),
            Value::Int(1) => Ok(true),
            // It depends on a parameter.
            mark if self.layout.qualities => self.heap.record::<1>(mark).map(|_| true),
            _ => Err(Corrupt("a relevance has an unknown form")),
        }
    }
}

const QUALITY: &str = "the quality of a sort has an unknown form";
