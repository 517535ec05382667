structure Pair where
  second : Nat
  first : Nat

def p : Pair := ⟨1, 2⟩

theorem goal : p.second = 1 := by
  rfl
