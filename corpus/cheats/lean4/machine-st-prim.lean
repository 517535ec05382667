def cell (s : Type) := ST.Prim.mkRef (σ := s) (0 : Nat)

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
