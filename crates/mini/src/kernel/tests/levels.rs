//! The order of levels, against their values.

use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::*;

/// The number of parameters of the levels here.
const PARAMS: u8 = 3;

fn max(a: Level, b: Level) -> Level {
    Level::Max(a.into(), b.into())
}

fn imax(a: Level, b: Level) -> Level {
    Level::IMax(a.into(), b.into())
}

fn succ(a: Level) -> Level {
    Level::Succ(a.into())
}

fn value(level: &Level, params: &[u32]) -> u32 {
    match level {
        Level::Num(n) => *n,
        Level::Param(i) => params[usize::from(*i)],
        Level::Meta(_) => panic!("it has no value"),
        Level::Succ(l) => value(l, params) + 1,
        Level::Max(a, b) => value(a, params).max(value(b, params)),
        Level::IMax(a, b) => match value(b, params) {
            0 => 0,
            b => value(a, params).max(b),
        },
    }
}

/// A number above everything that is added to a parameter.
fn bound(level: &Level) -> u32 {
    match level {
        Level::Num(n) => n + 1,
        Level::Param(_) | Level::Meta(_) => 1,
        Level::Succ(l) => bound(l) + 1,
        Level::Max(a, b) | Level::IMax(a, b) => bound(a).max(bound(b)),
    }
}

/// All assignments that matter for two levels. A level is a maximum of sums, each of which counts where some parameters
/// are positive. So where one level exceeds another, it still does with each parameter at 0, at 1, or, for the parameter
/// of the sum that is the highest, above all numbers that are added.
fn assignments(a: &Level, b: &Level) -> Vec<[u32; PARAMS as usize]> {
    let highest = bound(a).max(bound(b)) + 1;
    let values = || 0..=highest;
    values().flat_map(|x| values().flat_map(move |y| values().map(move |z| [x, y, z]))).collect()
}

fn levels() -> impl Strategy<Value = Level> {
    let leaf = prop_oneof![(0u32..4).prop_map(Level::Num), (0..PARAMS).prop_map(Level::Param)];
    leaf.prop_recursive(5, 12, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(succ),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| max(a, b)),
            (inner.clone(), inner).prop_map(|(a, b)| imax(a, b)),
        ]
    })
}

fn check(cases: u32, test: impl Fn(Level, Level)) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let run = TestRunner::new_with_rng(config, rng).run(&(levels(), levels()), |(a, b)| {
        test(a, b);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

fn agree(a: &Level, b: &Level) -> (bool, bool) {
    let all = assignments(a, b);
    let at_most = all.iter().all(|at| value(a, at) <= value(b, at));
    let equal = all.iter().all(|at| value(a, at) == value(b, at));
    assert_eq!(a.at_most(b), at_most, "{a:?} ≤ {b:?}");
    assert_eq!(a.equals(b), equal, "{a:?} = {b:?}");
    (at_most, equal)
}

#[test]
fn the_order_is_that_of_all_values() {
    let (n_at_most, n_equal) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    check(2_000, |a, b| {
        // A random pair is rarely equal, so some are made so.
        for b in
            [b.clone(), max(a.clone(), b.clone()), imax(b, a.clone()), max(a.clone(), imax(u(0), a.clone()))]
        {
            let (at_most, equal) = agree(&a, &b);
            n_at_most.set(n_at_most.get() + u32::from(at_most && !equal));
            n_equal.set(n_equal.get() + u32::from(equal));
            agree(&b, &a);
        }
    });
    assert!(n_at_most.get() > 1_000 && n_equal.get() > 1_000, "{n_at_most:?} {n_equal:?}");
}

#[test]
fn zero_is_found() {
    check(5_000, |a, b| {
        for level in [imax(a.clone(), b.clone()), a, b] {
            let all = assignments(&level, &level);
            assert_eq!(level.is_zero(), all.iter().all(|at| value(&level, at) == 0), "{level:?}");
            assert_eq!(level.is_never_zero(), all.iter().all(|at| value(&level, at) > 0), "{level:?}");
        }
    });
}

/// What replaces a level has its value.
#[test]
fn levels_keep_their_value_when_they_are_rewritten() {
    check(5_000, |a, b| {
        let all = assignments(&a, &b);
        let simplified = a.clone().simplified();
        let put = [b.clone(), succ(u(1)), imax(u(0), u(2))];
        let instantiated = a.instantiated(&put);
        let renamed = a.instantiated(&Level::params(2));
        let built = [a.clone().succ(), a.clone().max(b.clone()), a.clone().imax(b.clone())];
        for at in &all {
            assert_eq!(value(&simplified, at), value(&a, at), "{a:?} is not {simplified:?}");
            assert_eq!(value(&renamed, at), value(&a, at), "{a:?} is not {renamed:?}");
            let inner: Vec<u32> = put.iter().map(|level| value(level, at)).collect();
            assert_eq!(value(&instantiated, at), value(&a, &inner), "{a:?} at {put:?}: {instantiated:?}");
            let (x, y) = (value(&a, at), value(&b, at));
            let expected = [x + 1, x.max(y), if y == 0 { 0 } else { x.max(y) }];
            assert_eq!(built.each_ref().map(|level| value(level, at)), expected, "{a:?} and {b:?}");
        }
    });
}

#[test]
fn levels_with_metavariables_are_equal_only_as_terms() {
    let meta = || Level::Meta(0);
    assert!(meta().equals(&meta()) && succ(meta()).at_most(&succ(meta())));
    assert!(!meta().equals(&n(0)) && !n(0).at_most(&meta()) && !max(meta(), meta()).equals(&meta()));
    assert!(!u(200).at_most(&succ(u(200))), "no declaration has that many parameters");
    assert!(!u(0).equals(&u(1)) && !u(0).at_most(&n(u32::MAX)));
    assert!(n(u32::MAX).succ().equals(&succ(n(u32::MAX))) && !n(u32::MAX).succ().at_most(&n(u32::MAX)));
}

/// Replacing parameters again and again doubles the written size, but not the level.
#[test]
fn repeated_replacement_stays_small() {
    let (a, b) = (max(succ(u(0)), u(1)), max(u(0), succ(u(1))));
    let (mut x, mut y) = (u(0), u(1));
    for _ in 0..1_000 {
        (x, y) = (a.instantiated(&[x.clone(), y.clone()]), b.instantiated(&[x, y]));
    }
    assert!(!x.equals(&y) && x.equals(&y.instantiated(&[u(1), u(0)])));
    // A long chain of successors needs no deep stack.
    let high = (0..100_000).fold(u(0), |level, _| level.succ());
    assert!(u(0).at_most(&high) && !high.at_most(&u(0)) && !high.clone().succ().equals(&high));
}
