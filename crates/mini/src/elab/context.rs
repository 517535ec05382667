//! Metavariables, their scopes and their assignments.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::theory::Theory;
use crate::budget::{self, Account};
use crate::kernel::term::{Binder, BinderInfo, Kind, Level, LocalId, MetaId, Name, Term, deeper};
use crate::syntax::ast::Span;

/// Why elaboration or a tactic failed: something is wrong, or not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The message.
    pub what: String,
    /// The position, if known.
    pub span: Option<Span>,
}

impl Failure {
    /// A failure without a position.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), span: None }
    }

    /// The failure with a position, unless it already has one.
    #[must_use]
    pub fn at(self, place: Span) -> Self {
        Self { what: self.what, span: self.span.or(Some(place)) }
    }
}

/// The result of elaboration.
pub type Result<T> = std::result::Result<T, Failure>;

/// Fails with a message.
pub fn fail<T>(what: impl Into<String>) -> Result<T> {
    Err(Failure::new(what))
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its id.
    pub id: LocalId,
    /// Its name.
    pub name: Name,
    /// Whether the user gave the name, so that it is accessible.
    pub accessible: bool,
    /// How its argument is supplied, when it becomes a binder.
    pub info: BinderInfo,
    /// Its type.
    pub ty: Term,
    /// Its value, if it is a local definition.
    pub value: Option<Term>,
}

impl Local {
    /// The variable as a term.
    pub fn term(&self) -> Term {
        Term::local(self.id)
    }

    pub(crate) fn binder(&self) -> Binder {
        Binder { name: Arc::clone(&self.name), info: self.info }
    }
}

/// The variables in scope, outermost first.
pub type Scope = Arc<Vec<Local>>;

/// Whether unification may assign a metavariable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetaKind {
    /// Unification may assign it.
    Natural,
    /// Only tactics may assign it.
    Goal,
}

/// The declaration of a metavariable.
#[derive(Clone, Debug)]
pub struct MetaDecl {
    /// The variables that may occur in its value.
    pub scope: Scope,
    /// Its type.
    pub ty: Term,
    /// Whether unification may assign it.
    pub kind: MetaKind,
    /// The case tag, if any.
    pub tag: Name,
}

/// A delayed assignment: the value of another metavariable, once complete, as a function of variables.
#[derive(Clone, Debug)]
pub struct Delayed {
    /// The variables, outermost first.
    pub over: Vec<Local>,
    /// The other metavariable.
    pub body: MetaId,
}

/// The definitions to unfold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Transparency {
    /// Those marked `@[reducible]`.
    Reducible,
    /// All.
    Default,
}

/// A cache of fully instantiated values of metavariables, which several terms may share.
type Values = FxHashMap<MetaId, Option<Term>>;

/// An entry of the undo log.
enum Change {
    Assigned(MetaId),
    AssignedLevel(u32),
}

/// The memory of an entry in one of the tables, without its content.
const ENTRY: usize = 64;

/// A point to undo to.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// Metavariables and their assignments, with reduction and unification.
pub struct MetaContext<'t> {
    /// The theory.
    pub theory: &'t Theory,
    pub(super) metas: FxHashMap<MetaId, Arc<MetaDecl>>,
    pub(super) assigned: FxHashMap<MetaId, Term>,
    delayed: FxHashMap<MetaId, Arc<Delayed>>,
    locals: FxHashMap<LocalId, Local>,
    levels: FxHashMap<u32, Level>,
    trail: Vec<Change>,
    next: u64,
    next_level: u32,
    /// The memory of all this.
    memory: Account,
    /// Universe names, the level parameters of the declaration.
    pub level_names: Vec<Name>,
    /// The name of the declaration, which opens namespaces.
    pub within: Option<Name>,
    /// Whether what is read decides what is stated; not so in a proof.
    pub is_statement: bool,
    /// The definitions to unfold.
    pub transparency: Transparency,
}

impl<'t> MetaContext<'t> {
    /// An empty context. Ids begin at `next`.
    pub fn new(theory: &'t Theory, next: u64) -> Self {
        Self {
            theory,
            metas: FxHashMap::default(),
            assigned: FxHashMap::default(),
            delayed: FxHashMap::default(),
            locals: FxHashMap::default(),
            levels: FxHashMap::default(),
            trail: Vec::new(),
            next,
            next_level: 0,
            memory: Account::default(),
            level_names: Vec::new(),
            within: None,
            is_statement: true,
            transparency: Transparency::Default,
        }
    }

    /// The first unused id.
    pub fn next_id(&self) -> u64 {
        self.next
    }

    /// The number of level metavariables created so far.
    pub fn next_level(&self) -> u32 {
        self.next_level
    }

    /// Skips the level metavariables of another context.
    pub fn skip_levels(&mut self, made: u32) {
        self.next_level = made;
    }

    fn fresh_id(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// A new variable, not yet in a scope.
    pub fn new_local(&mut self, name: &Name, accessible: bool, ty: Term, value: Option<Term>) -> Local {
        let id = LocalId(self.fresh_id());
        let local = Local { id, name: Arc::clone(name), accessible, info: BinderInfo::Explicit, ty, value };
        self.memory.take(ENTRY + size_of::<Local>() + name.len());
        self.locals.insert(id, local.clone());
        local
    }

    /// A new variable for going under a binder.
    pub fn new_binder(&mut self, binder: &Binder, ty: Term) -> Local {
        self.new_local(&binder.name, true, ty, None)
    }

    /// Registers the variables of a scope.
    pub fn enter(&mut self, scope: &Scope) {
        budget::visits(scope.len());
        for local in scope.iter() {
            self.locals.insert(local.id, local.clone());
        }
    }

    /// A variable.
    pub fn local(&self, id: LocalId) -> Result<&Local> {
        match self.locals.get(&id) {
            Some(local) => Ok(local),
            None => {
                let mut scopes = self.metas.values().map(|m| &m.scope);
                let found = scopes.find_map(|scope| {
                    budget::visits(1 + scope.len());
                    scope.iter().find(|l| l.id == id)
                });
                found.ok_or_else(|| Failure::new("a variable is not in scope"))
            }
        }
    }

    /// A new metavariable.
    pub fn new_meta(&mut self, scope: Scope, ty: Term, kind: MetaKind, tag: Name) -> MetaId {
        let id = MetaId(self.fresh_id());
        // Most scopes belong to one of many goals that differ in a single variable.
        let own = if Arc::strong_count(&scope) == 1 { scope.len() * size_of::<Local>() } else { 0 };
        budget::visits(own / size_of::<Local>());
        self.memory.take(ENTRY + size_of::<MetaDecl>() + own + tag.len());
        self.metas.insert(id, Arc::new(MetaDecl { scope, ty, kind, tag }));
        id
    }

    /// Adds an existing metavariable.
    pub fn adopt(&mut self, id: MetaId, decl: Arc<MetaDecl>) {
        budget::visits(1);
        self.metas.insert(id, decl);
    }

    /// Adds an existing delayed assignment.
    pub fn adopt_delayed(&mut self, id: MetaId, delayed: Arc<Delayed>) {
        self.delayed.insert(id, delayed);
    }

    /// The delayed assignment of a metavariable.
    pub fn delayed(&self, id: MetaId) -> Option<&Arc<Delayed>> {
        self.delayed.get(&id)
    }

    /// The declaration of a metavariable.
    pub fn meta(&self, id: MetaId) -> &Arc<MetaDecl> {
        self.metas.get(&id).expect("a metavariable is declared when it is made")
    }

    /// The display name of a metavariable, after `?`.
    pub fn meta_name(&self, id: MetaId) -> Name {
        match &*self.meta(id).tag {
            "" => format!("m.{}", id.0).into(),
            tag => tag.into(),
        }
    }

    /// A new level metavariable.
    pub fn new_level(&mut self) -> Level {
        self.memory.take(ENTRY);
        self.next_level += 1;
        Level::Meta(self.next_level - 1)
    }

    /// Whether a metavariable is assigned.
    pub fn is_assigned(&self, id: MetaId) -> bool {
        self.assigned.contains_key(&id)
    }

    /// The value of a metavariable.
    pub fn value(&self, id: MetaId) -> Option<&Term> {
        self.assigned.get(&id)
    }

    /// Assigns a metavariable. The value must have its type and be in its scope.
    pub fn assign(&mut self, id: MetaId, value: Term) {
        self.memory.take(ENTRY);
        self.trail.push(Change::Assigned(id));
        self.assigned.insert(id, value);
    }

    pub(super) fn assign_level(&mut self, id: u32, level: Level) {
        self.memory.take(ENTRY);
        self.trail.push(Change::AssignedLevel(id));
        self.levels.insert(id, level);
    }

    /// A point for [`Self::undo`].
    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Undoes all assignments since a point.
    pub fn undo(&mut self, mark: Mark) {
        for change in self.trail.drain(mark.0..).rev() {
            match change {
                Change::Assigned(id) => {
                    self.assigned.remove(&id);
                }
                Change::AssignedLevel(id) => {
                    self.levels.remove(&id);
                }
            }
        }
    }

    /// The level with assigned metavariables replaced by their values.
    pub fn instantiate_level(&self, level: &Level) -> Level {
        level.replaced(&mut |leaf| match leaf {
            Level::Meta(id) => self.levels.get(id).map(|l| self.instantiate_level(l)),
            _ => None,
        })
    }

    /// The term with assigned metavariables and levels replaced by their values.
    pub fn instantiate(&self, term: &Term) -> Term {
        self.instantiate_with(term, &mut Values::default())
    }

    fn instantiate_with(&self, term: &Term, values: &mut Values) -> Term {
        if !term.has_meta() && !term.has_level_meta() {
            return term.clone();
        }
        term.replace(&mut |t, _| {
            if !t.has_meta() && !t.has_level_meta() {
                return Some(t.clone());
            }
            match t.kind() {
                Kind::Meta(id) => Some(self.value_of(*id, values).unwrap_or_else(|| t.clone())),
                Kind::App(..) => {
                    let (head, args) = t.head_args();
                    let Kind::Meta(id) = head.kind() else { return None };
                    let value = self.value_of(*id, values)?;
                    let args: Vec<Term> =
                        args.into_iter().map(|a| self.instantiate_with(a, values)).collect();
                    Some(beta(&value, &args))
                }
                Kind::Sort(level) if self.is_unknown(level) => {
                    Some(Term::sort(self.instantiate_level(level)))
                }
                Kind::Const(name, levels) if levels.iter().any(|l| self.is_unknown(l)) => {
                    let levels: Vec<Level> = levels.iter().map(|l| self.instantiate_level(l)).collect();
                    Some(Term::constant(Arc::clone(name), levels))
                }
                _ => None,
            }
        })
    }

    /// Whether a level contains assigned metavariables.
    fn is_unknown(&self, level: &Level) -> bool {
        match level {
            Level::Num(_) | Level::Param(_) => false,
            Level::Meta(id) => self.levels.contains_key(id),
            Level::Succ(l) => self.is_unknown(l),
            Level::Max(a, b) | Level::IMax(a, b) => self.is_unknown(a) || self.is_unknown(b),
        }
    }

    /// The value of a metavariable, fully instantiated.
    fn value_of(&self, id: MetaId, values: &mut Values) -> Option<Term> {
        if let Some(known) = values.get(&id) {
            return known.clone();
        }
        let value = deeper(|| match self.assigned.get(&id) {
            Some(value) => Some(self.instantiate_with(value, values)),
            None => {
                let delayed = self.delayed.get(&id)?;
                let body = self.instantiate_with(self.assigned.get(&delayed.body)?, values);
                (!body.has_meta()).then(|| lambdas(&delayed.over, body))
            }
        });
        values.insert(id, value.clone());
        value
    }

    /// The term with its head instantiated and its arguments unchanged.
    pub(super) fn instantiate_head(&self, term: &Term) -> Term {
        let mut at = term.clone();
        loop {
            let Kind::Meta(id) = at.head().kind() else { return at };
            let Some(value) =
                self.assigned.get(id).cloned().or_else(|| self.value_of(*id, &mut Values::default()))
            else {
                return at;
            };
            let args: Vec<Term> = at.head_args().1.into_iter().cloned().collect();
            at = beta(&value, &args);
        }
    }

    /// Prepares a term for abstraction: metavariables that may depend on the variables become functions of them.
    pub fn abstract_over(&mut self, term: &Term, over: &[Local]) -> Result<Term> {
        let term = self.instantiate(term);
        if !term.has_meta() {
            return Ok(term);
        }
        let mut goals: FxHashMap<MetaId, Term> = FxHashMap::default();
        for id in self.open_metas(&term) {
            if let Some(function) = deeper(|| self.make_function(id, over))? {
                goals.insert(id, function);
            }
        }
        let term = self.instantiate(&term);
        if goals.is_empty() {
            return Ok(term);
        }
        Ok(term.replace(&mut |t, _| match t.kind() {
            _ if !t.has_meta() => Some(t.clone()),
            Kind::Meta(id) => goals.get(id).cloned(),
            _ => None,
        }))
    }

    /// Replaces a metavariable by a function of the variables that may occur in its value. A goal is unchanged;
    /// its replacement is returned.
    fn make_function(&mut self, id: MetaId, over: &[Local]) -> Result<Option<Term>> {
        let decl = Arc::clone(self.meta(id));
        let mut inner: Vec<Local> =
            over.iter().filter(|l| decl.scope.iter().any(|s| s.id == l.id)).cloned().collect();
        if inner.is_empty() {
            return Ok(None);
        }
        let is_outer = |l: &&Local| inner.iter().all(|i| i.id != l.id);
        let outer: Vec<Local> = decl.scope.iter().filter(is_outer).cloned().collect();
        let ty = self.abstract_over(&decl.ty, &inner)?;
        let ty = pis(&inner, ty);
        let function = self.new_meta(Arc::new(outer), ty, MetaKind::Natural, Arc::clone(&decl.tag));
        let args: Vec<Term> = inner.iter().filter(|l| l.value.is_none()).map(Local::term).collect();
        let value = Term::apps(Term::meta(function), args);
        if decl.kind == MetaKind::Goal {
            self.delayed.insert(function, Arc::new(Delayed { over: inner, body: id }));
            return Ok(Some(value));
        }
        if let Some(delayed) = self.delayed.get(&id) {
            inner.extend(delayed.over.iter().cloned());
            let delayed = Delayed { over: inner, body: delayed.body };
            self.delayed.insert(function, Arc::new(delayed));
        }
        self.assign(id, value);
        Ok(None)
    }

    /// The unassigned metavariables of a term, in order of appearance.
    pub fn open_metas(&self, term: &Term) -> Vec<MetaId> {
        self.instantiate(term).metas()
    }
}

/// Applies a function, with beta reduction.
pub fn beta(function: &Term, args: &[Term]) -> Term {
    let (mut function, mut args) = (function.clone(), args);
    loop {
        let (mut body, mut n) = (&function, 0);
        while let Kind::Lambda(_, _, inner) = body.kind()
            && n < args.len()
        {
            (body, n) = (inner, n + 1);
        }
        if n == 0 {
            return Term::apps(function, args.iter().cloned());
        }
        (function, args) = (body.instantiated_all(&args[..n]), &args[n..]);
    }
}

/// Abstracts variables as a function; local definitions are replaced by their values.
pub fn lambdas(over: &[Local], body: Term) -> Term {
    bind(over, body, Term::lambda)
}

/// Abstracts variables as a function type; local definitions are replaced by their values.
pub fn pis(over: &[Local], body: Term) -> Term {
    bind(over, body, Term::pi)
}

fn bind(over: &[Local], body: Term, binding: fn(Binder, Term, Term) -> Term) -> Term {
    if over.iter().any(|l| l.value.is_some()) {
        return over.iter().rev().fold(body, |body, l| {
            let inner = body.abstracted(l.id);
            match &l.value {
                Some(value) => inner.instantiated(value),
                None => binding(l.binder(), l.ty.clone(), inner),
            }
        });
    }
    // All at once is faster than one by one.
    let locals: Vec<Term> = over.iter().map(Local::term).collect();
    let bound =
        |body, (at, l): (usize, &Local)| binding(l.binder(), l.ty.abstracted_all(&locals[..at]), body);
    over.iter().enumerate().rev().fold(body.abstracted_all(&locals), bound)
}
