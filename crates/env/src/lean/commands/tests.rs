use super::*;

#[test]
fn what_runs_code_is_refused_wherever_it_stands() {
    for (text, word) in [
        ("run_cmd x", "run_cmd"),
        ("theorem t : True := trivial run_cmd x", "run_cmd"),
        ("#eval 1", "#eval"),
        ("theorem t : True := trivial#eval 1", "#eval"),
        ("#evaluate", "#evaluate"),
        ("#exit", "#exit"),
        ("macro \"x\" : tactic => `(tactic| sorry)", "macro"),
        ("local macro_rules | `(x) => `(y)", "macro_rules"),
        ("syntax \"x\" : tactic", "syntax"),
        ("elab \"x\" : tactic => pure ()", "elab"),
        ("initialize x : Nat <- pure 1", "initialize"),
        ("simproc x (_ + _) := fun e => pure e", "simproc"),
        ("unsafe def x := 1", "unsafe"),
        ("theorem t : 1 = 1 := by native_decide", "native_decide"),
        ("theorem t : 1 = 1 := by decide +native", "native"),
        ("@[implemented_by y] def x := 1", "implemented_by"),
        ("@[extern \"y\"] def x := 1", "@[extern]"),
        ("@[simp, csimp] theorem x : a = b := rfl", "@[csimp]"),
        ("attribute [local simp, extern \"x\"] y", "@[extern]"),
        ("@[init] def x := 1", "@[init]"),
        ("@[aesop safe tactic] def x := y", "tactic"),
        ("open Lean Elab", "Lean"),
        ("def x : Lean.MetaM Unit := y", "Lean.MetaM"),
        ("def x : _root_.IO Unit := y", "_root_.IO"),
        ("def x : «IO» Unit := y", "«IO»"),
        ("prelude\ntheorem t : True := x", "prelude"),
        ("/-- x -/ module\nimport X", "module"),
        ("set_option trace.profiler.output \"x\" in theorem t : a := b", "set_option trace.profiler.output"),
        ("notation \"x/-\" => y", "\"x/-\""),
        ("-- unsafeCast", "unsafeCast"),
    ] {
        match forbidden(text) {
            Err(Refusal::Outside { command, .. }) => assert_eq!(command, word, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn options_are_those_that_are_known() {
    for text in
        ["set_option debug.skipKernelTC true", "set_option «debug».x true", "set_option debug.x true in"]
    {
        assert!(matches!(forbidden(text), Err(Refusal::Unchecked { .. })), "{text}");
    }
    for text in ["set_option bootstrap.x true", "set_option internal.x true", "set_option", "set_option (x)"]
    {
        assert!(matches!(forbidden(text), Err(Refusal::UnknownOption { .. })), "{text}");
    }
    for text in
        ["set_option maxHeartbeats 400000 in", "set_option pp.all true", "set_option autoImplicit false"]
    {
        assert_eq!(forbidden(text), Ok(()), "{text}");
    }
}

#[test]
fn ordinary_files_pass() {
    let file = "import Mathlib\nset_option maxHeartbeats 400000\nopen BigOperators Real Nat Topology\n\n\
        /-- Initialize the macro. unsafe -/\n@[simp, local instance 100] theorem t (s : Finset ℕ) (h : #s = 1) : \
        s.card = 1 := by\n  -- elab\n  simpa using h\nlocal notation \"⟪\" x \"⟫\" => f x\n\
        @[aesop unsafe 50% apply] theorem u : True := trivial\n#check t\n#print axioms t\n\
        attribute [-simp] t\ninstance (priority := low) : Inhabited Nat := ⟨0⟩\n\
        theorem v : True := by aesop (add unsafe 10% t)\npartial def f (n : Nat) : Nat := f n\n";
    assert_eq!(forbidden(file), Ok(()));
}
