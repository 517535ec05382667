Definition either (jump : bool) (x y : nat) : nat := if jump then x else y.
Definition below (n otherwise : nat) : nat := match n with 0 => otherwise | S k => k end.
Fixpoint shrink (n height : nat) : nat :=
  match n with
  | 0 => 0
  | S m =>
      let onward (jump : bool) (h : nat) := either jump h (shrink (below m m) height) in
      S (onward false height)
  end.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
