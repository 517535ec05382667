//! Names of libraries, modules and their fields.

use std::rc::Rc;

use super::super::DecodeError::{self, Corrupt};
use super::super::marshal::Value;
use super::super::term::*;
use super::{Decoder, MAX_DEPTH};

impl Decoder<'_, '_> {
    pub(in crate::vo::compiled) fn text(&mut self, value: Value) -> Result<Rc<str>, DecodeError> {
        if let Some(text) = self.texts.get(&value) {
            return Ok(Rc::clone(text));
        }
        let text: Rc<str> = self.heap.text_at(value)?.into();
        self.texts.insert(value, Rc::clone(&text));
        Ok(text)
    }

    /// The name of a library. Its components are stored innermost first.
    pub(in crate::vo::compiled) fn library(&mut self, value: Value) -> Result<String, DecodeError> {
        let mut parts = self.heap.list(value)?;
        parts.reverse();
        let parts: Result<Vec<&str>, DecodeError> = parts.into_iter().map(|p| self.heap.text_at(p)).collect();
        Ok(parts?.join("."))
    }

    /// The name of a functor's parameter.
    pub(in crate::vo::compiled) fn parameter(&mut self, value: Value) -> Result<Root, DecodeError> {
        let [number, name, place] = self.heap.record(value)?;
        let (number, name) = (self.heap.int(number)?, self.heap.text_at(name)?);
        Ok(Root::Parameter(format!("{}.{name}#{number}", self.library(place)?).into()))
    }

    /// A module path.
    pub(in crate::vo::compiled) fn path(&mut self, value: Value) -> Result<Rc<Path>, DecodeError> {
        if let Some(path) = self.paths.get(&value) {
            return Ok(Rc::clone(path));
        }
        // From the inside out, without recursion.
        let (mut labels, mut at) = (Vec::new(), value);
        let root = loop {
            match self.heap.fields(at)? {
                (0, &[library]) => {
                    let library = self.library(library)?;
                    break if library == self.own.library {
                        Root::Own
                    } else {
                        Root::Library(library.into())
                    };
                }
                (1, &[bound]) => break self.parameter(bound)?,
                (2, &[outer, label]) => {
                    labels.push(self.text(label)?);
                    at = outer;
                }
                _ => return Err(Corrupt("a module path has an unknown form")),
            }
            if labels.len() > MAX_DEPTH {
                return Err(Corrupt("a module path has no end"));
            }
        };
        labels.reverse();
        // The challenge is a module type in its file.
        if root == Root::Own
            && let Some(inner) = &self.own.within
        {
            if labels.first().is_some_and(|l| **l == **inner) {
                labels.remove(0);
            } else {
                labels.insert(0, "".into());
            }
        }
        let path = Rc::new(Path { root, labels });
        self.paths.insert(value, Rc::clone(&path));
        Ok(path)
    }

    /// A kernel name: the path of a field of a module.
    pub(in crate::vo::compiled) fn kernel_name(&mut self, value: Value) -> Result<Rc<Path>, DecodeError> {
        let [path, label, _hash] = self.heap.record(value)?;
        let label = self.text(label)?;
        Ok(Rc::new(self.path(path)?.field(&label)))
    }

    pub(in crate::vo::compiled) fn name(&mut self, value: Value) -> Result<Name, DecodeError> {
        if let Some(name) = self.names.get(&value) {
            return Ok(name.clone());
        }
        let name = match self.heap.fields(value)? {
            (0, &[same]) => {
                let path = self.kernel_name(same)?;
                Name { user: Rc::clone(&path), canonical: path }
            }
            (1, &[user, canonical]) => {
                Name { user: self.kernel_name(user)?, canonical: self.kernel_name(canonical)? }
            }
            _ => return Err(Corrupt("a name has an unknown form")),
        };
        self.names.insert(value, name.clone());
        Ok(name)
    }

    pub(in crate::vo::compiled) fn inductive(&mut self, value: Value) -> Result<(Name, u32), DecodeError> {
        let [block, number] = self.heap.record(value)?;
        Ok((self.name(block)?, self.heap.count(number)?))
    }
}
