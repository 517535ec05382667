Module Type S. Parameter n : bool. End S.
Module A. Definition n := true. Definition foo := true. End A.
Module Type T. End T.
Module B. End B.
Module K (X : T). Include A. End K.
Module P. Include K B. End P.
Module Q. Include P. End Q.
Lemma same : P.foo = Q.foo. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H : true = true) by exact same. exact plus_n_O. Qed.
