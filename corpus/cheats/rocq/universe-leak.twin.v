Theorem goal : forall (A : Type) (x : A), x = x.
Proof. reflexivity. Qed.
Global Set Universe Checking.
