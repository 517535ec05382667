Section s.
Let grow := fix grow (n height : nat) {struct n} : nat :=
  match n with
  | 0 => height
  | S m => S (grow m height)
  end.
Lemma right : grow 2 3 = 5.
Proof. reflexivity. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct right. exact (plus_n_O n). Qed.
