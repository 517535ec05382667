Definition number := nat.
Theorem goal : forall n m : number, n = m \/ n <> m.
Proof. unfold number. induction n as [|n IH]; intros [|m]; try (left; reflexivity); try (right; discriminate). destruct (IH m) as [e | e]; [left; congruence | right; congruence]. Qed.
