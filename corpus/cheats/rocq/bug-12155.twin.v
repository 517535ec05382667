Module Type promise. Parameter Inline f : nat -> nat. End promise.
Module loop.
  Fixpoint f (n : nat) : nat := match n with 0 => 0 | S m => S (f m) end.
End loop.
Module use (P : promise). Definition g : nat -> nat := P.f. End use.
Module done := use loop.
Lemma same : forall n, n = done.g n + 0.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal S same)]. Qed.
Lemma id : forall n, done.g n = n.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal S same)]. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (same n) (f_equal (fun m => m + 0) (id n))). Qed.
