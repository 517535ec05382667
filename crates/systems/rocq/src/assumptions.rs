//! Parses the output of `Print Assumptions` and `Print Opaque Dependencies`.
//!
//! With the options [`PLAIN`], each type takes one line. It follows the name of an axiom or a variable on the same line or,
//! indented or after a colon, on the next. After the name of an opaque constant it is on the same line in 8.16, and in
//! 8.20 to 9.2 on the next, which is not indented: only the colon at the end of the name's line tells it from an entry.

/// Options that print one line per entry with a shortened type, since only names matter.
pub(super) const PLAIN: &str = "Unset Printing All. Set Printing Depth 6. Set Printing Width 1000000.";

/// An assumption of a theorem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Assumption {
    /// An axiom or a section variable, by its name as printed.
    Axiom(String),
    /// A constant whose value is hidden, by its name as printed.
    Opaque(String),
    /// Something accepted with a kernel check disabled.
    Unchecked {
        /// Its name as printed.
        name: String,
        /// Rocq's description, such as `is assumed to be guarded.`
        how: String,
    },
}

impl Assumption {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Axiom(name) | Self::Opaque(name) | Self::Unchecked { name, .. } => name,
        }
    }
}

/// A part of an answer. The parts are printed in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Variables,
    Axioms,
    Opaque,
}

/// The answers in an output, each as a list of assumptions. Section variables count, since a theorem that depends on
/// them is not closed. An answer of opaque constants alone is taken as part of the one before.
pub(super) fn read(stdout: &str) -> Vec<Vec<Assumption>> {
    let mut answers: Vec<Vec<Assumption>> = Vec::new();
    let mut open: Option<Part> = None;
    let mut lines = stdout.lines();
    while let Some(line) = lines.next() {
        let part = match line {
            "Closed under the global context" => {
                answers.push(Vec::new());
                open = None;
                continue;
            }
            "Section Variables:" => Part::Variables,
            "Axioms:" => Part::Axioms,
            "Opaque constants:" => Part::Opaque,
            _ => {
                if let (Some(part), false, Some(answer)) =
                    (open, line.starts_with(char::is_whitespace), answers.last_mut())
                {
                    answer.extend(entry(line, part));
                    if part == Part::Opaque && line.ends_with(" :") {
                        lines.next();
                    }
                }
                continue;
            }
        };
        if open.is_none_or(|before| part <= before) {
            answers.push(Vec::new());
        }
        open = Some(part);
    }
    answers
}

/// A line that begins an entry: `name`, `name : type` or `name is assumed to …`.
fn entry(line: &str, part: Part) -> Option<Assumption> {
    // What follows an axiom of an empty type that is taken apart: `used in K to prove nat`.
    if part == Part::Axioms && line.starts_with("used in ") && line.contains(" to prove") {
        return None;
    }
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name = name.strip_suffix(':').unwrap_or(name).to_owned();
    if name.is_empty() {
        return None;
    }
    let rest = rest.trim();
    let is_typed = rest.is_empty() || rest.starts_with(':') || line.starts_with(&format!("{name}: "));
    Some(match part {
        // An elided entry could be anything.
        _ if name == "..." => Assumption::Unchecked { name, how: "is not shown".to_owned() },
        Part::Opaque if is_typed => Assumption::Opaque(name),
        Part::Variables | Part::Axioms if is_typed => Assumption::Axiom(name),
        _ => Assumption::Unchecked { name, how: rest.to_owned() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axiom(name: &str) -> Assumption {
        Assumption::Axiom(name.to_owned())
    }

    #[test]
    fn axioms_are_read() {
        let stdout = "     = 3\n     : nat\nClosed under the global context\nAxioms:\nother : A\nAxioms:\nclassic : forall P : Prop,\n          P \\/ ~ P\nprop_ext : A\nSection Variables:\nk\n  : nat\nAxioms:\nbad : False\n";
        let expected = [
            vec![],
            vec![axiom("other")],
            vec![axiom("classic"), axiom("prop_ext")],
            vec![axiom("k"), axiom("bad")],
        ];
        assert_eq!(read(stdout), expected);
        assert_eq!(read("Axioms:\nConstant : False\n"), [[axiom("Constant")]]);
    }

    #[test]
    fn opaque_constants_are_read() {
        let stdout = "Axioms:\nA.g : A.f = 0 -> nat\nOpaque constants:\nA.n : nat\nAxioms:\nA.f : nat\n";
        let expected = [vec![axiom("A.g"), Assumption::Opaque("A.n".to_owned())], vec![axiom("A.f")]];
        assert_eq!(read(stdout), expected);
    }

    #[test]
    fn types_on_lines_of_their_own_are_no_entries() {
        let opaque = |name: &str| Assumption::Opaque(name.to_owned());
        let stdout = "Axioms:\nadm : 1 = 1\nOpaque constants:\nA.op :\nforall ..., ... -> ...\nA.b :\nnat\nA.c : nat\n";
        assert_eq!(read(stdout), [[axiom("adm"), opaque("A.op"), opaque("A.b"), opaque("A.c")]]);
        assert_eq!(
            read("Section Variables:\nv\n: nat\nOpaque constants:\nvv :\nv = v\n"),
            [[axiom("v"), opaque("vv")]]
        );
    }

    #[test]
    fn the_answers_of_each_release_are_read_alike() {
        let opaque = |name: &str| Assumption::Opaque(name.to_owned());
        let unguarded =
            Assumption::Unchecked { name: "loop".to_owned(), how: "is assumed to be guarded.".to_owned() };
        let expected = [
            vec![axiom("long"), opaque("opaque")],
            vec![],
            vec![axiom("v"), opaque("of_section")],
            vec![unguarded, opaque("wrong")],
        ];
        for text in [
            include_str!("../tests/data/answers/8.16.1/assumptions.txt"),
            include_str!("../tests/data/answers/8.20.1/assumptions.txt"),
            include_str!("../tests/data/answers/9.2.0/assumptions.txt"),
        ] {
            assert_eq!(read(text), expected);
        }
    }

    #[test]
    fn what_an_empty_type_is_used_for_is_no_axiom() {
        let stdout = "Axioms:\nabsurd : False\nused in K to prove\n nat\nused : nat\n";
        assert_eq!(read(stdout), [[axiom("absurd"), axiom("used")]]);
    }

    #[test]
    fn what_was_not_checked_is_no_axiom() {
        let stdout =
            "Axioms:\nS.loop is assumed to be guarded.\nS.ty relies on an unsafe hierarchy.\nS.a : T\n";
        let unchecked =
            |name: &str, how: &str| Assumption::Unchecked { name: name.to_owned(), how: how.to_owned() };
        let expected = [
            unchecked("S.loop", "is assumed to be guarded."),
            unchecked("S.ty", "relies on an unsafe hierarchy."),
            axiom("S.a"),
        ];
        assert_eq!(read(stdout), [expected]);
        assert!(matches!(read("Axioms:\n...\n")[0][..], [Assumption::Unchecked { .. }]));
    }
}
