def witness (h : ∃ n : Nat, n = n) : Nat := Exists.rec (motive := fun _ => Nat) (fun n _ => n) h
theorem goal (n : Nat) : 0 + n = n := by
  omega
