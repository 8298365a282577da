"""Everything that proofs/verify starts, on all cores at once: both opinions on each file, and the other scripts."""
import concurrent.futures
import os
import subprocess
from collections.abc import Iterator

from wp_runs.framac import JOBS
from wp_runs.judge import Result, judge
from wp_runs.opinions import Opinions

# What is checked beside WP, by scripts of their own: with any file, and with all of them.
ALWAYS = {"one text for all readers (core, specs, proofs/wp)": ["proofs/text"]}
WHOLE = {"Coq (proofs/coq)": ["proofs/coq/build", "--anew", "--chk"], "trace (specs/TRACE.md)": ["proofs/trace"]}


def part(command: list[str]) -> tuple[bool, str]:
    """Another script's check: (passed, its output)."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout


class Runs:
    """The work of one run of proofs/verify; leaving the `with` waits for all of it."""

    def __init__(self, sources: list[str], every_smoke: bool, whole: bool) -> None:
        self.pool = concurrent.futures.ThreadPoolExecutor(JOBS)  # pylint: disable=consider-using-with # see __exit__
        # The long ones first, so that no core waits at the end.
        longest = sorted(sources, key=os.path.getsize, reverse=True)
        self.sources = sources
        self.opinions = {s: self.pool.submit(Opinions, s, every_smoke) for s in longest[:JOBS]}
        scripts = ALWAYS | (WHOLE if whole else {})
        self.parts = {title: self.pool.submit(part, command) for title, command in scripts.items()}
        self.opinions.update({s: self.pool.submit(Opinions, s, every_smoke) for s in longest[JOBS:]})

    def __enter__(self) -> "Runs":
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown()

    def results(self) -> Iterator[Result]:
        """File by file, in the order of the table, as soon as each is known."""
        for source in self.sources:
            yield judge(self.opinions[source].result())
