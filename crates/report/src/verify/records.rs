//! The files of a run that repeat what its database holds.

use std::collections::{BTreeMap, HashMap, HashSet};

use andor_artifact::basin::BasinRecord;
use andor_artifact::files::{LinesReader, read_json};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_artifact::version::Kind;
use andor_config::{Config, differences};
use andor_core::theorem::Theorem;
use andor_run::doubt::doubt;
use andor_run::folder::RunFolder;
use andor_run::store::Store;
use andor_run::{basin, blueprint};

use super::{Remark, Run, Stored, Verified, VerifyError, remark};

/// The configurations of a run: first its own, then those with which it was resumed.
pub(super) fn configs(folder: &RunFolder) -> Vec<Config> {
    let later = folder.record.reconfigured.iter();
    let later = later.filter_map(|one| serde_json::from_value(one.config.clone()).ok());
    std::iter::once(folder.config.clone()).chain(later).collect()
}

/// Compares `run.json`, `results.jsonl` and `basin.json` with the database.
pub(super) fn verify(run: &Run, found: &mut Verified) -> Result<(), VerifyError> {
    let RunFolder { path, record, problems, .. } = &run.folder;
    let config = Store::read(&path.join("run.db"))?.config()?;
    if config.as_ref() != Some(&record.config) {
        found.fail("run.json", None, "config is not the one in run.db");
    }
    let later = record.reconfigured.iter().map(|one| (&one.config, &one.config_digest));
    for (config, digest) in std::iter::once((&record.config, &record.config_digest)).chain(later) {
        let computed = andor_config::digest(config);
        if computed != *digest {
            found.fail("run.json", None, format!("config_digest is {digest}, and of this config {computed}"));
        }
    }
    let ids: Vec<&str> = problems.iter().map(|problem| problem.theorem.id.as_str()).collect();
    // A run of a blueprint adds theorems as it goes.
    let is_of_blueprint = path.join(blueprint::FILE).is_file();
    let known: HashSet<&str> = ids.iter().copied().collect();
    let is_right = match is_of_blueprint {
        true => record.theorems.iter().all(|id| known.contains(id.as_str())),
        false => record.theorems == ids,
    };
    if !is_right {
        found.fail("run.json", None, "theorems are not those in run.db");
    }
    lines(run, found)?;
    let file = path.join("basin.json");
    if file.is_file() {
        let recorded: BasinRecord = read_json(&file, Kind::Basin)?;
        let results: Vec<AttemptResult> = run.attempts.iter().map(|stored| stored.result.clone()).collect();
        let config: Config = serde_json::from_value(record.config.clone()).unwrap_or_default();
        let computed = basin::summarise(&config, &ids, &results);
        let computed = BasinRecord { opening: recorded.opening.clone(), ..computed };
        if computed != recorded {
            found.fail("basin.json", None, "it does not follow from the results in run.db");
        }
    }
    Ok(())
}

/// Compares the lines of `results.jsonl`.
fn lines(run: &Run, found: &mut Verified) -> Result<(), VerifyError> {
    let path = run.folder.path.join("results.jsonl");
    if !path.is_file() {
        return Ok(());
    }
    let mut lines: BTreeMap<(String, u32), AttemptResult> = BTreeMap::new();
    for line in LinesReader::<AttemptResult>::open(&path, Kind::Results)? {
        let line = line?;
        lines.insert((line.theorem.clone(), line.attempt), line);
    }
    for Stored { result, .. } in &run.attempts {
        match lines.remove(&(result.theorem.clone(), result.attempt)) {
            Some(line) if line == *result => {}
            Some(_) => found.fail("results.jsonl", Some(result), "the line is not the result in run.db"),
            None => found.fail("results.jsonl", Some(result), "there is no line for the result in run.db"),
        }
    }
    Ok(())
}

/// Compares the theorems of the run with those that the user has.
pub(super) fn theorems(run: &Run, trusted: &[Theorem], found: &mut Verified) {
    let trusted: HashMap<&str, &Theorem> =
        trusted.iter().map(|theorem| (theorem.id.as_str(), theorem)).collect();
    for problem in &run.folder.problems {
        let theorem = &problem.theorem;
        let what = match trusted.get(theorem.id.as_str()) {
            None => "your file has no such theorem",
            Some(own) if own.digest() != theorem.digest() || own.name != theorem.name => {
                "your file states another theorem"
            }
            Some(_) => continue,
        };
        found.fails.push(Remark { theorem: Some(theorem.id.clone()), ..remark("run.db", None, what) });
    }
}

/// Compares a result with its theorem and its configuration.
pub(super) fn result(run: &Run, stored: &Stored, found: &mut Verified) {
    let Stored { theorem, result, config, .. } = stored;
    let mut fail = |what: String| found.fail("run.db", Some(result), what);
    if result.outcome != Outcome::Accepted && result.statement_digest != theorem.digest() {
        fail("it is about another statement than the theorem of the run".to_owned());
    }
    if let Some(doubt) = doubt(&run.folder.path, theorem, result) {
        fail(doubt.to_string());
    }
    if result.system != theorem.system.name() {
        fail(format!("its system is {}, and the theorem's {}", result.system, theorem.system));
    }
    if result.config_digest != config.digest() {
        fail("its config_digest is that of no configuration of the run".to_owned());
    } else if result.seed != config.seed {
        fail(format!("its seed is {}, and that of the configuration {}", result.seed, config.seed));
    }
}

/// How a recorded configuration differs from that of the attempt, in words.
pub(super) fn difference(recorded: &serde_json::Value, config: &Config) -> Option<String> {
    let found = differences(recorded, config);
    let first = found.first()?;
    let key = &first.key;
    Some(format!("config.{key} is {} in the trace, and {} in the run", first.before, first.now))
}
