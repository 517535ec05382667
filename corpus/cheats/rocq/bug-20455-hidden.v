Definition either (jump : bool) (x y : nat) : nat := if jump then x else y.
Definition below (n otherwise : nat) : nat := match n with 0 => otherwise | S k => k end.
Fixpoint grow (n height : nat) : nat :=
  match n with
  | 0 => 0
  | S m =>
      let onward (jump : bool) (h : nat) := grow (below (either jump h m) m) height in
      S (onward true height)
  end.
Lemma step : forall m h, grow (S m) h = S (grow (below h m) h).
Proof. exact (fun m h => eq_refl). Qed.
Lemma same : grow 1 2 = S (grow 1 2).
Proof. exact (step 0 2). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (n_Sn _ same). Qed.
