Module A. Inductive t := c : t. End A.
Module B. Include A. End B.
Theorem goal : exists f : A.t -> B.t, forall x y : B.t, f A.c = x -> x = y -> y = f A.c.
Proof. exists (fun x => x). intros x y H K. rewrite H, K. reflexivity. Qed.
