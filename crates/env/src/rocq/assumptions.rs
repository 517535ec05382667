//! What Rocq answers to `Print Assumptions`.

/// Something that a theorem rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Assumption {
    /// An axiom or a section variable, by its name as printed.
    Axiom(String),
    /// Something that was accepted with a check of the kernel switched off.
    Unchecked {
        /// Its name as printed.
        name: String,
        /// What Rocq says of it, for example `is assumed to be guarded.`
        how: String,
    },
}

impl Assumption {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Axiom(name) | Self::Unchecked { name, .. } => name,
        }
    }
}

/// The answers in an output, each as the list of what the theorem rests on. Section variables count: a theorem that
/// depends on them is not closed.
pub(super) fn read(stdout: &str) -> Vec<Vec<Assumption>> {
    let mut answers: Vec<Vec<Assumption>> = Vec::new();
    let mut in_section_variables = false;
    let mut listing = false;
    for line in stdout.lines() {
        match line {
            "Closed under the global context" => {
                answers.push(Vec::new());
                (listing, in_section_variables) = (false, false);
            }
            "Section Variables:" => {
                answers.push(Vec::new());
                (listing, in_section_variables) = (true, true);
            }
            "Axioms:" => {
                // After the section variables it goes on with the same answer.
                if !std::mem::take(&mut in_section_variables) {
                    answers.push(Vec::new());
                }
                listing = true;
            }
            _ if listing && !line.starts_with(char::is_whitespace) => {
                if let (Some(answer), Some(assumption)) = (answers.last_mut(), entry(line)) {
                    answer.push(assumption);
                }
            }
            _ => {}
        }
    }
    answers
}

/// A line that does not continue another: `name`, `name : type` or `name is assumed to …`.
fn entry(line: &str) -> Option<Assumption> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name = name.strip_suffix(':').unwrap_or(name).to_owned();
    if name.is_empty() {
        return None;
    }
    Some(match rest.trim() {
        "" => Assumption::Axiom(name),
        typed if typed.starts_with(':') || line.starts_with(&format!("{name}: ")) => Assumption::Axiom(name),
        how => Assumption::Unchecked { name, how: how.to_owned() },
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
    }
}
