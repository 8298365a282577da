"""The contracts of a header: for each function its parameters and the clauses of every behaviour."""
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from acsl2coq.acsl_terms import Terms, Tree
from acsl2coq.acsl_tokens import NotUnderstood, tokens
from project import read

DECLARED = re.compile(r"/\*@((?:(?!\*/).)*)\*/\s*^(\w[\w ]*?)[ \*](fumata_\w+)\(([^;{}()]*)\);", re.S | re.M)
KEPT = {"terminates": "true", "exits": "false"}  # what every contract says


@dataclass
class Parameter:
    """`changes`: a pointer through which the function may write."""
    name: str
    kind: str
    pointer: bool
    changes: bool


@dataclass
class Behaviour:
    """assigns is None when the clause is missing: then the contract's own holds."""
    name: str
    requires: list[Tree] = field(default_factory=list)
    assumes: list[Tree] = field(default_factory=list)
    ensures: list[Tree] = field(default_factory=list)
    assigns: list[Tree] | None = None


@dataclass
class Contract:
    """The first behaviour is the contract's own and has no name."""
    function: str
    returns: str
    parameters: list[Parameter]
    behaviours: list[Behaviour]


class Clauses(Terms):
    """Reads the clauses of one contract."""

    def behaviours(self) -> list[Behaviour]:
        found = [Behaviour("")]
        while self.peek():
            word = self.take()
            if word == "behavior":
                found.append(Behaviour(self.name()))
                self.take(":")
            elif word in ("complete", "disjoint"):
                self.take("behaviors")
                self.take(";")
            else:
                self.clause(word, found[-1])
        return found

    def clause(self, word: str, into: Behaviour) -> None:
        if word in KEPT:
            if self.take() != "\\" + KEPT[word]:
                raise self.fail(f"{word} something else than {KEPT[word]}")
        elif word == "assigns":
            into.assigns = (into.assigns or []) + self.several()
        elif word in ("requires", "assumes", "ensures"):
            if self.peek(1) == ":":
                self.name()
                self.take(":")
            getattr(into, word).append(self.formula())
        else:
            self.at -= 1
            raise self.fail(f"a clause {word}")
        self.take(";")

    def several(self) -> list[Tree]:
        found = [self.formula()]
        while self.is_next(","):
            self.take()
            found.append(self.formula())
        return found


def parameters(text: str, where: str) -> list[Parameter]:
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(const )?(\w+) (\*?)(\w+)\s*", part)
        if not match:
            raise NotUnderstood(f"{where}: parameter {part.strip()}")
        const, kind, star, name = match.groups()
        found.append(Parameter(name, kind, bool(star), bool(star) and not const))
    return found


def contracts(path: str) -> Iterator[Contract]:
    text = read(path)
    for match in DECLARED.finditer(text):
        body, returns, function, arguments = match.groups()
        line = text.count("\n", 0, match.start(1)) + 1
        yield Contract(function, returns, parameters(arguments, f"{path}:{line}"),
                       Clauses(tokens(body, path, line)).behaviours())
