"""Reads what WP reports: properties, how many goals each has, how many of them are proved."""
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

Report = dict[str, Any]
Goals = tuple[int, int]  # goals, proved
FIRST, SECOND = "Alt-Ergo:alone", "CVC4-or-Z3:in-turn"  # as tools/wp names them


def entries(report: Report) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yields (function or '(lemmas)', property, what each prover says of it)."""
    for group in ("wp:axiomatics", "wp:functions"):
        for owner, found in report.get(group, {}).items():
            for name, entry in found.items():
                if name != "wp:section" and "wp:main" in entry:
                    yield "(lemmas)" if group == "wp:axiomatics" else owner, name, entry


def is_smoke(name: str) -> bool:
    return "wp_smoke" in name


class Opinion(NamedTuple):
    """What is known of one property."""
    function: str
    name: str
    goals: int
    first: int  # proved by Alt-Ergo
    second: int  # proved by CVC4 or Z3


def opinions(report: Report) -> Iterator[Opinion]:
    """What Qed proves while the goals are made is taken for proved by both."""
    for function, name, found in entries(report):
        if not is_smoke(name):
            at_once, first, second = (found.get(prover, {}).get("valid", 0) for prover in ("qed", FIRST, SECOND))
            yield Opinion(function, name, found["wp:main"]["total"], at_once + first, at_once + second)


def smoke_tests(report: Report) -> dict[str, Goals]:
    """{function: (tests, passed)}. WP writes `valid` where a prover found no contradiction. It calls a test passed when one of
    them found none; here each was asked, and each found none. Qed is there only when it found one."""
    found: dict[str, Goals] = {}
    for function, name, entry in entries(report):
        if is_smoke(name):
            tests, passed = found.get(function, (0, 0))
            total = entry["wp:main"]["total"]
            silent = [said.get("valid", 0) for said in (entry.get(FIRST, {}), entry.get(SECOND, {}))]
            found[function] = (tests + total, passed + (0 if "qed" in entry else min(silent)))
    return found


WARNING = re.compile(r"^\[[^\]]+\] (?:(\S+): )?Warning:\s*(.*)$", re.M)


def warnings(text: str) -> list[str]:
    """What Frama-C warns of, each with its place: none is harmless. A smoke test that fails is counted as such."""
    return [f"{place}: {said}" if place else said for place, said in WARNING.findall(text) if said != "Failed smoke-test"]


def taken_for_granted(text: str) -> list[tuple[str, str]]:
    """What WP used and did not prove in this file, as (owner, what): it shows in -report and nowhere else."""
    owner, taken = "", []
    for line in text.splitlines():
        section = re.match(r"--- (?:Properties of Function '(\w+)'|Global Properties)", line)
        if section:
            owner = section.group(1) or "(global)"
        extern = re.match(r"\[ Extern  \] (.*)", line)
        if extern:
            taken.append((owner, re.sub(r" \(file .*", "", extern.group(1))))
    return taken
