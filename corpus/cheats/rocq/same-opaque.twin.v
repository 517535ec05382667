Module A. Lemma x : nat. Proof. exact 2. Qed. End A.
Module B. Lemma x : nat. Proof. exact 2. Qed. End B.
Theorem goal : A.x + B.x = B.x + A.x.
Proof. induction A.x as [| n IH]; simpl; [apply plus_n_O | rewrite IH; apply plus_n_Sm]. Qed.
