//! The judge of Lean proofs, on a real Lean. The corpus of cheats has many more (`crates/cli/tests/cheats.rs`).

use andor_system_lean::LEAN4;
use std::fs::File;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

use andor_core::axioms::AllowedAxioms;
use andor_core::theorem::Theorem;
use andor_core::verdict::Reason;
use andor_env::checker::{Checker, Claim, Level, Verdict};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_process::error::ProcessError;
use andor_system_lean::toolchain::Toolchain;
use andor_system_lean::{Lean, LeanConfig, checker};
use andor_testkit::{block_on, lean};

pub(super) const STATED: &str = "theorem goal (n : Nat) : n + 0 = n := by\n  sorry\n";
pub(super) const PROVED: &str = "theorem goal (n : Nat) : n + 0 = n := rfl\n";

/// A checker with a Lean.
pub(super) fn judge(toolchain: Toolchain) -> impl Checker {
    checker(LeanConfig { toolchain: Some(toolchain), ..LeanConfig::default() })
}

pub(super) fn claim(challenge: &str, submission: &str) -> Claim {
    Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: vec!["goal".to_owned()],
    }
}

/// The reason for which a claim is rejected at level 2, or `None` if it is accepted.
pub(super) fn rejected(judge: &dyn Checker, challenge: &str, submission: &str) -> Option<(Reason, String)> {
    match block_on(judge.check(&claim(challenge, submission), Level::Audited)) {
        Verdict::Accepted { level: Level::Audited, .. } => None,
        Verdict::Rejected { reason, message, .. } => Some((reason, message)),
        other => panic!("{submission}\n{other:?}"),
    }
}

#[test]
fn a_proof_may_be_written_in_many_ways() {
    let judge = judge(lean::toolchain());
    let with_match =
        "def half : Nat → Nat\n  | n + 2 => half n + 1\n  | _ => 0\n\ntheorem goal : half 4 = 2 := by\n  ";
    let lemma = "theorem before (n : Nat) : n = n := by\n  match n with\n  | 0 => rfl\n  | _ + 1 => rfl\n\n";
    let again = "def other : Nat → Nat\n  | n + 2 => other n + 1\n  | _ => 0\n\n";
    for (challenge, submission) in [
        (STATED, PROVED),
        (STATED, "theorem goal : ∀ m : Nat, m + 0 = m := fun _ => rfl\n"),
        (STATED, "theorem goal {k : Nat} : k + 0 = k := rfl"),
        (STATED, "theorem goal(n : Nat) : n + 0 = n/- a -/ := by-- b\n  exact (/- c -/ rfl)-- d\n"),
        (STATED, "set_option autoImplicit true in\n@[simp] theorem goal (n : Nat) : n + 0 = n := rfl"),
        (STATED, "namespace A\ntheorem _root_.goal (n : Nat) : n + 0 = n := rfl\nend A"),
        (STATED, "section\nvariable (n : Nat)\ntheorem goal : n + 0 = n := rfl\nend"),
        (
            "axiom goal (n : Nat) : n + 0 = n",
            "theorem mine (n : Nat) : n + 0 = n := rfl\ntheorem goal (n : Nat) : n + 0 = n := mine n\n",
        ),
        // Lean makes auxiliary definitions, and shares equal ones with declarations before.
        (&format!("{with_match}sorry"), &format!("{with_match}rfl")),
        (&format!("{with_match}sorry"), &format!("{lemma}{with_match}rfl")),
        (&format!("{with_match}sorry"), &format!("{again}{with_match}rfl")),
        (
            "def two : Nat := 2\ntheorem goal : two = 2 := sorry",
            "/-- An even number. -/\nabbrev two : Nat := 2\ntheorem goal : two = 2 := rfl",
        ),
        (
            "universe u\ntheorem goal (α : Type u) (a : α) : a = a := sorry",
            "theorem goal.{w} (β : Type w) (b : β) : b = b := rfl",
        ),
        (
            "class K (α : Type) where\n  k : α\ninstance : K Nat := ⟨2⟩\ntheorem goal : (K.k : Nat) = 2 := sorry",
            "class K (α : Type) where\n  k : α\ninstance named : K Nat := ⟨2⟩\ntheorem goal : (K.k : Nat) = 2 := rfl",
        ),
        (
            "private def two := 2\ntheorem goal : two = 2 := sorry",
            "theorem a : True := trivial\nprivate def two := 2\ntheorem goal : two = 2 := rfl",
        ),
    ] {
        assert_eq!(rejected(&judge, challenge, submission), None, "{challenge}\n{submission}");
    }
}

#[test]
fn statements_are_compared_as_terms() {
    let judge = judge(lean::toolchain());
    let with_literal = |n: &str| {
        format!("theorem goal : {n} = {n} := by\n  rfl\ntheorem other : \"{n}\" = \"{n}\" := rfl\n")
    };
    let with_fields = |field: &str| {
        format!(
            "structure P where\n  a : Nat\n  b : Nat\ntheorem goal (p : P) : p.{field} = p.{field} := rfl\n"
        )
    };
    let with_opaque = |n: u8| format!("opaque secret : Nat := {n}\ntheorem goal : secret = secret := rfl\n");
    let large = "100000000000000000000000000000000000000000000";
    for (challenge, submission) in [
        (STATED, "theorem goal (_n : Nat) : 0 + 0 = 0 := rfl\n".to_owned()),
        (STATED, "theorem goal (n : Nat) (_h : False) : n + 0 = n := rfl\n".to_owned()),
        (STATED, "theorem goal (n : Nat) : let m := 0; n + m = n := rfl\n".to_owned()),
        (STATED, "theorem goal (n : Nat) : n + 0 = n + 0 := rfl\n".to_owned()),
        (&with_literal(large), with_literal(&large.replacen('0', "1", 3))),
        (&with_literal(large), with_literal(&format!("{large}0"))),
        ("theorem goal : \"a\" = \"a\" := sorry", "theorem goal : \"b\" = \"b\" := rfl".to_owned()),
        (
            "theorem goal (α : Type) (a : α) : a = a := sorry",
            "universe u\ntheorem goal (α : Type u) (a : α) : a = a := rfl".to_owned(),
        ),
        // Another imported constant, another field, another hidden value.
        (STATED, "theorem goal (n : Nat) : n * 0 = n := sorry".to_owned()),
        (&with_fields("a"), with_fields("b")),
        (&with_opaque(1), with_opaque(2)),
    ] {
        let found = rejected(&judge, challenge, &submission);
        assert!(matches!(found, Some((Reason::Statement, _))), "{submission}: {found:?}");
    }
}

#[test]
fn a_challenge_must_state_the_theorem() {
    let judge = judge(lean::toolchain());
    for (challenge, said) in [
        ("theorem other : True := trivial", "it has no theorem `goal`"),
        ("theorem goal : 1 = 2 := nonsense", "nonsense"),
        ("def hole : Nat := sorry\ntheorem goal : hole = hole := sorry", "sorry"),
        (
            "noncomputable def hole : Nat := sorry\ntheorem goal : hole = hole := sorry",
            "left open by `sorry`",
        ),
        ("#eval 1\ntheorem goal : True := trivial", "#eval"),
    ] {
        match block_on(judge.check(&claim(challenge, PROVED), Level::Audited)) {
            Verdict::Infrastructure { error, .. } => assert!(error.to_string().contains(said), "{error}"),
            other => panic!("{challenge}: {other:?}"),
        }
    }
}

/// A judge with stand-ins that lie beside the real Lean, which the sandbox would hide.
fn unconfined(toolchain: Toolchain) -> impl Checker {
    checker(LeanConfig { toolchain: Some(toolchain), sandbox: false, ..LeanConfig::default() })
}

/// A toolchain like the real one, with a program in place of its second kernel.
fn with_second_kernel(folder: &Path, script: &str) -> Toolchain {
    std::fs::create_dir_all(folder.join("bin")).expect("the folder can be made");
    for name in ["lib", "bin/lean"] {
        if !folder.join(name).exists() {
            symlink(lean::sysroot().join(name), folder.join(name)).expect("nothing is there");
        }
    }
    let program = folder.join("bin/leanchecker");
    std::fs::write(&program, script).expect("the file can be written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
    Toolchain { sysroot: folder.to_owned(), ..lean::toolchain() }
}

#[test]
fn the_third_level_is_another_run_of_the_kernel() {
    let folder = tempfile::tempdir().unwrap();
    for (script, accepts) in [
        ("#!/bin/sh\n[ \"$1\" = andor_judged ] && [ -f \"${LEAN_PATH%%:*}/andor_judged.olean\" ]\n", true),
        (
            "#!/bin/sh\ngrep -q goal andor_judged.olean || exit 0\n\
             echo 'uncaught exception: (kernel) declaration type mismatch'\nexit 1\n",
            false,
        ),
    ] {
        let toolchain = with_second_kernel(folder.path(), script);
        let verdict = block_on(unconfined(toolchain).check(&claim(STATED, PROVED), Level::Rechecked));
        match verdict {
            Verdict::Accepted { level: Level::Rechecked, .. } if accepts => {}
            Verdict::Rejected { level: Level::Rechecked, reason: Reason::Kernel, message, .. }
                if !accepts =>
            {
                assert!(message.contains("type mismatch"), "{message}");
            }
            other => panic!("{script}: {other:?}"),
        }
    }
}

#[test]
fn a_second_kernel_that_fails_accepts_nothing_and_one_that_is_missing_lowers_the_level() {
    let folder = tempfile::tempdir().unwrap();
    let toolchain = with_second_kernel(folder.path(), "#!/bin/sh\nkill -KILL $$\n");
    let verdict = |toolchain| {
        block_on(andor_env::checker::judge(&unconfined(toolchain), &claim(STATED, PROVED), Level::Rechecked))
    };
    match verdict(toolchain.clone()) {
        Verdict::Infrastructure {
            level: Level::Rechecked,
            error: EnvError::Process(ProcessError::Died { .. }),
        } => {}
        other => panic!("{other:?}"),
    }
    std::fs::remove_file(folder.path().join("bin/leanchecker")).unwrap();
    match verdict(toolchain) {
        Verdict::Accepted { level: Level::Audited, shortfall: Some(why), .. } => {
            assert!(why.contains("leanchecker"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_more_than_the_judge_reads_is_rejected() {
    let long = format!("def {}.b.c : Nat := 0\n{PROVED}", "a".repeat(70_000));
    let judge = judge(lean::toolchain());
    for challenge in [STATED, &long] {
        let (reason, message) = rejected(&judge, challenge, &long).unwrap();
        assert!(reason == Reason::Refused && message.contains("more than 65,536 bytes"), "{message}");
    }
}

#[test]
fn the_kernel_of_a_real_lean_checks_again() {
    let judge = judge(lean::toolchain());
    let check = |submission: &str| block_on(judge.check(&claim(STATED, submission), Level::Judged));
    let honest = format!("inductive T | a | b (t : T)\nprivate def two := 2\n{PROVED}");
    let loaded = |verdict| match verdict {
        Verdict::Accepted { level: Level::Judged, trust, .. } => trust.libraries.into_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(loaded(check(&honest)), [""; 0]);
    assert_eq!(loaded(check(&format!("import Tricks\n{honest}"))), ["Tricks"]);
    // A tactic of a library adds a lemma with the kernel switched off.
    let cheat = "import Tricks\ntheorem lie : (0 : Nat) = 1 := by conjure\n\
                 theorem goal (n : Nat) : n + 0 = n := by injection lie\n";
    match check(cheat) {
        Verdict::Rejected { level: Level::Rechecked, reason: Reason::Kernel, message, .. } => {
            assert!(message.contains("lie"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_compilation_leaves_behind_is_not_checked_again() {
    let folder = tempfile::tempdir().unwrap();
    let only = "#!/bin/sh\n[ \"$(ls -A \"${LEAN_PATH%%:*}\")\" = andor_judged.olean ]\n";
    let toolchain = with_second_kernel(folder.path(), only);
    // A Lean that leaves more than the compiled file, as code in a submission could.
    let stand_in = folder.path().join("lean");
    let leaves = "touch Init.olean andor_judged.olean.server andor_judged.olean.private";
    std::fs::write(&stand_in, format!("#!/bin/sh\n{leaves}\n{} \"$@\"\n", lean::program().display()))
        .unwrap();
    std::fs::set_permissions(&stand_in, std::fs::Permissions::from_mode(0o755)).unwrap();
    let toolchain = Toolchain { lean: stand_in, ..toolchain };
    let judge = unconfined(toolchain);
    match block_on(judge.check(&claim(STATED, PROVED), Level::Rechecked)) {
        Verdict::Accepted { level: Level::Rechecked, .. } => {}
        other => panic!("{other:?}"),
    }
}

/// A toolchain with a library that has one module, `Lib.A`.
fn with_library(folder: &Path, text: &str) -> Toolchain {
    lean::compile(folder, "Lib.A", text);
    lean::compile(folder, "Lib", "import Lib.A\n");
    Toolchain { search_path: vec![folder.to_owned()], ..lean::toolchain() }
}

const ON_LIBRARY: &str = "import Lib\ntheorem goal : Lib.claim := sorry\n";
const BY_LIBRARY: &str = "import Lib\ntheorem goal : Lib.claim := Lib.holds\n";
const PROVES: &str = "def Lib.claim : Prop := 1 = 1\ntheorem Lib.holds : Lib.claim := rfl\n";
const ASSUMES: &str = "def Lib.claim : Prop := 1 = 1\naxiom Lib.given : Lib.claim\ntheorem Lib.holds : Lib.claim := Lib.given\n";

#[test]
fn libraries_of_the_same_name_are_told_apart() {
    let folders = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let honest = judge(with_library(folders[0].path(), PROVES));
    let assuming = judge(with_library(folders[1].path(), ASSUMES));
    for _ in 0..2 {
        assert_eq!(rejected(&honest, ON_LIBRARY, BY_LIBRARY), None);
        let (reason, message) = rejected(&assuming, ON_LIBRARY, BY_LIBRARY).unwrap();
        assert!(reason == Reason::Axiom && message.contains("Lib.given"), "{message}");
    }
}

#[test]
fn a_library_that_changes_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let judge = judge(with_library(folder.path(), PROVES));
    let compiled = folder.path().join("Lib/A.olean");
    assert_eq!(rejected(&judge, ON_LIBRARY, BY_LIBRARY), None);
    let before = std::fs::metadata(&compiled).unwrap().modified().unwrap();
    lean::compile(folder.path(), "Lib.A", ASSUMES);
    // Whoever changes it can set the time of its last modification, but not of its last change.
    File::options().write(true).open(&compiled).unwrap().set_modified(before).unwrap();
    let (reason, message) = rejected(&judge, ON_LIBRARY, BY_LIBRARY).unwrap();
    assert!(reason == Reason::Axiom && message.contains("Lib.given"), "{message}");
    // The challenge, too, says something else now.
    let other = "def Lib.claim : Prop := 1 = 2\ntheorem Lib.holds : 1 = 1 := rfl\n";
    lean::compile(folder.path(), "Lib.A", other);
    let unfolded = "import Lib\ntheorem goal : 1 = 1 := rfl\n";
    assert_eq!(rejected(&judge, ON_LIBRARY, unfolded).unwrap().0, Reason::Statement);
}

#[test]
fn a_library_that_is_damaged_or_changes_meanwhile_gives_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let toolchain = with_library(folder.path(), PROVES);
    let compiled = folder.path().join("Lib/A.olean");
    let whole = std::fs::read(&compiled).unwrap();
    let error =
        |judge: &dyn Checker| match block_on(judge.check(&claim(ON_LIBRARY, BY_LIBRARY), Level::Audited)) {
            Verdict::Infrastructure { error, .. } => error,
            other => panic!("{other:?}"),
        };
    // A Lean that does not notice: it reads the whole file, and damages it afterwards.
    let stand_in = folder.path().join("lean");
    let real = lean::program();
    let judged = |damage: &str| {
        std::fs::write(&compiled, &whole).unwrap();
        let script = format!(
            "#!/bin/sh\n{} \"$@\" || exit 1\n[ -e {folder}/harmless ] || {damage}\n",
            real.display(),
            folder = folder.path().display()
        );
        std::fs::write(&stand_in, script).unwrap();
        std::fs::set_permissions(&stand_in, std::fs::Permissions::from_mode(0o755)).unwrap();
        let toolchain = Toolchain { lean: stand_in.clone(), ..toolchain.clone() };
        unconfined(toolchain)
    };
    let file = compiled.display();
    for damage in [
        format!("truncate -s 5000 {file}"),
        format!("truncate -s 10 {file}"),
        format!("touch {file}"),
        format!("cp {file} {file}.new && mv {file}.new {file}"),
    ] {
        let error = error(&judged(&damage));
        assert!(
            matches!(error, EnvError::LibraryChanged { .. } | EnvError::CompiledFile { .. }),
            "{damage}: {error}"
        );
    }
    // When nothing changes any more, the same proof is accepted.
    let judge = judged("true");
    std::fs::write(folder.path().join("harmless"), "").unwrap();
    assert_eq!(rejected(&judge, ON_LIBRARY, BY_LIBRARY), None);
}

#[test]
fn a_second_kernel_that_rejects_everything_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let toolchain = with_second_kernel(folder.path(), "#!/bin/sh\necho 'incompatible header'\nexit 1\n");
    match block_on(unconfined(toolchain).check(&claim(STATED, PROVED), Level::Rechecked)) {
        Verdict::Infrastructure { level: Level::Rechecked, error } => {
            assert!(error.to_string().contains("incompatible header"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_kernel_knows_by_name_is_not_declared_again() {
    let judge = judge(lean::toolchain());
    let submission = format!("theorem id_delta : True := trivial\n{PROVED}");
    let (reason, message) = rejected(&judge, STATED, &submission).unwrap();
    assert_eq!(reason, Reason::Forbidden);
    assert!(message.contains("`id_delta`"), "{message}");
    assert_eq!(rejected(&judge, STATED, &submission.replace("id_delta", "other")), None);
}

#[test]
fn private_theorems_are_judged_by_their_names() {
    let judge = judge(lean::toolchain());
    let private = |text: &str| format!("private {text}");
    for (challenge, submission, reason) in [
        (private(STATED), private(PROVED), None),
        (private(STATED), PROVED.to_owned(), None),
        (STATED.to_owned(), private(PROVED), Some(Reason::Missing)),
        (private(STATED), private("theorem goal (n : Nat) : n = n := rfl\n"), Some(Reason::Statement)),
        (
            private(STATED),
            "namespace A\nprivate theorem goal (n : Nat) : n + 0 = n := rfl\nend A".to_owned(),
            Some(Reason::Missing),
        ),
        (private(STATED), private("axiom goal (n : Nat) : n + 0 = n"), Some(Reason::Unproved)),
    ] {
        let found = rejected(&judge, &challenge, &submission);
        assert_eq!(found.as_ref().map(|(reason, _)| *reason), reason, "{challenge}{submission}{found:?}");
        if let Some((_, message)) = found {
            assert!(!message.contains("_private"), "{message}");
        }
    }
}

#[test]
fn a_header_that_the_judge_refuses_is_refused_before_a_search() {
    let theorem = |header: &str, statement: &str| Theorem {
        id: "goal".to_owned(),
        name: "goal".to_owned(),
        system: LEAN4,
        header: header.to_owned(),
        statement: statement.to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    // A Lean that is missing is not even looked for.
    let toolchain = Toolchain { lean: "/nowhere/lean".into(), ..lean::toolchain() };
    let lean = || Lean::new(LeanConfig { toolchain: Some(toolchain.clone()), ..LeanConfig::default() });
    let stated = "theorem goal : 1 = 1";
    for (header, statement, part) in [
        ("run_cmd pure ()\n", stated, "the header"),
        ("initialize pure ()\n", stated, "the header"),
        ("set_option debug.skipKernelTC true\n", stated, "the header"),
        ("", "theorem goal : by_elab return 1", "the statement"),
    ] {
        let theorem = theorem(header, statement);
        let workers = Workers::new(Arc::new(lean()), Grouping::Coupled);
        let session = block_on(Session::open(workers, theorem.clone(), Limits::default()));
        let pinned = block_on(lean().checker().pin(&theorem)).unwrap_err();
        match (session.err().unwrap(), pinned) {
            (
                EnvError::TheoremRefused { part: found, message, .. },
                EnvError::TheoremRefused { message: by_judge, .. },
            ) => assert!(found == part && by_judge.ends_with(&message), "{found}: {message}\n{by_judge}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(lean().admit(&theorem("open Nat\nset_option autoImplicit true\n", stated)).is_ok());
}

#[test]
fn proofs_that_lie_beside_a_module_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let module = "module\nprelude\npublic section\ninductive Yes : Prop where | intro : Yes\naxiom given : Yes\n\
                  theorem assumed : Yes := given\ntheorem proved : Yes := Yes.intro\nend\n";
    lean::compile(folder.path(), "Lib.P", module);
    assert!(folder.path().join("Lib/P.olean.private").is_file());
    let judge = judge(Toolchain { search_path: vec![folder.path().to_owned()], ..lean::toolchain() });
    let stated = "import Lib.P\ntheorem goal : Yes := sorry\n";
    let by = |proof: &str| stated.replace("sorry", proof);
    assert_eq!(rejected(&judge, stated, &by("proved")), None);
    let (reason, message) = rejected(&judge, stated, &by("assumed")).unwrap();
    assert!(reason == Reason::Axiom && message.contains("`given`"), "{message}");
}

/// A library that defines commands.
const COMMANDS: &str = "macro \"grant\" n:declId \":\" t:term : command => `(set_option debug.skipKernelTC true in theorem $n : $t := trivial)\n\
    macro \"lemma\" n:declId \":\" t:term : command => `(theorem $n : $t := trivial)\n\
    namespace Lib\n\
    scoped macro \"[\" \"[\" \"]\" \"]\" \"quiet\" n:declId : command => `(theorem $n : True := trivial)\n\
    end Lib\n\
    macro \"gentle\" : tactic => `(tactic| trivial)\n\
    notation \"certain\" => True\n";

#[test]
fn commands_of_libraries_are_refused_unless_the_challenge_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let judge = judge(with_library(folder.path(), COMMANDS));
    let stated = "import Lib\ntheorem goal : True := sorry\n";
    let proved = |before: &str| format!("import Lib\n{before}\ntheorem goal : True := trivial\n");
    for (before, word) in [
        ("grant other : True", "grant"),
        ("theorem one : True := trivial grant other : True", "grant"),
        ("theorem one : True := by\n  trivial\n   grant other : True", "grant"),
        ("open Lib\n[[]] quiet other", "quiet"),
    ] {
        let (reason, message) = rejected(&judge, stated, &proved(before)).expect(before);
        assert_eq!(reason, Reason::Forbidden, "{message}");
        assert!(message.contains(&format!("`{word}`")) && message.contains("`Lib.A`"), "{message}");
        // A module that only the submission imports counts, too.
        let bare = "theorem goal : True := sorry\n";
        assert_eq!(
            rejected(&judge, bare, &proved(before)).map(|(reason, _)| reason),
            Some(Reason::Forbidden)
        );
        let allowed = stated.replace("theorem goal", &format!("{before}\ntheorem goal"));
        assert_eq!(rejected(&judge, &allowed, &proved(before)), None, "{before}");
        let mentioned = format!("{stated}-- {word}\n");
        assert!(rejected(&judge, &mentioned, &proved(before)).is_some(), "{before}");
    }
    for before in [
        "lemma other : True",
        "theorem other : certain := by gentle",
        "theorem granted : True := trivial",
        "theorem other.quiet : True := trivial",
    ] {
        assert_eq!(rejected(&judge, stated, &proved(before)), None, "{before}");
    }
    // Without the library, the words are names like others.
    let plain = "theorem goal : True := trivial\ntheorem grant : True := trivial\n";
    assert_eq!(rejected(&judge, "theorem goal : True := sorry", plain), None);
}

#[test]
fn what_a_library_declares_unsafe_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    // The library was compiled with the kernel switched off.
    let judge = judge(with_library(
        folder.path(),
        "unsafe def Lib.loop (p : Prop) : p := Lib.loop p\nset_option debug.skipKernelTC true in\n\
         theorem Lib.holds (p : Prop) : p := Lib.loop p\n",
    ));
    let submission = "import Lib\ntheorem goal (n : Nat) : n + 0 = n := Lib.holds _\n";
    let (reason, message) = rejected(&judge, STATED, submission).unwrap();
    assert!(reason == Reason::Unchecked && message.contains("`Lib.loop`"), "{message}");
    // What the challenge imports is imported.
    let (reason, message) = rejected(&judge, &format!("import Lib\n{STATED}"), PROVED).unwrap();
    assert!(reason == Reason::Forbidden && message.contains("add `import Lib`"), "{message}");
}

#[test]
fn what_tactics_of_libraries_add_is_checked_again_at_level_2() {
    let judge = judge(lean::toolchain());
    let stated = |import: &str| format!("{import}theorem goal (n : Nat) : n + 0 = n := sorry\n");
    for (lie, proof) in [
        ("theorem lie : (0 : Nat) = 1 := by conjure", "by injection lie"),
        ("theorem lie : (0 : Nat) = 1 := assured", "by injection lie"),
        ("grant lie : (0 : Nat) = 1", "by injection lie"),
    ] {
        // Also if the challenge imports the module and uses its command.
        let challenge =
            stated(&format!("import Tricks\n{}\n", lie.replace("1", "0").replace("lie", "truth")));
        let submission = format!("import Tricks\n{lie}\ntheorem goal (n : Nat) : n + 0 = n := {proof}\n");
        let (reason, message) = rejected(&judge, &challenge, &submission).expect(lie);
        assert!(reason == Reason::Kernel && message.contains("lie"), "{message}");
        // A file that states its own theorem.
        let (reason, message) = rejected(&judge, &submission, &submission).expect(lie);
        assert!(matches!(reason, Reason::Kernel | Reason::Forbidden), "{message}");
        let honest = submission.replace("= 1", "= 0").replace("by injection lie", "rfl");
        assert_eq!(rejected(&judge, &challenge, &honest), None, "{lie}");
    }
}

#[test]
fn a_second_kernel_that_crashes_rejects() {
    let folder = tempfile::tempdir().unwrap();
    // It accepts what is small, such as an empty file.
    let script = "#!/bin/sh\n[ $(wc -c < \"${LEAN_PATH%%:*}/$1.olean\") -lt 2000 ] || kill -6 $$\n";
    let toolchain = with_second_kernel(folder.path(), script);
    let filler: String = (0..40).map(|n| format!("theorem t{n} (n : Nat) : n + 0 = n := rfl\n")).collect();
    let submission = filler + PROVED;
    match block_on(unconfined(toolchain).check(&claim(STATED, &submission), Level::Rechecked)) {
        Verdict::Rejected { level: Level::Rechecked, reason: Reason::Kernel, message, .. } => {
            assert!(message.contains("crashes"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_allowed_axiom_must_exist() {
    let judge = |allowed: &str| {
        let allowed_axioms = AllowedAxioms::named(&[allowed.to_owned()]);
        checker(LeanConfig { toolchain: Some(lean::toolchain()), allowed_axioms, ..LeanConfig::default() })
    };
    let own = "import Tricks\naxiom mine : True\n";
    let claim = claim(&format!("{own}{STATED}"), &format!("{own}{PROVED}"));
    for allowed in ["mine", "Tricks.given", "propext", "_root_.mine"] {
        let verdict = block_on(judge(allowed).check(&claim, Level::Audited));
        assert!(matches!(verdict, Verdict::Accepted { .. }), "{allowed}: {verdict:?}");
    }
    // One that only the challenge has is known.
    let stated = format!("axiom mine : Nat → Nat\n{STATED}");
    let defined = format!("def mine (n : Nat) : Nat := n\n{PROVED}");
    let verdict = block_on(judge("mine").check(&self::claim(&stated, &defined), Level::Audited));
    assert!(matches!(verdict, Verdict::Accepted { .. }), "{verdict:?}");
    // A theorem is no axiom.
    for allowed in ["given", "Tricks.holds", "goal", "Nat.zero_add"] {
        let Verdict::Infrastructure { error, .. } = block_on(judge(allowed).check(&claim, Level::Audited))
        else {
            panic!("{allowed}")
        };
        let message = error.to_string();
        for part in [allowed, "`propext`", "`mine`", "`Tricks.given`"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(
            matches!(error, EnvError::TheoremRefused { .. }) && !message.contains("goal`, "),
            "{message}"
        );
    }
}

#[test]
fn a_missing_import_is_refused_by_name() {
    let judge = judge(lean::toolchain());
    let text = "import Tricks\nimport Tricks.More\n\ntheorem goal (n : Nat) : n + 0 = n := rfl\n";
    for level in [Level::Compiled, Level::Audited] {
        match block_on(judge.check(&claim(STATED, text), level)) {
            Verdict::Rejected { reason: Reason::Refused, message, .. } => {
                assert!(message.contains("line 2") && message.contains("`import Tricks.More`"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
