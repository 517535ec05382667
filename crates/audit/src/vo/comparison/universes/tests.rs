use super::*;

fn unordered() -> Option<(Constraints, Vec<Constraints>)> {
    Some((Vec::new(), Vec::new()))
}

fn own(number: u32) -> Level {
    Level::Own("".into(), number)
}

#[test]
fn a_submission_orders_universes_as_the_challenge_does() {
    let ordered = vec![(own(1), Order::Less, own(2))];
    let mut universes = Universes::new(&ordered, &[], &Vec::new());
    assert!(universes.equal(&own(1), &own(7)) && universes.equal(&own(2), &own(7)));
    assert!(universes.settle(unordered).is_err());
    // It may order what the challenge does not.
    let mut universes = Universes::new(&Vec::new(), &[], &ordered);
    assert!(universes.equal(&own(5), &own(1)) && universes.equal(&own(6), &own(2)));
    assert!(universes.settle(unordered).is_ok());
}

#[test]
fn libraries_order_what_the_files_put_between_their_universes() {
    let library = |number| Level::Library("L".into(), "u".into(), number);
    // The challenge puts one above the first, the submission puts it below the second.
    let above = vec![(library(1), Order::LessOrEqual, own(1))];
    let below = vec![(own(7), Order::LessOrEqual, library(2))];
    let settled = |known: Constraints| {
        let mut universes = Universes::new(&above, &[], &below);
        assert!(universes.equal(&own(1), &own(7)));
        universes.settle(move || Some((known.clone(), Vec::new()))).is_ok()
    };
    assert!(settled(Vec::new()));
    assert!(settled(vec![(library(1), Order::Less, library(2))]));
    assert!(!settled(vec![(library(2), Order::Less, library(1))]));
    // Two of them are not one, nor the smallest.
    for other in [library(2), Level::Set] {
        let mut universes = Universes::new(&Vec::new(), &[], &Vec::new());
        assert!(universes.equal(&own(1), &library(1)) && universes.equal(&own(1), &other));
        assert!(universes.settle(unordered).is_err());
    }
}

#[test]
fn a_bound_by_a_universe_of_the_files_is_none_by_a_library() {
    let library = |number| Level::Library("L".into(), "u".into(), number);
    let above = vec![(library(1), Order::LessOrEqual, own(1)), (own(2), Order::Less, library(3))];
    let mut universes = Universes::new(&above, &[], &Vec::new());
    assert!(universes.equal(&own(4), &library(2)));
    let wanted: Constraints = (1..=4).map(|n| (Level::Bound(0), Order::LessOrEqual, library(n))).collect();
    assert_eq!(universes.required(&Vec::new(), &wanted, None), [0, 1, 2, 3]);
    let known = vec![(library(4), Order::LessOrEqual, library(1))];
    let unrelated = universes.settle(|| Some((known.clone(), Vec::new()))).unwrap().unrelated();
    assert_eq!(unrelated, HashSet::from([library(3)]));
}

#[test]
fn a_universe_above_the_smallest_is_not_the_smallest() {
    let above = vec![(Level::Set, Order::Less, own(1))];
    let mut universes = Universes::new(&above, &[], &Vec::new());
    assert!(universes.equal_bounds(&[(own(1), 0)], &[(Level::Set, 0)]));
    assert!(universes.settle(unordered).is_err());
}

#[test]
fn a_parameter_is_no_universe_of_a_file() {
    let (bound, none) = (Level::Bound, Vec::new());
    let mut universes = Universes::new(&none, &[], &none);
    assert!(universes.equal(&bound(0), &bound(0)) && !universes.equal(&bound(0), &bound(1)));
    assert!(!universes.equal(&bound(0), &own(1)) && !universes.equal(&own(1), &bound(0)));
    assert!(!universes.equal(&bound(0), &Level::Set));
    universes.parameters = Parameters::Instance;
    assert!(universes.equal(&own(1), &bound(0)) && !universes.equal(&bound(0), &own(1)));
}

#[test]
fn bounds_with_parameters_are_the_same_or_differ() {
    let (bound, none) = (|n| (Level::Bound(n), 0), Vec::new());
    let mut universes = Universes::new(&none, &[], &none);
    assert!(universes.equal_bounds(&[bound(0), bound(1)], &[bound(1), bound(0)]));
    assert!(!universes.equal_bounds(&[bound(1)], &[bound(0), bound(1)]));
    assert!(!universes.equal_bounds(&[bound(0), bound(1)], &[bound(1)]));
    assert!(!universes.equal_bounds(&[bound(0), (Level::Set, 1)], &[bound(0), (Level::Set, 2)]));
    assert!(!universes.equal_bounds(&[bound(0), (own(1), 0)], &[bound(0)]));
    // Whether the identification holds matters for all values of the parameter.
    let ordered = vec![(own(1), Order::Less, own(2))];
    let mut universes = Universes::new(&ordered, &[], &none);
    assert!(universes.equal(&own(1), &own(7)));
    assert!(universes.equal_bounds(&[bound(0), (own(2), 0)], &[bound(0), (own(7), 0)]));
    assert!(universes.settle(unordered).is_err());
}

#[test]
fn constraints_on_other_universes_of_equal_number_do_not_follow() {
    let (bound, none) = (Level::Bound, Vec::new());
    let below = vec![(bound(0), Order::LessOrEqual, own(1))];
    let mut universes = Universes::new(&none, &[], &none);
    assert_eq!(universes.required(&below, &below, None), [0]);
    assert!(universes.equal(&own(1), &own(1)));
    assert_eq!(universes.required(&below, &below, None), [0; 0]);
    assert!(!universes.lacks(&below, &below) && universes.lacks(&below, &none));
}

#[test]
fn parameters_that_nobody_names_have_no_order() {
    let (bound, none) = (Level::Bound, Vec::new());
    let mut universes = Universes::new(&none, &[], &none);
    universes.parameters = Parameters::Renamed(0);
    let part = |number| (bound(number), 0);
    assert!(universes.equal(&bound(0), &bound(1)) && universes.equal(&bound(0), &bound(1)));
    assert!(universes.equal_bounds(&[part(0), part(1)], &[part(0), part(1)]), "1 is 0");
    assert!(!universes.equal(&bound(1), &bound(1)) && !universes.equal(&bound(2), &bound(0)));
    assert!(!universes.equal(&bound(2), &own(1)) && !universes.equal(&own(1), &bound(2)));
    // A failed attempt leaves nothing behind: 2 may still be 2.
    assert!(universes.equal(&bound(2), &bound(2)));
    assert!(!universes.equal_bounds(&[(bound(1), 1), (bound(3), 1)], &[(bound(0), 1), (bound(0), 1)]));
    let renaming = std::mem::take(&mut universes.renaming);
    let below = |left, right| vec![(bound(left), Order::LessOrEqual, bound(right))];
    let mut lacking = |given, wanted| universes.required(&given, &wanted, Some(&renaming)).len();
    assert_eq!(lacking(below(0, 1), below(1, 0)), 0);
    assert_eq!(lacking(below(0, 1), below(0, 1)), 1);
    // What the statement does not mention is no other parameter.
    assert_eq!(lacking(below(2, 2), below(1, 2)), 1);
}

#[test]
fn constraints_follow_through_others() {
    let bound = Level::Bound;
    let given = vec![(bound(0), Order::Less, bound(1)), (bound(1), Order::Equal, bound(2))];
    assert_eq!(unimplied(&given, &[(bound(0), Order::Less, bound(2))], &Level::Set).len(), 0);
    assert_eq!(unimplied(&given, &[(bound(2), Order::LessOrEqual, bound(1))], &Level::Set).len(), 0);
    assert_eq!(unimplied(&given, &[(bound(2), Order::LessOrEqual, bound(0))], &Level::Set).len(), 1);
    assert_eq!(unimplied(&given, &[(bound(1), Order::Less, bound(2))], &Level::Set).len(), 1);
}
