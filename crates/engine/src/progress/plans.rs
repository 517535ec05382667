//! The owner of a file of plans: the only writer.

use std::path::{Path, PathBuf};

use andor_artifact::files::{FileError, read_json, write_json};
use andor_artifact::input;
use andor_artifact::plan::{PlanRecord, PlanStepRecord, PlanUnderWay, Plans};
use andor_artifact::version::{Kind, Opening};
use andor_core::plan::PlanStep;
use andor_core::theorem::System;
use serde_json::{Map, Value, json};

use crate::plan::{PlanFileError, read, record};

/// A file of plans that is written, in our form or in that of BFS-Prover; a new one is in ours. The file is replaced as
/// a whole with each change, so that it is complete at any time.
pub struct PlanBook {
    path: PathBuf,
    content: Content,
}

enum Content {
    Ours(Plans),
    /// By theorem: `{"plan": ["have …"], "progress": n}`. Other fields stay as they are.
    BfsProver(Map<String, Value>),
}

impl PlanBook {
    /// Opens a file, or begins a new one.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no file of plans.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let path = path.to_owned();
        if !path.exists() {
            let opening = Opening::new(Kind::Plans);
            let plans = Plans { opening, plans: Default::default(), under_way: Default::default() };
            return Ok(Self { path, content: Content::Ours(plans) });
        }
        let value: Option<Value> = serde_json::from_str(&input::text(&path)?).ok();
        let content = match value {
            Some(Value::Object(map)) if !map.contains_key("opening") => Content::BfsProver(map),
            _ => {
                Content::Ours(Plans { opening: Opening::new(Kind::Plans), ..read_json(&path, Kind::Plans)? })
            }
        };
        Ok(Self { path, content })
    }

    /// Whether it has a plan of a theorem.
    pub fn has(&self, theorem: &str) -> bool {
        match &self.content {
            Content::Ours(plans) => plans.plans.contains_key(theorem),
            Content::BfsProver(map) => map.contains_key(theorem),
        }
    }

    /// Adds a plan of a theorem, with the number of its steps, from the first on, that are proved; or notes this number of
    /// the plan that is there. Returns whether that changed anything.
    ///
    /// The number never falls. Another plan takes the place of the one that is there only if more of it is proved, or if it
    /// begins with the steps that are proved.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn put(&mut self, theorem: &str, system: System, plan: PlanRecord) -> Result<bool, FileError> {
        let has_changed = self.note(theorem, system, plan);
        if has_changed {
            self.save()?;
        }
        Ok(has_changed)
    }

    /// The same without writing the file.
    pub fn note(&mut self, theorem: &str, system: System, plan: PlanRecord) -> bool {
        let plan = match self.known(theorem, system) {
            None => plan,
            Some((steps, progress)) => {
                let kept = progress.min(steps.len() as u64) as usize;
                let is_same = steps == plan.steps;
                let continues = kept > 0 && plan.steps.starts_with(&steps[..kept]);
                if !(is_same || continues || plan.progress > progress) {
                    return false;
                }
                let plan = PlanRecord { progress: plan.progress.max(progress), ..plan };
                if is_same && plan.progress == progress {
                    return false;
                }
                plan
            }
        };
        self.set(theorem, system, plan);
        true
    }

    /// The plan of an attempt that has not ended.
    pub(super) fn under_way(&self, theorem: &str, attempt: u32) -> Option<&PlanUnderWay> {
        match &self.content {
            Content::Ours(plans) => plans.under_way.get(theorem)?.get(&attempt),
            Content::BfsProver(_) => None,
        }
    }

    /// Keeps the plan of an attempt until it has ended. Runs have files in our form; another one cannot hold it.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn keep(&mut self, theorem: &str, attempt: u32, plan: PlanUnderWay) -> Result<(), FileError> {
        let Content::Ours(plans) = &mut self.content else { return Ok(()) };
        plans.under_way.entry(theorem.to_owned()).or_default().insert(attempt, plan);
        self.save()
    }

    /// Drops the plan of an attempt, which has ended, without writing the file. Returns whether there was one.
    pub fn ended(&mut self, theorem: &str, attempt: u32) -> bool {
        let Content::Ours(plans) = &mut self.content else { return false };
        let Some(of_theorem) = plans.under_way.get_mut(theorem) else { return false };
        let was_there = of_theorem.remove(&attempt).is_some();
        if of_theorem.is_empty() {
            plans.under_way.remove(theorem);
        }
        was_there
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn save(&self) -> Result<(), FileError> {
        match &self.content {
            Content::Ours(plans) => write_json(&self.path, plans),
            Content::BfsProver(map) => write_json(&self.path, map),
        }
    }

    /// The steps of a plan that is there, and how many are proved.
    fn known(&self, theorem: &str, system: System) -> Option<(Vec<PlanStepRecord>, u64)> {
        match &self.content {
            Content::Ours(plans) => plans.plans.get(theorem).map(|plan| (plan.steps.clone(), plan.progress)),
            Content::BfsProver(map) => {
                let entry = map.get(theorem)?;
                let lines = entry.get("plan").and_then(Value::as_array).into_iter().flatten();
                let text: Vec<&str> = lines.filter_map(Value::as_str).collect();
                let steps = andor_provider::plan::parse::steps(&text.join("\n"), system).unwrap_or_default();
                let progress = entry.get("progress").and_then(Value::as_u64).unwrap_or_default();
                Some((steps.iter().map(record::step).collect(), progress))
            }
        }
    }

    fn set(&mut self, theorem: &str, system: System, plan: PlanRecord) {
        match &mut self.content {
            Content::Ours(plans) => {
                // What asking for it cost is told once.
                let plan = match plans.plans.remove(theorem) {
                    Some(before) if before.steps == plan.steps => {
                        PlanRecord { progress: plan.progress, ..before }
                    }
                    _ => plan,
                };
                plans.plans.insert(theorem.to_owned(), plan);
            }
            Content::BfsProver(map) => {
                let entry = map.entry(theorem).or_insert_with(|| json!({}));
                let line = |step: &PlanStepRecord| {
                    let PlanStepRecord { name, statement } = step.clone();
                    let tactic = PlanStep { name, statement }.tactic(system);
                    Value::from(tactic.trim_end_matches(" := ?_"))
                };
                entry["plan"] = plan.steps.iter().map(line).collect();
                entry["progress"] = plan.progress.into();
            }
        }
    }
}

/// The plan of a theorem in a file, and how many of its steps are proved, as the file says.
///
/// # Errors
///
/// As [`read`].
pub fn read_with_progress(
    path: &Path,
    theorem: &str,
    system: System,
) -> Result<Option<(Vec<PlanStep>, u64)>, PlanFileError> {
    let Some(steps) = read(path, theorem, system)? else { return Ok(None) };
    let book = PlanBook::open(path)
        .map_err(|error| PlanFileError::Malformed { path: path.to_owned(), message: error.to_string() })?;
    let progress = book.known(theorem, system).map_or(0, |(_, progress)| progress);
    Ok(Some((steps, progress)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_mini::MINI;

    fn plan(names: &[&str], progress: u64) -> PlanRecord {
        let step =
            |name: &&str| PlanStepRecord { name: (*name).to_owned(), statement: format!("{name} = 1") };
        PlanRecord {
            steps: names.iter().map(step).collect(),
            planner: None,
            verified: true,
            tries: 0,
            model: Default::default(),
            progress,
        }
    }

    fn in_file(path: &Path) -> (Vec<String>, u64) {
        let (steps, progress) = read_with_progress(path, "t", MINI).unwrap().unwrap();
        (steps.into_iter().map(|step| step.name).collect(), progress)
    }

    #[test]
    fn progress_never_falls_and_what_is_proved_stays() {
        let folder = tempfile::tempdir().unwrap();
        let seed = r#"{"other": {"plan": ["have z : 0 = 0"], "progress": 1, "note": 7},
                       "t": {"plan": ["have a : a = 1", "have b : b = 1", "have c : c = 1"], "progress": 0}}"#;
        for begun in [None, Some(seed)] {
            let path = folder.path().join(if begun.is_some() { "seed.json" } else { "ours.json" });
            if let Some(text) = begun {
                fs_err::write(&path, text).unwrap();
            }
            let put = |names: &[&str], progress| {
                let mut book = PlanBook::open(&path).unwrap();
                let has_changed = book.put("t", MINI, plan(names, progress)).unwrap();
                let (names, progress) = in_file(&path);
                (has_changed, names.concat(), progress)
            };
            let is_new = begun.is_none();
            assert_eq!(put(&["a", "b", "c"], 0), (is_new, "abc".to_owned(), 0));
            assert_eq!(put(&["x", "y"], 0), (false, "abc".to_owned(), 0), "another plan that is no further");
            assert_eq!(put(&["a", "b", "c"], 2), (true, "abc".to_owned(), 2));
            assert_eq!(put(&["a", "b", "c"], 1), (false, "abc".to_owned(), 2), "less");
            assert_eq!(put(&["a", "b", "c"], 2), (false, "abc".to_owned(), 2), "again");
            assert_eq!(
                put(&["a", "b", "d", "c"], 1),
                (true, "abdc".to_owned(), 2),
                "a new plan that goes on"
            );
            assert_eq!(put(&["a", "d", "c"], 2), (false, "abdc".to_owned(), 2), "what is proved is missing");
            assert_eq!(put(&["x", "y", "z"], 3), (true, "xyz".to_owned(), 3), "more is proved");
        }
        let text = fs_err::read_to_string(folder.path().join("seed.json")).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["other"], json!({"plan": ["have z : 0 = 0"], "progress": 1, "note": 7}));
        assert_eq!(value["t"]["plan"][0], "have x : x = 1");
    }
}
