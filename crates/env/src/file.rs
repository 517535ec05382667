//! Source files around a theorem.

use andor_core::theorem::Theorem;

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
    let statement = (theorem.system.language().statements.bare)(&theorem.statement);
    let rest = source.strip_prefix(&*theorem.header).map(|rest| rest.strip_prefix('\n').unwrap_or(rest));
    rest.and_then(|rest| rest.strip_prefix(statement)).is_some_and(|proof| {
        proof.starts_with(char::is_whitespace) && proof.trim_end().ends_with(theorem.footer.trim())
    })
}
