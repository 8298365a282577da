"""Teachers are not heard: what they print, from Python or from C, may tell of private records.

Streams, descriptors, warnings and the global generators are one to a process. So there is one lock for all that changes them,
and two fits at once take turns with it, a teacher each."""
import contextlib
import ctypes
import io
import os
import sys
import threading
import warnings
from typing import Iterator

lock = threading.RLock()
_libc = ctypes.CDLL(None)


def _flush() -> None:
    """What was printed before is out, and what a teacher left in C's buffers is not said later."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    _libc.fflush(None)


@contextlib.contextmanager
def _descriptor_away(fd: int, nowhere: int) -> Iterator[None]:
    try:
        kept = os.dup(fd)
    except OSError:  # closed: there is nothing to hear
        yield
        return
    try:
        os.dup2(nowhere, fd)
        yield
    finally:
        _libc.fflush(None)
        os.dup2(kept, fd)
        os.close(kept)


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Nothing is heard: neither sys.stdout and sys.stderr nor what C code writes to their descriptors, nor warnings."""
    with lock, warnings.catch_warnings(), open(os.devnull, "wb") as nowhere:
        warnings.simplefilter("ignore")
        _flush()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
                _descriptor_away(1, nowhere.fileno()), _descriptor_away(2, nowhere.fileno()):
            yield
