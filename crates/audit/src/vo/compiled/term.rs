//! Kernel terms with their names and universes (`kernel/constr.ml`, `kernel/sorts.ml`, `kernel/uVars.ml` of Rocq).
//!
//! Names of bound variables, and data used only for printing, are omitted.

use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// The root of a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    /// The file itself.
    Own,
    /// The library with this name.
    Library(Rc<str>),
    /// The parameter of a functor.
    Parameter(Rc<str>),
}

/// The path of a module, or of a field of one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Path {
    pub(crate) root: Root,
    pub(crate) labels: Vec<Rc<str>>,
}

impl Path {
    /// The path of the file itself.
    pub(crate) fn own() -> Self {
        Self { root: Root::Own, labels: Vec::new() }
    }

    /// The path of a name of a file, such as `Module.theorem`, as seen at its end.
    pub(crate) fn named(name: &str) -> Self {
        Self { root: Root::Own, labels: name.split('.').map(Rc::from).collect() }
    }

    pub(crate) fn is_own(&self) -> bool {
        self.root == Root::Own
    }

    /// The path of a field of this module.
    pub(crate) fn field(&self, label: &Rc<str>) -> Self {
        let labels = self.labels.iter().chain([label]).cloned().collect();
        Self { root: self.root.clone(), labels }
    }

    /// Something in the module that this is in.
    pub(crate) fn beside(&self, label: &Rc<str>) -> Self {
        let around = self.labels.split_last().map_or(&[][..], |(_, around)| around);
        Self { root: self.root.clone(), labels: around.iter().chain([label]).cloned().collect() }
    }

    /// The path with the prefix `from` replaced by `to`; unchanged without that prefix.
    pub(crate) fn moved(&self, from: &Self, to: &Self) -> Option<Self> {
        let inner = self.labels.strip_prefix(&from.labels[..]).filter(|_| self.root == from.root)?;
        Some(Self { root: to.root.clone(), labels: [&to.labels[..], inner].concat() })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.labels.join(".");
        match &self.root {
            Root::Own => f.write_str(&labels),
            Root::Library(name) | Root::Parameter(name) if labels.is_empty() => f.write_str(name),
            Root::Library(name) | Root::Parameter(name) => write!(f, "{name}.{labels}"),
        }
    }
}

/// A name as used, and its canonical name: modules can create aliases.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Name {
    pub(crate) user: Rc<Path>,
    pub(crate) canonical: Rc<Path>,
}

/// A universe.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Level {
    Set,
    /// One that the file itself declares.
    Own(Rc<str>, u32),
    /// One of a library.
    Library(Rc<str>, Rc<str>, u32),
    /// A parameter of a polymorphic declaration.
    Bound(u32),
}

impl Level {
    /// Whether it is the smallest universe or a parameter, for which no constraints are declared.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Self::Own(..))
    }
}

/// The quality of a sort, independent of its universe.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Quality {
    Prop,
    SProp,
    Type,
    /// A parameter of a polymorphic declaration.
    Bound(u32),
    /// One that the file itself declares.
    Own(Rc<str>),
    /// One of a library.
    Library(Rc<str>, Rc<str>),
}

/// A sort. That of types is the least upper bound of universes, each with an increment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sort {
    SProp,
    Prop,
    Set,
    Type(Vec<(Level, u32)>),
    /// A sort with a named quality.
    Quality(Quality, Vec<(Level, u32)>),
}

/// An order constraint between two universes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Order {
    Less,
    LessOrEqual,
    Equal,
}

/// A constraint on two universes.
pub(crate) type Constraint = (Level, Order, Level);

/// Universes and their constraints.
pub(crate) type Constraints = Vec<Constraint>;

/// Qualities, and the qualities that they may be eliminated into.
pub(crate) type Eliminations = BTreeSet<(Quality, Quality)>;

/// The parameters of a polymorphic declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Polymorphic {
    /// The number of qualities, and their constraints.
    pub(crate) qualities: u32,
    pub(crate) eliminations: Eliminations,
    /// The number of universes, whether the file names any, and their constraints.
    pub(crate) parameters: u32,
    pub(crate) is_named: bool,
    pub(crate) constraints: Constraints,
}

impl Polymorphic {
    /// Whether there are any parameters.
    pub(crate) fn is_proper(&self) -> bool {
        self.qualities > 0 || self.parameters > 0
    }
}

/// An instance of a polymorphic declaration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Instance {
    pub(crate) qualities: Rc<[Quality]>,
    pub(crate) levels: Rc<[Level]>,
}

impl Instance {
    pub(crate) fn is_empty(&self) -> bool {
        self.qualities.is_empty() && self.levels.is_empty()
    }
}

/// The kind of a cast.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum CastKind {
    Vm,
    Native,
    Default,
}

/// The number of a term of a library. Shared terms have one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TermId(pub(crate) u32);

type Terms = Rc<[TermId]>;

/// A term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    /// A bound variable; 1 is the innermost.
    Rel(u32),
    /// A variable of a section.
    Var(Rc<str>),
    Sort(Sort),
    Cast(TermId, CastKind, TermId),
    /// A product: domain and body.
    Prod(TermId, TermId),
    /// A function: domain and body.
    Lambda(TermId, TermId),
    /// Value, type and body.
    Let(TermId, TermId, TermId),
    App(TermId, Terms),
    Const(Name, Instance),
    /// The type with this index in a mutual block.
    Inductive(Name, u32, Instance),
    /// The constructor with this number, from 1, of a type of a block.
    Constructor(Name, u32, u32, Instance),
    Case(Rc<Case>),
    Fix(Rc<Fix>),
    CoFix(Rc<CoFix>),
    /// A primitive projection: its type, the index of the field, whether it is folded, and the record.
    Projection(Name, u32, u32, bool, TermId),
    Int(i64),
    Float(u64),
    /// A primitive string, as bytes.
    Text(Rc<[u8]>),
    /// Elements, default and type.
    Array(Instance, Terms, TermId, TermId),
}

impl Term {
    /// The global name that it mentions itself, without its subterms.
    pub(crate) fn name(&self) -> Option<&Name> {
        match self {
            Self::Const(name, _)
            | Self::Inductive(name, ..)
            | Self::Constructor(name, ..)
            | Self::Projection(name, ..) => Some(name),
            Self::Case(case) => Some(&case.inductive.0),
            _ => None,
        }
    }

    /// The universes that it mentions itself, without its subterms.
    pub(crate) fn levels(&self) -> impl Iterator<Item = &Level> {
        let (instance, sort): (&[Level], &[(Level, u32)]) = match self {
            Self::Sort(Sort::Type(levels) | Sort::Quality(_, levels)) => (&[], levels),
            _ => (self.instance().map_or(&[], |instance| &instance.levels), &[]),
        };
        instance.iter().chain(sort.iter().map(|(level, _)| level))
    }

    /// The instance of a polymorphic declaration that it mentions itself, without its subterms.
    fn instance(&self) -> Option<&Instance> {
        match self {
            Self::Const(_, instance)
            | Self::Inductive(.., instance)
            | Self::Constructor(.., instance)
            | Self::Array(instance, ..) => Some(instance),
            Self::Case(case) => Some(&case.instance),
            _ => None,
        }
    }

    /// Whether it mentions a parameter of a polymorphic declaration itself, without its subterms.
    pub(crate) fn mentions_parameter(&self) -> bool {
        let mut qualities: &[Quality] = self.instance().map_or(&[], |instance| &instance.qualities);
        if let Self::Sort(Sort::Quality(quality, _)) = self {
            qualities = std::slice::from_ref(quality);
        }
        qualities.iter().any(|quality| matches!(quality, Quality::Bound(_)))
            || self.levels().any(|level| matches!(level, Level::Bound(_)))
    }

    /// Visits its subterms.
    pub(crate) fn each_part(&self, mut each: impl FnMut(TermId)) {
        self.each_part_under(|part, _| each(part));
    }

    /// Visits its subterms, with the number of variables that it binds in each.
    pub(crate) fn each_part_under(&self, mut each: impl FnMut(TermId, u32)) {
        let mut all = |terms: &[TermId], under| terms.iter().for_each(|&term| each(term, under));
        let count = |terms: &Terms| u32::try_from(terms.len()).expect("there are no more values than that");
        match self {
            Self::Rel(_)
            | Self::Var(_)
            | Self::Sort(_)
            | Self::Const(..)
            | Self::Inductive(..)
            | Self::Constructor(..)
            | Self::Int(_)
            | Self::Float(_)
            | Self::Text(_) => {}
            Self::Cast(term, _, ty) => all(&[*term, *ty], 0),
            Self::Prod(domain, body) | Self::Lambda(domain, body) => {
                all(&[*domain], 0);
                all(&[*body], 1);
            }
            Self::Let(value, ty, body) => {
                all(&[*value, *ty], 0);
                all(&[*body], 1);
            }
            Self::App(function, arguments) => {
                all(&[*function], 0);
                all(arguments, 0);
            }
            Self::Case(case) => {
                all(&case.parameters, 0);
                all(case.indices.as_deref().unwrap_or_default(), 0);
                all(&[case.returns.1], case.returns.0);
                all(&[case.scrutinee], 0);
                case.branches.iter().for_each(|branch| all(&[branch.1], branch.0));
            }
            Self::Fix(fix) => {
                all(&fix.types, 0);
                all(&fix.bodies, count(&fix.bodies));
            }
            Self::CoFix(cofix) => {
                all(&cofix.types, 0);
                all(&cofix.bodies, count(&cofix.bodies));
            }
            Self::Projection(.., of) => all(&[*of], 0),
            Self::Array(_, elements, default, ty) => {
                all(elements, 0);
                all(&[*default, *ty], 0);
            }
        }
    }
}

impl Term {
    /// The term with its subterms replaced by `new`, which gets the number of variables bound in each.
    pub(crate) fn with_parts(&self, new: &mut impl FnMut(TermId, u32) -> TermId) -> Self {
        let mut all =
            |terms: &[TermId], under: u32| terms.iter().map(|&term| new(term, under)).collect::<Terms>();
        let count = |terms: &Terms| u32::try_from(terms.len()).expect("there are no more values than that");
        match self {
            Self::Rel(_)
            | Self::Var(_)
            | Self::Sort(_)
            | Self::Const(..)
            | Self::Inductive(..)
            | Self::Constructor(..)
            | Self::Int(_)
            | Self::Float(_)
            | Self::Text(_) => self.clone(),
            Self::Cast(term, kind, ty) => Self::Cast(new(*term, 0), *kind, new(*ty, 0)),
            Self::Prod(domain, body) => Self::Prod(new(*domain, 0), new(*body, 1)),
            Self::Lambda(domain, body) => Self::Lambda(new(*domain, 0), new(*body, 1)),
            Self::Let(value, ty, body) => Self::Let(new(*value, 0), new(*ty, 0), new(*body, 1)),
            Self::App(function, arguments) => {
                let arguments = all(arguments, 0);
                Self::App(new(*function, 0), arguments)
            }
            Self::Case(case) => {
                let parameters = all(&case.parameters, 0);
                let indices = case.indices.as_deref().map(|indices| all(indices, 0));
                Self::Case(Rc::new(Case {
                    parameters,
                    indices,
                    returns: (case.returns.0, new(case.returns.1, case.returns.0)),
                    scrutinee: new(case.scrutinee, 0),
                    branches: case.branches.iter().map(|&(bound, body)| (bound, new(body, bound))).collect(),
                    ..(**case).clone()
                }))
            }
            Self::Fix(fix) => Self::Fix(Rc::new(Fix {
                types: all(&fix.types, 0),
                bodies: all(&fix.bodies, count(&fix.bodies)),
                ..(**fix).clone()
            })),
            Self::CoFix(cofix) => Self::CoFix(Rc::new(CoFix {
                types: all(&cofix.types, 0),
                bodies: all(&cofix.bodies, count(&cofix.bodies)),
                index: cofix.index,
            })),
            Self::Projection(name, number, field, unfolded, of) => {
                Self::Projection(name.clone(), *number, *field, *unfolded, new(*of, 0))
            }
            Self::Array(instance, elements, default, ty) => {
                let elements = all(elements, 0);
                Self::Array(instance.clone(), elements, new(*default, 0), new(*ty, 0))
            }
        }
    }
}

/// A match.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Case {
    pub(crate) inductive: (Name, u32),
    pub(crate) instance: Instance,
    pub(crate) parameters: Terms,
    /// The number of variables that the return type binds, and the type.
    pub(crate) returns: (u32, TermId),
    /// The indices, if the scrutinee is an irrelevant proof.
    pub(crate) indices: Option<Terms>,
    pub(crate) scrutinee: TermId,
    /// The number of variables that each branch binds, and its body.
    pub(crate) branches: Vec<(u32, TermId)>,
}

/// Mutually recursive functions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Fix {
    /// The index of the decreasing argument of each, from 0.
    pub(crate) structural: Vec<u32>,
    /// The index of the selected function.
    pub(crate) index: u32,
    pub(crate) types: Terms,
    pub(crate) bodies: Terms,
}

/// Mutually corecursive values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CoFix {
    pub(crate) index: u32,
    pub(crate) types: Terms,
    pub(crate) bodies: Terms,
}
