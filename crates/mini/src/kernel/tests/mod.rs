//! Terms that the kernel accepts and computes. `levels` tests the order of levels, `universes` what
//! depends on it, `refused` errors, `compared` and `replayed` the functions for judging.

mod compared;
mod levels;
mod refused;
mod replayed;
mod universes;

use proptest::prelude::*;

use crate::kernel::check::Checker;
use crate::kernel::env::{Body, Env, Operation};
use crate::kernel::error::KernelError;
use crate::kernel::inductive::Family;
use crate::kernel::term::{Binder, Level, LocalId, Term};

fn u(i: u8) -> Level {
    Level::Param(i)
}

fn n(i: u32) -> Level {
    Level::Num(i)
}

fn ty(i: u32) -> Term {
    Term::sort(n(i + 1))
}

fn c(name: &str) -> Term {
    Term::constant(name, Vec::new())
}

fn cl(name: &str, levels: &[Level]) -> Term {
    Term::constant(name, levels.to_vec())
}

fn b(i: u32) -> Term {
    Term::bound(i)
}

fn ap<const N: usize>(f: Term, args: [Term; N]) -> Term {
    Term::apps(f, args)
}

/// Function types over named arguments; each sees the ones before as bound variables.
fn pi<const N: usize>(args: [(&str, Term); N], body: Term) -> Term {
    args.into_iter().rev().fold(body, |body, (x, ty)| Term::pi(Binder::explicit(x), ty, body))
}

fn lam<const N: usize>(args: [(&str, Term); N], body: Term) -> Term {
    args.into_iter().rev().fold(body, |body, (x, ty)| Term::lambda(Binder::explicit(x), ty, body))
}

fn family(name: &str, n_levels: usize, n_params: usize, ty: Term, constructors: &[(&str, Term)]) -> Family {
    let constructors = constructors.iter().map(|(name, ty)| ((*name).into(), ty.clone())).collect();
    Family { name: name.into(), n_levels, n_params, ty, constructors }
}

fn families() -> Vec<Family> {
    let prop = Term::prop;
    let two = || pi([("a", prop()), ("b", prop())], prop());
    let eq = |args: [Term; 3]| ap(cl("Eq", &[u(0)]), args);
    let list = |a: Term| ap(cl("List", &[u(0)]), [a]);
    let type_u = || Term::sort(Level::Succ(u(0).into()));
    vec![
        family("False", 0, 0, prop(), &[]),
        family("True", 0, 0, prop(), &[("True.intro", c("True"))]),
        family(
            "And",
            0,
            2,
            two(),
            &[(
                "And.intro",
                pi([("a", prop()), ("b", prop()), ("l", b(1)), ("r", b(1))], ap(c("And"), [b(3), b(2)])),
            )],
        ),
        family(
            "Or",
            0,
            2,
            two(),
            &[
                ("Or.inl", pi([("a", prop()), ("b", prop()), ("h", b(1))], ap(c("Or"), [b(2), b(1)]))),
                ("Or.inr", pi([("a", prop()), ("b", prop()), ("h", b(0))], ap(c("Or"), [b(2), b(1)]))),
            ],
        ),
        family(
            "Exists",
            1,
            2,
            pi([("α", Term::sort(u(0))), ("p", Term::arrow(b(0), prop()))], prop()),
            &[(
                "Exists.intro",
                pi(
                    [
                        ("α", Term::sort(u(0))),
                        ("p", Term::arrow(b(0), prop())),
                        ("w", b(1)),
                        ("h", ap(b(1), [b(0)])),
                    ],
                    ap(cl("Exists", &[u(0)]), [b(3), b(2)]),
                ),
            )],
        ),
        family(
            "Eq",
            1,
            2,
            pi([("α", Term::sort(u(0))), ("a", b(0)), ("b", b(1))], prop()),
            &[("Eq.refl", pi([("α", Term::sort(u(0))), ("a", b(0))], eq([b(1), b(0), b(0)])))],
        ),
        family("Bool", 0, 0, ty(0), &[("Bool.false", c("Bool")), ("Bool.true", c("Bool"))]),
        family("Nat", 0, 0, ty(0), &[("Nat.zero", c("Nat")), ("Nat.succ", pi([("n", c("Nat"))], c("Nat")))]),
        family(
            "List",
            1,
            1,
            pi([("α", type_u())], type_u()),
            &[
                ("List.nil", pi([("α", type_u())], list(b(0)))),
                ("List.cons", pi([("α", type_u()), ("head", b(0)), ("tail", list(b(1)))], list(b(2)))),
            ],
        ),
        // A family with a function among its fields.
        family(
            "Acc",
            0,
            2,
            pi([("r", pi([("x", c("Nat")), ("y", c("Nat"))], prop())), ("z", c("Nat"))], prop()),
            &[],
        ),
    ]
}

/// Addition by recursion on the second argument.
fn add() -> (Term, Term) {
    let nat = || c("Nat");
    let motive = lam([("_", nat())], nat());
    let step = lam([("k", nat()), ("ih", nat())], ap(c("Nat.succ"), [b(0)]));
    let body = ap(cl("Nat.rec", &[n(1)]), [motive, b(1), step, b(0)]);
    (pi([("n", nat()), ("m", nat())], nat()), lam([("n", nat()), ("m", nat())], body))
}

/// Multiplication and power, each by recursion over the one before.
fn iterate(start: Term, operation: &str) -> (Term, Term) {
    let nat = || c("Nat");
    let motive = lam([("_", nat())], nat());
    let step = lam([("k", nat()), ("ih", nat())], ap(c(operation), [b(0), b(3)]));
    let body = ap(cl("Nat.rec", &[n(1)]), [motive, start, step, b(0)]);
    (pi([("n", nat()), ("m", nat())], nat()), lam([("n", nat()), ("m", nat())], body))
}

fn prelude() -> Env {
    let mut env = Env::new();
    for family in families() {
        env.add_inductive(&family).unwrap_or_else(|e| panic!("{}: {e}", family.name));
    }
    let (ty, value) = add();
    env.add_definition("Nat.add", 0, ty, value).unwrap();
    let (ty, value) = iterate(c("Nat.zero"), "Nat.add");
    env.add_definition("Nat.mul", 0, ty, value).unwrap();
    let (ty, value) = iterate(ap(c("Nat.succ"), [c("Nat.zero")]), "Nat.mul");
    env.add_definition("Nat.pow", 0, ty, value).unwrap();
    env
}

fn eq_nat(a: Term, b: Term) -> Term {
    ap(cl("Eq", &[n(1)]), [c("Nat"), a, b])
}

fn refl_nat(a: Term) -> Term {
    ap(cl("Eq.refl", &[n(1)]), [c("Nat"), a])
}

fn plus(a: Term, b: Term) -> Term {
    ap(c("Nat.add"), [a, b])
}

#[test]
fn recursors_eliminate_into_what_they_may() {
    let env = prelude();
    let into_all = |family: &str, own: usize| {
        let declaration = env.get(&format!("{family}.rec")).unwrap();
        declaration.n_levels == own + 1
    };
    for (family, own, all) in [
        ("False", 0, true),
        ("True", 0, true),
        ("And", 0, true),
        ("Eq", 1, true),
        ("Nat", 0, true),
        ("Bool", 0, true),
        ("List", 1, true),
        ("Or", 0, false),
        ("Exists", 1, false),
    ] {
        assert_eq!(into_all(family, own), all, "{family}");
    }
    let Body::Recursor(eq) = &env.get("Eq.rec").unwrap().body else { panic!("it is a recursor") };
    assert!(eq.equates_proofs);
}

#[test]
fn recursors_compute() {
    let env = prelude();
    let mut checker = Checker::new(&env);
    let zero_plus = plus(Term::lit(2u32), Term::lit(3u32));
    assert!(checker.is_def_eq(&zero_plus, &Term::lit(5u32)).unwrap());
    assert!(!checker.is_def_eq(&zero_plus, &Term::lit(6u32)).unwrap());
    let succ = |t: Term| ap(c("Nat.succ"), [t]);
    assert!(checker.is_def_eq(&succ(succ(c("Nat.zero"))), &Term::lit(2u32)).unwrap());
    assert!(!checker.is_def_eq(&succ(succ(c("Nat.zero"))), &Term::lit(3u32)).unwrap());
    assert!(!checker.is_def_eq(&c("Nat.zero"), &Term::lit(1u32)).unwrap());
}

#[test]
fn operations_on_literals_are_fast_once_their_equations_are_checked() {
    let mut env = prelude();
    for operation in [Operation::Add, Operation::Mul, Operation::Pow] {
        env.accelerate(operation).unwrap();
    }
    let mut checker = Checker::new(&env);
    checker.limit_steps(1000);
    let power = ap(c("Nat.pow"), [Term::lit(2u32), Term::lit(200u32)]);
    let product = ap(c("Nat.mul"), [power.clone(), power]);
    assert_eq!(checker.whnf(&product).unwrap(), Term::lit(num_bigint::BigUint::from(2u32).pow(400)));

    let mut env = Env::new();
    families().iter().filter(|f| &*f.name == "Nat").for_each(|f| env.add_inductive(f).unwrap());
    let (ty, _) = add();
    let wrong = lam([("n", c("Nat")), ("m", c("Nat"))], ap(c("Nat.succ"), [b(0)]));
    env.add_definition("Nat.add", 0, ty, wrong).unwrap();
    assert_eq!(env.accelerate(Operation::Add), Err(KernelError::NotThisOperation("Nat.add".into())));
}

/// `∀ n, 0 + n = n`, by induction, with the equation carried under the successor by `Eq.rec`.
#[test]
fn an_induction_is_accepted() {
    let mut env = prelude();
    let zero = || Term::lit(0u32);
    let succ = |t: Term| ap(c("Nat.succ"), [t]);
    let statement = pi([("n", c("Nat"))], eq_nat(plus(zero(), b(0)), b(0)));
    let motive = lam([("n", c("Nat"))], eq_nat(plus(zero(), b(0)), b(0)));
    // fun n ih => Eq.rec (motive := fun b _ => succ (0 + n) = succ b) (Eq.refl _) ih
    let inner_motive = lam(
        [("b", c("Nat")), ("_", eq_nat(plus(zero(), b(2)), b(0)))],
        eq_nat(succ(plus(zero(), b(3))), succ(b(1))),
    );
    let step = lam(
        [("n", c("Nat")), ("ih", eq_nat(plus(zero(), b(0)), b(0)))],
        ap(
            cl("Eq.rec", &[n(1), n(0)]),
            [c("Nat"), plus(zero(), b(1)), inner_motive, refl_nat(succ(plus(zero(), b(1)))), b(1), b(0)],
        ),
    );
    let proof = lam([("n", c("Nat"))], ap(cl("Nat.rec", &[n(0)]), [motive, refl_nat(zero()), step, b(0)]));
    env.add_theorem("zero_add", 0, statement.clone(), proof).unwrap();
    assert!(env.axioms(&c("zero_add")).is_empty());
    env.add_axiom("oops", 0, c("False")).unwrap();
    let cheat = ap(cl("False.rec", &[n(0)]), [lam([("_", c("False"))], statement.clone()), c("oops")]);
    env.add_theorem("cheat", 0, statement, cheat).unwrap();
    assert_eq!(env.axioms(&c("cheat")).into_iter().collect::<Vec<_>>(), ["oops".into()]);
}

#[test]
fn equality_knows_eta_and_that_proofs_are_irrelevant() {
    let mut env = prelude();
    let f_ty = Term::arrow(c("Nat"), c("Nat"));
    env.add_axiom("f", 0, f_ty).unwrap();
    env.add_axiom("p", 0, c("True")).unwrap();
    env.add_axiom("h", 0, eq_nat(Term::lit(1u32), Term::lit(1u32))).unwrap();
    let mut checker = Checker::new(&env);
    let expanded = lam([("x", c("Nat"))], ap(c("f"), [b(0)]));
    assert!(checker.is_def_eq(&c("f"), &expanded).unwrap());
    assert!(checker.is_def_eq(&c("p"), &c("True.intro")).unwrap());
    // `Eq.rec` computes on any proof of `1 = 1`.
    let one = || Term::lit(1u32);
    let motive = lam([("b", c("Nat")), ("_", eq_nat(one(), b(0)))], c("Nat"));
    let moved = ap(cl("Eq.rec", &[n(1), n(1)]), [c("Nat"), one(), motive, Term::lit(7u32), one(), c("h")]);
    assert_eq!(checker.whnf(&moved).unwrap(), Term::lit(7u32));
}

#[test]
fn a_runaway_computation_ends() {
    let env = prelude();
    let mut checker = Checker::new(&env);
    checker.limit_steps(2000);
    let endless = ap(c("Nat.pow"), [Term::lit(9u32), Term::lit(9u32)]);
    assert_eq!(checker.is_def_eq(&endless, &Term::lit(387_420_489u32)), Err(KernelError::OutOfSteps));
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let env = prelude();
    let deep = (0..10_000).fold(c("Nat.zero"), |t, _| ap(c("Nat.succ"), [t]));
    let mut checker = Checker::new(&env);
    assert_eq!(checker.infer(&deep).unwrap(), c("Nat"));
    assert!(checker.is_def_eq(&deep, &Term::lit(10_000u32)).unwrap());
    assert_eq!(format!("{deep:?}").matches("succ").count(), 10_000);
}

#[test]
fn a_family_of_functions_has_its_recursor() {
    // Well-founded trees over the naturals.
    let mut env = prelude();
    let w = family(
        "W",
        0,
        0,
        ty(0),
        &[("W.leaf", c("W")), ("W.node", pi([("children", Term::arrow(c("Nat"), c("W")))], c("W")))],
    );
    env.add_inductive(&w).unwrap();
    // The height along the leftmost branch.
    let step = lam(
        [("children", Term::arrow(c("Nat"), c("W"))), ("ih", Term::arrow(c("Nat"), c("Nat")))],
        ap(c("Nat.succ"), [ap(b(0), [Term::lit(0u32)])]),
    );
    let height = |t: Term| {
        ap(cl("W.rec", &[n(1)]), [lam([("_", c("W"))], c("Nat")), Term::lit(0u32), step.clone(), t])
    };
    let node = |t: Term| ap(c("W.node"), [lam([("_", c("Nat"))], t)]);
    let tree = node(node(node(c("W.leaf"))));
    let mut checker = Checker::new(&env);
    let found = height(tree);
    checker.check(&found, &c("Nat")).unwrap();
    assert!(checker.is_def_eq(&found, &Term::lit(3u32)).unwrap());
}

/// Closed well-typed terms of type `Nat`, with their values.
fn numbers() -> impl Strategy<Value = (Term, u64)> {
    let leaf = (0u64..4).prop_map(|n| (Term::lit(n), n));
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|(t, v)| (ap(c("Nat.succ"), [t]), v + 1)),
            (inner.clone(), inner.clone()).prop_map(|((a, x), (b, y))| (plus(a, b), x + y)),
            (inner.clone(), inner.clone())
                .prop_map(|((t, v), (a, _))| (ap(lam([("x", c("Nat")), ("y", c("Nat"))], b(1)), [t, a]), v)),
            (inner.clone(), inner.clone()).prop_map(|((a, x), (t, y))| {
                let body = plus(b(0), t.lifted(0, 1));
                (Term::let_in(Binder::explicit("x"), c("Nat"), a, body), x + y)
            }),
            inner.prop_map(|(t, v)| (
                ap(
                    lam([("f", Term::arrow(c("Nat"), c("Nat")))], ap(b(0), [t.lifted(0, 1)])),
                    [lam([("x", c("Nat"))], b(0))]
                ),
                v
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn terms_have_their_type_and_their_value((term, value) in numbers()) {
        let env = prelude();
        let mut checker = Checker::new(&env);
        prop_assert_eq!(checker.infer(&term).unwrap(), c("Nat"));
        prop_assert!(checker.check(&term, &c("Nat")).is_ok());
        prop_assert!(checker.check(&term, &c("Bool")).is_err());
        prop_assert!(checker.is_def_eq(&term, &Term::lit(value)).unwrap());
        prop_assert!(!checker.is_def_eq(&term, &Term::lit(value + 1)).unwrap());
        // Computing keeps the type.
        let normal = checker.whnf(&term).unwrap();
        prop_assert_eq!(checker.infer(&normal).unwrap(), c("Nat"));
    }

    #[test]
    fn weakening_and_substitution_keep_types((term, value) in numbers(), (other, _) in numbers()) {
        let env = prelude();
        let mut checker = Checker::new(&env);
        let (x, y) = (LocalId(1), LocalId(2));
        checker.assume(x, Binder::explicit("x"), c("Nat"));
        checker.assume(y, Binder::explicit("y"), c("Nat"));
        prop_assert_eq!(checker.infer(&term).unwrap(), c("Nat"));
        let open = plus(term.clone(), Term::local(x));
        prop_assert_eq!(checker.infer(&open).unwrap(), c("Nat"));
        // Abstracting and instantiating with the same variable is the identity.
        prop_assert_eq!(&open.abstracted(x).instantiated(&Term::local(x)), &open);
        let closed = open.abstracted(x).instantiated(&other);
        prop_assert_eq!(checker.infer(&closed).unwrap(), c("Nat"));
        prop_assert!(checker.is_def_eq(&closed, &plus(Term::lit(value), other)).unwrap());
    }
}
