//! Corpus runs as their users meet them, and runs that are killed again and again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, andor, left};
use andor_artifact::result::{AttemptResult, Outcome, Timing};
use andor_run::folder::RunFolder;
use serde_json::Value;

/// Theorems of which some have a short proof, and some none that is found.
const CORPUS: &str = r#"{"id": "weakening", "system": "mini", "statement": "theorem t (p q : Prop) : p → q → p"}
{"id": "swap", "system": "mini", "statement": "theorem t (p q : Prop) : p ∧ q → q ∧ p"}
{"id": "hopeless", "system": "mini", "statement": "theorem t (p : Prop) : p"}
{"id": "near", "system": "synthetic", "statement": "easy 1"}
{"id": "middle", "system": "synthetic", "statement": "medium 3"}
{"id": "far", "system": "synthetic", "statement": "hard 1"}
"#;

const OPTIONS: &str = "--pass-k 2 --jobs 2 --clock virtual --time none --max-iterations 30 --verify compiled";

fn args<'a>(corpus: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    ["run", corpus, "--out", out].into_iter().chain(OPTIONS.split(' ')).chain(more.iter().copied()).collect()
}

/// Small random numbers, the same for the same seed (Steele et al. 2014, SplitMix).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// When to kill the program.
#[derive(Debug)]
enum Moment {
    /// As soon as this file is there.
    Appears(&'static str),
    /// When it has said so many lines.
    Lines(u64),
    /// When so much time has passed.
    After(Duration),
}

impl Moment {
    fn draw(draw: &mut Draw) -> Self {
        match draw.below(8) {
            0 => Self::Appears(["run.db", "run.db-wal", "run.json", "results.jsonl"][draw.below(4) as usize]),
            1..4 => Self::Lines(1 + draw.below(4)),
            _ => Self::After(Duration::from_micros(draw.below(400_000))),
        }
    }

    /// Waits for the moment; whether the program was still at work then.
    fn wait(&self, program: &mut Child, out: &Path) -> bool {
        if let Self::Lines(n) = self {
            let lines = BufReader::new(program.stderr.take().unwrap()).lines();
            return lines.take(*n as usize).count() as u64 == *n;
        }
        let began = Instant::now();
        loop {
            let has_come = match self {
                Self::Appears(file) => out.join(file).exists(),
                Self::Lines(_) => true,
                Self::After(time) => began.elapsed() >= *time,
            };
            if has_come {
                return true;
            }
            if program.try_wait().unwrap().is_some() {
                return false;
            }
            std::thread::yield_now();
        }
    }
}

/// The results in a folder, as they are stored. Nothing, as long as there is no database that can be read.
fn stored(out: &Path) -> Vec<AttemptResult> {
    RunFolder::read(out).map(|run| run.results).unwrap_or_default()
}

/// A result without what depends on the machine: times, and which workers were at hand.
fn timeless(mut result: AttemptResult) -> AttemptResult {
    result.timing = Timing::default();
    result.proof_steps.iter_mut().for_each(|step| step.took_ms = 0.0);
    (result.spent.workers_started, result.spent.workers_reused) = (0, 0);
    result
}

/// A graph without the times of its steps.
fn timeless_graph(bytes: &[u8]) -> Vec<u8> {
    let mut graph: Value = serde_json::from_slice(bytes).unwrap();
    for step in graph["steps"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("took_ms");
    }
    graph.to_string().into_bytes()
}

/// Every file of the attempts whose content is settled, by its path.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![out.join("theorems")];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(out).unwrap().to_str().unwrap().to_owned();
                let bytes = fs_err::read(&path).unwrap();
                found.insert(name, if path.ends_with("graph.json") { timeless_graph(&bytes) } else { bytes });
            }
        }
    }
    found
}

/// The lines of `results.jsonl` after the opening.
fn lines(out: &Path) -> Vec<AttemptResult> {
    let text = fs_err::read_to_string(out.join("results.jsonl")).unwrap();
    assert!(text.ends_with('\n'));
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_that_is_killed_fifty_times_ends_like_one_that_is_not() {
    const KILLS: usize = 50;
    let seed = 6;
    let mut draw = Draw(seed);
    let folder = Folder::new();
    let corpus = folder.write("corpus.jsonl", CORPUS);
    let whole = folder.path("WHOLE");
    let (code, _, err) = left(andor(&args(&corpus, &whole, &[])).output().unwrap());
    assert_eq!(code, 1, "{err}");
    let expected: Vec<AttemptResult> = stored(Path::new(&whole)).into_iter().map(timeless).collect();
    assert!(expected.len() > 6 && expected.len() < 12, "{}", expected.len());
    let mut kills = 0;
    for round in 0.. {
        let out = folder.path(&format!("KILLED-{round}"));
        let out = Path::new(&out);
        let mut kept: Vec<AttemptResult> = Vec::new();
        loop {
            let arguments = args(&corpus, out.to_str().unwrap(), &["--resume"]);
            let mut program = andor(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            // When there were enough kills, the run may end.
            let moment = (kills < KILLS).then(|| Moment::draw(&mut draw));
            if moment.as_ref().is_some_and(|moment| moment.wait(&mut program, out)) {
                program.kill().unwrap();
            }
            let ended = program.wait_with_output().unwrap();
            kills += usize::from(ended.status.code().is_none());
            let now = stored(out);
            let what = format!("seed {seed}, kill {kills}, {moment:?}");
            // The times of a result show that it is still the same: made once, and kept. Only what comes after the
            // first accepted attempt is taken back.
            let first = |theorem: &str| {
                let accepted = now.iter().filter(|r| r.theorem == theorem && r.outcome == Outcome::Accepted);
                accepted.map(|r| r.attempt).min().unwrap_or(u32::MAX)
            };
            for result in &kept {
                let is_kept = now.contains(result) || result.attempt > first(&result.theorem);
                assert!(is_kept, "{what}: {} {} is lost", result.theorem, result.attempt);
            }
            kept = now;
            if let Some(code) = ended.status.code() {
                assert_eq!(code, 1, "{what}: {}", String::from_utf8_lossy(&ended.stderr));
                break;
            }
        }
        assert_eq!(lines(out), kept, "round {round}");
        assert_eq!(
            kept.into_iter().map(timeless).collect::<Vec<_>>(),
            expected,
            "seed {seed}, round {round}"
        );
        let (found, wanted) = (files(out), files(Path::new(&whole)));
        assert_eq!(found.keys().collect::<BTreeSet<_>>(), wanted.keys().collect::<BTreeSet<_>>());
        assert!(found == wanted, "seed {seed}, round {round}: files differ");
        if kills >= KILLS {
            break;
        }
    }
}

#[test]
fn a_corpus_run_finds_a_folder_and_says_where_it_is() {
    let folder = Folder::new();
    folder.write("few.jsonl", CORPUS.split_inclusive('\n').skip(3).take(2).collect::<String>().as_str());
    let options = ["run", "few.jsonl", "--max-iterations", "5", "--keep", "none"];
    let run = || left(andor(&options).current_dir(folder.0.path()).output().unwrap());
    let (code, out, err) = run();
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("near") && out.contains("of 2 proved"), "{out}");
    assert!(err.contains("the run is in runs/few-1"), "{err}");
    assert!(!folder.0.path().join("runs/few-1/theorems").exists(), "no files of attempts were asked for");
    assert!(run().2.contains("runs/few-2"));
    let broken = [&options[..], &["--pass-k", "2", "--basin-seeds", "2"]].concat();
    let (code, _, err) = left(andor(&broken).current_dir(folder.0.path()).output().unwrap());
    assert_eq!(code, 2);
    assert!(err.contains("--pass-k cannot be combined with --basin-seeds"), "{err}");
    assert!(!folder.0.path().join("runs/few-3").exists(), "a run that cannot begin leaves no folder");
}

#[test]
fn when_the_time_of_a_run_is_up_it_can_go_on() {
    let folder = Folder::new();
    let corpus = folder.write("open.jsonl", r#"{"id": "x", "system": "synthetic", "statement": "open 1"}"#);
    let out = folder.path("RUN");
    let common = ["run", corpus.as_str(), "--out", &out, "--time", "none", "--json"];
    let (code, said, err) =
        left(andor(&[&common[..], &["--total-time", "200ms"]].concat()).output().unwrap());
    assert_eq!(code, 1, "{err}");
    assert!(
        err.contains("--total-time: the time limit of the run is reached") && err.contains("--resume"),
        "{err}"
    );
    let result: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(result["outcome"], "interrupted");
    assert!(stored(Path::new(&out)).is_empty());
    let resumed = ["--resume", "--max-candidates", "50"];
    let (code, _, err) = left(andor(&[&common[..], &resumed].concat()).output().unwrap());
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("budget.max_candidates: null → 50 (--max-candidates)"), "{err}");
    let forced = [&common[..], &resumed, &["--force"]].concat();
    let (code, _, err) = left(andor(&forced).output().unwrap());
    assert_eq!(code, 1, "{err}");
    assert_eq!(stored(Path::new(&out))[0].stop_reason, "candidates");
    let run = RunFolder::read(Path::new(&out)).unwrap();
    assert_eq!(run.record.reconfigured.len(), 1);
    assert_eq!(run.record.reconfigured[0].config["budget"]["max_candidates"], 50);
}
