Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module Type SIG.
  Parameter good : True.
End SIG.
Module M : SIG.
  Module G (X : S).
    Module K (Z : T). Include X. End K.
    Module P. Include K B. End P.
  End G.
  Module A. Definition n := true. Definition foo := true. End A.
  Module GA := G A.
  Lemma same : GA.P.n = A.n. Proof. reflexivity. Qed.
  Lemma good : True. Proof. exact I. Qed.
End M.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct M.good. exact plus_n_O. Qed.
