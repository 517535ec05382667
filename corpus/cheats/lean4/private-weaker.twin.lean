namespace Kept
private theorem helper (n : Nat) : 0 + n = n := Nat.zero_add n
private theorem goal (n : Nat) : 0 + n = n := helper n
end Kept
