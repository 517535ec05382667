//! The differences between versions of the assistant. Everything else in this folder applies to all of them.
//!
//! | version | protocol | difference |
//! | --- | --- | --- |
//! | 8.16 | 20220205 | the baseline: failed values carry `loc_s`, `loc_e` attributes |
//! | 8.18 | 20230413 | messages carry locations with lines |
//! | 8.20, 9.x | 20240517 | failed values carry an optional `<loc start= stop=>` element |
//!
//! The option `-native-compiler no` means the same in all of them.
//!
//! Read from the sources of tags V8.16.1 to V9.2.0; run with 8.16.1 and each branch from 8.18 to 9.2.

use super::xml::{Document, ElementId};
use andor_env::outline::Place;

/// The names of the interactive server, best first. It was not renamed with the other programs.
pub(super) const SERVERS: &[&str] = &["coqidetop.opt", "coqidetop"];
/// The names of the compiler, best first.
pub(super) const COMPILERS: &[&str] = &["coqc", "rocq"];

/// The names of the independent checker, best first.
pub(super) const KERNELS: &[&str] = &["coqchk", "rocqchk"];

/// Options of the server. `Printing Goal Names` makes it print the metavariable of each goal.
pub(super) const SERVER_ARGS: &[&str] = &[
    "-main-channel",
    "stdfds",
    "-q",
    "-w",
    "none",
    "--xml_format=Ppcmds",
    "-set",
    "Printing Goal Names",
    "-native-compiler",
    "no",
    "-async-proofs",
    "off",
    "-async-proofs-tactic-error-resilience",
    "off",
    "-async-proofs-command-error-resilience",
    "off",
];

/// Settings of OCaml's runtime system, for every program of Rocq. Without them each allocates a minor heap of 256 MB, and from
/// OCaml 5 on it reserves as much for each of 128 domains, of which Rocq uses one. OCaml 5 also lets a stack grow to 1 GiB, which
/// takes a tactic without an end a quarter of an hour; OCaml 4 has the 8 MiB of the operating system, this is 32 MiB.
pub(super) fn environment() -> Vec<(String, String)> {
    vec![("OCAMLRUNPARAM".to_owned(), "s=4M,d=1,l=4M".to_owned())]
}

/// An import of the standard library as a release wants it: since 9.0 the library is called `Stdlib`.
pub(super) fn import(line: &str, version: &str) -> String {
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    match line.strip_prefix("From Coq ") {
        Some(rest) if major.is_some_and(|major| major >= 9) => format!("From Stdlib {rest}"),
        _ => line.to_owned(),
    }
}

/// Environment variables with further folders in which modules are looked for.
pub(super) const SEARCH_PATHS: [&str; 2] = ["COQPATH", "ROCQPATH"];

/// The arguments with which a compiler prints the folder of its libraries.
pub(super) fn where_args(compiler: &str) -> &'static [&'static str] {
    if compiler.ends_with("rocq") { &["compile", "-where"] } else { &["-where"] }
}

/// The arguments for compiling one file without user configuration and warnings, and without running the
/// OCaml compiler: `native_compute` uses the virtual machine.
pub(super) fn compile_args(compiler: &str, file: &str) -> Vec<String> {
    let compile: &[&str] = if compiler.ends_with("rocq") { &["compile"] } else { &[] };
    compile
        .iter()
        .chain(&["-q", "-w", "none", "-native-compiler", "no", file])
        .map(|a| (*a).to_owned())
        .collect()
}

/// The error location of a failed value, as byte offsets into the sentence.
pub(super) fn error_range(document: &Document, value: ElementId) -> Option<(usize, usize)> {
    let number = |id, name| document.attribute(id, name)?.parse().ok();
    if let Some(start) = number(value, "loc_s") {
        return Some((start, number(value, "loc_e")?));
    }
    let mut options = document.children(value).filter(|&c| document.tag(c) == "option");
    let location = document.child(options.next()?, 0).ok()?;
    Some((number(location, "start")?, number(location, "stop")?))
}

/// The text of a message in feedback: its last element in every version.
pub(super) fn message_text(document: &Document, feedback_content: ElementId) -> Option<ElementId> {
    document.children(document.child(feedback_content, 0).ok()?).last()
}

/// The message of a failed value: its last element in every version.
pub(super) fn error_message(document: &Document, value: ElementId) -> Option<ElementId> {
    document.children(value).last()
}

/// A range of bytes of a line, as messages of the compiler name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineRange {
    /// The line, from 1.
    line: usize,
    /// The first byte, from 0.
    start: usize,
}

impl LineRange {
    /// Where the range begins in a text; `None` if the text does not have it.
    pub(super) fn place(self, text: &str) -> Option<Place> {
        let line = text.lines().nth(self.line.checked_sub(1)?)?;
        // Releases count bytes or, with some editors, characters.
        let before = line.get(..self.start).unwrap_or(line);
        Some(Place { line: self.line, column: before.chars().count() + 1 })
    }
}

/// A message of the compiler, and where its beginning says that it belongs: `line 2, characters 3-5:`.
pub(super) fn located(message: &str) -> (Option<LineRange>, &str) {
    let range = || {
        let (line, rest) = message.strip_prefix("line ")?.split_once(", character")?;
        let (range, rest) = rest.trim_start_matches('s').trim_start().split_once(':')?;
        let start = range.split('-').next()?;
        Some((LineRange { line: line.parse().ok()?, start: start.parse().ok()? }, rest.trim_start()))
    };
    range().map_or((None, message), |(range, rest)| (Some(range), rest))
}

#[cfg(test)]
mod tests {
    use super::{import, located};
    use andor_env::outline::Place;

    #[test]
    fn the_standard_library_has_the_name_of_the_release() {
        let lia = "From Coq Require Import Lia.";
        assert_eq!([import(lia, "8.16.1"), import(lia, "8.20.1")], [lia, lia]);
        assert_eq!([import(lia, "9.2"), import(lia, "10.0.1")], ["From Stdlib Require Import Lia."; 2]);
        assert_eq!(import("From Mine Require Import Lia.", "9.2"), "From Mine Require Import Lia.");
    }

    #[test]
    fn places_of_messages_are_counted_in_characters() {
        let (range, rest) = located("line 2, characters 5-7:\nError: no.");
        let range = range.unwrap();
        assert_eq!(rest, "Error: no.");
        assert_eq!(range.place("a\n\té xyz"), Some(Place { line: 2, column: 5 }));
        assert_eq!(range.place("a\n"), None);
        for message in ["Error: no.", "line x, characters 1-2: a", "line 2"] {
            assert_eq!(located(message), (None, message));
        }
    }
}
