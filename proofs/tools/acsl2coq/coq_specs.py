"""The Coq file of one specs/*.acsl: a Definition for each predicate and logic function, in their order."""
from acsl2coq.acsl_file import Definition
from acsl2coq.acsl_terms import Tree, walk
from acsl2coq.acsl_tokens import NotUnderstood
from acsl2coq.c_types import NUMBER
from acsl2coq.coq_formulas import Formulas
from acsl2coq.coq_terms import Library, NoBoolean, Term, coq_type, type_of

HEAD = """(* Made by proofs/coq/generate from specs/{stem}.acsl; do not edit. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Export {needs}.
Local Open Scope Z_scope.
"""
RECURSIVE = """Fixpoint {name}_at (fuel : nat) {inner} : {kind} :=
  match fuel with
  | O => {base}
  | S fuel => {step}
  end.
Definition {name} {parameters} : {kind} := {name}_at {fuel} {inner_names}.
Lemma {name}_acsl : forall {parameters}, {name} {names} =
  if {n} <=? {k} then {base} else {rest}.
Proof.
  intros. unfold {name}. destruct (Z.leb_spec {n} {k}).
  - replace {fuel} with O by lia. reflexivity.
  - replace {fuel} with (S {less}) by lia. reflexivity.
Qed.
"""
PREDICATE = """Definition {name} {parameters} : Prop :=
  {body}.
"""
BOOLEAN = """Definition {name}_b {parameters} : bool :=
  {body}.
Lemma {name}_true : forall {parameters}, {name}_b {names} = true <-> {name} {names}.
Proof. intros. unfold {name}_b, {name}. spec_true. Qed.
#[global] Hint Resolve {name}_true : spec.
"""


class Spec:
    """Writes definitions one after the other into the library."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def write(self, definition: Definition) -> str:
        name = definition.name
        if name in self.library.definitions:
            raise NotUnderstood(f"{definition.token.where()}: {name} is defined twice")
        self.library.definitions[name] = definition  # a recursion knows itself
        if name == NUMBER:
            return number_text(definition)
        if definition.kind == "predicate":
            return self.predicate(definition)
        return self.recursion(definition) if name in definition.calls() else self.function(definition)

    def writer(self, definition: Definition) -> Formulas:
        return Formulas(self.library, {n: Term(n, type_of(kind, pointer)) for n, kind, pointer in definition.parameters})

    def predicate(self, definition: Definition) -> str:
        if definition.name in definition.calls():
            raise NotUnderstood(f"{definition.token.where()}: {definition.name} is a recursive predicate")
        head = self.head(definition)
        text = PREDICATE.format(**head, body=self.writer(definition).formula(definition.body))
        try:
            boolean = self.writer(definition).boolean(definition.body)
        except NoBoolean:
            return text
        self.library.booleans.add(definition.name)
        return text + BOOLEAN.format(**head, body=boolean)

    @staticmethod
    def head(definition: Definition) -> dict[str, str]:
        return {"name": definition.name, "parameters": typed(definition.parameters),
                "names": " ".join(n for n, _, _ in definition.parameters)}

    def function(self, definition: Definition) -> str:
        found = self.writer(definition).term(definition.body)
        self.same(definition, found)
        return "Definition {name} {parameters} : {kind} :=\n  {body}.\n".format(
            **self.head(definition), kind=coq_type(found.kind), body=found.text)

    @staticmethod
    def same(definition: Definition, found: Term) -> None:
        if type_of(definition.kind, False) != found.kind:
            raise NotUnderstood(f"{definition.token.where()}: {definition.name} is a {found.kind}")

    def recursion(self, definition: Definition) -> str:
        """n <= k ? base : ... f(..., n - 1, ...) ..."""
        n, k, base, rest = shape(definition)
        writer = self.writer(definition)
        text = {"n": n, "k": k, "base": writer.term(base).text, "rest": writer.term(rest).text,
                "fuel": count(n, k), "less": count(f"({n} - 1)", k)}
        counted = mentions_counter(definition.name, rest, n) or mentions_counter(definition.name, base, n)
        writer.renamed = {definition.name: (f"{definition.name}_at fuel", [] if counted else [position(definition, n)])}
        found = writer.term(rest)
        self.same(definition, found)
        inner = [p for p in definition.parameters if counted or p[0] != n]
        text |= {"inner": typed(inner), "inner_names": " ".join(p[0] for p in inner)}
        return RECURSIVE.format(**self.head(definition), kind=coq_type(found.kind), step=found.text, **text)


def typed(parameters: list[tuple[str, str, bool]]) -> str:
    return " ".join(f"({n} : {coq_type(type_of(kind, pointer))})" for n, kind, pointer in parameters)


def count(n: str, k: str) -> str:
    """How many steps there are from n down to k."""
    return f"(Z.to_nat {n})" if k == "0" else f"(Z.to_nat ({n} - {k}))"


def position(definition: Definition, name: str) -> int:
    return [n for n, _, _ in definition.parameters].index(name)


def mentions_counter(function: str, tree: Tree, n: str) -> bool:
    """Does the step need the counter for more than counting?"""
    if tree.kind == "call" and tree.name() == function:
        return any(mentions_counter(function, part, n) for part in tree.parts if not is_less(part, n))
    return tree.names == [n] and tree.kind == "name" or any(mentions_counter(function, part, n) for part in tree.parts)


def shape(definition: Definition) -> tuple[str, str, Tree, Tree]:
    """The parts of a recursion: its counter, where it ends, the end and the step."""
    body, bad = definition.body, NotUnderstood(f"{definition.token.where()}: {definition.name} is not a plain recursion")
    if body.kind != "if" or body.parts[0].kind != "compare" or body.parts[0].names != ["<="]:
        raise bad
    counter, end = body.parts[0].parts
    names = [n for n, _, _ in definition.parameters]
    if counter.kind != "name" or end.kind != "number" or counter.name() not in names:
        raise bad
    place = names.index(counter.name())
    calls = [node for node in walk(body) if node.kind == "call" and node.name() == definition.name]
    if any(node in calls for node in walk(body.parts[1])):
        raise bad
    if not all(is_less(call.parts[place], counter.name()) for call in calls):
        raise bad
    return counter.name(), end.name(), body.parts[1], body.parts[2]


def is_less(tree: Tree, name: str) -> bool:
    """name - 1"""
    if tree.kind != "-":
        return False
    left, one = tree.parts
    return left.kind == "name" and left.name() == name and one.kind == "number" and one.name() == "1"


def number_text(definition: Definition) -> str:
    """{ FumataBlank \\with .mantissa = (uint32_t)mantissa, .exponent = (int64_t)exponent }"""
    update = definition.body
    casts = update.parts[1:]
    names = [n for n, _, _ in definition.parameters]
    if update.kind != "update" or update.names != names or any(c.kind != "cast" for c in casts) or \
            [c.parts[0].names for c in casts] != [[n] for n in names] or any(c.parts[0].kind != "name" for c in casts):
        raise NotUnderstood(f"{definition.token.where()}: {NUMBER} is made in another way")
    return f"(* {NUMBER} makes the record; the casts change nothing in what the core computes. *)\n"
