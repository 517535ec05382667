//! Elaborating the commands of a file.

use std::sync::Arc;

use super::context::{Failure, Local, MetaContext, MetaKind, Result, fail, lambdas, pis};
use super::term::{Elaborator, MAX_LEVELS};
use super::theory::Theory;
use crate::kernel::env::Operation;
use crate::kernel::error::KernelError;
use crate::kernel::inductive::Family;
use crate::kernel::term::{BinderInfo, Kind, Level, MetaId, Name, Term};
use crate::syntax::ast::{Binders, Expr, ExprKind, Span, Statement};
use crate::syntax::tactic::{Attribute, Command, CommandKind};

/// An elaborated statement.
pub struct Stated {
    /// The number of its level parameters.
    pub n_levels: usize,
    /// The variables before its colon.
    pub over: Vec<Local>,
    /// The proposition after the colon.
    pub goal: MetaId,
    /// The whole statement.
    pub ty: Term,
}

/// Elaborates a statement and creates its goal.
pub fn state(ctx: &mut MetaContext<'_>, statement: &Statement) -> Result<Stated> {
    let (over, ty) = telescope(ctx, &statement.binders, Some(&statement.ty))?;
    let ty = ty.expect("a statement has a type");
    let whole = close(ctx, &over, ty.clone(), pis)?;
    let mut elaborator = Elaborator::new(ctx, Arc::new(over.clone()));
    elaborator.no_holes(&whole, statement.ty.span())?;
    if !ctx.is_proposition(&ty)? {
        let shown = ctx.show(&ty);
        return Err(
            Failure::new(format!("a theorem states a proposition, not\n  {shown}")).at(statement.ty.span())
        );
    }
    let whole = generalized(ctx, &whole)?;
    // Levels determined by the whole statement are also substituted in its variables.
    let over: Vec<Local> = over.iter().map(|l| Local { ty: settled(ctx, &l.ty), ..l.clone() }).collect();
    let ty = settled(ctx, &ty);
    let goal = ctx.new_meta(Arc::new(over.clone()), ty, MetaKind::Goal, "".into());
    Ok(Stated { n_levels: ctx.level_names.len(), over, goal, ty: whole })
}

/// Binders and the type after them. Their universe names become level parameters.
fn telescope(
    ctx: &mut MetaContext<'_>,
    binders: &[Binders],
    ty: Option<&Expr>,
) -> Result<(Vec<Local>, Option<Term>)> {
    let mut elaborator = Elaborator::new(ctx, Arc::default());
    elaborator.binds_levels = true;
    let over = elaborator.bind_all(binders)?;
    let ty = ty.map(|ty| elaborator.whole_type(ty)).transpose()?;
    elaborator.run_blocks()?;
    Ok((over, ty))
}

/// Abstracts variables in a term, innermost first.
fn close(
    ctx: &mut MetaContext<'_>,
    over: &[Local],
    term: Term,
    bind: fn(&[Local], Term) -> Term,
) -> Result<Term> {
    let mut term = ctx.instantiate(&term);
    if !term.has_meta() && !over.iter().any(|l| l.ty.has_meta()) {
        return Ok(bind(over, term));
    }
    for local in over.iter().rev() {
        let local = std::slice::from_ref(local);
        term = ctx.abstract_over(&term, local)?;
        term = bind(local, term);
    }
    Ok(ctx.instantiate(&term))
}

/// A term whose undetermined levels have become parameters of the declaration, as in Lean.
fn generalized(ctx: &mut MetaContext<'_>, term: &Term) -> Result<Term> {
    let term = ctx.instantiate(term);
    for id in undetermined(&term) {
        let at = ctx.level_names.len();
        if at == MAX_LEVELS {
            return fail(format!("unsupported: more than {MAX_LEVELS} universe variables"));
        }
        let mut names = (1..).map(|n| Name::from(format!("u_{n}")));
        let name =
            names.find(|name| !ctx.level_names.contains(name)).expect("there are more names than levels");
        ctx.level_names.push(name);
        ctx.assign_level(id, Level::Param(u8::try_from(at).expect("there are at most MAX_LEVELS")));
    }
    Ok(ctx.instantiate(&term))
}

/// The undetermined levels of a term, in the order of their first occurrences.
fn undetermined(term: &Term) -> Vec<u32> {
    let mut found = Vec::new();
    if term.has_level_meta() {
        let mut note = |leaf: &Level| {
            if let Level::Meta(id) = leaf
                && !found.contains(id)
            {
                found.push(*id);
            }
            None
        };
        term.map_levels(&mut |level| level.replaced(&mut note));
    }
    found
}

/// A proof with undetermined levels set to that of `Type`: in it, they matter to nobody.
fn settled(ctx: &MetaContext<'_>, term: &Term) -> Term {
    let leaf = |leaf: &Level| matches!(leaf, Level::Meta(_)).then_some(Level::Num(1));
    let term = ctx.instantiate(term);
    if !term.has_level_meta() {
        return term;
    }
    term.map_levels(&mut |level| level.replaced(&mut { leaf }))
}

/// The finished proof of a statement.
pub fn finished(ctx: &mut MetaContext<'_>, stated: &Stated) -> Result<Term> {
    let proof = ctx.instantiate(&Term::meta(stated.goal));
    let proof = close(ctx, &stated.over, proof, lambdas)?;
    Ok(settled(ctx, &proof))
}

fn refused(error: &KernelError) -> Failure {
    Failure::new(format!("(kernel) {error}"))
}

/// The declaration of a command.
enum Declared {
    Theorem { name: Option<Name>, n_levels: usize, ty: Term, proof: Term },
    Definition { name: Name, n_levels: usize, ty: Term, value: Term },
    Axiom { name: Name, n_levels: usize, ty: Term },
    Family(Family),
    Nothing,
}

/// Adds the declaration of a command to a theory.
pub fn run(theory: &mut Theory, command: &Command) -> Result<()> {
    // The context is dropped before the theory changes, to avoid copying the theory.
    let declared = elaborate(&mut MetaContext::new(theory, 0), command);
    declared
        .and_then(|declared| add(theory, declared))
        .and_then(|()| mark_all(theory, command))
        .map_err(|f| f.at(command.span))
}

fn elaborate(ctx: &mut MetaContext<'_>, command: &Command) -> Result<Declared> {
    ctx.within = match &command.kind {
        CommandKind::Theorem { statement, .. } | CommandKind::Axiom(statement) => statement.name.clone(),
        CommandKind::Definition { name, .. } | CommandKind::Inductive { name, .. } => Some(Arc::clone(name)),
        CommandKind::Attribute(..) => None,
    };
    match &command.kind {
        CommandKind::Theorem { statement, proof, .. } => {
            let stated = state(ctx, statement)?;
            ctx.is_statement = false;
            prove(ctx, &stated, proof)?;
            let proof_term = finished(ctx, &stated)?;
            Elaborator::new(ctx, Arc::default()).no_holes(&proof_term, proof.span())?;
            let name = statement.name.clone();
            Ok(Declared::Theorem { name, n_levels: stated.n_levels, ty: stated.ty, proof: proof_term })
        }
        CommandKind::Definition { name, binders, ty, value, .. } => {
            let (over, ty) = telescope(ctx, binders, ty.as_ref())?;
            let mut elaborator = Elaborator::new(ctx, Arc::new(over.clone()));
            let term = elaborator.whole(value, ty.as_ref())?;
            let ty = match ty {
                Some(ty) => ty,
                None => ctx.infer(&term)?,
            };
            let (ty, term) = (close(ctx, &over, ty, pis)?, close(ctx, &over, term, lambdas)?);
            let mut elaborator = Elaborator::new(ctx, Arc::default());
            elaborator.no_holes(&ty, value.span())?;
            elaborator.no_holes(&term, value.span())?;
            let (ty, value) = (generalized(ctx, &ty)?, generalized(ctx, &term)?);
            Ok(Declared::Definition { name: Arc::clone(name), n_levels: ctx.level_names.len(), ty, value })
        }
        CommandKind::Axiom(statement) => {
            let Some(name) = statement.name.clone() else { return fail("an axiom needs a name") };
            let (over, ty) = telescope(ctx, &statement.binders, Some(&statement.ty))?;
            let ty = close(ctx, &over, ty.expect("an axiom has a type"), pis)?;
            Elaborator::new(ctx, Arc::default()).no_holes(&ty, statement.ty.span())?;
            let ty = generalized(ctx, &ty)?;
            Ok(Declared::Axiom { name, n_levels: ctx.level_names.len(), ty })
        }
        CommandKind::Inductive { name, params, ty, constructors } => {
            inductive(ctx, name, params, ty.as_ref(), constructors).map(Declared::Family)
        }
        CommandKind::Attribute(..) => Ok(Declared::Nothing),
    }
}

/// Declares a constant, checked by the kernel.
fn add(theory: &mut Theory, declared: Declared) -> Result<()> {
    let env = &mut theory.env;
    let result = match declared {
        Declared::Theorem { name: Some(name), n_levels, ty, proof } => {
            env.add_theorem(&name, n_levels, ty, proof)
        }
        Declared::Theorem { name: None, n_levels, ty, proof } => {
            // An example is checked and dropped.
            env.clone().add_theorem("_example", n_levels, ty, proof)
        }
        Declared::Definition { name, n_levels, ty, value } => {
            env.add_definition(&name, n_levels, ty, value).and_then(|()| match Operation::named(&name) {
                Some(operation) => env.accelerate(operation),
                None => Ok(()),
            })
        }
        Declared::Axiom { name, n_levels, ty } => env.add_axiom(&name, n_levels, ty),
        Declared::Family(family) => env.add_inductive(&family),
        Declared::Nothing => Ok(()),
    };
    result.map_err(|error| refused(&error))
}

/// Applies the attributes of a declaration.
fn mark_all(theory: &mut Theory, command: &Command) -> Result<()> {
    match &command.kind {
        CommandKind::Theorem { statement, attributes, .. } => {
            mark(theory, statement.name.as_slice(), attributes)
        }
        CommandKind::Definition { name, attributes, .. } => {
            mark(theory, std::slice::from_ref(name), attributes)
        }
        CommandKind::Attribute(attributes, names) => mark(theory, names, attributes),
        CommandKind::Axiom(_) | CommandKind::Inductive { .. } => Ok(()),
    }
}

/// Proves a statement by a term or by tactics.
fn prove(ctx: &mut MetaContext<'_>, stated: &Stated, proof: &Expr) -> Result<()> {
    if let ExprKind::By(block) = proof.kind() {
        return crate::tactic::prove(ctx, stated.goal, block);
    }
    let decl = Arc::clone(ctx.meta(stated.goal));
    let mut elaborator = Elaborator::new(ctx, Arc::clone(&decl.scope));
    let term = elaborator.whole(proof, Some(&decl.ty))?;
    elaborator.no_holes(&term, proof.span())?;
    ctx.assign(stated.goal, term);
    Ok(())
}

fn mark(theory: &mut Theory, names: &[Name], attributes: &[Attribute]) -> Result<()> {
    for name in names {
        if theory.env.get(name).is_none() {
            return fail(format!("unknown constant `{name}`"));
        }
        for attribute in attributes {
            match attribute {
                Attribute::Reducible => theory.mark_reducible(name),
                Attribute::Simp if theory.mark_simp(name) => {}
                Attribute::Simp => {
                    return fail(format!("`{name}` rewrites a term to itself, so it is not a simp lemma"));
                }
            }
        }
    }
    Ok(())
}

fn inductive(
    ctx: &mut MetaContext<'_>,
    name: &Name,
    params: &[Binders],
    ty: Option<&Expr>,
    constructors: &[(Name, Vec<Binders>, Option<Expr>)],
) -> Result<Family> {
    let (over, ty) = telescope(ctx, params, ty)?;
    let ty = ty.unwrap_or_else(|| Term::sort(Level::Num(1)));
    let whole = close(ctx, &over, ty, pis)?;
    let whole = generalized(ctx, &whole)?;
    universe_is_definite(&whole)?;
    let n_levels = ctx.level_names.len();
    let levels = Level::params(n_levels);

    // In its constructors the family is a variable.
    let family = ctx.new_local(name, true, whole.clone(), None);
    let implicit = |l: &Local| {
        // The argument of `Eq.refl` is explicit, as in Lean.
        let info =
            if &**name == "Eq" && &*l.name == "a" { BinderInfo::Explicit } else { BinderInfo::Implicit };
        Local { info, ..l.clone() }
    };
    let params: Vec<Local> = over.iter().map(implicit).collect();
    let mut made = Vec::new();
    for (short, binders, result) in constructors {
        let mut scope = vec![family.clone()];
        scope.extend(params.iter().cloned());
        let mut elaborator = Elaborator::new(ctx, Arc::new(scope));
        let fields = elaborator.bind_all(binders)?;
        let result = match result {
            Some(result) => elaborator.whole_type(result)?,
            None => Term::apps(family.term(), params.iter().map(Local::term)),
        };
        let ty = close(ctx, &fields, result, pis)?;
        let ty = close(ctx, &params, ty, pis)?;
        Elaborator::new(ctx, Arc::default()).no_holes(&ty, Span::default())?;
        let constant = Term::constant(Arc::clone(name), levels.clone());
        let ty = ctx.instantiate(&ty);
        if ty.has_level_meta() {
            let short = short.as_ref();
            return fail(format!(
                "the universe of an argument of `{short}` is not determined; write its type"
            ));
        }
        let ty = ty.replace(&mut |t, _| match t.kind() {
            _ if !t.has_local() => Some(t.clone()),
            Kind::Local(id) if *id == family.id => Some(constant.clone()),
            _ => None,
        });
        made.push((format!("{name}.{short}").into(), ty));
    }
    Ok(Family { name: Arc::clone(name), n_levels, n_params: over.len(), ty: whole, constructors: made })
}

/// Refuses a family in a universe that is `Prop` for some levels only, as Lean does: it could only be taken apart in
/// proofs.
fn universe_is_definite(ty: &Term) -> Result<()> {
    let mut at = ty;
    while let Kind::Pi(_, _, to) = at.kind() {
        at = to;
    }
    match at.kind() {
        Kind::Sort(level) if !level.is_zero() && !level.is_never_zero() => fail(
            "the type's universe is `Prop` for some levels only; write `Sort (max 1 u)` instead of `Sort u`",
        ),
        _ => Ok(()),
    }
}
