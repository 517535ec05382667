CoInductive endless : Set := more : nat -> endless -> endless.
Definition ones : endless :=
  let one := 1 in
  let two := one + one in
  cofix up : endless := more (two - one) up.
Definition head (e : endless) : nat := match e with more n _ => n end.
Lemma first : head ones = 1.
Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal (fun m => head ones + m) same)]. Qed.
