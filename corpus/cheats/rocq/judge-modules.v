Module Challenge.
  Definition statement := True.
  Module Question. Definition goal := I. End Question.
End Challenge.
Module Judge.
  Definition judged := I.
End Judge.
Module Judged := Judge.
Module Submission := Challenge.
Theorem goal : Challenge.statement.
Proof. exact I. Qed.
