//! Published ways to a proof of `False` that Lean's kernel accepted, by the release that mended them.

use andor_audit::olean::Version;

/// A bug of Lean's kernel: its number in the issues of Lean, and the first release without it.
const BUGS: &[(u32, Version)] = &[
    (14484, Version { minor: 32, patch: 1 }),
    (14576, Version { minor: 32, patch: 2 }),
    (14577, Version { minor: 32, patch: 2 }),
];

/// The first release without a known one: further ones were closed in 4.34.0.
const MENDED: Version = Version { minor: 34, patch: 0 };

/// What to say of a release whose kernel is known to accept false proofs; begins with a semicolon.
pub(super) fn told(version: Version) -> Option<String> {
    let open: Vec<String> = BUGS
        .iter()
        .filter(|(_, mended)| version < *mended)
        .map(|(number, _)| format!("lean4#{number}"))
        .collect();
    let named = if open.is_empty() { String::new() } else { format!(" ({})", open.join(", ")) };
    (version < MENDED)
        .then(|| format!("; its kernel accepts published proofs of `False`{named}, which {MENDED} mends"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_releases_are_told_of() {
        let told = |text: &str| told(text.parse().unwrap());
        assert!(told("4.31.0").is_some_and(|told| told.contains("(lean4#14484, lean4#14576, lean4#14577)")));
        assert!(told("4.32.1").is_some_and(|told| !told.contains("14484") && told.contains("14577")));
        assert!(told("4.33.1").is_some_and(|told| !told.contains('#') && told.contains("4.34.0")));
        assert_eq!(told("4.34.0"), None);
    }
}
