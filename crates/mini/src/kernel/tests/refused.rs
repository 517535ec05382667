//! Terms, declarations and families that the kernel must refuse.

use super::*;
use crate::kernel::level::MAX_PARAMS;
use crate::kernel::term::MetaId;

type Expected = fn(&KernelError) -> bool;

/// Terms that must be refused, with the reason.
#[test]
fn ill_typed_terms_are_refused() {
    let env = prelude();
    let prop = Term::prop;
    let nat = || c("Nat");
    let id = || lam([("x", nat())], b(0));
    let cases: Vec<(&str, Term, Expected)> = vec![
        ("an unknown constant", c("Unknown"), |e| matches!(e, KernelError::UnknownConstant(_))),
        ("a variable without binder", b(0), |e| *e == KernelError::Unbound),
        ("a variable beyond its binders", lam([("x", nat())], b(1)), |e| *e == KernelError::Unbound),
        ("an unknown local", Term::local(LocalId(3)), |e| *e == KernelError::Unbound),
        ("a hole", Term::meta(MetaId(0)), |e| *e == KernelError::Metavariable),
        ("a hole in an argument", ap(id(), [Term::meta(MetaId(0))]), |e| *e == KernelError::Metavariable),
        ("a level parameter", Term::sort(u(0)), |e| *e == KernelError::UnknownLevel),
        ("too few levels", c("Eq"), |e| matches!(e, KernelError::WrongLevels(_))),
        ("too many levels", cl("Nat", &[n(0)]), |e| matches!(e, KernelError::WrongLevels(_))),
        ("a parameter as level", cl("List", &[u(0)]), |e| matches!(e, KernelError::WrongLevels(_))),
        ("a number applied", ap(Term::lit(1u32), [nat()]), |e| matches!(e, KernelError::NotAFunction(..))),
        ("a type applied", ap(nat(), [nat()]), |e| matches!(e, KernelError::NotAFunction(..))),
        ("too many arguments", ap(id(), [Term::lit(1u32), Term::lit(1u32)]), |e| {
            matches!(e, KernelError::NotAFunction(..))
        }),
        ("an argument of another type", ap(id(), [c("True.intro")]), |e| {
            matches!(e, KernelError::Mismatch { .. })
        }),
        ("a type as a number", ap(id(), [nat()]), |e| matches!(e, KernelError::Mismatch { .. })),
        ("a number for Bool", ap(lam([("x", c("Bool"))], b(0)), [Term::lit(0u32)]), |e| {
            matches!(e, KernelError::Mismatch { .. })
        }),
        ("a binder over a number", lam([("x", Term::lit(1u32))], b(0)), |e| {
            matches!(e, KernelError::NotAType(_))
        }),
        ("a function type from a number", pi([("x", Term::lit(1u32))], nat()), |e| {
            matches!(e, KernelError::NotAType(_))
        }),
        ("a function type to a number", pi([("x", nat())], b(0)), |e| matches!(e, KernelError::NotAType(_))),
        (
            "a definition of another type",
            Term::let_in(Binder::explicit("x"), c("Bool"), Term::lit(1u32), b(0)),
            |e| matches!(e, KernelError::Mismatch { .. }),
        ),
        (
            "a definition whose type is none",
            Term::let_in(Binder::explicit("x"), Term::lit(1u32), Term::lit(1u32), b(0)),
            |e| matches!(e, KernelError::NotAType(_)),
        ),
        ("a universe for a type", ap(lam([("α", ty(0))], b(0)), [ty(0)]), |e| {
            matches!(e, KernelError::Mismatch { .. })
        }),
        ("a proposition for a type", ap(lam([("α", ty(0))], b(0)), [c("True")]), |e| {
            matches!(e, KernelError::Mismatch { .. })
        }),
        ("a type for a proposition", ap(lam([("p", prop())], b(0)), [nat()]), |e| {
            matches!(e, KernelError::Mismatch { .. })
        }),
        (
            "an equation between types apart",
            ap(cl("Eq", &[n(1)]), [nat(), Term::lit(1u32), c("Bool.true")]),
            |e| matches!(e, KernelError::Mismatch { .. }),
        ),
        ("an existence out of which a number is taken", cl("Exists.rec", &[n(1), n(1)]), |e| {
            matches!(e, KernelError::WrongLevels(_))
        }),
        ("an alternative taken apart into data", cl("Or.rec", &[n(1)]), |e| {
            matches!(e, KernelError::WrongLevels(_))
        }),
        (
            "a case that is missing",
            ap(
                cl("Nat.rec", &[n(1)]),
                [lam([("_", nat())], nat()), Term::lit(0u32), Term::lit(0u32), Term::lit(1u32)],
            ),
            |e| matches!(e, KernelError::Mismatch { .. }),
        ),
        ("a motive over another type", ap(cl("Nat.rec", &[n(1)]), [lam([("_", c("Bool"))], nat())]), |e| {
            matches!(e, KernelError::Mismatch { .. })
        }),
        ("a motive in another universe", ap(cl("Nat.rec", &[n(0)]), [lam([("_", nat())], nat())]), |e| {
            matches!(e, KernelError::Mismatch { .. })
        }),
    ];
    // Type mismatches.
    let truth = || c("True.intro");
    let true_or = |args: [Term; 3], side: &str| ap(c(side), args);
    let one = || Term::lit(1u32);
    let is_zero = || lam([("n", nat())], eq_nat(b(0), Term::lit(0u32)));
    let mismatches: Vec<(&str, Term)> = vec![
        ("a conjunction with a wrong part", ap(c("And.intro"), [c("True"), c("False"), truth(), truth()])),
        ("a conjunction of numbers", ap(c("And"), [one(), one()])),
        ("the other side of an alternative", true_or([c("False"), c("True"), truth()], "Or.inl")),
        ("a side that does not hold", true_or([c("True"), c("False"), truth()], "Or.inr")),
        (
            "a witness that is none",
            ap(cl("Exists.intro", &[n(1)]), [nat(), is_zero(), one(), refl_nat(one())]),
        ),
        ("a witness of another type", ap(cl("Exists.intro", &[n(1)]), [nat(), is_zero(), c("Bool.true")])),
        ("a predicate over another type", ap(cl("Exists", &[n(1)]), [c("Bool"), is_zero()])),
        (
            "anything from truth",
            ap(cl("False.rec", &[n(0)]), [lam([("_", c("False"))], c("False")), truth()]),
        ),
        ("an equation turned around", {
            let h = lam([("h", eq_nat(one(), b(0)))], ap(lam([("h", eq_nat(b(1), one()))], b(0)), [b(0)]));
            lam([("n", nat())], h)
        }),
        ("a list of another type", {
            let nil = ap(cl("List.nil", &[n(0)]), [c("Bool")]);
            ap(cl("List.cons", &[n(0)]), [nat(), one(), nil])
        }),
        ("a list of proofs", ap(cl("List", &[n(0)]), [c("True")])),
        ("a list at another level", ap(cl("List", &[n(1)]), [nat()])),
        ("an equation at another level", ap(cl("Eq", &[n(2)]), [nat()])),
        ("all types as a small type", {
            let all = pi([("α", ty(0))], b(0));
            ap(lam([("α", ty(0))], b(0)), [all])
        }),
        ("a universe in itself", ap(lam([("α", ty(1))], b(0)), [ty(1)])),
        (
            "a case of another type",
            ap(cl("Bool.rec", &[n(1)]), [lam([("_", c("Bool"))], nat()), one(), c("Bool.true")]),
        ),
        (
            "transport along an equation to another type",
            ap(
                cl("Eq.rec", &[n(1), n(1)]),
                [nat(), one(), lam([("b", nat()), ("_", eq_nat(one(), b(0)))], c("Bool")), one()],
            ),
        ),
        ("a function of two arguments for one of one", {
            let f = lam([("f", Term::arrow(nat(), nat()))], ap(b(0), [one()]));
            ap(f, [lam([("x", nat()), ("y", nat())], b(1))])
        }),
        ("a proof where its statement must stand", ap(lam([("p", prop())], b(0)), [truth()])),
        ("a definition that is forgotten", {
            let body = ap(lam([("h", eq_nat(b(0), Term::lit(2u32)))], b(0)), [refl_nat(b(0))]);
            Term::let_in(Binder::explicit("x"), nat(), one(), body)
        }),
    ];
    let mismatch: Expected = |e| matches!(e, KernelError::Mismatch { .. });
    let cases = cases.into_iter().chain(mismatches.into_iter().map(|(what, term)| (what, term, mismatch)));
    for (what, term, expected) in cases {
        match Checker::new(&env).infer(&term) {
            Ok(ty) => panic!("{what}: `{term:?}` is accepted with type `{ty:?}`"),
            Err(error) => assert!(expected(&error), "{what}: {error}"),
        }
    }
}

/// Terms that are well typed only at other levels, in another environment, or except for one place deep inside.
#[test]
fn terms_that_are_nearly_well_typed_are_refused() {
    let env = prelude();
    let (nat, one) = (|| c("Nat"), || Term::lit(1u32));
    let levels: Expected = |e| matches!(e, KernelError::WrongLevels(_));
    let unknown_level: Expected = |e| *e == KernelError::UnknownLevel;
    let hole: Expected = |e| *e == KernelError::Metavariable;
    let unbound: Expected = |e| *e == KernelError::Unbound;
    let unknown: Expected = |e| matches!(e, KernelError::UnknownConstant(_));
    let mismatch: Expected = |e| matches!(e, KernelError::Mismatch { .. });
    let no_function: Expected = |e| matches!(e, KernelError::NotAFunction(..));
    let and = |a: &str, b: &str| ap(c("And"), [c(a), c(b)]);
    let or = || ap(c("Or.inl"), [c("True"), c("True"), c("True.intro")]);
    let nil = |ty: &str| ap(cl("List.nil", &[n(0)]), [c(ty)]);
    let left = lam([("l", c("True")), ("r", c("True"))], b(1));
    let taken = |major: Term| {
        let motive = lam([("_", and("True", "True"))], c("True"));
        ap(cl("And.rec", &[n(0)]), [c("True"), c("True"), motive, left.clone(), major])
    };
    let length = |major: Term| {
        let motive = lam([("_", ap(cl("List", &[n(0)]), [nat()]))], nat());
        let step = lam(
            [("x", nat()), ("xs", ap(cl("List", &[n(0)]), [nat()])), ("ih", nat())],
            ap(c("Nat.succ"), [b(0)]),
        );
        ap(cl("List.rec", &[n(1), n(0)]), [nat(), motive, Term::lit(0u32), step, major])
    };
    let carried = |equation: Term| {
        let motive = lam([("b", nat()), ("_", eq_nat(one(), b(0)))], nat());
        ap(cl("Eq.rec", &[n(1), n(1)]), [nat(), one(), motive, one(), Term::lit(2u32), equation])
    };
    let cases: Vec<(&str, Term, Expected)> = vec![
        ("an unknown level", Term::sort(Level::Meta(0)), unknown_level),
        ("a constant at an unknown level", cl("List", &[Level::Meta(0)]), levels),
        ("a level above an unknown one", Term::sort(Level::Succ(Level::Meta(0).into())), unknown_level),
        ("levels for a constant without", cl("Nat.zero", &[n(0)]), levels),
        ("a hole as the type of a variable", lam([("x", Term::meta(MetaId(1)))], b(0)), hole),
        ("a hole under a binder", lam([("x", nat())], Term::meta(MetaId(1))), hole),
        (
            "a hole in a definition that is not used",
            { Term::let_in(Binder::explicit("x"), nat(), Term::meta(MetaId(1)), one()) },
            hole,
        ),
        ("a variable in the type of its own binder", lam([("x", b(0))], b(0)), unbound),
        ("a definition in its own value", Term::let_in(Binder::explicit("x"), nat(), b(0), one()), unbound),
        ("an unknown constant in a type", lam([("x", c("Unknown"))], one()), unknown),
        ("a theorem of another environment", ap(c("zero_add"), [one()]), unknown),
        ("a part of what is no conjunction", taken(or()), mismatch),
        (
            "a part of another conjunction",
            { taken(ap(c("And.intro"), [c("True"), and("True", "True"), c("True.intro"), c("True.intro")])) },
            mismatch,
        ),
        ("a part of a statement instead of its proof", taken(and("True", "True")), mismatch),
        ("the length of a list of another type", length(nil("Bool")), mismatch),
        (
            "the length of a list that is not finished",
            { length(ap(cl("List.cons", &[n(0)]), [nat(), one()])) },
            mismatch,
        ),
        ("transport along an equation of other numbers", carried(refl_nat(one())), mismatch),
        ("transport along a number", carried(one()), mismatch),
        (
            "a sum that is wrong by one",
            {
                ap(
                    lam([("h", eq_nat(plus(one(), one()), Term::lit(3u32)))], b(0)),
                    [refl_nat(Term::lit(3u32))],
                )
            },
            mismatch,
        ),
        ("a constructor without fields applied", ap(c("Nat.zero"), [one()]), no_function),
        ("a proof applied", ap(c("True.intro"), [c("True.intro")]), no_function),
        ("a universe applied", ap(Term::prop(), [c("True")]), no_function),
    ];
    for (what, term, expected) in cases {
        match Checker::new(&env).infer(&term) {
            Ok(ty) => panic!("{what}: `{term:?}` is accepted with type `{ty:?}`"),
            Err(error) => assert!(expected(&error), "{what}: {error}"),
        }
    }
    // Without `Nat` there are no numbers.
    assert!(unknown(&Checker::new(&Env::new()).infer(&one()).unwrap_err()));
}

#[test]
fn what_differs_is_not_equal() {
    let mut env = prelude();
    let to_nat = || Term::arrow(c("Nat"), c("Nat"));
    env.add_axiom("f", 0, to_nat()).unwrap();
    env.add_axiom("g", 0, to_nat()).unwrap();
    env.add_axiom("m", 0, c("Nat")).unwrap();
    let two = |a: Term, b: Term| (a, b);
    let apart = [
        two(c("Bool.true"), c("Bool.false")),
        two(c("f"), c("g")),
        two(ap(c("f"), [c("m")]), ap(c("g"), [c("m")])),
        two(ap(c("f"), [c("m")]), ap(c("f"), [Term::lit(0u32)])),
        two(c("f"), lam([("x", c("Nat"))], ap(c("g"), [b(0)]))),
        two(lam([("x", c("Nat"))], b(0)), lam([("x", c("Nat"))], Term::lit(0u32))),
        two(Term::prop(), ty(0)),
        two(ty(0), ty(1)),
        two(to_nat(), Term::arrow(c("Nat"), c("Bool"))),
        two(to_nat(), Term::arrow(c("Bool"), c("Nat"))),
        two(c("True"), c("False")),
        two(plus(c("m"), Term::lit(1u32)), plus(c("m"), Term::lit(2u32))),
        // True, but not by computation.
        two(plus(Term::lit(0u32), c("m")), c("m")),
        two(plus(c("m"), c("m")), ap(c("Nat.mul"), [Term::lit(2u32), c("m")])),
    ];
    let mut checker = Checker::new(&env);
    for (a, b) in apart {
        assert!(!checker.is_def_eq(&a, &b).unwrap(), "{a:?} is not {b:?}");
        assert!(!checker.is_def_eq(&b, &a).unwrap(), "{b:?} is not {a:?}");
    }
    assert!(checker.is_def_eq(&plus(c("m"), Term::lit(0u32)), &c("m")).unwrap());
}

#[test]
fn bad_declarations_are_refused() {
    let mut env = prelude();
    let wrong = |error: Result<(), KernelError>| error.unwrap_err();
    let one_is_two = || eq_nat(Term::lit(1u32), Term::lit(2u32));
    let e = wrong(env.add_theorem("t", 0, one_is_two(), refl_nat(Term::lit(1u32))));
    assert!(matches!(e, KernelError::Mismatch { .. }), "{e}");
    let e = wrong(env.add_theorem("t", 0, c("Nat"), Term::lit(1u32)));
    assert_eq!(e, KernelError::NotAProposition("t".into()));
    let e = wrong(env.add_definition("t", 0, c("Bool"), Term::lit(1u32)));
    assert!(matches!(e, KernelError::Mismatch { .. }), "{e}");
    let e = wrong(env.add_definition("t", 0, Term::lit(1u32), Term::lit(1u32)));
    assert!(matches!(e, KernelError::NotAType(_)), "{e}");
    // It must not depend on itself.
    let e = wrong(env.add_theorem("t", 0, one_is_two(), c("t")));
    assert_eq!(e, KernelError::UnknownConstant("t".into()));
    let e = wrong(env.add_axiom("Nat", 0, Term::prop()));
    assert_eq!(e, KernelError::Redeclared("Nat".into()));
    let e = wrong(env.add_axiom("t", 0, Term::sort(u(0))));
    assert_eq!(e, KernelError::UnknownLevel);
    let e = wrong(env.add_axiom("t", MAX_PARAMS + 1, Term::prop()));
    assert_eq!(e, KernelError::TooManyLevels("t".into()));
    let e = wrong(env.add_inductive(&family("T", MAX_PARAMS, 0, ty(0), &[])));
    assert_eq!(e, KernelError::TooManyLevels("T".into()));
    // Holds only at some levels.
    let e = wrong(env.add_definition("t", 1, ty(0), Term::sort(u(0))));
    assert!(matches!(e, KernelError::Mismatch { .. }), "{e}");
    let any = pi([("α", Term::sort(u(0)))], b(0));
    let e = wrong(env.add_theorem("t", 1, any, lam([("α", Term::sort(u(0)))], b(0))));
    assert!(matches!(e, KernelError::NotAProposition(_) | KernelError::Mismatch { .. }), "{e}");
    // A variable that the checker creates for `h` and caches.
    let nothing = || Term::arrow(c("False"), c("True"));
    let own = Term::local(LocalId(1 << 48));
    let stolen = Term::let_in(
        Binder::explicit("x"),
        nothing(),
        lam([("h", c("False"))], c("True.intro")),
        own.clone(),
    );
    assert_eq!(wrong(env.add_theorem("t", 0, c("False"), stolen.clone())), KernelError::Unbound);
    assert_eq!(wrong(env.add_definition("t", 0, c("False"), stolen)), KernelError::Unbound);
    assert_eq!(wrong(env.add_axiom("t", 0, Term::arrow(Term::prop(), own))), KernelError::Unbound);
    let family_of_own =
        family("T", 0, 0, ty(0), &[("T.mk", pi([("x", Term::local(LocalId(1 << 48)))], c("T")))]);
    assert_eq!(wrong(env.add_inductive(&family_of_own)), KernelError::Unbound);
    assert!(env.get("t").is_none(), "nothing is left of what was refused");
}

#[test]
fn bad_families_are_refused() {
    let t = || c("T");
    let rule = |family: &Family| match prelude().add_inductive(family) {
        Err(KernelError::BadInductive { rule, .. }) => rule.to_owned(),
        other => format!("{other:?}"),
    };
    let cases: Vec<(Family, &str)> = vec![
        (family("T", 0, 0, c("Nat"), &[]), "must end in a universe"),
        (family("T", 0, 2, pi([("n", c("Nat"))], ty(0)), &[]), "fewer arguments"),
        (family("T", 0, 0, ty(0), &[("T.mk", c("Nat"))]), "must construct the family"),
        // Not positive.
        (
            family("T", 0, 0, ty(0), &[("T.mk", pi([("f", Term::arrow(t(), c("Nat")))], t()))]),
            "to the left of an arrow",
        ),
        (
            family(
                "T",
                0,
                0,
                ty(0),
                &[("T.mk", pi([("f", Term::arrow(Term::arrow(t(), c("Nat")), t()))], t()))],
            ),
            "to the left of an arrow",
        ),
        // Nested.
        (
            family("T", 0, 0, ty(0), &[("T.mk", pi([("l", ap(cl("List", &[n(0)]), [t()]))], t()))]),
            "within another type",
        ),
        // A field in too high a universe.
        (family("T", 0, 0, ty(0), &[("T.mk", pi([("α", ty(0))], t()))]), "higher universe"),
        // Parameters that are not constant.
        (
            family(
                "T",
                0,
                1,
                pi([("n", c("Nat"))], ty(0)),
                &[("T.mk", pi([("n", c("Nat"))], ap(t(), [Term::lit(0u32)])))],
            ),
            "must construct the family",
        ),
        (
            family(
                "T",
                0,
                1,
                pi([("n", c("Nat"))], ty(0)),
                &[("T.mk", pi([("n", c("Bool"))], ap(t(), [b(0)])))],
            ),
            "parameters must have the family's types",
        ),
        (
            family("T", 0, 1, pi([("n", c("Nat"))], ty(0)), &[("T.mk", ap(t(), [Term::lit(0u32)]))]),
            "must begin with the parameters",
        ),
        (
            family(
                "T",
                0,
                1,
                pi([("n", c("Nat"))], ty(0)),
                &[(
                    "T.mk",
                    pi([("n", c("Nat")), ("t", ap(t(), [ap(c("Nat.succ"), [b(0)])]))], ap(t(), [b(1)])),
                )],
            ),
            "with other parameters",
        ),
        // Names.
        (family("T", 0, 0, ty(0), &[("T.mk", t()), ("T.mk", t())]), "Redeclared(\"T.mk\")"),
        (family("T", 0, 0, ty(0), &[("T.rec", t())]), "Redeclared(\"T.rec\")"),
        (family("Nat", 0, 0, ty(0), &[]), "Redeclared(\"Nat\")"),
        // Ill-typed constructors.
        (family("T", 0, 0, ty(0), &[("T.mk", pi([("x", Term::lit(1u32))], t()))]), "NotAType"),
        (family("T", 0, 0, Term::sort(u(0)), &[]), "UnknownLevel"),
    ];
    for (family, expected) in &cases {
        let found = rule(family);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
