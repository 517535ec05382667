//! The folder of a new system: the toy system of the test kit under another name, and the lines that make it known.

use std::path::Path;

use anyhow::{Context, bail};

use crate::root;

/// What a new system begins as.
const TOY: &str = include_str!("../../crates/testkit/src/toy.rs");

/// Makes the folder of a system in this project, and enters it into the workspace and the program.
pub(crate) fn new(name: &str) -> anyhow::Result<u8> {
    make(&root(), name)?;
    crate::step::say(&format!(
        "crates/systems/{name} is a whole system now: the toy of the test kit under its name.\n\
         Try it:     cargo nextest run --package andor-system-{name}\n\
         \x20           cargo run -- doctor --system {name}\n\
         Then make it yours, file by file, as its README says."
    ));
    Ok(0)
}

fn make(root: &Path, name: &str) -> anyhow::Result<()> {
    let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !is_plain(name) {
        bail!("`{name}` is no name for a system: use lower-case letters and digits, a letter first");
    }
    let folder = root.join("crates/systems").join(name);
    if folder.exists() || name == "toy" {
        bail!("there is a system `{name}` already");
    }
    for (file, text) in files(name) {
        let path = folder.join(file);
        fs_err::create_dir_all(path.parent().expect("it has a folder"))?;
        fs_err::write(path, text)?;
    }
    for (file, before, line) in lines(name) {
        let path = root.join(file);
        let text = entered(&fs_err::read_to_string(&path)?, before, &line);
        let text =
            text.with_context(|| format!("{file} has no line that begins with `{}`", before.trim()))?;
        fs_err::write(path, text)?;
    }
    Ok(())
}

/// The files of the folder.
fn files(name: &str) -> [(&'static str, String); 4] {
    let (upper, title) = (name.to_uppercase(), titled(name));
    let own = |text: &str| text.replace("TOY", &upper).replace("Toy", &title).replace("toy", name);
    let (_, body) = TOY.split_once("\n\n").expect("it has a first paragraph");
    let library = format!(
        "//! {title} as a system of andor. For now it is the toy of the test kit.\n//!\n{}\n\
         #[distributed_slice(LANGUAGES)]\nstatic OWN_LANGUAGE: &Language = &LANGUAGE;\n\n\
         #[distributed_slice(SOURCES)]\nstatic OWN_SOURCE: &dyn Source = &Reader;\n\n\
         #[distributed_slice(ENVIRONMENTS)]\n\
         static OWN_ENVIRONMENT: Made = Made {{ system: {upper}, environment: |_| Arc::new({title}) }};\n",
        own(body)
            .replace(
                "use andor_core::language::{\n    Heuristic, Language,",
                "use andor_core::language::{\n    Heuristic, LANGUAGES, Language,"
            )
            .replace(
                "use andor_env::screen::",
                "use andor_env::registry::{ENVIRONMENTS, Made};\nuse andor_env::screen::"
            )
            .replace(
                "use andor_env::source::{Called, Likeness, Malformed, Row, Source,",
                "use andor_env::source::{Called, Likeness, Malformed, Row, SOURCES, Source,"
            )
            .replace(
                "use async_trait::async_trait;\n",
                "use async_trait::async_trait;\nuse linkme::distributed_slice;\n"
            ),
    );
    let manifest = format!(
        "[package]\nname = \"andor-system-{name}\"\ndescription = \"{title} as a system of andor\"\n\
         version.workspace = true\nedition.workspace = true\nrust-version.workspace = true\nlicense.workspace = true\n\
         readme = \"README.md\"\nkeywords.workspace = true\ncategories.workspace = true\n\n[dependencies]\n\
         andor-core.workspace = true\nandor-env.workspace = true\nasync-trait.workspace = true\nlinkme.workspace = true\n\n\
         [dev-dependencies]\nandor-testkit.workspace = true\n\n[lints]\nworkspace = true\n"
    );
    let readme = format!(
        "# {title} as a system\n\nFor now it is the toy of the test kit: a file has lines `claim NAME : NUMBER`, each with a proof \
         below it.\nReplace its parts, and keep the tests passing:\n\n\
         | to say | change |\n| --- | --- |\n\
         | which words, comments and tactics it has | `LANGUAGE` |\n\
         | how a user's file is read | `Reader`, a `Source` |\n\
         | how a theorem is opened, what a tactic does | `{title}Worker`, a `Worker` |\n\
         | what passes as one tactic, and how a proof becomes a file | `{title}`, an `Environment` |\n\
         | what is a proof | `{title}`, a `Checker` |\n\n\
         `tests/contract.rs` holds it against what every system has to keep. A cheat that the checker must refuse belongs into \
         the corpus\nof `andor-lab`, with an honest twin.\n"
    );
    let contract = format!(
        "//! What every system has to keep.\n\nuse std::sync::Arc;\n\nuse andor_system_{name}::{{{upper}, {title}}};\n\
         use andor_testkit::contract::{{Fixture, run_all}};\nuse andor_testkit::{{block_on, theorem}};\n\n#[test]\n\
         fn it_passes_the_contract_suite() {{\n    block_on(run_all(&Fixture {{\n        environment: Arc::new({title}),\n        \
         theorem: theorem({upper}, \"t\", \"claim t : 2\"),\n        split: \"half\".into(),\n        \
         close: [\"one\".into(), \"one\".into()],\n        fail: \"third\".into(),\n        coupled: None,\n        \
         commuting: Vec::new(),\n        lemma: None,\n        endless: None,\n        crash: None,\n    }}));\n}}\n"
    );
    [
        ("Cargo.toml", manifest),
        ("README.md", readme),
        ("src/lib.rs", library),
        ("tests/contract.rs", contract),
    ]
}

/// A name with a capital letter.
fn titled(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

/// The lines that make a system known: each with its file, and what the lines have in common among which it belongs.
fn lines(name: &str) -> [(&'static str, &'static str, String); 7] {
    let ours = format!("andor-system-{name}");
    let (workspace, program) = ("Cargo.toml", "crates/cli/Cargo.toml");
    [
        (workspace, "    \"crates/systems/", format!("    \"crates/systems/{name}\",")),
        (
            workspace,
            "andor-system-",
            format!("{ours} = {{ path = \"crates/systems/{name}\", version = \"0.1.0\" }}"),
        ),
        (program, "    \"", format!("    \"{name}\",")),
        (program, "[\"dep:andor-system-", format!("{name} = [\"dep:{ours}\"]")),
        (program, "optional = true", format!("{ours} = {{ workspace = true, optional = true }}")),
        (
            "crates/cli/src/lib.rs",
            LINKED,
            format!("{LINKED}\n#[cfg(feature = \"{name}\")]\nuse andor_system_{name} as _;"),
        ),
        ("xtask/tests/rooms.rs", "    (\"system-", format!("    (\"system-{name}\", &[\"core\", \"env\"]),")),
    ]
}

/// What stands above the systems that the program links.
const LINKED: &str = "// Systems are known by being linked.";

/// A text with a line among those with something in common, in their order, or in the place of one that it begins with. `None` if
/// there are none.
fn entered(text: &str, common: &str, line: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let among: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains(common)).collect();
    let at = among.iter().copied().find(|at| lines[*at] >= line).unwrap_or(among.last()? + 1);
    match among.iter().find(|at| line.strip_prefix(lines[**at]).is_some_and(|rest| rest.starts_with('\n'))) {
        Some(at) => lines[*at] = line,
        None => lines.insert(at, line),
    }
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_entered_where_it_belongs() {
        let text = "x\n    \"b\",\n    \"d\",\ny\n";
        let with = |line| entered(text, "    \"", line).unwrap();
        assert_eq!(with("    \"a\","), "x\n    \"a\",\n    \"b\",\n    \"d\",\ny\n");
        assert_eq!(with("    \"c\","), "x\n    \"b\",\n    \"c\",\n    \"d\",\ny\n");
        assert_eq!(with("    \"e\","), "x\n    \"b\",\n    \"d\",\n    \"e\",\ny\n");
        assert_eq!(entered("// k\nuse b;\n", "// k", "// k\nuse a;").unwrap(), "// k\nuse a;\nuse b;\n");
        assert_eq!(entered(text, "z", "z"), None);
    }

    /// In a project with the files that are changed. That what is made compiles and passes its tests is the toy's own test.
    #[test]
    fn a_system_is_made_and_entered_once() {
        let folder = tempfile::tempdir().expect("it is made");
        let folder = folder.path();
        for (file, _, _) in lines("x") {
            let path = folder.join(file);
            fs_err::create_dir_all(path.parent().expect("it has a folder")).expect("it is made");
            fs_err::copy(root().join(file), path).expect("it is copied");
        }
        make(folder, "zenon").expect("it is made");
        let read = |file: &str| fs_err::read_to_string(folder.join(file)).expect("it is there");
        let library = read("crates/systems/zenon/src/lib.rs");
        assert!(library.contains("pub const ZENON: System") && library.contains("impl Checker for Zenon"));
        assert!(
            ["toy", "Toy", "TOY"]
                .iter()
                .all(|word| !library.replace("the toy of the test kit", "").contains(word))
        );
        for list in ["LANGUAGES, Language", "SOURCES, Source", "ENVIRONMENTS, Made"] {
            assert!(library.contains(list), "{list} is not imported");
        }
        for (file, _, line) in lines("zenon") {
            let line = line.lines().last().expect("it is a line");
            let text = read(file);
            assert_eq!(text.lines().filter(|other| *other == line).count(), 1, "{line:?} in {file}");
        }
        for name in ["zenon", "Agda", "a-b", "toy", ""] {
            assert!(make(folder, name).is_err(), "{name:?}");
        }
    }
}
