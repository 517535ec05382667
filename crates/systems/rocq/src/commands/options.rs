//! The options that files may set: those known to change only how Coq reads, prints or
//! proves. Refused are options that run a program, write a file or wait for input, that turn off a kernel check,
//! and unknown ones.
//!
//! The names are those of `Print Options` in Coq 8.16 with the plugins of its library, of the sources and the manual
//! from 8.6 to Rocq 9.2, and of the plugin Equations.

/// The effect of an option, for judging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Files may set and unset it.
    Harmless,
    /// It has this effect outside the file.
    Outside(&'static str),
    /// It turns off a kernel check, or adds a rule to the kernel.
    Unchecked,
    /// It is not in the lists.
    Unknown,
}

/// The effect of setting an option or, if not `on`, of unsetting it. The words are joined by single spaces.
pub(super) fn effect(name: &str, on: bool) -> Effect {
    if let Some((_, effect)) = OUTSIDE.iter().find(|(option, _)| *option == name) {
        return if on { Effect::Outside(effect) } else { Effect::Harmless };
    }
    if let Some((_, unchecked)) = CHECKS.iter().find(|(option, _)| *option == name) {
        return if on == *unchecked { Effect::Unchecked } else { Effect::Harmless };
    }
    let takes_tactic = name.starts_with(FIRSTORDER_SOLVER);
    if takes_tactic || HARMLESS.binary_search(&name).is_ok() { Effect::Harmless } else { Effect::Unknown }
}

/// The option whose value is a tactic.
const FIRSTORDER_SOLVER: &str = "Firstorder Solver";

/// Options with effects outside the file, and these effects.
const OUTSIDE: &[(&str, &str)] = &[
    ("Debug", "makes Rocq run a program and write files"),
    ("Dump Arith", "writes files"),
    ("Extraction Output Directory", "writes files"),
    ("Ltac Debug", "waits for input"),
    ("NativeCompute Profile Filename", "writes files"),
    ("NativeCompute Profiling", "runs a program and writes files"),
];

/// Options of the kernel, and the value with which it checks less or assumes more.
const CHECKS: &[(&str, bool)] = &[
    ("Definitional UIP", true),
    ("Guard Checking", false),
    ("Positivity Checking", false),
    ("Universe Checking", false),
];

/// Options that files may set, sorted.
const HARMLESS: &[&str] = &[
    "Allow StrictProp",
    "Apply With Renaming",
    "Asymmetric Patterns",
    "Auto Template Polymorphism",
    "Automatic Coercions Import",
    "Automatic Introduction",
    "Automatic Proposition Inductives",
    "Boolean Equality Schemes",
    "Bracketing Last Introduction Pattern",
    "Bullet Behavior",
    "Case Analysis Schemes",
    "Congruence Verbose",
    "Contextual Implicit",
    "Coqtop Exit On Error",
    "Cumulative StrictProp",
    "Cumulativity Weak Constraints",
    "Debug Auto",
    "Debug Cbv",
    "Debug Eauto",
    "Debug RAKAM",
    "Debug SsrMatching",
    "Debug Ssreflect",
    "Debug Tactic Unification",
    "Debug Trivial",
    "Debug Unification",
    "Decidable Equality Schemes",
    "Default Clearing Used Hypotheses",
    "Default Goal Selector",
    "Default Proof Mode",
    "Default Proof Using",
    "Default Timeout",
    "Dependent Proposition Eliminators",
    "Depth Scheme All",
    "Diffs",
    "Dump Bytecode",
    "Dump Lambda",
    "Elaboration StrictProp Cumulativity",
    "Elimination Schemes",
    "Equations Derive Eliminator",
    "Equations Derive Equations",
    "Equations Transparent",
    "Equations With Funext",
    "Equations With UIP",
    "Extraction AccessOpaque",
    "Extraction AutoInline",
    "Extraction Conservative Types",
    "Extraction File Comment",
    "Extraction Flag",
    "Extraction KeepSingleton",
    "Extraction Optimize",
    "Extraction SafeImplicits",
    "Extraction TypeExpand",
    "Fast Name Printing",
    "Firstorder Depth",
    "Firstorder Solver",
    "Function_debug",
    "Function_raw_tcc",
    "Functional Induction Rewrite Dependent",
    "Generate Goal Names",
    "Hide Obligations",
    "Hyps Limit",
    "Implicit Arguments",
    "Info Auto",
    "Info Eauto",
    "Info Level",
    "Info Micromega",
    "Info Trivial",
    "Inline Level",
    "Instance Generalized Output",
    "Intuition Iff Unfolding",
    "Intuition Negation Unfolding",
    "Keep Admitted Variables",
    "Keep Proof Equalities",
    "Kernel Term Sharing",
    "Keyed Unification",
    "Lia Cache",
    "Lia Depth",
    "Lia Enum",
    "Loose Hint Behavior",
    "Lra Depth",
    "Ltac Backtrace",
    "Ltac Batch Debug",
    "Ltac Profiling",
    "Ltac Profiling Cutoff",
    "Ltac2 Backtrace",
    "Ltac2 Backtrace Compact",
    "Ltac2 In Ltac1 Profiling",
    "Ltac2 Typed Notations",
    "Mangle Names",
    "Mangle Names Light",
    "Mangle Names Prefix",
    "Maximal Implicit Insertion",
    "NativeCompute Timing",
    "Nested Proofs Allowed",
    "Nia Cache",
    "Nonrecursive Elimination Schemes",
    "Nra Cache",
    "Omega Action",
    "Omega System",
    "Omega UseLocalDefs",
    "Parsing Explicit",
    "Polymorphic Inductive Cumulativity",
    "Primitive Projections",
    "Printing All",
    "Printing Allow Default Clause",
    "Printing Allow Match Default Clause",
    "Printing Coercions",
    "Printing Compact Contexts",
    "Printing Dependent Evars Line",
    "Printing Depth",
    "Printing Existential Instances",
    "Printing Factorizable Match Patterns",
    "Printing Float",
    "Printing Fully Qualified",
    "Printing Goal Names",
    "Printing Goal Tags",
    "Printing Implicit",
    "Printing Implicit Defensive",
    "Printing Match All Subterms",
    "Printing Matching",
    "Printing Notations",
    "Printing Parentheses",
    "Printing Primitive Projection Compatibility",
    "Printing Primitive Projection Parameters",
    "Printing Projections",
    "Printing Raw Literals",
    "Printing Records",
    "Printing Relevance Marks",
    "Printing Sort Qualities",
    "Printing Synth",
    "Printing Unfocused",
    "Printing Unfolded Projection As Match",
    "Printing Universes",
    "Printing Use Implicit Types",
    "Printing Width",
    "Printing Wildcard",
    "Private Polymorphic Universes",
    "Program Cases",
    "Program Generalized Coercion",
    "Program Mode",
    "Program Naming",
    "Proof Using Clear Unused",
    "Refine Instance Mode",
    "Refolding Reduction",
    "Regular Subst Tactic",
    "Reversible Pattern Implicit",
    "Rewrite Output Constraints",
    "Rewriting Schemes",
    "Rocqtop Exit On Error",
    "Rtauto Check",
    "Rtauto Pruning",
    "Rtauto Verbose",
    "Search Blacklist Locals",
    "Search Output Name Only",
    "Short Module Printing",
    "Shrink Abstract",
    "Shrink Obligations",
    "Silent",
    "SimplIsCbn",
    "Simplex",
    "Solve Unification Constraints",
    "SsrHave NoTCResolution",
    "SsrIdents",
    "SsrOldRewriteGoalsOrder",
    "SsrRewrite",
    "Stable Omega",
    "Strict Implicit",
    "Strict Universe Declaration",
    "Strongly Strict Implicit",
    "Structural Injection",
    "Suggest Proof Using",
    "Tactic Compat Context",
    "Transparent Obligations",
    "Typeclass Resolution For Conversion",
    "Typeclasses Axioms Are Instances",
    "Typeclasses Debug",
    "Typeclasses Debug Verbosity",
    "Typeclasses Default Mode",
    "Typeclasses Dependency Order",
    "Typeclasses Depth",
    "Typeclasses Filtered Unification",
    "Typeclasses Iterative Deepening",
    "Typeclasses Legacy Resolution",
    "Typeclasses Limit Intros",
    "Typeclasses Modulo Eta",
    "Typeclasses Resolution After Apply",
    "Typeclasses Resolution For Conversion",
    "Typeclasses Strict Resolution",
    "Typeclasses Unique Instances",
    "Typeclasses Unique Solutions",
    "Uniform Inductive Parameters",
    "Universal Lemma Under Conjunction",
    "Universe Minimization ToSet",
    "Universe Polymorphism",
    "Warnings",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_found_by_its_name_and_told_by_what_it_does() {
        assert!(HARMLESS.is_sorted());
        for name in HARMLESS {
            assert_eq!(effect(name, true), Effect::Harmless, "{name}");
            assert!(
                OUTSIDE.iter().all(|(n, _)| n != name) && CHECKS.iter().all(|(n, _)| n != name),
                "{name}"
            );
        }
        assert_eq!(effect("Firstorder Solver auto with arith", true), Effect::Harmless);
        assert_eq!(effect("Guard Checking", true), Effect::Harmless);
        assert_eq!(effect("Guard Checking", false), Effect::Unchecked);
        assert_eq!(effect("Definitional UIP", true), Effect::Unchecked);
        assert!(matches!(effect("Debug", true), Effect::Outside(_)));
        for name in ["", "Foo", "Printing", "Printing All Of It", "Type In Type", "Template Check"] {
            assert_eq!(effect(name, true), Effect::Unknown, "{name}");
            assert_eq!(effect(name, false), Effect::Unknown, "{name}");
        }
    }
}
