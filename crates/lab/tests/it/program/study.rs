//! `andor-lab study`: what a report says, that it is the same after interruptions, and what is refused.

use std::collections::BTreeMap;
use std::path::Path;

use super::andor_lab;
use andor_testkit::program::{Folder, kill_when, left};
use serde_json::Value;

const PROVIDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/provider.py");

/// Ten theorems of which the arm `weak` proves none.
fn declared(folder: &Folder, more: &str) -> String {
    let theorem = |n: usize| {
        let hypotheses = "p → ".repeat(n);
        format!("theorem t{n} (p q : Prop) : {hypotheses}q → p → p ∧ q := by sorry\n")
    };
    folder.write("t.lean", &(1..=10).map(theorem).collect::<String>());
    let text = format!(
        "title = \"Strong & weak\"\nquestion = \"Does <splitting> help?\"\ntheorems = \"t.lean\"\nseeds = 2\n{more}\
         [config]\nseed = 3\nclock = \"virtual\"\n[config.budget]\ntime_s = \"none\"\nmax_iterations = 40\n\
         [config.verify]\nlevel = \"compiled\"\n\
         [[arms]]\nname = \"weak\"\n[arms.config.tactics]\nblock = [\"constructor\", \"And.intro\", \"exact\", \"refine\", \
         \"apply\", \"simp\", \"simp_all\", \"tauto\", \"decide\", \"grind\", \"omega\"]\n\
         [[arms]]\nname = \"strong\"\n\
         [[comparisons]]\narm = \"strong\"\nwith = \"weak\"\nmeasure = \"solved\"\nexpect = \"more\"\n\
         [[comparisons]]\narm = \"strong\"\nwith = \"weak\"\nmeasure = \"expansions\"\n\
         [[comparisons]]\narm = \"strong\"\nwith = \"weak\"\nmeasure = \"seconds\"\n"
    );
    folder.write("study.toml", &text)
}

/// The files of a report, without the one about wall times.
fn report(out: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for folder in ["", "tables", "plots"] {
        for entry in fs_err::read_dir(Path::new(out).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(out).unwrap().to_str().unwrap().to_owned();
            if path.is_file() && name != "times.json" {
                files.insert(name, fs_err::read_to_string(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn a_report_says_what_differs_and_is_the_same_after_kills() {
    let folder = Folder::new();
    let file = declared(&folder, "analyses = [\"survival\", \"searches\"]\nreading = \"It does.\"\n");
    let (whole, out) = (folder.path("whole"), folder.path("killed"));
    let (code, stdout, stderr) =
        left(andor_lab(&["study", &file, "--out", &whole, "--jobs", "2", "--json"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let outcomes: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&outcomes[0]["value"], &outcomes[0]["theorems"]), (&1.0.into(), &10.into()), "{stdout}");
    // Of ten differences of one sign, 2 / 2^10.
    assert_eq!(
        (&outcomes[0]["p_value"], &outcomes[0]["finding"]),
        (&0.001953125.into(), &"as expected".into())
    );
    assert_eq!((&outcomes[1]["theorems"], &outcomes[1]["finding"]), (&0.into(), &"no data".into()));
    let files = report(&whole);
    let (page, html) = (&files["report.md"], &files["report.html"]);
    for part in [
        "# Strong & weak",
        "Does <splitting> help?",
        "10 theorems of `t.lean`",
        "2 seeds",
        "It does.",
        "as expected",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(
        html.contains("Does &lt;splitting&gt; help?") && html.contains("<svg") && !html.contains("<script")
    );
    assert!(
        files.contains_key("tables/arms.csv") && files.contains_key("plots/survival-iterations.svg"),
        "{files:?}"
    );
    assert!(!files.values().any(|text| text.contains("survival-seconds")));
    let measured = |text: &str| -> Vec<Value> {
        serde_json::from_str::<Vec<Value>>(text)
            .unwrap()
            .iter()
            .map(|outcome| outcome["measure"].clone())
            .collect()
    };
    assert_eq!(measured(&files["comparisons.json"]), ["solved", "expansions"]);
    let times: Value =
        serde_json::from_str(&fs_err::read_to_string(Path::new(&whole).join("times.json")).unwrap()).unwrap();
    assert_eq!(measured(&times["comparisons"].to_string()), ["seconds"]);

    let mut killed = 0;
    for moment in
        ["study.json", "runs/weak/run.db", "runs/weak/results.jsonl", "runs/strong/run.db", "tables/arms.csv"]
    {
        let awaited = Path::new(&out).join(moment);
        killed += usize::from(kill_when(andor_lab(&["study", &file, "--out", &out, "--resume"]), || {
            awaited.exists()
        }));
    }
    assert!(killed >= 4, "{killed} moments");
    assert_eq!(left(andor_lab(&["study", &file, "--out", &out, "--resume"]).output().unwrap()).0, 0);
    let other = report(&out);
    assert_eq!(other.keys().collect::<Vec<_>>(), files.keys().collect::<Vec<_>>());
    for (name, text) in &files {
        let differs = text.lines().zip(other[name].lines()).find(|(a, b)| a != b);
        assert!(other[name] == *text, "{name}: {differs:?}");
    }
}

#[test]
fn attempts_that_fail_count_nowhere() {
    let folder = Folder::new();
    let broken = folder.write("broken", "");
    let file = declared(&folder, "");
    let text = fs_err::read_to_string(&file).unwrap().replace(
        "name = \"strong\"\n",
        &format!(
            "name = \"strong\"\n[[arms.config.providers]]\nkind = \"exec\"\n\
             command = \"sh -c 'test ! -e {broken} && exec python3 {PROVIDER}'\"\n"
        ),
    );
    let (file, out) = (folder.write("failing.toml", &text), folder.path("out"));
    let (code, _, stderr) = left(andor_lab(&["study", &file, "--out", &out]).output().unwrap());
    assert_eq!(code, 3, "{stderr}");
    assert!(
        stderr.contains("arm `strong`: 20 of 20 attempts failed") && stderr.contains("--resume"),
        "{stderr}"
    );
    let page = &report(&out)["report.md"];
    assert!(page.contains("Some attempts failed") && page.contains("20 of 20 of `strong`"), "{page}");
    let comparisons = fs_err::read_to_string(Path::new(&out).join("comparisons.json")).unwrap();
    let outcomes: Vec<Value> = serde_json::from_str(&comparisons).unwrap();
    assert!(outcomes.iter().all(|outcome| outcome["finding"] == "no data"), "{comparisons}");
    fs_err::remove_file(broken).unwrap();
    let (code, _, stderr) = left(andor_lab(&["study", &file, "--out", &out, "--resume"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    assert!(!report(&out)["report.md"].contains("Some attempts failed"));
}

#[test]
fn what_is_not_this_study_is_refused() {
    let folder = Folder::new();
    let (file, out) = (declared(&folder, ""), folder.path("out"));
    fs_err::create_dir_all(&out).unwrap();
    fs_err::write(format!("{out}/notes.txt"), "mine").unwrap();
    let refused = |args: &[&str], said: &str| {
        let (code, _, err) = left(andor_lab(&[&["study"], args].concat()).output().unwrap());
        assert!(code == 2 && err.contains(said), "{args:?}: {code} {err}");
    };
    refused(&[&file, "--out", &out], "holds no study");
    refused(&[&folder.path("none.toml")], "none.toml");
    fs_err::remove_file(format!("{out}/notes.txt")).unwrap();
    assert_eq!(left(andor_lab(&["study", &file, "--out", &out]).output().unwrap()).0, 0);
    refused(&[&file, "--out", &out], "--resume");
    let other = fs_err::read_to_string(&file).unwrap().replace("seeds = 2", "seeds = 3");
    refused(&[&folder.write("other.toml", &other), "--out", &out, "--resume"], "another study");
    let wrong = fs_err::read_to_string(&file).unwrap().replace("max_iterations", "max_iteration");
    refused(&[&folder.write("wrong.toml", &wrong), "--out", &out], "max_iteration");
    // Other words make no other study.
    let reworded = fs_err::read_to_string(&file).unwrap().replace("Does <splitting>", "Does it");
    let reworded = folder.write("reworded.toml", &reworded);
    assert_eq!(left(andor_lab(&["study", &reworded, "--out", &out, "--resume"]).output().unwrap()).0, 0);
}

#[test]
fn arms_that_change_nothing_are_named() {
    let folder = Folder::new();
    folder.write("t.lean", "theorem t (p : Prop) : p → p := by sorry\n");
    let file = folder.write(
        "study.toml",
        "title = \"T\"\nquestion = \"Q?\"\ntheorems = \"t.lean\"\n[config]\nclock = \"virtual\"\n\
         [config.search]\npolicy = \"best-first\"\n\
         [[arms]]\nname = \"plain\"\n\
         [[arms]]\nname = \"explores\"\n[arms.config.search]\nexploration = 2.0\n\
         [[arms]]\nname = \"again\"\n[arms.config.search]\npolicy = \"best-first\"\n",
    );
    let (code, _, said) = left(andor_lab(&["study", &file, "--out", &folder.path("out")]).output().unwrap());
    assert_eq!(code, 0, "{said}");
    let told: Vec<&str> = said.lines().filter(|line| line.starts_with("arm `")).collect();
    let expected = [
        "arm `explores`: --exploration has no effect without --policy ucb1 or puct",
        "arm `again`: it has the configuration of `plain`; only time may differ",
    ];
    assert_eq!(told, expected);
}
