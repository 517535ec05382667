//! Source files around a theorem.

use andor_core::theorem::{System, Theorem};

/// A source file: the theorem's header and footer, unchanged, around its statement with a proof.
pub fn source_file(theorem: &Theorem, proved: &str) -> String {
    let mut text = theorem.header.clone();
    let end_line = |text: &mut String| {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    };
    end_line(&mut text);
    text += proved;
    if !theorem.footer.trim().is_empty() {
        text += theorem.footer.trim_start_matches('\n');
        end_line(&mut text);
    }
    text
}

/// Whether a source file begins with a theorem's header and statement, unchanged, and ends with its footer. What stands
/// between is not looked at.
pub fn states(theorem: &Theorem, source: &str) -> bool {
    let (header, statement) = match theorem.system {
        System::Lean4 | System::Mini => (&*theorem.header, bare(&theorem.statement)),
        System::Rocq => (&*theorem.header, theorem.statement.trim_end()),
        // An instance stands alone.
        System::Synthetic => ("", theorem.statement.trim()),
    };
    let rest = source.strip_prefix(header).map(|rest| rest.strip_prefix('\n').unwrap_or(rest));
    rest.and_then(|rest| rest.strip_prefix(statement)).is_some_and(|proof| {
        proof.starts_with(char::is_whitespace) && proof.trim_end().ends_with(theorem.footer.trim())
    })
}

/// A statement without a final `:=`, `:= by`, `:= sorry` or `:= by sorry`.
pub fn bare(statement: &str) -> &str {
    let mut rest = statement.trim_end();
    for word in ["sorry", "by"] {
        let shorter =
            rest.strip_suffix(word).filter(|r| r.ends_with(|c: char| c.is_whitespace() || c == '='));
        rest = shorter.unwrap_or(rest).trim_end();
    }
    rest.strip_suffix(":=").unwrap_or(statement).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_proof_is_left_out() {
        for end in ["", " :=", " := by", " := sorry", ":=sorry", " := by\n  sorry\n", "  "] {
            assert_eq!(bare(&format!("theorem t : a = b{end}")), "theorem t : a = b", "{end}");
        }
        assert_eq!(bare("theorem t : f = by"), "theorem t : f = by");
    }
}
