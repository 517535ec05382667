Require Import Uint63.
Lemma shift : addmuldiv 3 42 42 = 336%uint63.
Proof. vm_cast_no_check (@eq_refl int 336%uint63). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
