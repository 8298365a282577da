"""A copy of what is proved, to be broken: core/, specs/, proofs/ and the Makefile, with the Coq files that are compiled
already."""
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from project import HOME, WP, read, write


@contextmanager
def broken(change: str | None = None, texts: dict[str, str] | None = None, coq_too: bool = True) -> Iterator[str]:
    """The folder of a copy with this patch applied and these files replaced; compiled Coq files only when wanted."""
    with tempfile.TemporaryDirectory() as there:
        for folder in ("core", "specs", "proofs"):
            place = shutil.copytree if change or any(path.startswith(folder) for path in texts or {}) else os.symlink
            place(os.path.join(HOME, folder), os.path.join(there, folder))
        shutil.copy(os.path.join(HOME, "Makefile"), there)
        os.mkdir(os.path.join(there, "build"))
        if coq_too and os.path.isdir(os.path.join(HOME, "build", "coq")):
            shutil.copytree(os.path.join(HOME, "build", "coq"), os.path.join(there, "build", "coq"))
        configured()
        for made in ("tools", "why3.conf"):
            os.symlink(os.path.join(HOME, "build", made), os.path.join(there, "build", made))
        if change:
            apply(change, there)
        for path, text in (texts or {}).items():
            write(os.path.join(there, path), text)
        yield there


@functools.cache
def configured() -> None:
    """Any call of WP makes the Why3 configuration if there is none; copies use that one."""
    subprocess.run([os.path.join(HOME, WP), "-version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def apply(patch: str, there: str) -> None:
    done = subprocess.run(["patch", "-s", "-p1", "-i", os.path.abspath(patch)], cwd=there, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"mutate: {os.path.basename(patch)} does not apply: {done.stdout.strip()}")


def coq(there: str, *stems: str) -> tuple[bool, str]:
    """Does the Coq part of that copy pass, up to these files? And what it says."""
    done = subprocess.run([os.path.join(there, "proofs/coq/build"), "--brief", *stems], cwd=there, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout


def changed(source: str, patch: str) -> str:
    """The text of `source` with this patch applied."""
    with broken(patch, coq_too=False) as there:
        return read(os.path.join(there, source))
