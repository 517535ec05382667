Section s.
Variable x : nat.
Definition d := x.
Variable h : d = 0.
Lemma wrong : 1 = 0.
Proof.
assert (True -> d = d) as _ by (intros _; clear h; rename x into y; pose (x := 1); vm_compute; reflexivity).
vm_cast_no_check h.
Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (wrong 0 eq_refl). Qed.
