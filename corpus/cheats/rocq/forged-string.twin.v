Require Import Coq.Strings.String.
Open Scope string_scope.
Lemma fine : "
Axioms:
" <> "".
Proof. discriminate. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
