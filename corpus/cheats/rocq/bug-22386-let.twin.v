CoInductive endless : Set := more : nat -> endless -> endless.
Section s.
Let ones : endless := cofix ones : endless := more 1 ones.
Definition head (e : endless) := match e with more n _ => n end.
Lemma right : head ones = 1. Proof. reflexivity. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct right. exact (plus_n_O n). Qed.
