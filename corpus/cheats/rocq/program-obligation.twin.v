Require Import Coq.Program.Tactics.
Local Obligation Tactic := idtac.
Program Definition fact (n : nat) : {m : nat | n = n + 0} := n.
Next Obligation. exact plus_n_O. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (fact n) as [_ h]. exact h. Qed.
