Require Import Arith.
Section s.
Let x := 0.
Lemma right : forall n : nat, n * 1 = n + x.
Proof. intro n. unfold x. ring. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. rewrite <- right. ring. Qed.
