import Tricks

namespace Other
theorem _root_.goal (n : Nat) : n = 0 + n := (Nat.zero_add n).symm
end Other
