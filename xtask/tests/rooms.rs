//! Who may use whom: the table of `ARCHITECTURE.md`, kept true.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Each crate with those of ours that it may use. `system-NAME` is in `systems/NAME`, and `system-*` is any.
const MAY_USE: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("artifact", &["core"]),
    ("analysis", &[]),
    ("mini", &["core"]),
    ("audit", &["core"]),
    ("process", &[]),
    ("env", &["core", "process"]),
    ("lean-language", &["core", "env"]),
    ("system-mini", &["core", "env", "lean-language", "mini", "process"]),
    ("system-rocq", &["audit", "core", "env", "process"]),
    ("system-lean", &["audit", "core", "env", "lean-language", "process"]),
    ("system-synthetic", &["core", "env", "provider"]),
    ("learn", &["artifact", "core"]),
    ("provider", &["core", "learn", "model", "process"]),
    ("model", &[]),
    ("config", &["artifact", "core", "env", "model", "provider"]),
    ("engine", &["artifact", "config", "core", "env", "learn", "model", "provider"]),
    ("rollout", &["artifact", "config", "core", "engine", "env", "model", "process", "provider"]),
    ("dataset", &["artifact", "config", "core", "engine", "env"]),
    (
        "run",
        &[
            "artifact", "config", "core", "dataset", "engine", "env", "model", "process", "provider",
            "rollout",
        ],
    ),
    (
        "report",
        &[
            "analysis", "artifact", "config", "core", "dataset", "engine", "env", "learn", "provider",
            "rollout", "run",
        ],
    ),
    ("iterate", &["artifact", "config", "core", "dataset", "engine", "learn", "process", "report", "run"]),
    ("terminal", &["artifact", "config", "core", "dataset", "engine", "env", "process", "report"]),
    (
        "lab",
        &[
            "analysis", "artifact", "config", "core", "dataset", "engine", "env", "model", "process",
            "provider", "report", "run", "system-*", "terminal",
        ],
    ),
    ("view", &["artifact", "core", "run"]),
    (
        "andor",
        &[
            "artifact", "config", "core", "dataset", "engine", "env", "model", "process", "provider", "run",
            "system-*",
        ],
    ),
    (
        "cli",
        &[
            "artifact", "config", "core", "dataset", "engine", "env", "iterate", "model", "process",
            "report", "rollout", "run", "system-*", "terminal", "view",
        ],
    ),
    ("python", &["iterate"]),
    ("testkit", &["audit", "core", "env", "mini", "process", "provider", "system-lean", "system-mini"]),
];

/// What a crate must not know: dependencies from outside.
const MUST_NOT_KNOW: &[(&str, &[&str])] = &[
    ("core", &["tokio", "async-trait", "futures-util", "serde_json", "tracing", "fs-err"]),
    ("artifact", &["tokio", "async-trait", "tracing"]),
    ("analysis", &["tokio", "serde_json", "fs-err", "tracing", "clap"]),
    ("audit", &["tokio", "async-trait", "futures-util", "serde", "tracing", "clap", "rusqlite", "rustix"]),
    ("process", &["clap", "serde", "serde_json", "rusqlite", "async-trait"]),
    ("env", &["clap", "serde", "serde_json", "rusqlite"]),
    ("system-mini", &["clap", "serde", "rusqlite"]),
    ("system-rocq", &["clap", "serde", "rusqlite"]),
    ("system-lean", &["clap", "serde", "rusqlite"]),
    ("system-synthetic", &["clap", "serde", "rusqlite", "tokio"]),
    ("mini", &["tokio", "async-trait", "serde", "serde_json", "rusqlite", "clap"]),
    ("provider", &["rusqlite", "clap"]),
    ("learn", &["tokio", "async-trait", "tracing", "clap", "fs-err", "rusqlite"]),
    ("model", &["clap", "indicatif", "anyhow", "rusqlite"]),
    ("config", &["clap", "indicatif", "anyhow", "tokio", "rusqlite"]),
    ("engine", &["clap", "indicatif", "anyhow", "rusqlite", "parquet"]),
    ("rollout", &["clap", "indicatif", "anyhow", "rusqlite", "parquet", "plotters"]),
    ("dataset", &["clap", "indicatif", "anyhow", "rusqlite"]),
    ("run", &["clap", "indicatif", "anyhow", "parquet", "plotters"]),
    ("report", &["clap", "indicatif", "anyhow"]),
    ("lab", &["indicatif", "rusqlite", "parquet"]),
    ("view", &["clap", "indicatif", "anyhow", "rusqlite", "parquet", "plotters"]),
];

/// Words that must not occur in the source of the pure core.
const NOT_IN_CORE: &[&str] = &["std::fs", "std::io", "std::net", "Instant", "SystemTime", "async fn"];

/// Enums with the same variants that are no two names of one thing.
const NO_TWINS: &[[&str; 2]] = &[
    // The kind of a question, and the question.
    ["Ask", "Question"],
    // A term, and its shape over the numbers of its parts.
    ["Form", "Kind"],
    // A part of a graph, and its number in a page.
    ["Item", "Item"],
    // An answer with its cost, and its line in a file.
    ["Offer", "ProgressLine"],
    ["Ended", "PlanningEnd"],
    ["Standing", "SubgoalStatus"],
    // A template of universes, and its encoding.
    ["Template", "TemplateForm"],
    // What two programs write that is no answer of theirs.
    ["Unreadable", "Unreadable"],
    // What two compilers make of a file.
    ["Compiled", "Compiled"],
];

/// Lines above which a file probably holds a second idea.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The folder of a crate.
fn folder(krate: &str) -> PathBuf {
    let crates = root().join("crates");
    match krate.strip_prefix("system-") {
        Some(system) => crates.join("systems").join(system),
        None => crates.join(krate),
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs_err::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// All crates.
fn crates() -> Vec<String> {
    let all = root().join("crates");
    let systems = names(&all.join("systems")).into_iter().map(|name| format!("system-{name}"));
    names(&all).into_iter().filter(|name| name != "systems").chain(systems).collect()
}

fn dependencies(krate: &str, table: &str) -> Vec<String> {
    let path = folder(krate).join("Cargo.toml");
    let manifest: toml::Table = fs_err::read_to_string(path).unwrap().parse().unwrap();
    let table = manifest.get(table).and_then(|t| t.as_table());
    table.map_or_else(Vec::new, |t| t.keys().cloned().collect())
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn crates_use_only_those_they_may() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    for krate in crates() {
        let may_use = allowed.get(krate.as_str()).unwrap_or_else(|| panic!("`{krate}` is not in the table"));
        for dependency in dependencies(&krate, "dependencies") {
            if let Some(ours) = dependency.strip_prefix("andor-") {
                let name = if ours.starts_with("system-") && may_use.contains(&"system-*") {
                    "system-*"
                } else {
                    ours
                };
                assert!(may_use.contains(&name), "`{krate}` may not use `{ours}`");
            }
        }
    }
}

#[test]
fn crates_do_not_know_what_they_must_not() {
    for (krate, banned) in MUST_NOT_KNOW {
        for dependency in dependencies(krate, "dependencies") {
            assert!(!banned.contains(&dependency.as_str()), "`{krate}` must not know `{dependency}`");
        }
    }
}

#[test]
fn the_test_kit_is_never_shipped() {
    for (krate, _) in MAY_USE {
        assert!(!dependencies(krate, "dependencies").contains(&"andor-testkit".to_owned()), "{krate}");
    }
}

#[test]
fn the_core_is_pure() {
    let mut files = Vec::new();
    sources(&root().join("crates/core/src"), &mut files);
    for file in files {
        let text = fs_err::read_to_string(&file).unwrap();
        for word in NOT_IN_CORE {
            assert!(!text.contains(word), "{} mentions `{word}`", file.display());
        }
    }
}

/// Whoever says what a user can do about something is the program: what lies below it knows no options.
#[test]
fn options_are_named_by_the_program_alone() {
    let reference = fs_err::read_to_string(root().join("docs/reference/options.md")).unwrap();
    let flags: Vec<&str> =
        reference.lines().filter_map(|line| line.strip_prefix("| `--")?.split([' ', '`']).next()).collect();
    assert!(flags.len() > 50, "{flags:?}");
    let systems = crates().into_iter().filter(|krate| krate.starts_with("system-"));
    let below = ["core", "mini", "audit", "process", "env", "provider", "model"].map(str::to_owned);
    for krate in below.into_iter().chain(systems) {
        let mut files = Vec::new();
        sources(&folder(&krate).join("src"), &mut files);
        for file in files {
            let text = fs_err::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for (line, flag) in code.flat_map(|line| flags.iter().map(move |flag| (line, flag))) {
                let named = line.split("--").skip(1).any(|rest| {
                    rest.strip_prefix(*flag)
                        .is_some_and(|rest| !rest.starts_with(|c: char| c == '-' || c.is_alphanumeric()))
                });
                assert!(!named, "{} names --{flag}: {line}", file.display());
            }
        }
    }
}

#[test]
fn files_hold_one_idea() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    sources(&root().join("xtask"), &mut files);
    for file in files {
        let lines = fs_err::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", file.display());
    }
}

/// The tests of a crate are one program, since each is linked with all that it tests; and a file that no module declares would be
/// left out without a word.
#[test]
fn the_tests_of_a_crate_are_one_program_and_all_are_in_it() {
    for krate in crates() {
        let folder = folder(&krate).join("tests");
        let mut files = Vec::new();
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
        // One that links a system of its own cannot share it with others.
        files.retain(|file| !file.ends_with("toy.rs"));
        let is_program = |file: &PathBuf| match file.strip_prefix(&folder).unwrap().components().count() {
            1 => true,
            depth => depth == 2 && file.ends_with("main.rs"),
        };
        let (programs, modules): (Vec<_>, Vec<_>) = files.into_iter().partition(is_program);
        assert!(programs.len() <= 1, "merge these into one: {programs:?}");
        for module in modules {
            let inner = module.ends_with("mod.rs");
            let name = if inner { module.parent().unwrap() } else { &module };
            let parent = name.parent().unwrap();
            let declared = format!("mod {};", name.file_stem().unwrap().to_str().unwrap());
            let declares = |file: &str| {
                let text = fs_err::read_to_string(parent.join(file)).unwrap_or_default();
                text.lines().any(|line| line.trim_start_matches("pub(crate) ") == declared)
            };
            assert!(declares("main.rs") || declares("mod.rs"), "{} is in no program", module.display());
        }
    }
}

/// One thing has one type: an enum whose variants are those of another is probably the other.
#[test]
fn no_enum_is_declared_twice() {
    let mut files = Vec::new();
    for entry in fs_err::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.ends_with("testkit") {
            sources(&folder, &mut files);
        }
    }
    let mut known: BTreeMap<Vec<String>, (String, PathBuf)> = BTreeMap::new();
    for file in files.into_iter().filter(|file| file.components().any(|part| part.as_os_str() == "src")) {
        for (name, variants) in enums(&fs_err::read_to_string(&file).unwrap()) {
            let one = (name.clone(), file.clone());
            if let Some((other, place)) = known.insert(variants, one) {
                let mut pair = [other.as_str(), name.as_str()];
                pair.sort_unstable();
                let (file, place) = (file.display(), place.display());
                assert!(
                    NO_TWINS.contains(&pair),
                    "{name} in {file} has the variants of {other} in {place}: use one, or add the pair to NO_TWINS"
                );
            }
        }
    }
    assert!(known.len() > 300, "only {} enums were read", known.len());
}

/// The enums and choices that a file declares, each with the sorted names of its variants, if it has at least two.
fn enums(text: &str) -> Vec<(String, Vec<String>)> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//") && !line.trim_start().starts_with("#[");
    let code = text.lines().filter(is_code).collect::<Vec<_>>().join("\n");
    let starts = code.match_indices("enum ").map(|(at, word)| at + word.len());
    let choices = code.match_indices("choice!").filter_map(|(at, word)| {
        let rest = &code[at + word.len()..];
        Some(at + word.len() + rest.find(|c: char| c.is_ascii_uppercase())?)
    });
    let mut found = Vec::new();
    for start in starts.chain(choices) {
        let name: String = code[start..].chars().take_while(|c| c.is_alphanumeric()).collect();
        let Some(open) =
            code[start..].find('{').filter(|open| !code[start..start + open].contains([';', '"']))
        else {
            continue;
        };
        let (mut depth, mut body) = (0, String::new());
        for c in code[start + open + 1..].chars() {
            match c {
                '{' | '(' => depth += 1,
                '}' | ')' if depth == 0 => break,
                '}' | ')' => depth -= 1,
                c if depth == 0 => body.push(c),
                _ => {}
            }
        }
        let names =
            body.split(',').map(|variant| variant.split('=').next().unwrap_or_default().trim().to_owned());
        let mut variants: Vec<String> = names.filter(|variant| !variant.is_empty()).collect();
        variants.sort_unstable();
        let are_names = variants.iter().all(|v| v.chars().all(|c| c.is_alphanumeric()));
        if variants.len() > 1 && are_names {
            found.push((name, variants));
        }
    }
    found
}
