"""Rows of the table of `make bench` (README.md), and what a command takes."""
import collections
import functools
import os
import subprocess
import tempfile

FIELDS = ["work", "ours", "peer", "limit", "ratio", "wanted", "peak"]
UNJUDGED = "-"  # `wanted` of a row that only tells
Cost = collections.namedtuple("Cost", "wall cpu peak")  # seconds, seconds, MB


def put(work, ratio, wanted, *, ours, peer="-", limit="-", peak="-"):
    """One row. `ratio` is a number; `peak` is one of megabytes, or "-"."""
    assert (peer, limit) != ("-", "-"), "a figure without its peer"
    peak = peak if isinstance(peak, str) else f"{peak:.0f}"
    print(work, ours, peer, limit, f"{ratio:.3g}", wanted, peak, sep="\t", flush=True)


def has_peer(line):
    """Whether a row is beside another program, not the machine's limit alone."""
    return line[2] != "-"


def meets(ratio, wanted):
    if wanted == UNJUDGED:
        return True
    sign, bound = wanted.split()
    return float(ratio) >= float(bound) if sign == ">=" else float(ratio) <= float(bound)


def measure(command, **streams):
    """Runs a command that must succeed; what it took, and its own peak (cost.c)."""
    streams.setdefault("stdout", subprocess.DEVNULL)
    streams.setdefault("stderr", subprocess.DEVNULL)
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as result:
        subprocess.run([compiled("cost"), result.name, *command], check=True, **streams)
        wall, cpu, peak = map(float, result.read().split())
    return Cost(wall, cpu, peak / 1024)


@functools.lru_cache
def compiled(name):
    """Builds tests/bench/NAME.c and returns the program's path."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compile")
    return subprocess.run([script, name], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
