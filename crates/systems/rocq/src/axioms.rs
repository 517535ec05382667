//! The axioms of Rocq's standard library, and the resolution of printed names.

use std::collections::{BTreeSet, HashMap};

use super::challenge::{MODULE as CHALLENGE, unknown_axiom};
use andor_audit::vo::standard;
use andor_env::checking::refused_challenge;
use andor_env::error::EnvError;

/// Named sets of axioms.
pub const SETS: &[(&str, &[&str])] = &[
    (
        "reals",
        &[
            "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
            "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
            "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
        ],
    ),
    ("classical", &["Coq.Logic.Classical_Prop.classic"]),
    ("funext", &["Coq.Logic.FunctionalExtensionality.functional_extensionality_dep"]),
    ("propext", &["Coq.Logic.PropExtensionality.propositional_extensionality"]),
    ("proof-irrelevance", &["Coq.Logic.ProofIrrelevance.proof_irrelevance"]),
    (
        "choice",
        &[
            "Coq.Logic.ClassicalEpsilon.constructive_indefinite_description",
            "Coq.Logic.IndefiniteDescription.constructive_indefinite_description",
        ],
    ),
    ("eq-rect-eq", &["Coq.Logic.Eqdep.Eq_rect_eq.eq_rect_eq"]),
    // Excludes the library's axioms about them: `asr_spec` is false (rocq#22462).
    (
        "primitives",
        &[
            "Coq.Numbers.Cyclic.Int63.PrimInt63.int",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.lsl",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.lsr",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.land",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.lor",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.lxor",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.asr",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.add",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.sub",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.mul",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.mulc",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.div",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.mod",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.divs",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.mods",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.eqb",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.ltb",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.leb",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.ltsb",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.lesb",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.addc",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.addcarryc",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.subc",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.subcarryc",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.diveucl",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.diveucl_21",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.addmuldiv",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.compare",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.compares",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.head0",
            "Coq.Numbers.Cyclic.Int63.PrimInt63.tail0",
            "Coq.Floats.PrimFloat.float",
            "Coq.Floats.PrimFloat.classify",
            "Coq.Floats.PrimFloat.abs",
            "Coq.Floats.PrimFloat.sqrt",
            "Coq.Floats.PrimFloat.opp",
            "Coq.Floats.PrimFloat.eqb",
            "Coq.Floats.PrimFloat.ltb",
            "Coq.Floats.PrimFloat.leb",
            "Coq.Floats.PrimFloat.compare",
            "Coq.Floats.PrimFloat.Leibniz.eqb",
            "Coq.Floats.PrimFloat.mul",
            "Coq.Floats.PrimFloat.add",
            "Coq.Floats.PrimFloat.sub",
            "Coq.Floats.PrimFloat.div",
            "Coq.Floats.PrimFloat.of_uint63",
            "Coq.Floats.PrimFloat.normfr_mantissa",
            "Coq.Floats.PrimFloat.frshiftexp",
            "Coq.Floats.PrimFloat.ldshiftexp",
            "Coq.Floats.PrimFloat.next_up",
            "Coq.Floats.PrimFloat.next_down",
            "Coq.Array.PArray.array",
            "Coq.Array.PArray.make",
            "Coq.Array.PArray.get",
            "Coq.Array.PArray.default",
            "Coq.Array.PArray.set",
            "Coq.Array.PArray.length",
            "Coq.Array.PArray.copy",
            "Coq.Array.PArray.max_length",
            // Arrays are here since 9.0, and strings since 8.20.
            "Coq.Array.PrimArray.array",
            "Coq.Array.PrimArray.make",
            "Coq.Array.PrimArray.get",
            "Coq.Array.PrimArray.default",
            "Coq.Array.PrimArray.set",
            "Coq.Array.PrimArray.length",
            "Coq.Array.PrimArray.copy",
            "Coq.Array.PrimArray.max_length",
            "Coq.Strings.PrimString.string",
            "Coq.Strings.PrimString.max_length",
            "Coq.Strings.PrimString.make",
            "Coq.Strings.PrimString.length",
            "Coq.Strings.PrimString.get",
            "Coq.Strings.PrimString.sub",
            "Coq.Strings.PrimString.cat",
            "Coq.Strings.PrimString.compare",
        ],
    ),
];

/// Keywords, which are not identifiers (Coq's reference manual, "Keywords").
const KEYWORDS: &[&str] = &[
    "_",
    "Axiom",
    "CoFixpoint",
    "Definition",
    "Fixpoint",
    "Hypothesis",
    "Parameter",
    "Prop",
    "SProp",
    "Set",
    "Theorem",
    "Type",
    "Variable",
    "as",
    "at",
    "cofix",
    "else",
    "end",
    "fix",
    "for",
    "forall",
    "fun",
    "if",
    "in",
    "let",
    "match",
    "return",
    "then",
    "where",
    "with",
];

/// Whether a text can be the name of an axiom: identifiers separated by periods.
pub fn is_name(text: &str) -> bool {
    let is_identifier = |part: &str| {
        !KEYWORDS.contains(&part)
            && part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\''))
    };
    text.split('.').all(is_identifier)
}

/// The [`SETS`] of which some full names have an axiom that is in no other set: who uses it uses what the set is for.
pub(super) fn begun_sets(names: &BTreeSet<String>) -> impl Iterator<Item = String> + use<> {
    let names: BTreeSet<&str> = names.iter().filter_map(|name| standard(name)).collect();
    let is_in_one = |axiom: &str| SETS.iter().filter(|(_, axioms)| axioms.contains(&axiom)).count() == 1;
    let is_own =
        |axiom: &&str| is_in_one(axiom) && standard(axiom).is_some_and(|axiom| names.contains(axiom));
    let begun: Vec<&[&str]> =
        SETS.iter().map(|(_, axioms)| *axioms).filter(|axioms| axioms.iter().any(is_own)).collect();
    begun.into_iter().flatten().map(|axiom| (*axiom).to_owned())
}

/// Whether one of the [`SETS`] has an axiom, given its full name in any release.
fn is_in_set(full: &str) -> bool {
    SETS.iter().any(|(_, axioms)| axioms.iter().any(|axiom| standard(axiom) == standard(full)))
}

/// The names that a declaration of the installation has in any release; none for others.
pub(super) fn of_installation(name: &str) -> Vec<String> {
    let roots = ["Coq", "Corelib", "Stdlib"];
    standard(name).map_or(Vec::new(), |rest| roots.map(|root| format!("{root}.{rest}")).into())
}

/// The allowed axioms.
///
/// The compiler prints the shortest name that is unambiguous at the end of the file, and the file may define an axiom
/// with the same short name. Therefore every printed name is located, and its full name is checked.
#[derive(Clone, Debug)]
pub(super) struct Allowed<'a> {
    names: &'a [String],
    /// The full names of axioms of libraries that the statement depends on.
    of_statement: &'a BTreeSet<String>,
    /// The module name of the checked file.
    module: &'a str,
}

/// Why an axiom is allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Allowance {
    /// The user names it.
    Named,
    /// The statement depends on it.
    OfStatement,
}

impl<'a> Allowed<'a> {
    pub(super) fn new(names: &'a [String], of_statement: &'a BTreeSet<String>, module: &'a str) -> Self {
        Self { names, of_statement, module }
    }

    /// Commands whose output [`Located::read`] parses.
    pub(super) fn questions(&self) -> String {
        locate(self.names.iter().chain(self.of_statement))
    }

    /// Why a printed axiom is allowed, if it is: everything that the name may refer to must be.
    pub(super) fn allowance(&self, printed: &str, located: &Located) -> Option<Allowance> {
        let candidates = located.0.get(printed)?;
        let allowances: Option<Vec<_>> = candidates.iter().map(|full| self.allows(full)).collect();
        allowances?.into_iter().max()
    }

    /// The same for an axiom with a full name.
    pub(super) fn allows(&self, full: &str) -> Option<Allowance> {
        let is_named = self.names.iter().any(|name| self.means(name, full));
        let is_it =
            |name: &String| name == full || standard(name).is_some_and(|name| standard(full) == Some(name));
        let is_of_statement = || self.of_statement.iter().any(is_it).then_some(Allowance::OfStatement);
        is_named.then_some(Allowance::Named).or_else(is_of_statement)
    }

    /// Whether the user names an axiom that the checked file declares.
    pub(super) fn names(&self, own: &str) -> bool {
        self.names.iter().any(|name| name == own)
    }

    /// Refuses theorems if a name that the user gives is that of no constant, or may mean several.
    pub(super) fn all_known(&self, theorems: &[String], located: &Located) -> Result<(), EnvError> {
        let id = theorems.join(", ");
        let refused = refused_challenge(&id);
        if let Some(name) = self.unknown(located) {
            return Err(refused(unknown_axiom(name)));
        }
        for name in self.names.iter().filter(|name| standard(name).is_none()) {
            // The challenge's counterpart of what the submission declares is the same for this purpose.
            let own = |full: &str| full.starts_with(&format!("{CHALLENGE}."));
            // Nobody means a lemma of the standard library.
            let is_lemma = |full: &str| standard(full).is_some_and(|_| !is_in_set(full));
            let meant: BTreeSet<&str> = located
                .constants()
                .map(String::as_str)
                .filter(|full| !own(full) && !is_lemma(full) && self.means(name, full))
                .collect();
            if meant.len() > 1 {
                let meant: Vec<&str> = meant.into_iter().collect();
                let message = format!(
                    "an axiom `{name}` is allowed, which may be {}: give its full name",
                    meant.join(" or ")
                );
                return Err(refused(message));
            }
        }
        Ok(())
    }

    /// The first of the short names that no constant has. A qualified one may be of a library that this file does not load.
    pub(super) fn unknown(&self, located: &Located) -> Option<&'a str> {
        let is_known = |name: &str| located.constants().any(|full| self.means(name, full));
        self.names.iter().map(String::as_str).find(|name| !name.contains('.') && !is_known(name))
    }

    /// Whether an allowed name refers to a constant. Names of the standard library are full names; others may be a
    /// suffix of a full name, or name a constant of the file itself.
    fn means(&self, name: &str, full: &str) -> bool {
        match (standard(name), full.strip_prefix(self.module).and_then(|rest| rest.strip_prefix('.'))) {
            (Some(name), None) => standard(full) == Some(name),
            (Some(_), Some(_)) => false,
            (None, Some(own)) => own == name,
            (None, None) => full == name || full.ends_with(&format!(".{name}")),
        }
    }
}

/// The full names of constants, by printed name.
#[derive(Clone, Debug, Default)]
pub(super) struct Located(HashMap<String, BTreeSet<String>>);

impl Located {
    /// Parses the output of `Locate Term`. Lines printed by the file itself can only add candidates to a name, which
    /// makes it less acceptable: the short name must be a suffix of the full one, and the true answer is among the
    /// lines, since it was requested.
    pub(super) fn read(stdout: &str) -> Self {
        let mut located = Self::default();
        let mut lines = stdout.lines().peekable();
        while let Some(line) = lines.next() {
            let answer = match line.strip_prefix("Constant") {
                // A long name is on a line of its own.
                Some("") => lines.next_if(|next| next.starts_with(' ')).map(str::trim_start),
                Some(rest) => rest.strip_prefix(' '),
                None => None,
            };
            let Some(answer) = answer else { continue };
            let (full, beside) = answer.split_once(' ').unwrap_or((answer, ""));
            // The remark is on the same line if it fits.
            let remark = if beside.is_empty() { lines.peek().copied().unwrap_or_default() } else { beside };
            let shorter = remark
                .trim_start()
                .strip_prefix("(shorter name to refer to it in current context is ")
                .and_then(|rest| rest.strip_suffix(')'));
            let name = shorter.unwrap_or_else(|| base(full));
            if base(name) != base(full) {
                continue;
            }
            located.0.entry(name.to_owned()).or_default().insert(full.to_owned());
        }
        located
    }

    /// The full names of the constants with a printed name.
    pub(super) fn named(&self, printed: &str) -> Option<&BTreeSet<String>> {
        self.0.get(printed)
    }

    /// Whether there is a constant with this full name.
    pub(super) fn knows(&self, full: &str) -> bool {
        self.constants().any(|constant| constant == full)
    }

    /// The full names of all constants.
    fn constants(&self) -> impl Iterator<Item = &String> {
        self.0.values().flatten()
    }
}

/// Commands that tell the full names of constants, for [`Located::read`].
pub(super) fn locate<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let bases: BTreeSet<&str> = names.map(|name| base(name)).collect();
    bases.into_iter().map(|base| format!("Locate Term {base}.\n")).collect()
}

/// The smallest set that contains an axiom, given its printed name, for a hint.
pub(super) fn set_of(printed: &str) -> Option<&'static str> {
    let holds = |axioms: &[&str]| axioms.iter().any(|a| a.ends_with(&format!(".{printed}")));
    let sets = SETS.iter().filter(|(_, axioms)| holds(axioms));
    sets.min_by_key(|(_, axioms)| axioms.len()).map(|(name, _)| *name)
}

fn base(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWERS: &str = "Constant here.classic\n\
        Constant here.Classical_Prop.classic\n  \
          (shorter name to refer to it in current context is Classical_Prop.classic)\n\
        Constant Coq.Logic.Classical_Prop.classic\n  \
          (shorter name to refer to it in current context is Logic.Classical_Prop.classic)\n\
        Constant here.mine\nNo term of basename other\n";

    fn allows(names: &[String], printed: &str, located: &Located) -> bool {
        Allowed::new(names, &BTreeSet::new(), "here").allowance(printed, located).is_some()
    }

    #[test]
    fn only_what_the_name_stands_for_counts() {
        let located = Located::read(ANSWERS);
        let has = |names: &[&str], printed: &str| {
            let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
            Allowed::new(&names, &BTreeSet::new(), "here").allowance(printed, &located).is_some()
        };
        let of_statement = |name: &str, printed: &str| {
            Allowed::new(&[], &[name.to_owned()].into(), "here").allowance(printed, &located)
        };
        let library = "Coq.Logic.Classical_Prop.classic";
        assert!(has(&[library], "Logic.Classical_Prop.classic"));
        assert!(has(&["Stdlib.Logic.Classical_Prop.classic"], "Logic.Classical_Prop.classic"));
        assert!(!has(&[library], "classic"));
        assert!(!has(&[library], "Classical_Prop.classic"));
        assert!(has(&["mine"], "mine"));
        assert!(!has(&["mine"], "other"));
        assert!(has(&["Classical_Prop.classic"], "Logic.Classical_Prop.classic"));
        assert!(!has(&["classic"], "Classical_Prop.classic"), "the one in the module was not named");
        assert_eq!(of_statement(library, "Logic.Classical_Prop.classic"), Some(Allowance::OfStatement));
        assert_eq!(of_statement("mine", "mine"), None, "a constant of the file is no library's");
        assert_eq!(
            of_statement("Classical_Prop.classic", "Logic.Classical_Prop.classic"),
            None,
            "a full name"
        );
        assert_eq!(of_statement(library, "classic"), None);
    }

    #[test]
    fn a_set_is_begun_by_an_axiom_of_its_own() {
        let begun = |name: &str| begun_sets(&[name.to_owned()].into()).collect::<Vec<_>>();
        let reals = begun("Stdlib.Reals.ClassicalDedekindReals.sig_not_dec");
        assert!(reals.len() == 3 && reals[2].ends_with("functional_extensionality_dep"), "{reals:?}");
        assert!(
            begun("Coq.Logic.FunctionalExtensionality.functional_extensionality_dep").is_empty(),
            "in two sets"
        );
        assert!(begun("Mine.sig_not_dec").is_empty());
    }

    #[test]
    fn a_long_name_on_a_line_of_its_own_is_read() {
        let answers = "Constant\n  Coq.Logic.Long.name\n  \
            (shorter name to refer to it in current context is Long.name)\n\
            Constant\nConstant here.name\n";
        let located = Located::read(answers);
        assert!(located.knows("Coq.Logic.Long.name") && located.knows("here.name"), "{located:?}");
        let names = ["Coq.Logic.Long.name".to_owned()];
        assert!(allows(&names, "Long.name", &located));
        assert!(!allows(&names, "name", &located));
    }

    #[test]
    fn what_a_file_prints_adds_doubt_only() {
        let spoofed = format!("Constant Coq.Logic.Classical_Prop.classic\n{ANSWERS}");
        let names = ["Coq.Logic.Classical_Prop.classic".to_owned()];
        assert!(!allows(&names, "classic", &Located::read(&spoofed)));
        let renamed = "Constant Coq.Logic.Classical_Prop.classic\n  \
            (shorter name to refer to it in current context is evil)\n";
        assert!(!allows(&names, "evil", &Located::read(renamed)));
    }

    #[test]
    fn names_are_identifiers_with_periods() {
        assert!(
            ["classic", "Coq.Logic.Classical_Prop.classic", "h'", "_x1", "größe"].iter().all(|n| is_name(n))
        );
        assert!(!["", "a b", "a.", ".a", "forall", "A.Type", "1x", "x)"].iter().any(|n| is_name(n)));
    }

    #[test]
    fn each_base_name_is_asked_for_once() {
        let names = ["A.x", "B.x", "y"].map(str::to_owned);
        let of_statement = ["C.z".to_owned()].into();
        let allowed = Allowed::new(&names, &of_statement, "here");
        assert_eq!(allowed.questions(), "Locate Term x.\nLocate Term y.\nLocate Term z.\n");
    }
}
