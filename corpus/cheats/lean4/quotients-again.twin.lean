namespace Other

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a b : α) : Eq a b

end Other

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
