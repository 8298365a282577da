"""Gate mutants: edits that a checker has to refuse, each in the words that its patch names (proofs/mutants/gate/*.patch).

A mutant of the code asks whether the proof notices. These ask whether the checkers do: a contract that no caller can meet, a line
that only one reader sees, an assumption that hides in a proof. The line `Run:` of a patch is the part of verify that has to refuse
it, `Refused:` a pattern of the line that says so; there may be several of both, and all must. The same commands must pass without
any edit."""
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from mutation.tree import broken
from project import HOME, files, read

FOLDER = "proofs/mutants/gate"
MAY_RUN = ("proofs/verify", "proofs/text", "proofs/coq/build", "proofs/coq/generate", "proofs/trace")
JOBS = 3  # as many as WP runs of verify
MOST = 160  # letters of a line that are shown


class Gate(NamedTuple):
    """An edit, what is run after it, and the words that refuse it."""
    name: str
    patch: str
    commands: list[str]
    refused: list[str]


def gates(chosen: list[str]) -> list[Gate]:
    found = []
    for patch in files(f"{FOLDER}/*.patch"):
        head = read(patch)
        gate = Gate(os.path.basename(patch)[:-len(".patch")], patch, *(re.findall(rf"^{word}: (.+)$", head, re.M)
                                                                        for word in ("Run", "Refused")))
        if not gate.commands or not gate.refused or not all(command.startswith(MAY_RUN) for command in gate.commands):
            raise SystemExit(f"mutate: {patch} has no line Run: with a part of verify, or no line Refused:")
        if not chosen or gate.name in chosen:
            found.append(gate)
    return found


def run(command: str, patch: str | None) -> tuple[bool, str]:
    """Does it pass in a copy with this edit? And what it says."""
    with broken(patch, coq_too="coq" in command) as there:
        done = subprocess.run(shlex.split(command), cwd=there, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, env={**os.environ, "TMPDIR": os.path.join(there, "build")})
        return done.returncode == 0, done.stdout.replace(there, HOME)


def verdict(gate: Gate) -> tuple[bool, str]:
    """(as it must be, the line that says what happened)."""
    lines = []
    for command in gate.commands:
        passed, said = run(command, gate.patch)
        if passed:
            return False, f"NOT REFUSED by {command}"
        lines += [line.strip() for line in said.splitlines() if line.strip()]
    found = [next((line for line in reversed(lines) if re.search(pattern, line)), "") for pattern in gate.refused]
    if not all(found):
        return False, f"REFUSED in other words: {' / '.join(lines[-3:])[:MOST]}"
    return True, f"{', '.join(gate.commands)}: " + " || ".join(line[:MOST] for line in found)


def judged(chosen: list[str]) -> Iterator[tuple[bool, str]]:
    """A verdict for each, in their order; then one for each command that does not pass without any edit."""
    all_of_them = gates(chosen)
    commands = list(dict.fromkeys(command for gate in all_of_them for command in gate.commands))
    with ThreadPoolExecutor(JOBS) as pool:
        controls = [pool.submit(run, command, None) for command in commands]
        verdicts = [pool.submit(verdict, gate) for gate in all_of_them]
        for gate, done in zip(all_of_them, verdicts):
            good, line = done.result()
            yield good, f"{'refused' if good else 'PASSED':<11}gate: {gate.name} || {line}"
        for command, control in zip(commands, controls):
            passed, said = control.result()
            if not passed:
                yield False, f"{command} does not pass without any edit: {' / '.join(said.splitlines()[-3:])[:MOST]}"
