/-/-/
-- prelude
theorem goal : Nat.div 4 2 = 2 := rfl
