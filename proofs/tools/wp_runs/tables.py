"""The sections of what proofs/verify prints; each complains about what is wrong in it."""
import os
import re
import subprocess
import sys

from acsl2coq.acsl_tokens import NotUnderstood
from complaints import Complaints
from project import EXPECTED, annotated, read, stem, wp_sources
from wp_runs import shipped
from wp_runs.judge import Result, Row, total_of
from wp_runs.readings import Reading
from wp_runs.runs import Runs


FETCHED = "build/tools/bin"  # what .setup unpacks, and tools/wp looks into first


def head() -> None:
    print("WP, model Typed, run-time errors and unsigned overflow included, no cache")
    print(f"  {'function':<44}{'goals':>6}{'Alt-Ergo':>10}{'second':>9}{'smoke':>9}  status")


def function_row(function: str, row: Row) -> str:
    return (f"    {function:<42}{row.goals:>6}{row.proved:>10}{row.crossed:>9}"
            f"{row.smoke_ok:>5}/{row.smoke:<3}  {row.word()}")


def functions(result: Result, complaints: Complaints) -> None:
    """One file: a row per function."""
    print(f"  {result.source}")
    for function, row in sorted(result.rows.items()):
        print(function_row(function, row))
        if row.smoke != row.smoke_ok:
            found = row.smoke - row.smoke_ok
            complaints.fail(f"{result.source}: {function}: {found} smoke tests found a contradiction", "    ")
    for function in sorted(result.printed.bodies - set(result.rows)):
        complaints.fail(f"{result.source}: {function} has no goal", "    ")
    for line in result.warnings:
        complaints.fail(f"{result.source}: Frama-C warns: {line}", "    ")
    for line in result.missing:
        complaints.fail("NOT PROVED " + line, "    ")
    sys.stdout.flush()


def totals(results: list[Result]) -> None:
    total = total_of(results)
    named = sum(1 for result in results for function in result.rows if function != "(lemmas)")
    print(f"  {named} functions, {total.goals} goals: {total.proved} proved by Alt-Ergo alone, "
          f"{total.crossed} again by CVC4 or Z3, smoke tests {total.smoke_ok}/{total.smoke}")


def trusting_words() -> list[str]:
    """No `admit` and no axiom in the contracts; every axiom that is there is listed as trusted."""
    return [f"{path} {word} {name}".rstrip() for path in annotated()
            for word, name in re.findall(r"\b(admit|axiom)\b[^\S\n]*(\w*)", read(path))]


def assumptions(results: list[Result], chosen: list[str], update: bool, complaints: Complaints) -> None:
    print("\nassumptions of the WP part")
    words = trusting_words()
    # The contract of a function that lives in another file is proved there; anything else is an assumption.
    proved_here = {function for result in results for function in result.rows}
    used = {pair for result in results for pair in result.taken}
    assumed = {pair for pair in used if pair[1].startswith(("Axiom", "Admit"))}
    elsewhere = {pair for pair in used - assumed if pair[0] not in proved_here}
    # A run on single files leaves the contracts of the others to a whole run.
    taken = sorted(f"{owner}: {what}" for owner, what in (assumed if chosen else assumed | elsewhere))
    print(f"  the words admit and axiom in core/, specs/, proofs/wp/: {len(words)}")
    print(f"  used and proved nowhere: {len(taken)}")
    print("".join(f"    {line}\n" for line in words + taken), end="")
    if chosen:
        print(f"  used and left to a whole run: {len(elsewhere)} (contracts of other files)")
    else:
        complaints.compare("trusted", os.path.join(EXPECTED, "trusted"), words + taken, update)


def readings(results: list[Result], chosen: list[str], complaints: Complaints) -> None:
    """What WP read is what Coq was told."""
    print("\nread by WP and by the Coq generator")
    before = len(complaints.lines)
    try:
        reading = Reading()
    except NotUnderstood as error:
        complaints.fail(f"not understood by the Coq generator: {error}")
        return
    for line in reading.faults({result.source: result.printed for result in results}, not chosen):
        complaints.fail(line)
    if len(complaints.lines) == before:
        print(f"  {len(reading.definitions)} definitions, {len(reading.contracts)} contracts, {len(reading.headers.structs)} structs, "
              f"{len(reading.headers.constants)} constants: what these runs have read of them is the same")


def expected_lists(results: list[Result], update: bool, complaints: Complaints) -> None:
    print("\nexpected lists (proofs/expected)")
    before = len(complaints.lines)
    for result in results:
        name = stem(result.source)
        complaints.compare(name, os.path.join(EXPECTED, name), sorted(result.goals), update)
    for name in sorted(set(os.listdir(EXPECTED)) - set(map(stem, wp_sources())) - {"trusted"}):
        complaints.fail(f"{EXPECTED}/{name}: the file that it is about is not there")
    print("  match both ways" if len(complaints.lines) == before else "  DO NOT MATCH")


def as_shipped(complaints: Complaints) -> None:
    """What was proved is what `make amalgamate` ships."""
    print("\namalgamated (fumata.h and fumata-core.c, what `make amalgamate` ships)")
    before = len(complaints.lines)
    for line in shipped.differences():
        complaints.fail(line)
    if len(complaints.lines) == before:
        print("  the text of core/ and specs/*.acsl, file by file, and no function besides")


def other_scripts(runs: Runs, complaints: Complaints) -> None:
    for title, done in runs.parts.items():
        passed, said = done.result()
        print(f"\n{title}")
        print("".join(f"  {line}\n" for line in said.splitlines()), end="")
        if not passed:
            complaints.lines.extend([f"{title} failed:"] + said.splitlines()[-5:])


def version(*command: str) -> str:
    path = os.path.abspath(FETCHED) + ":" + os.environ["PATH"]
    try:
        out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                             env={**os.environ, "PATH": path}).stdout
    except FileNotFoundError:
        return "not there"
    return re.sub(r"\s+", " ", out.strip().splitlines()[0]) if out.strip() else "?"


def tools(complaints: Complaints) -> None:
    print("\ntools")
    fetched = set(os.listdir(FETCHED)) if os.path.isdir(FETCHED) else set()
    for name in sorted(fetched - {"alt-ergo"}):
        complaints.fail(f"{FETCHED}/{name} would be run in the place of the installed one")
    for name, command in (("Frama-C", ["frama-c", "-version"]), ("Why3", ["why3", "--version"]),
                          ("Alt-Ergo", ["alt-ergo", "-version"]), ("Z3", ["z3", "--version"]),
                          ("CVC4", ["cvc4", "--version"]), ("Coq", ["coqc", "--version"])):
        print(f"  {name:<9} {version(*command)}")
