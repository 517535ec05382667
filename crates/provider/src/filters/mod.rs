//! Filters: which candidates are blocked, regardless of their provider.
//!
//! Hygiene blocks what no proof can use: placeholders for proofs, and malformed tactics. Lesions block families of
//! tactics or single tactics, to study how a search performs without them; the easy gate blocks tactics that close
//! whole goals automatically. Blocked candidates are not tried; the trace records them with the reason.

mod hygiene;
#[cfg(test)]
mod tables;
mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use andor_core::theorem::System;

use hygiene::Rule;
pub use hygiene::{HygieneRule, RuleError};
pub use words::is_word;

/// Whether easy tactics pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EasyGate {
    /// All easy tactics pass.
    Open,
    /// The easy tactics of the system are blocked: [`andor_core::language::Tactics::easy`].
    Closed,
    /// These tactics are blocked.
    ClosedTo(Vec<String>),
}

/// Why a tactic is blocked. Its text is recorded in traces, where blocked attempts can be grouped by it:
/// `hygiene:sorry`, `family:arithmetic`, `tactic:lia` or `easy:simp`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BlockReason {
    /// A hygiene rule matches.
    Hygiene(Arc<str>),
    /// It contains a word of a blocked family.
    Family(&'static str),
    /// It contains a blocked word.
    Tactic(Arc<str>),
    /// It contains an easy word.
    Easy(Arc<str>),
}

impl fmt::Display for BlockReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hygiene(rule) => write!(f, "hygiene:{rule}"),
            Self::Family(name) => write!(f, "family:{name}"),
            Self::Tactic(name) => write!(f, "tactic:{name}"),
            Self::Easy(name) => write!(f, "easy:{name}"),
        }
    }
}

/// Decides which tactics are blocked: by hygiene rules, and by their words.
///
/// Rules come first, and see the text without strings and comments. A tactic is blocked if any of its words is
/// blocked, wherever it occurs outside strings and comments, so that composed tactics (`intros; lia`, `exact (by
/// simp)`) do not slip through. This includes lemmas and variables with the name of a tactic, but not names that
/// merely contain it (`simp_lemma`, `lia'`).
#[derive(Clone, Debug)]
pub struct TacticFilter {
    system: System,
    rules: Vec<Rule>,
    blocked: BTreeMap<String, BlockReason>,
}

impl TacticFilter {
    /// A filter that blocks families and tactics of a system, and easy tactics behind the gate.
    ///
    /// A name that is not a [family](andor_core::language::Tactics::families) of the system is taken for a tactic, known or not, since an
    /// assistant's tactics cannot be listed completely. If a word is blocked for several reasons, the first name
    /// counts, and the gate last.
    pub fn new(system: System, names: &[String], gate: &EasyGate) -> Self {
        let mut blocked = BTreeMap::new();
        let mut block = |word: &str, reason: BlockReason| {
            blocked.entry(word.to_owned()).or_insert(reason);
        };
        for name in names {
            match system.language().family(name) {
                Some(family) => {
                    family.tactics.iter().for_each(|t| block(t, BlockReason::Family(family.name)));
                }
                None => block(name, BlockReason::Tactic(name.as_str().into())),
            }
        }
        let easy: Vec<&str> = match gate {
            EasyGate::Open => Vec::new(),
            EasyGate::Closed => system.language().tactics.easy.to_vec(),
            EasyGate::ClosedTo(tactics) => tactics.iter().map(String::as_str).collect(),
        };
        easy.into_iter().for_each(|t| block(t, BlockReason::Easy(t.into())));
        Self { system, rules: Vec::new(), blocked }
    }

    /// The same filter with hygiene: the [standard rules](andor_core::language::Tactics::hygiene) of its system, followed by the user's. The
    /// first rule that matches counts.
    pub fn with_hygiene(self, own: &[HygieneRule]) -> Self {
        Self { rules: hygiene::rules(self.system, own), ..self }
    }

    /// Whether nothing is blocked.
    pub fn is_idle(&self) -> bool {
        self.rules.is_empty() && self.blocked.is_empty()
    }

    /// Why a tactic is blocked, if it is: the first rule that matches, or else the reason of its first blocked word.
    pub fn block_reason(&self, tactic: &str) -> Option<BlockReason> {
        if !self.rules.is_empty() {
            let bare = words::bare(self.system, tactic);
            if let Some(rule) = self.rules.iter().find(|rule| rule.refuses(&bare)) {
                return Some(BlockReason::Hygiene(Arc::clone(&rule.name)));
            }
        }
        if self.blocked.is_empty() {
            return None;
        }
        words::words(self.system, tactic).find_map(|word| self.reason(word)).cloned()
    }

    fn reason(&self, word: &str) -> Option<&BlockReason> {
        if !word.starts_with(words::begins_name) {
            // The assistant decides where the number ends and the word begins.
            let inner = self.blocked.iter().filter(|(name, _)| word.ends_with(name.as_str()));
            return inner.max_by_key(|(name, _)| name.len()).map(|(_, reason)| reason);
        }
        let lexis = &self.system.language().lexis;
        // `simp?` and `simp!` count as `simp`, unless they are listed themselves.
        let blocked = |name: &str| {
            self.blocked.get(name).or_else(|| self.blocked.get(name.trim_end_matches(lexis.marks)))
        };
        let mut names = std::iter::successors(Some(word), |name| {
            name.split_once('.').filter(|_| lexis.has_paths).map(|(_, shorter)| shorter)
        });
        names.find_map(blocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;
    use andor_system_synthetic::SYNTHETIC;

    fn filter(system: System, names: &[&str], gate: &EasyGate) -> TacticFilter {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        TacticFilter::new(system, &names, gate)
    }

    /// The reasons of some tactics, as texts.
    fn check(filter: &TacticFilter, cases: &[(&str, Option<&str>)]) {
        for (tactic, expected) in cases {
            let reason = filter.block_reason(tactic).map(|r| r.to_string());
            assert_eq!(reason.as_deref(), *expected, "{tactic}");
        }
    }

    #[test]
    fn lesions_of_rocq() {
        let lesion = filter(ROCQ, &["arithmetic", "case-analysis", "auto"], &EasyGate::Open);
        check(
            &lesion,
            &[
                ("lia", Some("family:arithmetic")),
                ("intros; lia", Some("family:arithmetic")),
                ("constructor; [lia|auto]", Some("family:arithmetic")),
                ("constructor; [auto|lia]", Some("tactic:auto")),
                ("try (destruct x as [|y])", Some("family:case-analysis")),
                ("do 3lia", Some("family:arithmetic")),
                ("do 0x2lia", Some("family:arithmetic")),
                ("Lia.lia", Some("family:arithmetic")),
                ("Coq.micromega.Lia.lia", Some("family:arithmetic")),
                ("zify; BinInt.Z.div_mod_to_equations", Some("family:arithmetic")),
                ("assert (x = 1) as H by nia", Some("family:arithmetic")),
                ("first [ring | congruence]", Some("family:arithmetic")),
                ("idtac \"lia\" (* lia *)", None),
                ("apply lia_lemma", None),
                ("eauto", None),
                ("lia'", None),
                ("rewrite !Nat.add_assoc", None),
            ],
        );
    }

    #[test]
    fn lesions_of_the_embedded_prover() {
        let lesion = filter(MINI, &["simplification", "relations", "omega"], &EasyGate::Open);
        check(
            &lesion,
            &[
                ("simp", Some("family:simplification")),
                ("simp?", Some("family:simplification")),
                ("simp! only [h]", Some("family:simplification")),
                ("simp <;> omega", Some("family:simplification")),
                ("try omega", Some("tactic:omega")),
                ("exact ⟨_, by omega⟩", Some("tactic:omega")),
                ("· simp", Some("family:simplification")),
                ("exact (by simp)", Some("family:simplification")),
                ("exact h.symm", None),
                ("exact (h x).1.symm", None),
                ("rw [simp_lemma, Nat.simp]", None),
                ("exact simp", Some("family:simplification")),
                ("decide -- simp", None),
            ],
        );
    }

    #[test]
    fn a_mark_can_be_named() {
        check(
            &filter(MINI, &["exact?"], &EasyGate::Open),
            &[("exact h", None), ("exact?", Some("tactic:exact?"))],
        );
        check(&filter(MINI, &["application"], &EasyGate::Open), &[("exact?", Some("family:application"))]);
    }

    #[test]
    fn the_gate() {
        let standard = filter(MINI, &[], &EasyGate::Closed);
        check(
            &standard,
            &[
                ("simp_all", Some("easy:simp_all")),
                ("native_decide", Some("easy:native_decide")),
                ("exact ⟨_, rfl⟩", Some("easy:rfl")),
                ("exact Iff.rfl", None),
                ("ring", None),
                ("simpa using h", None),
            ],
        );
        let rocq = filter(ROCQ, &["arithmetic"], &EasyGate::Closed);
        check(
            &rocq,
            &[
                ("now apply H", Some("easy:now")),
                ("lia", Some("family:arithmetic")),
                ("vm_compute; reflexivity", Some("easy:reflexivity")),
                ("assumption", None),
            ],
        );
        let own = EasyGate::ClosedTo(vec!["t3".to_owned()]);
        check(&filter(SYNTHETIC, &[], &own), &[("t3", Some("easy:t3")), ("t30", None)]);
    }

    #[test]
    fn a_family_means_nothing_where_tactics_are_numbers() {
        let lesion = filter(SYNTHETIC, &["arithmetic", "t3"], &EasyGate::Closed);
        check(&lesion, &[("t3", Some("tactic:t3")), ("t1", None), ("arithmetic", Some("tactic:arithmetic"))]);
    }

    #[test]
    fn an_idle_filter_blocks_nothing() {
        let idle = filter(ROCQ, &[], &EasyGate::Open);
        assert!(idle.is_idle());
        check(&idle, &[("lia", None)]);
        assert!(filter(SYNTHETIC, &[], &EasyGate::Closed).is_idle());
        assert!(!filter(ROCQ, &[], &EasyGate::Closed).is_idle());
        assert!(idle.with_hygiene(&[]).block_reason("admit").is_some());
    }

    #[test]
    fn hygiene_comes_before_lesions_and_the_gate() {
        let lesion = filter(MINI, &["computation"], &EasyGate::Closed).with_hygiene(&[]);
        check(
            &lesion,
            &[
                ("decide", Some("family:computation")),
                ("native_decide", Some("hygiene:native-decide")),
                ("simp; sorry", Some("hygiene:sorry")),
                ("simp", Some("easy:simp")),
                ("ring", None),
            ],
        );
    }

    #[test]
    fn the_first_name_counts() {
        let twice = filter(ROCQ, &["lia", "arithmetic", "automation"], &EasyGate::Closed);
        check(
            &twice,
            &[
                ("lia", Some("tactic:lia")),
                ("nia", Some("family:arithmetic")),
                ("easy", Some("family:automation")),
            ],
        );
    }
}
