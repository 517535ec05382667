Parameter p : Prop.
Parameter q : Prop.
Axiom p_or_q : p \/ q.
Axiom not_p : ~ p.
Theorem goal : exists n, n + n = 3 \/ q.
Proof.
Admitted.
