def Zero (n : Nat) : Prop := n = 0
theorem goal (Zero : Nat → Prop) (h : ∀ n, Zero n) : Zero (0 * 7) := h (0 * 7)
