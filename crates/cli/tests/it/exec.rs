//! Programs as providers, as users of the program meet them.

use crate::support::{Folder, andor, left};
use serde_json::Value;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/provider.py");

const SWAP: &str = "theorem and_swap (p q : Prop) : p ∧ q → q ∧ p";

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

#[test]
fn the_example_proves_a_theorem_of_mini_and_one_of_rocq() {
    let folder = Folder::new();
    let provider = format!("exec=python3 '{EXAMPLE}'");
    let out = folder.path("RUN");
    let (code, proof, err) = run(&["prove", "--statement", SWAP, "--provider", &provider, "--out", &out]);
    assert_eq!(code, 0, "{err}");
    assert!(proof.starts_with(SWAP) && proof.contains("constructor"), "{proof}");
    let trace = fs_err::read_to_string(folder.path("RUN/theorems/and_swap/attempt-1/trace.jsonl")).unwrap();
    assert!(trace.contains("\"exec:example\""), "{trace}");
    let record: Value =
        serde_json::from_str(&fs_err::read_to_string(folder.path("RUN/run.json")).unwrap()).unwrap();
    assert_eq!(record["config"]["providers"][0]["command"], format!("python3 '{EXAMPLE}'"));
    let rocq = "Theorem and_swap (p q : Prop) (a : p) (b : q) : q /\\ p.";
    let (code, proof, err) = run(&["prove", "--statement", rocq, "--provider", &provider]);
    assert_eq!(code, 0, "{err}");
    assert!(proof.starts_with(rocq) && proof.contains("split"), "{proof}");
}

#[test]
fn the_manual_shows_the_example() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/exec.md");
    let manual = fs_err::read_to_string(manual).unwrap();
    let example = fs_err::read_to_string(EXAMPLE).unwrap();
    assert!(manual.contains(&format!("```python\n{example}```")));
}

#[test]
fn a_configuration_file_names_a_program_and_its_time_limit() {
    let folder = Folder::new();
    let text = format!(
        "provider_timeout_s = 300.0\n[[providers]]\nkind = \"exec\"\ncommand = \"python3 '{EXAMPLE}'\"\n"
    );
    let config = folder.write("c.toml", &text);
    let (code, proof, err) = run(&["prove", "--statement", SWAP, "--config", &config]);
    assert_eq!(code, 0, "{err}");
    assert!(proof.starts_with(SWAP), "{proof}");
}

#[test]
fn a_program_that_is_not_one_is_explained() {
    let missing = ["prove", "--statement", SWAP, "--provider", "exec=no-such-program-anywhere"];
    let (code, out, err) = run(&missing);
    assert_eq!((code, out.as_str()), (3, ""), "{err}");
    let expected =
        "provider `exec=no-such-program-anywhere` cannot be used: it cannot be started: No such file";
    assert!(err.contains(expected), "{err}");
    for (provider, expected) in [
        ("exec=", "the command of exec=COMMAND needs a program to run"),
        ("exec=python3 'x", "the command of exec=COMMAND has an open quotation mark"),
        (
            "exec",
            "unknown provider `exec`; choose heuristic, llm=MODEL, replay=RUN, scripted=FILE, exec=COMMAND",
        ),
    ] {
        let (code, _, err) = run(&["prove", "--statement", SWAP, "--provider", provider]);
        assert_eq!(code, 2, "{provider}: {err}");
        assert!(err.contains(expected), "{provider}: {err}");
    }
    let (code, _, err) = run(&["prove", "--statement", SWAP, "--provider-timeout", "5s"]);
    assert_eq!(code, 2);
    assert!(err.contains("--provider-timeout: needs --provider exec=COMMAND"), "{err}");
}

#[test]
fn a_program_that_answers_nonsense_leaves_the_search_to_the_others() {
    let program =
        r#"exec=sh -c 'read h; echo "{\"version\":1,\"name\":\"x\"}"; while read r; do echo no; done'"#;
    let args = ["prove", "--statement", SWAP, "--provider", program, "--provider", "heuristic", "--json"];
    let (code, out, err) = run(&args);
    assert_eq!(code, 0, "{err}");
    let result: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(result["outcome"], "accepted", "{out}");
}

#[test]
fn a_program_that_goes_on_after_its_input_is_killed_with_its_children() {
    let folder = Folder::new();
    let (program, ids) = (folder.path("deaf.py"), folder.path("ids"));
    let text = format!(
        "import json, os, signal, sys\n\
         sys.stdin.readline()\n\
         child = os.fork()\n\
         if child: open({ids:?}, 'w').write(f'{{os.getpid()}} {{child}}')\n\
         else: signal.pause()\n\
         print(json.dumps({{'version': 1, 'name': 'deaf'}}), flush=True)\n\
         request = json.loads(sys.stdin.readline())\n\
         print(json.dumps({{'id': request['id'], 'candidates': []}}), flush=True)\n\
         signal.pause()\n"
    );
    folder.write("deaf.py", &text);
    let provider = format!("exec=python3 '{program}'");
    let (code, _, err) = run(&["prove", "--statement", SWAP, "--provider", &provider]);
    assert!(code == 3 && err.contains("failed: no tactic was run: nothing was proposed"), "{err}");
    let ids = fs_err::read_to_string(ids).unwrap();
    for id in ids.split(' ') {
        // A killed child whose new parent has not looked yet is a zombie.
        let status = fs_err::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        assert!(status.is_empty() || status.contains(") Z "), "{status}");
    }
}
