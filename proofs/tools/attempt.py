"""Whether one function is proved in one text of its file: a run of WP that ends with the first goal that stays open."""
import os
import re
import signal
import subprocess
import tempfile
from typing import NamedTuple

from project import HOME, WP, read, stem, write

# A goal of what is not edited may take so many steps of Alt-Ergo: three times what any takes. Frama-C ends a prover by the
# clock, which runs fast on a busy machine, so its seconds are only there for one whose steps grow longer and longer.
STEPS = 20000
SECONDS = 600


class Attempt(NamedTuple):
    """'proved', 'rejected' or 'no program', the steps and seconds of the longest goals, and the goal that stayed open."""
    word: str
    steps: int = 0
    seconds: float = 0.0
    goal: str = ""


class Limit(NamedTuple):
    """What one goal may take."""
    steps: int = STEPS
    seconds: int = SECONDS


def ample(steps: int) -> int:
    """What the longest goal of an edited function may take, when that of the unedited one takes so many."""
    return 1000 + 3 * steps


def enough(unedited: Attempt) -> Limit:
    """For an edited function; by the clock four times what the unedited took, and what a busy machine waits."""
    return Limit(ample(unedited.steps), 4 + int(4 * unedited.seconds))


def bounded(limit: Limit) -> list[str]:
    """The options of WP; one prover at a time."""
    return ["-wp-par", "1", "-wp-steps", str(limit.steps), "-wp-timeout", str(limit.seconds)]


def steps_of(line: str) -> int:
    """What WP says a goal took."""
    return max([0] + [int(n) for n in re.findall(r"\((\d+)\)", line)])


def seconds_of(line: str) -> float:
    return max([0.0] + [float(n) * (0.001 if unit == "ms" else 1) for n, unit in re.findall(r"\(([\d.]+)(ms|s)\)", line)])


def watch(run: subprocess.Popen[str], ignored: frozenset[str] = frozenset()) -> Attempt:
    """Reads what WP says; one goal that stays open is enough, unless it is one of the ignored."""
    longest, slowest, proved = 0, 0.0, None
    for line in run.stdout or ():
        goal = re.match(r"\[wp\] \[[^\]]*\] Goal (?:typed_)?(\S+) : (\w+)", line)
        if goal and goal.group(2) != "Valid" and goal.group(1) not in ignored:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            return Attempt("rejected", goal=goal.group(1))
        longest, slowest = (max(longest, steps_of(line)), max(slowest, seconds_of(line))) if goal else (longest, slowest)
        total = re.search(r"Proved goals:\s+(\d+) / (\d+)", line)
        proved = total.group(1) == total.group(2) if total else proved
    if run.wait() or proved is None:
        return Attempt("no program")
    return Attempt("proved" if proved else "rejected", longest, slowest)


def attempt(home: str, path: str, function: str, limit: Limit, clause: str | None, there: str) -> Attempt:
    """With the tools and headers of `home`. A killed run leaves files behind, so it has a folder `there` for them."""
    command = [os.path.join(home, WP), path, "-wp-fct", function, *bounded(limit)]
    command += ["-wp-prop", clause] if clause else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True, env={**os.environ, "TMPDIR": there}) as run:
        return watch(run)


def prove(source: str, function: str, text: str, limit: Limit, clause: str | None = None) -> Attempt:
    """For this text of `source`, under `limit` a goal. A clause that names no goal leaves none open."""
    with tempfile.TemporaryDirectory() as there:
        path = os.path.join(there, os.path.basename(source))
        write(path, text)
        return attempt(HOME, path, function, limit, clause, there)


def prove_in(home: str, source: str, function: str, limit: Limit, clause: str | None = None) -> Attempt:
    """The same for `source` as it is in the tree `home`, beside whatever else is broken there."""
    with tempfile.TemporaryDirectory() as there:
        return attempt(home, source, function, limit, clause, there)


def proved_already(folder: str, source: str, function: str) -> Attempt:
    """The same of the unedited function, by the log of proofs/verify."""
    found = re.findall(rf"^\[wp\] \[[^\]]*\] Goal typed_{function}_\S+ : (\w+)(.*)$",
                       read(os.path.join(folder, stem(source) + ".alt-ergo.log")), re.M)
    if not found or any(word != "Valid" for word, _ in found):
        return Attempt("rejected")
    return Attempt("proved", max(steps_of(rest) for _, rest in found), max(seconds_of(rest) for _, rest in found))
