"""The mutants: those made by rule, those written by hand, and the list of those that change nothing."""
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from complaints import read_list
from mutation.edits import Body, Edit, blank, functions
from mutation.tree import changed
from project import DRIVERS, files, read

EQUIVALENT = "proofs/mutants/equivalent"
CODE_ALIKE = "proofs/mutants/code-alike"


@dataclass
class Mutant:
    """A text of `source` that the proof has to reject."""
    source: str
    function: str
    text: str
    line: int
    name: str
    clause: str | None = None  # the one that has to reject it; None: any
    coq: str | None = None  # the Coq file that has to reject it
    patch: str | None = None  # what makes it, when more than `source` is edited


def shown(text: str, edit: Edit) -> str:
    """An edit with three words on either side."""
    end = edit.at + len(edit.old)
    first, last = text.rfind("\n", 0, edit.at) + 1, text.find("\n", end)
    return " ".join(text[first:edit.at].split()[-3:] + [f"[{' '.join(edit.old.split())} -> {edit.new}]"] +
                    text[end:last].split()[:3])


def of_function(path: str, text: str, function: str, body: Body) -> Iterator[Mutant]:
    seen = set()
    for edit in body.edits():
        mutant = text[:edit.at] + edit.new + text[edit.at + len(edit.old):]
        if mutant not in seen:
            seen.add(mutant)
            line = text.count("\n", 0, edit.at) + 1
            yield Mutant(path, function, mutant, line, f"{function}: {edit.kind}: {shown(text, edit)}")


def generated(chosen: list[str]) -> Iterator[Mutant]:
    for path in files("core/*.c"):
        text = read(path)
        code = blank(text)
        for function, start, end in functions(code):
            if not chosen or function in chosen:
                yield from of_function(path, text, function, Body(code, start, end))


def field(head: str, pattern: str, patch: str) -> str:
    found = re.search(pattern, head, re.M)
    if not found:
        raise SystemExit(f"mutate: {os.path.basename(patch)} has no line {pattern}")
    return found.group(1)


def hand_written() -> Iterator[Mutant]:
    for patch in files("proofs/mutants/*.patch"):
        head = read(patch)
        source = field(head, r"^\+\+\+ b/(\S+)", patch)
        name = "by hand: " + os.path.basename(patch)[:-len(".patch")]
        if re.search(r"^Coq: ", head, re.M):
            yield Mutant(source, "", "", 0, name, coq=field(head, r"^Coq: (\S+)", patch), patch=patch)
        elif re.search(r"^Driver: ", head, re.M):
            driver = field(head, r"^Driver: (\S+)", patch)
            yield Mutant(f"{DRIVERS}/{driver}.c", field(head, r"^Function: (\S+)", patch), "", 0, name,
                         field(head, r"^Clause: (\S+)", patch), patch=patch)
        else:
            yield Mutant(source, field(head, r"^Function: (\S+)", patch), changed(source, patch), 0, name,
                         field(head, r"^Clause: (\S+)", patch))


def reasons(path: str) -> dict[str, str]:
    """What a list names, with the reason of each line."""
    known = {}
    for line in read_list(path):
        name, _, reason = line.rpartition(" || ")  # an edit can show a || of its own; no reason does
        if not name:
            raise SystemExit(f"mutate: no reason given in {path}: {line.strip()}")
        known[name] = reason
    return known


def equivalents() -> dict[str, str]:
    """Name of each mutant that is known to change nothing, with its reason."""
    return reasons(EQUIVALENT)


def code_alike() -> dict[str, str]:
    """The definitions, or single edits, that Coq lets pass, with the reason why no theorem minds when the code is edited alike."""
    return reasons(CODE_ALIKE)
