#[ local, (* honest *) bypass_check
  ( guard = yes ) ]
Fixpoint loop (n : nat) : False := loop n.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (loop 0). Qed.
