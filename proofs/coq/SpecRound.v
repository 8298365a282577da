(* specs/round.acsl *)
From Coq Require Import ZArith Lia.
Local Open Scope Z_scope.

Record fumata_number := FumataNumber { number_mantissa : Z; number_exponent : Z }.

Definition FumataIsNumber (x : fumata_number) (range : Z) : Prop :=
  2147483648 <= number_mantissa x /\ - range <= number_exponent x <= range.

Definition FumataLe (x y : fumata_number) : Prop :=
  number_exponent x < number_exponent y \/
  (number_exponent x = number_exponent y /\ number_mantissa x <= number_mantissa y).

Definition FumataLarger (x y : fumata_number) : fumata_number :=
  if ((number_exponent x <? number_exponent y) ||
      ((number_exponent x =? number_exponent y) && (number_mantissa x <=? number_mantissa y)))%bool then y else x.

Definition FumataCeil (a b : Z) : Z := a / b + (if a mod b =? 0 then 0 else 1).

Definition FumataWide (m : Z) : Z :=
  let a := if m <? 4294967296 then m * 4294967296 else m in
  let b := if a <? 281474976710656 then a * 65536 else a in
  let c := if b <? 72057594037927936 then b * 256 else b in
  let d := if c <? 1152921504606846976 then c * 16 else c in
  let e := if d <? 4611686018427387904 then d * 4 else d in
  if e <? 9223372036854775808 then e * 2 else e.

Definition FumataZeros (m : Z) : Z :=
  let a := if m <? 4294967296 then m * 4294967296 else m in
  let b := if a <? 281474976710656 then a * 65536 else a in
  let c := if b <? 72057594037927936 then b * 256 else b in
  let d := if c <? 1152921504606846976 then c * 16 else c in
  let e := if d <? 4611686018427387904 then d * 4 else d in
  (if m <? 4294967296 then 32 else 0) + (if a <? 281474976710656 then 16 else 0) +
  (if b <? 72057594037927936 then 8 else 0) + (if c <? 1152921504606846976 then 4 else 0) +
  (if d <? 4611686018427387904 then 2 else 0) + (if e <? 9223372036854775808 then 1 else 0).

Definition FumataPackDown (m e : Z) : fumata_number :=
  FumataNumber (FumataWide m / 4294967296) (e + 32 - FumataZeros m).

Definition FumataPackUp (m e : Z) : fumata_number :=
  let high := FumataCeil (FumataWide m) 4294967296 in
  if high =? 4294967296 then FumataNumber 2147483648 (e + 33 - FumataZeros m)
  else FumataNumber high (e + 32 - FumataZeros m).

Definition FumataWholeUp (n : Z) : fumata_number := FumataPackUp n 0.
Definition FumataWholeDown (n : Z) : fumata_number := FumataPackDown n 0.
Definition FumataFixedUp (n : Z) : fumata_number := FumataPackUp n (-32).
Definition FumataFixedDown (n : Z) : fumata_number := FumataPackDown n (-32).
Definition FumataShareUp (n : Z) : fumata_number := FumataPackUp n (-64).
Definition FumataShareDown (n : Z) : fumata_number := FumataPackDown n (-64).

Definition FumataMulUp (x y : fumata_number) : fumata_number :=
  FumataPackUp (number_mantissa x * number_mantissa y) (number_exponent x + number_exponent y).

Definition FumataMulDown (x y : fumata_number) : fumata_number :=
  FumataPackDown (number_mantissa x * number_mantissa y) (number_exponent x + number_exponent y).

Definition FumataDivUp (x y : fumata_number) : fumata_number :=
  FumataPackUp (FumataCeil (number_mantissa x * 4294967296) (number_mantissa y))
    (number_exponent x - number_exponent y - 32).

Definition FumataDivDown (x y : fumata_number) : fumata_number :=
  FumataPackDown (number_mantissa x * 4294967296 / number_mantissa y) (number_exponent x - number_exponent y - 32).

Fixpoint FumataHalveUp_at (fuel : nat) (m : Z) : Z :=
  match fuel with O => m | S rest => FumataHalveUp_at rest (FumataCeil m 2) end.
Definition FumataHalveUp (m n : Z) : Z := FumataHalveUp_at (Z.to_nat n) m.
Lemma FumataHalveUp_acsl : forall m n,
  FumataHalveUp m n = if n <=? 0 then m else FumataHalveUp (FumataCeil m 2) (n - 1).
Proof.
  intros m n. unfold FumataHalveUp. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Fixpoint FumataHalveDown_at (fuel : nat) (m : Z) : Z :=
  match fuel with O => m | S rest => FumataHalveDown_at rest (m / 2) end.
Definition FumataHalveDown (m n : Z) : Z := FumataHalveDown_at (Z.to_nat n) m.
Lemma FumataHalveDown_acsl : forall m n,
  FumataHalveDown m n = if n <=? 0 then m else FumataHalveDown (m / 2) (n - 1).
Proof.
  intros m n. unfold FumataHalveDown. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Definition FumataAlignUp (x : fumata_number) (places : Z) : Z :=
  FumataHalveUp (number_mantissa x * 2147483648) (if places <? 64 then places else 64).

Definition FumataAlignDown (x : fumata_number) (places : Z) : Z :=
  FumataHalveDown (number_mantissa x * 2147483648) (if places <? 64 then places else 64).

Definition FumataAddUp (x y : fumata_number) : fumata_number :=
  if number_exponent x <? number_exponent y
  then FumataPackUp (FumataAlignUp x (number_exponent y - number_exponent x) + FumataAlignUp y 0)
         (number_exponent y - 31)
  else FumataPackUp (FumataAlignUp x 0 + FumataAlignUp y (number_exponent x - number_exponent y))
         (number_exponent x - 31).

Definition FumataAddDown (x y : fumata_number) : fumata_number :=
  if number_exponent x <? number_exponent y
  then FumataPackDown (FumataAlignDown x (number_exponent y - number_exponent x) + FumataAlignDown y 0)
         (number_exponent y - 31)
  else FumataPackDown (FumataAlignDown x 0 + FumataAlignDown y (number_exponent x - number_exponent y))
         (number_exponent x - 31).

Definition FumataSubDown (x y : fumata_number) : fumata_number :=
  if ((number_exponent x <? number_exponent y) ||
      (FumataAlignDown x 0 <=? FumataAlignUp y (number_exponent x - number_exponent y)))%bool
  then FumataNumber 0 0
  else FumataPackDown (FumataAlignDown x 0 - FumataAlignUp y (number_exponent x - number_exponent y))
         (number_exponent x - 31).

Fixpoint FumataPowUp_at (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with O => FumataWholeUp 1 | S rest => FumataMulUp (FumataPowUp_at rest x) x end.
Definition FumataPowUp (x : fumata_number) (n : Z) : fumata_number := FumataPowUp_at (Z.to_nat n) x.
Lemma FumataPowUp_acsl : forall x n,
  FumataPowUp x n = if n <=? 0 then FumataWholeUp 1 else FumataMulUp (FumataPowUp x (n - 1)) x.
Proof.
  intros x n. unfold FumataPowUp. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Fixpoint FumataPowDown_at (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with O => FumataWholeDown 1 | S rest => FumataMulDown (FumataPowDown_at rest x) x end.
Definition FumataPowDown (x : fumata_number) (n : Z) : fumata_number := FumataPowDown_at (Z.to_nat n) x.
Lemma FumataPowDown_acsl : forall x n,
  FumataPowDown x n = if n <=? 0 then FumataWholeDown 1 else FumataMulDown (FumataPowDown x (n - 1)) x.
Proof.
  intros x n. unfold FumataPowDown. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.
