Inductive sUnit : SProp := stt | stt2.
Inductive L : Set := mk (z := 0).
Lemma collision (x : nat) (p : sUnit) (y : nat) (q : sUnit) (l : L) :
  match l with mk z => x end = match l with mk z => y end.
Proof. exact_no_check (@eq_refl nat match l with mk z => x end). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (collision 1 stt 2 stt mk). Qed.
