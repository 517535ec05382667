(* Every constant whose name begins with "bad" must be refused, and no other. *)

(* What the kernel of 8.16 accepts, a bug each. *)
Module m20413.
Fixpoint bad_20413 (turns : nat) (k : nat -> nat) : nat :=
  match turns with
  | 0 => S (k 1)
  | S t => bad_20413 t (fun again => bad_20413 again k)
  end.
End m20413.
Module m20455.
Fixpoint bad_20455 (n height : nat) : nat :=
  match n with
  | 0 => 0
  | S m =>
      let onward (jump : bool) (h : nat) :=
        bad_20455 (match (if jump then h else m) with 0 => m | S k => k end) height in
      S (onward true height)
  end.
End m20455.
Module m21839.
Fixpoint bad_21839 (n : nat) : False :=
  let empty (b : False) : nat := match b with end in
  let same (x : nat) : nat := x in
  bad_21839 ((ltac:(fix copy 1; exact same) : nat -> nat) n).
End m21839.
Module m22386.
CoInductive endless : Set := more : nat -> endless -> endless.
Inductive tower : Set := floor : nat -> tower -> tower.
Definition bad_22386 : tower :=
  let shown := tower in
  let seen := endless in
  cofix up : shown := floor 3 up.
End m22386.
Module m22389.
CoInductive pair (A B : Set) : Set := both : A -> B -> pair A B.
CoInductive stream (A : Set) : Set := link : stream A -> pair (stream A) A -> stream A.
Inductive rose : Set := bud : stream rose -> rose.
CoFixpoint bad_22389 : stream rose :=
  (cofix left : stream rose := link rose left right
   with right : pair (stream rose) rose := both (stream rose) rose bad_22389 (bud bad_22389)
   for left).
End m22389.

(* What the kernel would refuse, too. *)
Unset Guard Checking.
Require Import List.
Definition up (n : nat) : nat := S n.
Definition call {A B : Type} (f : A -> B) (a : A) : B := f a.
Inductive rose : Set := node : list rose -> rose.
Inductive wrap : Prop := wrapped : (forall P : Prop, P -> P) -> wrap.
Inductive box : Set := boxed : (True -> box) -> box.

Fixpoint bad_same (n : nat) {struct n} : nat := bad_same n.
Fixpoint bad_larger (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_larger (S p) end.
Fixpoint bad_grown (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_grown (up p) end.
Fixpoint bad_other (n m : nat) {struct n} : nat := match n with 0 => 0 | S p => match m with 0 => 0 | S q => bad_other m q end end.
Fixpoint bad_mixed (n : nat) (b : bool) {struct n} : nat := match n with 0 => 0 | S p => bad_mixed (if b then p else n) b end.
Fixpoint bad_let (n : nat) {struct n} : nat := let again := bad_let in again n.
Fixpoint bad_redex (n : nat) {struct n} : nat := (fun again : nat -> nat => again n) bad_redex.
Fixpoint bad_constant (n : nat) {struct n} : nat := call bad_constant n.
Fixpoint bad_pair (n : nat) {struct n} : nat := fst (bad_pair, 0) n.
Fixpoint bad_cut (n : nat) {struct n} : nat := match n with 0 => fun again => again 0 | S p => fun again : nat -> nat => again n end bad_cut.
Fixpoint bad_even (n : nat) {struct n} : bool := match n with 0 => true | S p => bad_odd n end
with bad_odd (n : nat) {struct n} : bool := match n with 0 => false | S p => bad_even p end.
Fixpoint bad_map (t : rose) {struct t} : list nat := match t with node ts => map (fun u => length (bad_map u)) (t :: ts) end.
Fixpoint bad_inner (t : rose) {struct t} : nat :=
  match t with node ts => (fix go (l : list rose) : nat := match l with nil => 0 | cons u m => bad_inner (node l) + go m end) ts end.
Fixpoint bad_inner_other (t : rose) {struct t} : nat :=
  match t with node ts => (fix go (l k : list rose) : nat := match l with nil => 0 | cons u m => match k with nil => 0 | cons v _ => bad_inner_other v end end) ts (t :: nil) end.
Fixpoint bad_stays (n : nat) (a : Acc lt n) {struct a} : nat := bad_stays n (Acc_intro n (fun m h => Acc_inv a h)).
Fixpoint bad_trap (w : wrap) {struct w} : False := match w with wrapped f => bad_trap (f wrap w) end.
Fixpoint bad_cast (e : (True -> box) = box) (b : box) {struct b} : False :=
  match b with boxed f => bad_cast e (match e in _ = T return T with eq_refl => f end) end.
Fixpoint bad_cast_function (e : (True -> box) = box) (b : box) {struct b} : False :=
  match b with boxed f => match e in _ = T return (T -> False) -> False with eq_refl => fun again => again f end (bad_cast_function e) end.
Definition bad_point_free : nat -> nat := fix self (n : nat) {struct n} : nat := (fun f : nat -> nat => f) (fun m => self m) n.
Definition bad_no_function : nat -> nat := fix self (n : nat) {struct n} := call (fun (f : nat -> nat) m => f m) self n.
Fixpoint bad_uniform (n : nat) {struct n} : nat :=
  match n with 0 => 0 | S p => (fix go (x : nat) (m : nat) {struct m} : nat := match m with 0 => bad_uniform x | S k => go (S x) k end) p p end.
Section Closed.
Variable x : nat.
Definition choose (n m : nat) : nat := match x with 0 => n | S _ => n end.
Lemma bad_section : nat -> nat.
Proof. exact (fix self (n : nat) {struct n} := match n with 0 => 0 | S p => self (choose n p) end). Qed.
End Closed.

CoInductive stream : Set := link : nat -> stream -> stream.
Definition tail (s : stream) : stream := match s with link _ t => t end.
CoInductive tree : Set := fork : (list tree) -> tree.
CoFixpoint bad_loop : stream := bad_loop.
CoFixpoint bad_tail : stream := link 0 (tail bad_tail).
CoFixpoint bad_filter (s : stream) : stream := match s with link 0 t => bad_filter t | link n t => link n (bad_filter t) end.
CoFixpoint bad_argument (s : stream) : stream := link 0 (bad_argument (bad_argument s)).
CoFixpoint bad_left : stream := link 0 bad_right with bad_right : stream := bad_left.
CoFixpoint bad_number : stream := link (match bad_number with link n _ => n end) bad_number.
CoFixpoint bad_behind_let : stream := let again := bad_behind_let in again.
CoFixpoint bad_rev : tree := fork (rev (bad_rev :: nil)).

CoInductive nothing : Prop := never : nothing -> False -> nothing.
CoFixpoint bad_first : nothing := (cofix f : nothing := bad_first with g : nothing := bad_first for f).
CoFixpoint bad_second (n : nothing) : nothing := (cofix f : nothing := n with g : nothing := bad_second n for g).
CoFixpoint bad_third (n : nothing) : nothing := (cofix f : nothing := n with g : nothing := bad_third n for f).
Inductive omega : Prop := Omega : omega -> omega.
CoFixpoint bad_equal (e : omega = nothing) : nothing :=
  match e in _ = T return T with
  | eq_refl => Omega (match eq_sym e in _ = T return T with eq_refl => bad_equal e end)
  end.

(* What later versions take for smaller and is not: rocq#20555, rocq#21682, rocq#21053. *)
Fixpoint bad_stack (t : unit) {struct t} : False :=
  (fix rec (n : nat) {struct n} := match n with 0 => bad_stack | S m => rec m end) 1 t.
Fixpoint bad_swapped (n : nat) {struct n} : nat :=
  match n with
  | 0 => 0
  | S k =>
    (fix f (p : nat) (m : nat) {struct m} := match m with 0 => p | S m' => g (S p) m' end
     with g (q : nat) (m : nat) {struct m} := match m with 0 => bad_swapped q | S m' => f q m' end
     for f) k k
  end.
Definition cast {A B : Set} (e : A = B) : A -> B := match e in _ = T return A -> T with eq_refl => fun x => x end.
Fixpoint bad_same_type (e : nat = nat) (n : nat) {struct n} : nat :=
  match n with 0 => 0 | S m => S (bad_same_type e (cast e m)) end.
