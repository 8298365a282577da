"""Formulas of ACSL in Coq, as propositions and as booleans that decide them. What is only about memory is True."""
from typing import Self

from acsl2coq.acsl_terms import Tree
from acsl2coq.coq_base import table_reads
from acsl2coq.coq_terms import SIGNS, NoBoolean, Term, Writer, fail

TRUE = "True"


class Formulas(Writer):  # pylint: disable=too-many-public-methods # one for each kind of node
    """Propositions: formula(); booleans: boolean(). Both keep the shape of the text."""

    def formula(self, tree: Tree) -> str:
        write = getattr(self, "formula_" + tree.kind, None)
        if not write:
            raise fail(tree, f"{tree.kind} where a formula was expected")
        return write(tree)

    def boolean(self, tree: Tree) -> str:
        write = getattr(self, "boolean_" + tree.kind, None)
        if not write:
            raise NoBoolean(tree.kind)
        return write(tree)

    def is_memory(self, tree: Tree) -> bool:
        """\\valid_read of a table says something of its entries; all else about memory says nothing here."""
        if tree.kind in ("valid", "separated", "true"):
            return True
        if tree.kind in ("and", "implies"):
            return all(self.is_memory(part) for part in (tree.parts if tree.kind == "and" else tree.parts[1:]))
        return tree.kind == "valid_read" and tree.parts[0].kind != "+"

    # Formulas of formulas.

    def formula_true(self, _: Tree) -> str:
        return TRUE

    formula_valid = formula_separated = formula_true

    def formula_and(self, tree: Tree) -> str:
        parts = [text for text in map(self.formula, tree.parts) if text != TRUE]
        return "(" + " /\\ ".join(parts) + ")" if parts else TRUE

    def boolean_and(self, tree: Tree) -> str:
        parts = [self.boolean(part) for part in tree.parts if not self.is_memory(part)]
        return right(" && ", parts) if parts else "true"

    def formula_or(self, tree: Tree) -> str:
        return "(" + " \\/ ".join(map(self.formula, tree.parts)) + ")"

    def boolean_or(self, tree: Tree) -> str:
        return right(" || ", [self.boolean(part) for part in tree.parts])

    def formula_not(self, tree: Tree) -> str:
        return f"(~ {self.formula(tree.parts[0])})"

    def boolean_not(self, tree: Tree) -> str:
        return f"(negb {self.boolean(tree.parts[0])})"

    def formula_implies(self, tree: Tree) -> str:
        premise, conclusion = map(self.formula, tree.parts)
        return TRUE if conclusion == TRUE else f"({premise} -> {conclusion})"

    def boolean_implies(self, tree: Tree) -> str:
        return f"(implb {self.boolean(tree.parts[0])} {self.boolean(tree.parts[1])})"

    def formula_iff(self, tree: Tree) -> str:
        left_side, right_side = map(self.formula, tree.parts)
        return f"({left_side} <-> {right_side})"

    def formula_if(self, tree: Tree) -> str:
        """With a boolean condition where there is one."""
        then, other = self.formula(tree.parts[1]), self.formula(tree.parts[2])
        try:
            return f"(if {self.boolean(tree.parts[0])} then {then} else {other})"
        except NoBoolean:
            condition = self.formula(tree.parts[0])
            return f"(({condition} -> {then}) /\\ (~ {condition} -> {other}))"

    def boolean_if(self, tree: Tree) -> str:
        condition, then, other = map(self.boolean, tree.parts)
        return f"(if {condition} then {then} else {other})"

    # Binders.

    def formula_let(self, tree: Tree) -> str:
        value, kind = self.term(tree.parts[0])
        body = self.inside({tree.name(): Term(tree.name(), kind)})
        return f"(let {tree.name()} := {value} in {body.formula(tree.parts[1])})"

    def boolean_let(self, tree: Tree) -> str:
        value, kind = self.term(tree.parts[0])
        body = self.inside({tree.name(): Term(tree.name(), kind)})
        return f"(let {tree.name()} := {value} in {body.boolean(tree.parts[1])})"

    def bound(self, tree: Tree) -> Self:
        return self.inside({name: Term(name, "Z") for name in tree.names})

    def formula_forall(self, tree: Tree) -> str:
        return f"(forall {' '.join(tree.names)} : Z, {self.bound(tree).formula(tree.parts[0])})"

    def formula_exists(self, tree: Tree) -> str:
        return f"(exists {' '.join(tree.names)} : Z, {self.bound(tree).formula(tree.parts[0])})"

    def boolean_forall(self, tree: Tree) -> str:
        """\\forall integer i; lo <= i < hi ==> ...; other quantifiers have no boolean."""
        body = tree.parts[0]
        chain = body.parts[0] if body.kind == "implies" else body
        if len(tree.names) != 1 or chain.kind != "compare" or len(chain.parts) != 3 or chain.names[1] != "<" or \
                (chain.parts[1].kind, chain.parts[1].names) != ("name", tree.names):
            raise NoBoolean("a quantifier")
        low, high = self.number(chain.parts[0]), self.number(chain.parts[2])
        low = f"({low} + 1)" if chain.names[0] == "<" else low
        return f"(all_between {low} {high} (fun {tree.name()} : Z => {self.bound(tree).boolean(body.parts[1])}))"

    # Formulas of terms.

    def formula_compare(self, tree: Tree) -> str:
        return left(" /\\ ", [self.compared(*pair) for pair in pairs(tree)])

    def boolean_compare(self, tree: Tree) -> str:
        return left(" && ", [self.decided(*pair) for pair in pairs(tree)])

    def compared(self, sign: str, tree: Tree, other: Tree) -> str:
        one, two = self.term(tree), self.term(other)
        if one.kind != two.kind or (one.kind != "Z" and sign not in ("==", "!=")):
            raise fail(tree, f"a {one.kind} {sign} a {two.kind}")
        if sign == "!=":
            return f"(~ ({one.text} = {two.text}))"
        if sign in (">", ">="):
            one, two = two, one
        return f"({one.text} {SIGNS[sign]} {two.text})"

    def decided(self, sign: str, tree: Tree, other: Tree) -> str:
        if sign == "!=":
            return f"(negb {self.decided('==', tree, other)})"
        if self.term(tree).kind != "Z":
            raise NoBoolean("a comparison of structs or tables")
        one, two = self.number(tree), self.number(other)
        if sign in (">", ">="):
            one, two = two, one
        return f"({one} {SIGNS[sign]}? {two})"

    def formula_call(self, tree: Tree) -> str:
        definition = self.callee(tree)
        if definition.kind != "predicate":
            raise fail(tree, f"{tree.name()} is not a predicate")
        return f"({tree.name()} {self.arguments(tree, definition)})"

    def boolean_call(self, tree: Tree) -> str:
        self.formula_call(tree)
        if tree.name() not in self.library.booleans:
            raise NoBoolean(tree.name())
        return f"({tree.name()}_b {self.arguments(tree, self.callee(tree))})"

    def formula_valid_read(self, tree: Tree) -> str:
        found = self.table_read(tree)
        return f"({found[0][0]} {found[1]})" if found else TRUE

    def boolean_valid_read(self, tree: Tree) -> str:
        found = self.table_read(tree)
        if not found:
            raise NoBoolean("\\valid_read of a struct")
        return f"({found[0][1]} {found[1]})"

    def table_read(self, tree: Tree) -> tuple[tuple[str, str], str] | None:
        """What is said, and `table size`, of \\valid_read(table + (0 .. size - 1)); nothing for one of a struct."""
        where = tree.parts[0]
        if where.kind != "+":
            return None
        (table, kind), places = self.term(where.parts[0]), where.parts[1]
        ends = places.parts if places.kind == "range" else []
        if not kind.startswith("list ") or not ends or self.number(ends[0]) != "0" or ends[1].kind != "-" or \
                self.number(ends[1].parts[1]) != "1":
            raise fail(tree, "\\valid_read of something else than entries 0 .. n - 1")
        return table_reads(kind.removeprefix("list ")), f"{table} {self.number(ends[1].parts[0])}"


def pairs(tree: Tree) -> list[tuple[str, Tree, Tree]]:
    return list(zip(tree.names, tree.parts, tree.parts[1:]))


def left(sign: str, parts: list[str]) -> str:
    """Grouped as a chain of comparisons is in Coq."""
    return parts[0] if len(parts) == 1 else f"({left(sign, parts[:-1])}{sign}{parts[-1]})"


def right(sign: str, parts: list[str]) -> str:
    """Grouped as /\\ groups."""
    return parts[0] if len(parts) == 1 else f"({parts[0]}{sign}{right(sign, parts[1:])})"
