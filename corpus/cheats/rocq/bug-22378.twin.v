Inductive dot : SProp := here | there.
Inductive two : Set := join (x y : nat) (p q : dot).
Inductive three : Set := tie (x y z : nat).
Definition first (t : two) : nat := match t with join x _ _ _ => x end.
Definition third (t : three) : nat := match t with tie _ _ z => z end.
Definition equal (x y : nat) (p q : dot) : first (join x y p q) = first (join x y q p) := eq_refl.
Definition sum (x : nat) : third (tie x 0 (x + 0)) = x + 0 := eq_refl.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (plus_n_O n) (sum n)). Qed.
