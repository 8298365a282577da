"""The rows of specs/TRACE.md, and what each of them points at."""
import fnmatch
import glob
import os
import re
from collections.abc import Iterator

from project import files, read

TRACE = "specs/TRACE.md"
Dead = list[tuple[str, str]]  # where, why


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def rows_of(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 5 and cells[0] not in ("claim", "") and not set(cells[0]) <= set("-: "):
            yield number, cells


class Rows:
    """All rows, with the goals, tests and Coq files that they may name."""

    def __init__(self) -> None:
        self.goals = {l.strip() for p in files("proofs/expected/*") for l in read(p).splitlines() if l.strip()}
        suites = glob.glob("tests/**/*.c", recursive=True)
        self.tests = {t for p in suites for t in re.findall(r"START_TEST\((\w+)\)", read(p))}
        self.coq = read("proofs/coq/_CoqProject").split()
        self.rows = list(rows_of(read(TRACE)))
        self.claims = {cells[0] for _, cells in self.rows}

    def dead(self) -> Dead:
        found = [(f"{TRACE}:{number}", cause) for number, cells in self.rows for cause in self.causes(cells)]
        text = " ".join(read(p) for p in files("core/*.h", "specs/*.md", "README.md"))
        orphans = sorted(set(re.findall(r"\bT-[A-Z]+-\d+\b", text)) - self.claims)
        return found + [(f"{TRACE}:0", f"claim {claim} is named somewhere but has no row") for claim in orphans]

    def causes(self, cells: list[str]) -> Iterator[str]:
        _, word, clause, goal, test = cells
        if word not in ("PROVED", "ARGUED", "TESTED", "ASSUMED"):
            yield f"'{word}' is not one of the four words"
        for where in quoted(clause):
            yield from self.clause(where)
        for pattern in quoted(goal):
            yield from self.goal(pattern)
        if word == "PROVED" and not quoted(goal):
            yield "PROVED without a goal"
        for name in quoted(test):
            if name not in self.tests and not os.path.exists(name):
                yield f"no test {name}"

    @staticmethod
    def clause(where: str) -> Iterator[str]:
        path, _, name = where.partition(":")
        if not os.path.exists(path):
            yield f"no file {path}"
        elif name and not re.search(rf"\b{re.escape(name)}\b", read(path)):
            yield f"no {name} in {path}"

    def goal(self, pattern: str) -> Iterator[str]:
        if pattern.endswith(".v"):
            if os.path.basename(pattern) not in self.coq:
                yield f"{pattern} is not built"
        elif not fnmatch.filter(self.goals, pattern):
            yield f"no expected goal {pattern}"
