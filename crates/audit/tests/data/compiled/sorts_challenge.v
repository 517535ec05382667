Set Universe Polymorphism.
Module Type Question.
Inductive both@{s t|u|} (A : Type@{s|u}) (B : Type@{t|u}) : Type@{u} := pair (_ : A) (_ : B).
Parameter goal@{s t|u|} : forall (A : Type@{s|u}) (B : Type@{t|u}), A -> B -> both@{s t|u} A B.
End Question.
