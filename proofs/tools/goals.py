"""Reads what WP reports: properties, how many goals each has, how many of them are proved."""
import re
from collections.abc import Iterator
from typing import Any

Report = dict[str, Any]
Goals = tuple[int, int]  # goals, proved


def properties(report: Report) -> Iterator[tuple[str, str, int, int]]:
    """Yields (function or '(lemmas)', property, goals, proved)."""
    for group in ("wp:axiomatics", "wp:functions"):
        for owner, entries in report.get(group, {}).items():
            for name, found in entries.items():
                if name != "wp:section" and "wp:main" in found:
                    main = found["wp:main"]
                    yield "(lemmas)" if group == "wp:axiomatics" else owner, name, main["total"], main.get("valid", 0)


def is_smoke(name: str) -> bool:
    return "wp_smoke" in name


def counts(report: Report) -> dict[str, Goals]:
    """How many goals each property has and how many of them are proved."""
    return {name: (total, valid) for _, name, total, valid in properties(report) if not is_smoke(name)}


def smoke_tests(report: Report) -> dict[str, Goals]:
    """{function: (tests, passed)}."""
    found: dict[str, Goals] = {}
    for function, name, total, valid in properties(report):
        if is_smoke(name):
            tests, passed = found.get(function, (0, 0))
            found[function] = (tests + total, passed + valid)
    return found


def unnumbered(name: str) -> str:
    return re.sub(r"_\d+$", "", name)


def alike(report: Report) -> dict[tuple[str, str], Goals]:
    """{(function, name without its number): (goals, proved)}: WP numbers the preconditions of calls over all functions of a
    run, so that a narrower run gives them other numbers; all of one name in one function are the same in both."""
    found: dict[tuple[str, str], Goals] = {}
    for function, name, total, valid in properties(report):
        if not is_smoke(name):
            goals, proved = found.get((function, unnumbered(name)), (0, 0))
            found[function, unnumbered(name)] = (goals + total, proved + valid)
    return found


def label_options(name: str) -> set[str] | None:
    """What -wp-prop has to say to pick this property; None when no label does."""
    # The last such word: functions may be named after one, too.
    named = re.search(r"^(?:lemma|.*_(assert|ensures|invariant|requires|assigns|variant))_?(\w*?)(_\d+|)$", name)
    if not named:
        return None
    kind, label, number = named.groups()
    if label.startswith("rte_"):
        return {"rte"}
    if kind in ("assigns", "variant"):
        return {"@" + kind}
    return {label, label + number}  # WP's own number, or the end of a label such as bits_32


def labels(left: list[tuple[str, str]]) -> list[str]:
    """What -wp-prop has to say to pick all of these (function, property); nothing when it can not."""
    found = [label_options(name) for _, name in left]
    return [] if None in found else sorted({label for some in found if some for label in some})


def selection(left: list[tuple[str, str]]) -> list[str]:
    """WP's options for these (function, property): by function and by label, which may pick some more."""
    functions = sorted({function for function, _ in left if function != "(lemmas)"})
    return (["-wp-prop", ",".join(labels(left))] if labels(left) else []) + \
           (["-wp-fct", ",".join(functions)] if functions else [])


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
