//! Names that an assistant invents.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

static INVENTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\?[A-Za-z_]*|_uniq|_fvar|_mvar)\.(\d+)").expect("the pattern is well-formed")
});

/// The text with the numbers of invented names, such as `?m.1234`, counted from 1 in order of appearance: two
/// workers that show one state make one prompt of it.
pub(crate) fn canonical(text: &str) -> String {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut canonical = String::with_capacity(text.len());
    let mut end = 0;
    for found in INVENTED.captures_iter(text) {
        let (whole, stem) = (found.get(0).expect("group 0 is the match"), &found[1]);
        let next = numbers.len() + 1;
        let number = *numbers.entry(whole.as_str()).or_insert(next);
        canonical.push_str(&text[end..whole.start()]);
        write!(canonical, "{stem}.{number}").expect("a string takes all that is written");
        end = whole.end();
    }
    canonical.push_str(&text[end..]);
    canonical
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_names_are_counted_in_order_of_appearance() {
        assert_eq!(canonical("⊢ ?m.812 = ?m.77 + ?m.812"), "⊢ ?m.1 = ?m.2 + ?m.1");
        assert_eq!(canonical("h : f ?m.9 _uniq.31"), canonical("h : f ?m.8 _uniq.30"));
        assert_eq!(canonical("x✝ : ℕ\n⊢ 1.5 < x✝"), "x✝ : ℕ\n⊢ 1.5 < x✝");
    }
}
