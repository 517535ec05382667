Inductive marked : Set := mark (x : nat) (y : nat := S x).
Module Type box.
  Inductive t : Set := make (x : nat) (y : nat).
End box.
Module mine.
  Inductive t : Set := make (x : nat) (y : nat).
End mine.
Module look (B : box).
  Definition seen : match B.make 0 1 with B.make x y => y end = 1 := eq_refl.
End look.
Module L := look mine.
Lemma after : match mark 0 with mark _ y => y end = 1.
Proof. exact L.seen. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
