import Trees.Basic
import Trees.Points

theorem swap_x (p : Point) : p.swap.x = p.y := by
  sorry

example (p : Point) : p.swap.y = p.x := by
  sorry
