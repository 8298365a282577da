"""Whether one function is proved in a tree: a run of WP that ends with the first goal that stays open.

What Alt-Ergo may take (tools/first-opinion, as in proofs/verify) is counted in its own CPU seconds, never by the clock, so
that a busy machine says the same as an idle one: at least a second, and at least ten times what the goal of that name takes
without any edit. Most of the cost is what does not change with an edit, so a goal that was proved once, word for word, is not
asked again (remembered)."""
import ctypes
import os
import re
import shutil
import signal
import subprocess
from typing import NamedTuple

from project import WP

SECONDS = 60.0  # for a goal of unedited text: ten times what any takes
LEAST, TIMES = 1.0, 10.0  # for one of edited text: so many seconds, and so many times what it takes without the edit
CLOCK = 36000  # seconds after which Frama-C ends a prover: never
GAVE_UP = "Unknown"  # more time would be no use
OPEN = (GAVE_UP, "Timeout")  # Alt-Ergo gave up, or reached the limit; another word says that it broke
GOAL = re.compile(r"^\[wp\] \[[^\]]*\] Goal (?:typed_)?(\S+) : (\w+)(.*)$", re.M)
ONLY_WP = ("-no-autoload-plugins", "-load-module", "wp")  # no other part of Frama-C has to be started
REMEMBERED = "proofs/tools/mutation/remembered"  # what asks Alt-Ergo, and no goal twice
PROVED = "build/mutants/proved"  # what it said of goals that it has proved
OPEN_GOALS = "open"  # those that it left open in a run, in a copy of the tree
# Of the goals of a clause, by name: what chooses them.
CLAUSES = {"assert_rte": "", "loop_assigns": "@assigns", "assigns": "@assigns", "loop_variant": "@variant", "loop_invariant": "",
           "ensures": "", "requires": "", "assert": "", "terminates": "@terminates", "exits": "@exits"}
Taken = dict[str, float]  # what each goal takes without any edit
AS_UNEDITED: Taken = {"": SECONDS / TIMES}


class Attempt(NamedTuple):
    """'proved', 'rejected' or 'no program', and the goal that stayed open."""
    word: str
    goal: str = ""


def needed(taken: Taken, goal: str) -> float:
    """What a goal of edited text must have been given to count as open; a new one as much as the longest."""
    return max(LEAST, TIMES * taken.get(goal, max(taken.values(), default=0.0)))


def wp(there: str, source: str, functions: list[str], seconds: float, clauses: str | None = None) -> subprocess.Popen[str]:
    """Frama-C on these functions in that tree (tree.broken), one prover at a time; a killed run leaves its files there."""
    command = [os.path.join(there, WP), source, *ONLY_WP, "-wp-par", "1", "-wp-timeout", str(CLOCK), "-wp-fct", ",".join(functions)]
    command += ["-wp-prop", clauses] if clauses else []
    shutil.rmtree(os.path.join(there, OPEN_GOALS), ignore_errors=True)
    return subprocess.Popen(command, cwd=there, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                            env=asking(there, seconds))


def asking(there: str, seconds: float) -> dict[str, str]:
    """What the provers of a run are told."""
    for folder in (os.path.join(there, OPEN_GOALS), PROVED):
        os.makedirs(folder, exist_ok=True)
    path = os.path.join(there, "build", "tools", "bin") + ":" + os.environ["PATH"]
    return {**os.environ, "PATH": path, "TMPDIR": there, "PROVERS": "first", "ALT_ERGO": os.path.abspath(REMEMBERED),
            "ALT_ERGO_SECONDS": f"{seconds:.1f}", "FUMATA_PROVED": os.path.abspath(PROVED),
            "FUMATA_OPEN": os.path.join(there, OPEN_GOALS)}


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


class Late(NamedTuple):
    """A goal that was not proved in `seconds`, but would have to be given more to count as open."""
    needed: float
    goal: str
    file: str  # as Alt-Ergo reads it


def watch(run: subprocess.Popen[str], there: str, seconds: float, taken: Taken) -> Attempt | list[Late]:
    """Reads what WP says, goal by goal. One is enough that Alt-Ergo has given up, or that stays open if `seconds` are what it
    needs; else those that want more."""
    late, total, opened = list[Late](), None, 0
    for line in run.stdout or ():
        for goal, word, _ in GOAL.findall(line):
            if word not in ("Valid", *OPEN):
                raise SystemExit(f"mutate: a prover broke: {line.strip()}")
            enough = needed(taken, goal) < float("inf") if word == GAVE_UP else needed(taken, goal) <= seconds
            if word != "Valid" and enough:
                end(run)
                return Attempt("rejected", goal)
            if word != "Valid":
                opened += 1
                file = os.path.join(there, OPEN_GOALS, str(opened))
                late.append(Late(needed(taken, goal), goal, shutil.copy(file, os.path.join(there, f"{goal}.why"))))
        total = re.search(r"Proved goals:\s+(\d+) / (\d+)", line) or total
    if run.wait() or total is None:
        return Attempt("no program")
    return late or Attempt("proved")


def proved_late(there: str, late: Late) -> bool:
    """Given what it needs. What is open without any edit does not count."""
    if late.needed == float("inf"):
        return True
    said = subprocess.run(["proofs/tools/first-opinion", str(CLOCK), late.file], cwd=there, env=asking(there, late.needed),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    if not re.search(r": ?(Valid|Timeout|I don't know|Unknown)|^Timeout$", said, re.M):
        raise SystemExit(f"mutate: a prover broke: {late.goal}: {said.strip()[:200]}")
    return re.search(r": ?Valid", said) is not None


def prove_in(there: str, source: str, functions: list[str], taken: Taken, clause: str | None = None,
             first: tuple[str, ...] = ()) -> Attempt:
    """For `source` as it is in that tree. A clause that names no goal leaves none open, nor does one that is open without
    any edit count. Clauses that are likely to stay open can be tried first; that changes only how soon one is found."""
    seconds = needed(taken, "") if taken == AS_UNEDITED else LEAST
    if first:
        found = tried(there, source, functions, taken, ",".join(first), seconds)
        if found.word == "rejected":
            return found
    return tried(there, source, functions, taken, clause, seconds)


def tried(there: str, source: str, functions: list[str], taken: Taken, clauses: str | None, seconds: float) -> Attempt:
    """One run, and then what it has found too little time for, the quickest first."""
    with wp(there, source, functions, seconds, clauses) as run:
        found = watch(run, there, seconds, taken)
    if isinstance(found, Attempt):
        return found
    return next((Attempt("rejected", late.goal) for late in sorted(found) if not proved_late(there, late)), Attempt("proved"))


def clause_of(goal: str, function: str) -> str:
    """What -wp-prop calls the clause that a goal belongs to, or nothing."""
    goal = re.sub(r"(_(established|preserved|normal|exit|part\d+|\d+))+$", "", goal.split(f"{function}_", 1)[-1])
    for kind, name in CLAUSES.items():
        match = re.search(rf"(?:^|_){kind}(?:_(.*))?$", goal)
        if match:
            return name or re.sub(r"_\d+$", "", match.group(1) or "")
    return ""


def unedited(there: str, source: str, functions: list[str]) -> Taken:
    with wp(there, source, functions, SECONDS) as run:
        return times(run.communicate()[0])
