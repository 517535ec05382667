//! Inductive families: their well-formedness rules and their recursors.

use std::sync::Arc;

use super::check::Checker;
use super::env::{Body, Declaration, Env, closed};
use super::error::KernelError;
use super::term::{Binder, Kind, Level, LocalId, Name, Term};

type Result<T> = std::result::Result<T, KernelError>;

/// A family to be declared. Its constants have the level parameters `Param(0)`, `Param(1)`, ….
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name.
    pub name: Name,
    /// Its level parameters.
    pub n_levels: usize,
    /// The number of parameters, its first arguments, which are the same throughout; the others are indices.
    pub n_params: usize,
    /// Its type: function types over parameters and indices, then a universe.
    pub ty: Term,
    /// The constructors' names and types.
    pub constructors: Vec<(Name, Term)>,
}

/// A recursor.
#[derive(Clone, Debug)]
pub struct Recursor {
    /// Parameters of the family, the first arguments.
    pub n_params: usize,
    /// Arguments before the indices: parameters, the motive, and a case for each constructor.
    pub n_before: usize,
    /// The index of the major premise, which follows the indices.
    pub major: usize,
    /// Its computation rules.
    pub rules: Vec<Rule>,
    /// Whether every proof of the family's type counts as its one constructor, which has no fields.
    pub equates_proofs: bool,
}

/// A computation rule of a recursor, for one constructor.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The constructor.
    pub constructor: Name,
    /// Its arguments after the parameters.
    pub n_fields: usize,
    /// A function of the arguments before the indices and of the fields.
    pub value: Term,
}

/// A variable bound by a chain of function types.
#[derive(Clone, Debug)]
struct Variable {
    id: LocalId,
    binder: Binder,
    ty: Term,
}

impl Variable {
    fn term(&self) -> Term {
        Term::local(self.id)
    }
}

fn terms(variables: &[Variable]) -> impl Iterator<Item = Term> {
    variables.iter().map(Variable::term)
}

/// The function type over variables.
fn pis(variables: &[Variable], body: Term) -> Term {
    let bind = |body: Term, v: &Variable| Term::pi(v.binder.clone(), v.ty.clone(), body.abstracted(v.id));
    variables.iter().rev().fold(body, bind)
}

/// The function over variables.
fn lambdas(variables: &[Variable], body: Term) -> Term {
    let bind = |body: Term, v: &Variable| Term::lambda(v.binder.clone(), v.ty.clone(), body.abstracted(v.id));
    variables.iter().rev().fold(body, bind)
}

/// The parts of a constructor.
struct Constructor {
    name: Name,
    fields: Vec<Variable>,
    /// For each recursive field: its index, its arguments, and the indices of its result.
    recursive: Vec<(usize, Vec<Variable>, Vec<Term>)>,
    /// The indices of its result type.
    indices: Vec<Term>,
}

/// First id of this file's free variables; the checker has another range.
const FIRST_LOCAL: u64 = 1 << 56;

struct Builder<'f> {
    family: &'f Family,
    next: u64,
}

impl Env {
    /// Declares a family, its constructors and its recursor `NAME.rec`.
    pub fn add_inductive(&mut self, family: &Family) -> Result<()> {
        let recursor_name: Name = format!("{}.rec", family.name).into();
        let names = family.constructors.iter().map(|(name, _)| name);
        let all: Vec<&Name> = names.chain([&family.name, &recursor_name]).collect();
        for (at, name) in all.iter().enumerate() {
            // The recursor may have one level parameter more.
            self.check_new(name, family.n_levels + 1)?;
            if all[..at].contains(name) {
                return Err(KernelError::Redeclared(Arc::clone(name)));
            }
        }
        closed([&family.ty])?;
        family.constructors.iter().try_for_each(|(_, ty)| closed([ty]))?;
        Checker::with_levels(self, family.n_levels).sort_of(&family.ty)?;
        let mut builder = Builder { family, next: FIRST_LOCAL };
        let (params, indices, sort) = builder.signature()?;
        let constructors = family
            .constructors
            .iter()
            .map(|(name, ty)| builder.constructor(name, ty, &params, indices.len()))
            .collect::<Result<Vec<_>>>()?;

        // If a rule is broken, none of this is kept.
        let mut env = self.clone();
        let (n_levels, n_params) = (family.n_levels, family.n_params);
        let names = family.constructors.iter().map(|(name, _)| Arc::clone(name)).collect();
        let body = Body::Inductive { n_params, constructors: names };
        env.insert(&family.name, Declaration { n_levels, ty: family.ty.clone(), body });
        for (_, ty) in &family.constructors {
            Checker::with_levels(&env, n_levels).sort_of(ty)?;
        }
        let eliminates_into_all = builder.check_fields(&env, &params, &constructors, &sort)?;
        for ((name, ty), constructor) in family.constructors.iter().zip(&constructors) {
            let n_fields = constructor.fields.len();
            let body = Body::Constructor { family: Arc::clone(&family.name), n_params, n_fields };
            env.insert(name, Declaration { n_levels, ty: ty.clone(), body });
        }
        let is_prop = sort.is_zero();
        let (ty, recursor) =
            builder.recursor(&params, &indices, &constructors, eliminates_into_all, &recursor_name, is_prop);
        let n_levels = n_levels + usize::from(eliminates_into_all);
        Checker::with_levels(&env, n_levels).sort_of(&ty)?;
        env.insert(&recursor_name, Declaration { n_levels, ty, body: Body::Recursor(recursor) });
        *self = env;
        Ok(())
    }
}

impl Builder<'_> {
    fn broken<T>(&self, rule: &'static str) -> Result<T> {
        Err(KernelError::BadInductive { name: Arc::clone(&self.family.name), rule })
    }

    fn fresh(&mut self, binder: &Binder, ty: &Term) -> Variable {
        let id = LocalId(self.next);
        self.next += 1;
        Variable { id, binder: binder.clone(), ty: ty.clone() }
    }

    /// Opens a chain of function types, at most `limit` of them.
    fn open(&mut self, ty: &Term, limit: usize) -> (Vec<Variable>, Term) {
        let (mut variables, mut at) = (Vec::new(), ty.clone());
        while variables.len() < limit {
            let Kind::Pi(binder, from, to) = at.kind() else { break };
            let variable = self.fresh(binder, from);
            at = to.instantiated(&variable.term());
            variables.push(variable);
        }
        (variables, at)
    }

    /// The family's parameters, indices and universe.
    fn signature(&mut self) -> Result<(Vec<Variable>, Vec<Variable>, Level)> {
        let (mut params, sort) = self.open(&self.family.ty.clone(), usize::MAX);
        let Kind::Sort(level) = sort.kind() else { return self.broken("its type must end in a universe") };
        if params.len() < self.family.n_params {
            return self.broken("its type has fewer arguments than it has parameters");
        }
        let indices = params.split_off(self.family.n_params);
        Ok((params, indices, level.clone()))
    }

    /// The family itself, applied.
    fn applied(&self, args: impl IntoIterator<Item = Term>) -> Term {
        let levels = Level::params(self.family.n_levels);
        Term::apps(Term::constant(Arc::clone(&self.family.name), levels), args)
    }

    /// The indices when a type is the family with exactly these parameters, and mentions it nowhere else.
    fn indices_of(&self, ty: &Term, params: &[Variable], n_indices: usize) -> Option<Vec<Term>> {
        let (_, args) = ty.head_args();
        if args.len() != params.len() + n_indices {
            return None;
        }
        let indices: Vec<Term> = args[params.len()..].iter().map(|a| (*a).clone()).collect();
        let is_family = *ty == self.applied(terms(params).chain(indices.iter().cloned()));
        (is_family && !indices.iter().any(|i| i.mentions(&self.family.name))).then_some(indices)
    }

    fn constructor(
        &mut self,
        name: &Name,
        ty: &Term,
        params: &[Variable],
        n_indices: usize,
    ) -> Result<Constructor> {
        let mut at = ty.clone();
        for param in params {
            let Kind::Pi(_, from, to) = at.kind() else {
                return self.broken("a constructor must begin with the parameters");
            };
            if *from != param.ty {
                return self.broken("a constructor's parameters must have the family's types");
            }
            at = to.instantiated(&param.term());
        }
        let (fields, result) = self.open(&at, usize::MAX);
        let Some(indices) = self.indices_of(&result, params, n_indices) else {
            return self.broken("a constructor must construct the family, with its parameters");
        };
        let mut recursive = Vec::new();
        for (place, field) in fields.iter().enumerate() {
            if !field.ty.mentions(&self.family.name) {
                continue;
            }
            let (args, given) = self.open(&field.ty, usize::MAX);
            if args.iter().any(|a| a.ty.mentions(&self.family.name)) {
                return self.broken("it occurs to the left of an arrow in a constructor");
            }
            match self.indices_of(&given, params, n_indices) {
                Some(indices) => recursive.push((place, args, indices)),
                None => return self.broken("it occurs within another type, or with other parameters"),
            }
        }
        Ok(Constructor { name: Arc::clone(name), fields, recursive, indices })
    }

    /// Checks that fields lie in universes no higher than the family's, and returns whether the family may be
    /// eliminated into any universe, not only into proofs: if it is never a proposition, or contains no more than its
    /// truth when it is one.
    fn check_fields(
        &self,
        env: &Env,
        params: &[Variable],
        constructors: &[Constructor],
        sort: &Level,
    ) -> Result<bool> {
        let mut determined = constructors.len() <= 1;
        for constructor in constructors {
            let mut checker = Checker::with_levels(env, self.family.n_levels);
            for v in params.iter().chain(&constructor.fields) {
                checker.assume(v.id, v.binder.clone(), v.ty.clone());
            }
            for field in &constructor.fields {
                let field_sort = checker.sort_of(&field.ty)?;
                if !sort.is_zero() && !field_sort.at_most(sort) {
                    return self.broken("a field lies in a higher universe");
                }
                determined &= field_sort.is_zero() || constructor.indices.contains(&field.term());
            }
        }
        Ok(sort.is_never_zero() || determined)
    }

    /// The type of the recursor and its computation rules.
    fn recursor(
        &mut self,
        params: &[Variable],
        indices: &[Variable],
        constructors: &[Constructor],
        eliminates_into_all: bool,
        name: &Name,
        is_prop: bool,
    ) -> (Term, Recursor) {
        let own_levels = self.family.n_levels;
        let n_levels = own_levels + usize::from(eliminates_into_all);
        let rec_levels = Level::params(n_levels);
        let family_levels = Level::params(own_levels);
        let sort = match rec_levels.get(own_levels) {
            Some(level) => Term::sort(level.clone()),
            None => Term::prop(),
        };

        let whole = self.applied(terms(params).chain(terms(indices)));
        let major = self.fresh(&Binder::explicit("t"), &whole);
        let with_major: Vec<Variable> = indices.iter().cloned().chain([major.clone()]).collect();
        let motive = self.fresh(&Binder::implicit("motive"), &pis(&with_major, sort));

        // One case for each constructor: a function of the fields, and of the recursive results for those of them
        // that are recursive.
        let mut cases = Vec::new();
        for constructor in constructors {
            let mut arguments = constructor.fields.clone();
            for (place, args, indices) in &constructor.recursive {
                let field = &constructor.fields[*place];
                let part = Term::apps(field.term(), terms(args));
                let claim = Term::apps(motive.term(), indices.iter().cloned().chain([part]));
                let binder = Binder::explicit(&format!("{}_ih", field.binder.name));
                arguments.push(self.fresh(&binder, &pis(args, claim)));
            }
            let made = Term::apps(
                Term::constant(Arc::clone(&constructor.name), family_levels.clone()),
                terms(params).chain(terms(&constructor.fields)),
            );
            let claim = Term::apps(motive.term(), constructor.indices.iter().cloned().chain([made]));
            let short = constructor.name.rsplit('.').next().unwrap_or(&constructor.name);
            cases.push(self.fresh(&Binder::explicit(short), &pis(&arguments, claim)));
        }
        let implicit = |v: &Variable| Variable { binder: Binder::implicit(&v.binder.name), ..v.clone() };
        let mut before: Vec<Variable> = params.iter().map(implicit).collect();
        before.push(motive.clone());
        before.extend(cases.iter().cloned());

        let recursor = Term::apps(Term::constant(Arc::clone(name), rec_levels), terms(&before));
        let rules = constructors.iter().zip(&cases).map(|(constructor, case)| {
            let recursion = constructor.recursive.iter().map(|(place, args, indices)| {
                let part = Term::apps(constructor.fields[*place].term(), terms(args));
                lambdas(args, Term::apps(recursor.clone(), indices.iter().cloned().chain([part])))
            });
            let result = Term::apps(case.term(), terms(&constructor.fields).chain(recursion));
            let over: Vec<Variable> = before.iter().chain(&constructor.fields).cloned().collect();
            Rule {
                constructor: Arc::clone(&constructor.name),
                n_fields: constructor.fields.len(),
                value: lambdas(&over, result),
            }
        });
        let rules: Vec<Rule> = rules.collect();
        let equates_proofs =
            is_prop && eliminates_into_all && rules.len() == 1 && rules.iter().all(|r| r.n_fields == 0);
        let claim = Term::apps(motive.term(), terms(&with_major));
        let all: Vec<Variable> =
            before.iter().cloned().chain(indices.iter().map(implicit)).chain([major]).collect();
        let n_before = before.len();
        let recursor = Recursor {
            n_params: params.len(),
            n_before,
            major: n_before + indices.len(),
            rules,
            equates_proofs,
        };
        (pis(&all, claim), recursor)
    }
}
