"""Whether the amalgamated file is the core that was proved: the same text, and no function besides."""
import os
import re
import subprocess

from project import AMALGAMATED, files, functions_of, read


def pieces(text: str) -> list[str]:
    """What stands between the lines that amalgamating replaces."""
    return [piece for piece in re.split(r"^#include .*\n", text, flags=re.M) if piece]


def annotated_functions() -> set[str]:
    """Every function of the amalgamated file, ghost ones included, as Frama-C finds them."""
    folder = os.path.dirname(AMALGAMATED)
    done = subprocess.run(["frama-c", "-machdep", "x86_64", f"-cpp-extra-args=-I{folder}", "-rte", AMALGAMATED], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    return set(re.findall(r"annotating function (\w+)", done.stdout))


def differences() -> list[str]:
    whole = read(AMALGAMATED) + read(os.path.join(os.path.dirname(AMALGAMATED), "fumata.h"))
    parts = files("core/*.[ch]", "specs/*.acsl")
    found = [f"{path}: not in the amalgamated file as it is" for path in parts
             if any(piece not in whole for piece in pieces(read(path)))]
    core = {name for path in files("core/*.c") for name in functions_of(path)}
    there = annotated_functions()
    found += [f"{name}: in the amalgamated file, and not in core/" for name in sorted(there - core)]
    return found + [f"{name}: in core/, and not in the amalgamated file" for name in sorted(core - there)]
