inductive Side : Type where
  | left
def Side.right : Side := Side.left
theorem goal (s : Side) : s = Side.left ∨ s = Side.right := by
  cases s
  exact Or.inl rfl
