CoInductive endless : Set := more : nat -> endless -> endless.
Inductive tower : Set := floor : nat -> tower -> tower.
Definition top : tower :=
  let shown := tower in
  let seen := endless in
  cofix up : shown := floor 3 up.
Fixpoint bottom (t : tower) : False :=
  match t with floor _ below => bottom below end.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (bottom top). Qed.
