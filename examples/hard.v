(* Theorems that need an idea, and plans for them in plans_rocq.json. *)
Require Import Arith Lia.

(* A number whose square is even is even. *)
Theorem even_from_square : forall n k : nat, n * n = 2 * k -> exists j, n = 2 * j.
Proof.
Admitted.

(* A product of three numbers in a row is a multiple of three. *)
Theorem three_in_a_row : forall n : nat, exists k, n * (n + 1) * (n + 2) = 3 * k.
Proof.
Admitted.

(* No sequence of numbers falls for ever. *)
Theorem no_endless_descent (f : nat -> nat) (H : forall n, f (S n) < f n) : False.
Proof.
Admitted.
