import Tricks

theorem grantee (n : Nat) : n = n := rfl

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
