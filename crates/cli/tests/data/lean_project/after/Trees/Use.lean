import Trees.Basic
import Trees.Points

theorem swap_x (p : Point) : p.swap.x = p.y := by
  rfl

example (p : Point) : p.swap.y = p.x := by
  rfl
