//! What a proof trusts beyond its axioms: kernel features that had bugs, known bugs of the installed kernel, and compiled
//! libraries.

use andor_core::verdict::Feature;

/// What a proof trusts. Boxed slices keep verdicts small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The kernel features used by the proof and by the declarations of its file that it depends on.
    pub features: Box<[Feature]>,
    /// Known bugs, such as `rocq#20455`, that are open in the installed version and concern one of these features;
    /// or whose trigger the proof contains and that the user tolerates.
    pub bugs: Box<[String]>,
    /// Those axioms of the proof that are allowed because the statement depends on them.
    pub statement_axioms: Box<[String]>,
    /// Libraries whose universes bound those of a polymorphic theorem: it is proved for universes up to theirs.
    pub universes: Box<[String]>,
    /// What other kernels say.
    pub second_judge: SecondJudge,
    /// The compiled libraries that are loaded beside those of the prover itself, each by the first part of its modules'
    /// names: `stdpp`, `Mathlib`. Sorted.
    pub libraries: Box<[String]>,
}

/// What other kernels say of a proof that is accepted: another system's, or further ones of the same logic. One that refuses
/// a proof rejects it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SecondJudge {
    /// Nothing: there is none here, or the level asks none.
    #[default]
    Absent,
    /// It accepts the proof.
    Accepted {
        /// Which kernels do: `Lean 4.35.0`.
        kernels: Box<[String]>,
    },
    /// It was asked, and did not answer. This may be the submission's doing.
    Silent {
        /// Who did not answer, and why.
        reason: Box<str>,
        /// The kernels that accept the proof all the same.
        kernels: Box<[String]>,
    },
}

impl SecondJudge {
    /// What it comes to if some kernels accept a proof, and some are silent, each with its reason.
    pub fn of(accepting: Vec<String>, silent: &[String]) -> Self {
        let kernels = accepting.into_boxed_slice();
        match (kernels.is_empty(), silent.is_empty()) {
            (true, true) => Self::Absent,
            (false, true) => Self::Accepted { kernels },
            (_, false) => Self::Silent { reason: silent.join("; ").into(), kernels },
        }
    }

    /// The name used in artifacts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Accepted { .. } => "accepted",
            Self::Silent { .. } => "silent",
        }
    }

    /// The kernels that accept the proof.
    pub fn kernels(&self) -> Vec<String> {
        match self {
            Self::Accepted { kernels } | Self::Silent { kernels, .. } => kernels.to_vec(),
            Self::Absent => Vec::new(),
        }
    }

    /// Who is silent, and why.
    pub fn silence(&self) -> Option<&str> {
        match self {
            Self::Silent { reason, .. } => Some(reason),
            Self::Absent | Self::Accepted { .. } => None,
        }
    }
}
