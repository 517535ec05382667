Section s.
Variable n : nat.
Hypothesis small : n = 0.
Theorem goal : n + 0 = n.
Proof using n small.
  rewrite small. reflexivity.
Qed.
End s.
