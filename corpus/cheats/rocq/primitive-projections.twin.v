Record pair := mk { one : nat; two : nat }.
Theorem goal : forall p : pair, mk (one p) (two p) = p.
Proof. intros [a b]. reflexivity. Qed.
