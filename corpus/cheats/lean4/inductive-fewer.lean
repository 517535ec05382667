inductive Color where
  | red

theorem goal (c : Color) : c = c := by
  cases c
  rfl
