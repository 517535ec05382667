//! The declarations of a compiled file, as in Rocq's kernel (`kernel/declarations.ml` of Rocq).

use std::collections::BTreeMap;
use std::rc::Rc;

use super::term::{Instance, Level, Path, Polymorphic, Quality, Root, Sort, TermId};
use super::trees::TreeId;

/// A declaration in a context.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Declaration {
    /// Its value, if it is a `let`.
    pub(crate) value: Option<TermId>,
    pub(crate) ty: TermId,
    /// Whether its type is, or may be, a strict proposition, whose elements are definitionally equal.
    pub(crate) irrelevant: bool,
}

/// Declarations. The first is the outermost.
pub(crate) type Context = Vec<Declaration>;

/// The body of a constant.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Body {
    /// An axiom or parameter, or a field of a sealed module.
    Open {
        /// Whether functor application inlines it.
        inline: bool,
    },
    /// A transparent definition.
    Transparent(TermId),
    /// An opaque value.
    Opaque(Opaque),
    /// A primitive operation.
    Primitive(i64),
}

/// A substitution of modules.
pub(crate) type Renaming = Vec<(Rc<Path>, Rc<Path>)>;

/// The proof of an opaque constant.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Opaque {
    /// The term; `None` when it is in another file.
    pub(crate) proof: Option<TermId>,
    /// The module substitutions of functor applications, the last application first.
    pub(crate) renamed: Vec<Renaming>,
    /// The section variables over which the term remains to be closed.
    pub(crate) discharged: Vec<Variable>,
}

/// A variable of a section.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Rc<str>,
    /// Its value, if it is a `Let`.
    pub(crate) value: Option<TermId>,
    pub(crate) ty: TermId,
}

/// The kernel checks that were enabled for a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flags {
    pub(crate) guarded: bool,
    pub(crate) positive: bool,
    pub(crate) universes: bool,
}

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Constant {
    pub(crate) body: Body,
    pub(crate) ty: TermId,
    /// The names of the products that its type begins with, up to the first without a name. The first are those of
    /// its section variables, except `Let`s.
    pub(crate) binders: Vec<Rc<str>>,
    pub(crate) polymorphic: Option<Polymorphic>,
    pub(crate) flags: Flags,
}

/// The sorts that an inductive type may be eliminated into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Elimination {
    /// Families of sorts up to this one.
    Into(i64),
    /// All sorts.
    Free,
    /// Only its own sort.
    OwnSort,
    /// Only its own sort, unless all of these qualities are below that of its sort.
    Restricted(Vec<Quality>),
}

/// The primitive projections of a record.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Projections {
    /// Their names and types.
    pub(crate) fields: Vec<(Rc<str>, TermId)>,
    /// Whether records are equal if their fields are (eta).
    pub(crate) eta: bool,
}

/// Template polymorphism: implicit instantiation at every use of an inductive type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Template {
    /// The universes of parameters, if any.
    Levels(Vec<Option<Level>>),
    /// For each parameter, whether it has a universe.
    Flags(Vec<bool>),
    /// The sorts of parameters, if any, and of the type, in a separate context; and the default instance
    /// of that context.
    Sorts { parameters: Vec<Option<Sort>>, result: Sort, context: Polymorphic, defaults: Instance },
}

/// A type of a mutual block.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OneInductive {
    pub(crate) name: Rc<str>,
    /// The context of its arity: parameters and indices.
    pub(crate) arity: Context,
    pub(crate) sort: Sort,
    pub(crate) constructors: Vec<(Rc<str>, TermId)>,
    /// The arguments of each constructor, parameters first, from its normalized type.
    pub(crate) takes: Vec<Context>,
    pub(crate) elimination: Elimination,
    pub(crate) projections: Option<Projections>,
    /// The recursive arguments of its constructors.
    pub(crate) tree: TreeId,
}

/// A block of mutual inductive types.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Block {
    pub(crate) types: Vec<OneInductive>,
    pub(crate) finite: i64,
    pub(crate) parameters: u32,
    /// Parameters that are the same in all recursive occurrences.
    pub(crate) uniform: u32,
    pub(crate) polymorphic: Option<Polymorphic>,
    pub(crate) template: Option<Template>,
    pub(crate) variances: Option<Vec<i64>>,
    /// Whether it may be matched on outside its module.
    pub(crate) private: Option<bool>,
    pub(crate) flags: Flags,
}

/// A field of a module.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Field {
    Constant(Constant),
    Inductive(Block),
    Module(Module),
    ModuleType(Signature),
}

/// The implementation of a module.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Implementation {
    /// None: it is declared.
    Declared,
    /// Its signature: nothing is hidden.
    Plain,
    /// An alias, or a functor application.
    Algebraic {
        /// Whether a functor is applied.
        applied: bool,
    },
    /// A sealed structure.
    Sealed(Signature),
}

/// A module.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Module {
    pub(crate) implementation: Implementation,
    pub(crate) signature: Signature,
}

/// What a module says of canonical names (`kernel/mod_subst.ml`, `delta_resolver`).
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Resolver {
    /// Modules with those that they are copies of.
    pub(crate) modules: BTreeMap<Rc<Path>, Rc<Path>>,
    /// Constants and inductive types with their canonical names.
    pub(crate) names: BTreeMap<Rc<Path>, Rc<Path>>,
}

impl Resolver {
    /// By what it says most of the declaration at a path: the path itself, or a module that it is in, and what that is.
    pub(crate) fn says_of(&self, path: &Path) -> Option<(&Rc<Path>, &Rc<Path>)> {
        let around = (0..path.labels.len()).rev();
        let mut modules = around.map(|n| Path { root: path.root.clone(), labels: path.labels[..n].to_vec() });
        let of_module = || modules.find_map(|module| self.modules.get_key_value(&module));
        self.names.get_key_value(path).or_else(of_module)
    }
}

/// The signature of a module.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Signature {
    Structure(Vec<(Rc<str>, Field)>),
    /// The parameter's name, its signature, and the result.
    Functor {
        bound: Root,
        parameter: Box<Signature>,
        result: Box<Signature>,
    },
}

impl Signature {
    /// A structure, below the parameters of this signature.
    pub(super) fn around(&self, structure: Vec<(Rc<str>, Field)>) -> Self {
        let (mut parameters, mut inner) = (Vec::new(), self);
        while let Self::Functor { bound, parameter, result } = inner {
            parameters.push((bound, parameter));
            inner = result;
        }
        parameters.into_iter().rev().fold(Self::Structure(structure), |result, (bound, parameter)| {
            Self::Functor { bound: bound.clone(), parameter: parameter.clone(), result: Box::new(result) }
        })
    }
}
