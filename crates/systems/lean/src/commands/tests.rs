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
        ("def x := unsafeBaseIO y", "unsafeBaseIO"),
        ("def x : Task Nat := Task.spawn f", "Task.spawn"),
        ("def x : System.FilePath := y", "System.FilePath"),
        ("def x := ST.Prim.mkRef 1", "ST.Prim.mkRef"),
        ("open Std.Internal.UV in def x := y", "Std.Internal.UV"),
        ("def x := dbgTraceVal 1", "dbgTraceVal"),
        ("def x := println! \"y\"", "println!"),
        ("prelude\ntheorem t : True := x", "prelude"),
        ("/-- x -/ module\nimport X", "module"),
        ("set_option trace.profiler.output \"x\" in theorem t : a := b", "set_option trace.profiler.output"),
        ("notation \"x/-\" => y", "\"x/-\""),
        ("-- unsafeCast", "unsafeCast"),
        ("/-/-/ \nprelude -- -/ -/", "prelude"),
        ("/-- /-/-/ -/ #eval 1\n -- -/ -/ theorem t : True := x", "#eval"),
        ("/-- -- -/ run\n-/ macro \"x\" : term => y", "macro"),
        ("notation \"x\" => \"set_option\"", "set_option"),
        ("def x := s!\"{set_option a true in b}\"", "set_option"),
        ("def x := \" macro \"", "macro"),
        ("def x := «a macro»", "macro"),
        ("xelab x", "elab"),
        ("def x := 0xelab", "elab"),
        ("theorem t : 1 = 1 := by decide +«native»", "native"),
        ("@[to_additive (attr := simp, extern \"c\")] def x := 1", "@[extern]"),
        ("@[to_dual (attr := odd)] def x := 1", "@[odd]"),
        ("@[aesop safe (by simp)] def x := 1", "by"),
        ("@[simp \"] extern\"] def x := 1", "extern"),
        ("set_library_suggestions x", "set_library_suggestions"),
        ("register_try?_tactic x", "register_try?_tactic"),
        ("def x := \"@[\"", "@["),
    ] {
        match harmless(text) {
            Err(Refusal::Outside { command, .. }) => assert_eq!(command, word, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn what_lean_may_read_in_another_way_is_refused() {
    for text in [
        "def x := {x : Nat //-x = x} -- -/",
        "def x := a */-b -/",
        "def x := a +--b\nc",
        "def x := a //-!b -/",
        "notation \"x/\" => y\nx x/-x -/",
        "infix:50 \" )- \" => y\ndef x := (a)--b",
        "x ./' --b",
        "x ./'\n/-b -/",
        "x .'' --b",
        "x .' /--\nb\n-/",
    ] {
        assert!(matches!(harmless(text), Err(Refusal::CommentAfterSymbol { .. })), "{text}");
    }
    for text in
        ["def x := ∑'\"'\" -- \"", "def x := 0 ⁻¹'\"'\" -- \"", "def x := ‖r\"\\\" \"\"", "def x := a\"b\""]
    {
        assert!(matches!(harmless(text), Err(Refusal::Foreign { .. })), "{text}");
    }
    let joined = "theorem t(h : p) : p/- a -/ := by/- b -/\n  exact (/- c -/ h)-- d\n";
    let code = "theorem t(h : p) : p        := by       \n  exact (        h)    \n";
    assert_eq!(harmless(joined).as_deref(), Ok(code));
    assert_eq!(harmless("def é := 1 -- macro é\n").as_deref(), Ok("def é := 1           \n"));
}

#[test]
fn options_are_those_that_are_known() {
    for text in
        ["set_option debug.skipKernelTC true", "set_option «debug».x true", "set_option debug.x true in"]
    {
        assert!(matches!(harmless(text), Err(Refusal::Unchecked { .. })), "{text}");
    }
    for text in ["set_option bootstrap.x true", "set_option internal.x true", "set_option", "set_option (x)"]
    {
        assert!(matches!(harmless(text), Err(Refusal::UnknownOption { .. })), "{text}");
    }
    for text in
        ["set_option maxHeartbeats 400000 in", "set_option pp.all true", "set_option autoImplicit false"]
    {
        assert_eq!(harmless(text).as_deref(), Ok(text), "{text}");
    }
}

#[test]
fn ordinary_files_pass() {
    let file = "import Mathlib\nset_option maxHeartbeats 400000\nopen BigOperators Real Nat Topology\n\n\
        /-- Initialize the macro. unsafe -/\n@[simp, local instance 100] theorem t (s : Finset ℕ) (h : #s = 1) : \
        s.card = 1 := by\n  -- elab\n  simpa using h\nlocal notation \"⟪\" x \"⟫\" => f x\n\
        @[aesop unsafe 50% apply] theorem u : True := trivial\n#check t\n#print axioms t\n\
        attribute [-simp] t\ninstance (priority := low) : Inhabited Nat := ⟨0⟩\n\
        theorem v : True := by aesop (add unsafe 10% t)\n\
        theorem w (ST Task System : Nat) (h : ST.succ = Task) : ST < Task := by omega\npartial def f (n : Nat) : Nat := f n\n";
    assert!(harmless(file).is_ok(), "{:?}", harmless(file));
}
