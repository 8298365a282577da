"""Whether one function is proved in a tree: a run of WP that ends with the first goal that stays open.

What Alt-Ergo may take (tools/first-opinion, as in proofs/verify) is counted in its own CPU seconds, never by the clock, so
that a busy machine says the same as an idle one: at least a second, and at least ten times what the goal of that name takes
without any edit."""
import ctypes
import os
import re
import signal
import subprocess
from typing import NamedTuple

from project import WP

SECONDS = 60.0  # for a goal of unedited text: ten times what any takes
LEAST, TIMES = 1.0, 10.0  # for one of edited text: so many seconds, and so many times what it takes without the edit
CLOCK = 36000  # seconds after which Frama-C ends a prover: never
OPEN = ("Unknown", "Timeout")  # Alt-Ergo gave up, or reached the limit; another word says that it broke
GOAL = re.compile(r"^\[wp\] \[[^\]]*\] Goal (?:typed_)?(\S+) : (\w+)(.*)$", re.M)
Taken = dict[str, float]  # what each goal takes without any edit
AS_UNEDITED: Taken = {"": SECONDS / TIMES}


class Attempt(NamedTuple):
    """'proved', 'rejected' or 'no program', and the goal that stayed open."""
    word: str
    goal: str = ""


def needed(taken: Taken, goal: str) -> float:
    """What a goal of edited text must have been given to count as open; a new one as much as the longest."""
    return max(LEAST, TIMES * taken.get(goal, max(taken.values(), default=0.0)))


def wp(there: str, source: str, functions: list[str], seconds: float, clause: str | None = None) -> subprocess.Popen[str]:
    """Frama-C on these functions in that tree (tree.broken), one prover at a time; a killed run leaves its files there."""
    command = [os.path.join(there, WP), source, "-wp-par", "1", "-wp-timeout", str(CLOCK), "-wp-fct", ",".join(functions)]
    command += ["-wp-prop", clause] if clause else []
    return subprocess.Popen(command, cwd=there, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            start_new_session=True, env={**os.environ, "TMPDIR": there, "PROVERS": "first",
                                                         "ALT_ERGO_SECONDS": f"{seconds:.1f}"})


def seconds_of(text: str) -> float:
    """What WP says a goal took."""
    return max([0.0] + [float(n) * (0.001 if unit == "ms" else 1) for n, unit in re.findall(r"\(([\d.]+)(ms|s)\)", text)])


def times(said: str) -> Taken:
    """Of all goals in a log; what is open takes for ever."""
    return {name: seconds_of(rest) if word == "Valid" else float("inf") for name, word, rest in GOAL.findall(said)}


def end(run: subprocess.Popen[str]) -> None:
    """With all that it has started, each waited for, so that its CPU time is counted (adopt_orphans)."""
    os.killpg(run.pid, signal.SIGKILL)
    try:
        while True:
            os.waitpid(-run.pid, 0)
    except ChildProcessError:
        run.wait()


def adopt_orphans() -> None:
    """What a killed run leaves behind becomes a child of this process."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def watch(run: subprocess.Popen[str], seconds: float, taken: Taken) -> Attempt | list[str]:
    """Reads what WP says. One goal that stays open is enough if `seconds` are what it needs; else those that want more."""
    short, total = [], None
    for line in run.stdout or ():
        for goal, word, _ in GOAL.findall(line):
            if word not in ("Valid", *OPEN):
                raise SystemExit(f"mutate: a prover broke: {line.strip()}")
            if word != "Valid" and needed(taken, goal) <= seconds:
                end(run)
                return Attempt("rejected", goal)
            short += [goal] if word != "Valid" else []
        total = re.search(r"Proved goals:\s+(\d+) / (\d+)", line) or total
    if run.wait() or total is None:
        return Attempt("no program")
    return short or Attempt("proved")


def prove_in(there: str, source: str, functions: list[str], taken: Taken, clause: str | None = None) -> Attempt:
    """For `source` as it is in that tree. A clause that names no goal leaves none open, nor does one that is open without
    any edit count."""
    seconds = needed(taken, "") if taken == AS_UNEDITED else LEAST
    while True:
        with wp(there, source, functions, seconds, clause) as run:
            found = watch(run, seconds, taken)
        if isinstance(found, Attempt):
            return found
        more = [needed(taken, goal) for goal in found if needed(taken, goal) < float("inf")]
        if not more:
            return Attempt("proved")
        seconds = max(more)


def unedited(there: str, source: str, functions: list[str]) -> Taken:
    with wp(there, source, functions, SECONDS) as run:
        return times(run.communicate()[0])
