"""The words of ACSL, each with the line it stands in; anything else is an error that names file and line."""
import re
from typing import NamedTuple

WORD = re.compile(r"\s+|//[^\n]*|(\\?[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|"
                  r"<==>|==>|<=|>=|==|!=|&&|\|\||->|\.\.|[-+*/%<>!?:;,.()\[\]{}&=])")


class NotUnderstood(Exception):
    """Something outside of the part of ACSL that is read here."""


class Token(NamedTuple):
    """A word and where it stands."""
    text: str
    path: str
    line: int

    def where(self) -> str:
        return f"{self.path}:{self.line}"


def tokens(text: str, path: str, line: int = 1) -> list[Token]:
    """All words of a text that begins in this line; the last one is empty."""
    found, at = [], 0
    while at < len(text):
        match = WORD.match(text, at)
        if not match:
            raise NotUnderstood(f"{path}:{line}: {text[at:at + 20]!r} is not a word of ACSL")
        if match.group(1):
            found.append(Token(match.group(1), path, line))
        line += match.group(0).count("\n")
        at = match.end()
    return found + [Token("", path, line)]


class Reader:
    """Takes one word after the other."""

    def __init__(self, words: list[Token]) -> None:
        self.words, self.at = words, 0

    def peek(self, ahead: int = 0) -> str:
        return self.words[min(self.at + ahead, len(self.words) - 1)].text

    def token(self) -> Token:
        return self.words[self.at]

    def is_next(self, *texts: str) -> bool:
        return self.peek() in texts

    def fail(self, message: str) -> NotUnderstood:
        return NotUnderstood(f"{self.token().where()}: {message}")

    def take(self, *wanted: str) -> str:
        text = self.peek()
        if not text or (wanted and text not in wanted):
            raise self.fail(f"{text or 'the end'!r} where {' or '.join(wanted) or 'more'} was expected")
        self.at += 1
        return text

    def name(self) -> str:
        if not re.fullmatch(r"[A-Za-z_]\w*", self.peek()):
            raise self.fail(f"{self.peek()!r} where a name was expected")
        return self.take()
