Module Type S. Parameter b : nat. End S.
Module M : S. Definition b := 5. End M.
Theorem goal : M.b <= M.b + M.b.
Proof.
Admitted.
