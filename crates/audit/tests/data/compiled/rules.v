Symbol f : nat -> nat.
Rewrite Rule gone := f ?n => 0.
