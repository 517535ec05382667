Fixpoint shrink (n height : nat) : nat :=
  match n with
  | 0 => 0
  | S m =>
      let onward (jump : bool) :=
        shrink (match m with 0 => m | S k => if jump then k else m end) height in
      S (onward true)
  end.
Theorem goal : forall n : nat, n = n + 0.
Proof. fix self 1. intros [|m]; [reflexivity | exact (f_equal S (self m))]. Qed.
