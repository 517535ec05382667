Inductive side : Prop := left_side | right_side.
Theorem goal : forall s t : side, s = t -> t = s.
Proof. intros s t e. symmetry. exact e. Qed.
