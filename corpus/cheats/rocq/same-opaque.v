Module A. Lemma x : nat. Proof. exact 2. Qed. End A.
Module B := A.
Theorem goal : A.x + B.x = B.x + A.x.
Proof. reflexivity. Qed.
