inductive Color where
  | red
  | green

theorem goal (c : Color) : c = c := by
  cases c
  · rfl
  · rfl
