def Zero (n : Nat) : Prop := n = 0
theorem goal : Zero (0 * 7) := sorry
