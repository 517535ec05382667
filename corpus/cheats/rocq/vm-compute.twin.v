Theorem goal : 10 * 10 = 99 + 1.
Proof. vm_cast_no_check (eq_refl 100). Qed.
