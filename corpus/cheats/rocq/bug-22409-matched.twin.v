Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module G (X : S).
  Module K (Z : T). Include X. End K.
  Module P. Include K B. End P.
End G.
Module A. Definition n := true. Definition foo := true. End A.
Module GA := G A.
Module Type FOO. Parameter n : bool. End FOO.
Module Type EQ.
  Declare Module L : FOO. Declare Module R : FOO.
  Parameter l : L.n = true. Parameter r : R.n = true. Parameter eq : L.n = R.n.
End EQ.
Module H (E : EQ).
  Lemma good : true = true. Proof. exact (eq_trans (eq_sym E.l) (eq_trans E.eq E.r)). Qed.
End H.
Module Arg.
  Module L := A. Module R := GA.P.
  Definition l := eq_refl true. Definition r := eq_refl true. Definition eq := eq_refl A.n.
End Arg.
Module HX := H Arg.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H := HX.good). exact plus_n_O. Qed.
