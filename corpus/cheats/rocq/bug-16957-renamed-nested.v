Section s.
Variable x : nat.
Definition d := x.
Variable h : d = 0.
Definition wrong : 1 = 0 :=
  ltac:(assert (True -> d = d) as _ by (intros _; clear h; rename x into y; pose (x := 1); vm_compute; reflexivity);
        exact_no_check (eq_ind_r (fun _ => 1 = 0) (h <: 1 = 0) (eq_refl 0) <: 1 = 0)).
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (wrong 0 eq_refl). Qed.
