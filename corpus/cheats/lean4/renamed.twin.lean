namespace Mine
theorem other (n : Nat) : 0 + n = n := Nat.zero_add n
end Mine

export Mine (other)

theorem goal (n : Nat) : 0 + n = n := other n
