def found (path : System.FilePath) := path.pathExists

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
