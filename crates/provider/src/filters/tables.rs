//! The tables of tactics of the languages, and the pages that show them.

use andor_core::language::Family;
use andor_core::theorem::System;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use andor_system_synthetic::SYNTHETIC;

use super::is_word;

const SYSTEMS: [System; 2] = [MINI, ROCQ];

fn families(system: System) -> &'static [Family] {
    system.language().tactics.families
}

#[test]
fn systems_have_the_same_families_and_no_tactic_is_in_two() {
    let names = |system| families(system).iter().map(|f| f.name).collect::<Vec<_>>();
    assert_eq!(names(MINI), names(ROCQ));
    for system in SYSTEMS {
        let mut tactics: Vec<&str> = families(system).iter().flat_map(|f| f.tactics).copied().collect();
        assert!(tactics.iter().all(|t| is_word(t)));
        assert!(
            system.language().tactics.easy.iter().all(|t| tactics.contains(t)),
            "easy tactics of {system}"
        );
        let count = tactics.len();
        tactics.sort_unstable();
        tactics.dedup();
        assert_eq!(tactics.len(), count, "a tactic of {system} is in two families");
    }
}

#[test]
fn a_tactic_that_is_also_the_name_of_a_family_is_in_it() {
    for system in SYSTEMS {
        for family in families(system) {
            let home = families(system).iter().find(|f| f.tactics.contains(&family.name));
            assert!(home.is_none_or(|home| home.name == family.name), "{system}: {}", family.name);
        }
    }
}

#[test]
fn the_embedded_prover_has_no_other_tactics() {
    let page = include_str!("../../../../docs/guide/mini.md");
    let table = page.split("\n## ").find(|s| s.starts_with("Tactics\n")).unwrap();
    let rows = table.lines().filter(|l| l.starts_with("| ") && l.contains('`'));
    let spelled: Vec<&str> = rows.flat_map(|l| l.split('`').skip(1).step_by(2)).collect();
    assert!(spelled.len() > 50, "{spelled:?}");
    for name in spelled.into_iter().filter(|s| is_word(s)) {
        assert!(MINI.language().knows(name), "`{name}` is in no family");
    }
}

#[test]
fn the_page_shows_the_tables() {
    let page = include_str!("../../../../docs/guide/lesions.md");
    let section = page.split("\n## ").find(|s| s.starts_with("Families\n")).unwrap();
    let shown: Vec<&str> = section.lines().filter(|l| l.starts_with("| `")).collect();
    let spell = |names: &[&str]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" ");
    let row = |(lean, rocq): (&Family, &Family)| {
        format!("| `{}` | {} | {} |", lean.name, spell(lean.tactics), spell(rocq.tactics))
    };
    assert_eq!(shown, families(MINI).iter().zip(families(ROCQ)).map(row).collect::<Vec<_>>());
    for system in SYSTEMS {
        let list = format!("\n\n{}\n\n", spell(system.language().tactics.easy));
        assert!(page.contains(&list), "the page lists the easy tactics of {system}: {list}");
    }
}

#[test]
fn what_is_known() {
    for (system, name, known) in [
        (MINI, "arithmetic", true),
        (MINI, "omega", true),
        (MINI, "lia", false),
        (ROCQ, "lia", true),
        (ROCQ, "case-analysis", true),
        (ROCQ, "arithmetics", false),
        (SYNTHETIC, "t12", true),
        (SYNTHETIC, "t", false),
        (SYNTHETIC, "t1x", false),
        (SYNTHETIC, "arithmetic", false),
    ] {
        assert_eq!(system.language().knows(name), known, "{system} {name}");
    }
}
