Definition pass (up : nat -> nat) (start : nat) : nat -> nat -> nat :=
  fix down (held : nat := start) (p m : nat) {struct m} : nat :=
    match m with
    | 0 => p + held
    | S less => down p less
    end.
Fixpoint half (n : nat) : nat :=
  match n with
  | S (S less) => S (half less)
  | _ => 0
  end.
Lemma steps : pass half 2 3 1 = 5.
Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
