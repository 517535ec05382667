Global Unset Universe Checking.
Theorem goal : forall (A : Set) (x : A), x = x.
Proof. reflexivity. Qed.
