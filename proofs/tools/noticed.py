"""What the proofs make of the edits of one definition: which check fails, with which error.

An edit is `rejected` when a lemma of Coq fails: Coq reads the definitions and the contracts, never the code, so it is
rejected with the code as it is and with code that matches it. When Coq is silent, WP is asked about the code as it is; what only
WP rejects is counted apart, because WP agrees with itself when the code is edited alike. That a lemma fails does not say
that the definition means something else, only that it cannot pass unseen; a sample at which it computes another value
(witness.py) says that, and is counted."""
import functools
import os
import re
import subprocess
import threading
from typing import NamedTuple

from acsl_tokens import NotUnderstood
from attempt import STEPS, Limit, ample, bounded, steps_of, watch
from coq_gates import SOURCE, defined, words_of
from coq_library import Library
from coq_made import made
from edits import blank, functions
from mutants import Mutant
from project import files, read, stem
from replay import Failure, Outcome, Place, Replay
from spec_mutants import STATEMENT
from tree import broken

GOAL = re.compile(r"^\[wp\] \[[^\]]*\] Goal (?:typed_)?(\S+) : (\w+)(.*)$", re.M)


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


def wp(there: str, source: str, chosen: tuple[str, ...], steps: int) -> subprocess.Popen[str]:
    command = [os.path.join(there, "proofs/tools/wp"), source, *bounded(Limit(steps)), "-wp-fct", ",".join(chosen)]
    return subprocess.Popen(command, cwd=there, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            start_new_session=True, env={**os.environ, "TMPDIR": there})


@functools.cache
def unedited(source: str, chosen: tuple[str, ...]) -> tuple[frozenset[str], int]:
    """The goals that stay open without any edit, which say nothing of one; and the steps that are ample for the others."""
    with broken(coq_too=False) as there, wp(there, source, chosen, STEPS) as run:
        found = GOAL.findall(run.communicate()[0])
    longest = max((steps_of(rest) for _, _, rest in found), default=0)
    return frozenset(name for name, word, _ in found if word != "Valid"), ample(longest)


def open_goal(there: str, source: str, chosen: tuple[str, ...]) -> str | None:
    """The first goal of these functions that an edit leaves open."""
    anyway, steps = unedited(source, chosen)
    with wp(there, source, chosen, steps) as run:
        found = watch(run, anyway)
    return f"WP {source}, {found.goal}" if found.word == "rejected" and found.goal else None


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

    def __init__(self, replay: Replay, name: str) -> None:
        self.replay, self.name = replay, name
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
                unedited = self.replay.run({}, self.name, found.seeds, control.ignored, place)
                if unedited.failure is None:
                    control.passed[place] = unedited.values
                else:
                    control.ignored.add(unedited.failure.place())
            if place in control.passed:
                return found, control.passed[place]
            found = self.replay.run(texts, self.name, none, control.ignored)
        return found, None

    def judge(self, mutant: Mutant) -> Judgement:
        try:
            found, before = self.outcome(texts_of(mutant))
        except NotUnderstood as error:
            return Judgement("no program", str(error)[:120])
        if found.failure and found.failure.stem.startswith("Spec"):
            return Judgement("no program", found.failure.text())
        late = self.replay.late()
        if found.failure:
            differs = None not in (found.values, before) and found.values != before
            return Judgement("rejected", f"{found.failure.text()} {late}".strip(), differs)
        cause = wp_goal(mutant) if mutant.source != STATEMENT else None
        return Judgement("by WP only", f"{cause} {late}".strip()) if cause else Judgement("proved", late)


class Judges:
    """For each thread a coqtop, and the definition that it is at."""

    def __init__(self, probing: bool) -> None:
        self.here, self.all, self.probing = threading.local(), list[Replay](), probing

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
        return Definition(self.replay(), patch).outcome(texts)[0].failure

    def judge(self, mutant: Mutant) -> Judgement:
        self.replay()
        if self.here.definition is None or self.here.definition.name != mutant.function:
            self.here.definition = Definition(self.here.replay, mutant.function)
        return self.here.definition.judge(mutant)

    def stop(self) -> None:
        for replay in self.all:
            replay.session.stop()
