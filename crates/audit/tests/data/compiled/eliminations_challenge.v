Set Universe Polymorphism.
Module Type Question.
Parameter goal@{s t|u|s -> t} : forall (A : Type@{s|u}) (B : Type@{t|u}), A -> B -> A.
End Question.
