//! Families of tactics: which tactics do the same kind of thing, and which ones are easy.

use andor_core::theorem::System;

/// Tactics that do the same kind of thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name, shared by all systems that have it.
    pub name: &'static str,
    /// The words that its tactics begin with. The families of a system are disjoint.
    pub tactics: &'static [&'static str],
}

const fn family(name: &'static str, tactics: &'static [&'static str]) -> Family {
    Family { name, tactics }
}

/// The families of Lean 4, which `mini` supports in part.
const LEAN: &[Family] = &[
    family("introduction", &["intro", "intros", "rintro", "ext", "ext1", "funext"]),
    family("context", &["clear", "clear_value", "rename", "rename_i", "revert", "generalize"]),
    family("assertion", &["have", "let", "set", "suffices", "replace", "specialize"]),
    family("application", &["exact", "exacts", "apply", "eapply", "refine", "refine'", "convert"]),
    family("assumption", &["assumption", "assumption'"]),
    family("witness", &["exists", "existsi", "use"]),
    family("construction", &["constructor", "econstructor", "fconstructor", "and_intros", "left", "right"]),
    family(
        "case-analysis",
        &["cases", "cases'", "rcases", "obtain", "by_cases", "split", "split_ifs", "match", "fun_cases"],
    ),
    family("induction", &["induction", "induction'", "fun_induction"]),
    family(
        "contradiction",
        &[
            "contradiction",
            "exfalso",
            "absurd",
            "by_contra",
            "false_or_by_contra",
            "contrapose",
            "nofun",
            "nomatch",
        ],
    ),
    family("reflexivity", &["rfl", "rfl'", "eq_refl"]),
    family("relations", &["symm", "trans", "calc"]),
    family("congruence", &["congr", "gcongr", "cc", "injection", "injections"]),
    family(
        "rewriting",
        &["rw", "rewrite", "rwa", "erw", "nth_rw", "nth_rewrite", "conv", "subst", "subst_vars"],
    ),
    family(
        "simplification",
        &["simp", "simp_all", "simpa", "simp_arith", "simp_rw", "dsimp", "norm_cast", "push_cast"],
    ),
    family("conversion", &["unfold", "delta", "change", "show", "beta_reduce"]),
    family("computation", &["decide", "native_decide", "bv_decide"]),
    family(
        "arithmetic",
        &[
            "omega",
            "ring",
            "ring_nf",
            "linarith",
            "nlinarith",
            "linear_combination",
            "norm_num",
            "positivity",
            "field_simp",
            "interval_cases",
            "abel",
        ],
    ),
    family(
        "automation",
        &[
            "trivial",
            "exact?",
            "apply?",
            "rw?",
            "solve_by_elim",
            "apply_rules",
            "tauto",
            "itauto",
            "aesop",
            "grind",
            "hint",
        ],
    ),
    family(
        "structure",
        &[
            "skip",
            "done",
            "case",
            "case'",
            "next",
            "focus",
            "all_goals",
            "any_goals",
            "first",
            "try",
            "repeat",
            "repeat'",
            "iterate",
            "solve",
            "rotate_left",
            "rotate_right",
            "swap",
        ],
    ),
];

/// The families of Rocq.
const ROCQ: &[Family] = &[
    family("introduction", &["intro", "intros", "extensionality"]),
    family("context", &["clear", "clearbody", "rename", "revert", "move", "generalize"]),
    family(
        "assertion",
        &[
            "assert",
            "eassert",
            "enough",
            "eenough",
            "cut",
            "have",
            "suff",
            "wlog",
            "pose",
            "epose",
            "set",
            "eset",
            "remember",
            "eremember",
            "specialize",
            "especialize",
            "evar",
            "instantiate",
        ],
    ),
    family("application", &["exact", "eexact", "apply", "eapply", "lapply", "rapply", "refine"]),
    family("assumption", &["assumption", "eassumption"]),
    family("witness", &["exists", "eexists"]),
    family(
        "construction",
        &["constructor", "econstructor", "split", "esplit", "left", "eleft", "right", "eright"],
    ),
    family(
        "case-analysis",
        &[
            "destruct",
            "edestruct",
            "destruction",
            "case",
            "ecase",
            "case_eq",
            "inversion",
            "einversion",
            "inversion_clear",
            "inversion_sigma",
            "decompose",
            "decide",
        ],
    ),
    family("induction", &["induction", "einduction", "elim", "eelim", "fix", "cofix", "functional"]),
    family(
        "contradiction",
        &["contradiction", "exfalso", "absurd", "contradict", "discriminate", "ediscriminate"],
    ),
    family("reflexivity", &["reflexivity"]),
    family("relations", &["symmetry", "transitivity", "etransitivity", "stepl", "stepr"]),
    family(
        "congruence",
        &["congruence", "f_equal", "f_equiv", "injection", "einjection", "simplify_eq", "esimplify_eq"],
    ),
    family(
        "rewriting",
        &["rewrite", "erewrite", "setoid_rewrite", "rewrite_strat", "replace", "setoid_replace", "subst"],
    ),
    family("simplification", &["simpl", "cbn", "autorewrite"]),
    family("conversion", &["unfold", "autounfold", "fold", "change", "pattern", "red"]),
    family(
        "computation",
        &[
            "compute",
            "vm_compute",
            "native_compute",
            "cbv",
            "lazy",
            "hnf",
            "vm_cast_no_check",
            "native_cast_no_check",
        ],
    ),
    family(
        "arithmetic",
        &[
            "lia",
            "nia",
            "lra",
            "nra",
            "psatz",
            "nsatz",
            "ring",
            "ring_simplify",
            "field",
            "field_simplify",
            "field_simplify_eq",
            "zify",
            "Z.div_mod_to_equations",
            "Z.quot_rem_to_equations",
            "Z.to_euclidean_division_equations",
            "discrR",
        ],
    ),
    family(
        "automation",
        &[
            "trivial",
            "auto",
            "eauto",
            "info_auto",
            "info_eauto",
            "easy",
            "now",
            "done",
            "tauto",
            "rtauto",
            "btauto",
            "intuition",
            "dintuition",
            "firstorder",
            "sauto",
            "hauto",
            "qauto",
            "hammer",
        ],
    ),
    family(
        "structure",
        &[
            "idtac",
            "fail",
            "first",
            "try",
            "tryif",
            "repeat",
            "match",
            "do",
            "solve",
            "progress",
            "once",
            "exactly_once",
            "timeout",
            "time",
            "abstract",
            "cycle",
            "swap",
            "revgoals",
            "shelve",
            "unshelve",
        ],
    ),
];

/// The families of a system. The synthetic environment has none, since its tactics are numbers.
pub fn families(system: System) -> &'static [Family] {
    match system {
        System::Lean4 | System::Mini => LEAN,
        System::Rocq => ROCQ,
        System::Synthetic => &[],
    }
}

/// The tactics that the easy gate blocks by default: those that close whole goals automatically. The list for Rocq
/// corresponds to that for Lean: for `simp` and `simp_all`, the provers of logic and equality; for `omega`, those of
/// linear arithmetic, and `nia` and `nra`, which include it; for `rfl`, `reflexivity`, which also completes what
/// `decide` does by computation. `ring` is in neither list.
pub fn easy_tactics(system: System) -> &'static [&'static str] {
    match system {
        System::Lean4 | System::Mini => &["simp", "simp_all", "omega", "decide", "native_decide", "rfl"],
        System::Rocq => &[
            "trivial",
            "auto",
            "eauto",
            "easy",
            "now",
            "done",
            "tauto",
            "rtauto",
            "intuition",
            "dintuition",
            "firstorder",
            "congruence",
            "lia",
            "nia",
            "lra",
            "nra",
            "reflexivity",
        ],
        System::Synthetic => &[],
    }
}

/// Whether a name is a family of the system or a tactic in one. The tactics of the synthetic environment are `t0`,
/// `t1` and so on.
///
/// A filter accepts other names too, since assistants have more tactics than the tables list.
pub fn is_known(system: System, name: &str) -> bool {
    if system == System::Synthetic {
        let number = name.strip_prefix('t').unwrap_or_default();
        return !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    }
    families(system).iter().any(|f| f.name == name || f.tactics.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::super::words::is_word;
    use super::*;

    const SYSTEMS: [System; 2] = [System::Mini, System::Rocq];

    #[test]
    fn systems_have_the_same_families_and_no_tactic_is_in_two() {
        let names = |system| families(system).iter().map(|f| f.name).collect::<Vec<_>>();
        assert_eq!(names(System::Mini), names(System::Rocq));
        for system in SYSTEMS {
            let mut tactics: Vec<&str> = families(system).iter().flat_map(|f| f.tactics).copied().collect();
            assert!(tactics.iter().all(|t| is_word(t)));
            assert!(easy_tactics(system).iter().all(|t| tactics.contains(t)), "easy tactics of {system}");
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
            assert!(is_known(System::Mini, name), "`{name}` is in no family");
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
        assert_eq!(shown, LEAN.iter().zip(ROCQ).map(row).collect::<Vec<_>>());
        for system in SYSTEMS {
            let list = format!("\n\n{}\n\n", spell(easy_tactics(system)));
            assert!(page.contains(&list), "the page lists the easy tactics of {system}: {list}");
        }
    }

    #[test]
    fn what_is_known() {
        for (system, name, known) in [
            (System::Mini, "arithmetic", true),
            (System::Mini, "omega", true),
            (System::Mini, "lia", false),
            (System::Rocq, "lia", true),
            (System::Rocq, "case-analysis", true),
            (System::Rocq, "arithmetics", false),
            (System::Synthetic, "t12", true),
            (System::Synthetic, "t", false),
            (System::Synthetic, "t1x", false),
            (System::Synthetic, "arithmetic", false),
        ] {
            assert_eq!(is_known(system, name), known, "{system} {name}");
        }
    }
}
