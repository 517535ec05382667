Unset Printing All. Set Printing Depth 6. Set Printing Width 1000000.
Axiom long : forall (n m p q : nat) (H : n = m) (K : m = p) (L : p = q) (M : n = n) (a_long_name another_long_name : nat), n = q.
Theorem opaque : 0 = 0. Proof. pose proof (long 0). auto. Qed.
Definition both := (long, opaque).
Locate Term opaque.
Locate Term Nat.add.
Print Opaque Dependencies both.
Definition closed := 0.
Print Assumptions closed.
Section S.
Variable v : nat.
Theorem of_section : v = v. Proof. auto. Qed.
Print Opaque Dependencies of_section.
End S.
Unset Guard Checking.
Fixpoint loop (n : nat) {struct n} : False := loop n.
Set Guard Checking.
Theorem wrong : False. Proof. exact (loop 0). Qed.
Print Opaque Dependencies wrong.
