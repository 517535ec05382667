namespace Mine
def zero_le (_ _ : Nat) : Prop := True
local infix:50 " ≤ " => zero_le
theorem _root_.goal (n : Nat) : n ≤ n + 1 := by
  trivial
end Mine
