"""Terms and formulas of ACSL as trees. The grammar is the part that specs/*.acsl and the machines' contracts use."""
import re
from dataclasses import dataclass, field

from acsl2coq.acsl_tokens import Reader, Token

COMPARES = ("<", "<=", ">", ">=", "==", "!=")
INTEGERS = ("integer", "char", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int16_t", "int32_t", "int64_t",
            "int")


@dataclass
class Tree:
    """A node: what it is, its parts, the names it binds or mentions, and where it stands."""
    kind: str
    parts: list["Tree"]
    token: Token
    names: list[str] = field(default_factory=list)

    def name(self) -> str:
        return self.names[0]


class Terms(Reader):
    """The grammar, from what binds least to what binds most."""

    def node(self, kind: str, parts: list[Tree], *names: str, token: Token | None = None) -> Tree:
        return Tree(kind, parts, token or self.token(), list(names))

    def formula(self) -> Tree:
        if self.is_next("\\forall", "\\exists"):
            return self.quantifier()
        if self.is_next("\\let"):
            return self.let()
        condition = self.implication()
        if not self.is_next("?"):
            return condition
        token = self.token()
        self.take("?")
        yes = self.formula()
        self.take(":")
        return self.node("if", [condition, yes, self.formula()], token=token)

    def quantifier(self) -> Tree:
        token, kind = self.token(), self.take()[1:]
        self.take("integer")
        names = [self.name()]
        while self.is_next(","):
            self.take()
            names.append(self.name())
        self.take(";")
        return self.node(kind, [self.formula()], *names, token=token)

    def let(self) -> Tree:
        token = self.token()
        self.take("\\let")
        name = self.name()
        self.take("=")
        value = self.formula()
        self.take(";")
        return self.node("let", [value, self.formula()], name, token=token)

    def implication(self) -> Tree:
        left = self.many("||", "or")
        if not self.is_next("==>", "<==>"):
            return left
        kind = {"==>": "implies", "<==>": "iff"}[self.take()]
        right = self.formula() if self.is_next("\\forall", "\\exists", "\\let") else self.implication()
        if kind == "iff" and right.kind == "implies":
            raise self.fail("<==> beside ==> without parentheses")
        return self.node(kind, [left, right], token=left.token)

    def many(self, word: str, kind: str) -> Tree:
        def one() -> Tree:
            return self.comparison() if kind == "and" else self.many("&&", "and")
        parts = [one()]
        while self.is_next(word):
            self.take()
            parts.append(self.formula() if self.is_next("\\forall", "\\exists", "\\let") else one())
        return parts[0] if len(parts) == 1 else self.node(kind, parts, token=parts[0].token)

    def comparison(self) -> Tree:
        """A chain a <= b < c is one node; its signs are its names."""
        parts, signs = [self.sum()], []
        while self.is_next(*COMPARES):
            signs.append(self.take())
            parts.append(self.sum())
        if len(signs) > 1 and not set(signs) <= {"<", "<="}:
            raise self.fail("a chain of comparisons that do not all point the same way")
        return self.node("compare", parts, *signs, token=parts[0].token) if signs else parts[0]

    def sum(self) -> Tree:
        left = self.product()
        while self.is_next("+", "-"):
            sign = self.take()
            left = self.node(sign, [left, self.product()], token=left.token)
        return left

    def product(self) -> Tree:
        left = self.prefixed()
        while self.is_next("*", "/", "%"):
            sign = self.take()
            left = self.node(sign, [left, self.prefixed()], token=left.token)
        return left

    def prefixed(self) -> Tree:
        kinds = {"-": "minus", "!": "not", "*": "content", "&": "address"}
        if not self.is_next(*kinds):
            return self.suffixed()
        token = self.token()
        return self.node(kinds[self.take()], [self.prefixed()], token=token)

    def suffixed(self) -> Tree:
        tree = self.atom()
        while self.is_next("->", ".", "["):
            token = self.token()
            sign = self.take()
            if sign == "[":
                tree = self.node("at", [tree, self.places()], token=token)
                self.take("]")
            else:
                tree = self.node("field" if sign == "." else "arrow", [tree], self.name(), token=token)
        return tree

    def places(self) -> Tree:
        """One place of a table, or first .. last."""
        first = self.formula()
        if not self.is_next(".."):
            return first
        self.take()
        return self.node("range", [first, self.formula()], token=first.token)

    def atom(self) -> Tree:
        token = self.token()
        if self.is_next("("):
            return self.parenthesis()
        if self.is_next("{"):
            return self.update()
        if re.match(r"\d", self.peek()):
            return self.node("number", [], str(int(self.take().rstrip("uUlL"), 0)), token=token)
        if self.peek().startswith("\\"):
            return self.builtin()
        name, before = self.name(), self.state_before()
        if not self.is_next("("):
            return self.node("name", [], name, token=token)
        call = self.node("call", self.arguments(), name, token=token)
        if before and any(node.kind in ("content", "arrow", "at", "old") for part in call.parts for node in walk(part)):
            raise self.fail(f"{name}{{Pre}} of what may have another value before")
        return self.node("old", [call], "Pre", token=token) if before else call

    def state_before(self) -> bool:
        """{Pre}: the predicate speaks of the state before, of values that are the same before and after."""
        if (self.peek(), self.peek(1), self.peek(2)) != ("{", "Pre", "}"):
            return False
        self.at += 3
        return True

    def parenthesis(self) -> Tree:
        """A formula, a range or a conversion."""
        token = self.token()
        self.take("(")
        if self.peek(1) == ")" and (self.peek() in INTEGERS or self.peek().startswith("fumata_")):
            kind = self.take()
            self.take(")")
            return self.node("cast", [self.prefixed()], kind, token=token)
        tree = self.places()
        self.take(")")
        return tree

    def update(self) -> Tree:
        """{ x \\with .a = s, .b = t }"""
        token, parts, names = self.token(), [], []
        self.take("{")
        parts.append(self.formula())
        self.take("\\with")
        while True:
            self.take(".")
            names.append(self.name())
            self.take("=")
            parts.append(self.formula())
            if self.take(",", "}") == "}":
                return self.node("update", parts, *names, token=token)

    def arguments(self) -> list[Tree]:
        self.take("(")
        found = [self.formula()]
        while self.is_next(","):
            self.take()
            found.append(self.formula())
        self.take(")")
        return found

    def builtin(self) -> Tree:
        token, word = self.token(), self.take()
        if word in ("\\true", "\\false", "\\result", "\\nothing"):
            return self.node(word[1:], [], token=token)
        if word in ("\\valid_read", "\\valid", "\\separated", "\\old"):
            return self.node(word[1:], self.arguments(), token=token)
        self.at -= 1
        raise self.fail(f"{word} is not understood")


def walk(tree: Tree) -> list[Tree]:
    """The node and all below it."""
    return [tree] + [node for part in tree.parts for node in walk(part)]
