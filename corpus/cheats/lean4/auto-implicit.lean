set_option autoImplicit true

theorem goal (n : N) : n = n := by
  rfl
