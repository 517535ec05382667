Section s.
Let x := 0.
Definition d := x.
Definition e := S d.
Definition wrong : e = 2 :=
  ltac:(assert (True -> d = d) as _ by (intros _; rename x into y; pose (x := 1); vm_compute; reflexivity);
        vm_cast_no_check (eq_refl 2)).
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate wrong. Qed.
