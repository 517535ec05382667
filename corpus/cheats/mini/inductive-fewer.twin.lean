inductive Side : Type where
  | left
  | right
theorem goal (s : Side) : s = Side.left ∨ s = Side.right := by
  cases s
  · exact Or.inl rfl
  · exact Or.inr rfl
