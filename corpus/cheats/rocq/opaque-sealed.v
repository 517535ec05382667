Module Type S. Lemma b : nat. Proof. exact 5. Qed. Parameter c : b = 0. End S.
Module M : S. Definition b := 0. Definition c : b = 0 := eq_refl. End M.
Theorem goal : M.b <= M.b + M.b.
Proof. rewrite M.c. exact (le_n 0). Qed.
