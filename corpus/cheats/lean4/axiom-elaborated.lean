import Lean

theorem goal (n : Nat) : 0 + n = n := by
  run_tac do
    Lean.addDecl (.axiomDecl { name := `a, levelParams := [], type := .const ``False [], isUnsafe := false })
  exact False.elim a
