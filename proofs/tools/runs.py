"""Everything that proofs/verify starts, on all cores at once: first opinions, second ones, and the other scripts."""
import concurrent.futures
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future

from framac import JOBS, run_wp
from goals import Report
from judge import Result, judge
from project import OUT
from second import Second

# What is checked beside WP, by scripts of their own.
PARTS = {"Coq (proofs/coq)": ["proofs/coq/build"],
         "trace (specs/TRACE.md)": ["proofs/trace"],
         "mutants (hand-written; `make mutants` runs all)": ["proofs/mutate", "--hand", "--proved", OUT]}


def part(command: list[str], after: list[Future[tuple[Report, str]]]) -> tuple[bool, str]:
    """Another script's check, once those others are done: (passed, its output)."""
    concurrent.futures.wait(after)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout


class Runs:
    """The work of one run of proofs/verify; leaving the `with` waits for all of it."""

    def __init__(self, sources: list[str], known: list[str], every_smoke: bool, whole: bool) -> None:
        self.pool = concurrent.futures.ThreadPoolExecutor(JOBS)  # pylint: disable=consider-using-with # see __exit__
        # The long ones first, so that no core waits at the end.
        longest = sorted(sources, key=os.path.getsize, reverse=True)
        self.sources = sources
        self.firsts = {s: self.pool.submit(run_wp, s, "alt-ergo", "alt-ergo") for s in longest}
        self.seconds = {s: self.pool.submit(Second, s, known, every_smoke) for s in longest[:JOBS]}
        # The parts read what the first opinions left behind, so they wait for those, but not for the second ones.
        firsts = list(self.firsts.values())
        self.parts = {title: self.pool.submit(part, command, firsts) for title, command in PARTS.items() if whole}
        self.seconds.update({s: self.pool.submit(Second, s, known, every_smoke) for s in longest[JOBS:]})

    def __enter__(self) -> "Runs":
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown()

    def results(self) -> Iterator[Result]:
        """File by file, in the order of the table, as soon as each is known."""
        for source in self.sources:
            second = self.seconds[source].result()
            yield judge(source, self.firsts[source].result(), second.confirmed, second.smoke)

    def shipped(self) -> dict[str, tuple[int, int]]:
        """{property: (goals, proved)} of the amalgamated file."""
        found: dict[str, tuple[int, int]] = {}
        for second in self.seconds.values():
            found.update(second.result().shipped)
        return found
