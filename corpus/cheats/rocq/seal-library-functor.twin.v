Require Import Eqdep_dec PeanoNat.
Module Type T. Parameter U : Set. End T.
Module S : T. Definition U := nat. End S.
Module N. Definition U := nat. Definition eq_dec := Nat.eq_dec. End N.
Module G := DecidableEqDepSet N.
Lemma closed : forall (n : nat) (e : n = n), e = eq_refl.
Proof. exact G.UIP_refl. Qed.
Theorem goal : forall (x : S.U) (e : x = x), eq_refl = e -> e = eq_refl.
Proof. intros x e h. destruct (closed 0 eq_refl). symmetry. exact h. Qed.
