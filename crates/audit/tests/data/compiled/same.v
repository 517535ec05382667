Inductive tree (A : Type) : Type := leaf | node (left : tree A) (here : A) (right : tree A).
Fixpoint size {A} (t : tree A) : nat := match t with leaf _ => 0 | node _ l _ r => S (size l + size r) end.
Parameter hidden : nat.
Lemma zero (n : nat) : n = n + 0. Proof. induction n; simpl; congruence. Qed.
Theorem goal : forall (A : Type) (t : tree A), size t = size t + 0. Proof. intros. apply zero. Qed.
