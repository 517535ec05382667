Require Import Arith.
Section s.
Variable x : nat.
Definition d := x.
Lemma right : d * 1 = x + 0.
Proof. unfold d. ring. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. rewrite <- right. unfold d. ring. Qed.
