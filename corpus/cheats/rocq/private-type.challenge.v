Unset Elimination Schemes.
Module I.
  Private Inductive interval : Set := zero | one.
  Axiom seg : zero = one.
  Definition interval_rec (P : Type) (a b : P) (p : a = b) (x : interval) : P :=
    match x with zero => a | one => b end.
End I.
Theorem goal : forall n : nat, n = n + 0.
Admitted.
