section
variable (p q r : Prop)

theorem swap_and (h : p ∧ q) : q ∧ p := ⟨(by
  obtain ⟨h1, h2⟩ := h
  exact h2), h.1⟩

theorem with_have (h : p ∧ q) : q ∧ p := by
  have hq : q := by
    obtain ⟨h1, h2⟩ := h
    exact h2
  exact ⟨hq, h.1⟩

theorem with_show (h : p ∧ q) : q ∧ p := by
  refine ⟨?_, ?_⟩
  · exact show q from by
      obtain ⟨h1, h2⟩ := h
      exact h2
  · obtain ⟨h1, h2⟩ := h
    exact h1

theorem with_application (f : p → q → r) (hp : p) (hq : q) : r := by
  exact f (by exact hp) hq

theorem two_holes (hp : p) (hq : q) : p ∧ q ∧ p := by
  refine ⟨(by exact hp), hq, by exact hp⟩

theorem several_lines (hp : p) (hq : q) : (p ∧ q) ∧ p := by
  exact ⟨(by simp_all), hp⟩
end

theorem unprovable (p q : Prop) (h : p) : q := by
  sorry
