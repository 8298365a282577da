"""Whether WP and the Coq generator have read the same: what Frama-C prints of each run of WP against what the generator read.

The generator writes its trees down once more, each part in parentheses and each constant as a number (acsl_again.py), under
other names. Frama-C reads that and prints it, and it must print the definitions, contracts and constants that it read in every
run in the same words: then no macro, no shadowing file and no rule of precedence came between the two readers. Structs and
enums are compared field by field. All runs must agree with each other: a contract that one file's run assumes is the one
that another file's run proves.
"""
import os
import re
import subprocess
from collections.abc import Iterator

from acsl2coq.acsl_contract import contracts
from acsl2coq.acsl_file import definitions
from acsl2coq.c_types import Headers, Struct
from acsl2coq.coq_made import MACHINES
from project import OUT, files, read, write
from wp_runs.acsl_again import Again
from wp_runs.printed import Printed

ENDING = "_again"
CONSTANT = "FumataConstant_"
BEHAVIOURS = re.compile(r"(?:complete|disjoint) behaviors [^;]*; ?")  # proved, and not read by the generator
LABEL = re.compile(r"\b(requires|ensures|assumes) \w+ : ")
FRAMAC = ["frama-c", "-machdep", "x86_64", "-cpp-extra-args=-Icore -Ispecs", "-no-unicode", "-print"]


class Reading:
    """What the generator has read, as Frama-C prints it."""

    def __init__(self) -> None:
        headers = Headers()
        again = Again(headers.defined)
        specs = [found for path in files("specs/*.acsl") for found in definitions(path)]
        machines = [found for path in MACHINES for found in contracts(path)]
        lines = [f'#include "{os.path.basename(path)}"\n' for path in files("core/*.h")]
        lines += [again.definition(found, ENDING) for found in specs] + [again.contract(found, ENDING) for found in machines]
        lines += [f"/*@ predicate {CONSTANT}{name} = {name} == {value}; */\n" for name, value in headers.defined.items()]
        source, target = f"{OUT}/again.c", f"{OUT}/again.i"
        write(source, "".join(lines))
        done = subprocess.run([*FRAMAC, "-ocode", target, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode or "Warning" in done.stdout:
            raise SystemExit(f"verify: Frama-C does not understand what the Coq generator has read:\n{done.stdout.strip()}")
        found = Printed(target)
        self.definitions = {d.name: found.definitions[d.name + ENDING].replace(d.name + ENDING, d.name, 1) for d in specs}
        self.contracts = {c.function: only_read(found.contracts[c.function + ENDING]) for c in machines}
        self.constants = {name: found.definitions[CONSTANT + name] for name in headers.defined}
        self.headers = headers

    def faults(self, runs: dict[str, Printed], whole: bool) -> Iterator[str]:
        """Of what these runs of WP have read, which are all runs or some."""
        seen: dict[str, tuple[str, str]] = {}
        for source, printed in runs.items():
            yield from alone(source, printed)
            yield from self.against_generator(source, printed)
            yield from against_others(source, printed, seen)
        for name, text in self.constants.items():
            one, other = text.partition(" = ")[2].rstrip(" ;").split(" = = ")
            if one != other:
                yield f"core/: {name} is {one} for Frama-C and {other} for the Coq generator"
        yield from self.unread(runs) if whole else ()

    def unread(self, runs: dict[str, Printed]) -> Iterator[str]:
        """What the generator has read and no run of WP: a file that none includes, a contract of no function."""
        for what in ("definitions", "structs"):
            read_by_wp = {name for printed in runs.values() for name in getattr(printed, what)}
            mine = self.definitions if what == "definitions" else self.headers.structs
            yield from (f"{name} is read by the Coq generator and by no run of WP" for name in sorted(set(mine) - read_by_wp))
        bodies = {name for source, printed in runs.items() for name in printed.bodies if source.startswith("core/")}
        yield from (f"{name} has a contract for the Coq generator and no body in core/" for name in sorted(set(self.contracts) - bodies))

    def against_generator(self, source: str, printed: Printed) -> Iterator[str]:
        for name in printed.definitions.keys() & self.definitions.keys():
            if printed.definitions[name] != self.definitions[name]:
                yield f"{source}: WP and the Coq generator read {name} in two ways: {two(printed.definitions[name], self.definitions[name])}"
        for name in printed.contracts.keys() & self.contracts.keys():
            if only_read(printed.contracts[name]) != self.contracts[name]:
                yield (f"{source}: WP and the Coq generator read the contract of {name} in two ways: "
                       f"{two(only_read(printed.contracts[name]), self.contracts[name])}")
        for name in printed.structs.keys() & self.headers.structs.keys():
            if fields(printed.structs[name]) != fields_of(self.headers.structs[name]):
                yield f"{source}: WP and the Coq generator read struct {name} in two ways"
        for name in printed.constants.keys() & self.headers.constants.keys():
            if printed.constants[name] != self.headers.constants[name]:
                yield f"{source}: WP and the Coq generator read {name} in two ways"


def only_read(contract: str) -> str:
    return LABEL.sub(r"\1 ", BEHAVIOURS.sub("", contract)).strip()


def two(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    ones, others = one.split(), other.split()
    at = next((n for n, pair in enumerate(zip(ones, others)) if pair[0] != pair[1]), min(len(ones), len(others)))
    return f"`{' '.join(ones[at:at + 8])}` and `{' '.join(others[at:at + 8])}`"


def fields(text: str) -> list[str]:
    return [" ".join(part.replace("const", "").split()) for part in text.split(";") if part.strip()]


def fields_of(struct: Struct) -> list[str]:
    return [f"{f.kind}{' *' if f.pointer else ''} {f.name}" for f in struct.fields]


def alone(source: str, printed: Printed) -> Iterator[str]:
    """What is wrong with one run by itself."""
    yield from (f"{source}: an annotation that is not known: {text}" for text in printed.strange)
    for name, contract in printed.contracts.items():
        for clause in ("terminates \\true ;", "exits \\false ;", "assigns "):
            if clause not in contract:
                yield f"{source}: the contract of {name} does not say {clause.rstrip(' ;')}"
    yield from (f"{source}: {name} is a recursion that may not end" for name, text in printed.definitions.items()
                if not is_plain(name, text))


def is_plain(name: str, text: str) -> bool:
    """Not recursive, or n <= k ? (without itself) : (itself at n - 1, wherever it stands)."""
    head, _, body = text.partition(" = ")
    if not re.search(rf"\b{name}\b", body):
        return True
    parameters = [part.split()[-1] for part in head[head.index("( ") + 2:head.rindex(")")].split(",")]
    shape = re.match(r"(\w+) < = (?:- )?\d+ \? ((?:(?! : | \? ).)*) : ", body)
    if not shape or shape.group(1) not in parameters or re.search(rf"\b{name}\b", shape.group(2)):
        return False
    place, step = parameters.index(shape.group(1)), f"{shape.group(1)} - 1"
    return all(found[place:place + 1] == [step] for found in calls(name, body))


def calls(name: str, body: str) -> Iterator[list[str]]:
    """The arguments of each call."""
    for found in re.finditer(rf"\b{name} \( ", body):
        depth, parts = 0, [""]
        for word in body[found.end():].split():
            if word == ")" and depth == 0:
                break
            depth += {"(": 1, ")": -1}.get(word, 0)
            if word == "," and depth == 0:
                parts.append("")
            else:
                parts[-1] = f"{parts[-1]} {word}".strip()
        yield parts


def against_others(source: str, printed: Printed, seen: dict[str, tuple[str, str]]) -> Iterator[str]:
    """What core/ and specs/ declare is the same in every run; a driver's own names are its own."""
    declared = set(re.findall(r"\b(?:fumata_|Fumata)\w+(?=\(|\{L)", "".join(map(read, files("core/*.h", "specs/*.acsl")))))
    for name, text in [*printed.definitions.items(), *printed.contracts.items()]:
        if name in declared and seen.setdefault(name, (text, source))[0] != text:
            yield f"{source} and {seen[name][1]} have read {name} in two ways: {two(text, seen[name][0])}"
