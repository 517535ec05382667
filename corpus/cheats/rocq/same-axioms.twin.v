Module A. Parameter x : nat. End A.
Module B. Parameter x : nat. End B.
Theorem goal : A.x + B.x = B.x + A.x.
Proof. induction A.x as [| n IH]; simpl; [apply plus_n_O | rewrite IH; apply plus_n_Sm]. Qed.
