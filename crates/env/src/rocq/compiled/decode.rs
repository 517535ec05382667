//! From values to declarations: the layouts of Rocq 8.16 and 8.17 (`checker/values.ml` of Rocq). Whatever does not look as
//! it should is an error, so that another layout cannot be taken for this one.

use std::collections::HashMap;
use std::rc::Rc;

use super::marshal::{Heap, Value};
use super::term::*;
use super::trees::Trees;
use super::{Corrupt, Own, Terms};

/// The reader is recursive where terms and modules are: with less stack than this left, it goes on in a new piece.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// Goes on, in a new piece of stack if need be.
pub(super) fn deep<T>(go_on: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, go_on)
}

/// Reads the values of one heap. Terms of several heaps get numbers in one sequence.
pub(super) struct Decoder<'h, 'b> {
    pub(super) heap: &'h Heap<'b>,
    own: &'h Own,
    pub(super) terms: Terms,
    /// The terms of this heap that were read, or are being read.
    known: HashMap<Value, Option<TermId>>,
    paths: HashMap<Value, Rc<Path>>,
    names: HashMap<Value, Name>,
    levels: HashMap<Value, Level>,
    texts: HashMap<Value, Rc<str>>,
    /// The proofs of opaque constants, by their numbers in the file.
    pub(super) opaque: Vec<Option<TermId>>,
    pub(super) trees: Trees,
}

impl<'h, 'b> Decoder<'h, 'b> {
    pub(super) fn new(heap: &'h Heap<'b>, own: &'h Own, terms: Terms, opaque: Vec<Option<TermId>>) -> Self {
        Self {
            heap,
            own,
            terms,
            known: HashMap::new(),
            paths: HashMap::new(),
            names: HashMap::new(),
            levels: HashMap::new(),
            texts: HashMap::new(),
            opaque,
            trees: Trees::default(),
        }
    }

    pub(super) fn into_terms(self) -> (Terms, Vec<Option<TermId>>) {
        (self.terms, self.opaque)
    }

    pub(super) fn text(&mut self, value: Value) -> Result<Rc<str>, Corrupt> {
        if let Some(text) = self.texts.get(&value) {
            return Ok(Rc::clone(text));
        }
        let text: Rc<str> = self.heap.text_at(value)?.into();
        self.texts.insert(value, Rc::clone(&text));
        Ok(text)
    }

    /// The name of a library. The parts stand innermost first.
    pub(super) fn library(&mut self, value: Value) -> Result<String, Corrupt> {
        let mut parts = self.heap.list(value)?;
        parts.reverse();
        let parts: Result<Vec<&str>, Corrupt> = parts.into_iter().map(|p| self.heap.text_at(p)).collect();
        Ok(parts?.join("."))
    }

    /// The name of a functor's parameter.
    fn parameter(&mut self, value: Value) -> Result<Root, Corrupt> {
        let [number, name, place] = self.heap.record(value)?;
        let (number, name) = (self.heap.int(number)?, self.heap.text_at(name)?);
        Ok(Root::Parameter(format!("{}.{name}#{number}", self.library(place)?).into()))
    }

    /// A module path.
    fn path(&mut self, value: Value) -> Result<Rc<Path>, Corrupt> {
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
                _ => return Err(Corrupt("a module path is of no known form")),
            }
            if labels.len() > MAX_DEPTH {
                return Err(Corrupt("a module path has no end"));
            }
        };
        labels.reverse();
        // What the challenge asks stands in a module type of its file.
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

    /// A kernel name: the path of something in a module.
    fn kernel_name(&mut self, value: Value) -> Result<Rc<Path>, Corrupt> {
        let [path, label, _hash] = self.heap.record(value)?;
        let label = self.text(label)?;
        Ok(Rc::new(self.path(path)?.field(&label)))
    }

    pub(super) fn name(&mut self, value: Value) -> Result<Name, Corrupt> {
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
            _ => return Err(Corrupt("a name is of no known form")),
        };
        self.names.insert(value, name.clone());
        Ok(name)
    }

    pub(super) fn inductive(&mut self, value: Value) -> Result<(Name, u32), Corrupt> {
        let [block, number] = self.heap.record(value)?;
        Ok((self.name(block)?, self.heap.count(number)?))
    }

    fn level(&mut self, value: Value) -> Result<Level, Corrupt> {
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
                _ => return Err(Corrupt("a universe is of no known form")),
            },
        };
        self.levels.insert(value, level.clone());
        Ok(level)
    }

    fn sort(&mut self, value: Value) -> Result<Sort, Corrupt> {
        Ok(match value {
            Value::Int(0) => Sort::SProp,
            Value::Int(1) => Sort::Prop,
            Value::Int(2) => Sort::Set,
            other => {
                let [universe] = self.heap.record(other)?;
                let mut levels = Vec::new();
                for expression in self.heap.list(universe)? {
                    let [level, steps] = self.heap.record(expression)?;
                    levels.push((self.level(level)?, self.heap.count(steps)?));
                }
                Sort::Type(levels)
            }
        })
    }

    fn constraints(&mut self, value: Value) -> Result<Constraints, Corrupt> {
        let mut constraints = Constraints::new();
        for [_, constraint, _, _] in self.heap.tree(value)? {
            let [left, order, right] = self.heap.record(constraint)?;
            let order = match order {
                Value::Int(0) => Order::Less,
                Value::Int(1) => Order::LessOrEqual,
                Value::Int(2) => Order::Equal,
                _ => return Err(Corrupt("a constraint is of no known form")),
            };
            constraints.push((self.level(left)?, order, self.level(right)?));
        }
        Ok(constraints)
    }

    fn instance(&mut self, value: Value) -> Result<Rc<[Level]>, Corrupt> {
        let levels = self.heap.array(value)?;
        levels.iter().map(|&level| self.level(level)).collect()
    }

    fn polymorphic(&mut self, value: Value) -> Result<Option<Polymorphic>, Corrupt> {
        if value == Value::Int(0) {
            return Ok(None);
        }
        let [context] = self.heap.record(value)?;
        let [names, constraints] = self.heap.record(context)?;
        let parameters = self.heap.array(names)?.len();
        let parameters = u32::try_from(parameters).expect("there are no more values than that");
        Ok(Some(Polymorphic { parameters, constraints: self.constraints(constraints)? }))
    }

    /// The constraints of a library.
    pub(super) fn context_set(&mut self, value: Value) -> Result<Constraints, Corrupt> {
        let [_levels, constraints] = self.heap.record(value)?;
        self.constraints(constraints)
    }

    fn terms(&mut self, value: Value) -> Result<Rc<[TermId]>, Corrupt> {
        let terms = self.heap.array(value)?;
        terms.iter().map(|&term| self.term(term)).collect()
    }

    /// How many variables are bound, and a body.
    fn binding(&mut self, value: Value) -> Result<(u32, TermId), Corrupt> {
        let [names, body] = self.heap.record(value)?;
        let count = u32::try_from(self.heap.array(names)?.len()).expect("there are no more values than that");
        Ok((count, self.term(body)?))
    }

    pub(super) fn term(&mut self, value: Value) -> Result<TermId, Corrupt> {
        match self.known.get(&value) {
            Some(Some(term)) => return Ok(*term),
            Some(None) => return Err(Corrupt("a term contains itself")),
            None => {}
        }
        self.known.insert(value, None);
        let term = deep(|| self.new_term(value))?;
        let irrelevant = self.binds_irrelevant(value)?;
        let id = self.terms.push(term, irrelevant).ok_or(Corrupt("there are too many terms"))?;
        self.known.insert(value, Some(id));
        Ok(id)
    }

    fn new_term(&mut self, value: Value) -> Result<Term, Corrupt> {
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
                    _ => return Err(Corrupt("a cast is of no known form")),
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
                let [inductive, ..] = self.heap.record::<6>(info)?;
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
                    inductive: self.inductive(inductive)?,
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
            (16, &[projection, of]) => {
                let [representation, unfolded] = self.heap.record(projection)?;
                let [inductive, _relevance, _parameters, field, _name] = self.heap.record(representation)?;
                let (block, number) = self.inductive(inductive)?;
                let unfolded = self.heap.int(unfolded)? != 0;
                Term::Projection(block, number, self.heap.count(field)?, unfolded, self.term(of)?)
            }
            (17, &[number]) => Term::Int(self.heap.int(number)?),
            (18, &[number]) => Term::Float(self.heap.double(number)?),
            (19, &[instance, elements, default, ty]) => Term::Array(
                self.instance(instance)?,
                self.terms(elements)?,
                self.term(default)?,
                self.term(ty)?,
            ),
            _ => return Err(Corrupt("a term is of no known form")),
        })
    }

    /// Types and bodies of mutual functions: as many of one as of the other.
    fn mutual(&mut self, value: Value) -> Result<[Rc<[TermId]>; 2], Corrupt> {
        let [names, types, bodies] = self.heap.record(value)?;
        let count = self.heap.array(names)?.len();
        let (types, bodies) = (self.terms(types)?, self.terms(bodies)?);
        if types.len() != count || bodies.len() != count {
            return Err(Corrupt("mutual functions are not as many as their types"));
        }
        Ok([types, bodies])
    }

    /// A context. It stands innermost first.
    fn context(&mut self, value: Value) -> Result<Context, Corrupt> {
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
                _ => return Err(Corrupt("a declaration in a context is of no known form")),
            });
        }
        Ok(context)
    }

    fn flags(&mut self, value: Value) -> Result<Flags, Corrupt> {
        let [guarded, positive, universes, ..] = self.heap.record::<12>(value)?;
        let on = |flag| Ok(self.heap.int(flag)? != 0);
        Ok(Flags { guarded: on(guarded)?, positive: on(positive)?, universes: on(universes)? })
    }

    fn constant(&mut self, value: Value) -> Result<Constant, Corrupt> {
        let [_section, _instance, body, ty, _relevance, _code, universes, _inline, flags] =
            self.heap.record(value)?;
        let body = match self.heap.fields(body)? {
            (0, &[inline]) => Body::Open { inline: self.heap.option(inline)?.is_some() },
            (1, &[body]) => Body::Transparent(self.term(body)?),
            (2, &[opaque]) => {
                let [substitutions, sections, library, number] = self.heap.record(opaque)?;
                let number = self.heap.count(number)? as usize;
                let proof = if self.library(library)? == self.own.library {
                    *self.opaque.get(number).ok_or(Corrupt("an opaque proof is missing"))?
                } else {
                    None
                };
                let proof = proof.map(|proof| self.with_arguments(proof, sections)).transpose()?;
                let substitutions = self.heap.list(substitutions)?.into_iter();
                let renamed = substitutions.map(|s| self.renamed(s)).collect::<Result<_, _>>()?;
                Body::Opaque(Opaque { proof, renamed, discharged: self.discharged(sections)? })
            }
            (3, &[primitive]) => Body::Primitive(self.heap.int(primitive)?),
            _ => return Err(Corrupt("a constant is of no known form")),
        };
        Ok(Constant {
            body,
            ty: self.term(ty)?,
            polymorphic: self.polymorphic(universes)?,
            flags: self.flags(flags)?,
        })
    }

    /// What modules a substitution puts in the place of which.
    fn renamed(&mut self, value: Value) -> Result<Renaming, Corrupt> {
        let mut renamed = Vec::new();
        for [_, from, to, _, _] in self.heap.tree(value)? {
            let [to, _resolver] = self.heap.record(to)?;
            renamed.push((self.path(from)?, self.path(to)?));
        }
        Ok(renamed)
    }

    fn block(&mut self, value: Value) -> Result<Block, Corrupt> {
        let [
            packets,
            record,
            finite,
            _types,
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
        ] = self.heap.record(value)?;
        let heap = self.heap;
        let projections = match record {
            Value::Int(_) => None,
            record => Some(heap.record::<1>(record).and_then(|[records]| heap.array(records))?),
        };
        let mut types = Vec::new();
        for (number, &packet) in heap.array(packets)?.iter().enumerate() {
            let mut one = self.one_inductive(packet)?;
            if let Some(records) = projections {
                let record = records.get(number).ok_or(Corrupt("a record has no projections"))?;
                let [_binder, labels, _relevances, types] = heap.record(*record)?;
                let types = self.terms(types)?;
                let labels: Result<Vec<_>, _> = heap.array(labels)?.iter().map(|&l| self.text(l)).collect();
                one.projections = Some(labels?.into_iter().zip(types.iter().copied()).collect());
            }
            types.push(one);
        }
        let template = match heap.option(template)? {
            None => None,
            Some(template) => {
                let [levels, _context] = heap.record(template)?;
                let levels = heap.list(levels)?.into_iter();
                let level = |level| heap.option(level)?.map(|level| self.level(level)).transpose();
                Some(levels.map(level).collect::<Result<_, _>>()?)
            }
        };
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

    fn one_inductive(&mut self, value: Value) -> Result<OneInductive, Corrupt> {
        let [name, arity, sort, constructors, types, _, _, eliminates_into, computed, _, _, tree, ..] =
            self.heap.record::<16>(value)?;
        let sort = match self.heap.fields(sort)? {
            (0, &[regular]) => {
                let [_arity, sort] = self.heap.record(regular)?;
                sort
            }
            (1, &[template]) => {
                let [sort] = self.heap.record(template)?;
                sort
            }
            _ => return Err(Corrupt("an arity is of no known form")),
        };
        let names = self.heap.array(constructors)?;
        let names: Vec<Rc<str>> = names.iter().map(|&name| self.text(name)).collect::<Result<_, _>>()?;
        let types = self.terms(types)?;
        if names.len() != types.len() {
            return Err(Corrupt("constructors are not as many as their types"));
        }
        let computed = self.heap.array(computed)?;
        if computed.len() != names.len() {
            return Err(Corrupt("constructors are not as many as their contexts"));
        }
        let takes = computed.iter().map(|&computed| {
            let [context, _result] = self.heap.record(computed)?;
            self.context(context)
        });
        let takes = takes.collect::<Result<_, _>>()?;
        Ok(OneInductive {
            name: self.text(name)?,
            arity: self.context(arity)?,
            sort: self.sort(sort)?,
            constructors: names.into_iter().zip(types.iter().copied()).collect(),
            takes,
            nested: self.nested(tree)?,
            eliminates_into: self.heap.int(eliminates_into)?,
            projections: None,
            tree: self.tree(tree)?,
        })
    }

    pub(super) fn module(&mut self, value: Value) -> Result<Module, Corrupt> {
        let [_path, implementation, signature, _algebraic, resolver, _retroknowledge] =
            self.heap.record(value)?;
        let implementation = match implementation {
            Value::Int(0) => Implementation::Declared,
            Value::Int(1) => Implementation::Plain,
            other => match self.heap.fields(other)? {
                (0, &[expression]) => Implementation::Algebraic { applied: self.applied(expression)? },
                (1, &[signature]) => Implementation::Sealed(self.signature(signature)?),
                _ => return Err(Corrupt("a module is of no known form")),
            },
        };
        let signature = self.signature(signature)?;
        Ok(Module { implementation, signature, inlines: self.inlines(resolver)? })
    }

    /// The names that a resolver replaces by values.
    fn inlines(&mut self, value: Value) -> Result<Vec<Path>, Corrupt> {
        let [_modules, hints] = self.heap.record(value)?;
        let mut inlines = Vec::new();
        for [_, _hash, named, _, _] in self.heap.tree(hints)? {
            for [_, name, hint, _, _] in self.heap.tree(named)? {
                if let (0, &[_, value]) = self.heap.fields(hint)?
                    && self.heap.option(value)?.is_some()
                {
                    inlines.push((*self.kernel_name(name)?).clone());
                }
            }
        }
        Ok(inlines)
    }

    fn module_type(&mut self, value: Value) -> Result<Signature, Corrupt> {
        let [_path, _implementation, signature, ..] = self.heap.record::<6>(value)?;
        self.signature(signature)
    }

    fn signature(&mut self, value: Value) -> Result<Signature, Corrupt> {
        deep(|| match self.heap.fields(value)? {
            (0, &[fields]) => {
                let mut structure = Vec::new();
                for field in self.heap.list(fields)? {
                    let [label, body] = self.heap.record(field)?;
                    let label = self.text(label)?;
                    let body = match self.heap.fields(body)? {
                        (0, &[constant]) => Field::Constant(self.constant(constant)?),
                        (1, &[block]) => Field::Inductive(self.block(block)?),
                        (2, &[module]) => Field::Module(self.module(module)?),
                        (3, &[ty]) => Field::ModuleType(self.module_type(ty)?),
                        _ => return Err(Corrupt("a field of a module is of no known form")),
                    };
                    structure.push((label, body));
                }
                Ok(Signature::Structure(structure))
            }
            (1, &[bound, parameter, result]) => Ok(Signature::Functor {
                bound: self.parameter(bound)?,
                parameter: Box::new(self.module_type(parameter)?),
                result: Box::new(self.signature(result)?),
            }),
            _ => Err(Corrupt("a signature is of no known form")),
        })
    }
}

/// Modules within modules, at most.
pub(super) const MAX_DEPTH: usize = 10_000;
