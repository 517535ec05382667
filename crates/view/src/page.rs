//! The page itself: hand-written, embedded, and without anything from elsewhere.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The style sheet.
pub(crate) const STYLE: &str = include_str!("../page/style.css");

/// The script: its parts in one scope.
pub(crate) const SCRIPT: &str = concat!(
    "'use strict';(() => {\n",
    include_str!("../page/data.js"),
    include_str!("../page/layout.js"),
    include_str!("../page/moment.js"),
    include_str!("../page/draw.js"),
    include_str!("../page/pane.js"),
    include_str!("../page/table.js"),
    include_str!("../page/details.js"),
    include_str!("../page/proof.js"),
    include_str!("../page/plots.js"),
    include_str!("../page/main.js"),
    "})();\n",
);

const PAGE: &str = include_str!("../page/index.html");

/// The page of a server, with scripts and styles from the same server only.
pub(crate) fn served() -> String {
    let head = "<link rel=\"stylesheet\" href=\"style.css\">\n<script src=\"page.js\" defer></script>";
    PAGE.replace("<!--HEAD-->", head).replace("<!--DATA-->", "")
}

/// What a served page may do.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A page in one file: everything before its data, and everything after. Data between them must be free of `<`.
pub(crate) fn in_one_file() -> (String, &'static str) {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    );
    let head =
        format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{STYLE}</style>");
    let (before, after) = PAGE.split_once("<!--DATA-->").expect("the page has a place for data");
    (before.replace("<!--HEAD-->", &head), after)
}

fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_never_interprets_text_as_markup() {
        for word in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
        {
            assert!(!SCRIPT.contains(word), "{word}");
        }
        assert!(!SCRIPT.contains("</script"));
        assert!(!STYLE.contains("</style") && !STYLE.contains("url(") && !STYLE.contains("@import"));
    }

    #[test]
    fn the_page_names_no_other_place() {
        for text in [SCRIPT, STYLE, PAGE] {
            let elsewhere =
                text.split("http").skip(1).any(|rest| rest.starts_with("://") || rest.starts_with("s://"));
            assert!(!elsewhere);
        }
    }
}
