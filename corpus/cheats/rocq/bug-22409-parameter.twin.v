Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module G (X : S).
  Module K (Z : T). Include X. End K.
  Module P. Include K B. End P.
  Module Q. Include K B. End Q.
  Lemma same : P.n = Q.n. Proof. reflexivity. Qed.
End G.
Module A. Definition n := true. Definition foo := true. End A.
Module GA := G A.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H : true = true) by exact GA.same. exact plus_n_O. Qed.
