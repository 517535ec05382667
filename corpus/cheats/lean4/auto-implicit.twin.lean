set_option autoImplicit true

theorem goal (n : Nat) : n = n := by
  rfl
