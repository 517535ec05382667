//! What a compiled file declares, as Rocq's kernel sees it (`kernel/declarations.ml` of Rocq).

use std::rc::Rc;

use super::term::{Instance, Level, Path, Polymorphic, Quality, Root, Sort, TermId};
use super::trees::TreeId;

/// A declaration in a context.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) struct Declaration {
    /// Its value, if it is a `let`.
    pub(in crate::rocq) value: Option<TermId>,
    pub(in crate::rocq) ty: TermId,
    /// Whether all its values are equal by definition, or may be: those of a strict proposition.
    pub(in crate::rocq) irrelevant: bool,
}

/// Declarations. The first is the outermost.
pub(in crate::rocq) type Context = Vec<Declaration>;

/// What a constant is.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) enum Body {
    /// An axiom or parameter, or the field of a module that is sealed.
    Open {
        /// Whether functors replace it by its value.
        inline: bool,
    },
    /// A definition that can be computed with.
    Transparent(TermId),
    /// A value that cannot be looked at.
    Opaque(Opaque),
    /// An operation of the kernel.
    Primitive(i64),
}

/// Modules, and what stands for them.
pub(in crate::rocq) type Renaming = Vec<(Rc<Path>, Rc<Path>)>;

/// The proof of an opaque constant.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) struct Opaque {
    /// The term; `None` when it is in another file.
    pub(in crate::rocq) proof: Option<TermId>,
    /// Modules that others stand for since functors were applied, the last application first.
    pub(in crate::rocq) renamed: Vec<Renaming>,
    /// The variables of sections that the term is still to be closed over, and whether they have a value.
    pub(in crate::rocq) discharged: Vec<(Rc<str>, bool)>,
}

/// Checks of the kernel that were on or off for one declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rocq) struct Flags {
    pub(in crate::rocq) guarded: bool,
    pub(in crate::rocq) positive: bool,
    pub(in crate::rocq) universes: bool,
}

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) struct Constant {
    pub(in crate::rocq) body: Body,
    pub(in crate::rocq) ty: TermId,
    pub(in crate::rocq) polymorphic: Option<Polymorphic>,
    pub(in crate::rocq) flags: Flags,
}

/// What an inductive type may be eliminated into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::rocq) enum Elimination {
    /// Families of sorts up to this one.
    Into(i64),
    /// All sorts.
    Free,
    /// Its own sort alone.
    OwnSort,
    /// The same, unless all of these qualities lie below that of its sort.
    Restricted(Vec<Quality>),
}

/// The primitive projections of a record.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) struct Projections {
    /// Their names and types.
    pub(in crate::rocq) fields: Vec<(Rc<str>, TermId)>,
    /// Whether two records are equal when their fields are.
    pub(in crate::rocq) eta: bool,
}

/// What is instantiated at every use of an inductive type, without being written.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) enum Template {
    /// The universes of parameters, where there are any.
    Levels(Vec<Option<Level>>),
    /// Whether there is one, for each parameter.
    Flags(Vec<bool>),
    /// The sorts of parameters, where there are any, and that of the type, in a context of their own; and what stands for
    /// the context everywhere else.
    Sorts { parameters: Vec<Option<Sort>>, result: Sort, context: Polymorphic, defaults: Instance },
}

/// One type of a block.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) struct OneInductive {
    pub(in crate::rocq) name: Rc<str>,
    /// The context of its arity: parameters and indices.
    pub(in crate::rocq) arity: Context,
    pub(in crate::rocq) sort: Sort,
    pub(in crate::rocq) constructors: Vec<(Rc<str>, TermId)>,
    /// What each constructor takes, parameters first, once its type is computed.
    pub(in crate::rocq) takes: Vec<Context>,
    pub(in crate::rocq) elimination: Elimination,
    pub(in crate::rocq) projections: Option<Projections>,
    /// Which arguments of its constructors are recursive.
    pub(in crate::rocq) tree: TreeId,
}

/// A block of mutual inductive types.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) struct Block {
    pub(in crate::rocq) types: Vec<OneInductive>,
    pub(in crate::rocq) finite: i64,
    pub(in crate::rocq) parameters: u32,
    /// Parameters that are the same in all recursive occurrences.
    pub(in crate::rocq) uniform: u32,
    pub(in crate::rocq) polymorphic: Option<Polymorphic>,
    pub(in crate::rocq) template: Option<Template>,
    pub(in crate::rocq) variances: Option<Vec<i64>>,
    /// Whether it may be matched on outside its module.
    pub(in crate::rocq) private: Option<bool>,
    pub(in crate::rocq) flags: Flags,
}

/// Something in a module.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) enum Field {
    Constant(Constant),
    Inductive(Block),
    Module(Module),
    ModuleType(Signature),
}

/// What a module is made of.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) enum Implementation {
    /// It is declared and not given.
    Declared,
    /// It is given by its signature: nothing is hidden.
    Plain,
    /// It is an alias, or comes of applying a functor.
    Algebraic {
        /// Whether a functor is applied.
        applied: bool,
    },
    /// It is sealed: behind its signature stands this.
    Sealed(Signature),
}

/// A module.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) struct Module {
    pub(in crate::rocq) implementation: Implementation,
    pub(in crate::rocq) signature: Signature,
    /// Constants that are replaced by their values where the module is used.
    pub(in crate::rocq) inlines: Vec<Path>,
}

/// What can be seen of a module.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::rocq) enum Signature {
    Structure(Vec<(Rc<str>, Field)>),
    /// What the result calls the parameter, what it knows of it, and the result.
    Functor {
        bound: Root,
        parameter: Box<Signature>,
        result: Box<Signature>,
    },
}

impl Signature {
    /// A structure under the parameters that this signature has.
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
