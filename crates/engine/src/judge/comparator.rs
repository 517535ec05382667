//! Configurations of [comparator](https://github.com/leanprover/comparator), the judge of Lean's toolchain, which Rocq's
//! comparator shares: which module states theorems, which proves them, and by which axioms.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_env::source::{ExternalKernel, all};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What a configuration asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The file that states the theorems.
    pub challenge: PathBuf,
    /// The file that proves them.
    pub solution: PathBuf,
    /// The theorems; at least one.
    pub theorems: Vec<String>,
    /// The only axioms that the proofs may depend on.
    pub permitted_axioms: Vec<String>,
    /// The kernels that must accept the proofs, too, each with its program.
    pub kernels: Vec<(&'static str, String)>,
}

/// Why a configuration cannot be followed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComparatorError {
    /// The file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no configuration.
    #[error("{}: no configuration of comparator: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The parser's message.
        source: serde_json::Error,
    },
    /// It names no theorem.
    #[error("{}: `theorem_names` is empty", .0.display())]
    NoTheorem(PathBuf),
    /// What it names as a module is none.
    #[error("{}: `{module}` is no name of a module; write its parts with dots, or the name of its file", path.display())]
    NoModule {
        /// The configuration.
        path: PathBuf,
        /// What stands there.
        module: String,
    },
    /// A module has no source.
    #[error("{}: there is no source of the module `{module}`; looked for {}", path.display(), looked_for(tried))]
    NoSource {
        /// The configuration.
        path: PathBuf,
        /// The module.
        module: String,
        /// Where its source could be.
        tried: Vec<PathBuf>,
    },
    /// A module has several sources.
    #[error("{}: the module `{module}` has several sources: {}; remove all but one", path.display(), looked_for(found))]
    SeveralSources {
        /// The configuration.
        path: PathBuf,
        /// The module.
        module: String,
        /// The sources.
        found: Vec<PathBuf>,
    },
    /// It asks for more than we do, which an acceptance would hide.
    #[error("{}: {what}", path.display())]
    Unsupported {
        /// The configuration.
        path: PathBuf,
        /// What is asked for, and what to do.
        what: String,
    },
}

fn looked_for(tried: &[PathBuf]) -> String {
    tried.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The file as it is written: an object, while an array would be read by the order of the fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(alias = "challenge")]
    challenge_module: String,
    #[serde(alias = "solution")]
    solution_module: String,
    theorem_names: Vec<String>,
    #[serde(default)]
    definition_names: Vec<String>,
    #[serde(default)]
    permitted_axioms: Vec<String>,
    #[serde(default)]
    external_kernels: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    enable_nanoda: bool,
    /// We use the kernel in any case.
    #[serde(default, rename = "lean_kernel")]
    _lean_kernel: Option<bool>,
    #[serde(default, rename = "rocqchk")]
    _rocqchk: Option<bool>,
    /// Where its report goes; ours goes to standard output.
    #[serde(default, rename = "json_output_path")]
    _json_output_path: Option<String>,
}

/// Reads a configuration. The sources of modules are looked for in the working directory, and then beside it.
///
/// # Errors
///
/// It cannot be read, names no theorem or a module without a source, or asks for what we do not do.
pub fn read(path: &Path) -> Result<Task, ComparatorError> {
    let malformed = |source| ComparatorError::Malformed { path: path.to_owned(), source };
    let text = input::text(path)?;
    let _: Map<String, Value> = serde_json::from_str(&text).map_err(malformed)?;
    // From the text, so that a key that is given twice is an error.
    let written: Written = serde_json::from_str(&text).map_err(malformed)?;
    let unsupported = |what: String| Err(ComparatorError::Unsupported { path: path.to_owned(), what });
    if let Some(name) = written.definition_names.first() {
        return unsupported(format!(
            "`definition_names` leaves the value of `{name}` to the solution; andor compares values, and leaves none open"
        ));
    }
    let mut commands = written.external_kernels;
    if written.enable_nanoda && !commands.is_empty() {
        return unsupported(
            "`enable_nanoda` cannot be combined with `external_kernels`; list nanoda there".to_owned(),
        );
    }
    if written.enable_nanoda {
        commands.insert("nanoda".to_owned(), vec!["nanoda_bin".to_owned()]);
    }
    let mut kernels = Vec::new();
    for (name, command) in commands {
        let Some(known) = started_by(&command) else {
            return unsupported(format!(
                "`external_kernels`: andor does not know how `{}` is asked, which is to be the kernel `{name}`; it knows {}",
                command.join(" "),
                programs()
            ));
        };
        kernels.push((known, command[0].clone()));
    }
    if written.theorem_names.is_empty() {
        return Err(ComparatorError::NoTheorem(path.to_owned()));
    }
    let challenge = source(path, written.challenge_module)?;
    let solution = source(path, written.solution_module)?;
    if challenge.extension() != solution.extension() {
        let (challenge, solution) = (challenge.display(), solution.display());
        return unsupported(format!("`{challenge}` and `{solution}` are files of different provers"));
    }
    if !kernels.is_empty() && solution.extension().is_none_or(|extension| extension != "lean") {
        return unsupported("`external_kernels` and `enable_nanoda` are for Lean 4".to_owned());
    }
    Ok(Task {
        challenge,
        solution,
        theorems: written.theorem_names,
        permitted_axioms: written.permitted_axioms,
        kernels,
    })
}

/// The source of a module, which may be named by its file.
fn source(configuration: &Path, module: String) -> Result<PathBuf, ComparatorError> {
    let is_file = [".lean", ".v"].iter().any(|extension| module.ends_with(extension));
    let parts: Vec<&str> = module.split('.').collect();
    let names = if is_file {
        vec![module.clone()]
    } else if parts.iter().any(|part| part.is_empty() || part.contains('/')) {
        return Err(ComparatorError::NoModule { path: configuration.to_owned(), module });
    } else {
        [".lean", ".v"].map(|extension| parts.join("/") + extension).into()
    };
    let mut folders = vec![Path::new("")];
    folders.extend(configuration.parent().filter(|beside| !beside.as_os_str().is_empty()));
    let places = |folder: &&Path| names.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
    let of_folder = |folder: &&Path| places(folder).into_iter().find(|path| path.exists());
    let mut found: Vec<PathBuf> = folders.iter().filter_map(of_folder).collect();
    found.dedup_by_key(|path| std::fs::canonicalize(path).ok());
    let path = configuration.to_owned();
    match &found[..] {
        [] => {
            Err(ComparatorError::NoSource { path, module, tried: folders.iter().flat_map(places).collect() })
        }
        [found] => Ok(found.clone()),
        // Who sends a solution must not choose what it is compared with.
        _ => Err(ComparatorError::SeveralSources { path, module, found }),
    }
}

/// The kernel that a command starts, if it is one that a system knows to ask.
fn started_by(command: &[String]) -> Option<&'static str> {
    let (program, args) = command.split_first()?;
    let program = Path::new(program).file_name()?;
    let is_it = |kernel: &ExternalKernel| program == kernel.program && kernel.args == args;
    external_kernels().find(is_it).map(|kernel| kernel.name)
}

/// The programs of all kernels that can be asked, for messages.
fn programs() -> String {
    external_kernels().map(|kernel| format!("`{}`", kernel.program)).collect::<Vec<_>>().join(", ")
}

fn external_kernels() -> impl Iterator<Item = ExternalKernel> {
    all().into_iter().flat_map(|reader| reader.kernels())
}

#[cfg(test)]
mod tests {
    use andor_system_lean as _;

    use super::*;

    #[test]
    fn a_command_of_comparator_names_a_kernel() {
        let of =
            |command: &[&str]| started_by(&command.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["nanoda_bin"]), Some("nanoda"));
        assert_eq!(of(&["/opt/lean/bin/lean4lean", "--import"]), Some("lean4lean"));
        for none in [&[][..], &["lean4lean"], &["nanoda_bin", "--quiet"], &["sh", "-c"], &["true"]] {
            assert_eq!(of(none), None, "{none:?}");
        }
    }

    fn of(text: &str) -> Result<Task, ComparatorError> {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
        fs_err::create_dir(folder.path().join("A")).unwrap();
        write("A/Challenge.lean", "");
        write("Solution.lean", "");
        write("Solution.v", "");
        write("config.json", text);
        let task = read(&folder.path().join("config.json"))?;
        let relative = |path: PathBuf| path.strip_prefix(folder.path()).unwrap().to_owned();
        Ok(Task { challenge: relative(task.challenge), solution: relative(task.solution), ..task })
    }

    #[test]
    fn a_configuration_is_read() {
        let task = of(r#"{"challenge_module": "A.Challenge", "solution_module": "Solution",
            "theorem_names": ["a", "N.b"], "permitted_axioms": ["propext"], "enable_nanoda": false,
            "lean_kernel": true}"#);
        let task = task.unwrap();
        assert_eq!((task.challenge, task.solution), ("A/Challenge.lean".into(), "Solution.lean".into()));
        assert_eq!((task.theorems.len(), task.permitted_axioms), (2, vec!["propext".to_owned()]));
        assert!(task.kernels.is_empty());
        let asks = |further: &str| {
            let text = format!(
                "{{\"challenge\": \"A.Challenge\", \"solution\": \"Solution\", \"theorem_names\": [\"a\"], {further}}}"
            );
            of(&text).unwrap().kernels
        };
        assert_eq!(asks("\"enable_nanoda\": true"), [("nanoda", "nanoda_bin".to_owned())]);
        let command = "\"external_kernels\": {\"l4l\": [\"/opt/lean4lean\", \"--import\"]}";
        assert_eq!(asks(command), [("lean4lean", "/opt/lean4lean".to_owned())]);
        let rocq = of(r#"{"challenge": "Solution.v", "solution": "Solution.v", "theorem_names": ["a"]}"#);
        assert_eq!(rocq.unwrap().solution, Path::new("Solution.v"));
    }

    #[test]
    fn what_is_not_done_is_refused() {
        let with = |further: &str, names: &str| {
            let text = format!(
                "{{\"challenge_module\": \"A.Challenge\", \"solution_module\": \"Solution\", \"theorem_names\": {names}{further}}}"
            );
            of(&text).unwrap_err().to_string()
        };
        for (further, names, said) in [
            ("", "[]", "`theorem_names` is empty"),
            (", \"definition_names\": [\"d\"]", "[\"a\"]", "leaves the value of `d`"),
            (
                ", \"external_kernels\": {\"mine\": [\"my-kernel\", \"-q\"]}",
                "[\"a\"]",
                "how `my-kernel -q` is asked",
            ),
            (", \"external_kernels\": {\"none\": []}", "[\"a\"]", "the kernel `none`"),
            (
                ", \"enable_nanoda\": true, \"external_kernels\": {\"lean4lean\": [\"lean4lean\", \"--import\"]}",
                "[\"a\"]",
                "cannot be combined",
            ),
            (", \"claim\": \"disproof\"", "[\"a\"]", "unknown field `claim`"),
        ] {
            assert!(with(further, names).contains(said), "{}", with(further, names));
        }
        for (challenge, said) in [
            ("../Challenge", "no name of a module"),
            (".A.Challenge", "no name of a module"),
            ("Solution.v", "different provers"),
        ] {
            let text = format!(
                "{{\"challenge_module\": \"{challenge}\", \"solution_module\": \"Solution\", \"theorem_names\": [\"a\"]}}"
            );
            let message = of(&text).unwrap_err().to_string();
            assert!(message.contains(said), "{message}");
        }
        assert!(of(r#"["A.Challenge", "Solution", ["a"]]"#).is_err());
        for twice in [r#""theorem_names": ["b"]"#, r#""challenge": "A.Challenge""#] {
            let message = with(&format!(", {twice}"), r#"["a"]"#);
            assert!(message.contains("duplicate field"), "{message}");
        }
        let absent =
            of(r#"{"challenge_module": "No", "solution_module": "Solution", "theorem_names": ["a"]}"#);
        let absent = absent.unwrap_err().to_string();
        assert!(absent.contains("module `No`") && absent.contains("No.v"), "{absent}");
    }
}
