"""Mutants of what is said, not of what is done: one edit in a definition of specs/*.acsl or of proofs/coq/Statement.v."""
import re
from collections.abc import Iterator

from complaints import read_list
from coq_files.coq_gates import UNUSED
from coq_files.coq_text import without_comments
from mutation.edits import Body, Edit
from mutation.mutants import Mutant, shown
from project import files, read

DEFINED = re.compile(r"(?:predicate|logic \w+) (Fumata\w+)(?:\{\w+\})?\([^()]*\)\s*=(.*?);[ \t]*"
                     r"(?=\n\s*\n|\n\s*(?:logic|predicate|//)|\n\*/)", re.S)
STATED = re.compile(r"^(?:Definition|(?:Co)?Fixpoint) (\w+)(.*?)\.[ \t]*$", re.S | re.M)
STATEMENT = "proofs/coq/Statement.v"
COQ_SWAPS = {"<=?": "<?", "<?": "<=?", "=?": "<=?", "<=": "<", "<": "<=", "+": "-", "-": "+", "*": "+", "/": "*",
             "||": "&&", "&&": "||", "min": "max", "max": "min", "negb": "", "true": "false", "false": "true",
             "Silent": "Lost", "S": ""}
COQ_TOKEN = re.compile(r"<=\?|<\?|=\?|:=|=>|->|<->|<=|<>|\|\||&&|/\\|\\/|%\w+|[A-Za-z_][\w']*|\d+|\S")


def blanked(text: str) -> str:
    """Comments of ACSL as spaces, positions kept."""
    return re.sub(r"//[^\n]*|/\*(?!@).*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)


def made(path: str, name: str, text: str, edits: Iterator[Edit]) -> Iterator[Mutant]:
    seen = set()
    for edit in edits:
        mutant = text[:edit.at] + edit.new + text[edit.at + len(edit.old):]
        if mutant not in seen:
            seen.add(mutant)
            line = text.count("\n", 0, edit.at) + 1
            yield Mutant(path, name, mutant, line, f"{name}: {edit.kind}: {shown(text, edit)}")


def of_acsl(chosen: list[str]) -> Iterator[Mutant]:
    """What no theorem uses is WP's to reject, with the contracts."""
    unused = {line.partition(" || ")[0] for line in read_list(UNUSED)}
    for path in files("specs/*.acsl"):
        text = read(path)
        code = blanked(text)
        for match in DEFINED.finditer(code):
            if match.group(1) not in unused and (not chosen or match.group(1) in chosen):
                edits = (e for e in Body(code, match.start(2), match.end(2)).edits() if e.kind in ("operator", "constant"))
                yield from made(path, match.group(1), text, edits)


def coq_edits(code: str, start: int, end: int) -> Iterator[Edit]:
    for match in COQ_TOKEN.finditer(code, start, end):
        word, at = match.group(0), match.start()
        if word in COQ_SWAPS:
            yield Edit(at, word, COQ_SWAPS[word], "operator")
        elif word.isdigit():
            yield Edit(at, word, str(int(word) + 1), "constant")


def of_statement(chosen: list[str]) -> Iterator[Mutant]:
    """The definitions that the theorems are stated with."""
    for path in files(STATEMENT):
        text = read(path)
        code = without_comments_in_place(text)
        for match in STATED.finditer(code):
            if not chosen or match.group(1) in chosen:
                body = code.find(":=", match.start(2), match.end(2))
                yield from made(path, match.group(1), text, coq_edits(code, max(body, match.start(2)), match.end(2)))


def without_comments_in_place(text: str) -> str:
    """Comments of Coq as spaces, positions kept."""
    blank = re.sub(r"\(\*(?:(?!\*\)).)*\*\)", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)
    assert without_comments(blank) == blank
    return blank
