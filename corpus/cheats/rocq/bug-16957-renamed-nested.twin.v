Section s.
Variable x : nat.
Definition d := x.
Lemma right : 10 * 10 = 100 /\ d = x.
Proof.
split; [exact (eq_ind_r (fun n => n = 100) (eq_refl 100 <: 10 * 10 = 100) (eq_refl 100) <: 10 * 10 = 100) | reflexivity].
Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (right n). rewrite <- plus_n_O. reflexivity. Qed.
