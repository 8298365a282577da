"""SpecMachine.v: what the contracts in core/ say of every call, as relations between the state before, the state after
(with a prime) and the result."""
from typing import Self

from acsl2coq.acsl_contract import Behaviour, Contract, Parameter
from acsl2coq.acsl_terms import INTEGERS, Tree
from acsl2coq.coq_formulas import TRUE, Formulas
from acsl2coq.coq_terms import Library, Term, coq_type, fail

CELL = "cell "  # a pointer to a number
TEXT = """Definition {name}_requires {before} : Prop :=
  {requires}.
Definition {name}_ensures {both} (result : Z) : Prop :=
  {ensures}.
"""


def kind_of(parameter: Parameter) -> str:
    if parameter.kind in INTEGERS:
        return CELL + parameter.kind if parameter.pointer else "Z"
    return parameter.kind


def conjunction(parts: list[str]) -> str:
    kept = [part for part in parts if part != TRUE]
    return " /\\\n  ".join(kept) if kept else TRUE


class Clause(Formulas):
    """A clause speaks of the state after a call (\\old: before); numbers behind pointers are written *p."""

    before: dict[str, Term]

    def inside(self, names: dict[str, Term]) -> Self:
        other = super().inside(names)
        other.before = {**self.before, **names}
        return other

    def then(self) -> Self:
        """The same, before the call."""
        other = type(self)(self.library, self.before)
        other.before = self.before
        return other

    def term_content(self, tree: Tree) -> Term:
        found = self.term(tree.parts[0])
        return Term(found.text, "Z") if found.kind.startswith(CELL) else super().term_address(tree)

    def term_old(self, tree: Tree) -> Term:
        return self.then().term(tree.parts[0])

    def formula_old(self, tree: Tree) -> str:
        return self.then().formula(tree.parts[0])

    def term_result(self, _: Tree) -> Term:
        return Term("result", "Z")


class Relation:
    """One contract."""

    def __init__(self, library: Library, contract: Contract) -> None:
        self.library, self.contract = library, contract
        self.changing = [p for p in contract.parameters if p.changes]
        self.before = {p.name: Term(p.name, kind_of(p)) for p in contract.parameters}
        self.after = {p.name: Term(p.name + "'" * p.changes, kind_of(p)) for p in contract.parameters}

    def clause(self, scope: dict[str, Term]) -> Clause:
        writer = Clause(self.library, scope)
        writer.before = self.before
        return writer

    def text(self) -> str:
        own, *others = self.contract.behaviours
        requires = [self.clause(self.before).formula(tree) for tree in own.requires]
        ensures = self.frame(own.assigns or []) + self.ensured(own)
        return TEXT.format(name=self.contract.function, before=self.typed(False), both=self.typed(True),
                           requires=conjunction(requires), ensures=conjunction(ensures + [self.case(b) for b in others]))

    def typed(self, after: bool) -> str:
        kinds = [(p, "Z" if kind_of(p).startswith(CELL) else coq_type(kind_of(p))) for p in self.contract.parameters]
        return " ".join(f"({p.name}{' ' + p.name + chr(39) if after and p.changes else ''} : {kind})" for p, kind in kinds)

    def ensured(self, behaviour: Behaviour) -> list[str]:
        return [self.clause(self.after).formula(tree) for tree in behaviour.ensures]

    def case(self, behaviour: Behaviour) -> str:
        assumes = " /\\ ".join(self.clause(self.before).formula(tree) for tree in behaviour.assumes)
        frame = self.frame(behaviour.assigns) if behaviour.assigns is not None else []
        said = conjunction(frame + self.ensured(behaviour))
        return TRUE if said == TRUE else f"({assumes} ->\n   {said})".replace("\n  ", "\n    ")

    def frame(self, assigns: list[Tree]) -> list[str]:
        """What is not assigned stays."""
        touched: dict[str, set[str]] = {p.name: set() for p in self.changing}
        for tree in assigns:
            if tree.kind != "nothing":
                name, part = self.place(tree)
                touched[name].add(part)
        return [line for p in self.changing for line in self.kept(p, touched[p.name])]

    def place(self, tree: Tree) -> tuple[str, str]:
        """*p, or p->field, of a parameter that may change. Who assigns a part of a field changes the field."""
        while tree.kind == "at" or tree.kind == "field":
            tree = tree.parts[0]
        name = tree.parts[0].name() if tree.kind in ("content", "arrow") and tree.parts[0].kind == "name" else ""
        if name not in [p.name for p in self.changing]:
            raise fail(tree, "assigns something else than *p or p->field")
        return name, "*" if tree.kind == "content" else tree.name()

    def kept(self, parameter: Parameter, touched: set[str]) -> list[str]:
        name = parameter.name
        if not touched:
            return [f"{name}' = {name}"]
        struct = self.library.headers.structs.get(parameter.kind)
        if "*" in touched or not struct:
            return []
        return [f"{struct.coq(f.name)} {name}' = {struct.coq(f.name)} {name}" for f in struct.fields
                if f.name not in touched and not f.derived]
