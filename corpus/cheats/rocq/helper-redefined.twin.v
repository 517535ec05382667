Definition even (n : nat) : Prop := exists k, n = 2 * k.
Theorem goal : even 4.
Proof. exists 2. reflexivity. Qed.
