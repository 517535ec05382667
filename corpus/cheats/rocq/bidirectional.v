Theorem goal : (*‮ *) True (* .0 + n = n ,tan : n llarof *).
Proof. exact I. Qed.
