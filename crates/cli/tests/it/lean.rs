//! Lean 4 as users of the program meet it: files in place, rows whose imports are missing, proofs made elsewhere.

use std::process::Command;

use crate::support::{Folder, andor, left};
use andor_testkit::lean;
use serde_json::Value;

/// The program, with the real Lean of the tests.
fn run(args: &[&str]) -> (i32, String, String) {
    let mut command = andor(args);
    command.env("LEAN_SYSROOT", lean::sysroot()).env_remove("LEAN_PATH");
    left(command.output().unwrap())
}

const FILE: &str = "namespace Logic\nvariable (p q : Prop)\n\n/-- Swaps. -/\nprivate theorem swap (h : p ∧ q) : q ∧ p := by\n  \
                    constructor\n  · sorry\n  · exact h.1\n\ntheorem later : p ∧ q → q ∧ p := fun h => swap p q h\n\nsection\n\
                    variable (r : Prop)\n\ntheorem trans (f : p → q) (g : q → r) : p → r := by\n  sorry\nend\n\n\
                    noncomputable def chosen : Nat := sorry\nend Logic\n";

#[test]
fn theorems_are_proved_where_they_stand() {
    let folder = Folder::new();
    let file = folder.write("logic.lean", FILE);
    let (code, out, err) = run(&["prove", &file, "--system", "lean4"]);
    // The definition is refused.
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("theorem swap (h : p ∧ q) : q ∧ p := by\n  constructor\n"), "{out}");
    assert!(out.contains("theorem trans (f : p → q) (g : q → r) : p → r := by\n"), "{out}");
    assert!(err.contains("2 of 2 proved"), "{out}{err}");
    let refused = "line 19: the definition `Logic.chosen` is left open";
    assert!(out.contains(refused) || err.contains(refused), "{out}{err}");
}

#[test]
fn rows_whose_imports_are_missing_are_refused_by_name() {
    let folder = Folder::new();
    let row = |name: &str, header: &str| {
        format!(
            "{{\"name\": \"{name}\", \"header\": \"{header}\", \"formal_statement\": \"theorem {name} : True := by\\n\"}}\n"
        )
    };
    let rows = folder.write("rows.jsonl", &(row("a", "import Mathlib\\n\\n") + &row("b", "")));
    let (code, out, err) = run(&["prove", &rows]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("theorem b : True := by"), "{out}{err}");
    let refused = "theorem `a` imports `Mathlib`, and the Lean in use has no such compiled module";
    assert!(out.contains(refused) || err.contains(refused), "{out}{err}");
    let only = folder.write("only.jsonl", &row("a", "import Mathlib\\n\\n"));
    let (code, _, err) = run(&["prove", &only]);
    assert!(code == 2 && err.contains(refused), "{err}");
}

#[test]
fn proofs_are_checked_as_files_and_alone() {
    let folder = Folder::new();
    let text = FILE.replace("private ", "");
    let task = folder.write("task.lean", &text);
    let whole = folder.write("whole.lean", &text.replace("· sorry", "· exact h.2"));
    let tactics = folder.write("tactics.lean", "constructor\n· exact h.2\n· exact h.1\n");
    let by = folder.write("by.lean", "by\n  exact ⟨h.2, h.1⟩\n");
    let term = folder.write("term.lean", ":= ⟨h.2, h.1⟩\n");
    let wrong = folder.write("wrong.lean", "exact ⟨h.1, h.1⟩\n");
    for (proof, code) in [(&whole, 0), (&tactics, 0), (&by, 0), (&term, 0), (&wrong, 1)] {
        let checked =
            ["check", proof, "--system", "lean4", "--theorem", "Logic.swap", "--statement-from", &task];
        let (found, out, err) = run(&[&checked[..], &["--json"]].concat());
        assert_eq!(found, code, "{proof}: {out}{err}");
        let verdict: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(verdict["system"], "lean4");
    }
    // Messages count lines in the whole file, and say where the proof begins in it.
    let wrong = folder.write("wrong.lean", "\n  constructor\n  · exact h.2\n  · exact nonsense\n");
    let args = ["check", &wrong, "--system", "lean4", "--theorem", "Logic.swap", "--statement-from", &task];
    let (code, out, err) = run(&args);
    assert_eq!(code, 1, "{out}{err}");
    let place = "what is line 8 there is line 2 of ";
    assert!(out.contains("line 10, column 15: ") && out.contains(place), "{out}{err}");
    let (code, _, err) = run(&["check", &tactics, "--system", "lean4", "--statement-from", &task]);
    assert!(code == 2 && err.contains("say with --theorem NAME which theorem"), "{err}");
    let (code, _, err) = run(&["check", &task, "--system", "rocq"]);
    assert!(code == 2 && err.contains("a file of this system ends in `.v`"), "{err}");
}

#[test]
fn unfinished_proofs_with_have_are_kept_without_mathlib() {
    let folder = Folder::new();
    let unfinished = [
        "  have h : p := by\n    sorry\n  exact ⟨h, hq⟩",
        "  have h : p := sorry\n  exact ⟨h, hq⟩",
        "  have ⟨h, _⟩ : p ∧ True := by\n    skip\n    sorry\n  exact ⟨h, hq⟩",
        "  refine ⟨?a, ?b⟩\n  case a | b => first | exact hp | exact hq\n  have h : p := by sorry",
    ];
    let theorem = |(n, proof): (usize, &&str)| {
        format!("theorem k{n} (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n{proof}\n")
    };
    let file = folder.write("k.lean", &unfinished[..3].iter().enumerate().map(theorem).collect::<String>());
    let (code, out, err) = run(&["prove", &file, "--system", "lean4"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(err.matches("the unfinished proof gives 2 steps, and leaves 1 goal open").count(), 3, "{err}");
    let file = folder.write("case.lean", &theorem((3, &unfinished[3])));
    let (code, out, err) = run(&["prove", &file, "--system", "lean4"]);
    assert!(code == 0 && err.contains("cut off at line 4"), "{out}{err}");
    // A later step of a plan may use an earlier one.
    let plan = folder.write("plan.json", r#"{"k1": {"plan": ["have a : p ∧ True", "have b : a.1 = a.1"]}}"#);
    let file = folder.write("plan.lean", &theorem((1, &"  sorry")));
    let (code, out, err) = run(&["prove", &file, "--system", "lean4", "--plan", &plan]);
    assert!(code == 0 && err.contains("gives 2 steps") && !err.contains("cut off"), "{out}{err}");
}

/// The Lean of the tests is without the lemmas of `omega`, so proofs by it are left out.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test looks at a real Lean, not at ours")]
fn what_mini_prints_for_the_examples_holds_in_a_real_lean() {
    let folder = Folder::new();
    let mut printed = String::new();
    for example in ["logic", "equality", "lists", "quantifiers"] {
        let file = format!("{}/../../examples/{example}.lean", env!("CARGO_MANIFEST_DIR"));
        let (_, out, err) = run(&["prove", &file, "--verify", "compiled", "--max-expansions", "60"]);
        assert!(!out.is_empty(), "{err}");
        printed += &out;
        printed.push('\n');
    }
    let proofs: Vec<&str> = printed.split("\n\n-- ").filter(|proof| !proof.contains("omega")).collect();
    assert!(proofs.len() > 100, "{} proofs", proofs.len());
    let text = proofs.join("\n\n-- ");
    let file = folder.write("printed.lean", &text);
    let mut checked = Command::new(lean::program());
    let (code, out, err) = left(checked.env("LEAN_SYSROOT", lean::sysroot()).arg(file).output().unwrap());
    assert_eq!(code, 0, "{out}{err}\n{text}");
}

#[test]
fn a_configuration_of_comparator_is_judged() {
    let folder = Folder::new();
    let statements = ["theorem swap (p q : Prop) : p ∧ q → q ∧ p", "theorem em (p : Prop) : p ∨ ¬ p"];
    let file = |name: &str, proofs: [&str; 2]| {
        let theorems = statements.iter().zip(proofs).map(|(stated, proof)| format!("{stated} := {proof}\n"));
        folder.write(name, &theorems.collect::<String>());
    };
    file("Challenge.lean", ["sorry", "by sorry"]);
    file("Solution.lean", ["fun h => ⟨h.2, h.1⟩", "Classical.em p"]);
    file("Unfinished.lean", ["sorry", "Classical.em p"]);
    let all = r#"["propext", "Quot.sound", "Classical.choice"]"#;
    for (solution, theorems, permitted, code, said) in [
        ("Solution", r#"["swap", "em"]"#, all, 0, "Solution.lean: accepted: 2 theorems"),
        ("Solution", r#"["swap"]"#, "[]", 0, "no axioms"),
        (
            "Solution",
            r#"["em"]"#,
            r#"["propext"]"#,
            1,
            "level 2 (audited): the proof depends on `Classical.choice`, which is not an allowed axiom",
        ),
        ("Solution", r#"["swap", "em", "swap"]"#, all, 0, "accepted: 2 theorems ("),
        ("Unfinished", r#"["swap"]"#, all, 1, "the proof uses `sorry`"),
        ("Absent", r#"["swap"]"#, all, 2, "there is no source of the module `Absent`"),
        ("Solution", r#"["no"]"#, all, 2, "has no theorem `no`"),
    ] {
        let text = format!(
            "{{\"challenge_module\": \"Challenge\", \"solution_module\": \"{solution}\", \"theorem_names\": {theorems}, \
             \"permitted_axioms\": {permitted}}}"
        );
        let config = folder.write("config.json", &text);
        let (found, out, err) = run(&["check", "--comparator", &config]);
        assert!(found == code && (out.clone() + &err).contains(said), "{text}: {found}\n{out}{err}");
    }
    // Whoever sends a solution may send a challenge, too.
    let sent = Folder::new();
    sent.write("Solution.lean", "theorem swap : True := trivial\n");
    sent.write("Challenge.lean", "theorem swap : True := sorry\n");
    let mut command = andor(&["check", "--comparator", &folder.path("config.json")]);
    let (code, out, err) = left(command.current_dir(sent.path("")).output().unwrap());
    assert!(code == 2 && err.contains("the module `Challenge` has several sources"), "{out}{err}");
}

#[test]
fn an_example_in_a_namespace_is_filled() {
    let folder = Folder::new();
    let file = folder.write("n.lean", "namespace N\nexample (p : Prop) (hp : p) : p := by sorry\nend N\n");
    let (code, out, err) = run(&["prove", &file, "--system", "lean4", "--write"]);
    let now = fs_err::read_to_string(&file).unwrap();
    assert!(code == 0 && now.contains("hp\nend N\n") && !now.contains("sorry"), "{out}{err}{now}");
}

/// A stand-in for the kernel `nanoda_bin`, in a folder that is hidden in the sandbox. It refuses a theorem of this name.
fn with_nanoda(folder: &Folder, refused: &str) {
    let script = format!(
        "#!/bin/sh\ngrep -q export.ndjson \"$1\" || exit 2\n\
         if grep -q -e '\"andor_false\"' -e '\"{refused}\"' export.ndjson; then echo 'type mismatch'; exit 1; fi\n"
    );
    fs_err::create_dir_all(folder.path("bin")).unwrap();
    let program = folder.write("bin/nanoda_bin", &script);
    fs_err::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
}

/// The program, with what is in a folder on its `PATH` first.
fn run_with(bin: &str, args: &[&str]) -> (i32, String, String) {
    let mut command = andor(args);
    command.env("LEAN_SYSROOT", lean::sysroot()).env_remove("LEAN_PATH");
    command.env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()));
    left(command.output().unwrap())
}

#[test]
fn another_kernel_on_the_path_is_asked() {
    let folder = Folder::new();
    with_nanoda(&folder, "swap");
    let bin = folder.path("bin");
    let file = |name: &str| {
        folder
            .write("proof.lean", &format!("theorem {name} (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"))
    };
    let check = |name: &str| {
        let file = file(name);
        run_with(&bin, &["check", &file, "--system", "lean4", "--second-judge", "required"])
    };
    let (code, out, err) = check("turn");
    assert!(code == 0 && out.contains("its term also accepted by: nanoda"), "{out}{err}");
    let (code, out, err) = check("swap");
    assert!(code == 1 && out.contains("the kernel `nanoda` rejects it: type mismatch"), "{out}{err}");
    let (code, out, err) = run(&["check", &file("turn"), "--system", "lean4", "--second-judge", "required"]);
    assert!(code == 2 && out.contains("`nanoda_bin` on PATH"), "{out}{err}");
}

#[test]
fn comparator_asks_for_other_kernels() {
    let folder = Folder::new();
    with_nanoda(&folder, "swap");
    for name in ["swap", "turn"] {
        let stated = format!("theorem {name} (p q : Prop) (h : p ∧ q) : q ∧ p");
        folder.write(&format!("{name}Challenge.lean"), &format!("{stated} := sorry\n"));
        folder.write(&format!("{name}.lean"), &format!("{stated} := ⟨h.2, h.1⟩\n"));
    }
    let configuration = |name: &str, kernels: &str| {
        let text = format!(
            "{{\"challenge_module\": \"{name}Challenge\", \"solution_module\": \"{name}\", \"theorem_names\": [\"{name}\"], {kernels}}}"
        );
        folder.write("config.json", &text)
    };
    let (nanoda, external) = (
        "\"enable_nanoda\": true",
        "\"external_kernels\": {\"n\": [\"nanoda_bin\"], \"l\": [\"lean4lean\", \"--import\"]}",
    );
    for (bin, name, kernels, code, said) in [
        (folder.path("bin"), "turn", nanoda, 0, "also accepted by: nanoda"),
        (folder.path("bin"), "swap", nanoda, 1, "the kernel `nanoda` rejects it"),
        (folder.path(""), "turn", nanoda, 2, "the kernel nanoda (`nanoda_bin`) that it asks for is not here"),
        (
            folder.path("bin"),
            "turn",
            external,
            2,
            "the kernel lean4lean (`lean4lean`) that it asks for is not here",
        ),
    ] {
        let (found, out, err) = run_with(&bin, &["check", "--comparator", &configuration(name, kernels)]);
        assert!(
            found == code && (out.clone() + &err).contains(said),
            "{name} {kernels}: {found}\n{out}{err}"
        );
    }
}

#[test]
fn accepted_theorems_are_exported() {
    let folder = Folder::new();
    let proved =
        folder.write("proved.lean", "theorem one : 1 + 0 = 1 := rfl\ntheorem two : True := trivial\n");
    let open = folder.write("open.lean", "theorem one : 1 + 0 = 1 := sorry\n");
    let out_path = folder.path("out.ndjson");
    let export = |file: &str, more: &[&str]| {
        run(&[&["check", file, "--system", "lean4", "--export-ndjson", &out_path], more].concat())
    };
    let (code, out, err) = export(&open, &[]);
    assert!(code == 1 && fs_err::metadata(&out_path).is_err(), "{out}{err}");
    let (code, out, err) = export(&proved, &["--theorem", "one"]);
    assert_eq!(code, 0, "{out}{err}");
    let lines = fs_err::read_to_string(&out_path).unwrap();
    assert!(lines.starts_with("{\"meta\":") && lines.lines().count() > 20, "{lines}");
    assert!(lines.contains("\"str\":\"one\"") && !lines.contains("\"str\":\"two\""), "{lines}");
    for line in lines.lines() {
        let _: Value = serde_json::from_str(line).unwrap();
    }
    let (code, _, err) = run(&["check", &proved, "--system", "mini", "--export-ndjson", &out_path]);
    assert!(code == 2 && err.contains("only theorems of Lean 4 can be exported"), "{err}");
    let (code, _, err) = export(&proved, &[&open]);
    assert!(code == 2 && err.contains("one file"), "{err}");
}
