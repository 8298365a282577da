"""Terms and formulas of ACSL in Coq. Every term has a type: Z, a struct, or a table ('list uint64_t')."""
from typing import NamedTuple, Self

from acsl2coq.acsl_file import Definition
from acsl2coq.acsl_terms import INTEGERS, Tree
from acsl2coq.acsl_tokens import NotUnderstood
from acsl2coq.c_types import Headers

SIGNS = {"<": "<", "<=": "<=", ">": "<", ">=": "<=", "==": "="}


class NoBoolean(Exception):
    """A formula that no boolean is made for."""


class Term(NamedTuple):
    """A Coq term and its type."""
    text: str
    kind: str


def type_of(kind: str, pointer: bool) -> str:
    if kind in INTEGERS:
        return f"list {kind}" if pointer else "Z"
    return kind


def coq_type(kind: str) -> str:
    return "list Z" if kind.startswith("list ") else kind


def fail(tree: Tree, message: str) -> NotUnderstood:
    return NotUnderstood(f"{tree.token.where()}: {message}")


class Library:
    """What terms may mention: the headers, and the definitions so far."""

    def __init__(self, headers: Headers) -> None:
        self.headers = headers
        self.definitions: dict[str, Definition] = {}
        self.booleans: set[str] = set()  # predicates with a boolean twin


class Writer:
    """Writes terms (number), formulas (formula) and, where there is one, the boolean of a formula (boolean)."""

    def __init__(self, library: Library, scope: dict[str, Term]) -> None:
        self.library, self.scope = library, scope
        # What calls of a function become inside its own recursion, and the places of arguments that are left out.
        self.renamed: dict[str, tuple[str, list[int]]] = {}

    def formula(self, tree: Tree) -> str:
        """See Formulas."""
        raise fail(tree, "a formula")

    def boolean(self, tree: Tree) -> str:
        """What decides a formula; see Formulas."""
        raise NoBoolean(tree.kind)

    def inside(self, names: dict[str, Term]) -> Self:
        other = type(self)(self.library, {**self.scope, **names})
        other.renamed = self.renamed
        return other

    # Terms.

    def term(self, tree: Tree) -> Term:
        write = getattr(self, "term_" + ("sum" if tree.kind in "+-*/%" else tree.kind), None)
        if not write:
            raise fail(tree, f"{tree.kind} where a number was expected")
        return write(tree)

    def number(self, tree: Tree) -> str:
        text, kind = self.term(tree)
        if kind != "Z":
            raise fail(tree, f"a {kind} where a number was expected")
        return text

    def term_number(self, tree: Tree) -> Term:
        return Term(tree.name(), "Z")

    def term_name(self, tree: Tree) -> Term:
        name = tree.name()
        if name in self.scope:
            return self.scope[name]
        if name in self.library.headers.constants:
            return Term(name, "Z")
        raise fail(tree, f"{name} is not known")

    def term_minus(self, tree: Tree) -> Term:
        return Term(f"(- {self.number(tree.parts[0])})", "Z")

    def term_sum(self, tree: Tree) -> Term:
        """ACSL divides toward zero, as C does and as Z.quot and Z.rem do; Coq's / and mod, toward minus infinity, are others."""
        left, right = map(self.number, tree.parts)
        divided = {"/": "Z.quot", "%": "Z.rem"}.get(tree.kind)
        return Term(f"({divided} {left} {right})" if divided else f"({left} {tree.kind} {right})", "Z")

    def term_at(self, tree: Tree) -> Term:
        table, kind = self.term(tree.parts[0])
        if not kind.startswith("list "):
            raise fail(tree, f"an entry of a {kind}")
        return Term(f"{table}.[{self.number(tree.parts[1])}]", "Z")

    def term_arrow(self, tree: Tree) -> Term:
        value, kind = self.term(tree.parts[0])
        struct = self.library.headers.structs.get(kind)
        found = struct.field(tree.name()) if struct else None
        if not struct or not found:
            raise fail(tree, f"no field {tree.name()} in a {kind}")
        is_struct = found.kind in self.library.headers.structs
        return Term(f"({struct.coq(found.name)} {value})",
                    f"list {found.kind}" if found.pointer else found.kind if is_struct else "Z")

    term_field = term_arrow

    def term_address(self, tree: Tree) -> Term:
        """A pointer to a struct is the struct."""
        found = self.term(tree.parts[0])
        if found.kind not in self.library.headers.structs:
            raise fail(tree, f"the address of a {found.kind}")
        return found

    term_content = term_address

    def term_if(self, tree: Tree) -> Term:
        condition = self.needed_boolean(tree.parts[0])
        one, two = self.term(tree.parts[1]), self.term(tree.parts[2])
        if one.kind != two.kind:
            raise fail(tree, f"a {one.kind} or a {two.kind}")
        return Term(f"(if {condition} then {one.text} else {two.text})", one.kind)

    def needed_boolean(self, tree: Tree) -> str:
        try:
            return self.boolean(tree)
        except NoBoolean as error:
            raise fail(tree, f"a condition without a boolean: {error}") from error

    def term_let(self, tree: Tree) -> Term:
        value, kind = self.term(tree.parts[0])
        body = self.inside({tree.name(): Term(tree.name(), kind)}).term(tree.parts[1])
        return Term(f"(let {tree.name()} := {value} in\n  {body.text})", body.kind)

    def arguments(self, tree: Tree, definition: Definition) -> str:
        wanted = [type_of(kind, pointer) for _, kind, pointer in definition.parameters]
        found = [self.term(part) for part in tree.parts]
        if [kind for _, kind in found] != wanted:
            raise fail(tree, f"{tree.name()} of {[kind for _, kind in found]} instead of {wanted}")
        left_out = self.renamed.get(tree.name(), ("", []))[1]
        return " ".join(text for place, (text, _) in enumerate(found) if place not in left_out)

    def callee(self, tree: Tree) -> Definition:
        if tree.name() not in self.library.definitions:
            raise fail(tree, f"{tree.name()} is not defined before")
        return self.library.definitions[tree.name()]

    def term_call(self, tree: Tree) -> Term:
        definition = self.callee(tree)
        if definition.kind == "predicate":
            raise fail(tree, f"the predicate {tree.name()} where a number was expected")
        name, _ = self.renamed.get(tree.name(), (tree.name(), []))
        return Term(f"({name} {self.arguments(tree, definition)})", type_of(definition.kind, False))
