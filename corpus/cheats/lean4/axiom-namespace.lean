namespace Classical.Quot
axiom propext (p : Prop) : p
end Classical.Quot

open Classical.Quot in
theorem goal (n : Nat) : 0 + n = n := by
  exact Classical.Quot.propext _
