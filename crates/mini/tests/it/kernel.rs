//! The kernel against terms that the elaborator makes: it agrees with itself, and what is changed is refused or has an
//! equal type.

use std::sync::Arc;

use andor_mini::elab::theory::Theory;
use andor_mini::kernel::check::Checker;
use andor_mini::kernel::env::Body;
use andor_mini::kernel::term::{Kind, Level, Term};
use andor_mini::prover::theorems;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Steps that a check may take.
const STEPS: u64 = 200_000;

/// The prelude with every theorem of the proofs files that is proved.
fn library() -> Theory {
    let mut theory = Theory::prelude().clone();
    for entry in std::fs::read_dir(format!("{}/tests/proofs", env!("CARGO_MANIFEST_DIR"))).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut definitions = text.clone();
        let stated = theorems(&text).unwrap();
        for theorem in stated.iter().rev() {
            definitions.replace_range(theorem.command.clone(), "");
        }
        theory = theory.extended(&definitions).unwrap();
        for theorem in stated {
            theory = theory.extended(&text[theorem.command]).unwrap_or(theory);
        }
    }
    theory
}

/// Every value with its type, both at the lowest levels.
fn judgements(theory: &Theory) -> Vec<(Term, Term)> {
    let mut names: Vec<_> = theory.env.names().collect();
    names.sort();
    let judgement = |name: &Arc<str>| {
        let declaration = theory.env.get(name)?;
        let (Body::Definition(value, _) | Body::Theorem(value)) = &declaration.body else { return None };
        let levels = vec![Level::Num(0); declaration.n_levels];
        Some((value.with_levels(&levels), declaration.ty.with_levels(&levels)))
    };
    names.into_iter().filter_map(judgement).collect()
}

#[test]
fn what_is_inferred_is_what_is_checked() {
    let theory = library();
    let all = judgements(&theory);
    assert!(all.len() > 500, "{}", all.len());
    for (term, ty) in &all {
        let mut checker = Checker::new(&theory.env);
        let found = checker.infer(term).unwrap();
        checker.check(term, &found).unwrap();
        checker.check(term, ty).unwrap();
        assert!(checker.is_def_eq(&found, ty).unwrap());
        // The type has a type, the same however it was found.
        assert!(checker.sort_of(&found).unwrap().equals(&checker.sort_of(ty).unwrap()));
        // Not everything is accepted as its type.
        assert!(checker.check(term, &Term::constant("False", Vec::new())).is_err());
    }
}

/// How a subterm is changed.
#[derive(Clone, Debug)]
enum Change {
    /// Replaced by another subterm of the same term.
    By(Index),
    /// Replaced by a subterm of another term.
    ByOther(Index, Index),
    /// Its function and argument swapped, its binder's type and body, or its number or level one higher.
    Turned,
    /// Replaced by a part of it.
    Part,
}

fn children(term: &Term) -> Vec<Term> {
    match term.kind() {
        Kind::App(a, b) | Kind::Lambda(_, a, b) | Kind::Pi(_, a, b) => vec![a.clone(), b.clone()],
        Kind::Let(_, a, b, c) => vec![a.clone(), b.clone(), c.clone()],
        _ => Vec::new(),
    }
}

fn subterms(term: &Term) -> Vec<Term> {
    let mut found = vec![term.clone()];
    let mut at = 0;
    while at < found.len() && found.len() < 5_000 {
        let more = children(&found[at]);
        found.extend(more);
        at += 1;
    }
    found
}

fn turned(term: &Term) -> Term {
    match term.kind() {
        Kind::App(f, a) => Term::app(a.clone(), f.clone()),
        Kind::Lambda(x, ty, body) => Term::pi(x.clone(), ty.clone(), body.clone()),
        Kind::Pi(x, ty, body) => Term::lambda(x.clone(), ty.clone(), body.clone()),
        Kind::Let(x, ty, value, body) => Term::let_in(x.clone(), value.clone(), ty.clone(), body.clone()),
        Kind::Lit(n) => Term::lit(n + 1u32),
        Kind::Bound(i) => Term::bound(i + 1),
        Kind::Sort(level) => Term::sort(Level::Succ(level.clone().into())),
        Kind::Const(name, levels) => {
            let levels: Vec<Level> = levels.iter().map(|l| Level::Succ(l.clone().into())).collect();
            Term::constant(Arc::clone(name), levels)
        }
        _ => Term::prop(),
    }
}

/// The term with the subterm at a place, counted in the order of [`subterms`]' siblings, replaced.
fn replaced(term: &Term, old: &Term, new: &Term) -> Term {
    let mut is_done = false;
    term.replace(&mut |t, _| {
        if !is_done && t.is_same(old) {
            is_done = true;
            return Some(new.clone());
        }
        is_done.then(|| t.clone())
    })
}

#[test]
fn a_changed_term_is_refused_or_has_the_type_it_is_said_to_have() {
    let theory = library();
    let all = judgements(&theory);
    let at = any::<Index>;
    let change = prop_oneof![
        at().prop_map(Change::By),
        (at(), at()).prop_map(|(a, b)| Change::ByOther(a, b)),
        Just(Change::Turned),
        Just(Change::Part),
    ];
    let config = ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
    let (n_refused, n_changed) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let result =
        TestRunner::new_with_rng(config, rng).run(&(at(), at(), change), |(which, place, change)| {
            let (term, ty) = which.get(&all);
            let parts = subterms(term);
            let old = place.get(&parts);
            let new = match &change {
                Change::By(other) => other.get(&parts).clone(),
                Change::ByOther(term, part) => part.get(&subterms(&term.get(&all).0)).clone(),
                Change::Turned => turned(old),
                Change::Part => children(old).pop().unwrap_or_else(Term::prop),
            };
            let changed = replaced(term, old, &new);
            if changed == *term {
                return Ok(());
            }
            n_changed.set(n_changed.get() + 1);
            let mut checker = Checker::new(&theory.env);
            checker.limit_steps(STEPS);
            match (checker.infer(&changed), checker.check(&changed, ty)) {
                (Err(_), Ok(())) => prop_assert!(false, "checked but not inferred: {:?}", changed),
                (Ok(found), Ok(())) => {
                    // Once more, with nothing remembered.
                    let mut checker = Checker::new(&theory.env);
                    prop_assert!(checker.check(&changed, &found).is_ok());
                    prop_assert!(checker.is_def_eq(&found, ty).unwrap());
                }
                (Ok(found), Err(_)) => {
                    n_refused.set(n_refused.get() + 1);
                    prop_assert!(Checker::new(&theory.env).sort_of(&found).is_ok(), "a type has a type");
                }
                (Err(_), Err(_)) => n_refused.set(n_refused.get() + 1),
            }
            Ok(())
        });
    result.unwrap();
    assert!(n_refused.get() * 2 > n_changed.get(), "{} of {}", n_refused.get(), n_changed.get());
}
