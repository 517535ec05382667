namespace Mine
theorem goal (n : Nat) : n = n := rfl
end Mine

export Mine (goal)

example : 1 = 1 := goal 1
