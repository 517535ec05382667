Module Type T. Parameter n : nat. End T.
Module S <: T. Definition n := 0. End S.
Theorem goal : S.n <= S.n + S.n.
Proof. exact (le_n 0). Qed.
