"""What the proofs make of the edits of one definition: which check fails, with which error.

An edit is `rejected` when a lemma of Coq fails: Coq reads the definitions and the contracts, never the code, so it is
rejected with the code as it is and with code that matches it. When Coq is silent, WP is asked about the code as it is; what only
WP rejects is counted apart, because WP agrees with itself when the code is edited alike. That a lemma fails does not say
that the definition means something else, only that it cannot pass unseen; a sample at which it computes another value
(witness.py) says that, and is counted."""
import functools
import os
import subprocess
import threading
from typing import NamedTuple

from acsl2coq.acsl_tokens import NotUnderstood
from acsl2coq.coq_made import made
from coq_files.coq_gates import SOURCE, defined, words_of
from mutation.attempt import Taken, prove_in, unedited
from mutation.coq_library import Library
from mutation.edits import blank, functions
from mutation.mutants import Mutant
from mutation.replay import Failure, Outcome, Place, Replay
from mutation.spec_mutants import STATEMENT
from mutation.tree import broken
from mutation.verdicts import Verdicts, of_core, of_texts
from project import files, read, stem


class Judgement(NamedTuple):
    """'rejected', 'by WP only', 'proved' or 'no program'; by what; and whether a sample computes another value."""
    word: str
    cause: str
    differs: bool = False


def users(name: str) -> set[str]:
    """The definitions that the edited one is a part of, itself included."""
    uses: dict[str, set[str]] = {}
    for text in made().values():
        uses.update(defined(text))
    found, more = {name}, True
    while more:
        larger = {other for other, parts in uses.items() if parts & found} | found
        more, found = larger != found, larger
    return found


def near(text: str, function: str, start: int) -> str:
    """The contract of a function, and its body where it has one."""
    return text[text.rfind("/*@", 0, text.find(function + "(")):text.find("\n}\n", start) if start else text.find(function + "(")]


def concerned_functions(source: str, names: set[str]) -> list[str]:
    """Those of a file whose contract or body mentions one of the names, in the header or in the file."""
    text, header = read(source), source[:-1] + "h"
    declared = read(header) if os.path.exists(header) else ""
    return [function for function, start, _ in functions(blank(text))
            if words_of(near(text, function, start) + near(declared, function, 0)) & names]


@functools.cache
def without_edit(source: str, chosen: tuple[str, ...]) -> Taken:
    with broken(coq_too=False) as there:
        return unedited(there, source, list(chosen))


def open_goal(there: str, source: str, chosen: tuple[str, ...]) -> str | None:
    """The first goal of these functions that an edit leaves open."""
    found = prove_in(there, source, list(chosen), without_edit(source, chosen))
    return f"WP {source}, {found.goal}" if found.word == "rejected" else None


def wp_goal(mutant: Mutant) -> str | None:
    """The first goal about the unedited code that stays open: of what mentions the definition itself before the rest."""
    tried: set[str] = set()
    with broken(None, {mutant.source: mutant.text}, coq_too=False) as there:
        for names in ({mutant.function}, users(mutant.function)):
            for source in files("core/*.c"):
                chosen = [f for f in concerned_functions(source, names) if f not in tried]
                tried |= set(chosen)
                found = open_goal(there, source, tuple(chosen)) if chosen else None
                if found:
                    return found
    return None


def texts_of(mutant: Mutant) -> dict[str, str]:
    return {"Statement": mutant.text} if mutant.source == STATEMENT else made({mutant.source: mutant.text})


class Control(NamedTuple):
    """What passes with the unedited definition, with what it computes there, and what does not."""
    passed: dict[Place, str | None]
    ignored: set[Place]


class Definition:
    """The edits of one definition, and the control that tells a failure of the method from one of the edit."""

    def __init__(self, replay: Replay, name: str, kept: Verdicts) -> None:
        self.replay, self.name, self.kept = replay, name, kept
        self.controls: dict[frozenset[str], Control] = {}

    def outcome(self, texts: dict[str, str]) -> tuple[Outcome, str | None]:
        """Of an edit, and what the unedited definition computes."""
        none = frozenset[str]()
        self.replay.skipped.clear()
        self.replay.absent.clear()
        found = self.replay.run(texts, self.name, none, set())
        while found.failure and not found.failure.stem.startswith("Spec"):
            control = self.controls.setdefault(found.seeds, Control({}, set()))
            place = found.failure.place()
            if place not in control.passed and place not in control.ignored:
                before = self.replay.run({}, self.name, found.seeds, control.ignored, place)
                if before.failure is None:
                    control.passed[place] = before.values
                else:
                    control.ignored.add(before.failure.place())
            if place in control.passed:
                return found, control.passed[place]
            found = self.replay.run(texts, self.name, none, control.ignored)
        return found, None

    def judge(self, mutant: Mutant) -> Judgement:
        try:
            texts = texts_of(mutant)
        except NotUnderstood as error:
            return Judgement("no program", str(error)[:120])
        key = of_texts(self.replay.library.texts, texts, self.name, self.replay.probing)
        found = self.by_coq(texts) if (known := self.kept.get(key)) is None else Judgement(*known)
        if known is None:
            self.kept.put(key, found)
        return self.by_wp(mutant, found.cause) if found.word == "proved" and mutant.source != STATEMENT else found

    def by_coq(self, texts: dict[str, str]) -> Judgement:
        """'proved' when Coq is silent, with what it has left out."""
        found, before = self.outcome(texts)
        if found.failure and found.failure.stem.startswith("Spec"):
            return Judgement("no program", found.failure.text())
        late = self.replay.late()
        if found.failure:
            differs = None not in (found.values, before) and found.values != before
            return Judgement("rejected", f"{found.failure.text()} {late}".strip(), differs)
        return Judgement("proved", late)

    def by_wp(self, mutant: Mutant, late: str) -> Judgement:
        key = of_core({mutant.source: mutant.text}, mutant.function)
        known = self.kept.get(key)
        cause = wp_goal(mutant) if known is None else known[0]
        if known is None:
            self.kept.put(key, (cause,))
        return Judgement("by WP only", f"{cause} {late}".strip()) if cause else Judgement("proved", late)


class Judges:
    """For each thread a coqtop, and the definition that it is at."""

    def __init__(self, probing: bool, kept: Verdicts) -> None:
        self.here, self.all, self.probing, self.kept = threading.local(), list[Replay](), probing, kept

    def replay(self) -> Replay:
        if not hasattr(self.here, "replay"):
            self.here.replay, self.here.definition = Replay(Library(), self.probing), None
            self.all.append(self.here.replay)
        return self.here.replay

    def of_patch(self, patch: str) -> Failure | None:
        """The first failure in a tree with this patch."""
        with broken(patch, coq_too=False) as there:
            subprocess.run(["proofs/coq/generate", "build/made"], cwd=there, stdout=subprocess.DEVNULL, check=True)
            paths = files(f"{there}/build/made/*.v", f"{there}/{SOURCE}/*.v")
            texts = {stem(path): read(path) for path in paths if stem(path) in self.replay().library.texts}
        return Definition(self.replay(), patch, self.kept).outcome(texts)[0].failure

    def judge(self, mutant: Mutant) -> Judgement:
        self.replay()
        if self.here.definition is None or self.here.definition.name != mutant.function:
            self.here.definition = Definition(self.here.replay, mutant.function, self.kept)
        return self.here.definition.judge(mutant)

    def stop(self) -> None:
        for replay in self.all:
            replay.session.stop()
