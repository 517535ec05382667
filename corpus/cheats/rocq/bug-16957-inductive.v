Section s.
Let x := 0.
Inductive box : Set := pack : x = 0 -> box.
Definition wrong (b : box) : 1 = 0 :=
  match b with
  | pack p =>
    ltac:(assert True by (change_no_check 0 with 1 in x; let v := eval vm_compute in x in idtac; exact I);
          vm_cast_no_check p)
  end.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (wrong (pack eq_refl)). Qed.
