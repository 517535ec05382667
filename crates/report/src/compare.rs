//! Comparison of two runs over the same theorems.

use std::collections::HashMap;

use andor_artifact::basin::LeftOut;
use andor_run::estimate;
use andor_run::folder::RunFolder;
use serde::Serialize;

use crate::summary::{self, TheoremSummary};

/// The comparison of two runs, `a` and `b`. A theorem is solved if an attempt at it has an accepted proof.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Theorems that both solve. This and the following lists have the order of the first run.
    pub both: Vec<String>,
    /// Theorems that only the first solves.
    pub only_a: Vec<String>,
    /// Theorems that only the second solves.
    pub only_b: Vec<String>,
    /// Theorems that neither solves.
    pub neither: Vec<String>,
    /// Theorems at which one of the runs has no attempt that counts. They are in none of the lists above.
    pub undecided: Vec<Undecided>,
    /// Theorems that the second run does not have.
    pub missing_in_b: Vec<String>,
    /// Theorems that the first run does not have, in the order of the second.
    pub missing_in_a: Vec<String>,
    /// A significance test of the difference.
    pub mcnemar: McNemar,
}

/// A theorem at which a run has no attempt that counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undecided {
    /// The theorem.
    pub theorem: String,
    /// The attempts of the first run, if none of them counts.
    pub a: Option<LeftOut>,
    /// The attempts of the second run, if none of them counts.
    pub b: Option<LeftOut>,
}

/// McNemar's exact test on the theorems that only one run solves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McNemar {
    /// The two-sided p-value: the probability of a split at least this unequal if both runs are equally good.
    pub p_value: f64,
    /// The number solved only by the first divided by the number solved only by the second; `null` if the latter is
    /// 0.
    pub odds: Option<f64>,
}

/// Why runs cannot be compared.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// Theorems with equal ids have different statements.
    #[error(
        "the runs have different theorems: {} with equal ids differ in statement, header or system: {}; \
         compare runs of the same corpus",
        .0.len(), some(.0)
    )]
    OtherStatements(Vec<String>),
    /// The runs have no theorem in common.
    #[error("the runs have no theorem in common; compare runs of the same corpus")]
    NothingInCommon,
}

/// The first few names, and the number of the others.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Compares two runs.
pub fn compare(a: &RunFolder, b: &RunFolder) -> Result<Comparison, CompareError> {
    let (a, b) = (summary::of_folder(a).theorems, summary::of_folder(b).theorems);
    let in_b: HashMap<&str, &TheoremSummary<'_>> = b.iter().map(|t| (t.theorem, t)).collect();
    let in_a: HashMap<&str, &TheoremSummary<'_>> = a.iter().map(|t| (t.theorem, t)).collect();
    let common = || a.iter().filter_map(|t| Some((t, *in_b.get(t.theorem)?)));
    let others = common().filter(|(a, b)| a.statement_digest != b.statement_digest);
    let others: Vec<String> = others.map(|(t, _)| t.theorem.to_owned()).collect();
    if !others.is_empty() {
        return Err(CompareError::OtherStatements(others));
    }
    if common().next().is_none() {
        return Err(CompareError::NothingInCommon);
    }
    let missing = |theorems: &[TheoremSummary<'_>], from: &HashMap<&str, &TheoremSummary<'_>>| {
        theorems.iter().filter(|t| !from.contains_key(t.theorem)).map(|t| t.theorem.to_owned()).collect()
    };
    let (mut both, mut only_a, mut only_b, mut neither) = (vec![], vec![], vec![], vec![]);
    let mut undecided = Vec::new();
    for (a, b) in common() {
        let theorem = a.theorem.to_owned();
        let silent = |t: &TheoremSummary<'_>| (t.attempts == 0).then_some(t.left_out);
        match (silent(a), silent(b)) {
            (None, None) => match (a.solved > 0, b.solved > 0) {
                (true, true) => both.push(theorem),
                (true, false) => only_a.push(theorem),
                (false, true) => only_b.push(theorem),
                (false, false) => neither.push(theorem),
            },
            (a, b) => undecided.push(Undecided { theorem, a, b }),
        }
    }
    let count = |names: &Vec<String>| u32::try_from(names.len()).expect("a run has fewer than 2^32 theorems");
    let (n_a, n_b) = (count(&only_a), count(&only_b));
    let mcnemar = McNemar {
        p_value: estimate::mcnemar(n_a, n_b),
        odds: (n_b > 0).then(|| f64::from(n_a) / f64::from(n_b)),
    };
    Ok(Comparison {
        both,
        only_a,
        only_b,
        neither,
        undecided,
        missing_in_b: missing(&a, &in_b),
        missing_in_a: missing(&b, &in_a),
        mcnemar,
    })
}
