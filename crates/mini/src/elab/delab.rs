//! From kernel terms back to surface syntax, as Lean prints it.

use std::sync::Arc;

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::{Local, MetaContext, Scope};
use crate::budget::{self, Account};
use crate::kernel::compare::written_size;
use crate::kernel::term::{BinderInfo, Kind, Level, LocalId, Name, Term, deeper};
use crate::syntax::ast::{Argument, Binders, Expr, ExprKind, Operator, Span, Universe};
use crate::syntax::print::print;

/// The operator for a constant with two explicit arguments.
const OPERATORS: &[(&str, Operator)] = &[
    ("Iff", Operator::Iff),
    ("Or", Operator::Or),
    ("And", Operator::And),
    ("Prod", Operator::Prod),
    ("Eq", Operator::Eq),
    ("Ne", Operator::Ne),
    ("Nat.le", Operator::Le),
    ("GE.ge", Operator::Ge),
    ("Nat.lt", Operator::Lt),
    ("GT.gt", Operator::Gt),
    ("Dvd.dvd", Operator::Dvd),
    ("List.append", Operator::Append),
    ("Nat.add", Operator::Add),
    ("Nat.sub", Operator::Sub),
    ("List.cons", Operator::Cons),
    ("Nat.mul", Operator::Mul),
    ("Nat.pow", Operator::Pow),
];

/// The display names of variables.
pub type Names = FxHashMap<LocalId, Name>;

impl MetaContext<'_> {
    /// A term as text, for a message.
    pub fn show(&mut self, term: &Term) -> String {
        /// Larger terms are useless in a message.
        const MAX_SHOWN: usize = 20_000;
        let term = self.instantiate(term);
        match written_size(&term) {
            size if size > MAX_SHOWN => "(a term too large to be shown)".to_owned(),
            _ => print(&self.delab(&term, &Names::default(), &Account::default())),
        }
    }

    /// A term as surface syntax, with these display names of variables. The memory for it, and for
    /// printing it, is charged to an account.
    pub(crate) fn delab(&mut self, term: &Term, names: &Names, memory: &Account) -> Expr {
        Delab { ctx: self, names, memory }.expr(term)
    }
}

/// The display names of the variables of a scope. Inaccessible and shadowed ones are marked.
pub fn shown_names(scope: &Scope) -> Names {
    let mut names = Names::default();
    let mut seen: FxHashSet<&Name> = FxHashSet::default();
    let mut marked: FxHashMap<&Name, usize> = FxHashMap::default();
    budget::visits(scope.len());
    for local in scope.iter().rev() {
        if local.accessible && seen.insert(&local.name) {
            continue;
        }
        let count = marked.entry(&local.name).and_modify(|count| *count += 1).or_insert(0);
        names.insert(local.id, marked_name(&local.name, *count));
    }
    names
}

/// A name with a dagger, and the number of younger ones in superscript.
fn marked_name(name: &str, count: usize) -> Name {
    let mut marked = format!("{name}✝");
    if count > 0 {
        let digit = |d: char| match d.to_digit(10) {
            Some(1) => '¹',
            Some(2) => '²',
            Some(3) => '³',
            Some(d) => char::from_u32(0x2070 + d).unwrap_or('⁰'),
            None => d,
        };
        marked.extend(count.to_string().chars().map(digit));
    }
    marked.into()
}

struct Delab<'a, 'b, 't> {
    ctx: &'a mut MetaContext<'t>,
    names: &'b Names,
    memory: &'b Account,
}

/// The approximate number of digits of a number. Charges for printing them, which takes quadratic time.
pub(crate) fn digits(n: &BigUint) -> usize {
    let digits = usize::try_from(n.bits() / 3).unwrap_or(usize::MAX);
    budget::visits((digits / 64).saturating_pow(2));
    digits
}

fn make(kind: ExprKind) -> Expr {
    Expr::new(kind, Span::default())
}

fn ident(name: impl Into<Name>) -> Expr {
    make(ExprKind::Ident(name.into()))
}

impl Delab<'_, '_, '_> {
    fn expr(&mut self, term: &Term) -> Expr {
        /// The memory of a node: in the tree, and in the text with its brackets and spaces.
        const NODE: usize = size_of::<Expr>() + 2 * size_of::<usize>();
        budget::step();
        let name = match term.kind() {
            Kind::Local(id) => self.name_of(*id).len(),
            Kind::Const(name, _) => name.len(),
            Kind::Lambda(binder, ..) | Kind::Pi(binder, ..) | Kind::Let(binder, ..) => binder.name.len(),
            Kind::Lit(n) => digits(n),
            _ => 0,
        };
        self.memory.take(NODE + name);
        deeper(|| self.form(term))
    }

    fn form(&mut self, term: &Term) -> Expr {
        match term.kind() {
            Kind::Bound(i) => ident(format!("#{i}")),
            Kind::Local(id) => ident(self.name_of(*id)),
            Kind::Meta(id) => make(ExprKind::Synthetic(Some(self.ctx.meta_name(*id)))),
            Kind::Sort(level) => make(ExprKind::Sort(universe(level))),
            Kind::Lit(n) => make(ExprKind::Num(n.clone())),
            Kind::Const(..) | Kind::App(..) => self.application(term),
            Kind::Lambda(..) => {
                let mut binders: Vec<Binders> = Vec::new();
                let mut at = term.clone();
                while let Kind::Lambda(binder, ty, body) = at.kind() {
                    let (local, body) = self.open(&binder.name, ty, body);
                    binders.push(Binders { names: vec![local.name], ty: None, implicit: false });
                    at = body;
                }
                let body = self.expr(&at);
                make(ExprKind::Fun(binders, Box::new(body)))
            }
            Kind::Pi(..) => self.pi(term),
            Kind::Let(binder, ty, value, body) => {
                let (local, body) = self.open(&binder.name, ty, body);
                let (ty, value) = (self.expr(ty), self.expr(value));
                let body = self.expr(&body);
                make(ExprKind::Let(local.name, Some(Box::new(ty)), Box::new(value), Box::new(body)))
            }
        }
    }

    fn name_of(&self, id: LocalId) -> Name {
        if let Some(name) = self.names.get(&id) {
            return Arc::clone(name);
        }
        match self.ctx.local(id) {
            Ok(local) if local.accessible => Arc::clone(&local.name),
            Ok(local) => marked_name(&local.name, 0),
            Err(_) => "_".into(),
        }
    }

    /// The body of a binder, instantiated with a new variable whose name is unused in it.
    fn open(&mut self, name: &Name, ty: &Term, body: &Term) -> (Local, Term) {
        let mut used: FxHashSet<Name> = FxHashSet::default();
        if body.has_local() {
            body.any(|t| {
                if let Kind::Local(id) = t.kind() {
                    used.insert(self.name_of(*id));
                }
                false
            });
        }
        let mut fresh = Arc::clone(name);
        let mut n = 0;
        while used.contains(&fresh) {
            budget::step();
            n += 1;
            fresh = format!("{name}_{n}").into();
        }
        let local = self.ctx.new_local(&fresh, true, ty.clone(), None);
        let body = body.instantiated(&local.term());
        (local, body)
    }

    fn pi(&mut self, term: &Term) -> Expr {
        let Kind::Pi(binder, from, to) = term.kind() else { return self.expr(term) };
        if binder.info == BinderInfo::Explicit && !to.uses_variable() {
            let body = to.instantiated(&Term::prop());
            let (from, body) = (self.expr(from), self.expr(&body));
            return make(ExprKind::Arrow(Box::new(from), Box::new(body)));
        }
        // Only a proposition is a `∀`; another dependent function type is printed with an arrow.
        let is_proposition = self.ctx.is_proposition(term).unwrap_or(true);
        let mut binders: Vec<(Binders, Term)> = Vec::new();
        let mut at = term.clone();
        while let Kind::Pi(binder, from, to) = at.kind() {
            let implicit = binder.info == BinderInfo::Implicit;
            if !implicit && !to.uses_variable() {
                break;
            }
            let (local, body) = self.open(&binder.name, from, to);
            match binders.last_mut() {
                Some((last, ty)) if ty == from && last.implicit == implicit => last.names.push(local.name),
                _ => {
                    let ty = self.expr(from);
                    binders.push((Binders { names: vec![local.name], ty: Some(ty), implicit }, from.clone()));
                }
            }
            at = body;
        }
        let body = self.expr(&at);
        let binders = binders.into_iter().map(|(binders, _)| binders);
        if is_proposition {
            return make(ExprKind::Forall(binders.collect(), Box::new(body)));
        }
        let arrow = |body, binders| make(ExprKind::Pi(Box::new(binders), Box::new(body)));
        binders.rev().fold(body, arrow)
    }

    fn application(&mut self, term: &Term) -> Expr {
        let (head, args) = term.head_args();
        let Kind::Const(name, _) = head.kind() else {
            let args: Vec<Argument> = args.into_iter().map(|a| Argument::Positional(self.expr(a))).collect();
            let head = self.expr(head);
            return make(ExprKind::App(Box::new(head), args));
        };
        let explicit = self.explicit_args(name, &args);
        if let Some((_, operator)) = OPERATORS.iter().find(|(constant, _)| **constant == **name)
            && let [a, b] = explicit.as_slice()
        {
            if *operator == Operator::Cons
                && let Some(members) = members(term)
            {
                return make(ExprKind::List(members.into_iter().map(|m| self.expr(m)).collect()));
            }
            let (a, b) = (self.expr(a), self.expr(b));
            return make(ExprKind::Binary(*operator, Box::new(a), Box::new(b)));
        }
        match (&**name, explicit.as_slice()) {
            ("Not", [a]) => return make(ExprKind::Not(Box::new(self.expr(a)))),
            ("List.nil", []) => return make(ExprKind::List(Vec::new())),
            ("Nat.zero", []) => return make(ExprKind::Num(0u32.into())),
            ("Exists", [predicate]) => {
                if let Kind::Lambda(binder, ty, body) = predicate.kind() {
                    return self.exists(&binder.name, ty, body);
                }
            }
            ("Prod.mk", [a, b]) => {
                let first = self.expr(a);
                let mut parts = vec![first];
                match self.expr(b).into_kind() {
                    ExprKind::Tuple(more) => parts.extend(more),
                    kind => parts.push(make(kind)),
                }
                return make(ExprKind::Tuple(parts));
            }
            (_, [first, rest @ ..]) => {
                if let Some(field) = self.field_of(name, first) {
                    let target = self.expr(first);
                    let head = make(ExprKind::Project(Box::new(target), field));
                    return self.applied(head, rest);
                }
            }
            _ => {}
        }
        let short = match &**name {
            "Bool.true" => "true",
            "Bool.false" => "false",
            "Option.none" => "none",
            "Option.some" => "some",
            name => name,
        };
        self.applied(ident(short), &explicit)
    }

    fn applied(&mut self, head: Expr, args: &[&Term]) -> Expr {
        if args.is_empty() {
            return head;
        }
        let args = args.iter().map(|a| Argument::Positional(self.expr(a))).collect();
        make(ExprKind::App(Box::new(head), args))
    }

    fn explicit_args<'t>(&self, name: &str, args: &[&'t Term]) -> Vec<&'t Term> {
        let Some(declaration) = self.ctx.theory.env.get(name) else { return args.to_vec() };
        let mut explicit = Vec::new();
        let mut at = &declaration.ty;
        for arg in args {
            match at.kind() {
                Kind::Pi(binder, _, to) => {
                    if binder.info == BinderInfo::Explicit {
                        explicit.push(*arg);
                    }
                    at = to;
                }
                _ => explicit.push(arg),
            }
        }
        explicit
    }

    /// `f`, if the first argument of a constant `T.f` belongs to the family `T`, so that it is printed as a field.
    fn field_of(&mut self, name: &str, first: &Term) -> Option<Name> {
        let (family, field) = name.rsplit_once('.')?;
        if matches!(name, "Option.some" | "Prod.mk") {
            return None;
        }
        let ty = self.ctx.infer(first).ok()?;
        let ty = self.ctx.instantiate_head(&ty);
        let Kind::Const(head, _) = ty.head().kind() else { return None };
        if **head != *family {
            return None;
        }
        Some(match name {
            "Prod.fst" => "1".into(),
            "Prod.snd" => "2".into(),
            _ => field.into(),
        })
    }

    fn exists(&mut self, name: &Name, ty: &Term, body: &Term) -> Expr {
        let (local, body) = self.open(name, ty, body);
        let binders = Binders { names: vec![local.name], ty: None, implicit: false };
        match self.expr(&body).into_kind() {
            ExprKind::Exists(mut more, body) => {
                more.insert(0, binders);
                make(ExprKind::Exists(more, body))
            }
            kind => make(ExprKind::Exists(vec![binders], Box::new(make(kind)))),
        }
    }
}

/// The elements of a list literal.
fn members(term: &Term) -> Option<Vec<&Term>> {
    let (mut members, mut at) = (Vec::new(), term);
    loop {
        let (head, args) = at.head_args();
        let Kind::Const(name, _) = head.kind() else { return None };
        match (&**name, args.as_slice()) {
            ("List.cons", [_, member, rest]) => {
                members.push(*member);
                at = rest;
            }
            ("List.nil", [_]) => return Some(members),
            _ => return None,
        }
    }
}

fn universe(level: &Level) -> Universe {
    budget::visits(1);
    match level {
        Level::Num(n) => Universe::Num(*n),
        Level::Param(i) => Universe::Name(format!("u_{}", i + 1).into()),
        Level::Meta(i) => Universe::Name(format!("?u.{i}").into()),
        Level::Succ(l) => Universe::Succ(Box::new(universe(l))),
        Level::Max(a, b) => Universe::Max(Box::new(universe(a)), Box::new(universe(b))),
        Level::IMax(a, b) => Universe::IMax(Box::new(universe(a)), Box::new(universe(b))),
    }
}
