"""Whether the compiler and Frama-C get the same words out of core/*.c: each file is preprocessed with the flags of every
compilation that the Makefile makes of it, and with Frama-C's, and what comes out of files of the core is compared. Macros that
only one of them knows (__STDC_HOSTED__, a -D in the Makefile) show here, whatever they are called."""
import functools
import os
import re
import shlex
import subprocess
from collections.abc import Iterator

from project import files
from texts.c_text import words

TARGETS = ["build/fumata", "build/libfumata.a", "build/libfumata.so", "build/libfumata-door.so"]
LITERAL = re.compile(r"\(\d\w*\)")
PLACE = re.compile(r'# \d+ "([^"]*)"')


def said(command: list[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
    if done.returncode:
        raise SystemExit(f"text: {' '.join(command)}:\n{done.stdout.strip()}")
    return done.stdout


def compilations() -> Iterator[tuple[str, list[str]]]:
    """(file of the core, the command that preprocesses it as it is compiled), for each object that the Makefile makes."""
    for line in said(["make", "-n", "-B", *TARGETS]).splitlines():
        if re.search(r" -o build/core/\S+\.o ", line):
            command = shlex.split(line)
            at = command.index("-o")
            options = [word for word in command[1:at] + command[at + 2:-1] if word not in ("-MMD", "-MP")]  # which write files
            yield command[-1], ["gcc", *options, "-E", command[-1]]


@functools.cache
def framac_preprocesses() -> tuple[str, ...]:
    """Frama-C's own command, without what it keeps and writes, for a file to be added."""
    text = said(["frama-c", "-machdep", "x86_64", "-cpp-extra-args=-Icore -Ispecs", "-print-cpp-commands", files("core/*.c")[0]])
    command = shlex.split(next(line for line in text.splitlines() if " -E " in line))
    return tuple(part for part in command[:command.index("-o") - 1] if part not in ("-C", "-dD"))


def plain(texts: list[str]) -> Iterator[str]:
    """Numbers in decimal, without suffix and parentheses: those are stdint.h's, of which there are two."""
    for at, text in enumerate(texts):
        if text[0].isdigit():
            yield str(int(text.rstrip("uUlL"), 0))
        elif not (text == "(" and LITERAL.match("".join(texts[at:at + 3])) or
                  text == ")" and LITERAL.match("".join(texts[max(0, at - 2):at + 1]))):
            yield text


def core_words(command: list[str]) -> list[str]:
    """What comes out of files of the core."""
    found, inside = [], False
    for line in said(command).splitlines():
        place = PLACE.match(line)
        if place:
            inside = place.group(1)[:1] != "<" and os.path.dirname(os.path.relpath(place.group(1))) == "core"
        elif inside:
            found += [word.text for word in words(line, 1)]
    return list(plain(found))


def difference(path: str, compiled: list[str], proved: list[str]) -> Iterator[str]:
    """The first, with what stands before it."""
    if compiled != proved:
        pairs = enumerate(zip(compiled, proved))
        at = next((n for n, (one, other) in pairs if one != other), min(len(compiled), len(proved)))
        before, one, other = (" ".join(part) for part in (proved[max(0, at - 6):at], compiled[at:at + 6], proved[at:at + 6]))
        yield f"{path}: after `{before}` the compiler reads `{one}`, and Frama-C `{other}`"


def faults() -> list[str]:
    proved = {path: core_words([*framac_preprocesses(), path]) for path in files("core/*.c")}
    found: dict[str, list[str]] = {path: [] for path in proved}
    for path, command in compilations():
        found.setdefault(path, []).append("")
        found[path] += difference(path, core_words(command), proved.get(path, []))
    missing = [f"{path} is proved and not compiled" for path, lines in found.items() if not lines]
    return missing + list(dict.fromkeys(line for lines in found.values() for line in lines if line))
