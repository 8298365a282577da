(* specs/ballot.acsl *)
From Coq Require Import ZArith Lia List.
From Fumata Require Import SpecBase.
Local Open Scope Z_scope.

Fixpoint FumataCountU8_at (fuel : nat) (votes : list Z) (n y : Z) : Z :=
  match fuel with
  | O => 0
  | S rest => FumataCountU8_at rest votes (n - 1) y + (if votes.[n - 1] =? y then 1 else 0)
  end.
Definition FumataCountU8 (votes : list Z) (n y : Z) : Z := FumataCountU8_at (Z.to_nat n) votes n y.
Lemma FumataCountU8_acsl : forall votes n y,
  FumataCountU8 votes n y = if n <=? 0 then 0 else FumataCountU8 votes (n - 1) y + (if votes.[n - 1] =? y then 1 else 0).
Proof.
  intros votes n y. unfold FumataCountU8. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Definition FumataIsTallyU8 (votes : list Z) (n : Z) (counts : list Z) (classes : Z) : Prop :=
  forall y, 0 <= y < classes -> counts.[y] = FumataCountU8 votes n y.

Definition FumataIsWinner (counts : list Z) (classes y : Z) : Prop :=
  0 <= y < classes /\
  (forall i, 0 <= i < classes -> counts.[i] <= counts.[y]) /\
  (forall i, 0 <= i < y -> counts.[i] < counts.[y]).

Definition FumataIsRunnerUp (counts : list Z) (classes y r : Z) : Prop :=
  0 <= r < classes /\ r <> y /\
  (forall i, 0 <= i < classes /\ i <> y -> counts.[i] <= counts.[r]).

Definition FumataIsDistance (gap distance : Z) : Prop :=
  (gap = 0 /\ distance = 0) \/ (distance >= 0 /\ 2 * distance < gap <= 2 * distance + 2).

Definition FumataIsVerdict (counts : list Z) (classes winner distance : Z) : Prop :=
  FumataIsWinner counts classes winner /\
  (exists r, FumataIsRunnerUp counts classes winner r /\
             FumataIsDistance (counts.[winner] - counts.[r]) distance).
