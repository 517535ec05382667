//! Real programs: Python and the shell.

use andor_system_mini::MINI;
use std::path::Path;

use andor_core::goal::{Goal, Term};
use andor_core::theorem::Theorem;
use futures_util::future::join_all;

use super::*;
use crate::contract::{FailedTactic, ask};

const LONG: Duration = Duration::from_secs(300);

/// What every Python program begins with.
const PREAMBLE: &str = r#"
import json, os, signal, sys
def read():
    line = sys.stdin.readline()
    if not line: sys.exit(0)
    return json.loads(line)
def write(value):
    print(value if isinstance(value, str) else json.dumps(value), flush=True)
def answer(request, *tactics):
    write({"id": request["id"], "candidates": [{"tactic": tactic} for tactic in tactics]})
"#;

const GREETING: &str = "read(); write({'version': 1, 'name': 'test'})\n";

fn command(words: &[&str]) -> String {
    shlex::try_join(words.iter().copied()).unwrap()
}

fn exec(command: &str, limit: Duration) -> Exec {
    Exec::new(command, MINI, ExecOptions { limit, n_lemmas: 3 }).unwrap()
}

/// A Python program that has exchanged the first lines.
fn python(body: &str, limit: Duration) -> Exec {
    let program = format!("{PREAMBLE}{GREETING}{body}");
    exec(&command(&["python3", "-c", &program]), limit)
}

fn theorem() -> Theorem {
    Theorem {
        id: "t".to_owned(),
        name: "t".to_owned(),
        system: MINI,
        header: "-- ü\n".to_owned(),
        statement: "theorem t : 1 = 1".to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    }
}

fn goals() -> Vec<Goal> {
    vec![Goal { target: Term::textual("1 = 1"), ..Goal::default() }]
}

async fn asked(exec: &Exec) -> Result<Suggestions, ProviderError> {
    let (theorem, goals) = (theorem(), goals());
    exec.suggest(Request::new(&theorem, &goals)).await
}

async fn tactics(exec: &Exec) -> Vec<String> {
    asked(exec).await.unwrap().candidates.into_iter().map(|c| c.tactic).collect()
}

async fn error(exec: &Exec) -> (&'static str, String) {
    let error = asked(exec).await.unwrap_err();
    let kind = match error {
        ProviderError::Unavailable { .. } => "unavailable",
        ProviderError::NoAnswer { .. } => "no answer",
        ProviderError::Unusable { .. } => "unusable",
        _ => "other",
    };
    (kind, error.to_string())
}

/// Whether a process is alive, and not a zombie.
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn commands_are_split_as_a_shell_does() {
    assert_eq!(
        words("python3 'my program.py' --n=\"2 3\" \\ x").unwrap(),
        ["python3", "my program.py", "--n=2 3", " x"]
    );
    assert!(words("python3 'x").unwrap_err().contains("open quotation mark"));
    for nothing in ["", "  ", "''", "# remark"] {
        assert!(words(nothing).unwrap_err().contains("needs a program"), "{nothing}");
    }
}

#[tokio::test]
async fn a_program_gets_the_whole_request() {
    let echo = python(
        r#"
request = read()
del request["theorem"]["header"]
answer(request, json.dumps(request, sort_keys=True), request["state"])
"#,
        LONG,
    );
    let (theorem, goals) = (theorem(), goals());
    let failed = [FailedTactic { tactic: "rfl".into(), error: "no\nway".into() }];
    let lemmas = [andor_core::lemma::Lemma { name: "eq.refl".into(), statement: "∀ x, x = x".into() }];
    let notes = ["Write Lean.".into()];
    let request =
        Request { failed: &failed, lemmas: &lemmas, notes: &notes, ..Request::new(&theorem, &goals) };
    let answer = echo.suggest(request).await.unwrap();
    let got: serde_json::Value = serde_json::from_str(&answer.candidates[0].tactic).unwrap();
    let expected = serde_json::json!({
        "id": 1,
        "theorem": {"id": "t", "name": "t", "system": "mini", "statement": "theorem t : 1 = 1"},
        "goals": ["⊢ 1 = 1"],
        "state": "⊢ 1 = 1",
        "call": {"seed": 0, "attempt": 0, "number": 0, "sampling_seed": request.call.sampling_seed()},
        "failed": [{"tactic": "rfl", "error": "no\nway"}],
        "lemmas": [{"name": "eq.refl", "statement": "∀ x, x = x"}],
        "notes": ["Write Lean."],
    });
    assert_eq!(got, expected);
    assert_eq!(&*answer.candidates[1].provider, "exec:test");
    assert!(answer.candidates[0].log_prior > answer.candidates[1].log_prior);
}

#[tokio::test]
async fn one_process_serves_all_requests_and_ends_with_the_provider() {
    let exec = python("while True: answer(read(), str(os.getpid()))", LONG);
    let first = tactics(&exec).await;
    assert_eq!(tactics(&exec).await, first);
    let pid = first[0].clone();
    assert!(is_alive(&pid));
    drop(exec);
    while is_alive(&pid) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_whole_process_group_is_killed() {
    // The shell's child ignores the end of its input, and the shell waits for it.
    let script = r#"read hello; echo '{"version": 1, "name": "sh"}'; sleep 1000000 & child=$!
        read request; echo "{\"id\": 1, \"candidates\": [{\"tactic\": \"$child\"}]}"; wait"#;
    let exec = exec(&command(&["sh", "-c", script]), LONG);
    let pid = tactics(&exec).await.remove(0);
    assert!(is_alive(&pid));
    drop(exec);
    while is_alive(&pid) {
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_program_dies_with_its_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let exec = python("while True: answer(read(), str(os.getpid()))", LONG);
    let pid = runtime.block_on(tactics(&exec)).remove(0);
    drop(runtime);
    while is_alive(&pid) {
        std::thread::yield_now();
    }
    // The provider goes on in another one.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let next = runtime.block_on(tactics(&exec)).remove(0);
    assert_ne!(next, pid);
}

#[tokio::test]
async fn answers_may_come_in_any_order() {
    let exec = python(
        r#"
requests = [read() for _ in range(5)]
for request in reversed(requests): answer(request, str(request["call"]["attempt"]))
"#,
        LONG,
    );
    let (theorem, goals) = (theorem(), goals());
    let answers = join_all((0..5).map(|attempt| {
        let mut request = Request::new(&theorem, &goals);
        request.call.attempt = attempt;
        exec.suggest(request)
    }));
    let answers = answers.await;
    for (attempt, answer) in answers.into_iter().enumerate() {
        assert_eq!(answer.unwrap().candidates[0].tactic, attempt.to_string());
    }
}

#[tokio::test]
async fn a_program_that_crashes_is_restarted() {
    let exec =
        python("answer(read(), str(os.getpid()))\nread()\nsys.stderr.write('o dear')\nsys.exit(7)", LONG);
    let first = tactics(&exec).await;
    let (kind, message) = error(&exec).await;
    assert_eq!(kind, "unavailable");
    assert!(message.contains("exit status: 7); its standard error ends with: o dear"), "{message}");
    assert_ne!(tactics(&exec).await, first, "a new process answers");
    // As the driver asks, nobody notices.
    for _ in 0..10 {
        let (theorem, goals) = (theorem(), goals());
        let answer = ask(&exec, Request::new(&theorem, &goals)).await.unwrap();
        assert_eq!((answer.candidates.len(), answer.failures.len()), (1, 0));
    }
}

#[tokio::test]
async fn a_crash_fails_all_requests_in_flight() {
    let exec = python("read(); read(); os.kill(os.getpid(), signal.SIGKILL)", LONG);
    let (first, second) = tokio::join!(error(&exec), error(&exec));
    assert_eq!((first.0, second.0), ("unavailable", "unavailable"));
    assert!(first.1.contains("signal: 9 (SIGKILL)"), "{}", first.1);
}

#[tokio::test]
async fn a_program_that_keeps_crashing_is_given_up() {
    for body in ["read(); sys.exit('no model')", "sys.exit('no model')"] {
        let exec = python(body, LONG);
        assert_eq!(error(&exec).await.0, "unavailable", "{body}");
        assert_eq!(error(&exec).await.0, "unavailable", "{body}");
        for _ in 0..2 {
            let (kind, message) = error(&exec).await;
            assert_eq!(kind, "unusable", "{body}");
            assert!(message.contains("3 times in a row without an answer"), "{message}");
            assert!(
                message.ends_with("(exit status: 1); its standard error ends with: no model"),
                "{message}"
            );
        }
    }
    let exec = exec("sh -c 'echo bye >&2; exit 3'", LONG);
    let (theorem, goals) = (theorem(), goals());
    let error = ask(&exec, Request::new(&theorem, &goals)).await.unwrap_err().to_string();
    assert!(error.contains("(exit status: 3); its standard error ends with: bye"), "{error}");
}

#[tokio::test]
async fn a_program_that_cannot_be_used_is_given_up_at_once() {
    for (command, expected) in [
        ("no-such-program-anywhere", "it cannot be started: No such file or directory"),
        ("echo Loading the model", "not `Loading the model`"),
        ("echo '{\"version\": 2, \"name\": \"x\"}'", "it speaks version 2"),
    ] {
        let (kind, message) = error(&exec(command, LONG)).await;
        assert_eq!(kind, "unusable", "{command}");
        assert!(message.contains(expected), "{command}: {message}");
        assert!(message.contains(&format!("provider `exec={command}` cannot be used")), "{message}");
    }
}

#[tokio::test]
async fn an_overdue_answer_is_ignored_when_it_comes() {
    let exec = python(
        "first = read(); second = read(); answer(first, 'late'); answer(second, 'in time')\n\
         while True: answer(read(), 'later')",
        Duration::from_secs(3),
    );
    let (kind, message) = error(&exec).await;
    assert_eq!(kind, "unavailable");
    assert!(message.contains("it did not answer within 3 s"), "{message}");
    assert_eq!(tactics(&exec).await, ["in time"]);
    assert_eq!(tactics(&exec).await, ["later"]);
}

#[tokio::test]
async fn a_program_that_hangs_is_ended_and_then_given_up() {
    let exec = python("while True: read()", Duration::from_millis(100));
    let mut kinds = Vec::new();
    loop {
        // Several at a time are one silence.
        let (first, second) = tokio::join!(error(&exec), error(&exec));
        kinds.push(first.0);
        if first.0 == "unusable" {
            assert!(
                second.1.contains("it answered nothing within the time limit and was ended"),
                "{}",
                second.1
            );
            break;
        }
    }
    assert!((10..=12).contains(&kinds.len()), "three silences for each of three processes: {kinds:?}");
}

#[tokio::test]
async fn a_program_that_reads_nothing_is_overdue_too() {
    let exec = python("signal.pause()", Duration::from_millis(100));
    let goals = vec![Goal { target: Term::textual("x".repeat(1 << 20)), ..Goal::default() }];
    let theorem = theorem();
    let error = exec.suggest(Request::new(&theorem, &goals)).await.unwrap_err();
    assert!(error.to_string().contains("within 0.1 s"), "{error}");
}

#[tokio::test]
async fn what_is_no_answer_is_named_and_the_next_request_served() {
    for (body, expected) in [
        ("write('Loading…')", "it wrote `Loading…`, which is not JSON"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "which is not JSON"),
        ("write({'id': 99, 'candidates': []})", "it answered a request 99, which was never made"),
        ("write({'candidates': []})", "lacks the `id`"),
        ("write({'id': r['id'], 'candidates': [{'tactic': 'a', 'log_prior': 1}]})", "1 of `a` is above 0"),
        ("write({'id': r['id'], 'error': 'no idea'})", "it says: no idea"),
        ("write('x' * 2000000)", "it wrote a line of more than 1 MiB"),
    ] {
        let body = format!("r = read(); {body}\nwhile True: answer(read(), 'good')");
        let exec = python(&body, LONG);
        let (kind, message) = error(&exec).await;
        assert_eq!(kind, "no answer", "{body}");
        assert!(message.contains(expected), "{body}: {message}");
        assert_eq!(tactics(&exec).await, ["good"], "{body}");
    }
}

#[tokio::test]
async fn a_bad_answer_with_a_number_fails_its_own_request_only() {
    let exec =
        python("first = read(); second = read()\nwrite({'id': first['id']}); answer(second, 'good')", LONG);
    let (first, second) = tokio::join!(asked(&exec), asked(&exec));
    let failed: Vec<bool> = [&first, &second].map(Result::is_err).to_vec();
    assert_eq!(failed, [true, false]);
}

#[tokio::test]
async fn noise_between_requests_is_ignored() {
    let exec = python("answer(read(), 'one'); print('noise', flush=True)\nanswer(read(), 'two')", LONG);
    assert_eq!(tactics(&exec).await, ["one"]);
    let next = asked(&exec).await;
    // The noise may come after the next request, and then nobody can know what it means.
    match next {
        Ok(next) => assert_eq!(next.candidates[0].tactic, "two"),
        Err(error) => assert!(error.to_string().contains("`noise`"), "{error}"),
    }
}

/// A program that says what it answers, and a place for its values and order.
fn answering(kinds: &str, body: &str) -> Exec {
    let greeting = format!("read(); write({{'version': 1, 'name': 'test', 'answers': {kinds}}})\n");
    let program = format!("{PREAMBLE}{greeting}while True:\n    request = read()\n    {body}");
    exec(&command(&["python3", "-c", &program]), LONG)
}

async fn ranked(exec: &Exec) -> Result<Vec<String>, ProviderError> {
    let (theorem, goals) = (theorem(), goals());
    let candidate = |tactic: &str| Candidate {
        tactic: tactic.to_owned(),
        log_prior: -1.0,
        tokens: None,
        provider: "p".into(),
    };
    let candidates = vec![candidate("rfl"), candidate("simp")];
    let ranked = exec.rank(Request::new(&theorem, &goals), candidates).await?;
    Ok(ranked.into_iter().map(|candidate| candidate.tactic).collect())
}

#[tokio::test]
async fn a_program_may_estimate_and_rank() {
    let (theorem, goals) = (theorem(), goals());
    let values = answering(
        "['values']",
        "write({'id': request['id'], 'values': [len(o['goals']) / 4 for o in request['obligations']]})",
    );
    let obligations: [&[Goal]; 2] = [&goals, &[]];
    assert_eq!(values.evaluate(&theorem, &obligations).await.unwrap(), Some(vec![0.25, 0.0]));
    let order = answering(
        "['order']",
        "write({'id': request['id'], 'order': sorted([0, 1], key=lambda at: request['candidates'][at]['tactic'] != 'simp')})",
    );
    assert_eq!(ranked(&order).await.unwrap(), ["simp", "rfl"]);
    // What a program does not answer, it is not asked for.
    assert_eq!(ranked(&values).await.unwrap(), ["rfl", "simp"]);
    assert_eq!(order.evaluate(&theorem, &obligations).await.unwrap(), None);
    assert_eq!(tactics(&order).await, Vec::<String>::new());
}

#[tokio::test]
async fn wrong_estimates_and_orders_are_told() {
    for (body, said) in [
        ("write({'id': request['id'], 'order': [0, 0]})", "does not name the place of each candidate once"),
        ("write({'id': request['id'], 'order': [0, 2]})", "does not name the place of each candidate once"),
        ("write({'id': request['id'], 'order': [-1]})", "`order` must be a list of numbers"),
        ("write({'id': request['id'], 'order': [0, 1], 'value': 1})", "`value` cannot stand beside `order`"),
        ("write({'id': request['id'], 'values': [0.5]})", "to another question"),
        ("answer(request, 'rfl')", "to another question"),
    ] {
        let error = ranked(&answering("['order']", body)).await.unwrap_err().to_string();
        assert!(error.contains(said), "{body}: {error}");
    }
    let nothing = answering("[]", "pass");
    assert!(ranked(&nothing).await.unwrap_err().to_string().contains("answers nothing"));
}

/// Answers in this process, once.
struct Here;

impl Callee for Here {
    fn greet(&self, hello: &str) -> Result<String, String> {
        assert!(hello.contains("mini"));
        Ok(r#"{"version": 1, "name": "here"}"#.to_owned())
    }

    fn submit(&self, request: String, reply: Reply) {
        let request: serde_json::Value = serde_json::from_str(&request).unwrap();
        let id = &request["id"];
        if *id == 1 {
            std::thread::spawn(move || {
                reply.send(r#"{"id": 1, "candidates": [{"tactic": "rfl"}]}"#.to_owned())
            });
        } else if *id == 2 {
            reply.send(format!("{{\"id\": 2, \"error\": \"{}\"}}", "x".repeat(program::MAX_LINE_BYTES)));
        }
    }
}

#[tokio::test]
async fn one_who_answers_in_this_process() {
    let options = ExecOptions { limit: Duration::from_millis(50), n_lemmas: 0 };
    let here = Exec::within("here".to_owned(), Arc::new(Here), MINI, options);
    assert_eq!(tactics(&here).await, ["rfl"]);
    let (kind, message) = error(&here).await;
    assert!(kind == "no answer" && message.contains("more than 1 MiB"), "{message}");
    for _ in 0..3 {
        assert_eq!(error(&here).await.0, "unavailable");
    }
}
