"""Where things are, and which files are proved. Every script works from the top of the tree: call enter() first."""
import glob
import os
import re

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(HOME, "build", "verify")  # what Frama-C said
EXPECTED = "proofs/expected"
DRIVERS = "proofs/wp"  # the folder of history_*.c and lemma_*.c
WP = "proofs/tools/wp"
WHY3 = "build/why3.conf"  # which tools/wp makes
KEPT = {"PATH", "HOME", "USER", "LANG", "LC_ALL", "TERM", "TMPDIR"}  # of the environment
AMALGAMATED = "build/amalgamated/fumata-core.c"


def enter() -> None:
    """And without what the environment could tell Frama-C, Why3 or Coq: other preprocessors, libraries, configurations."""
    os.chdir(HOME)
    for name in set(os.environ) - KEPT:
        del os.environ[name]


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def files(*patterns: str) -> list[str]:
    """Those of the first pattern in order, then those of the next."""
    return [path for pattern in patterns for path in sorted(glob.glob(pattern))]


def wp_sources() -> list[str]:
    """The core, then the drivers that speak about several calls of it."""
    return files("core/*.c", f"{DRIVERS}/lemma_*.c", f"{DRIVERS}/history_*.c")


def annotated() -> list[str]:
    """Every file with ACSL in it."""
    return sorted(files("core/*.[ch]", "specs/*.acsl", f"{DRIVERS}/*.[ch]"))


def stem(source: str) -> str:
    return os.path.splitext(os.path.basename(source))[0]


def functions_of(source: str) -> list[str]:
    """The functions that a file defines, ghost ones included."""
    return sorted(set(re.findall(r"\b(fumata_\w+)\([^;{}()]*\) \{", read(source))))
