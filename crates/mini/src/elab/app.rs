//! Applications: names, fields, implicit and named arguments.

use std::sync::Arc;

use super::context::{Failure, MetaContext, Result, fail};
use super::term::{Elaborator, needs_type};
use crate::budget;
use crate::kernel::env::Body;
use crate::kernel::term::{BinderInfo, Kind, MetaId, Name, Term};
use crate::syntax::ast::{Expr, Span};

/// Names with more components than this are refused, like terms nested as deeply.
const MAX_FIELDS: usize = 1000;

/// An argument.
#[derive(Clone, Debug)]
pub enum Given<'e> {
    /// Not yet elaborated.
    Expr(&'e Expr),
    /// A term.
    Term(Term),
}

impl Elaborator<'_, '_> {
    /// A constant with new universe levels.
    pub fn constant(&mut self, name: &str) -> Result<Term> {
        match self.ctx.constant(name) {
            Some(term) => Ok(term),
            None => fail(format!("unknown constant `{name}`")),
        }
    }

    /// An applied name: a variable or a constant, possibly followed by fields.
    pub(super) fn applied_name<'e>(
        &mut self,
        name: &Name,
        positional: Vec<Given<'e>>,
        named: Vec<(Name, Given<'e>)>,
        explicit: bool,
        expected: Option<&Term>,
    ) -> Result<Term> {
        let (head, fields) = self.resolve(name)?;
        if fields.is_empty() {
            return self.apply(head, positional, named, explicit, expected);
        }
        let mut term = self.apply(head, Vec::new(), Vec::new(), false, None)?;
        let (last, before) = fields.split_last().expect("there are fields");
        for field in before {
            term = self.field(term, field, Vec::new(), Vec::new(), None)?;
        }
        self.field(term, last, positional, named, expected)
    }

    /// Resolves a name. Also returns its remaining components, which are fields.
    fn resolve<'n>(&mut self, name: &'n str) -> Result<(Term, Vec<&'n str>)> {
        let (name, is_root) = match name.strip_prefix("_root_.") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
        let ends: Vec<usize> = ends.collect();
        if ends.len() > MAX_FIELDS {
            return fail("the fields of a name are nested too deeply");
        }
        budget::visits(ends.len() * (1 + self.scope.len()));
        let fields = |end: usize| name[end..].split('.').filter(|f| !f.is_empty()).collect();
        // Variables shadow constants.
        for &end in ends.iter().rev().filter(|_| !is_root) {
            if let Some(local) = self.scope.iter().rev().find(|l| l.accessible && l.name[..] == name[..end]) {
                return Ok((local.term(), fields(end)));
            }
        }
        let namespaces = if is_root { Vec::new() } else { self.ctx.namespaces() };
        for &end in ends.iter().rev() {
            for namespace in &namespaces {
                let inner = format!("{namespace}.{}", &name[..end]);
                self.ctx.unambiguous(&inner, &name[..end], namespace)?;
                if let Some(term) = self.ctx.constant(&inner) {
                    return Ok((term, fields(end)));
                }
            }
            if let Some(term) = self.ctx.constant(&name[..end]) {
                return Ok((term, fields(end)));
            }
            let alias = match &name[..end] {
                "ℕ" => "Nat",
                "true" => "Bool.true",
                "false" => "Bool.false",
                "none" => "Option.none",
                "some" => "Option.some",
                _ => continue,
            };
            if let Some(term) = self.ctx.constant(alias) {
                return Ok((term, fields(end)));
            }
        }
        // Lean would read such a name as a variable of the statement.
        match self.ctx.is_statement && may_be_variable(name) {
            true => fail(format!(
                "unknown identifier `{name}`; `mini` declares no variable by itself: put a binder before it, such as `{{{name} : Type}}`"
            )),
            false => fail(format!("unknown identifier `{name}`")),
        }
    }

    /// `t.f` applied.
    pub(super) fn field<'e>(
        &mut self,
        term: Term,
        field: &str,
        mut positional: Vec<Given<'e>>,
        named: Vec<(Name, Given<'e>)>,
        expected: Option<&Term>,
    ) -> Result<Term> {
        let whole = self.ctx.infer(&term)?;
        let mut ty = self.ctx.whnf_core(&whole)?;
        loop {
            if let Kind::Const(family, _) = ty.head().kind() {
                let family = Arc::clone(family);
                if let Some(name) = self.ctx.accessor(&family, field) {
                    let head = self.constant(&name)?;
                    let Some(place) = self.place_of(&name, &family) else {
                        return fail(format!("`{name}` takes no `{family}`"));
                    };
                    if place > positional.len() {
                        return fail(format!("`.{field}` needs {place} arguments before"));
                    }
                    positional.insert(place, Given::Term(term));
                    return self.apply(head, positional, named, false, expected);
                }
            }
            match self.ctx.unfold(&ty)? {
                Some(next) => ty = next,
                None => break,
            }
        }
        // The field may belong to the result of a function, after its implicit arguments.
        let whole = self.ctx.show(&whole);
        let term = self.ctx.show(&term);
        fail(format!("`{term}` has no field `{field}`; its type is\n  {whole}"))
    }

    /// The index, among the explicit arguments of a function, of the first whose type belongs to a family.
    fn place_of(&self, function: &str, family: &str) -> Option<usize> {
        let mut at = &self.ctx.theory.env.get(function)?.ty;
        let mut place = 0;
        while let Kind::Pi(binder, from, to) = at.kind() {
            if binder.info == BinderInfo::Explicit {
                if matches!(from.head().kind(), Kind::Const(name, _) if &**name == family) {
                    return Some(place);
                }
                place += 1;
            }
            at = to;
        }
        None
    }

    /// Applies a function to arguments; implicit ones become metavariables. If `explicit`, all are given.
    pub fn apply<'e>(
        &mut self,
        head: Term,
        positional: Vec<Given<'e>>,
        mut named: Vec<(Name, Given<'e>)>,
        explicit: bool,
        expected: Option<&Term>,
    ) -> Result<Term> {
        let mut ty = self.ctx.infer(&head)?;
        let mut args: Vec<Term> = Vec::new();
        let mut todo: Vec<(MetaId, &'e Expr)> = Vec::new();
        let mut positional = positional.into_iter().peekable();
        loop {
            let is_done = positional.peek().is_none() && named.is_empty();
            if is_done && explicit {
                break;
            }
            if !matches!(ty.kind(), Kind::Pi(..)) {
                if !is_done && gives_unknown(&self.ctx.instantiate(&ty)) {
                    // The arguments so far may determine that the result is a function.
                    self.settle(&mut todo)?;
                    ty = self.ctx.instantiate(&ty);
                }
                if is_done {
                    ty = self.ctx.whnf_core(&ty)?;
                } else {
                    ty = self.ctx.whnf(&ty)?;
                }
            }
            let Kind::Pi(binder, from, to) = ty.kind() else {
                if is_done {
                    break;
                }
                let so_far = Term::apps(head, args);
                let (so_far, ty) = (self.ctx.show(&so_far), self.ctx.show(&ty));
                return fail(format!("function expected\n  {so_far}\nhas type\n  {ty}"));
            };
            let given = match named.iter().position(|(name, _)| *name == binder.name) {
                Some(at) => Some(named.remove(at).1),
                None if binder.info == BinderInfo::Implicit && !explicit => {
                    if is_done && expected.is_some_and(is_implicit_function) {
                        break;
                    }
                    None
                }
                None if is_done => break,
                None => match positional.next() {
                    Some(given) => Some(given),
                    None => return fail(format!("an argument for `{}` is missing", binder.name)),
                },
            };
            let arg = match given {
                None => self.hole(from.clone()),
                Some(Given::Term(term)) => {
                    let from = from.clone();
                    self.ensure(term, &from, Span::default())?
                }
                Some(Given::Expr(expr)) => {
                    let placeholder = self.hole(from.clone());
                    if let Kind::Meta(id) = placeholder.kind() {
                        todo.push((*id, expr));
                    }
                    placeholder
                }
            };
            ty = to.instantiated(&arg);
            args.push(arg);
        }
        if let Some(expected) = expected
            && !todo.is_empty()
        {
            // If the result depends on an unknown argument, elaborate the argument first.
            let placeholder =
                |t: &Term| matches!(t.kind(), Kind::Meta(id) if todo.iter().any(|(p, _)| p == id));
            if !ty.any(placeholder) {
                self.ctx.unify(&ty, expected)?;
            }
        }
        self.settle(&mut todo)?;
        Ok(Term::apps(head, args))
    }

    /// Elaborates arguments, independent ones first.
    fn settle(&mut self, todo: &mut Vec<(MetaId, &Expr)>) -> Result<()> {
        for round in 0..3 {
            let mut later = Vec::new();
            for (placeholder, expr) in todo.drain(..) {
                let ty = self.ctx.meta(placeholder).ty.clone();
                let ty = self.ctx.instantiate(&ty);
                // Arguments that need their type come later; those whose type is a function of metavariables come last.
                let is_guess = ty.has_meta() && gives_unknown(&ty);
                if (round == 0 && ty.has_meta() && needs_type(expr)) || (round < 2 && is_guess) {
                    later.push((placeholder, expr));
                    continue;
                }
                let term = self.typed(expr, &ty)?;
                match self.ctx.value(placeholder).cloned() {
                    None => self.ctx.assign(placeholder, term),
                    Some(value) => {
                        if !self.ctx.unify(&value, &term)? {
                            let (value, term) = (self.ctx.show(&value), self.ctx.show(&term));
                            let what =
                                format!("the argument\n  {term}\nmust be\n  {value}\nfor the types to fit");
                            return Err(Failure::new(what).at(expr.span()));
                        }
                    }
                }
            }
            *todo = later;
        }
        Ok(())
    }
}

/// Whether a type is an applied metavariable, or a function type with such a result.
fn gives_unknown(ty: &Term) -> bool {
    let mut at = ty;
    while let Kind::Pi(_, _, to) = at.kind() {
        at = to;
    }
    matches!(at.kind(), Kind::App(..)) && matches!(at.head().kind(), Kind::Meta(_))
}

fn is_implicit_function(ty: &Term) -> bool {
    matches!(ty.kind(), Kind::Pi(binder, ..) if binder.info == BinderInfo::Implicit)
}

impl MetaContext<'_> {
    /// The namespaces that are open in the declaration, innermost first: as in Lean, those in its own name. The prelude is
    /// written without them.
    fn namespaces(&self) -> Vec<String> {
        let within = self.within.as_deref().filter(|_| self.theory.base.is_some()).unwrap_or_default();
        within.rmatch_indices('.').map(|(at, _)| within[..at].to_owned()).collect()
    }

    /// Refuses a name in a statement that Lean may read otherwise than we: as `inner`, its name in an open namespace, or as
    /// it stands. Lean's library has more names than the prelude, and hides some (the protected ones) in their namespace.
    fn unambiguous(&self, inner: &str, name: &str, namespace: &str) -> Result<()> {
        let Some(base) = self.theory.base.as_ref().filter(|_| self.is_statement) else { return Ok(()) };
        let is_of_file = |name: &str| self.theory.env.get(name).is_some() && base.get(name).is_none();
        // No namespace is within itself.
        let repeats =
            name.split('.').next().is_some_and(|first| namespace.split('.').any(|part| part == first));
        if base.get(inner).is_some() || is_of_file(name) && !is_of_file(inner) && !repeats {
            return fail(format!(
                "Lean may read `{name}` as `{inner}` or as it stands, since the declaration's name begins with \
                 `{namespace}`; write `{inner}` or `_root_.{name}`"
            ));
        }
        Ok(())
    }

    /// A constant with new universe levels.
    pub fn constant(&mut self, name: &str) -> Option<Term> {
        let (name, n_levels) = self
            .theory
            .env
            .get_key(name)
            .map(|(name, declaration)| (Arc::clone(name), declaration.n_levels))?;
        let levels: Vec<_> = (0..n_levels).map(|_| self.new_level()).collect();
        Some(Term::constant(name, levels))
    }

    /// The function for a field of a family.
    fn accessor(&self, family: &str, field: &str) -> Option<Name> {
        let env = &self.theory.env;
        let field = match field.parse::<usize>() {
            Ok(number) => {
                let Body::Inductive { constructors, n_params } = &env.get(family)?.body else { return None };
                let [constructor] = constructors.as_slice() else { return None };
                let mut at = &env.get(constructor)?.ty;
                let mut skip = n_params + number.checked_sub(1)?;
                loop {
                    let Kind::Pi(binder, _, to) = at.kind() else { return None };
                    if skip == 0 {
                        break binder.name.to_string();
                    }
                    (at, skip) = (to, skip - 1);
                }
            }
            Err(_) => field.to_owned(),
        };
        env.get_key(&format!("{family}.{field}")).map(|(name, _)| Arc::clone(name))
    }
}

/// Whether Lean takes a name that nothing has for a variable of the statement: a letter, and digits.
fn may_be_variable(name: &str) -> bool {
    let mut rest = name.chars();
    rest.next().is_some_and(char::is_alphabetic) && rest.all(|c| c.is_numeric() || c == '\'')
}
