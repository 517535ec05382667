//! Interprets the compiler options of a project. Options that set something before a file begins are translated to
//! equivalent sentences before its text; options that only control how to compile are ignored.

use std::path::Path;

use crate::axioms::is_name;
use crate::commands::forbidden_commands;

use super::ProjectError;

/// Options that change the kernel or the prelude.
pub(super) const OTHER_THEORY: [&str; 6] =
    ["-impredicative-set", "-type-in-type", "-indices-matter", "-noinit", "-nois", "-allow-rewrite-rules"];

/// Options that only control how to compile, with the number of their arguments. Options that begin with
/// `-async-proofs` have the same role, with one argument each.
const WITHOUT_EFFECT: [(&str, usize); 23] = [
    ("-w", 1),
    ("-W", 1),
    ("-native-compiler", 1),
    ("-native-output-dir", 1),
    ("-nI", 1),
    ("-bytecode-compiler", 1),
    ("-color", 1),
    ("-diffs", 1),
    ("-dump-glob", 1),
    ("-exclude-dir", 1),
    ("-no-glob", 0),
    ("-noglob", 0),
    ("-q", 0),
    ("-quiet", 0),
    ("-silent", 0),
    ("-bt", 0),
    ("-m", 0),
    ("--memory", 0),
    ("-emacs", 0),
    ("-profile-ltac", 0),
    ("-time", 0),
    ("-allow-sprop", 0),
    (":standard", 0),
];

/// Options that require a library, with the words of the equivalent sentence, and whether it begins with `From`.
const REQUIRES: [(&str, &str, bool); 9] = [
    ("-ri", "Require Import", false),
    ("-require-import", "Require Import", false),
    ("-re", "Require Export", false),
    ("-require-export", "Require Export", false),
    ("-rfrom", "Require", true),
    ("-rifrom", "Require Import", true),
    ("-require-import-from", "Require Import", true),
    ("-refrom", "Require Export", true),
    ("-require-export-from", "Require Export", true),
];

/// The interpretation of a project's options.
#[derive(Debug, Default)]
pub(super) struct Meaning {
    /// Equivalent sentences, all on one line so that the file keeps its line numbers, each followed by a blank.
    pub(super) prelude: String,
    /// Ignored options that may matter.
    pub(super) left_out: Vec<String>,
}

/// Interprets the options of a project.
///
/// # Errors
///
/// An option changes the theory, is unknown, or sets what no file may set. The error names it.
pub(super) fn meaning(file: &Path, options: &[String]) -> Result<Meaning, ProjectError> {
    let mut meaning = Meaning::default();
    let mut words = options.iter().map(String::as_str);
    while let Some(option) = words.next() {
        if OTHER_THEORY.contains(&option) {
            return Err(ProjectError::OtherTheory { path: file.to_owned(), option: option.to_owned() });
        }
        let refused = |option: &str, why: &str| {
            let (option, why) = (option.to_owned(), why.to_owned());
            Err(ProjectError::Option { path: file.to_owned(), option, why })
        };
        let n_words = WITHOUT_EFFECT.iter().find(|(known, _)| *known == option).map(|(_, n)| *n);
        if let Some(n) = n_words.or(option.starts_with("-async-proofs").then_some(1)) {
            words.by_ref().take(n).for_each(drop);
        } else if matches!(option, "-I" | "-include") {
            // Folders of plugins, which files load by name.
            meaning.left_out.extend([option, words.next().unwrap_or_default()].map(str::to_owned));
        } else if let Some((_, command, from)) = REQUIRES.iter().find(|(known, ..)| *known == option) {
            let root = if *from { words.next() } else { None };
            let library = words.next().unwrap_or_default();
            let shown =
                [Some(option), root, Some(library)].into_iter().flatten().collect::<Vec<_>>().join(" ");
            if !root.into_iter().chain([library]).all(is_name) {
                return refused(&shown, "which does not name a library");
            }
            let from = root.map_or(String::new(), |root| format!("From {root} "));
            meaning.prelude += &format!("{from}{command} {library}. ");
        } else if matches!(option, "-set" | "-unset") {
            let setting = words.next().unwrap_or_default();
            let sentence = sentence(option == "-set", setting);
            if let Err(refusal) = forbidden_commands(&sentence) {
                return refused(&format!("{option} {setting}"), &format!("which is not allowed: {refusal}"));
            }
            meaning.prelude += &format!("{sentence} ");
        } else if option.starts_with('-') {
            return refused(option, "an option that andor does not support");
        } else {
            meaning.left_out.push(option.to_owned());
        }
    }
    Ok(meaning)
}

/// The sentence equivalent to `-set NAME`, `-set NAME=VALUE` or `-unset NAME`.
fn sentence(on: bool, setting: &str) -> String {
    match setting.split_once('=').filter(|_| on) {
        None if on => format!("Set {setting}."),
        None => format!("Unset {setting}."),
        Some((name, "true")) => format!("Set {name}."),
        Some((name, "false")) => format!("Unset {name}."),
        Some((name, number)) if number.parse::<u32>().is_ok() => format!("Set {name} {number}."),
        Some((name, text)) => format!("Set {name} \"{}\".", text.replace('"', "\"\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &str) -> Result<Meaning, String> {
        let words: Vec<String> = words.split('|').map(str::to_owned).collect();
        meaning(Path::new("/p/_CoqProject"), &words).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_set_before_a_file_stands_before_it() {
        let meant = of(
            "-w|all|-set|Asymmetric Patterns|-unset|Primitive Projections|-set|Universe Polymorphism=true|-set|\
             Printing Width=60|-set|Default Goal Selector=!|-ri|Lia|-rfrom|Coq|ZArith|-async-proofs-j|2|-q",
        );
        let meant = meant.unwrap();
        assert_eq!(
            meant.prelude,
            "Set Asymmetric Patterns. Unset Primitive Projections. Set Universe Polymorphism. Set Printing Width 60. \
             Set Default Goal Selector \"!\". Require Import Lia. From Coq Require ZArith. "
        );
        assert_eq!(meant.left_out, Vec::<String>::new());
        assert_eq!(of("-I|src|%{x}").unwrap().left_out, ["-I", "src", "%{x}"]);
    }

    #[test]
    fn what_is_not_safe_is_refused_by_name() {
        for (words, named) in [
            ("-unset|Guard Checking", "`-unset Guard Checking`, which is not allowed: "),
            ("-set|NativeCompute Profiling", "`-set NativeCompute Profiling`, which is not allowed: "),
            ("-set|A=B", "`-set A=B`, which is not allowed: "),
            ("-set|Printing All. Load \"x\"", "`-set Printing All. Load \"x\"`, which is not allowed: "),
            ("-load-vernac-source|x", "`-load-vernac-source`, an option that andor does not support"),
            ("-ri|Lia. Load x", "`-ri Lia. Load x`, which does not name a library"),
            ("-rfrom|Coq", "`-rfrom Coq `, which does not name a library"),
            ("-top|X", "`-top`, an option that andor does not support"),
        ] {
            let error = of(words).unwrap_err();
            assert!(error.contains(named) && error.starts_with("/p/_CoqProject: "), "{error}");
        }
    }
}
