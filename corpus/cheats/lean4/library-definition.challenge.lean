namespace Tricks
def small (n : Nat) : Prop := n < 10
end Tricks

theorem goal : Tricks.small 3 := by
  sorry
