//! `andor plan` as users of the program meet it: plans made by hand, planners of whole corpora, and what is wrong.

use std::sync::{Arc, mpsc};

use crate::support::kill_when;
use crate::support::{Folder, andor, left};
use andor_testkit::block_on;
use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::{Value, json};

const MINI: &str = "theorem t (f : Nat → Nat) (n : Nat) (h : ∀ n, f n = 0) : f n = f 0 := by\n  sorry\n";
const FALSE: &str = "theorem t (n : Nat) : n = n + 1 := by\n  sorry\n";

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

/// A file of plans in the form of BFS-Prover, with one plan.
fn plan(steps: &[&str]) -> String {
    json!({ "t": { "plan": steps, "progress": 0 } }).to_string()
}

/// A file of plans in our own form, with one plan.
fn ours(kind: &str, steps: Value) -> String {
    let opening =
        json!({ "kind": kind, "format_version": { "major": 1, "minor": 0 }, "engine_version": "0" });
    json!({ "opening": opening, "plans": { "t": { "steps": steps } } }).to_string()
}

#[test]
fn what_is_wrong_with_a_plan_is_said() {
    let folder = Folder::new();
    let theorem = folder.write("t.lean", FALSE);
    let deep = format!("have h : {}n = n + 0{}", "(".repeat(20_000), ")".repeat(20_000));
    let many: Vec<String> = (0..100_000).map(|i| format!("have h{i} : {i} + n = n + {i}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let injected = json!([{ "name": "h : True := trivial\n  sorry --", "statement": "n = n + 1" }]);
    for (text, code, expected) in [
        (plan(&["have h : n + 0 = n"]), 0, "t: a plan of 1 steps holds\n  have h : n + 0 = n"),
        (
            ours("andor.plans", json!([{ "name": "h", "statement": "n + 0 = n" }])),
            0,
            "a plan of 1 steps holds",
        ),
        (plan(&[]), 2, "there is no step"),
        (plan(&["have h : False"]), 1, "step 1: have h : False: this is false: its negation is proved by"),
        // Of two that contradict each other, the second one is false where it stands.
        (plan(&["have a : n = 0", "have b : ¬ n = 0"]), 1, "step 2: have b : ¬ n = 0: this is false"),
        // Each needs the other: the first one cannot be stated.
        (plan(&["have a : b = b", "have b : a = a"]), 1, "step 1: have a : b = b: unknown identifier `b`"),
        (plan(&["have h : t n = t n"]), 1, "unknown identifier `t`"),
        (plan(&["have h : n = n + 1"]), 1, "step 1: have h : n = n + 1: this is the theorem itself"),
        (plan(&["have h : n = n + 1 := by sorry"]), 1, "this is the theorem itself"),
        (plan(&["have n : 0 = 0 + 0"]), 1, "the name `n` is taken"),
        (plan(&["have h : 1 = 1", "have h : 2 = 2"]), 2, "line 2: another step is called `h`"),
        (plan(&["have h : (sorry : Prop)"]), 1, "`sorry` at byte 10 gives up a goal"),
        (plan(&["have h : n = n + 1; sorry"]), 1, "gives up a goal"),
        (plan(&["have h : (n = n + 1)) (_"]), 2, "the brackets of `h` do not match"),
        (plan(&["have h : n = n\u{0}"]), 1, "control character U+0000"),
        // The last letter of the name is Cyrillic.
        (plan(&["have h : n = n + \u{0430}"]), 1, "step 1: "),
        (plan(&["have h : \u{202e}n = n + 0"]), 1, "step 1: "),
        (plan(&[&deep]), 1, "step 1: have h : (((("),
        (plan(&many), 2, "there are more than 500 steps"),
        (ours("andor.plans", injected), 2, "line 1: the step needs a name"),
        (ours("andor.run", json!([])), 2, "it is a file of kind `andor.run`, not of plans"),
        ("{}".to_owned(), 2, "has no plan of `t`"),
        ("{\"t\": ".to_owned(), 2, "EOF while parsing"),
        ("[]".to_owned(), 2, "it has neither the form"),
        ("{\"t\": {\"plan\": \"have h : False\"}}".to_owned(), 2, "it has neither the form"),
        ("{\"t\": {\"plan\": [null]}}".to_owned(), 2, "it has neither the form"),
    ] {
        let file = folder.write("plan.json", &text);
        let (found, out, err) = run(&["plan", &theorem, "--check", &file]);
        let brief: String = text.chars().take(200).collect();
        assert!(found == code && (out.clone() + &err).contains(expected), "{brief}: {found}\n{out}{err}");
    }
}

#[test]
fn rocq_has_the_last_word_on_its_plans() {
    let folder = Folder::new();
    let theorem = folder.write("t.v", "Theorem t (n : nat) : n = S n.\nProof.\nAdmitted.\n");
    for (step, code, expected) in [
        ("assert (H : n + 0 = n).", 0, "a plan of 1 steps holds"),
        ("assert (H : False).", 1, "this is false"),
        ("assert (H : n = S n) by admit.", 1, "this is the theorem itself"),
        ("assert (H : ltac:(admit)).", 1, "gives up a goal"),
        ("assert (H : n = S n)). admit. Admitted. Theorem x : (True", 1, "this is the theorem itself"),
        ("assert (forall : 1 = 1).", 1, "Syntax error"),
    ] {
        let file = folder.write("plan.json", &plan(&[step]));
        let (found, out, err) = run(&["plan", &theorem, "--check", &file]);
        assert!(found == code && (out.clone() + &err).contains(expected), "{step}: {found}\n{out}{err}");
    }
}

#[test]
fn a_plan_proves_no_false_theorem() {
    let folder = Folder::new();
    let theorem = folder.write("t.lean", FALSE);
    for steps in [
        &["have a : n = 0", "have b : ¬ n = 0"][..],
        &["have a : False"],
        &["have a : n = n + 1"],
        &["have a : 0 = 1", "have b : 1 = 0", "have c : False"],
    ] {
        let file = folder.write("plan.json", &plan(steps));
        for schedule in ["in-order", "parallel"] {
            let limits = ["--max-candidates", "60", "--time", "none"];
            let args =
                [&["prove", &theorem, "--plan", &file, "--plan-schedule", schedule][..], &limits].concat();
            let (code, out, err) = run(&args);
            assert_eq!(code, 1, "{steps:?}: {out}{err}");
        }
    }
}

/// `n` theorems, each with a step that holds.
fn corpus(folder: &Folder, n: usize) -> String {
    let theorem = |i: usize| format!("theorem t{i} (n : Nat) : n + {i} = {i} + n := by\n  sorry\n");
    folder.write("corpus.lean", &(0..n).map(theorem).collect::<String>())
}

/// The theorem that a planner is asked about.
fn asked(received: &Received) -> Option<(usize, String)> {
    let messages = received.body["messages"].as_array()?;
    let prompt: String = messages.iter().filter_map(|message| message["content"].as_str()).collect();
    let number = prompt.rsplit_once("theorem t")?.1.split_once(' ')?.0.parse().ok()?;
    Some((number, prompt))
}

/// A planner on a thread of its own, which answers with the number of the theorem and the prompt at hand.
fn answering(answer: impl Fn(usize, &str) -> String + Send + Sync + 'static) -> Arc<Peer> {
    let answer = move |received: &Received, _| {
        if received.line.starts_with("GET") {
            return Reply::Json(200, json!({ "data": [{ "id": "planner" }] }));
        }
        // Before the first request, the server is asked something else.
        let text = asked(received).map_or_else(String::new, |(number, prompt)| answer(number, &prompt));
        let message = json!({ "role": "assistant", "content": text });
        Reply::Json(200, json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] }))
    };
    let (started, peer) = mpsc::channel();
    std::thread::spawn(move || {
        block_on(async {
            started.send(Arc::new(Peer::start(answer).await)).unwrap();
            std::future::pending::<()>().await;
        });
    });
    peer.recv().unwrap()
}

/// A planner of [`corpus`]: its first plan of every third theorem is wrong, and it has none of the last one.
fn planner(n: usize) -> Arc<Peer> {
    answering(move |number, prompt| {
        let is_told = prompt.contains("Your last plan was refused");
        match number {
            _ if number + 1 == n => "I do not know.".to_owned(),
            _ if number % 3 == 2 && !is_told => "have h : nonsense = n".to_owned(),
            _ => format!("have h : n + {number} + 0 = {number} + n"),
        }
    })
}

/// The prompts of a planner.
fn prompts(peer: &Peer) -> Vec<String> {
    peer.received().iter().filter_map(asked).map(|(_, prompt)| prompt).collect()
}

/// The theorems with a plan in a file.
fn planned(file: &str) -> Vec<String> {
    let Ok(text) = fs_err::read_to_string(file) else { return Vec::new() };
    let value: Value = serde_json::from_str(&text).unwrap();
    value["plans"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn a_corpus_is_planned_side_by_side_and_goes_on_where_it_was_killed() {
    const N: usize = 12;
    let folder = Folder::new();
    let (corpus, out) = (corpus(&folder, N), folder.path("plans.json"));
    let peer = planner(N);
    let args = ["plan", &corpus, "--planner", &peer.url, "--jobs", "3", "--out", &out];
    let mut known: Vec<String> = Vec::new();
    for wanted in [1, 3, 6] {
        kill_when(&args, || planned(&out).len() >= wanted);
        let now = planned(&out);
        assert!(known.iter().all(|name| now.contains(name)), "{known:?} are lost: {now:?}");
        known = now;
    }
    let before = peer.received().len();
    let (code, text, err) = run(&args);
    assert_eq!(code, 1, "one has no plan: {text}{err}");
    let later: Vec<usize> = peer.received()[before..].iter().filter_map(asked).map(|(n, _)| n).collect();
    assert!(
        later.iter().all(|n| !known.contains(&format!("t{n}"))),
        "{known:?} are planned again: {later:?}"
    );
    assert!(err.contains(&format!("{} of {N} theorems have a plan already", known.len())), "{err}");
    assert_eq!(planned(&out).len(), N - 1);

    // All of them in one go, with the tries that they took.
    let out = folder.path("again.json");
    let (code, text, err) = run(&["plan", &corpus, "--planner", &peer.url, "--jobs", "7", "--out", &out]);
    assert_eq!(code, 1, "{text}{err}");
    assert!(err.contains("plans: 11 of 12 hold (8 at try 1, 3 at try 2, 1 without a plan)"), "{err}");
    assert!(
        text.contains("t2: plan 1 was refused:\n  have h : nonsense = n: step 1: unknown identifier"),
        "{text}"
    );
}

#[test]
fn a_torn_file_of_plans_is_named_and_left_alone() {
    let folder = Folder::new();
    let theorem = folder.write("t.lean", MINI);
    let check = folder.write("plan.json", &plan(&["have h1 : f n = 0"]));
    let torn = "{\"opening\": {\"kind\": \"andor.plans\", \"format_ver";
    let file = folder.write("torn.json", torn);
    let (code, text, err) = run(&["plan", &theorem, "--check", &check, "--out", &file]);
    assert!(code == 2 && err.contains("torn.json"), "{code}: {text}{err}");
    assert_eq!(fs_err::read_to_string(&file).unwrap(), torn);
    let (code, text, err) = run(&["prove", &theorem, "--plan", &file]);
    assert!(code == 2 && err.contains("torn.json"), "{code}: {text}{err}");
}

#[test]
fn theorems_without_a_plan_in_the_file_are_passed_over() {
    let folder = Folder::new();
    let corpus = corpus(&folder, 3);
    let file = folder.write("plan.json", r#"{"t1": {"plan": ["have h : n + 1 + 0 = 1 + n"]}}"#);
    let (code, text, err) = run(&["plan", &corpus, "--check", &file]);
    assert_eq!((code, text.lines().next()), (0, Some("t1: a plan of 1 steps holds")), "{text}{err}");
    assert!(err.contains("2 of 3 theorems have no plan there"), "{err}");
    let (code, _, err) = run(&["plan", &corpus, "--theorem", "t2", "--check", &file]);
    assert!(code == 2 && err.contains("plan.json` has no plan of `t2`"), "{err}");
    let none = folder.write("none.json", "{}");
    let (code, _, err) = run(&["plan", &corpus, "--check", &none]);
    assert!(code == 2 && err.contains("none.json` has no plan of any of the 3 theorems"), "{err}");
}

/// The plans of attempts that have not ended.
fn under_way(run: &str) -> Vec<Value> {
    let Ok(text) = fs_err::read_to_string(format!("{run}/plans.json")) else { return Vec::new() };
    let file: Value = serde_json::from_str(&text).unwrap();
    let of_theorems = file["under_way"].as_object().into_iter().flat_map(|map| map.values());
    of_theorems.flat_map(|attempts| attempts.as_object().unwrap().values().cloned()).collect()
}

fn results(run: &str) -> Vec<Value> {
    let text = fs_err::read_to_string(format!("{run}/results.jsonl")).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// `n` theorems that the heuristics do not prove, and are never at a loss with.
fn hard(folder: &Folder, n: usize) -> String {
    let theorem = |i: usize| {
        format!(
            "theorem t{i} (f : Nat → Nat) (h : ∀ n : Nat, f (f n) < f (n + 1)) : \
             ∀ n : Nat, f n + {i} = n + {i} := by\n  sorry\n"
        )
    };
    folder.write("hard.lean", &(0..n).map(theorem).collect::<String>())
}

#[test]
fn a_planner_is_not_asked_again_by_an_attempt_that_was_killed() {
    const N: usize = 4;
    let folder = Folder::new();
    let (corpus, out) = (hard(&folder, N), folder.path("run"));
    // The first plan of the third one is wrong, and there is none of the fourth.
    let peer = answering(|number, prompt| match (number, prompt.contains("Your last plan was refused")) {
        (3, _) => "I do not know.".to_owned(),
        (2, false) => "have k : nonsense".to_owned(),
        _ => "have k : ∀ n : Nat, n ≤ f n".to_owned(),
    });
    let args = |more: &[&str]| {
        let fixed = ["run", &corpus, "--planner", &peer.url, "--replans", "0"];
        let limits = ["--time", "none", "--verify", "1", "--pass-k", "2", "--jobs", "8", "--out", &out];
        let all = [&fixed[..], &limits, more].concat();
        all.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let began = args(&["--max-candidates", "1000000"]);
    let began: Vec<&str> = began.iter().map(String::as_str).collect();
    assert!(kill_when(&began, || under_way(&out).len() == 2 * N), "it ends too early");
    // Both attempts at each theorem have asked: twice if the first plan was wrong.
    let before = prompts(&peer).len();
    assert_eq!(before, 2 * (N + 1));
    assert_eq!(results(&out), [] as [Value; 0]);

    let resumed = args(&["--max-candidates", "30", "--resume", "--force"]);
    let (code, text, err) = run(&resumed.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 1, "{text}{err}");
    assert_eq!(prompts(&peer).len(), before, "it was asked again");
    assert_eq!(under_way(&out), [] as [Value; 0], "nothing is kept of what has ended");
    let results = results(&out);
    assert_eq!(results.len(), 2 * N);
    for result in results {
        let (planning, theorem) = (&result["planning"], result["theorem"].as_str().unwrap());
        let tries = if theorem == "t2" { 2 } else { 1 };
        assert_eq!(planning["tries"].as_array().unwrap().len(), tries, "{theorem}");
        assert_eq!(result["spent"]["model"]["requests"], tries, "{theorem}: what was paid is counted");
        match theorem {
            "t3" => assert_eq!((&planning["ended"], &result["plan"]), (&json!("no_plan"), &Value::Null)),
            _ => assert_eq!(result["plan"]["steps"][0]["name"], "k", "{theorem}"),
        }
    }
}

#[test]
fn an_attempt_that_was_killed_goes_on_with_its_last_plan() {
    let folder = Folder::new();
    let (corpus, out) = (hard(&folder, 1), folder.path("run"));
    let peer = answering(|_, prompt| match prompt.contains("could not be proved") {
        true => "have g : ∀ n : Nat, n < f (n + 1)\nhave k : ∀ n : Nat, n ≤ f n".to_owned(),
        false => "have k : ∀ n : Nat, n ≤ f n".to_owned(),
    });
    // Each has its first plan from the planner or from a file.
    let given = folder.write("plan.json", r#"{"t0": {"plan": ["have k : ∀ n : Nat, n ≤ f n"]}}"#);
    for (first, plan) in [(1, &[][..]), (0, &["--plan", &given])] {
        let before = prompts(&peer).len();
        let mut fixed = vec!["run", &corpus, "--planner", &peer.url];
        fixed.extend(plan);
        fixed.extend(["--plan-subgoal-candidates", "9", "--time", "none", "--verify", "1", "--out", &out]);
        let has_mended = || under_way(&out).iter().any(|plan| plan["steps"][0]["name"] == "g");
        let endless = ["--max-candidates", "1000000", "--replans", "1"];
        assert!(kill_when(&[&fixed[..], &endless].concat(), has_mended), "it ends too early");
        assert_eq!(prompts(&peer).len() - before, first + 1);

        let limits = ["--max-candidates", "30", "--replans", "0", "--resume", "--force"];
        let (code, text, err) = run(&[&fixed[..], &limits].concat());
        assert_eq!(code, 1, "{text}{err}");
        assert_eq!(prompts(&peer).len() - before, first + 1, "it was asked again");
        let result = &results(&out)[0];
        let names = result["plan"]["steps"].as_array().unwrap().iter().map(|step| &step["name"]);
        assert_eq!(names.collect::<Vec<_>>(), ["g", "k"]);
        assert_eq!(result["spent"]["model"]["requests"], first + 1);
        assert_eq!(result["planning"].is_null(), first == 0);
        std::fs::remove_dir_all(&out).unwrap();
    }
}
