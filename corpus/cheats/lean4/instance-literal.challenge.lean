theorem goal (n : Nat) : n + 3 = Nat.succ (Nat.succ (Nat.succ n)) := by
  sorry
