Module Type T. Parameter n : nat. End T.
Module R. Definition n := 0. End R.
Module S := R.
Theorem goal : S.n <= S.n + S.n.
Proof. exact (le_n 0). Qed.
