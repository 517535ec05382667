Module Type E. End E.
Module Nothing. End Nothing.
Module F (X : E). Inductive t := c : t. End F.
Module A := F Nothing.
Module B := A.
Theorem goal : exists f : A.t -> B.t, forall x y : B.t, f A.c = x -> x = y -> y = f A.c.
Proof. exists (fun x => x). intros x y H K. rewrite H, K. reflexivity. Qed.
