"""C as a row of pieces: comments, annotations, strings, preprocessor lines and words, each with its line. It is cut as a
compiler cuts it, which is so simple only because text_rules.py refuses trigraphs and lines that go on after a backslash."""
import re
from typing import NamedTuple

MARK = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
WORD = re.compile(r"/@|@/|\\?[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\S")


class Piece(NamedTuple):
    """A stretch of text, the line that it begins in, and where it begins."""
    text: str
    line: int
    at: int


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def spaces(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class Source:
    """One file. `code` is the text without comments, annotations and preprocessor lines, everything at its place."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        marks = [Piece(found.group(), line_of(text, found.start()), found.start()) for found in MARK.finditer(text)]
        self.comments = [mark for mark in marks if mark.text.startswith(("/*", "//"))]
        self.strings = [mark for mark in marks if mark.text.startswith(('"', "'"))]
        code = text
        for mark in self.comments:
            code = code[:mark.at] + spaces(mark.text) + code[mark.at + len(mark.text):]
        self.lines = [Piece(found.group().strip(), line_of(code, found.start()), found.start())
                      for found in re.finditer(r"^[ \t]*#[^\n]*", code, re.M)]
        self.code = re.sub(r"^[ \t]*#[^\n]*", lambda found: spaces(found.group()), code, flags=re.M)

    def annotations(self) -> list[Piece]:
        return [comment for comment in self.comments if comment.text[2:3] == "@"]

    def words(self) -> list[Piece]:
        """Of the code; a string is one."""
        return words(self.code, 1)

    def depth(self, at: int) -> int:
        """How many braces are open there."""
        before = re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", "", self.code[:at])
        return before.count("{") - before.count("}")


def words(text: str, line: int) -> list[Piece]:
    return [Piece(found.group(), line + text.count("\n", 0, found.start()), found.start()) for found in WORD.finditer(text)]
