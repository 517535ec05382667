Module Type S. Parameter foo : bool. End S.
Module Type T. End T.
Module B. End B.
Module Type FOO. Parameter foo : bool. End FOO.
Module Type GT (X : S).
  Module K (Z : T). Include X. End K.
  Module P. Include K B. End P.
End GT.
Module Type SIG.
  Declare Module A : FOO.
  Declare Module GA : GT A.
  Parameter at_ : A.foo = true.
  Parameter pf : GA.P.foo = true.
End SIG.
Module F (Y : SIG).
  Lemma good : true = true.
  Proof. exact (eq_trans (eq_sym Y.pf) (eq_trans (eq_refl : Y.GA.P.foo = Y.A.foo) Y.at_)). Qed.
End F.
Module Arg.
  Module A. Definition foo := true. End A.
  Module GA.
    Module K (Z : T). Include A. End K.
    Module P. Include K B. End P.
  End GA.
  Definition at_ : A.foo = true := eq_refl.
  Definition pf : GA.P.foo = true := eq_refl.
End Arg.
Module FA := F Arg.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H := FA.good). exact plus_n_O. Qed.
