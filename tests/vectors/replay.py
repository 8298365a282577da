#!/usr/bin/python3
"""The vectors once more, by an implementation that shares no line with the core: tests/vectors/replay.py FILE.json

It is what somebody who reads MECHANISM.md and this file would write; what it computes must be what the core has said."""
import json
import sys
from typing import Any

HALF = 2**63
PLACE_MAX = 1023


def word(text: str) -> int:
    return int(text, 16)


def plan(vectors: dict[str, Any], kind: str) -> tuple[list[int], int]:
    """The table and the limit of the plan of this kind that is certified."""
    [found] = [p for p in vectors["plans"] if p["kind"] == kind and p["certified"] == 0]
    return [word(entry) for entry in found["table"]], found["limit"]


def named(table: list[int], away: int, coin: int) -> bool:
    """Whether the winner of a duel is named."""
    return coin < (table[min(away, len(table)) - 1] if away else HALF)


def distance(gap: int) -> int:
    """How many teachers stand between a gap and a tie."""
    return max(0, (gap - 1) // 2)


def ballot(one: dict[str, Any]) -> dict[str, Any]:
    counts = [one["votes"].count(label) for label in range(one["classes"])]
    winner = counts.index(max(counts))
    rest = max(count for label, count in enumerate(counts) if label != winner)
    a, b = one["duel"]["between"]
    first, second = (a, b) if counts[a] >= counts[b] else (b, a)
    return {"counts": counts, "winner": winner, "distance": distance(counts[winner] - rest),
            "duel": {"between": [a, b], "winner": first, "loser": second, "distance": distance(counts[first] - counts[second])}}


def life(steps: list[dict[str, Any]], table: list[int], left: int, is_toll: bool) -> list[dict[str, Any]]:
    """Of a meter whose winner is class 1, or of a toll between class 2, the winner, and class 5."""
    reserved, said = 0, []
    for step in steps:
        away, coin = step["distance"], word(step["coin"])
        if not reserved and left:
            reserved, left = 1, left - 1
        if not reserved:
            said.append({"status": -9, "answer": -2, "left": left, "reserved": reserved})
            continue
        if is_toll:
            answer = 2 if named(table, away, coin) else 5
        else:
            is_silent = not away or coin < table[min(away, len(table)) - 1]
            answer = -1 if is_silent else 1
        reserved -= is_toll or answer == -1
        said.append({"status": 0, "answer": answer, "left": left, "reserved": reserved})
    return said


def clipped(place: int) -> int:
    return max(-PLACE_MAX, min(PLACE_MAX, place))


def polls(questions: list[dict[str, Any]], table: list[int], votes: int) -> list[dict[str, Any]]:
    uses, said = [0] * len(questions[0]["labels"]), []
    for question in questions:
        centre, total = clipped(question["centre"]), 0
        distances = [(clipped(place) - centre) ** 2 for place in question["first_coordinates"]]
        for r, label in enumerate(question["labels"]):
            weight = question["weights"][label]
            if distances[r] <= question["radius"] and weight and uses[r] < votes:
                uses[r] += 1
                total += weight
        lead = abs(total) // question["most"] * (1 if total > 0 else -1)
        is_named = named(table, abs(lead), word(question["coin"]))
        said.append({"distances": distances, "uses": list(uses), "lead": lead, "status": 0,
                     "yes": int(is_named == (lead >= 0))})
    return said


def differences(part: str, given: list[dict[str, Any]], computed: list[dict[str, Any]]) -> list[str]:
    return [f"{part} {i}: {name} is {one[name]}, computed {value}" for i, (one, other) in enumerate(zip(given, computed, strict=True))
            for name, value in other.items() if one[name] != value]


def main(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    lost = differences("ballots", vectors["ballots"], [ballot(one) for one in vectors["ballots"]])
    for part in ("meter", "toll"):
        table, limit = plan(vectors, part)
        lost += differences(part, vectors[part], life(vectors[part], table, limit, part == "toll"))
    lost += differences("poll", vectors["poll"], polls(vectors["poll"], *plan(vectors, "poll")))
    print("\n".join(lost) if lost else f"replay: {sum(map(len, (vectors[p] for p in ('ballots', 'meter', 'toll', 'poll'))))} vectors computed again")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
