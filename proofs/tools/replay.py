"""Which lemma fails first when a definition is edited, found without compiling the files again.

One coqtop has all compiled files loaded. For an edit it is told, file by file and in the order of a build, the definitions and
lemmas that mention what is edited, or mention what mentions it, each in its own module over the old names: nothing else
of a build can come out otherwise. What fails with the unedited definition told in the same way (`control`) does not count."""
import re
from typing import NamedTuple

from coq_gates import SOURCE
from coq_items import Item, title
from coq_library import Library
from coq_session import Gone, Session
from project import read
from witness import STATEMENT, Signatures

RESTART = 40  # edits; coqtop keeps what it has taken back
IMPORTS = ("From", "Require", "Import")


class Failure(NamedTuple):
    """Where: the file, the name, and the error."""
    stem: str
    name: str
    error: str

    def place(self) -> tuple[str, str]:
        return self.stem, self.name

    def text(self) -> str:
        return f"Coq {self.stem}.v, {self.name}: {self.error}"


class Outcome(NamedTuple):
    """What is edited, the first failure, and what the definition computes at the samples, None when it does not."""
    seeds: frozenset[str]
    failure: Failure | None
    values: str | None


class Replay:
    """One thread's."""

    def __init__(self, library: Library, probing: bool) -> None:
        self.library, self.session, self.used = library, Session(list(library.texts)), 0
        self.late: list[str] = []  # where the last run met the limit of time
        self.probing = probing  # asked for what the definition computes, too?
        self.signatures = Signatures(library.texts)
        self.law = read(f"{SOURCE}/expected_law.txt")

    def run(self, texts: dict[str, str], probe: str, seeds: frozenset[str], ignored: set[tuple[str, str]],
            last: tuple[str, str] | None = None) -> Outcome:
        """With these texts in the place of others; up to the item `last`."""
        edited = self.library.edited(texts)
        seeds = seeds or frozenset(self.library.seeds(edited))
        if not seeds:
            return Outcome(seeds, None, None)
        try:
            self.begin()
            return self.told(edited, probe, seeds, ignored, last)
        except Gone:
            self.used = RESTART
            return Outcome(seeds, None, None)

    def begin(self) -> None:
        self.used += 1
        self.late.clear()
        if self.used > RESTART:
            self.session.stop()
            self.session, self.used = Session(list(self.library.texts)), 1
        else:
            self.session.forget()

    def told(self, edited: dict[str, list[Item]], probe: str, seeds: frozenset[str], ignored: set[tuple[str, str]],
             last: tuple[str, str] | None) -> Outcome:
        again: list[str] = []
        values, probed = None, False
        for stem, items in self.library.steps(edited, set(seeds)):
            if not probed and not stem.startswith("Spec") and stem != "Statement":
                values, probed = self.values(probe, again), True
            failure = self.module(stem, items, again, ignored, last)
            if failure:
                return Outcome(seeds, failure if failure.error else None, values)
            again.append(stem)
        return Outcome(seeds, None, values if probed else self.values(probe, again))

    def module(self, stem: str, items: list[Item], again: list[str], ignored: set[tuple[str, str]],
               last: tuple[str, str] | None) -> Failure | None:
        """One file. A failure without an error says that `last` was reached."""
        self.session.said(f"Module Again_{stem}.")
        opened = False
        for item in items:
            if not opened and item.head not in IMPORTS:
                self.session.said(self.library.opening(stem, again))
                opened = True
            for part in item.parts:
                place = (stem, title(part))
                # An export would bring the old names back over the new.
                part = part.replace("Require Export", "Require Import") if item.head in IMPORTS else part
                error = self.session.error(part) if item.head != "Compute" else self.computed(part)
                if error and "Timeout" not in error and place not in ignored:
                    return Failure(*place, error)
                if error and "Timeout" in error:
                    self.late.append(f"{stem}.v, {place[1]}")
                if error:  # says nothing of the edit: the old lemma is taken for it
                    self.session.said("Abort All.")
                if place == last:
                    return Failure(*place, "")
        self.session.said(f"End Again_{stem}.")
        return None

    def computed(self, part: str) -> str | None:
        """The one thing that is computed and compared with a file."""
        return None if self.law.strip() in self.session.said(part) else "the computed laws are others"

    def values(self, name: str, again: list[str]) -> str | None:
        """What the definition computes at the samples; Statement.v's are asked together."""
        body = self.signatures.probe(name) or STATEMENT
        if not self.probing or body == STATEMENT and "Statement" not in again:
            return None
        seen = [s for s in self.library.texts if s.startswith("Spec") or s == "Statement" and body == STATEMENT]
        head = "From Coq Require Import List ZArith Bool. Import " + " ".join(seen) + ". " + \
            " ".join(f"Import Again_{s}." for s in seen if s in again) + " Import ListNotations. "
        scope = "nat_scope" if body == STATEMENT else "Z_scope"
        text = self.session.said(f"Module Probe. {head} Local Open Scope {scope}.\n{body}\nEnd Probe.")
        return None if re.search("^Error:", text, re.M) else re.sub(r"end_of_answer_\d+|Again_\w+\.", "", text)

