"""SpecBase.v: tables, the boolean forms of formulas, constants and records, for all the generated files."""
from acsl2coq.c_types import NUMBER, RANGES, Field, Headers, Struct

HEAD = """(* Made by proofs/coq/generate from core/*.h; do not edit. Tables are lists, C integers are Z. *)
From Coq Require Import Bool Lia List ZArith.
Import ListNotations.
Local Open Scope Z_scope.

(* table[i]. *)
Definition at_index (table : list Z) (i : Z) : Z := nth (Z.to_nat i) table 0.
Notation "table .[ i ]" := (at_index table i%Z) (at level 2, left associativity, format "table .[ i ]").

(* f holds at every place from lo up to, not including, hi. *)
Fixpoint all_from (n : nat) (lo : Z) (f : Z -> bool) : bool :=
  match n with O => true | S n => f lo && all_from n (lo + 1) f end.
Definition all_between (lo hi : Z) (f : Z -> bool) : bool := all_from (Z.to_nat (hi - lo)) lo f.

(* \\valid_read(table + (0 .. size - 1)) of a uint64_t *: the entries are 64-bit words. *)
Definition valid_read (table : list Z) (size : Z) : Prop :=
  forall i, 0 <= i /\\ i < size -> 0 <= table.[i] /\\ table.[i] < 18446744073709551616.
Definition valid_read_b (table : list Z) (size : Z) : bool :=
  all_between 0 size (fun i => (0 <=? table.[i]) && (table.[i] <? 18446744073709551616)).

(* The same of a table of other integers: its entries are from lo up to, not including, hi. *)
Definition table_fits (lo hi : Z) (table : list Z) (size : Z) : Prop :=
  forall i, 0 <= i /\\ i < size -> lo <= table.[i] /\\ table.[i] < hi.
Definition table_fits_b (lo hi : Z) (table : list Z) (size : Z) : bool :=
  all_between 0 size (fun i => (lo <=? table.[i]) && (table.[i] <? hi)).

(* From a boolean to the formula it decides. *)
Lemma all_from_true : forall n lo f, all_from n lo f = true <-> forall i, lo <= i < lo + Z.of_nat n -> f i = true.
Proof.
  induction n as [|n IH]; intros lo f; cbn [all_from].
  - split; [lia|reflexivity].
  - rewrite andb_true_iff, IH. split.
    + intros [H0 H] i Hi. destruct (Z.eq_dec i lo) as [->|]; [exact H0|]. apply H. lia.
    + intros H. split; [|intros i Hi]; apply H; lia.
Qed.
Lemma all_true : forall lo hi f (P : Z -> Prop), (forall i, f i = true <-> P i) ->
  all_between lo hi f = true <-> (forall i, lo <= i /\\ i < hi -> P i).
Proof.
  intros lo hi f P H. unfold all_between. rewrite all_from_true. split; intros G i Hi.
  - apply H, G. lia.
  - apply H, G. lia.
Qed.
Lemma all_after_true : forall lo hi f (P : Z -> Prop), (forall i, f i = true <-> P i) ->
  all_between (lo + 1) hi f = true <-> (forall i, lo < i /\\ i < hi -> P i).
Proof. intros lo hi f P H. rewrite (all_true _ _ f P H). split; intros G i Hi; apply G; lia. Qed.
Lemma and_true : forall a b (A B : Prop), (a = true <-> A) -> (b = true <-> B) -> a && b = true <-> A /\\ B.
Proof. intros [] [] A B; intuition discriminate. Qed.
Lemma or_true : forall a b (A B : Prop), (a = true <-> A) -> (b = true <-> B) -> a || b = true <-> A \\/ B.
Proof. intros [] [] A B; intuition discriminate. Qed.
Lemma not_true : forall a (A : Prop), (a = true <-> A) -> negb a = true <-> ~ A.
Proof. intros [] A; simpl; intuition discriminate. Qed.
Lemma implies_true : forall a b (A B : Prop), (a = true <-> A) -> (b = true <-> B) -> implb a b = true <-> (A -> B).
Proof. intros [] [] A B; simpl; intuition discriminate. Qed.
Lemma if_true : forall (c a b : bool) (A B : Prop), (a = true <-> A) -> (b = true <-> B) ->
  (if c then a else b) = true <-> (if c then A else B).
Proof. intros [] a b A B; intuition. Qed.

Create HintDb spec discriminated.
#[global] Hint Constants Opaque : spec.
Ltac spec_true :=
  cbv zeta;
  repeat lazymatch goal with
  | |- andb _ _ = true <-> _ => apply and_true
  | |- orb _ _ = true <-> _ => apply or_true
  | |- negb _ = true <-> _ => apply not_true
  | |- implb _ _ = true <-> _ => apply implies_true
  | |- (if _ then _ else _) = true <-> _ => apply if_true
  | |- all_between (_ + 1) _ _ = true <-> (forall i, _ < i /\\ _ -> _) => apply all_after_true; intro
  | |- all_between _ _ _ = true <-> _ => apply all_true; intro
  | |- true = true <-> True => exact (conj (fun _ => I) (fun _ => eq_refl))
  | |- Z.leb _ _ = true <-> _ => apply Z.leb_le
  | |- Z.ltb _ _ = true <-> _ => apply Z.ltb_lt
  | |- Z.eqb _ _ = true <-> _ => apply Z.eqb_eq
  | |- _ = true <-> _ => solve [auto with spec nocore]
  end.
Lemma valid_read_true : forall table size, valid_read_b table size = true <-> valid_read table size.
Proof. intros. unfold valid_read_b, valid_read. spec_true. Qed.
Lemma table_fits_true : forall lo hi table size, table_fits_b lo hi table size = true <-> table_fits lo hi table size.
Proof. intros. unfold table_fits_b, table_fits. spec_true. Qed.
#[global] Hint Resolve valid_read_true table_fits_true : spec.
"""


def constants(headers: Headers) -> list[str]:
    return [f"Definition {name} : Z := {value}." for name, value in headers.constants.items()]


def kind_of(field: Field) -> str:
    if field.pointer:
        return "list Z"
    return field.kind if field.kind.startswith("fumata_") and not field.kind.endswith(("_kind", "_status")) else "Z"


def record(struct: Struct) -> str:
    lines = [f"  {struct.coq(f.name)} : {kind_of(f)}" for f in struct.fields if not f.derived]
    maker = NUMBER + " " if struct.name == "fumata_number" else ""
    made = f"Record {struct.name} := {maker}{{\n" + ";\n".join(lines) + "\n}."
    table = struct.table()
    sizes = [f"\nDefinition {struct.coq(f.name)} (x : {struct.name}) : Z := Z.of_nat (length ({struct.coq(table.name)} x))."
             for f in struct.fields if f.derived and table]
    return made + "".join(sizes)


def table_reads(kind: str) -> tuple[str, str]:
    """What \\valid_read says of the entries of a table, and the boolean of it."""
    if kind == "uint64_t":
        return "valid_read", "valid_read_b"
    low, high = RANGES[kind]
    return f"table_fits ({low}) {high}", f"table_fits_b ({low}) {high}"


def fits(struct: Struct) -> str:
    """What the C types of the fields say."""
    parts = []
    for f in struct.fields:
        value = f"{struct.coq(f.name)} x"
        if f.pointer:
            parts.append(f"{table_reads(f.kind)[0]} ({value}) (Z.of_nat (length ({value})))")
        elif f.kind in RANGES:
            parts.append(f"{RANGES[f.kind][0]} <= {value} < {RANGES[f.kind][1]}")
        elif kind_of(f) != "Z":
            parts.append(f"{f.kind}_fits ({value})")
    return f"Definition {struct.name}_fits (x : {struct.name}) : Prop :=\n  " + " /\\\n  ".join(parts or ["True"]) + "."


def base(headers: Headers) -> str:
    structs = [text for struct in headers.ordered() for text in (record(struct), fits(struct))]
    return "\n".join([HEAD, "(* core/*.h: constants. *)", *constants(headers), "",
                      "(* core/*.h: structs, and what fits into their fields. The size of a table is its length. *)",
                      *structs, ""])
