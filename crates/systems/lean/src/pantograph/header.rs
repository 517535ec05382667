//! Headers for Pantograph: modules are arguments of the program, and the scope is given again with every text.

/// A header in parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// The imported modules.
    pub(super) modules: Vec<String>,
    /// What follows the imports.
    pub(super) commands: String,
    /// The commands that open namespaces, declare variables and set options, without the declarations between them.
    pub(super) scope: String,
}

/// A first word that Pantograph's arguments cannot express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Pantograph cannot read a header that begins with `{0}`")]
pub(super) struct Unsupported(String);

/// Commands that change only the scope.
const OF_SCOPE: &[&str] = &[
    "open",
    "namespace",
    "section",
    "end",
    "variable",
    "variable?",
    "universe",
    "set_option",
    "include",
    "omit",
    "noncomputable section",
    "public section",
    "export",
];

/// Commands that are ended by an `end` of their own and declare something.
const ENDED: &[&str] = &["mutual"];

pub(super) fn split(header: &str) -> Result<Header, Unsupported> {
    let mut modules = Vec::new();
    let mut begin = 0;
    let mut in_comment = false;
    for line in header.split_inclusive('\n') {
        let text = line.trim();
        if in_comment || text.starts_with("/-") {
            in_comment = !text.contains("-/");
        } else if let Some(names) = text.strip_prefix("import ") {
            let names = names.split("--").next().unwrap_or_default();
            modules.extend(names.split_whitespace().map(str::to_owned));
        } else if !text.is_empty() && !text.starts_with("--") {
            let word = text.split_whitespace().next().unwrap_or_default();
            let second = text.split_whitespace().nth(1);
            let unsupported = matches!(word, "module" | "prelude") && second.is_none()
                || matches!(word, "public" | "private" | "meta") && matches!(second, Some("import" | "meta"));
            if unsupported {
                return Err(Unsupported(word.to_owned()));
            }
            break;
        }
        begin += line.len();
    }
    let commands = header[begin..].to_owned();
    let scope = scope(&commands);
    Ok(Header { modules, commands, scope })
}

/// The commands of a text that change only the scope. A command begins in the first column.
fn scope(text: &str) -> String {
    let mut kept = String::new();
    let mut keeps = false;
    let mut in_comment = false;
    // The commands that a later `end` ends, with whether they are kept.
    let mut ended: Vec<bool> = Vec::new();
    for line in text.lines() {
        let was_comment = in_comment || line.starts_with("/-");
        if was_comment {
            in_comment = !line.contains("-/");
            keeps = false;
            continue;
        }
        if !line.is_empty() && !line.starts_with(char::is_whitespace) {
            let begins = |word: &&str| {
                line.strip_prefix(*word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            keeps = OF_SCOPE.iter().any(begins) && !line.ends_with(" in");
            match OF_SCOPE.iter().chain(ENDED).find(|word| begins(word)) {
                Some(&"mutual") => ended.push(false),
                Some(&("namespace" | "section" | "noncomputable section" | "public section")) => {
                    ended.push(true);
                }
                Some(&"end") => keeps = ended.pop().unwrap_or(true),
                _ => {}
            }
        }
        if keeps {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_split_into_modules_commands_and_scope() {
        let text = "/- A header\nimport Not -/\nimport Mathlib -- all of it\nimport A.B\n\nopen Nat\n  Real\n\
                    mutual\ndef f := 1\nend\nnamespace X\nvariable (n : Nat)\ndef g : Nat :=\n  open Nat in 1\nend X\n\
                    set_option autoImplicit false\nset_option a true in\ndef h := 2\n";
        let header = split(text).unwrap();
        assert_eq!(header.modules, ["Mathlib", "A.B"]);
        assert!(header.commands.starts_with("open Nat\n  Real\nmutual"));
        assert_eq!(
            header.scope,
            "open Nat\n  Real\nnamespace X\nvariable (n : Nat)\nend X\nset_option autoImplicit false\n"
        );
        assert_eq!(split(""), Ok(Header::default()));
        assert_eq!(split("module\n\npublic import A"), Err(Unsupported("module".into())));
        assert_eq!(split("public import A\n"), Err(Unsupported("public".into())));
    }
}
