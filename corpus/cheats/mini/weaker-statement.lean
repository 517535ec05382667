theorem goal : 0 + 0 = 0 := rfl
