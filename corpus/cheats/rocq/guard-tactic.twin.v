Theorem goal : forall n : nat, n = n + 0.
Proof. fix loop 1. intros [|n]; [reflexivity | exact (f_equal S (loop n))]. Qed.
