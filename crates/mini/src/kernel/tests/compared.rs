//! Comparison of two sets of declarations.

use super::*;
use crate::kernel::compare::{Comparison, Difference, Differs, written_size};

/// Whether `t` is the same on both sides, with a common prelude.
fn compared(trusted: impl Fn(&mut Env), other: impl Fn(&mut Env)) -> Result<(), Differs> {
    let (base, mut a, mut b) = (prelude(), prelude(), prelude());
    trusted(&mut a);
    other(&mut b);
    Comparison::new(&base, &a, &b).same("t")
}

fn differs(name: &str, how: Difference) -> Result<(), Differs> {
    Err(Differs { name: name.into(), how })
}

#[test]
fn names_of_binders_mean_nothing_and_proofs_do_not_count() {
    let statement = |x: &str| pi([(x, c("True"))], c("True"));
    let with = |x: &'static str, proof: fn() -> Term| {
        move |env: &mut Env| env.add_theorem("t", 0, statement(x), proof()).unwrap()
    };
    let id = || lam([("h", c("True"))], b(0));
    let constant = || lam([("_", c("True"))], c("True.intro"));
    assert_eq!(compared(with("h", id), with("k", constant)), Ok(()));
    let axiom = |env: &mut Env| env.add_axiom("t", 0, statement("h")).unwrap();
    assert_eq!(compared(with("h", id), axiom), differs("t", Difference::Kind("a theorem", "an axiom")));
    assert_eq!(compared(with("h", id), |_| {}), differs("t", Difference::Undeclared));
}

#[test]
fn what_computes_alike_is_not_the_same() {
    let axiom = |ty: fn() -> Term| move |env: &mut Env| env.add_axiom("t", 0, ty()).unwrap();
    let sum = || eq_nat(plus(Term::lit(1u32), Term::lit(1u32)), Term::lit(2u32));
    let two = || eq_nat(Term::lit(2u32), Term::lit(2u32));
    assert_eq!(compared(axiom(sum), axiom(sum)), Ok(()));
    assert_eq!(compared(axiom(sum), axiom(two)), differs("t", Difference::Type(sum(), two())));
}

#[test]
fn what_a_name_depends_on_is_compared() {
    let chain = |value: u32| {
        move |env: &mut Env| {
            env.add_definition("a", 0, c("Nat"), Term::lit(value)).unwrap();
            env.add_definition("b", 0, c("Nat"), ap(c("Nat.succ"), [c("a")])).unwrap();
            env.add_axiom("t", 0, eq_nat(c("b"), c("b"))).unwrap();
        }
    };
    assert_eq!(compared(chain(1), chain(1)), Ok(()));
    let values = Difference::Value(Term::lit(1u32), Term::lit(2u32));
    assert_eq!(compared(chain(1), chain(2)), differs("a", values));

    let colours = |names: &'static [&'static str]| {
        move |env: &mut Env| {
            let names: Vec<(&str, Term)> = names.iter().map(|name| (*name, c("Colour"))).collect();
            env.add_inductive(&family("Colour", 0, 0, ty(0), &names)).unwrap();
            env.add_axiom("t", 0, pi([("x", c("Colour"))], c("False"))).unwrap();
        }
    };
    assert_eq!(compared(colours(&["red", "green"]), colours(&["red", "green"])), Ok(()));
    for names in [&["green", "red"][..], &["red"], &["red", "green", "blue"], &[]] {
        assert_eq!(
            compared(colours(&["red", "green"]), colours(names)),
            differs("Colour", Difference::Shape)
        );
    }
    // Constructors with equal names and different arguments: the types have different elements.
    let takes = |field: fn() -> Term| {
        move |env: &mut Env| {
            let made = Term::arrow(field(), c("Box"));
            env.add_inductive(&family("Box", 0, 0, ty(0), &[("Box.mk", made)])).unwrap();
            env.add_axiom("t", 0, pi([("x", c("Box"))], c("False"))).unwrap();
        }
    };
    let found = compared(takes(|| c("Nat")), takes(|| c("Bool"))).unwrap_err();
    assert!(&*found.name == "Box.mk" && matches!(found.how, Difference::Type(..)), "{found:?}");
}

#[test]
fn levels_are_compared_by_place() {
    let axiom = |level: fn() -> Level, n_levels: usize| {
        move |env: &mut Env| {
            env.add_axiom("t", n_levels, pi([("α", Term::sort(level()))], c("True"))).unwrap();
        }
    };
    assert_eq!(compared(axiom(|| u(0), 1), axiom(|| u(0), 1)), Ok(()));
    assert_eq!(compared(axiom(|| n(1), 0), axiom(|| u(0), 1)), differs("t", Difference::Parameters(0, 1)));
    let found = compared(axiom(|| n(1), 0), axiom(|| n(2), 0)).unwrap_err();
    assert!(matches!(found.how, Difference::Type(..)));
    assert!(compared(axiom(|| u(0), 2), axiom(|| u(1), 2)).is_err());
}

/// Terms that are too large to write out.
#[test]
fn shared_terms_are_compared_object_by_object() {
    let huge = |leaf: &str| (0..200).fold(c(leaf), |t, _| ap(c("And"), [t.clone(), t]));
    let axiom = |leaf: &'static str| move |env: &mut Env| env.add_axiom("t", 0, huge(leaf)).unwrap();
    assert_eq!(compared(axiom("True"), axiom("True")), Ok(()));
    assert_eq!(compared(axiom("True"), axiom("False")).unwrap_err().name, "t".into());
    assert_eq!(written_size(&huge("True")), usize::MAX);
    assert_eq!(written_size(&pi([("n", c("Nat"))], eq_nat(b(0), b(0)))), 1 + 1 + 7);
    let mut env = prelude();
    env.add_axiom("huge", 0, huge("True")).unwrap();
    assert_eq!(env.axioms(&c("huge")).len(), 1);
    assert!(env.replayed().is_ok());
}

#[test]
fn deep_terms_are_compared() {
    let deep = || (0..20_000).fold(c("True"), |t, _| Term::arrow(c("True"), t));
    let numeral = || (0..20_000).fold(c("Nat.zero"), |t, _| ap(c("Nat.succ"), [t]));
    let axiom =
        |env: &mut Env| env.add_axiom("t", 0, Term::arrow(deep(), eq_nat(numeral(), numeral()))).unwrap();
    assert_eq!(compared(axiom, axiom), Ok(()));
}
