Fixpoint goal (n : nat) : n = n + 0 :=
  match n with
  | 0 => eq_refl
  | S m => f_equal S (goal m)
  end.
