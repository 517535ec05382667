Require Import Eqdep_dec PeanoNat.
Module Type T. Parameter U : Set. End T.
Module Type E. Parameter U : Set. Parameter eq_dec : forall x y : U, {x = y} + {x <> y}. End E.
Module B : E. Definition U := nat. Definition eq_dec := Nat.eq_dec. End B.
Module S := B.
Module G := DecidableEqDepSet B.
Theorem goal : forall (x : S.U) (e : x = x), eq_refl = e -> e = eq_refl.
Proof. intros x e _. exact (G.UIP_refl x e). Qed.
