Module Type bit. Parameter b : bool. End bit.
Module zero. Definition b := false. End zero.
Module one. Definition b := true. End one.
Module copy (B : bit).
  Module inner. Definition value := B.b. End inner.
  Module again := inner.
End copy.
Module c0 := copy zero.
Module c1 := copy one.
Module c2.
  Include copy one.
End c2.
Lemma is0 : c0.again.value = false. Proof. reflexivity. Qed.
Lemma is1 : c1.again.value = c2.again.value. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
