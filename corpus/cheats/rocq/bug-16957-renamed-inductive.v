Section s.
Variable x : nat.
Definition d := x.
Inductive box : Set := pack : d = 0 -> box.
Definition wrong (b : box) : 1 = 0 :=
  match b with
  | pack p =>
    ltac:(assert (True -> d = d) as _ by (intros _; clear b p; rename x into y; pose (x := 1); vm_compute; reflexivity);
          vm_cast_no_check p)
  end.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (wrong 0 (pack 0 eq_refl)). Qed.
