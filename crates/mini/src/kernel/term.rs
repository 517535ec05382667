//! Terms: locally nameless, immutable, shared.

mod visit;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use num_bigint::BigUint;
use rustc_hash::FxHasher;

use super::compare::written_size;
pub use super::level::Level;
use crate::budget;

/// The name of a constant or, for people, of a binder.
pub type Name = Arc<str>;

/// A free variable, whose type a context knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u64);

/// A metavariable. The kernel refuses terms that contain any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MetaId(pub u64);

/// How an argument is supplied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinderInfo {
    /// Explicitly.
    Explicit,
    /// By inference: `{x : T}`.
    Implicit,
}

/// The name of a bound variable, and how its argument is supplied. Neither matters to the theory.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Its name.
    pub name: Name,
    /// How its argument is supplied.
    pub info: BinderInfo,
}

impl Binder {
    /// An explicit binder.
    pub fn explicit(name: &str) -> Self {
        Self { name: name.into(), info: BinderInfo::Explicit }
    }

    /// An implicit binder.
    pub fn implicit(name: &str) -> Self {
        Self { name: name.into(), info: BinderInfo::Implicit }
    }
}

/// The forms of terms.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A bound variable, by the number of binders between.
    Bound(u32),
    /// A free variable.
    Local(LocalId),
    /// A metavariable.
    Meta(MetaId),
    /// A universe.
    Sort(Level),
    /// A constant with its levels.
    Const(Name, Arc<[Level]>),
    /// An application.
    App(Term, Term),
    /// A function, with its argument's type.
    Lambda(Binder, Term, Term),
    /// A function type.
    Pi(Binder, Term, Term),
    /// A local definition: type, value, body.
    Let(Binder, Term, Term, Term),
    /// A natural number.
    Lit(BigUint),
}

/// A term. Clones share their data. Equality ignores the names and the info of binders.
#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    kind: Kind,
    hash: u64,
    /// One more than the highest loose bound variable; 0 if there is none.
    loose: u32,
    has_local: bool,
    has_meta: bool,
    has_param: bool,
    has_level_meta: bool,
}

/// Free stack required before a recursive call.
const LEAST_STACK: usize = 128 << 10;

/// The size of additional stack segments.
const PIECE_OF_STACK: usize = 2 << 20;

/// Memory charged per byte of stack, since unwinding it takes time.
const STACK_WEIGHT: usize = 4;

/// Continues on a new stack segment if little stack is left.
pub(crate) fn deeper<R>(f: impl FnOnce() -> R) -> R {
    if stacker::remaining_stack().is_some_and(|left| left >= LEAST_STACK) {
        return f();
    }
    let piece = budget::Account::default();
    piece.take(STACK_WEIGHT * PIECE_OF_STACK);
    stacker::grow(PIECE_OF_STACK, f)
}

/// Drops a value that may be deeply nested.
pub(crate) fn drop_deeper<T>(nested: T) {
    stacker::maybe_grow(LEAST_STACK, PIECE_OF_STACK, || drop(nested));
}

static LEAF: LazyLock<Term> = LazyLock::new(|| budget::apart(|| Term::sort(Level::Num(0))));

impl Drop for Node {
    /// Drops deep terms without recursion.
    fn drop(&mut self) {
        budget::give_back(self.kind.bytes());
        if !self.kind.has_children() {
            return;
        }
        let mut waiting: Vec<Term> = Vec::new();
        self.take_children(&mut waiting);
        while let Some(Term(node)) = waiting.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                node.take_children(&mut waiting);
            }
        }
    }
}

impl Node {
    /// Removes the children whose drop would recurse: those that have children and no other owner.
    fn take_children(&mut self, out: &mut Vec<Term>) {
        let mut take = |term: Term| {
            if term.kind().has_children() && Arc::strong_count(&term.0) == 1 {
                out.push(term);
            }
        };
        match std::mem::replace(&mut self.kind, Kind::Bound(0)) {
            Kind::App(a, b) | Kind::Lambda(_, a, b) | Kind::Pi(_, a, b) => {
                take(a);
                take(b);
            }
            Kind::Let(_, a, b, c) => {
                take(a);
                take(b);
                take(c);
            }
            Kind::Bound(_)
            | Kind::Local(_)
            | Kind::Meta(_)
            | Kind::Sort(_)
            | Kind::Const(..)
            | Kind::Lit(_) => {}
        }
    }
}

impl Kind {
    fn has_children(&self) -> bool {
        matches!(self, Self::App(..) | Self::Lambda(..) | Self::Pi(..) | Self::Let(..))
    }

    /// The memory of a node of this form. It does not change while the node is dropped.
    fn bytes(&self) -> usize {
        /// The node with its reference counts.
        const NODE: usize = size_of::<Node>() + 2 * size_of::<usize>();
        match self {
            Self::Lit(n) => NODE + bytes_of(n),
            _ => NODE,
        }
    }
}

/// The memory of a number beyond a word or two.
fn bytes_of(n: &BigUint) -> usize {
    usize::try_from(n.bits() / 8).unwrap_or(usize::MAX)
}

impl Term {
    fn new(kind: Kind) -> Self {
        let bytes = kind.bytes();
        // A large number takes time to copy and to hash.
        budget::visits(1 + bytes / 256);
        budget::take(bytes);
        let mut hasher = FxHasher::default();
        std::mem::discriminant(&kind).hash(&mut hasher);
        let (mut loose, mut has_local, mut has_meta, mut has_param) = (0, false, false, false);
        let mut has_level_meta = false;
        let mut child = |term: &Term, binders: u32, hasher: &mut FxHasher| {
            hasher.write_u64(term.0.hash);
            loose = loose.max(term.0.loose.saturating_sub(binders));
            has_local |= term.0.has_local;
            has_meta |= term.0.has_meta;
            has_param |= term.0.has_param;
            has_level_meta |= term.0.has_level_meta;
        };
        match &kind {
            Kind::Bound(i) => {
                hasher.write_u32(*i);
                loose = i + 1;
            }
            Kind::Local(id) => {
                hasher.write_u64(id.0);
                has_local = true;
            }
            Kind::Meta(id) => {
                hasher.write_u64(id.0);
                has_meta = true;
            }
            Kind::Sort(level) => {
                level.hash(&mut hasher);
                has_param = level.is_variable();
                has_level_meta = has_param && level.has_meta();
            }
            Kind::Const(name, levels) => {
                name.hash(&mut hasher);
                levels.hash(&mut hasher);
                has_param = levels.iter().any(Level::is_variable);
                has_level_meta = has_param && levels.iter().any(Level::has_meta);
            }
            Kind::Lit(n) => n.hash(&mut hasher),
            Kind::App(f, a) => {
                child(f, 0, &mut hasher);
                child(a, 0, &mut hasher);
            }
            Kind::Lambda(_, ty, body) | Kind::Pi(_, ty, body) => {
                child(ty, 0, &mut hasher);
                child(body, 1, &mut hasher);
            }
            Kind::Let(_, ty, value, body) => {
                child(ty, 0, &mut hasher);
                child(value, 0, &mut hasher);
                child(body, 1, &mut hasher);
            }
        }
        Self(Arc::new(Node {
            kind,
            hash: hasher.finish(),
            loose,
            has_local,
            has_meta,
            has_param,
            has_level_meta,
        }))
    }

    /// A bound variable.
    pub fn bound(index: u32) -> Self {
        /// The first ones, which are very common.
        static FIRST: LazyLock<Vec<Term>> =
            LazyLock::new(|| budget::apart(|| (0..32).map(|i| Term::new(Kind::Bound(i))).collect()));
        FIRST.get(index as usize).cloned().unwrap_or_else(|| Self::new(Kind::Bound(index)))
    }

    /// A free variable.
    pub fn local(id: LocalId) -> Self {
        Self::new(Kind::Local(id))
    }

    /// A metavariable.
    pub fn meta(id: MetaId) -> Self {
        Self::new(Kind::Meta(id))
    }

    /// A universe.
    pub fn sort(level: Level) -> Self {
        Self::new(Kind::Sort(level))
    }

    /// `Prop`.
    pub fn prop() -> Self {
        LEAF.clone()
    }

    /// A constant.
    pub fn constant(name: impl Into<Name>, levels: impl Into<Arc<[Level]>>) -> Self {
        Self::new(Kind::Const(name.into(), levels.into()))
    }

    /// An application to one argument.
    pub fn app(function: Self, argument: Self) -> Self {
        Self::new(Kind::App(function, argument))
    }

    /// An application to several arguments.
    pub fn apps(function: Self, arguments: impl IntoIterator<Item = Self>) -> Self {
        arguments.into_iter().fold(function, Self::app)
    }

    /// A function; `body` has the argument as its bound variable 0.
    pub fn lambda(binder: Binder, ty: Self, body: Self) -> Self {
        Self::new(Kind::Lambda(binder, ty, body))
    }

    /// A function type; `body` has the argument as its bound variable 0.
    pub fn pi(binder: Binder, ty: Self, body: Self) -> Self {
        Self::new(Kind::Pi(binder, ty, body))
    }

    /// A function type whose result does not depend on the argument.
    pub fn arrow(from: Self, to: Self) -> Self {
        Self::pi(Binder::explicit("a"), from, to.lifted(0, 1))
    }

    /// A local definition; `body` has it as its bound variable 0.
    pub fn let_in(binder: Binder, ty: Self, value: Self, body: Self) -> Self {
        Self::new(Kind::Let(binder, ty, value, body))
    }

    /// A natural number.
    pub fn lit(n: impl Into<BigUint>) -> Self {
        Self::new(Kind::Lit(n.into()))
    }

    /// Its form.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// Whether it has no loose bound variable.
    pub fn is_closed(&self) -> bool {
        self.0.loose == 0
    }

    /// Whether it has no loose bound variable below `depth` binders.
    pub fn is_closed_below(&self, depth: u32) -> bool {
        self.0.loose <= depth
    }

    /// Whether it mentions a free variable.
    pub fn has_local(&self) -> bool {
        self.0.has_local
    }

    /// Whether it mentions a metavariable.
    pub fn has_meta(&self) -> bool {
        self.0.has_meta
    }

    /// Whether it contains a level parameter or a level metavariable.
    pub fn has_param(&self) -> bool {
        self.0.has_param
    }

    /// Whether it contains a level metavariable.
    pub fn has_level_meta(&self) -> bool {
        self.0.has_level_meta
    }

    /// Whether two terms are the same object.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Its address: the same for clones.
    pub(super) fn address(&self) -> *const () {
        Arc::as_ptr(&self.0).cast()
    }

    /// The head of an application with its arguments, first to last.
    pub fn head_args(&self) -> (&Self, Vec<&Self>) {
        let (mut head, mut args) = (self, Vec::new());
        while let Kind::App(function, argument) = head.kind() {
            args.push(argument);
            head = function;
        }
        budget::visits(args.len());
        args.reverse();
        (head, args)
    }

    /// The number of arguments of an application.
    pub fn n_args(&self) -> usize {
        let (mut head, mut n) = (self, 0);
        while let Kind::App(function, _) = head.kind() {
            (head, n) = (function, n + 1);
        }
        budget::visits(n);
        n
    }

    /// The head of an application.
    pub fn head(&self) -> &Self {
        let (mut head, mut n) = (self, 0);
        while let Kind::App(function, _) = head.kind() {
            (head, n) = (function, n + 1);
        }
        budget::visits(n);
        head
    }

    /// Rebuilds the term from its children; `f` gets each child with the number of binders above it. When no child
    /// changes, the result is the same object.
    fn map(&self, depth: u32, f: &mut impl FnMut(&Self, u32) -> Self) -> Self {
        match self.kind() {
            Kind::App(a, b) => {
                let (x, y) = (f(a, depth), f(b, depth));
                if x.is_same(a) && y.is_same(b) { self.clone() } else { Self::app(x, y) }
            }
            Kind::Lambda(binder, a, b) => {
                let (x, y) = (f(a, depth), f(b, depth + 1));
                if x.is_same(a) && y.is_same(b) { self.clone() } else { Self::lambda(binder.clone(), x, y) }
            }
            Kind::Pi(binder, a, b) => {
                let (x, y) = (f(a, depth), f(b, depth + 1));
                if x.is_same(a) && y.is_same(b) { self.clone() } else { Self::pi(binder.clone(), x, y) }
            }
            Kind::Let(binder, a, b, c) => {
                let (x, y, z) = (f(a, depth), f(b, depth), f(c, depth + 1));
                if x.is_same(a) && y.is_same(b) && z.is_same(c) {
                    self.clone()
                } else {
                    Self::let_in(binder.clone(), x, y, z)
                }
            }
            Kind::Bound(_)
            | Kind::Local(_)
            | Kind::Meta(_)
            | Kind::Sort(_)
            | Kind::Const(..)
            | Kind::Lit(_) => self.clone(),
        }
    }

    /// The term with its loose bound variables from `from` on shifted by `by`.
    pub fn lifted(&self, from: u32, by: u32) -> Self {
        self.replace(&mut |term, depth| {
            if term.0.loose <= from + depth {
                return Some(term.clone());
            }
            match term.kind() {
                // Not bound here, so it is shifted.
                Kind::Bound(i) => Some(Self::bound(i + by)),
                _ => None,
            }
        })
    }

    /// Instantiates the body of a binder with a value.
    pub fn instantiated(&self, value: &Self) -> Self {
        self.instantiated_all(std::slice::from_ref(value))
    }

    /// Instantiates the body of several binders with a value for each, outermost binder first.
    pub fn instantiated_all(&self, values: &[Self]) -> Self {
        let n = u32::try_from(values.len()).expect("fewer than 2^32 values");
        self.replace(&mut |term, depth| {
            if term.0.loose <= depth {
                return Some(term.clone());
            }
            match term.kind() {
                Kind::Bound(i) if *i < depth + n => {
                    let value = &values[(n - 1 - (i - depth)) as usize];
                    Some(value.lifted(0, depth))
                }
                Kind::Bound(i) => Some(Self::bound(i - n)),
                _ => None,
            }
        })
    }

    /// Abstracts a free variable: the body of a binder over it.
    pub fn abstracted(&self, local: LocalId) -> Self {
        self.abstracted_over(1, |id| (id == local).then_some(0))
    }

    /// Abstracts free variables: the body of binders over them, outermost binder first.
    pub fn abstracted_all(&self, locals: &[Self]) -> Self {
        let n = u32::try_from(locals.len()).expect("fewer than 2^32 variables");
        let place = |id| locals.iter().rposition(|l| matches!(l.kind(), Kind::Local(l) if *l == id));
        self.abstracted_over(n, |id| place(id).and_then(|at| u32::try_from(locals.len() - 1 - at).ok()))
    }

    fn abstracted_over(&self, n: u32, index: impl Fn(LocalId) -> Option<u32>) -> Self {
        self.replace(&mut |term, depth| match term.kind() {
            _ if !term.has_local() && term.0.loose <= depth => Some(term.clone()),
            Kind::Local(id) => index(*id).map(|i| Self::bound(depth + i)),
            Kind::Bound(i) if *i >= depth => Some(Self::bound(i + n)),
            _ => None,
        })
    }

    /// The term with its level parameters replaced by these levels; further parameters are unchanged.
    pub fn with_levels(&self, levels: &[Level]) -> Self {
        self.map_levels(&mut |level| level.instantiated(levels))
    }

    /// The term with its universe levels replaced.
    pub fn map_levels(&self, f: &mut impl FnMut(&Level) -> Level) -> Self {
        self.replace(&mut |term, _| match term.kind() {
            _ if !term.has_param() => Some(term.clone()),
            Kind::Sort(level) => Some(Self::sort(f(level))),
            Kind::Const(name, own) => {
                Some(Self::constant(Arc::clone(name), own.iter().map(&mut *f).collect::<Vec<_>>()))
            }
            _ => None,
        })
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Term {
    /// For error messages: prefix notation, bound variables as `#0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Larger terms are not shown.
        const MAX_SHOWN: usize = 100_000;
        match written_size(self) {
            size if size > MAX_SHOWN => write!(f, "(a term too large to be shown)"),
            _ => self.write(f),
        }
    }
}

impl Term {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        deeper(|| match self.kind() {
            Kind::Bound(i) => write!(f, "#{i}"),
            Kind::Local(id) => write!(f, "x{}", id.0),
            Kind::Meta(id) => write!(f, "?m{}", id.0),
            Kind::Sort(Level::Num(0)) => write!(f, "Prop"),
            Kind::Sort(Level::Num(n)) => write!(f, "Type {}", n - 1),
            Kind::Sort(level) => write!(f, "Sort ({level:?})"),
            Kind::Const(name, _) => write!(f, "{name}"),
            Kind::App(function, argument) => match argument.kind() {
                Kind::App(..) | Kind::Lambda(..) | Kind::Pi(..) | Kind::Let(..) => {
                    write!(f, "{function:?} ({argument:?})")
                }
                _ => write!(f, "{function:?} {argument:?}"),
            },
            Kind::Lambda(x, ty, body) => write!(f, "(fun {} : {ty:?} => {body:?})", x.name),
            Kind::Pi(x, ty, body) => write!(f, "(({} : {ty:?}) → {body:?})", x.name),
            Kind::Let(x, ty, value, body) => write!(f, "(let {} : {ty:?} := {value:?}; {body:?})", x.name),
            Kind::Lit(n) => write!(f, "{n}"),
        })
    }
}
