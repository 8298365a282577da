"""Which lemma fails first when a definition is edited, found without compiling the files again.

One coqtop has all compiled files loaded. For an edit it is told, file by file and in the order of a build, the definitions and
lemmas that mention what is edited, or mention what mentions it, each in its own module over the old names: nothing else
of a build can come out otherwise. What fails with the unedited definition told in the same way (`control`) does not count, nor
does what Coq cannot end in time: both are left out, with what mentions them."""
import re
from typing import NamedTuple

from coq_files.coq_gates import SOURCE
from mutation.coq_items import WORD, Item, title
from mutation.coq_library import Library
from mutation.coq_session import Gone, Session
from mutation.witness import STATEMENT, Signatures
from project import read

RESTART = 40  # edits; coqtop keeps what it has taken back
IMPORTS = ("From", "Require", "Import")
Place = tuple[str, str]  # the file and the name of an item


class Failure(NamedTuple):
    """Where: the file, the name, and the error."""
    stem: str
    name: str
    error: str

    def place(self) -> Place:
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
        self.skipped: dict[Place, str] = {}  # what ended coqtop at this edit, and what it ran out of
        self.place = ("", "")  # where it is
        self.absent: set[str] = set()  # the names of what this run has left out
        self.probing = probing  # asked for what the definition computes, too?
        self.signatures = Signatures(library.texts)
        self.law = read(f"{SOURCE}/expected_law.txt")

    def run(self, texts: dict[str, str], probe: str, seeds: frozenset[str], ignored: set[Place],
            last: Place | None = None) -> Outcome:
        """With these texts in the place of others; up to the item `last`. What is in `skipped` is left out."""
        edited = self.library.edited(texts)
        seeds = seeds or frozenset(self.library.seeds(edited))
        if not seeds:
            return Outcome(seeds, None, None)
        while True:
            try:
                self.begin()
                return self.told(edited, probe, seeds, ignored, last)
            except Gone as gone:
                if self.place in self.skipped:
                    raise
                self.skipped[self.place] = str(gone)
                self.used = RESTART

    def late(self) -> str:
        """Where coqtop ended, and what was left out for that or because the control fails there."""
        places = "; ".join(f"{stem}.v, {name} ({what})" for (stem, name), what in self.skipped.items())
        absent = ", ".join(sorted(self.absent))
        return (f"Coq ran out at {places}. " if places else "") + (f"Left out: {absent}" if absent else "")

    def begin(self) -> None:
        self.used += 1
        if self.used > RESTART:
            self.session.stop()
            self.session, self.used = Session(list(self.library.texts)), 1
        else:
            self.session.forget()

    def told(self, edited: dict[str, list[Item]], probe: str, seeds: frozenset[str], ignored: set[Place],
             last: Place | None) -> Outcome:
        again: list[str] = []
        self.absent.clear()
        values, probed = None, False
        for stem, items in self.library.steps(edited, set(seeds)):
            if not probed and not stem.startswith("Spec") and stem != "Statement":
                values, probed = self.values(probe, again), True
            failure = self.module(stem, items, again, ignored, last)
            if failure:
                return Outcome(seeds, failure if failure.error else None, values)
            again.append(stem)
        return Outcome(seeds, None, values if probed else self.values(probe, again))

    def module(self, stem: str, items: list[Item], again: list[str], ignored: set[Place],
               last: Place | None) -> Failure | None:
        """One file. A failure without an error says that `last` was reached."""
        self.session.said(f"Module Again_{stem}.")
        opened = False
        # All that is imported first: an import behind the opening would bring the old names back over the new.
        for item in sorted(items, key=lambda item: item.head not in IMPORTS):
            if not opened and item.head not in IMPORTS:
                self.session.said(self.library.opening(stem, again))
                opened = True
            for part in item.parts:
                place = self.place = (stem, title(part))
                if self.left_out(place, part, ignored):
                    continue
                # An export would bring the old names back over the new.
                part = part.replace("Require Export", "Require Import") if item.head in IMPORTS else part
                error = self.session.error(part) if item.head != "Compute" else self.computed(part)
                if error:
                    return Failure(*place, error)
                if place == last:
                    return Failure(*place, "")
        self.session.said(f"End Again_{stem}.")
        return None

    def left_out(self, place: Place, part: str, ignored: set[Place]) -> bool:
        """Does it, or what it mentions, say nothing of the edit? (The old lemma then stands there, for the old definition.)"""
        if place in self.skipped or place in ignored or set(WORD.findall(part)) & self.absent:
            self.absent.add(place[1])
            return True
        return False

    def computed(self, part: str) -> str | None:
        """The one thing that is computed and compared with a file."""
        return None if self.law.strip() in self.session.said(part) else "the computed laws are others"

    def values(self, name: str, again: list[str]) -> str | None:
        """What the definition computes at the samples; Statement.v's are asked together."""
        body = self.signatures.probe(name) or STATEMENT
        self.place = ("samples", name)
        if not self.probing or self.place in self.skipped or body == STATEMENT and "Statement" not in again:
            return None
        seen = [s for s in self.library.texts if s.startswith("Spec") or s == "Statement" and body == STATEMENT]
        head = "From Coq Require Import List ZArith Bool. Import " + " ".join(seen) + ". " + \
            " ".join(f"Import Again_{s}." for s in seen if s in again) + " Import ListNotations. "
        scope = "nat_scope" if body == STATEMENT else "Z_scope"
        text = self.session.said(f"Module Probe. {head} Local Open Scope {scope}.\n{body}\nEnd Probe.")
        return None if re.search("^Error:", text, re.M) else re.sub(r"end_of_answer_\d+|Again_\w+\.", "", text)

