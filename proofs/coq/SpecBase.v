(* Tables as lists, and the limits of core/: what the definitions taken from specs/ are written with. *)
From Coq Require Import ZArith List.
Local Open Scope Z_scope.

(* table[i]. *)
Definition at_index (table : list Z) (i : Z) : Z := nth (Z.to_nat i) table 0.
Notation "table .[ i ]" := (at_index table i%Z) (at level 2, left associativity, format "table .[ i ]").

(* \valid_read(table + (0 .. size - 1)) of a uint64_t *: the entries are 64-bit words. *)
Definition valid_read (table : list Z) (size : Z) : Prop :=
  forall i, 0 <= i < size -> 0 <= table.[i] < 18446744073709551616.

Definition FUMATA_NOISE_MAX : Z := 1048576.
Definition FUMATA_NOISE_RANGE : Z := 1099511627776.
Definition FUMATA_SILENCES_MAX : Z := 1000000.
Definition FUMATA_TABLE_MAX : Z := 262144.
Definition FUMATA_ALPHA_MAX : Z := 4096.
