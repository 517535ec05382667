Module Type S. Parameter n : bool. End S.
Module A : S. Definition n := true. Definition foo := true. End A.
Module Type T. End T.
Module B. End B.
Module K (X : T). Include A. End K.
Module F (X : T). Include K X. End F.
Module G (X : T). Include K X. End G.
Module P := F B. Module Q := G B.
Lemma same : P.n = Q.n. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H := same). exact plus_n_O. Qed.
