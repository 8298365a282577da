"""A file of definitions, specs/*.acsl: predicates and logic functions, each with its parameters and its body."""
import re
from dataclasses import dataclass

from acsl2coq.acsl_terms import INTEGERS, Terms, Tree, walk
from acsl2coq.acsl_tokens import NotUnderstood, Token, tokens
from project import read

BLANK = "FumataBlank"


@dataclass
class Definition:
    """`kind` is 'predicate' or the type of a logic function; parameters are (name, type, is a pointer); `label` names the
    state of the memory, if it has one."""
    name: str
    kind: str
    parameters: list[tuple[str, str, bool]]
    body: Tree
    token: Token
    label: str = ""

    def calls(self) -> set[str]:
        return {node.name() for node in walk(self.body) if node.kind == "call"}


class File(Terms):
    """The definitions of one file."""

    def definitions(self) -> list[Definition]:
        found = []
        while self.peek():
            if self.is_next("axiomatic"):
                self.blank()
            else:
                found.append(self.definition())
        return found

    def blank(self) -> None:
        """The struct of which nothing is known, which ACSL needs to build another."""
        for word in f"axiomatic {BLANK} {{ logic fumata_number {BLANK} ; }}".split():
            self.take(word)

    def definition(self) -> Definition:
        token = self.token()
        kind = self.take("predicate", "logic")
        if kind == "logic":
            kind = self.name()
            if kind != "integer" and not kind.startswith("fumata_"):
                raise NotUnderstood(f"{token.where()}: a logic function of type {kind}")
        name = self.name()
        label = self.label()
        parameters = self.parameters()
        self.take("=")
        body = self.formula()
        self.take(";")
        return Definition(name, kind, parameters, body, token, label)

    def label(self) -> str:
        """{L}: one state of the memory. Two are not understood."""
        if not self.is_next("{"):
            return ""
        self.take()
        name = self.name()
        self.take("}")
        return name

    def parameters(self) -> list[tuple[str, str, bool]]:
        found = []
        self.take("(")
        while True:
            kind = self.name()
            if kind not in INTEGERS and not kind.startswith("fumata_"):
                self.at -= 1
                raise self.fail(f"a parameter of type {kind}")
            pointer = self.is_next("*")
            if pointer:
                self.take()
            found.append((self.name(), kind, pointer))
            if self.take(",", ")") == ")":
                return found


def definitions(path: str, text: str | None = None) -> list[Definition]:
    """One annotation between an include guard, and nothing else; of this text in the file's place, when there is one."""
    text = read(path) if text is None else text
    whole = re.fullmatch(r"(/\*(?!@).*?\*/\s*#ifndef (\w+)\s*#define (\w+)\s*/\*@)(.*)\*/\s*#endif\s*", text, re.S)
    if not whole or whole.group(2) != whole.group(3) or "*/" in whole.group(4):
        raise NotUnderstood(f"{path}:1: not a comment, a guard and one annotation")
    return File(tokens(whole.group(4), path, 1 + whole.group(1).count("\n"))).definitions()
