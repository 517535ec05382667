//! Axioms that Rocq's standard library brings.

/// Named sets of axioms, to allow them together.
pub const SETS: &[(&str, &[&str])] = &[
    (
        "reals",
        &[
            "ClassicalDedekindReals.sig_forall_dec",
            "ClassicalDedekindReals.sig_not_dec",
            "FunctionalExtensionality.functional_extensionality_dep",
        ],
    ),
    ("classical", &["Classical_Prop.classic"]),
    ("funext", &["FunctionalExtensionality.functional_extensionality_dep"]),
    ("propext", &["PropExtensionality.propositional_extensionality"]),
    ("proof-irrelevance", &["ProofIrrelevance.proof_irrelevance"]),
    (
        "choice",
        &[
            "ClassicalEpsilon.constructive_indefinite_description",
            "IndefiniteDescription.constructive_indefinite_description",
        ],
    ),
    ("eq-rect-eq", &["Eqdep.Eq_rect_eq.eq_rect_eq"]),
];

/// Whether an axiom, as printed, is one of those allowed. Rocq prints the shortest name that is unambiguous,
/// so the printed name may be the end of the allowed one.
pub(super) fn is_allowed(printed: &str, allowed: &[String]) -> bool {
    allowed.iter().any(|full| full == printed || full.ends_with(&format!(".{printed}")))
}

/// The set that holds an axiom, for a hint.
pub(super) fn set_of(printed: &str) -> Option<&'static str> {
    let holds = |axioms: &[&str]| axioms.iter().any(|a| is_allowed(printed, &[(*a).to_owned()]));
    SETS.iter().find(|(_, axioms)| holds(axioms)).map(|(name, _)| *name)
}
