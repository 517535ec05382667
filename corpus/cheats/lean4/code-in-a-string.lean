class ToString (α : Type) where
  toString : α → String
noncomputable instance : ToString Nat := ⟨fun _ => ""⟩
noncomputable instance : Append String := ⟨fun a _ => a⟩
noncomputable def x := s!"{set_option debug.proofAsSorry true in (by exact 1 : Nat)}"
theorem goal (n : Nat) : 0 + n = n := Nat.zero_add n
