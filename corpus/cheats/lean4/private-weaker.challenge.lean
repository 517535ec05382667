namespace Kept
private theorem goal (n : Nat) : 0 + n = n := sorry
end Kept
