inductive Side : Type where
  | left
  | right
theorem goal (s : Side) : s = Side.left ∨ s = Side.right := sorry
