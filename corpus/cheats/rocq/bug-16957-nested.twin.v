Section s.
Let x := 0.
Lemma right : 10 * 10 = 100 /\ x = 0.
Proof.
split; [exact (eq_ind_r (fun n => n = 100) (eq_refl 100 <: 10 * 10 = 100) (eq_refl 100) <: 10 * 10 = 100) | reflexivity].
Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct right. rewrite <- plus_n_O. reflexivity. Qed.
