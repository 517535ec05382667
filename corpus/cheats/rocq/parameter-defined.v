Definition f (_ : nat) : nat := 0.
Lemma f_zero : f 0 = 0. Proof. reflexivity. Qed.
Theorem goal : f (f 0) = 0.
Proof. reflexivity. Qed.
