CoInductive endless : Set := more : nat -> endless -> endless.
Inductive tower : Set := floor : nat -> tower -> tower.
Definition top : tower :=
  (fun (n : nat) =>
     let shown (k : nat) := tower in
     let seen (k : nat) := endless in
     cofix up : shown n := floor n up) 3.
Fixpoint bottom (t : tower) : False :=
  match t with floor _ below => bottom below end.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (bottom top). Qed.
