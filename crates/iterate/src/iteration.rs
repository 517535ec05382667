//! The loop itself: which model is made next, and when it ends.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use andor_artifact::files::{FileError, remove_unfinished, write_json};
use andor_config::Config;
use andor_core::rng::{Purpose, stream_at};
use andor_dataset::{self as dataset, Problem};
use andor_learn::Model;
use andor_learn::model::read_shapes;
use andor_learn::shape::Shape;
use andor_report::export::in_context;
use rand::seq::SliceRandom;
use serde_json::{Value, json};

use crate::curate::{Curated, curate};
use crate::declaration::{Loop, Start, Train};
use crate::error::LoopError;
use crate::filter;
use crate::lineage::{self, Against, Made};
use crate::rows;
use crate::search::{self, EVALUATION, EVALUATION_RUN, Evaluation, ROLLOUT, ROLLOUT_RUN, Search, Searching};
use crate::stage::{Stage, digest, of_bytes};
use crate::trainer::{Training, copy, fit};

/// What a loop made.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    /// All models, in the order in which they were made; the first is the base.
    pub models: Vec<Made>,
    /// The index of the one that proved the most held-out theorems; of equals, the one that tried fewer tactics.
    pub best: usize,
}

/// Is told what happens, a line each.
pub type Tell<'a> = &'a mut (dyn FnMut(&str) + Send);

/// The files of all rows that training reads.
const ROWS: [&str; 4] = ["steps.jsonl", "goals.jsonl", "pairs.jsonl", "theorems.jsonl"];

/// Carries out a loop in a folder. With `resume`, it goes on with the loop that is there.
///
/// # Errors
///
/// A stage fails, or the user interrupts; what is finished stays.
pub async fn learn(
    declared: &Loop,
    out: &Path,
    resume: bool,
    with: &Searching,
    tell: Tell<'_>,
) -> Result<Learned, LoopError> {
    let work = Work::begin(declared, out, resume, with)?;
    for sentence in declared.searching_with(Path::new("model"))?.without_effect() {
        tell(&format!("the table `config`: {sentence}"));
    }
    let mut made = vec![work.base().await?];
    tell(&format!("base: {}", made[0].score()));
    // The last model that was better than those before it beyond chance: what later ones are compared with.
    let mut anchor = 0;
    for round in 1..=declared.plateau.rounds {
        let anchor_before = anchor;
        let mut model = made.len() - 1;
        if round > 1 {
            let best = best(&made);
            let next = work.make(round, 0, &made[0], &made[best], None).await?;
            anchor = push(&mut made, next, anchor, declared);
            model = made.len() - 1;
            report(&made, out, tell)?;
        }
        let mut stale = 0;
        for iteration in 1..=declared.plateau.iterations {
            let next =
                work.make(round, iteration, &made[model], &made[model], declared.rollout.sample).await?;
            let before = anchor;
            anchor = push(&mut made, next, anchor, declared);
            model = made.len() - 1;
            report(&made, out, tell)?;
            stale = if anchor == before { stale + 1 } else { 0 };
            if stale == declared.plateau.window {
                tell(&format!("round {round}: a plateau after {iteration} iterations"));
                break;
            }
        }
        if round > 1 && anchor == anchor_before {
            tell(&format!("round {round} improved on nothing: the loop ends"));
            break;
        }
    }
    let best = best(&made);
    report(&made, out, &mut |_| {})?;
    Ok(Learned { models: made, best })
}

/// Compares a model with the anchor and adds it; returns the new anchor.
fn push(made: &mut Vec<Made>, mut next: Made, anchor: usize, declared: &Loop) -> usize {
    let (p_value, better) = next.evaluation.against(&made[anchor].evaluation);
    let improved = better && p_value < declared.plateau.significance;
    next.against = Some(Against { model: made[anchor].name.clone(), p_value, improved });
    made.push(next);
    if improved { made.len() - 1 } else { anchor }
}

/// The shapes that the declaration adds to those of a first model.
fn more_shapes(model: &Start) -> Result<Vec<Shape>, LoopError> {
    let Some(file) = &model.shapes else { return Ok(Vec::new()) };
    read_shapes(&fs_err::read_to_string(file)?).map_err(|why| LoopError::Shapes { path: file.clone(), why })
}

fn best(made: &[Made]) -> usize {
    let score = |at: &usize| {
        let evaluation = &made[*at].evaluation;
        (evaluation.solved(), std::cmp::Reverse(evaluation.tactics()), std::cmp::Reverse(*at))
    };
    (0..made.len()).max_by_key(score).expect("there is a base")
}

fn report(made: &[Made], out: &Path, tell: Tell<'_>) -> Result<(), LoopError> {
    lineage::write(&out.join("lineage.md"), made, best(made))?;
    if let Some(last) = made.last() {
        let against = last.against.as_ref().map_or_else(String::new, |against| {
            let mark = if against.improved { "better" } else { "no better" };
            format!(", {mark} than {} (p = {:.2e})", against.model, against.p_value)
        });
        tell(&format!("{}: {}{against}", last.name, last.score()));
    }
    Ok(())
}

/// The ids of held-out theorems that state, in the same context, what a theorem to train on states, whatever their names.
fn in_both(train: &[Problem], held_out: &[Problem]) -> Vec<String> {
    let known: HashSet<_> = train.iter().map(|problem| in_context(&problem.theorem)).collect();
    let both = held_out.iter().filter(|problem| known.contains(&in_context(&problem.theorem)));
    both.map(|problem| problem.theorem.id.to_string()).collect()
}

/// A loop at work: its declaration, folder and theorems.
struct Work<'a> {
    declared: &'a Loop,
    out: &'a Path,
    train: Vec<Problem>,
    held_out: Vec<Problem>,
    theorems: BTreeMap<&'static str, String>,
    with: &'a Searching,
}

impl<'a> Work<'a> {
    fn begin(
        declared: &'a Loop,
        out: &'a Path,
        resume: bool,
        with: &'a Searching,
    ) -> Result<Self, LoopError> {
        let project = declared.searching_with(Path::new("model"))?.project;
        let read = |path: &Path| dataset::read(path, None, project.as_deref()).map(|set| set.problems);
        let (train, held_out) = (read(&declared.theorems.train)?, read(&declared.theorems.held_out)?);
        let theorems = BTreeMap::from([
            ("train", digest(&declared.theorems.train)?),
            ("held_out", digest(&declared.theorems.held_out)?),
        ]);
        let refuse = |what: String| LoopError::Declaration { path: declared.theorems.train.clone(), what };
        if train.is_empty() || held_out.is_empty() {
            return Err(refuse("there must be theorems to train on, and theorems held out".to_owned()));
        }
        let common = in_both(&train, &held_out);
        if !common.is_empty() {
            return Err(LoopError::Overlap { path: declared.theorems.held_out.clone(), held_out: common });
        }
        let (model, is_built_in) = (&declared.model, declared.train.command.is_none());
        more_shapes(model)?;
        if let Some(base) = &model.base {
            fs_err::metadata(base)?;
            if is_built_in {
                Model::read(base)?;
            }
        }
        let mut identity = serde_json::to_value(declared).expect("a declaration is JSON");
        // The same loop elsewhere is the same loop.
        identity["theorems"] = json!(theorems);
        if out.is_dir() {
            remove_unfinished(out)?;
        }
        let path = out.join("loop.json");
        let damaged = |error: serde_json::Error| {
            LoopError::from(FileError::Malformed { path: path.clone(), line: None, what: error.to_string() })
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let held: Value = serde_json::from_str(&text).map_err(damaged)?;
                let mut keys = differing(&held, &identity, "");
                if !resume && keys.is_empty() {
                    return Err(LoopError::Resumable(out.to_owned()));
                }
                let may_change = |key: &String| MAY_CHANGE.iter().any(|prefix| key.starts_with(prefix));
                keys.retain(|key| !(resume && may_change(key)));
                if !keys.is_empty() {
                    return Err(LoopError::OtherLoop { path: out.to_owned(), keys });
                }
                if held != identity {
                    write_json(&path, &identity)?;
                }
            }
            Err(_) if out.is_dir() && fs_err::read_dir(out)?.next().is_some() => {
                return Err(LoopError::Occupied(out.to_owned()));
            }
            Err(_) => write_json(&path, &identity)?,
        }
        Ok(Self { declared, out, train, held_out, theorems, with })
    }

    /// The base, evaluated.
    async fn base(&self) -> Result<Made, LoopError> {
        let (folder, file) = (self.out.join("base"), &self.declared.model.file);
        let system = self.train[0].theorem.system;
        let start = &self.declared.model;
        let given = |path: &Option<PathBuf>| path.as_deref().map(digest).transpose();
        let inputs = [("base", given(&start.base)?), ("shapes", given(&start.shapes)?)];
        let stage = Stage {
            folder: &folder,
            name: "begin",
            inputs: inputs
                .into_iter()
                .filter_map(|(name, digest)| Some((name.to_owned(), digest?)))
                .collect(),
            parameters: json!({ "system": system.name() }),
            outputs: vec![file.clone()],
            run: None,
        };
        let begun = stage
            .done(async || {
                let path = folder.join(file);
                match &start.base {
                    Some(base) => copy(base, &path)?,
                    None => Model::zero(system, &more_shapes(start)?).write(&path)?,
                }
                Ok(BTreeMap::new())
            })
            .await?;
        let (digest, stages) = (begun.outputs[file].clone(), BTreeMap::from([("begin".to_owned(), begun)]));
        self.evaluated("base".to_owned(), &folder, digest, stages, None).await
    }

    /// The model of a round and iteration: trained from `parent` on proofs that `prover` finds, of all theorems or a sample.
    /// Iteration 0 is the outer loop's, with its own selection of rows.
    async fn make(
        &self,
        round: u32,
        iteration: u32,
        parent: &Made,
        prover: &Made,
        sample: Option<usize>,
    ) -> Result<Made, LoopError> {
        let name = format!("{round}.{iteration}");
        let folder = self.out.join(&name);
        let is_outer = iteration == 0;
        let attempts =
            if is_outer { self.declared.synthesis.attempts } else { self.declared.rollout.attempts };
        let path = |made: &Made| self.out.join(&made.file);

        let mut config = self.declared.searching_with(&path(prover))?;
        let number = u64::from(round) << 32 | u64::from(iteration);
        let problems = self.sample(sample, config.seed, number);
        // Each rollout draws anew.
        config.seed = config.seed.wrapping_add(number.wrapping_mul(u64::from(attempts)));
        let stage = Stage {
            folder: &folder,
            name: "rollout",
            inputs: self.inputs("train", prover),
            parameters: json!({ "attempts": attempts, "sample": sample, "seed": config.seed, "config": self.settings() }),
            outputs: ROLLOUT.map(str::to_owned).to_vec(),
            run: Some(ROLLOUT_RUN),
        };
        let search = Search { problems, config, serve: self.declared.serving_with(&path(prover)) };
        let work = async || search::rollout(search, attempts, &folder, self.with).await;
        let rolled_out = stage.done(work).await?;

        let stage = Stage {
            folder: &folder,
            name: "select",
            inputs: rolled_out.outputs.clone(),
            parameters: if is_outer { json!(self.declared.curate) } else { json!(self.declared.filter) },
            outputs: ROWS.map(str::to_owned).to_vec(),
            run: None,
        };
        let selected = stage.done(async || self.select(&folder, is_outer)).await?;

        let file = &self.declared.model.file;
        let [steps, goals, pairs, theorems] = ROWS.map(|name| folder.join(name));
        let (parent_file, model) = (path(parent), folder.join(file));
        let training = Training { steps, goals, pairs, theorems, parent: parent_file, model };
        let mut inputs = selected.outputs.clone();
        inputs.insert("parent".to_owned(), parent.digest.clone());
        let stage = Stage {
            folder: &folder,
            name: "train",
            inputs,
            parameters: json!(Train { timeout_s: None, ..self.declared.train.clone() }),
            outputs: vec![file.clone()],
            run: None,
        };
        let trained =
            stage.done(async || fit(&training, &self.declared.train, &self.with.cancel).await).await?;
        let digest = trained.outputs[file].clone();
        let stages = [("rollout", rolled_out), ("select", selected), ("train", trained)];
        let stages = stages.into_iter().map(|(name, receipt)| (name.to_owned(), receipt)).collect();
        let origin = Some((parent.name.clone(), prover.name.clone()));
        self.evaluated(name, &folder, digest, stages, origin).await
    }

    /// The theorems of a rollout, in order.
    fn sample(&self, sample: Option<usize>, seed: u64, number: u64) -> Vec<Problem> {
        let mut places: Vec<usize> = (0..self.train.len()).collect();
        places.shuffle(&mut stream_at(seed, Purpose::Candidates, number, 0));
        places.truncate(sample.unwrap_or(self.train.len()));
        places.sort_unstable();
        places.into_iter().map(|at| self.train[at].clone()).collect()
    }

    fn select(&self, folder: &Path, is_outer: bool) -> Result<BTreeMap<String, u64>, LoopError> {
        let [rollout, rates] = ROLLOUT.map(|name| folder.join(name));
        let tried: Vec<rows::Tried> = rows::read(&rollout)?;
        let steps = filter::steps(&tried, &self.declared.filter);
        let (steps, curated) = if is_outer {
            let rates = serde_json::from_str(&fs_err::read_to_string(&rates)?).unwrap_or_default();
            curate(steps, &rates, &self.declared.curate)
        } else {
            (steps, Curated::default())
        };
        let [steps_file, goals_file, pairs_file, theorems_file] = ROWS.map(|name| folder.join(name));
        let pairs = filter::pairs(&tried, &steps);
        rows::write(&steps_file, &steps)?;
        rows::write(&goals_file, &filter::goals(&tried))?;
        rows::write(&pairs_file, &pairs)?;
        let theorem = |Problem { theorem, .. }: &Problem| rows::TheoremRow {
            theorem: theorem.id.clone(),
            system: theorem.system.to_string(),
            header: theorem.header.clone(),
            statement: theorem.statement.clone(),
            footer: theorem.footer.clone(),
        };
        rows::write(&theorems_file, &self.train.iter().map(theorem).collect::<Vec<_>>())?;
        let Curated { low_quality, duplicates, near_duplicates } = curated;
        let mut counts = BTreeMap::from([
            ("steps".to_owned(), steps.len() as u64),
            ("pairs".to_owned(), pairs.len() as u64),
        ]);
        if is_outer {
            let curated = [
                ("low_quality", low_quality),
                ("duplicates", duplicates),
                ("near_duplicates", near_duplicates),
            ];
            counts.extend(curated.map(|(name, count)| (name.to_owned(), count)));
        }
        Ok(counts)
    }

    async fn evaluated(
        &self,
        name: String,
        folder: &Path,
        digest: String,
        mut stages: BTreeMap<String, crate::stage::Receipt>,
        origin: Option<(String, String)>,
    ) -> Result<Made, LoopError> {
        let file = &self.declared.model.file;
        let (parent, proofs_of) = origin.unzip();
        let mut made = Made {
            file: format!("{name}/{file}"),
            name,
            digest,
            parent,
            proofs_of,
            stages: BTreeMap::new(),
            evaluation: Evaluation { theorems: Vec::new() },
            against: None,
        };
        let config = self.declared.searching_with(&folder.join(file))?;
        let stage = Stage {
            folder,
            name: "evaluate",
            inputs: self.inputs("held_out", &made),
            parameters: json!({ "config": self.settings() }),
            outputs: vec![EVALUATION.to_owned()],
            run: Some(EVALUATION_RUN),
        };
        let serve = self.declared.serving_with(&folder.join(file));
        let search = Search { problems: self.held_out.clone(), config, serve };
        let work = async || search::evaluate(search, folder, self.with).await;
        stages.insert("evaluate".to_owned(), stage.done(work).await?);
        made.stages = stages;
        made.evaluation = Evaluation::read(folder)?;
        Ok(made)
    }

    /// What a search reads.
    fn inputs(&self, theorems: &'static str, model: &Made) -> BTreeMap<String, String> {
        BTreeMap::from([
            (theorems.to_owned(), self.theorems[theorems].clone()),
            ("model".to_owned(), model.digest.clone()),
        ])
    }

    /// The digest of the configuration of searches, whatever folder the models are in.
    fn settings(&self) -> String {
        let config: Config = self.declared.searching_with(Path::new("model")).expect("it was read");
        of_bytes(config.digest().as_bytes())
    }
}

/// What may be another when a loop goes on: a trainer that was wrong, and when to end. What was made with other keys is another
/// loop's.
const MAY_CHANGE: [&str; 3] = ["train.command", "train.timeout_s", "plateau."];

/// The keys in which two declarations differ.
fn differing(a: &Value, b: &Value, prefix: &str) -> Vec<String> {
    let (Value::Object(of_a), Value::Object(of_b)) = (a, b) else {
        return if a == b { Vec::new() } else { vec![prefix.to_owned()] };
    };
    let keys: BTreeSet<&String> = of_a.keys().chain(of_b.keys()).collect();
    let name = |key: &str| if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
    let of = |value: Option<&Value>| value.cloned().unwrap_or_default();
    keys.into_iter().flat_map(|key| differing(&of(of_a.get(key)), &of(of_b.get(key)), &name(key))).collect()
}
