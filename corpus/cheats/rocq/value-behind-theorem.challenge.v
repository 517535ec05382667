Universes a b c.
Definition Small : Type@{c} := match true with true => Type@{b} | false => Type@{b} end.
Theorem goal : forall A : Type@{a}, forall Q : Prop, (forall B : Small, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Admitted.
Constraint b < a.
