//! What may be tried as a tactic: real tactics pass, and what would do harm reaches no worker.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::System;
use andor_env::environment::Environment;
use andor_env::screen::Refusal;
use andor_env::session::{Attempted, Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_process::{ChildSpec, ResourceLimits, run_to_end};
use andor_system_mini::source::theorems;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::commands::forbidden_commands;
use andor_system_rocq::screen::tactic_body;
use andor_system_rocq::sentence::{Sentence, split};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};

/// Runs the compiler in a folder; whether it was content, and what it said.
fn coqc(args: &[&str], directory: &Path) -> (bool, String) {
    let spec = ChildSpec {
        program: "coqc".to_owned(),
        args: args.iter().map(|a| (*a).to_owned()).collect(),
        env: Vec::new(),
        directory: directory.to_owned(),
        limits: ResourceLimits::default(),
    };
    let finished = block_on(run_to_end(&spec, "testing escapes", Duration::from_secs(60), 1 << 20)).unwrap();
    (finished.exit.code == Some(0), format!("{}{}", finished.stdout, finished.exit.stderr))
}

/// All files with an extension in a folder and those within it, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn environment(system: System) -> Arc<dyn Environment> {
    match system.name() {
        "mini" => Arc::new(Mini::new(MiniConfig::default())),
        _ => Arc::new(Rocq::new(RocqConfig::default())),
    }
}

/// The sentences between `Proof.` and what ends it that are no bullets and braces.
fn proof_steps<'a>(sentences: &[Sentence<'a>]) -> Vec<&'a str> {
    let mut inside = false;
    let mut steps = Vec::new();
    for sentence in sentences {
        match sentence.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default() {
            "Proof" => inside = true,
            "Qed" | "Defined" | "Save" | "Admitted" | "Abort" => inside = false,
            _ if sentence.text.starts_with(['-', '+', '*', '{', '}']) || sentence.text.ends_with('{') => {}
            _ if inside => steps.push(sentence.text),
            _ => {}
        }
    }
    steps
}

#[test]
fn the_library_of_rocq_passes() {
    let (_, told) = coqc(&["-where"], Path::new("."));
    // Whatever else is installed, in `user-contrib`, passes too, but for a no-break space in Coquelicot that Rocq takes
    // for a name.
    let files = files(Path::new(told.trim()), "v");
    assert!(files.len() > 200, "{} files", files.len());
    let mut n_tactics = 0;
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let file = path.display();
        match forbidden_commands(&text) {
            Ok(()) => {}
            // What brings a tactic written in OCaml loads it.
            Err(Refusal::Outside { command, .. }) if command == "Declare ML Module" => {}
            Err(Refusal::Outside { command, .. })
                if command.starts_with("native_") && path.parent().is_some_and(|p| p.ends_with("Ltac2")) => {}
            Err(Refusal::Outside { command, .. })
                if command.starts_with("Register Inline") && path.ends_with("Int63/Uint63.v") => {}
            Err(Refusal::WhiteSpace { .. }) if path.ends_with("Coquelicot/Lub.v") => {}
            Err(refusal) => panic!("{file}: {refusal}"),
        }
        // Since 9.0 the standard library is a package of its own.
        if !path.iter().any(|part| part == "theories" || part == "Stdlib") {
            continue;
        }
        for step in proof_steps(&split(&text).unwrap_or_else(|error| panic!("{file}: {error}"))) {
            n_tactics += 1;
            match tactic_body(step) {
                Ok(body) => assert!(step.starts_with(body), "{file}: {step}"),
                // Lemmas within proofs, selectors of goals that a single goal has no use for.
                Err(Refusal::Command { .. } | Refusal::Lead { .. }) => {}
                // `Proof with` gives such a sentence more to do than it says.
                Err(Refusal::Several { .. }) if step.ends_with("...") => {}
                Err(refusal) => panic!("{file}: {refusal}: {step}"),
            }
        }
    }
    assert!(n_tactics > 50_000, "{n_tactics} tactics");
}

#[test]
fn tactics_of_mini_pass() {
    let mini = environment(MINI);
    let mut tactics: Vec<String> = Vec::new();
    for folder in ["examples", "crates/mini/tests/proofs"] {
        for file in files(&project(folder), "lean") {
            let text = std::fs::read_to_string(file).unwrap();
            for theorem in theorems(&text).unwrap().iter().filter(|t| t.finished) {
                let proof =
                    text[theorem.end..theorem.command.end].trim_start().trim_start_matches(":=").trim();
                let Some(block) = proof.strip_prefix("by\n  ") else { continue };
                let block = block.replace("\n  ", "\n");
                if !block.starts_with("--") && !block.starts_with("/-") {
                    tactics.push(block);
                }
            }
        }
    }
    let rules = std::fs::read_to_string(project("crates/run/tests/data/rules.json")).unwrap();
    let quoted = rules.split("{\"tactic\": \"").skip(1);
    tactics.extend(quoted.map(|t| t[..t.find('"').unwrap()].replace("\\n", "\n")));
    assert!(tactics.len() > 100, "{} tactics", tactics.len());
    for tactic in tactics {
        assert_eq!(mini.screen(&tactic), Ok(()), "{tactic}");
    }
}

/// Texts that, written into a script of Rocq as they are, leave the tactic.
const ROCQ_ESCAPES: &[&str] = &[
    "idtac. Axiom bad : False. idtac",
    "idtac.\nAxiom bad : False.\nidtac",
    "(* a. b *) Axiom bad : False",
    "Parameter bad : False",
    "Definition bad := 1",
    "#[local] Definition bad := 1",
    "Local Definition bad := 1",
    "Time Definition bad := 1",
    "Timeout 9 Definition bad := 1",
    "Ltac bad := idtac. Check I",
    "Inductive bad := C",
    "Variable bad : False",
    "Fixpoint bad (n : nat) := n",
    "Abort",
    "Abort. Lemma t : True. idtac",
    "Admitted",
    "Admitted. Lemma bad : True. idtac",
    "exact (conj I I). Qed. Lemma bad : True. split",
    "admit",
    "give_up",
    "split; [exact I|admit]",
    "Show",
    "Show Proof",
    "Check nat",
    "Print nat",
    "About nat",
    "Search True",
    "Locate nat",
    "Compute 1",
    "Eval compute in 1",
    "Time idtac",
    "infoH idtac",
    "Unset Guard Checking",
    "#[global] Unset Guard Checking",
    "Global Unset Guard Checking",
    "Redirect \"written\" Check nat",
    "Print Universes \"written.txt\"",
    "Pwd",
    "Cd \"/\". Pwd",
    "Reset t",
    "Reset Initial",
    "Module M",
    "Section S",
    "auto...",
];

#[test]
fn escapes_from_tactics_of_rocq_do_harm_and_reach_no_worker() {
    // What a script leaves behind: what the compiler says of it and of what stands after it, and files.
    let outcome = |step: &str| {
        let folder = tempfile::tempdir().unwrap();
        let after = "Fail Check bad.\nTest Guard Checking.\nPrint Assumptions t.\nCheck t.\n";
        let text = format!(
            "Lemma t : True /\\ True.\nProof with (split; exact I).\n  {step}.\n  split; exact I.\nQed.\n{after}"
        );
        std::fs::write(folder.path().join("s.v"), text).unwrap();
        let (accepted, said) = coqc(&["-q", "-w", "none", "s.v"], folder.path());
        let written = files(folder.path(), "txt").len() + files(folder.path(), "out").len();
        (accepted, said, written)
    };
    let harmless = outcome("idtac");
    assert!(harmless.0 && harmless.1.contains("Closed under the global context"), "{harmless:?}");
    assert_eq!(outcome("idtac (* a. Qed. *)"), harmless);
    for escape in ROCQ_ESCAPES {
        let step =
            escape.trim_end_matches("...").to_owned() + if escape.ends_with("...") { ".." } else { "" };
        let found = outcome(&step);
        assert_ne!(found, harmless, "{escape}");
        // It is read; what is not can do no harm.
        let own = (3..=3 + escape.matches('\n').count()).any(|n| found.1.contains(&format!("line {n},")));
        assert!(!own || !found.1.contains("Syntax error"), "{escape}: {found:?}");
    }
    // These do harm within parentheses, or in a file where such a tactic is defined.
    let more = [
        "idtac). Axiom bad : False. (idtac",
        "idtac (*",
        "idtac \"",
        "Show.x",
        "1: auto",
        "{ auto",
        "- auto",
        "Fail exact 1",
        "Succeed exact (conj I I)",
    ];
    let all: Vec<&str> = ROCQ_ESCAPES.iter().copied().chain(more).collect();
    none_reaches_a_worker(ROCQ, "Theorem t : True /\\ True.", &all, "split");
}

/// Texts that, written into a script of `mini` as they are, leave the block or give up its goal.
const MINI_ESCAPES: &[&str] = &[
    "trivial\ntheorem bad : True := trivial",
    "trivial\nlemma bad : True := trivial",
    "trivial theorem bad : True := trivial",
    "trivial\naxiom bad : False",
    "trivial\ndef bad := 1",
    "trivial\n@[simp]",
    "trivial\nprivate",
    "trivial\n#eval 1",
    "trivial\n#exit",
    "trivial\nend",
    "open Nat in trivial",
    "set_option a true in trivial",
    "trivial\nmacro \"a\" : tactic => `(tactic| sorry)",
    "trivial /- a",
    "exact (trivial",
    "trivial)",
    "sorry",
    "admit",
    "trace \"a",
];

#[test]
fn escapes_from_tactics_of_mini_do_harm_and_reach_no_worker() {
    // Whether the tactic is all of the theorem's proof and nothing but that, and the next theorem stands as before.
    let is_harmless = |tactic: &str| {
        let lines: String = tactic.lines().map(|line| format!("  {line}\n")).collect();
        let (stated, after) = (format!("theorem t : True := by\n{lines}"), "theorem after : True := trivial");
        let Ok(found) = theorems(&format!("{stated}{after}\n")) else { return false };
        let commands: Vec<_> = found.iter().map(|t| (t.command.clone(), t.finished)).collect();
        let start = stated.len();
        commands == [(0..stated.trim_end().len(), true), (start..start + after.len(), true)]
    };
    assert!(is_harmless("trivial") && is_harmless("first\n| trivial\n| exact\n    trivial"));
    for escape in MINI_ESCAPES {
        assert!(!is_harmless(escape), "{escape}");
    }
    // What gives up within a term does harm to the proof alone. Behind a bullet, the tactics behind a comment would
    // stand deeper than those that follow.
    let more = ["exact sorry", "exact sorryAx _", "-- a\ntrivial"];
    let all: Vec<&str> = MINI_ESCAPES.iter().copied().chain(more).collect();
    none_reaches_a_worker(MINI, "theorem t : True", &all, "trivial");
}

/// Each text is rejected without a worker, with a message that says where; then a tactic is tried as ever.
fn none_reaches_a_worker(system: System, statement: &str, escapes: &[&str], tactic: &str) {
    block_on(async {
        let stated = theorem(system, "t", statement);
        let session =
            Session::open(Workers::new(environment(system), Grouping::Coupled), stated, Limits::default())
                .await
                .unwrap();
        let mut first = session.lease(session.root());
        let mut second = session.lease(session.root());
        // The first holds the only worker; who waited for it would wait for ever.
        first.preview("idtac_nonsense").await.unwrap();
        let before = session.counters();
        for escape in escapes {
            let expected = environment(system).screen(escape).expect_err(escape);
            let preview = second.preview(escape).await.unwrap();
            let Attempted::Screened { refusal } = &*preview.attempted else {
                panic!("{escape}: {:?}", preview.attempted);
            };
            assert_eq!(*refusal, expected);
        }
        assert_eq!(session.counters(), before, "no worker was asked for anything");
        drop(first);
        let preview = second.preview(tactic).await.unwrap();
        assert!(matches!(*preview.attempted, Attempted::Applied { .. }), "{:?}", preview.attempted);
    });
}
