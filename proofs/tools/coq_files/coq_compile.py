"""Compiles Coq files under build/coq: each after those it requires, several at a time, and only what has changed."""
import concurrent.futures
import hashlib
import os
import re
import subprocess
from concurrent.futures import Future

from project import read, write

OUT = "build/coq"
JOBS = 2
SECONDS = 600  # for one file


def required(text: str, known: list[str]) -> list[str]:
    names = [n for line in re.findall(r"From Fumata Require (?:Import|Export) ([\w\s]+?)\.\s", text) for n in line.split()]
    return [n for n in names if n in known]


class Compiler:
    """One run: the stamp of a file is made of its text, the stamps of what it requires, and Coq's version."""

    def __init__(self, texts: dict[str, str], chosen: list[str]) -> None:
        self.texts, self.chosen, self.failed = texts, chosen, False
        self.needs = {stem: required(text, list(texts)) for stem, text in texts.items()}
        self.version = subprocess.run(["coqc", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.stamps: dict[str, str] = {}
        for stem in texts:
            self.stamp(stem)

    def stamp(self, stem: str) -> str:
        if stem not in self.stamps:
            parts = [self.version, self.texts[stem]] + [self.stamp(need) for need in self.needs[stem]]
            self.stamps[stem] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        return self.stamps[stem]

    def up_to_date(self, stem: str) -> bool:
        mark = os.path.join(OUT, stem + ".stamp")
        return os.path.exists(os.path.join(OUT, stem + ".vo")) and os.path.exists(mark) and read(mark) == self.stamps[stem]

    def compile(self, stem: str, before: list[Future[str]]) -> str:
        """'proved', 'up to date', 'not tried', or what Coq says against it."""
        words = [done.result() for done in before]
        if self.failed or not all(word in ("proved", "up to date") for word in words):
            return "not tried"
        if self.up_to_date(stem):
            return "up to date"
        for old in (".vo", ".stamp"):  # an interrupted build leaves nothing old behind
            if os.path.exists(os.path.join(OUT, stem + old)):
                os.remove(os.path.join(OUT, stem + old))
        write(os.path.join(OUT, stem + ".v"), self.texts[stem])
        return self.call(stem)

    def call(self, stem: str) -> str:
        command = ["timeout", str(SECONDS), "coqc", "-q", "-Q", ".", "Fumata", stem + ".v"]
        done = subprocess.run(command, cwd=OUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        write(os.path.join(OUT, stem + ".out"), done.stdout)
        if done.returncode:
            self.failed = True
            return "FAILED\n" + done.stderr
        write(os.path.join(OUT, stem + ".stamp"), self.stamps[stem])
        return "proved"

    def ordered(self) -> list[str]:
        """Every file after those it requires."""
        found: list[str] = []

        def add(stem: str) -> None:
            for need in self.needs[stem]:
                if need not in found:
                    add(need)
            if stem not in found:
                found.append(stem)
        for stem in self.chosen or self.texts:
            add(stem)
        return found

    def run(self) -> dict[str, str]:
        """{stem: how it went}. The pool begins files in the order in which they are given, so none waits for a later one."""
        done: dict[str, Future[str]] = {}
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for stem in self.ordered():
                done[stem] = pool.submit(self.compile, stem, [done[need] for need in self.needs[stem]])
        return {stem: future.result() for stem, future in done.items()}
