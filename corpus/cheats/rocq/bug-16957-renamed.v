Section s.
Variable x : nat.
Definition d := x.
Lemma wrong : d = 1.
Proof.
assert (True -> d = d) as _ by (intros _; rename x into y; pose (x := 1); vm_compute; reflexivity).
vm_cast_no_check (eq_refl 1).
Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (wrong 0). Qed.
