Module Type T. Parameter U : Set. End T.
Module S : T. Definition U := nat. End S.
Theorem goal : forall (x : S.U) (e : x = x), eq_refl = e -> e = eq_refl.
Proof.
Admitted.
