namespace Kept
private theorem goal (n : Nat) (h : n = 0) : 0 + n = n := by
  rw [h]
end Kept
