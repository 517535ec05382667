inductive Claim : Nat → Prop where
  | intro (n : Nat) (h : True) : Claim n
theorem goal (α : Sort u) : Claim 0 := by
  have h : α = α := rfl
  exact Claim.intro 0 True.intro
