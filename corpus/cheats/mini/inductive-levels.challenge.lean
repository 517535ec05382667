inductive Claim : Nat → Prop where
  | intro (n : Nat) (h : n = 0) : Claim n
theorem goal (α : Sort u) : Claim 0 := by sorry
