//! `andor learn`: the example learns, at a small size; a killed loop goes on; trainers of one's own.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::support::kill_when;
use crate::support::{Folder, andor, left};
use andor_testkit::llama;
use serde_json::{Value, json};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The first theorems of an example's file.
fn some(file: &str, n: usize) -> String {
    let text = fs_err::read_to_string(examples().join("loop").join(file)).unwrap();
    text.split_inclusive("sorry\n").take(n).collect()
}

/// A small loop in a folder; returns its file.
fn declared(folder: &Folder, more: &str) -> String {
    declared_over(folder, 6, 5, more)
}

/// A loop over the first theorems to train on, and of those held out.
fn declared_over(folder: &Folder, train: usize, held_out: usize, more: &str) -> String {
    folder.write("train.lean", &some("train.lean", train));
    folder.write("held_out.lean", &some("held_out.lean", held_out));
    let text = format!(
        "[theorems]\ntrain = \"train.lean\"\nheld_out = \"held_out.lean\"\n\
         [config]\nseed = 1\n[config.budget]\ntime_s = \"none\"\nmax_candidates = 15\n\
         [config.workers]\ntactic_timeout_s = 0.1\n[config.verify]\nlevel = \"compiled\"\n{more}"
    );
    folder.write("loop.toml", &text)
}

const SMALL: &str =
    "[rollout]\nsample = 12\n[synthesis]\nattempts = 2\n[plateau]\nwindow = 1\niterations = 2\nrounds = 2\n";

/// The digests of everything that the stages of a loop wrote.
fn digests(out: &str) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for made in fs_err::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for file in fs_err::read_dir(&made).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.strip_prefix(out).unwrap().to_str().unwrap().to_owned();
            if name.ends_with(".stage.json") {
                let receipt: Value = serde_json::from_str(&fs_err::read_to_string(&file).unwrap()).unwrap();
                found.insert(name, receipt["outputs"].clone());
            }
        }
    }
    found
}

fn models(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn solved(out: &str, model: &Value) -> usize {
    let path = Path::new(out).join(model["name"].as_str().unwrap()).join("evaluation.json");
    let evaluation: Value = serde_json::from_str(&fs_err::read_to_string(path).unwrap()).unwrap();
    evaluation["theorems"].as_array().unwrap().iter().filter(|theorem| theorem["solved"] == true).count()
}

#[test]
fn it_learns_from_zero_weights_whatever_the_number_of_jobs() {
    let folder = Folder::new();
    let file = declared_over(&folder, 16, 14, SMALL);
    let of = |jobs: &str| {
        let out = folder.path(jobs);
        let (code, stdout, stderr) =
            left(andor(&["learn", &file, "--out", &out, "--jobs", jobs, "--json"]).output().unwrap());
        assert_eq!(code, 0, "{stderr}");
        (out, models(&stdout))
    };
    let (out, made) = of("1");
    let (first, last) = (solved(&out, &made[0]), solved(&out, made.last().unwrap()));
    assert!(last >= first + 4, "{first} and {last} of 14");
    assert_eq!(digests(&out), digests(&of("3").0));
    // The outer loop trains from the base, on proofs of the best model before it.
    let outer = made.iter().find(|made| made["name"] == "2.0").unwrap();
    assert_eq!(outer["parent"], "base");
    assert_ne!(outer["proofs_of"], "base");
    let page = fs_err::read_to_string(Path::new(&out).join("lineage.md")).unwrap();
    assert!(made.iter().all(|made| page.contains(made["digest"].as_str().unwrap())), "{page}");
    // The model serves any other search.
    let provider = format!("learned={out}/{}", last_file(&made));
    let theorem = "theorem t (a b : Nat) : a + b = b + a";
    let proved = andor(&["prove", "--statement", theorem, "--system", "mini", "--provider", &provider])
        .output()
        .unwrap();
    assert_eq!(left(proved).0, 0);
}

fn last_file(made: &[Value]) -> String {
    made.last().unwrap()["file"].as_str().unwrap().to_owned()
}

#[test]
fn a_loop_that_is_killed_at_many_moments_comes_to_the_same() {
    let folder = Folder::new();
    let file = declared(&folder, SMALL);
    let (whole, out) = (folder.path("whole"), folder.path("killed"));
    assert_eq!(left(andor(&["learn", &file, "--out", &whole]).output().unwrap()).0, 0);
    let of_model = [
        "rollout",
        "rollout/run.db",
        "rollout/results.jsonl",
        "rollout.jsonl",
        "rollout.stage.json",
        "steps.jsonl",
        "select.stage.json",
        "model.json",
        "train.stage.json",
        "evaluation/run.db",
        "evaluation.json",
    ];
    let mut moments =
        vec!["loop.json".to_owned(), "base/model.json".to_owned(), "base/evaluation/run.db".to_owned()];
    for model in ["1.1", "2.0"] {
        moments.extend(of_model.iter().map(|file| format!("{model}/{file}")));
    }
    let mut killed = 0;
    for moment in moments {
        let awaited = Path::new(&out).join(&moment);
        let args = ["learn", &file, "--out", &out, "--resume", "--jobs", "2"];
        killed += usize::from(kill_when(&args, || awaited.exists()));
    }
    assert!(killed >= 20, "{killed} moments");
    let (code, _, stderr) = left(andor(&["learn", &file, "--out", &out, "--resume"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(digests(&out), digests(&whole));
}

#[test]
fn a_trainer_of_ones_own_reads_rows_and_writes_a_model() {
    let folder = Folder::new();
    let script = examples().join("loop/counts.py");
    let script = script.to_str().unwrap();
    let base = folder.write("nothing.json", "{}");
    let more = format!(
        "[[config.providers]]\nkind = \"exec\"\ncommand = \"python3 {script} serve {{model}}\"\n\
         [model]\nbase = \"{base}\"\n[rollout]\nattempts = 1\n[plateau]\niterations = 2\nrounds = 1\n\
         [train]\ncommand = \"python3 {script} train {{steps}} {{parent}} {{model}}\"\n"
    );
    let file = declared(&folder, &more);
    let out = folder.path("out");
    let (code, stdout, stderr) = left(andor(&["learn", &file, "--out", &out, "--json"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let made = models(&stdout);
    assert!(solved(&out, &made[2]) >= solved(&out, &made[0]), "{stdout}");
    assert_eq!(made[2]["parent"], "1.1");

    // One that fails is told of, and the loop goes on where it was.
    let file = declared(
        &folder,
        &more.replace(&format!("python3 {script} train"), "sh -c 'echo no gpu >&2; exit 3'"),
    );
    let out = folder.path("failed");
    let (code, _, stderr) = left(andor(&["learn", &file, "--out", &out]).output().unwrap());
    assert!(code == 2 && stderr.contains("no gpu") && stderr.contains("exit status: 3"), "{code} {stderr}");
    assert!(Path::new(&out).join("1.1/select.stage.json").exists());
    let file = declared(&folder, &more.replace(&format!("python3 {script} train"), "true"));
    let (code, _, stderr) = left(andor(&["learn", &file, "--out", &folder.path("none")]).output().unwrap());
    assert!(code == 2 && stderr.contains("wrote no model"), "{code} {stderr}");
}

#[test]
fn what_a_loop_begins_with_is_read_before_its_folder_is_made() {
    let folder = Folder::new();
    let (none, text) = (folder.path("none"), folder.write("text", "{"));
    for (more, wrong) in [
        (format!("[model]\nbase = \"{none}\"\n"), &none),
        (format!("[model]\nbase = \"{text}\"\n"), &text),
        (format!("[model]\nshapes = \"{none}\"\n"), &none),
        (format!("[model]\nshapes = \"{text}\"\n"), &text),
    ] {
        let out = folder.path("out");
        let (code, _, stderr) =
            left(andor(&["learn", &declared(&folder, &more), "--out", &out]).output().unwrap());
        assert!(code == 2 && stderr.contains(wrong.as_str()), "{more}: {code} {stderr}");
        assert!(!Path::new(&out).exists(), "{more}");
    }
}

#[test]
fn failed_attempts_say_nothing_about_a_model() {
    let folder = Folder::new();
    let script = examples().join("loop/counts.py");
    let (base, broken) = (folder.write("nothing.json", "{}"), folder.write("broken", ""));
    let more = format!(
        "[[config.providers]]\nkind = \"exec\"\n\
         command = \"sh -c 'test ! -e {broken} && exec python3 {script} serve {{model}}'\"\n\
         [model]\nbase = \"{base}\"\n[rollout]\nattempts = 1\n[plateau]\niterations = 1\nrounds = 1\n\
         [train]\ncommand = \"python3 {script} train {{steps}} {{parent}} {{model}}\"\n",
        script = script.display()
    );
    let file = declared(&folder, &more);
    let out = folder.path("out");
    let (code, stdout, stderr) = left(andor(&["learn", &file, "--out", &out]).output().unwrap());
    assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
    assert!(stderr.contains("5 of 5 attempts failed") && stderr.contains("--resume"), "{stderr}");
    assert!(!Path::new(&out).join("base/evaluate.stage.json").exists());
    // Once the cause is mended, they are repeated, also in a folder that was moved.
    fs_err::remove_file(broken).unwrap();
    let moved = folder.path("moved");
    fs_err::rename(&out, &moved).unwrap();
    let (code, stdout, stderr) =
        left(andor(&["learn", &file, "--out", &moved, "--resume", "--json"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(models(&stdout).len(), 2, "{stdout}");
    assert!(solved(&moved, &models(&stdout)[0]) > 0);
}

/// The declaration of `examples/loop-gguf.toml` over theorems in a folder, with a server on a free port.
fn with_a_language_model(folder: &Folder, serve: impl Fn(u16) -> String) -> String {
    // Nobody else takes it: such ports are given out in turn.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let trainer = examples().join("trainers/bigram.py").display().to_string();
    let base = folder.path("base.gguf");
    #[expect(clippy::disallowed_methods, reason = "the example is run as its users run it")]
    let made = std::process::Command::new("python3").args([&trainer, "base", &base]).status().unwrap();
    assert!(made.success());
    let more = format!(
        "[[config.providers]]\nkind = \"llm\"\nmodel = \"http://127.0.0.1:{port}/v1\"\n\
         [config.llm]\nprompt = \"{}\"\nn = 16\ntemperature = 1.0\nmax_tokens = 4\n\
         [model]\nbase = \"{base}\"\nfile = \"model.gguf\"\nserve = \"{}\"\n\
         [rollout]\nattempts = 2\n[plateau]\niterations = 1\nrounds = 1\n\
         [train]\ncommand = \"python3 {trainer} train {{steps}} {{parent}} {{model}}\"\n",
        examples().join("trainers/bigram.j2").display(),
        serve(port)
    );
    declared_over(folder, 24, 12, &more)
}

#[test]
fn a_language_model_is_served_and_trained_again() {
    let folder = Folder::new();
    let file = with_a_language_model(&folder, |port| {
        let options = llama::Options { port, context: 1 << 14, ..llama::Options::default() };
        llama::command("{model}", &options).join(" ")
    });
    let out = folder.path("out");
    let (code, stdout, stderr) = left(andor(&["learn", &file, "--out", &out, "--json"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let made = models(&stdout);
    let (first, last) = (solved(&out, &made[0]), solved(&out, &made[1]));
    assert!(last > first, "{first} and {last} of 12");
    assert_ne!(made[0]["digest"], made[1]["digest"]);
}

#[test]
fn a_server_that_ends_is_told_of() {
    let folder = Folder::new();
    let file = with_a_language_model(&folder, |_| "sh -c 'echo no memory >&2; exit 3'".to_owned());
    let out = folder.path("out");
    let (code, _, stderr) = left(andor(&["learn", &file, "--out", &out]).output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("no memory") && stderr.contains("exit status: 3"), "{stderr}");
}

#[test]
fn mistakes_are_told_before_anything_begins() {
    let folder = Folder::new();
    let learn = |file: &str, more: &[&str]| left(andor(&[&["learn", file], more].concat()).output().unwrap());
    let file = declared(&folder, "[train]\nepoch = 2\n");
    let (code, _, stderr) = learn(&file, &["--out", &folder.path("out")]);
    assert!(code == 2 && stderr.contains("epoch") && stderr.contains("loop.toml"), "{stderr}");
    assert!(!Path::new(&folder.path("out")).exists());

    let file = declared(&folder, "[config.search]\npolicy = \"luck\"\n");
    let (code, _, stderr) = learn(&file, &["--out", &folder.path("out")]);
    assert!(code == 2 && stderr.matches("unknown variant `luck`").count() == 1, "{stderr}");

    // Another name makes no other theorem.
    let file = declared(&folder, "");
    let shared = some("train.lean", 1).replacen("theorem ", "theorem again_", 1);
    folder.write("held_out.lean", &(some("held_out.lean", 3) + &shared));
    let (code, _, stderr) = learn(&file, &["--out", &folder.path("out")]);
    assert!(
        code == 2 && stderr.contains("1 theorem stands among those to train on, too: again_"),
        "{stderr}"
    );
    assert!(!Path::new(&folder.path("out")).exists());

    let file = declared(&folder, "[plateau]\niterations = 1\nrounds = 1\n[rollout]\nsample = 2\n");
    let out = folder.path("out");
    assert_eq!(learn(&file, &["--out", &out]).0, 0);
    let (code, _, stderr) = learn(&file, &["--out", &out]);
    assert!(code == 2 && stderr.contains("--resume"), "{stderr}");
    let other = declared(&folder, "[plateau]\niterations = 2\nrounds = 1\n");
    let (code, _, stderr) = learn(&other, &["--out", &out, "--resume"]);
    assert!(code == 2 && stderr.contains("another declaration: rollout.sample differ"), "{stderr}");

    // What was changed by hand is noticed.
    let file = declared(&folder, "[plateau]\niterations = 1\nrounds = 1\n[rollout]\nsample = 2\n");
    folder.write("out/1.1/steps.jsonl", "");
    let (code, _, stderr) = learn(&file, &["--out", &out, "--resume"]);
    assert!(code == 2 && stderr.contains("steps.jsonl") && stderr.contains("changed"), "{stderr}");
}

#[test]
fn a_trainer_that_was_wrong_can_be_mended() {
    let folder = Folder::new();
    let learn = |file: &str, more: &[&str]| left(andor(&[&["learn", file], more].concat()).output().unwrap());
    // A file that every trainer copies.
    let tactics =
        ["intro h", "simp_all", "exact h"].map(|tactic| json!({"tactic": tactic, "log_prior": -1.0}));
    folder.write("base.json", &json!({"rules": [{"tactics": tactics}]}).to_string());
    let of = |trainer: &str, iterations: u32| {
        let more = format!(
            "[[config.providers]]\nkind = \"scripted\"\npath = \"{{model}}\"\n[model]\nbase = \"base.json\"\n[train]\n{trainer}\n\
             [plateau]\niterations = {iterations}\nrounds = 1\n[rollout]\nsample = 2\n"
        );
        declared(&folder, &more)
    };
    let out = folder.path("out");
    let (code, _, stderr) = learn(&of("command = \"echo 'unclosed\"", 1), &["--out", &out]);
    assert!(code == 2 && stderr.contains("must be a command, with every quote closed"), "{stderr}");

    let (code, _, stderr) = learn(&of("command = \"no-such-trainer\"", 1), &["--out", &out]);
    assert!(code != 0 && stderr.contains("no-such-trainer"), "{stderr}");
    let receipt = || fs_err::read_to_string(format!("{out}/1.1/rollout.stage.json")).unwrap();
    let before = receipt();
    let right = "command = \"cp {parent} {model}\"";
    let (code, _, stderr) = learn(&of(&format!("{right}\nrate = 0.5"), 1), &["--out", &out, "--resume"]);
    assert!(code == 2 && stderr.contains("another declaration: train.rate differ"), "{stderr}");
    let (code, _, stderr) = learn(&of(right, 1), &["--out", &out, "--resume"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(receipt(), before, "the rollout is not made again");
    let (code, _, stderr) = learn(&of(right, 2), &["--out", &out, "--resume"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(Path::new(&out).join("1.2/train.stage.json").exists());
}
