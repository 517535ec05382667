Inductive box (A : Type) : Type := bx : A -> box A.
Inductive deep : Type := leaf | node : (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box (box deep)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) -> deep.
Fixpoint wind (turns : nat) (k : nat -> nat) : nat :=
  match turns with
  | 0 => k 0
  | S t => wind t (fun again => k (S again))
  end.
Lemma total : forall n k, wind n k = k (n + 0).
Proof.
  induction n as [|n same]; intro k; [reflexivity|].
  exact (same (fun again => k (S again))).
Qed.
Lemma count : forall n k, wind n k = k n.
Proof.
  induction n as [|n same]; intro k; [reflexivity|].
  exact (same (fun again => k (S again))).
Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (eq_sym (count n (fun m => m))) (total n (fun m => m))). Qed.
