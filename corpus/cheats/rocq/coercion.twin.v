Inductive box := pack (n : nat).
Definition open (b : box) : nat := match b with pack n => n end.
Coercion open : box >-> nat.
Theorem goal : forall b : box, b + b = 2 * b.
Proof. intros [n]. simpl. rewrite <- plus_n_O. reflexivity. Qed.
