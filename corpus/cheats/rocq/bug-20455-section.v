Section s.
Let grow := fix grow (n height : nat) {struct n} : nat :=
  match n with
  | 0 => 0
  | S m =>
      let onward (jump : bool) (h : nat) :=
        grow (match (if jump then h else m) with 0 => m | S k => k end) height in
      S (onward true height)
  end.
Lemma wrong : False.
Proof.
exact (n_Sn (grow 1 2) ((fun m h => eq_refl : grow (S m) h = S (grow (match h with 0 => m | S k => k end) h)) 0 2)).
Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct wrong. Qed.
