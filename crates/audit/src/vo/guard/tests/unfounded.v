(* Every constant whose name begins with "bad" must be refused, and no other. *)

(* What the kernel of 8.16 accepts, a bug each. *)
Module m20413.
Fixpoint bad_20413 (turns : nat) (k : nat -> nat) {struct turns} : nat :=
  match turns with
  | 0 => S (k 1)
  | S t => bad_20413 t (fun again => bad_20413 again k)
  end.
End m20413.
Module m20455.
Fixpoint bad_20455 (n height : nat) {struct n} : nat :=
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

(* Calls that are hidden in records, matches, inner functions and functions of libraries. *)
Module Hidden.
Record fn := { run : nat -> nat }.
Set Primitive Projections. Record pfn := { prun : nat -> nat; pn : nat }. Unset Primitive Projections.
Inductive rose : Set := node : list rose -> rose.
Definition apply2 (f : nat -> nat) (n m : nat) := f n.
Definition pick (b : bool) (f g : nat -> nat) := if b then f else g.
Inductive prox : nat -> Set := pz : prox 0 | ps : forall n, prox n -> prox (S n).
Fixpoint bad_rec (n : nat) {struct n} : nat := let r := {| run := bad_rec |} in run r n.
Fixpoint bad_prec (n : nat) {struct n} : nat := let r := {| prun := bad_prec; pn := n |} in prun r n.
Fixpoint bad_if (b : bool) (n : nat) {struct n} : nat := (match b with true => bad_if b | false => bad_if b end) n.
Fixpoint bad_base (n : nat) {struct n} : nat := (fix h (m : nat) : nat := match m with 0 => bad_base n | S k => h k end) 3.
Fixpoint bad_large (n : nat) {struct n} : nat := bad_large (match n with 0 => n | S p => p end).
Fixpoint bad_sub (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_sub (n - 1) end.
Fixpoint bad_sub0 (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_sub0 (S p - p) end.
Fixpoint bad_last (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_last ((fix last (k : nat) := match k with 0 => n | S j => last j end) p) end.
Fixpoint bad_last2 (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_last2 ((fix last (k m : nat) {struct k} := match k with 0 => m | S j => last j (S m) end) p p) end.
Fixpoint bad_fold (t : rose) {struct t} : nat := match t with node ts => fold_right (fun u acc => bad_fold t + acc) 0 ts end.
Fixpoint bad_foldl (t : rose) {struct t} : rose := match t with node ts => fold_left (fun acc u => bad_foldl acc) ts t end.
Fixpoint bad_acc (t : rose) {struct t} : rose := match t with node ts => fold_right (fun u acc => bad_acc acc) t ts end.
Fixpoint bad_iota (n : nat) {struct n} : nat := bad_iota (match S n with 0 => 0 | S q => q end).
Fixpoint bad_type (n : nat) {struct n} : Type := match n with 0 => unit | S p => bad_type (S p) -> unit end.
Fixpoint bad_apply2 (n : nat) {struct n} : nat := match n with 0 => 0 | S p => apply2 bad_apply2 n p end.
Fixpoint bad_pick (n : nat) {struct n} : nat := match n with 0 => 0 | S p => pick true bad_pick bad_pick n end.
Fixpoint bad_map (t : rose) {struct t} : rose := match t with node ts => node (map bad_map (map (fun u => t) ts)) end.
Fixpoint bad_map2 (t : rose) {struct t} : rose := match t with node ts => node (map bad_map (ts ++ ts)) end
with bad_dummy (n : nat) {struct n} : nat := match n with 0 => 0 | S k => bad_dummy (S k) end.
Fixpoint bad_fn (n : nat) {struct n} : nat := match n with 0 => 0 | S p => (fun k => bad_fn (S k)) p end.
Fixpoint bad_ret (n : nat) {struct n} : nat -> nat := match n with 0 => fun x => x | S p => fun x => bad_ret x p end.
Fixpoint bad_ix (n : nat) (v : prox n) {struct v} : nat := match v in prox m return prox m -> nat with pz => fun _ => 0 | ps k w => fun x => bad_ix (S k) x end v.
Fixpoint bad_cofix (n : nat) {struct n} : nat := match n with 0 => 0 | S p => let x := (fix z (k : nat) (g : nat -> nat) {struct k} : nat := match k with 0 => g n | S j => z j g end) p bad_cofix in x end.
Fixpoint bad_nested (l : list rose) {struct l} : nat := match l with nil => 0 | cons (node us) m => bad_nested us + bad_nested m end.
Fixpoint bad_dead (n : nat) (h : n = n) {struct n} : nat := match h with eq_refl => bad_dead n eq_refl end.
Fixpoint bad_fst (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_fst (fst (n, p)) end.
Fixpoint bad_let2 (n : nat) {struct n} : nat := match n with 0 => 0 | S p => let g := (fun k => let h := bad_let2 in h k) in g p + g n end.
Fixpoint bad_compose (n : nat) {struct n} : nat := match n with 0 => 0 | S p => bad_compose (bad_compose p) end.
CoInductive s : Set := c : nat -> s -> s.
CoFixpoint bad_s1 (n : nat) : s := (fix h (k : nat) : s := match k with 0 => c 0 (bad_s1 n) | S j => h j end) n.
CoFixpoint bad_s2 (x : s) : s := match bad_s2 x with c n t => c n t end.
CoFixpoint bad_s3 (f : s -> s) : s := c 0 (f (bad_s3 f)).
CoFixpoint bad_s4 : s := (fun x : s => c 0 (match x with c _ t => t end)) bad_s4.
CoFixpoint bad_s5 (n : nat) : s := match n with 0 => bad_s5 1 | S k => c 0 (bad_s5 k) end.
End Hidden.
