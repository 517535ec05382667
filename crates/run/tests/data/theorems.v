(* Theorems of many kinds, all to be proved by the heuristic provider. *)
From Coq Require Import Arith List Bool ZArith QArith Utf8 Lia.
Import ListNotations.
Open Scope nat_scope.

(* Logic *)
Theorem and_swap : forall P Q : Prop, P /\ Q -> Q /\ P. Admitted.
Theorem or_swap : forall P Q : Prop, P \/ Q -> Q \/ P. Admitted.
Theorem iff_sym' : forall P Q : Prop, (P <-> Q) -> (Q <-> P). Admitted.
Theorem contrapositive : forall P Q : Prop, (P -> Q) -> (~ Q -> ~ P). Admitted.
Theorem not_exists : forall (A : Type) (P : A -> Prop), ~ (exists x, P x) -> forall x, ~ P x. Admitted.
Theorem exists_or : forall (A : Type) (P Q : A -> Prop),
  (exists x, P x \/ Q x) -> (exists x, P x) \/ (exists x, Q x). Admitted.
Theorem forall_and : forall (A : Type) (P Q : A -> Prop),
  (forall x, P x /\ Q x) -> (forall x, P x) /\ (forall x, Q x). Admitted.
Theorem unicode_syntax : ∀ (x₁ x₂ : nat), x₁ ≤ x₂ → ∃ δ, x₁ + δ = x₂. Admitted.
Theorem de_morgan : forall b c : bool, negb (b && c) = negb b || negb c. Admitted.
Theorem transitive_chain : forall (A : Type) (R : A -> A -> Prop) (a b c : A),
  (forall x y z, R x y -> R y z -> R x z) -> R a b -> R b c -> R a c. Admitted.

(* Natural numbers *)
Theorem add_comm' : forall n m, n + m = m + n. Admitted.
Theorem mul_dist : forall n m p, n * (m + p) = n * m + n * p. Admitted.
Theorem le_exists : forall n m, n <= m -> exists k, m = n + k. Admitted.
Theorem small_cases : forall n, n < 3 -> n = 0 \/ n = 1 \/ n = 2. Admitted.
Theorem exists_square : exists n, n * n = 9. Admitted.
Theorem even_or_odd : forall n, exists k, n = 2 * k \/ n = 2 * k + 1. Admitted.
Theorem sum_of_two : forall a b c d : nat, a <= b -> c <= d -> a + c <= b + d. Admitted.
Theorem mod_example : forall n, n mod 4 = 3 -> n mod 2 = 1. Admitted.
Theorem coupled : exists x y : nat, x = 3 /\ x <= y. Admitted.
Theorem big_literal : 2000 + 3000 = 5000. Admitted.

(* Lists *)
Theorem app_nil : forall (A : Type) (l : list A), l ++ [] = l. Admitted.
Theorem app_assoc' : forall (A : Type) (a b c : list A), a ++ (b ++ c) = (a ++ b) ++ c. Admitted.
Theorem length_app : forall (A : Type) (a b : list A), length (a ++ b) = length a + length b. Admitted.
Theorem map_length' : forall (A B : Type) (f : A -> B) l, length (map f l) = length l. Admitted.
Theorem map_map' : forall (A B C : Type) (f : A -> B) (g : B -> C) l,
  map g (map f l) = map (fun x => g (f x)) l. Admitted.
Theorem in_app : forall (A : Type) (x : A) l m, In x l -> In x (l ++ m). Admitted.
Theorem cons_injective : forall (x y : nat) l m, x :: l = y :: m -> x = y /\ l = m. Admitted.

(* Definitions of our own *)
Fixpoint double (n : nat) : nat := match n with 0 => 0 | S k => S (S (double k)) end.
Theorem double_plus : forall n, double n = n + n. Admitted.
Definition square (n : nat) : nat := n * n.
Theorem square_mono : forall n m, n <= m -> square n <= square m. Admitted.
Inductive tree : Set := leaf | branch (l r : tree).
Fixpoint mirror (t : tree) : tree := match t with leaf => leaf | branch l r => branch (mirror r) (mirror l) end.
Theorem mirror_mirror : forall t, mirror (mirror t) = t. Admitted.
Fixpoint size (t : tree) : nat := match t with leaf => 1 | branch l r => size l + size r end.
Theorem size_positive : forall t, 1 <= size t. Admitted.
Theorem size_mirror : forall t, size (mirror t) = size t. Admitted.
Inductive even : nat -> Prop := even_O : even 0 | even_SS n : even n -> even (S (S n)).
Theorem four_is_even : even 4. Admitted.
Theorem even_inversion : forall n, even (S (S n)) -> even n. Admitted.
Record point := { px : nat; py : nat }.
Theorem point_eta : forall p, p = {| px := px p; py := py p |}. Admitted.
Theorem if_same : forall (b : bool) (x : nat), (if b then x else x) = x. Admitted.
Notation "a ⊕ b" := (xorb a b) (at level 50, left associativity).
Theorem xor_comm : forall a b, a ⊕ b = b ⊕ a. Admitted.

(* Integers and rationals, with scopes *)
Theorem z_square : forall z : Z, (0 <= z * z)%Z. Admitted.
Section Integers.
Open Scope Z_scope.
Variable k : Z.
Hypothesis k_positive : 0 < k.
Theorem z_linear : forall a b, a < b -> a < b + k. Admitted.
Theorem z_neg : forall a, - (- a) = a. Admitted.
End Integers.
Theorem q_sum : ((1 # 2) + (1 # 3) == 5 # 6)%Q. Admitted.

(* Modules, options *)
Module Inner.
Set Implicit Arguments.
Definition compose (A B C : Type) (g : B -> C) (f : A -> B) := fun x => g (f x).
Theorem compose_id : forall (A B : Type) (f : A -> B) x, compose (fun y => y) f x = f x. Admitted.
Unset Implicit Arguments.
End Inner.
Lemma several_goals : 1 + 1 = 2 /\ 2 + 2 = 4 /\ (True -> True). Proof. Abort.
Example unfinished : forall n : nat, n * 1 = n.
Proof.
