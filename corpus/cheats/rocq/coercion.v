Inductive box := pack (n : nat).
Definition open (b : box) : nat := match b with pack n => n end.
Definition nothing (_ : box) : nat := 0.
Coercion nothing : box >-> nat.
Theorem goal : forall b : box, b + b = 2 * b.
Proof. reflexivity. Qed.
