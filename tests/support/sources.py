"""Reading the tree's own sources, for tests/lint: layers, namespace, lengths and deadnames.

C is read as clang-format lays it out: a function begins at the left margin and ends with a brace there.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FUNCTION = re.compile(r"^(?!START_TEST)[A-Za-z_][^;{}=#()]*?\b(\w+)"
                      r"\((?:[^;{}=()]|\([^()]*\))*\) \{$|^START_TEST\((\w+)\) \{$", re.M)


def files(folders, endings):
    """The paths, from the root, of the files below some folders whose names end so."""
    found = []
    for folder in folders:
        for place, inner, names in os.walk(os.path.join(ROOT, folder)):
            inner[:] = [name for name in inner if not name.startswith((".", "__"))]
            found += [os.path.relpath(os.path.join(place, name), ROOT) for name in names if name.endswith(endings)]
    return sorted(found)


def read(path):
    if path.endswith((".png", ".svg")) or path.startswith("tests/fuzz/seeds/"):  # not written by hand
        return ""
    with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
        return stream.read()


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code(text):
    """C without its comments and strings; every line keeps its number."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", blank, text, flags=re.S)


def functions(text):
    """Name, first and last line of every function defined in C text."""
    bare = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*", blank, code(text), flags=re.M)
    bare = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", lambda match: "_" * len(match.group()), bare)
    for match in FUNCTION.finditer(bare):
        end = bare.find("\n}", match.end())
        yield match.group(1) or match.group(2), line_of(bare, match.start()), line_of(bare, end + 1)


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def report(name, faults, fine):
    """Prints the faults, or the one line that says what was found in order; ends the script."""
    for fault in faults:
        print(f"{name}: {fault}", file=sys.stderr)
    if not faults:
        print(f"{name}: {fine}")
    sys.exit(1 if faults else 0)
