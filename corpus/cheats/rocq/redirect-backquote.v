Notation "* x" := x (at level 30).
Notation "*) x" := x (at level 30).
Check `(* 2). Redirect "written" Check nat. Check *) 2.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
