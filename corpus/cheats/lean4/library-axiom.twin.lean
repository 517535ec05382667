import Tricks

theorem goal (n : Nat) : 0 + n = n :=
  Nat.zero_add n
