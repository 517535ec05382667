Fixpoint spin (n : nat) : False :=
  let empty (b : False) : nat := match b with end in
  let same (x : nat) : nat := x in
  spin ((ltac:(fix copy 1; exact same) : nat -> nat) n).
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (spin 0). Qed.
