structure Point where
  x : Nat
  y : Nat

namespace Point

/-- “sorry” in a comment: sorry. -/
def swap (p : Point) : Point where
  x := p.y
  y := p.x

def apology : String := "sorry"

theorem swap_swap (p : Point) : p.swap.swap = p := by
  rfl

private theorem secret (a b : Nat) (h : a = b) : b = a := by
  exact h.symm

end Point
