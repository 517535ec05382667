theorem goal (n : Nat) : 0 + n = n := by
  exact helper n
where
  helper : ∀ n : Nat, 0 + n = n
  | 0 => rfl
  | n + 1 => congrArg Nat.succ (helper n)
