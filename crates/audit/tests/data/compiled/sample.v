Module Type T. Parameter n : nat. End T.
Module S : T. Definition n := 5. End S.
Module A. Inductive t : Type := c : nat -> t. End A.
Module B := A.
Definition twice (f : nat -> nat) (x : nat) := f (f x).
Lemma same : forall x : B.t, x = x. Proof. reflexivity. Qed.
Fixpoint sum n := match n with 0 => 0 | S k => n + sum k end.
Module F (X : T). Definition m := X.n + 1. Lemma l : m = X.n + 1. Proof. reflexivity. Qed. End F.
Module G := F S.
Axiom left_open : 1 = 2.
Section s. Let three := 3. Variable v : nat. Lemma closed : three + v = 3 + v. Proof. reflexivity. Qed. End s.
Inductive dot : SProp := here.
Inductive rose (A : Type) : Type := node : A -> list (rose A) -> rose A | hold (l := here) (p : dot) : rose A.
Polymorphic Definition same_type@{u} (A : Type@{u}) := A. Definition small := same_type@{Set} nat.
Module H (X : T) : T. Definition n := X.n. End H.
Set Primitive Projections.
Record two : Set := mk { one : nat; other : nat }. Definition first (x : two) := x.(one).
