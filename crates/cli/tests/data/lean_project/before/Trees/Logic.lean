section
variable (p q r : Prop)

theorem swap_and (h : p ∧ q) : q ∧ p := ⟨sorry, h.1⟩

theorem with_have (h : p ∧ q) : q ∧ p := by
  have hq : q := by sorry
  exact ⟨hq, h.1⟩

theorem with_show (h : p ∧ q) : q ∧ p := by
  refine ⟨?_, ?_⟩
  · exact show q from by sorry
  · exact sorry

theorem with_application (f : p → q → r) (hp : p) (hq : q) : r := by
  exact f sorry hq

theorem two_holes (hp : p) (hq : q) : p ∧ q ∧ p := by
  refine ⟨?_, hq, ?_⟩

theorem several_lines (hp : p) (hq : q) : (p ∧ q) ∧ p := by
  exact ⟨sorry, hp⟩
end

theorem unprovable (p q : Prop) (h : p) : q := by
  sorry
