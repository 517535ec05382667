Require Import BinNat Ring_polynom.
Section s.
Let x := 0%N.
Definition wrong : Peq N.eqb (Pc x) (Pc 1%N) = true :=
  ltac:(change_no_check 0%N with 1%N in x; vm_compute; reflexivity).
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate wrong. Qed.
