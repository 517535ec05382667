Module Type S. Parameter b : nat. End S.
Module Type S2. Include S. Parameter c : b = 0. End S2.
Module M : S2. Definition b := 0. Definition c : b = 0 := eq_refl. End M.
Module Type TG. Parameter l : M.b = 0. End TG.
Module G : TG. Definition l := M.c. End G.
Theorem goal : M.b <= M.b + M.b.
Proof. rewrite G.l. exact (le_n 0). Qed.
