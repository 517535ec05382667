structure Witness (n : Nat) where
  value : Nat
  proof : 0 + n = value ∧ value = n

noncomputable def witness (n : Nat) : Witness n := ⟨n, Nat.zero_add n, rfl⟩

theorem goal (n : Nat) : 0 + n = n := by
  exact (witness n).proof.1.trans (witness n).proof.2
