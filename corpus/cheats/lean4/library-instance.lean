import Tricks
open scoped Tricks.Sum

theorem goal (n : Nat) : 0 + n = n := rfl
