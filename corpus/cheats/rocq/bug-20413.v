Fixpoint wind (turns : nat) (k : nat -> nat) : nat :=
  match turns with
  | 0 => S (k 1)
  | S t => wind t (fun again => wind again k)
  end.
Lemma step : forall t k, wind (S t) k = wind t (fun again => wind again k).
Proof. exact (fun t k => eq_refl). Qed.
Lemma stop : forall k, wind 0 k = S (k 1).
Proof. exact (fun k => eq_refl). Qed.
Lemma same : forall k, wind 1 k = S (wind 1 k).
Proof. exact (fun k => eq_trans (step 0 k) (stop (fun again => wind again k))). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (n_Sn _ (same S)). Qed.
