import Tricks

theorem goal (n : Nat) : 0 + n = n :=
  Tricks.holds (0 + n = n)
