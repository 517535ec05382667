Section s.
Let x := 0.
Variable h : x = 0.
Definition wrong : 1 = 0 :=
  ltac:(change_no_check 0 with 1 in x; let v := eval vm_compute in x in idtac; vm_cast_no_check h).
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (wrong eq_refl). Qed.
