(* Ordinary functions and corecursive values: all must be accepted. *)
Require Import Arith Lia List Program Recdef Wf_nat.
Import ListNotations.

Module fix_plain.
Fixpoint add (n m : nat) {struct n} : nat := match n with 0 => m | S p => S (add p m) end.
Fixpoint add' (n m : nat) {struct m} : nat := match m with 0 => n | S p => S (add' n p) end.
Fixpoint half (n : nat) : nat := match n with S (S k) => S (half k) | _ => 0 end.
Fixpoint fib (n : nat) : nat :=
  match n with 0 => 0 | S p => match p with 0 => 1 | S q => fib p + fib q end end.
Fixpoint ack (m : nat) : nat -> nat :=
  fix inner (n : nat) : nat :=
    match m with 0 => S n | S p => match n with 0 => ack p 1 | S q => ack p (inner q) end end.
Fixpoint app {A : Type} (l m : list A) : list A := match l with nil => m | cons x t => cons x (app t m) end.
Fixpoint rev_onto {A : Type} (l acc : list A) : list A := match l with nil => acc | cons x t => rev_onto t (cons x acc) end.
Fixpoint let_inside (n : nat) : nat := match n with 0 => 0 | S p => let q := p in let r := let_inside q in r + r end.
Fixpoint if_inside (b : bool) (n : nat) : nat := match n with 0 => 0 | S p => (if b then if_inside false p else if_inside true p) end.
Fixpoint merge (l : list nat) : list nat -> list nat :=
  fix go (m : list nat) : list nat :=
    match l, m with
    | nil, _ => m | _, nil => l
    | cons x s, cons y t => if Nat.leb x y then cons x (merge s m) else cons y (go t)
    end.
Fixpoint eq_nat (n m : nat) : bool := match n, m with 0, 0 => true | S p, S q => eq_nat p q | _, _ => false end.
Fixpoint vec (n : nat) : Type := match n with 0 => unit | S p => (nat * vec p)%type end.
Fixpoint zeros (n : nat) : vec n := match n with 0 => tt | S p => (0, zeros p) end.
Fixpoint cps (n : nat) (k : nat -> nat) : nat := match n with 0 => k 0 | S p => cps p (fun r => k (S r)) end.
Fixpoint both (n : nat) : nat * nat := match n with 0 => (0, 1) | S p => let (a, b) := both p in (b, a + b) end.
Lemma by_tactic : forall n : nat, n = n + 0. Proof. fix self 1. intros [|m]; simpl; [reflexivity | f_equal; apply self]. Qed.
Lemma by_tactic_le : forall n : nat, n <= n. Proof. fix self 1. destruct n; constructor. Qed.
End fix_plain.

Module fix_nested.
Inductive rose : Set := node : list rose -> rose.
Fixpoint size (t : rose) : nat :=
  match t with node ts => S ((fix go (l : list rose) : nat := match l with nil => 0 | cons u m => size u + go m end) ts) end.
Fixpoint size_map (t : rose) : nat := match t with node ts => S (list_sum (map size_map ts)) end.
Fixpoint size_fold (t : rose) : nat := match t with node ts => S (fold_right (fun u n => size_fold u + n) 0 ts) end.
Fixpoint size_fold_left (t : rose) : nat := match t with node ts => fold_left (fun n u => n + size_fold_left u) ts 1 end.
Fixpoint mirror (t : rose) : rose := match t with node ts => node (rev (map mirror ts)) end.
Fixpoint rose_ind' (P : rose -> Prop) (h : forall ts, Forall P ts -> P (node ts)) (t : rose) : P t :=
  match t with node ts =>
    h ts ((fix go (l : list rose) : Forall P l :=
             match l with nil => Forall_nil P | cons u m => Forall_cons u (rose_ind' P h u) (go m) end) ts) end.
Inductive bush : Set := tip : bush | fork : option bush -> (nat * bush) -> bush.
Fixpoint height (b : bush) : nat :=
  match b with tip => 0 | fork o (_, c) => S (match o with None => 0 | Some d => Nat.max (height d) (height c) end) end.
Inductive term : Type := var : nat -> term | app : nat -> list (list term) -> term.
Fixpoint depth (t : term) : nat :=
  match t with var _ => 0 | app _ ts => S (list_max (map (fun l => list_max (map depth l)) ts)) end.
Inductive w (A : Type) (B : A -> Type) : Type := sup : forall a, (B a -> w A B) -> w A B.
Fixpoint count (A : Type) (t : w A (fun _ => bool)) : nat := match t with sup _ _ _ f => S (count A (f true) + count A (f false)) end.
Inductive ord : Set := zero | succ : ord -> ord | lim : (nat -> ord) -> ord.
Fixpoint plus (a b : ord) : ord := match b with zero => a | succ c => succ (plus a c) | lim f => lim (fun n => plus a (f n)) end.
Inductive vector (A : Type) : nat -> Type := vnil : vector A 0 | vcons : A -> forall n, vector A n -> vector A (S n).
Fixpoint vmap {A B : Type} (f : A -> B) n (v : vector A n) : vector B n :=
  match v with vnil _ => vnil B | vcons _ a m u => vcons B (f a) m (vmap f m u) end.
Fixpoint zip {A B : Type} n (v : vector A n) : vector B n -> vector (A * B) n :=
  match v in vector _ n return vector B n -> vector (A * B) n with
  | vnil _ => fun _ => vnil _
  | vcons _ a m u => fun r => match r in vector _ k return match k with 0 => unit | S j => (vector B j -> vector (A * B) j) -> vector (A * B) (S j) end with
                              | vnil _ => tt | vcons _ b j s => fun rec => vcons _ (a, b) j (rec s) end (zip m u)
  end.
End fix_nested.

Module fix_mutual.
Fixpoint even (n : nat) : bool := match n with 0 => true | S p => odd p end
with odd (n : nat) : bool := match n with 0 => false | S p => even p end.
Inductive tree : Set := node : nat -> forest -> tree with forest : Set := leaf : forest | more : tree -> forest -> forest.
Fixpoint size (t : tree) : nat := match t with node n f => S (sizes f) end
with sizes (f : forest) : nat := match f with leaf => 0 | more t g => size t + sizes g end.
Lemma even_odd : forall n, even n = negb (odd n)
with odd_even : forall n, odd n = negb (even n).
Proof.
  - intros [|n]; simpl; [reflexivity|]. rewrite (odd_even n). destruct (even n); reflexivity.
  - intros [|n]; simpl; [reflexivity|]. rewrite (even_odd n). destruct (odd n); reflexivity.
Qed.
Scheme tree_mut := Induction for tree Sort Prop with forest_mut := Induction for forest Sort Prop.
Fixpoint up (n m : nat) {struct n} : nat := match n with 0 => m | S p => down m p end
with down (m n : nat) {struct n} : nat := match n with 0 => m | S p => up p (S m) end.
End fix_mutual.

Module fix_wellfounded.
Fixpoint by_acc (n : nat) (a : Acc lt n) {struct a} : nat :=
  match n as k return (forall j, j < k -> nat) -> nat with
  | 0 => fun _ => 0
  | S p => fun r => S (r p (Nat.lt_succ_diag_r p))
  end (fun j h => by_acc j (Acc_inv a h)).
Fixpoint by_match (n : nat) (a : Acc lt n) {struct a} : nat :=
  match a with Acc_intro _ f => match n as k return (forall j, j < k -> Acc lt j) -> nat with
     0 => fun _ => 0 | S p => fun g => S (by_match p (g p (Nat.lt_succ_diag_r p))) end f end.
Function log2 (n : nat) {wf lt n} : nat := match n with 0 => 0 | 1 => 0 | _ => S (log2 (n / 2)) end.
Proof. - intros. apply Nat.div_lt; lia. - exact lt_wf. Defined.
Function halve (n : nat) {measure (fun x => x) n} : nat := match n with 0 => 0 | 1 => 0 | S (S p) => S (halve p) end.
Proof. intros; lia. Defined.
Program Fixpoint gcd (a b : nat) {measure b} : nat := match b with 0 => a | S _ => gcd b (a mod b) end.
Next Obligation. apply Nat.mod_upper_bound. lia. Qed.
Fixpoint div (fuel n m : nat) : nat := match fuel with 0 => 0 | S k => if n <? m then 0 else S (div k (n - m) m) end.
Fixpoint minus_rec (n m : nat) {struct n} : nat := match n with 0 => 0 | S p => S (minus_rec (p - m) m) end.
Fixpoint pred_rec (n : nat) : nat := match n with 0 => 0 | S p => S (pred_rec (Nat.pred p)) end.
Definition strong (P : nat -> Type) (h : forall n, (forall m, m < n -> P m) -> P n) : forall n, P n := well_founded_induction_type lt_wf P h.
Definition with_Fix : nat -> nat := Fix lt_wf (fun _ => nat) (fun n rec => match n as k return (forall j, j < k -> nat) -> nat with 0 => fun _ => 0 | S p => fun r => S (r p (Nat.lt_succ_diag_r p)) end rec).
End fix_wellfounded.

Module corecursive.
CoInductive stream (A : Type) : Type := link : A -> stream A -> stream A.
Arguments link {A}.
CoFixpoint const {A} (a : A) : stream A := link a (const a).
CoFixpoint from (n : nat) : stream nat := link n (from (S n)).
CoFixpoint map {A B} (f : A -> B) (s : stream A) : stream B := match s with link a t => link (f a) (map f t) end.
Definition behind_lets (n : nat) : stream nat := let m := n + n in let k := S m in (cofix go (i : nat) : stream nat := link (i + k) (go (i + m))) 0.
Definition typed_let : stream nat := let A := nat in cofix go : stream A := link (0 : A) go.
CoFixpoint a : stream bool := link true b with b : stream bool := link false a.
CoFixpoint two (n : nat) : stream nat := link n (link (S n) (two (S (S n)))).
CoFixpoint with_let (n : nat) : stream nat := let m := S n in link n (with_let m).
CoFixpoint with_if (n : nat) : stream nat := if Nat.even n then link 0 (with_if (S n)) else link 1 (link 2 (with_if n)).
Definition nats := stream nat.
CoFixpoint named (n : nat) : nats := link n (named (S n)).
CoInductive eqs {A} : stream A -> stream A -> Prop := both : forall a s t, eqs s t -> eqs (link a s) (link a t).
CoFixpoint refl {A} (s : stream A) : eqs s s := match s with link a t => both a t t (refl t) end.
CoInductive colist (A : Type) : Type := conil : colist A | cocons : A -> colist A -> colist A.
CoInductive cotree : Type := conode : nat -> colist cotree -> cotree.
CoFixpoint grow (n : nat) : cotree := conode n (cocons _ (grow (S n)) (cocons _ (grow (n + n)) (conil _))).
CoFixpoint relabel (t : cotree) : cotree :=
  match t with conode n ts => conode (S n) ((cofix all (l : colist cotree) : colist cotree :=
    match l with conil _ => conil _ | cocons _ u m => cocons _ (relabel u) (all m) end) ts) end.
Set Primitive Projections.
CoInductive pstream (A : Type) : Type := pcons { hd : A; tl : pstream A }.
CoFixpoint pconst (n : nat) : pstream nat := {| hd := n; tl := pconst (S n) |}.
Lemma by_tactic : forall A (s : stream A), eqs s s. Proof. cofix self. intros A [x t]. constructor. apply self. Qed.
End corecursive.

(* Close to rocq#20413. *)
Module near_20413.
Fixpoint wind (turns : nat) (k : nat -> nat) : nat :=
  match turns with
  | 0 => k 0
  | S t => wind t (fun again => k (S again))
  end.
Lemma total : forall n k, wind n k = k (n + 0).
Proof.
  induction n as [|n same]; intro k; [reflexivity|].
  exact (same (fun again => k (S again))).
Qed.
Lemma count : forall n k, wind n k = k n.
Proof.
  induction n as [|n same]; intro k; [reflexivity|].
  exact (same (fun again => k (S again))).
Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (eq_sym (count n (fun m => m))) (total n (fun m => m))). Qed.
End near_20413.

(* Close to rocq#20455. *)
Module near_20455.
Fixpoint shrink (n height : nat) : nat :=
  match n with
  | 0 => 0
  | S m =>
      let onward (jump : bool) :=
        shrink (match m with 0 => m | S k => if jump then k else m end) height in
      S (onward true)
  end.
Theorem goal : forall n : nat, n = n + 0.
Proof. fix self 1. intros [|m]; [reflexivity | exact (f_equal S (self m))]. Qed.
End near_20455.

(* Close to rocq#21839. *)
Module near_21839.
Fixpoint shrink (n : nat) : nat :=
  let empty (b : False) : nat := match b with end in
  let same (x : nat) : nat := x in
  match n with
  | 0 => 0
  | S m => shrink ((fix last (k : nat) : nat := match k with 0 => k | S j => last j end) m)
  end.
Lemma copy : nat -> nat.
Proof. fix copy 1. exact (fun n => match n with 0 => 0 | S m => S (copy m) end). Defined.
Lemma total : forall n, n = copy n + 0.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal S same)]. Qed.
Lemma equal : forall n, copy n = n.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal S same)]. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (total n) (f_equal (fun m => m + 0) (equal n))). Qed.
End near_21839.

(* Close to rocq#22386. *)
Module near_22386.
CoInductive endless : Set := more : nat -> endless -> endless.
Definition ones : endless :=
  let one := 1 in
  let two := one + one in
  cofix up : endless := more (two - one) up.
Definition head (e : endless) : nat := match e with more n _ => n end.
Lemma first : head ones = 1.
Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. induction n as [|n same]; [reflexivity | exact (f_equal (fun m => head ones + m) same)]. Qed.
End near_22386.

(* Close to rocq#22389. *)
Module near_22389.
CoInductive stream (A : Set) : Set := link : A -> stream A -> stream A.
CoInductive tree : Set := node : nat -> stream tree -> tree.
CoFixpoint grown (n : nat) : tree :=
  node n ((cofix all (m : nat) : stream tree := link tree (grown m) (all (S m))) 0).
CoFixpoint even (n : nat) : stream nat := link nat n (odd (S n))
with odd (n : nat) : stream nat := link nat n (even (S n)).
Definition head (s : stream nat) : nat := match s with link _ n _ => n end.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (eq_refl : n = head (even n)) (plus_n_O n)). Qed.
End near_22389.

(* What needs a type of a functor's parameter, or a proof of a section that was closed. *)
Module Type Trees.
Inductive tree : Set := leaf : tree | fork : tree -> tree -> tree.
End Trees.
Module Count (T : Trees).
Fixpoint leaves (t : T.tree) : nat := match t with T.leaf => 1 | T.fork l r => leaves l + leaves r end.
End Count.
Section Closed.
Variable P : nat -> Prop.
Inductive found : nat -> Prop := here : forall n, P n -> found n | later : forall n, found (S n) -> found n.
Definition next (n : nat) (f : found n) : ~ P n -> found (S n) :=
  match f in found m return ~ P m -> found (S m) with
  | here _ p => fun no => match no p with end
  | later _ g => fun _ => g
  end.
Hypothesis decide : forall n, {P n} + {~ P n}.
Lemma search : forall n, found n -> exists m, P m.
Proof.
  fix self 2. intros n f. destruct (decide n) as [yes|no]; [exists n; exact yes|].
  exact (self (S n) (next n f no)).
Qed.
End Closed.
(* Inner functions that are bound first and applied later. *)
Inductive rose : Set := node : list rose -> rose.
Fixpoint bound_first (t : rose) : nat :=
  match t with node ts =>
    let go := fix go (l : list rose) : nat := match l with nil => 0 | cons u m => bound_first u + go m end in S (go ts)
  end.
Fixpoint by_pair (n : nat) : nat := match n with 0 => 0 | S p => by_pair (snd (n, p)) end.
