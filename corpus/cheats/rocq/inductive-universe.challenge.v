Inductive side : Set := left_side | right_side.
Theorem goal : forall s t : side, s = t -> t = s.
Proof.
Admitted.
