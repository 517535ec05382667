Fixpoint grow (n height : nat) : nat :=
  match n with
  | 0 => 0
  | S m =>
      let onward (jump : bool) (h : nat) :=
        grow (match (if jump then h else m) with 0 => m | S k => k end) height in
      S (onward true height)
  end.
Lemma step : forall m h, grow (S m) h = S (grow (match h with 0 => m | S k => k end) h).
Proof. exact (fun m h => eq_refl). Qed.
Lemma same : grow 1 2 = S (grow 1 2).
Proof. exact (step 0 2). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (n_Sn _ same). Qed.
