"""Verdicts that are kept in build/mutants/verdicts, so that a run that was cut goes on where it ended.

A verdict is kept under a hash of all that it depends on, so that one of another text cannot pass for one of this: the edited
text with what it includes, the limits, the tools and their versions. Comments and layout are left out, and so are the bodies
of other functions, of which WP reads the contracts only."""
import ast
import functools
import glob
import hashlib
import json
import os
import re
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from mutation.edits import blank, functions
from project import WP, files, read

KEPT = "build/mutants/verdicts"
VERSIONS = (["frama-c", "-version"], ["build/tools/bin/alt-ergo", "-version"], ["why3", "--version"], ["coqc", "--version"])
WP_JUDGES = ("attempt", "verdicts")
COQ_JUDGES = ("noticed", "replay", "coq_session", "coq_library", "coq_items", "witness", "verdicts")


def hashed(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def plain(text: str) -> str:
    """Without comments, those within annotations included, and on one line."""
    text = re.sub(r"/\*(?!@).*?\*/|//(?!@)[^\n]*", " ", text, flags=re.S)
    return " ".join(text.split())


def other_bodies_left_out(text: str, function: str) -> str:
    for name, start, end in reversed(list(functions(blank(text)))):
        if name != function:
            text = text[:start] + text[end:]
    return text


def script(name: str) -> str:
    """A tool's text without comments, layout and imports: where the others lie does not change what it does."""
    [path] = glob.glob(f"proofs/tools/**/{name}.py", recursive=True)
    tree = ast.parse(read(path))
    tree.body = [part for part in tree.body if not isinstance(part, (ast.Import, ast.ImportFrom))]
    return ast.dump(tree)


@functools.cache
def tools(judges: tuple[str, ...]) -> str:
    """What judges: its versions, and the text of the scripts."""
    said = [subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout for command in VERSIONS
            if "/" not in command[0] or os.path.exists(command[0])]
    wp = [line for path in files(WP, "proofs/tools/first-opinion*", "proofs/tools/unneeded.drv", "proofs/tools/mutation/remembered")
          for line in read(path).splitlines() if not line.lstrip().startswith("#")]
    return hashed(*said, *wp, *map(script, judges))


def of_function(text: str, function: str, *more: object) -> str:
    """The key of what WP says of a function in a file of this text, which lies in core/."""
    whole = subprocess.run(["gcc", "-E", "-CC", "-P", "-D__FRAMAC__", "-Icore", "-Ispecs", "-"], input=text, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, check=False).stdout
    return hashed(tools(WP_JUDGES), plain(other_bodies_left_out(whole or text, function)), function, *map(str, more))


def of_core(edited: dict[str, str], *more: object) -> str:
    """The key of what WP says of any function, with these files replaced."""
    texts = {path: read(path) for path in files("core/*.[ch]", "specs/*.acsl")} | edited
    return hashed(tools(WP_JUDGES + COQ_JUDGES), *(plain(part) for pair in texts.items() for part in pair), *map(str, more))


def of_texts(texts: dict[str, str], edited: dict[str, str], *more: object) -> str:
    """The key of what Coq says of these files, with some of them edited."""
    return hashed(tools(COQ_JUDGES), *(part for pair in (texts | edited).items() for part in pair), *map(str, more))


class Verdicts:
    """Those of earlier runs, and those of this one, which are written as they come."""

    def __init__(self, fresh: bool) -> None:
        os.makedirs(os.path.dirname(KEPT), exist_ok=True)
        self.turn, self.used = threading.Lock(), 0
        lines = read(KEPT).splitlines() if os.path.exists(KEPT) and not fresh else []
        self.known: dict[str, list[Any]] = dict(found for found in map(parsed, lines) if found)

    def get(self, key: str) -> list[Any] | None:
        found = self.known.get(key)
        with self.turn:
            self.used += found is not None
        return found

    def put(self, key: str, verdict: Sequence[Any]) -> None:
        """Nothing is kept under no key."""
        if not key:
            return
        with self.turn, open(KEPT, "a", encoding="utf-8") as file:
            self.known[key] = list(verdict)
            file.write(json.dumps([key, *verdict]) + "\n")


def parsed(line: str) -> tuple[str, list[Any]] | None:
    """None for a line that was cut."""
    try:
        key, *verdict = json.loads(line)
    except ValueError:
        return None
    return key, verdict
