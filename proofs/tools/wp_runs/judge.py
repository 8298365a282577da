"""Both opinions on one file, put together: a row per function, the property names, what is missing."""
from dataclasses import dataclass, field

from wp_runs.goals import taken_for_granted
from wp_runs.opinions import Opinions
from wp_runs.printed import Printed


@dataclass
class Row:
    """What is known about one function, or about all lemmas of a file."""
    goals: int = 0
    proved: int = 0
    crossed: int = 0  # by a second prover as well
    smoke: int = 0
    smoke_ok: int = 0

    def word(self) -> str:
        whole = self.proved == self.crossed == self.goals and self.smoke == self.smoke_ok
        return "PROVED" if whole else "NOT PROVED"

    def add(self, other: "Row") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Result:
    """What is known about one file."""
    source: str
    printed: Printed
    rows: dict[str, Row] = field(default_factory=dict)
    goals: dict[str, int] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    taken: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def row(self, function: str) -> Row:
        return self.rows.setdefault(function, Row())


def judge(opinions: Opinions) -> Result:
    source = opinions.source
    result = Result(source, opinions.printed, taken=taken_for_granted(opinions.said), warnings=opinions.warnings)
    for function, name, total, first, second in opinions.found:
        result.row(function).add(Row(goals=total, proved=first, crossed=second))
        result.goals[name] = total
        if first < total:
            result.missing.append(f"{source}: {name}: Alt-Ergo proves {first} of {total}")
        if second < total:
            result.missing.append(f"{source}: {name}: CVC4 and Z3 prove {second} of {total}")
    for function, (tests, passed) in opinions.smoke.items():
        result.row(function).add(Row(smoke=tests, smoke_ok=passed))
    return result


def total_of(results: list[Result]) -> Row:
    total = Row()
    for result in results:
        for row in result.rows.values():
            total.add(row)
    return total
