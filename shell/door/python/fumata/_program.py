"""The fumata program as a child process: `learn` and `predict` run in the program itself.

Private rows reach it by anonymous memory (memfd), which has no name in any folder and disappears with the last process
that holds it. A separate process shares no threads, generators, streams or signals with Python, keeps its memory from being
dumped, and may be stopped at any time: its paid answers are in the ledger."""
import fcntl
import functools
import os
import shutil
import subprocess
import threading
from typing import Any, Callable, Optional, Sequence

from ._library import Error, as_arguments, failure, version

Line = Callable[[str], None]


@functools.lru_cache(maxsize=None)
def _checked(path: str) -> str:
    said = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    if said.stdout.split() != ["fumata", version()]:
        raise Error(f"{path} is not the program of this package, which has version {version()}: {said.stdout.strip()[:200]}")
    return path


def find() -> str:
    """The program: FUMATA_PROGRAM, the wheel's, the source tree's, the one installed beside the package, or that of PATH."""
    here = os.path.dirname(os.path.abspath(__file__))
    up = os.pardir
    places = [os.environ.get("FUMATA_PROGRAM"), os.path.join(here, "program", "fumata"),
              os.path.join(here, up, up, up, up, "build", "fumata"), os.path.join(here, up, up, up, up, "bin", "fumata")]
    for place in places:
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return _checked(os.path.realpath(place))
    found = shutil.which("fumata")
    if found:
        return _checked(found)
    raise Error("the fumata program is not there: run make, install it, or set FUMATA_PROGRAM; an estimator of Python's "
                "(estimator=LogisticRegression()) does without")


class Memory:
    """A file without a name, in memory. `path` names it in a child that gets its descriptor."""

    def __init__(self) -> None:
        made = os.memfd_create("fumata")
        try:  # not 0, 1 or 2, which the child has others for: a worker of joblib may have closed its own
            self.fd = fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, 3)
        finally:
            os.close(made)
        self.path = f"/proc/self/fd/{self.fd}"

    def stream(self) -> Any:
        """A stream to write to; closing it leaves the file."""
        return os.fdopen(os.dup(self.fd), "wb")

    def write(self, data: bytes) -> "Memory":
        with self.stream() as stream:
            stream.write(data)
        return self

    def read(self) -> bytes:
        with os.fdopen(os.dup(self.fd), "rb") as stream:
            stream.seek(0)
            return bytes(stream.read())

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def in_python(line: str, names: "dict[str, str]") -> str:
    """The program's message for a Python caller: files and options by the names of their arguments."""
    line = line[len("fumata: "):] if line.startswith("fumata: ") else line
    for path, name in sorted(names.items(), key=lambda item: -len(item[0])):
        line = line.replace(path, name)
    return as_arguments(line)


def run(arguments: Sequence[str], files: "dict[str, Memory]", on_line: Optional[Line] = None,
        environment: "Optional[dict[str, str]]" = None) -> "tuple[str, list[str]]":
    """Returns standard output and the lines of stderr; an exit code that is not 0 becomes an exception.

    `files` are the child's, by their names in errors. The child is always stopped and waited for."""
    names = {file.path: name for name, file in files.items()}
    child = subprocess.Popen([find(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, errors="replace",
                             pass_fds=[file.fd for file in files.values()],
                             env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **(environment or {})})
    errors: list[str] = []

    def listen(stream: Any, heard: Line) -> None:
        for line in stream:
            heard(line.rstrip("\n"))

    def complain(line: str) -> None:
        errors.append(line)

    other = threading.Thread(target=listen, args=(child.stderr, complain), daemon=True)
    other.start()
    said: list[str] = []
    told = 0
    try:
        assert child.stdout is not None
        for line in child.stdout:
            said.append(line)
            if on_line:
                for one in [*errors[told:], line.rstrip("\n")]:
                    on_line(in_python(one, names))
                told = len(errors)
        code = child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()
        other.join()
        for stream in (child.stdout, child.stderr):
            if stream is not None:
                stream.close()
    lines = [in_python(line, names) for line in errors]
    if code:
        raise failure(code, lines[-1] if lines else f"the fumata program ended with {code}")
    return "".join(said), lines
