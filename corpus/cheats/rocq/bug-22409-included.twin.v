Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module Type EQ. Parameter foo : bool. Parameter pf : foo = true. Parameter at_ : foo = true. End EQ.
Module H (E : EQ).
  Lemma good : true = true. Proof. exact (eq_trans (eq_sym E.pf) E.at_). Qed.
End H.
Module A. Definition n := true. Definition foo := true. End A.
Module Type SIG. Parameter good : true = true. End SIG.
Module M : SIG.
  Definition foo := true.
  Definition pf := eq_refl true.
  Definition at_ := eq_refl A.foo.
  Include H.
End M.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H := M.good). exact plus_n_O. Qed.
