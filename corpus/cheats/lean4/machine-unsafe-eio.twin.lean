def answer (ε : Type) : EStateM.Result ε Unit Nat := .ok 1 ()

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
