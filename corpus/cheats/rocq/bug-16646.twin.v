Module Type place. Parameter T : Set. End place.
Module use (P : place). Definition small : Set := P.T. End use.
Module numbers. Definition T := nat. End numbers.
Module done := use numbers.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact (fun n : done.small => plus_n_O n). Qed.
