inductive Reach : Nat → Prop where
  | start : Reach 0
  | step (n : Nat) (h : Reach n) : Reach (n + 2)
theorem goal : Reach 4 := sorry
