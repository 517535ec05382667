Fixpoint shrink (n : nat) : nat :=
  let empty (b : False) : nat := match b with end in
  let same (x : nat) : nat := x in
  match n with
  | 0 => 0
  | S m => shrink ((fix last (k : nat) : nat := match k with 0 => k | S j => last j end) m)
  end.
Lemma copy : nat -> nat.
Proof. fix copy 1. exact (fun n => match n with 0 => 0 | S m => S (copy m) end). Defined.
Lemma total : forall n, n = copy n + 0.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal S same)]. Qed.
Lemma equal : forall n, copy n = n.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal S same)]. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (total n) (f_equal (fun m => m + 0) (equal n))). Qed.
