"""What the proofs make of one edited definition: whether its meaning has changed, and which check fails with which error.

An edit is `rejected` when both are shown: at some sample the definition computes another value than before (witness.py), and
a check fails: a Coq file, or a goal of WP about the unedited code. An edit that only makes a proof script fail, without
a sample that tells the two meanings apart, is called `noticed`: it cannot pass unseen, but nothing says that it is wrong."""
import os
import re
import subprocess
from typing import NamedTuple

from attempt import watch
from coq_compile import required
from coq_gates import SOURCE, defined, words_of
from mutants import Mutant
from project import files, read, stem
from spec_mutants import STATEMENT as STATEMENT_FILE
from tree import broken, coq
from witness import STATEMENT, Signatures, computed

SLOW = ("Accepts", "Plans", "PlansToll", "Examples", "Count", "Assumptions")  # tried last
OUT, MADE = "build/coq", "build/coq/made"


class Judgement(NamedTuple):
    """'rejected', 'noticed', 'proved' or 'no program'; and by what."""
    word: str
    cause: str


def module(source: str) -> str:
    return "Spec" + "".join(word.capitalize() for word in stem(source).split("_"))


def users(name: str) -> set[str]:
    """The definitions that the edited one is a part of, itself included."""
    uses: dict[str, set[str]] = {}
    for path in files(f"{MADE}/Spec*.v"):
        uses.update(defined(read(path)))
    found, more = {name}, True
    while more:
        larger = {other for other, parts in uses.items() if parts & found} | found
        more, found = larger != found, larger
    return found


def targets(name: str) -> list[str]:
    """The Coq files that speak of it, those that need least first."""
    texts = {stem(path): read(path) for path in files(f"{SOURCE}/*.v")}
    concerned = users(name)
    chosen = [s for s, text in texts.items() if s not in SLOW and words_of(text) & concerned]
    return sorted(chosen, key=lambda s: len(closure(s, texts)))


def closure(wanted: str, texts: dict[str, str]) -> set[str]:
    found, todo = set(), [wanted]
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += required(texts[one], list(texts))
    return found


def failure(text: str, there: str) -> str | None:
    """File, lemma and first line of the error; None when a generated file fails, which is no program."""
    found = re.search(r"^coq (\w+)\.v FAILED\nFile \"[^\"]*\", line (\d+).*?\n(?:Error:\s*)(.*?)(?=\ncoq |\Z)", text, re.S | re.M)
    if not found:
        return text.strip().split("\n")[0][:160]
    name, line, error = found.group(1), int(found.group(2)), " ".join(found.group(3).split())[:110]
    if name.startswith("Spec"):
        return None
    before = read(os.path.join(there, OUT, name + ".v")).split("\n")[:line]
    lemmas = re.findall(r"^\s*(?:Lemma|Theorem|Corollary|Definition|Fixpoint) (\w+)", "\n".join(before), re.M)
    return f"Coq {name}.v, {lemmas[-1] if lemmas else 'line ' + str(line)}: {error}"


class Meanings:
    """What the unedited definitions compute, once each."""

    def __init__(self) -> None:
        stems = [stem(path) for path in files(f"{MADE}/Spec*.v")]
        self.signatures = Signatures(MADE, stems)
        self.values: dict[str, str | None] = {}

    def ask(self, folder: str, mutant: Mutant) -> str | None:
        if mutant.source == STATEMENT_FILE:
            return computed(folder, ["SpecBase", "Statement"], STATEMENT, "nat_scope")
        body = self.signatures.probe(mutant.function)
        return computed(folder, [module(mutant.source)], body, "Z_scope") if body else None

    def changed(self, there: str, mutant: Mutant) -> bool:
        key = "" if mutant.source == STATEMENT_FILE else mutant.function
        if key not in self.values:
            with broken() as unedited:  # a folder of its own: two of them may be asked for at a time
                self.values[key] = self.ask(os.path.join(unedited, OUT), mutant)
        after = self.ask(os.path.join(there, OUT), mutant)
        return after is not None and self.values[key] is not None and after != self.values[key]


def wp_goal(there: str, name: str) -> str | None:
    """The first goal about the unedited code that stays open."""
    concerned = users(name)
    for source in files("core/*.c"):
        if words_of(read(source) + read(source[:-1] + "h" if os.path.exists(source[:-1] + "h") else source)) & concerned:
            command = [os.path.join(there, "proofs/tools/wp"), source, "-wp-par", "1", "-wp-timeout", "10"]
            with subprocess.Popen(command, cwd=there, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  start_new_session=True, env={**os.environ, "TMPDIR": there}) as run:
                if watch(run).word == "rejected":
                    return f"WP {source}"
    return None


def judge_definition(mutant: Mutant, meanings: Meanings) -> Judgement:
    first = ["Statement"] if mutant.source == STATEMENT_FILE else [module(mutant.source)]
    concerned = [stem(p) for p in files(f"{SOURCE}/*.v") if stem(p) not in SLOW] if first == ["Statement"] \
        else targets(mutant.function)
    with broken(None, {mutant.source: mutant.text}) as there:
        passed, text = coq(there, *first)
        if not passed:
            return Judgement("no program", text.strip().split("\n")[-1][:120])
        differs = meanings.changed(there, mutant)
        for stems in (concerned, []):
            passed, text = coq(there, *stems) if passed else (passed, text)
        cause = (failure(text, there) if not passed else None) or wp_goal(there, mutant.function)
    if cause is None:
        return Judgement("proved", "its meaning has changed" if differs else "computes the same at all samples")
    return Judgement("rejected" if differs else "noticed", cause)
