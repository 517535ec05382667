/-- /-/-/ -/ theorem first : True := trivial
macro "foo" t:command : command => `(command| $t)
foo theorem goal (n : Nat) : 0 + n = n := Nat.zero_add n
-- -/ -/
