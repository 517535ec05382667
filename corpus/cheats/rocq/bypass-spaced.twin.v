#[ local, (* honest *) program
  = no ]
Fixpoint twice (n : nat) : nat := match n with 0 => 0 | S m => S (S (twice m)) end.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
