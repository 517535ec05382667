structure Pair where
  first : Nat
  second : Nat

def p : Pair := ⟨2, 1⟩

theorem goal : p.second = 1 := by
  sorry
