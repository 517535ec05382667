//! Escapes untrusted text before it is shown: goals, messages, tactics, names of theorems and files. Control
//! characters could move the cursor, hide text or change terminal settings; bidirectional characters could reorder
//! text; a line break could start a line that looks like one of ours. Such characters are shown as `\u001b`, which in
//! a JSON string denotes the same character.

use std::io::{self, Write};

/// Escapes text of several lines; only line breaks and tabs are kept. All output passes through here.
pub fn text(text: &str) -> String {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

/// Escapes text for a single line, such as a name or a table cell.
pub fn line(text: &str) -> String {
    escaped(text, |_| false)
}

/// Length limit of a message, in characters.
const MAX_MESSAGE: usize = 20_000;

/// Escapes a message. Lines after the first are indented, so that none looks like one of ours; very long messages are
/// shortened in the middle.
pub fn message(message: &str) -> String {
    let message = message.trim_end();
    let length = message.chars().count();
    if length <= MAX_MESSAGE {
        return indented(message);
    }
    let part = |from: usize, n: usize| indented(&message.chars().skip(from).take(n).collect::<String>());
    let half = MAX_MESSAGE / 2;
    let (begin, end) = (part(0, half), part(length - half, half));
    format!("{begin} [… {} characters are left out …] {end}", length - 2 * half)
}

/// Escapes a log event but keeps its colours. Its values were escaped before.
pub fn event(event: &str) -> String {
    let mut parts = event.trim_end_matches('\n').split('\u{1b}');
    let mut shown = indented(parts.next().unwrap_or_default());
    for part in parts {
        let is_code = |c: char| c.is_ascii_digit() || c == ';';
        let after = part.strip_prefix('[').map(|codes| codes.trim_start_matches(is_code));
        match after.and_then(|after| after.strip_prefix('m')) {
            Some(after) => {
                shown.push('\u{1b}');
                shown += &part[..part.len() - after.len()];
                shown += &indented(after);
            }
            None => shown += &(line("\u{1b}") + &indented(part)),
        }
    }
    shown + "\n"
}

fn indented(part: &str) -> String {
    text(part).replace('\n', "\n    ")
}

fn escaped(text: &str, passes: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if (c.is_control() || reorders(c)) && !passes(c) {
            shown += &format!("\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a character reorders others or separates lines or paragraphs (Unicode `Bidi_Control`, `Zl`, `Zp`).
fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes UTF-8 written to a terminal; other output passes unchanged.
pub struct Guarded<W> {
    inner: W,
    /// The first bytes of an incomplete character.
    torn: Vec<u8>,
}

impl<W> Guarded<W> {
    /// Guards an output.
    pub fn new(inner: W) -> Self {
        Self { inner, torn: Vec::new() }
    }
}

impl<W: Write> Write for Guarded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.torn.extend_from_slice(bytes);
        let whole = match str::from_utf8(&self.torn) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.torn.len(),
        };
        let whole: Vec<u8> = self.torn.drain(..whole).collect();
        self.inner.write_all(text(&String::from_utf8_lossy(&whole)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor_or_hides_text() {
        let hostile = "a\u{1b}[2K\r\u{9b}1A\u{7f}\u{202e}b\u{2066}\u{2028}∀ é\t.\n";
        assert_eq!(text(hostile), "a\\u001b[2K\\u000d\\u009b1A\\u007f\\u202eb\\u2066\\u2028∀ é\t.\n");
        assert_eq!(line("a\r\nfoo: proved"), "a\\u000d\\u000afoo: proved");
        assert_eq!(message("a\r\nfoo: proved (level 4)\n\n"), "a\\u000d\n    foo: proved (level 4)");
        for code in 0..=0x2fff {
            let Some(c) = char::from_u32(code) else { continue };
            let shown = line(&c.to_string());
            assert!(!shown.contains(char::is_control), "{code:x}");
            // As part of a string of JSON it is the same character.
            if shown.starts_with("\\u") {
                assert_eq!(serde_json::from_str::<String>(&format!("\"{shown}\"")).unwrap(), c.to_string());
            }
        }
    }

    #[test]
    fn what_is_very_long_is_shortened() {
        let long = format!("unexpected `{}`, expected a term", "∀".repeat(50_000_000));
        let shown = message(&long);
        assert!(
            shown.len() < 100_000 && shown.starts_with("unexpected `∀") && shown.ends_with("expected a term")
        );
        assert!(shown.contains(" [… 49980030 characters are left out …] "), "{}", shown.replace('∀', ""));
        assert_eq!(message("short"), "short");
    }

    #[test]
    fn colours_of_the_log_pass_and_nothing_else_does() {
        let logged = "\u{1b}[33m WARN\u{1b}[0m \u{1b}[2mx\u{1b}[0m a\nb\u{1b}[2Jc\u{1b}]0;t\u{1b}[1;31\n";
        assert_eq!(
            event(logged),
            "\u{1b}[33m WARN\u{1b}[0m \u{1b}[2mx\u{1b}[0m a\n    b\\u001b[2Jc\\u001b]0;t\\u001b[1;31\n"
        );
    }

    #[test]
    fn characters_may_come_in_pieces() {
        let mut guarded = Guarded::new(Vec::new());
        for byte in "∀\u{9b}x\u{1b}\n".bytes() {
            guarded.write_all(&[byte]).unwrap();
        }
        guarded.write_all(b"\xff").unwrap();
        assert_eq!(String::from_utf8(guarded.inner).unwrap(), "∀\\u009bx\\u001b\n\u{fffd}");
    }
}
