import Tricks
open scoped Tricks

theorem goal (n : Nat) : 0 + n = n := rfl
