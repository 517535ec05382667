Module Type bit. Parameter b : bool. End bit.
Module zero. Definition b := false. End zero.
Module house.
  Module floor.
    Module room (B : bit).
      Module inner. Definition value := B.b. End inner.
    End room.
    Module attic. Definition height := 1. End attic.
  End floor.
End house.
Module house' := house.
Module floor' := house'.floor.
Module c0 := floor'.room zero.
Module attic' := floor'.attic.
Lemma same : c0.inner.value = false. Proof. reflexivity. Qed.
Lemma height : attic'.height = house.floor.attic.height. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
