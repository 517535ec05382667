//! Declarations with level parameters hold for all their values, or not at all.

use super::*;
use crate::kernel::check::Checker;

fn max(a: Level, b: Level) -> Level {
    a.max(b)
}

fn sort(level: Level) -> Term {
    Term::sort(level)
}

/// What is left of a type at every level is not enough: a function into `Type 1` is applied to a type of this level.
fn put_for_a_type_1(level: Level) -> Result<(), KernelError> {
    // ∀ (α : Sort level) (C : Prop) (k : ∀ β : Type 1, (α → β) → C), C
    let into = || Term::arrow(b(2), b(0));
    let k = || pi([("β", ty(1)), ("f", into())], b(2));
    let statement = pi([("α", sort(level.clone())), ("C", Term::prop()), ("k", k())], b(1));
    let proof = lam(
        [("α", sort(level)), ("C", Term::prop()), ("k", k())],
        ap(b(0), [b(2), lam([("a", b(2))], b(0))]),
    );
    prelude().add_theorem("t", 1, statement, proof)
}

#[test]
fn a_proof_that_fails_at_some_level_is_refused() {
    assert_eq!(put_for_a_type_1(n(2)), Ok(()));
    assert_eq!(put_for_a_type_1(max(n(1), n(2))), Ok(()));
    assert_eq!(put_for_a_type_1(u(0).imax(n(2)).imax(n(0)).max(n(2))), Ok(()));
    // Right at the levels up to 2, up to 1, at 2, at 0, and nowhere.
    for level in [max(u(0), n(2)), u(0).succ().max(n(2)), u(0), u(0).imax(n(2)), u(0).succ(), n(1), n(3)] {
        assert!(matches!(put_for_a_type_1(level), Err(KernelError::Mismatch { .. })));
    }
}

#[test]
fn universes_have_the_types_of_lean() {
    let env = prelude();
    let infer = |term: &Term| Checker::with_levels(&env, 2).infer(term);
    let is = |term: Term, level: Level| match infer(&term).unwrap().kind() {
        crate::kernel::term::Kind::Sort(found) => assert!(found.equals(&level), "{term:?}: {found:?}"),
        _ => panic!("{term:?} is no type"),
    };
    is(sort(u(0)), u(0).succ());
    is(sort(n(200)), n(201));
    is(sort(max(u(0), u(1))), max(u(1).succ(), u(0).succ()));
    // (α : Sort a) → Sort b, and (p : Sort a → Prop) → ∀ α, p α
    is(Term::arrow(sort(u(0)), sort(u(1))), max(u(0).succ(), u(1).succ()));
    let predicate = || Term::arrow(sort(u(0)), Term::prop());
    is(predicate(), u(0).succ());
    is(pi([("p", predicate()), ("α", sort(u(0)))], ap(b(1), [b(0)])), n(0));
    let functions =
        |to: Level| pi([("f", Term::arrow(sort(u(0)), sort(to))), ("α", sort(u(0)))], ap(b(1), [b(0)]));
    is(functions(n(1)), max(u(0).succ(), n(2)));
    is(functions(u(1)), max(u(0).succ(), u(1).succ()).imax(u(1)));
    assert_eq!(infer(&sort(u(2))), Err(KernelError::UnknownLevel));
    assert_eq!(infer(&cl("List", &[u(2)])), Err(KernelError::WrongLevels("List".into())));
    assert_eq!(infer(&cl("List", &[u(0), u(1)])), Err(KernelError::WrongLevels("List".into())));
}

#[test]
fn constants_are_equal_at_equal_levels() {
    let mut env = prelude();
    let (a, c) = (max(u(0), u(1)), max(u(1), u(0)));
    env.add_definition("Up", 2, sort(u(0).succ().succ()), sort(u(0).succ())).unwrap();
    let mut checker = Checker::with_levels(&env, 2);
    let mut equal = |x: Term, y: Term| checker.is_def_eq(&x, &y).unwrap();
    let list = |level: &Level| cl("List", std::slice::from_ref(level));
    assert!(equal(sort(a.clone()), sort(c.clone())));
    assert!(equal(list(&a), list(&c)));
    assert!(equal(cl("Up", &[a.clone(), u(0)]), cl("Up", &[c.clone(), u(1)])));
    assert!(equal(cl("Up", &[a.clone(), u(0)]), sort(c.succ())));
    assert!(!equal(list(&a), cl("List", &[u(0)])));
    assert!(!equal(cl("Up", &[u(0), u(1)]), cl("Up", &[u(1), u(0)])));
    assert!(!equal(sort(a), sort(u(0))));
    assert!(!equal(sort(max(u(0), n(1))), sort(u(0))));
}

#[test]
fn only_propositions_have_but_one_proof() {
    let mut env = prelude();
    let mut same = |name: &str, level: Level| {
        env.add_axiom(name, 1, sort(level)).unwrap();
        let mut checker = Checker::with_levels(&env, 1);
        let x = Term::local(checker.fresh(Binder::explicit("x"), cl(name, &[u(0)])));
        let y = Term::local(checker.fresh(Binder::explicit("y"), cl(name, &[u(0)])));
        checker.is_def_eq(&x, &y).unwrap()
    };
    assert!(same("A", n(0)) && same("B", Level::IMax(u(0).into(), n(0).into())));
    assert!(
        !same("C", u(0)) && !same("D", n(1)) && !same("E", max(u(0), n(1))) && !same("F", n(1).imax(u(0)))
    );
    // Theorems state propositions, at all levels.
    let identity = |level: Level| pi([("α", sort(level)), ("a", b(0))], b(1));
    let proof = |level: Level| lam([("α", sort(level)), ("a", b(0))], b(0));
    let mut theorem = |level: Level| env.add_theorem("t", 1, identity(level.clone()), proof(level));
    for level in [u(0), n(1), n(1).imax(u(0)), max(u(0), n(1))] {
        assert_eq!(theorem(level), Err(KernelError::NotAProposition("t".into())));
    }
    assert_eq!(theorem(Level::IMax(u(0).into(), n(0).into())), Ok(()));
}

/// A family `T (α : Sort u) : Sort level` with these constructors' fields.
fn made(level: Level, constructors: &[Term]) -> Result<(usize, bool), KernelError> {
    let mut env = prelude();
    let own = || ap(cl("T", &[u(0), u(1)]), [b(1)]);
    let constructor = |field: &Term| pi([("α", sort(u(0))), ("x", field.clone())], own());
    let names: Vec<String> = (0..constructors.len()).map(|i| format!("T.c{i}")).collect();
    let constructors: Vec<(&str, Term)> =
        names.iter().map(String::as_str).zip(constructors.iter().map(constructor)).collect();
    env.add_inductive(&family("T", 2, 1, pi([("α", sort(u(0)))], sort(level)), &constructors))?;
    let recursor = env.get("T.rec").unwrap();
    let Body::Recursor(body) = &recursor.body else { panic!("it is a recursor") };
    Ok((recursor.n_levels - 2, body.equates_proofs))
}

#[test]
fn families_are_as_large_as_their_fields() {
    let higher = |level: Level, field: Term| match made(level, &[field]) {
        Err(KernelError::BadInductive { rule, .. }) => rule == "a field lies in a higher universe",
        found => panic!("{found:?}"),
    };
    let fits = |level: Level, field: Term| made(level, &[field]).unwrap();
    let of_alpha = || Term::arrow(b(0), c("Nat"));
    fits(u(0).succ(), b(0));
    fits(max(u(0), n(1)), b(0));
    fits(max(u(0), n(1)), of_alpha());
    fits(u(1).succ().max(u(0)), b(0));
    fits(n(0), sort(u(1)));
    fits(u(1).succ(), sort(u(1)));
    fits(u(1).imax(n(0)), sort(u(1)));
    for level in [u(1), n(1), n(2), u(1).succ(), u(0).imax(u(1)), u(1).imax(n(1))] {
        assert!(higher(level, b(0)));
    }
    for level in [u(0), u(1), n(1), u(0).succ(), u(0).imax(u(1))] {
        assert!(higher(level, sort(u(1))));
    }
    assert!(higher(u(0), of_alpha()) && higher(n(1), of_alpha()));
}

/// A family that may be a proposition is taken apart as one that is.
#[test]
fn families_are_eliminated_as_in_lean() {
    let (data, proof) = (b(0), c("True"));
    let one = |level: Level, field: &Term| made(level, std::slice::from_ref(field)).unwrap().0;
    assert_eq!(one(u(0), &data), 0, "it contains data and may be a proposition");
    assert_eq!(one(u(0).max(u(1)), &data), 0);
    assert_eq!(one(n(0), &data), 0);
    assert_eq!(one(u(1), &proof), 1);
    assert_eq!(one(n(0), &proof), 1);
    assert_eq!(one(u(0).max(n(1)), &data), 1);
    assert_eq!(one(u(0).succ(), &data), 1);
    let two = |level: Level| made(level, &[proof.clone(), proof.clone()]).unwrap().0;
    assert_eq!([two(u(1)), two(n(0)), two(u(0).imax(u(1))), two(n(1)), two(u(1).succ())], [0, 0, 0, 1, 1]);
    let none = |level: Level| made(level, &[]).unwrap();
    assert_eq!(none(u(1)), (1, false));
    // A constructor without fields: every proof is it, if it is a proposition for sure.
    let unit = |level: Level| {
        let mut env = prelude();
        env.add_inductive(&family("T", 1, 0, sort(level), &[("T.mk", cl("T", &[u(0)]))])).unwrap();
        let Body::Recursor(body) = &env.get("T.rec").unwrap().body else { panic!("it is a recursor") };
        body.equates_proofs
    };
    assert!(unit(n(0)) && unit(Level::IMax(u(0).into(), n(0).into())));
    assert!(!unit(u(0)) && !unit(n(1)) && !unit(u(0).max(n(1))));
}
