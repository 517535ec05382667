//! Where versions of the assistant differ. Everything else in this folder holds for all of them.
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

/// The names under which the interactive server is installed, best first. It has not been renamed with the rest.
pub(super) const SERVERS: &[&str] = &["coqidetop.opt", "coqidetop"];
/// The names under which the compiler is installed, best first.
pub(super) const COMPILERS: &[&str] = &["coqc", "rocq"];

/// The names under which the kernel alone is installed, best first.
pub(super) const KERNELS: &[&str] = &["coqchk", "rocqchk"];

/// Options of the server. `Printing Goal Names` makes it say which metavariable a goal stands for.
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

/// The arguments that make a compiler say where its libraries are.
pub(super) fn where_args(compiler: &str) -> &'static [&'static str] {
    if compiler.ends_with("rocq") { &["compile", "-where"] } else { &["-where"] }
}

/// The arguments that make a compiler compile one file without user configuration and warnings, and without running the
/// compiler of OCaml: what would be computed by compiled programs is computed by the virtual machine.
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
