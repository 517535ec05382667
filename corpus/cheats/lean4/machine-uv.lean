def process := Std.Internal.UV.System.osGetPid

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
