Theorem and_swap (p q : Prop) : p /\ q -> q /\ p.
Admitted.

Theorem or_swap (p q : Prop) : p \/ q -> q \/ p.
Admitted.

Theorem and_assoc_left (p q r : Prop) : p /\ (q /\ r) -> (p /\ q) /\ r.
Admitted.

Theorem or_over_and (p q r : Prop) : p \/ (q /\ r) -> (p \/ q) /\ (p \/ r).
Admitted.

Theorem swaps (p q r s : Prop) : (p /\ q) /\ (r \/ s) -> (q /\ p) /\ (s \/ r).
Admitted.

Theorem chain (p q r : Prop) (f : p -> q) (g : q -> r) : (p -> r) /\ (p /\ q -> r).
Admitted.

Theorem forall_and (p q : nat -> Prop) : (forall n, p n /\ q n) -> (forall n, p n) /\ (forall n, q n).
Admitted.

Theorem exists_or (p q : nat -> Prop) : (exists n, p n \/ q n) -> (exists n, p n) \/ (exists n, q n).
Admitted.
