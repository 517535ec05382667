//! The page about a loop's models: `lineage.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use andor_artifact::files::{FileError, write_bytes};
use andor_run::estimate;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::search::Evaluation;
use crate::stage::Receipt;

/// A model of a loop.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Made {
    /// Its name: `base`, or its round and iteration, such as `1.2`; `2.0` is trained from the base at the beginning of round 2.
    pub name: String,
    /// Its file, below the loop's folder.
    pub file: String,
    /// The digest of the file.
    pub digest: String,
    /// The name of the model that training began with.
    pub parent: Option<String>,
    /// The name of the model whose proofs it was trained on.
    pub proofs_of: Option<String>,
    /// The receipts of the stages that made it, by name.
    pub stages: BTreeMap<String, Receipt>,
    /// How it did on the held-out theorems.
    #[serde(serialize_with = "counts")]
    pub evaluation: Evaluation,
    /// The p-value of its difference to the model that it was compared with, and whether it is better.
    pub against: Option<Against>,
}

/// An evaluation without its theorems.
fn counts<S: Serializer>(evaluation: &Evaluation, to: S) -> Result<S::Ok, S::Error> {
    let mut counts = to.serialize_struct("Evaluation", 3)?;
    counts.serialize_field("solved", &evaluation.solved())?;
    counts.serialize_field("theorems", &evaluation.theorems.len())?;
    counts.serialize_field("tactics", &evaluation.tactics())?;
    counts.end()
}

/// How a model compares with an earlier one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Against {
    /// The earlier model.
    pub model: String,
    /// McNemar's exact test, two-sided.
    pub p_value: f64,
    /// Whether this model is better, and the test says that this is not chance.
    pub improved: bool,
}

impl Made {
    fn count(&self, stage: &str, name: &str) -> String {
        let count = self.stages.get(stage).and_then(|receipt| receipt.counts.get(name));
        count.map_or_else(|| "–".to_owned(), u64::to_string)
    }

    fn seconds(&self, stage: &str) -> String {
        self.stages.get(stage).map_or_else(|| "–".to_owned(), |receipt| format!("{:.1}", receipt.seconds))
    }

    /// Its score with a 95 % interval (Wilson): `41/100 (32–51 %)`.
    pub fn score(&self) -> String {
        let (solved, all) = (self.evaluation.solved(), self.evaluation.theorems.len() as u32);
        let interval = estimate::share(solved, all).and_then(|share| Some((share.low?, share.high?)));
        let interval = interval.map(|(low, high)| format!(" ({:.0}–{:.0} %)", 100.0 * low, 100.0 * high));
        format!("{solved}/{all}{}", interval.unwrap_or_default())
    }
}

/// Writes the page.
///
/// # Errors
///
/// The file cannot be written.
pub fn write(path: &Path, made: &[Made], best: usize) -> Result<(), FileError> {
    write_bytes(path, page(made, best).as_bytes())
}

fn page(made: &[Made], best: usize) -> String {
    let mut page = format!(
        "# Models of this loop\n\nThe best is **{}**, `{}`: {} of the held-out theorems proved.\n\n",
        made[best].name,
        made[best].file,
        made[best].score()
    );
    if let [base, .., last] = made {
        let (p, better) = last.evaluation.against(&base.evaluation);
        let verb = if better { "proves more than" } else { "does not prove more than" };
        page += &format!(
            "The last, {}, {verb} the first, {}: {} and {} (McNemar's exact test, p = {p:.2e}).\n\n",
            last.name,
            base.name,
            last.score(),
            base.score()
        );
    }
    let mut line = |text: String| {
        writeln!(page, "{text}").expect("writing to a string does not fail");
    };
    line("| model | trained from | on proofs of | held-out theorems proved | tactics tried | compared with | p |".to_owned());
    line("| --- | --- | --- | --- | --- | --- | --- |".to_owned());
    let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
    for model in made {
        let (with, p) = match &model.against {
            Some(Against { model, p_value, improved }) => {
                (model.clone(), format!("{p_value:.2e}{}", if *improved { ", improved" } else { "" }))
            }
            None => ("–".to_owned(), "–".to_owned()),
        };
        line(format!(
            "| {} | {} | {} | {} | {} | {with} | {p} |",
            model.name,
            or_dash(&model.parent),
            or_dash(&model.proofs_of),
            model.score(),
            model.evaluation.tactics()
        ));
    }
    line("\n## Data\n".to_owned());
    line("| model | attempts | proofs | tactics tried | steps to train on | duplicates | near duplicates | digest of the steps | digest of the model |".to_owned());
    line("| --- | --- | --- | --- | --- | --- | --- | --- | --- |".to_owned());
    for model in made {
        let select = model.stages.get("select");
        let data = select.and_then(|receipt| receipt.outputs.get("steps.jsonl")).map_or("–", String::as_str);
        line(format!(
            "| {} | {} | {} | {} | {} | {} | {} | `{data}` | `{}` |",
            model.name,
            model.count("rollout", "attempts"),
            model.count("rollout", "proofs"),
            model.count("rollout", "tactics"),
            model.count("select", "steps"),
            model.count("select", "duplicates"),
            model.count("select", "near_duplicates"),
            model.digest
        ));
    }
    line("\n## Parameters\n".to_owned());
    for model in made {
        for (stage, receipt) in &model.stages {
            line(format!("* {}, {stage}: `{}`", model.name, receipt.parameters));
        }
    }
    line("\n## Seconds\n".to_owned());
    line("| model | rollout | select | train | evaluate |".to_owned());
    line("| --- | --- | --- | --- | --- |".to_owned());
    for model in made {
        let times = ["rollout", "select", "train", "evaluate"].map(|stage| model.seconds(stage));
        line(format!("| {} | {} |", model.name, times.join(" | ")));
    }
    page
}
