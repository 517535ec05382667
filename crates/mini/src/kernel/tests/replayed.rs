//! A second run of the kernel gives the same result, and finds declarations that were inserted past the first run.

use std::sync::Arc;

use super::*;
use crate::kernel::env::Declaration;
use crate::kernel::inductive::Recursor;
use crate::kernel::replay::ReplayError;
use crate::kernel::term::Name;

fn accelerated() -> Env {
    let mut env = prelude();
    for operation in [Operation::Add, Operation::Mul, Operation::Pow] {
        env.accelerate(operation).unwrap();
    }
    env
}

fn declared(ty: Term, body: Body) -> Declaration {
    Declaration { n_levels: 0, ty, body }
}

/// The declaration that the second run must reject after a forged insertion.
fn culprit(forge: impl FnOnce(&mut Env)) -> Name {
    let mut env = accelerated();
    forge(&mut env);
    match env.replayed().unwrap_err() {
        ReplayError::Refused { name, .. } | ReplayError::Differs(name) => name,
    }
}

/// The prelude with a declaration of it replaced.
fn with(name: &str, change: impl Fn(&mut Declaration)) -> Env {
    let mut env = Env::new();
    for (own, declaration) in accelerated().declarations() {
        let mut declaration = declaration.clone();
        if **own == *name {
            change(&mut declaration);
        }
        env.insert(own, declaration);
    }
    env
}

#[test]
fn a_second_run_comes_to_the_same() {
    let env = accelerated();
    let again = env.replayed().unwrap();
    assert!(again.names().eq(env.names()));
    assert_eq!(again.operation("Nat.mul"), Some(Operation::Mul));
    assert!(again.replayed().is_ok());
}

#[test]
fn what_was_put_in_past_the_kernel_is_found() {
    let truth = || Body::Theorem(c("True.intro"));
    let put = |name: &str, declaration: Declaration| {
        assert_eq!(&*culprit(|env| env.insert(name, declaration)), name);
    };
    put("a_false_theorem", declared(c("False"), truth()));
    put("an_ill_typed_definition", declared(c("Nat"), Body::Definition(c("True.intro"), 0)));
    put("a_theorem_of_no_proposition", declared(c("Nat"), Body::Theorem(Term::lit(1u32))));
    put("an_ill_formed_axiom", declared(Term::lit(1u32), Body::Axiom));
    put("an_unknown_constant", declared(c("Nowhere"), Body::Axiom));
    let negative = Body::Inductive { n_params: 0, constructors: vec!["Bad.mk".into()] };
    assert_eq!(
        &*culprit(|env| {
            env.insert("Bad", declared(ty(0), negative));
            let body = Body::Constructor { family: "Bad".into(), n_params: 0, n_fields: 1 };
            let takes = Term::arrow(Term::arrow(c("Bad"), c("False")), c("Bad"));
            env.insert("Bad.mk", declared(takes, body));
        }),
        "Bad"
    );
    let alone = Body::Constructor { family: "Nat".into(), n_params: 0, n_fields: 0 };
    put("Nat.infinity", declared(c("Nat"), alone));
    let body = accelerated().get("Nat.rec").unwrap().body.clone();
    put("a_recursor_of_nothing", declared(c("False"), body));
    // In place of another declaration, which the next one mentions.
    assert_eq!(&*culprit(|env| env.insert("Nat.add", declared(c("True"), truth()))), "Nat.mul");
}

#[test]
fn a_forged_recursor_is_found() {
    let change = |f: fn(&mut Recursor)| {
        with("Or.rec", |declaration| {
            let Body::Recursor(recursor) = &mut declaration.body else { panic!("it is a recursor") };
            f(recursor);
        })
        .replayed()
    };
    assert!(change(|_| {}).is_ok());
    let differs = |found| assert!(matches!(found, Err(ReplayError::Differs(name)) if &*name == "Or.rec"));
    differs(change(|r| r.rules.swap(0, 1)));
    differs(change(|r| r.rules[0].value = r.rules[1].value.clone()));
    differs(change(|r| r.equates_proofs = true));
    differs(change(|r| r.major = 0));
    // Eliminates into every universe although it is a proposition.
    let wide = with("Or.rec", |declaration| declaration.n_levels = 1);
    differs(wide.replayed());
    let other = with("Or.rec", |declaration| declaration.ty = c("True"));
    differs(other.replayed());
}

#[test]
fn forged_operations_are_found() {
    let mut env = accelerated();
    Arc::make_mut(&mut env.operations).insert("Nat.succ".into(), Operation::Add);
    assert_eq!(env.replayed().unwrap_err(), ReplayError::Differs("Nat.succ".into()));
    let mut env = accelerated();
    Arc::make_mut(&mut env.operations).insert("Nat.mul".into(), Operation::Add);
    assert_eq!(env.replayed().unwrap_err(), ReplayError::Differs("Nat.mul".into()));
}
