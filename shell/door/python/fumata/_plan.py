"""Plans: what a budget buys, certified by the proved core."""
import ctypes
import math
import os
import tempfile
from fractions import Fraction
from typing import Any, NamedTuple, Optional

import numpy

from . import _report
from ._library import Facts, InputError, TollFacts, call, library, number, path_bytes, whole


class Spent(NamedTuple):
    """The cost of a release: an (epsilon, delta) for any accountant, each rounded up to the next float.

    Neighbours differ in one record, added, removed or changed (or in all of one unit, or in one label, as the
    release protects), so both "add or remove one" and "replace one" are covered. Releases on one data set add up."""
    epsilon: float
    delta: float

    def __add__(self, other: Any) -> "Spent":  # type: ignore[override]
        """The sum of both costs, rounded up; sum() of several works too."""
        if other == 0:
            return self
        if not isinstance(other, tuple) or len(other) != 2:
            return NotImplemented
        return Spent(*(rounded_up(Fraction(one) + Fraction(two)) for one, two in zip(self, other)))

    def __radd__(self, other: Any) -> "Spent":
        return Spent.__add__(self, other)

    @classmethod
    def of(cls, epsilon: bytes, delta: bytes) -> "Spent":
        """From two numbers as text: decimals or fractions."""
        try:
            return cls(*(rounded_up(Fraction(text.decode())) for text in (epsilon, delta)))
        except (ValueError, ZeroDivisionError):
            raise InputError(f"epsilon and delta: {epsilon.decode()[:40]!r} and {delta.decode()[:40]!r} are not both "
                             "numbers") from None


def rounded_up(exact: Fraction) -> float:
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


class Plan:
    """A certified plan. Make one with plan(), load(), or from your own table:
    Plan(epsilon, delta, silences, table, alpha, v), where table[d-1] / 2^64 is the chance of silence at distance d and
    V = v / 2^32; the core must certify it, or it is refused. A plan never changes; it can be copied and pickled."""

    epsilon: float
    delta: float
    silences: int
    alpha: int
    v: int
    mechanism: str
    table: "Optional[numpy.ndarray[Any, Any]]"
    answers: int
    u: int
    toll: "Optional[numpy.ndarray[Any, Any]]"
    """toll[d-1] / 2^64: how often the winner of a vote at distance d is named, where answers are paid for"""
    claim: tuple[Fraction, Fraction]
    """epsilon and delta, exactly"""

    def __init__(self, epsilon: "str | float", delta: "str | float", silences: int, table: Any, alpha: int, v: int):
        values = numpy.asarray(table)
        if values.ndim != 1 or values.dtype.kind not in "ui" or (values.dtype.kind == "i" and (values < 0).any()):
            raise InputError("table: one row of whole numbers from 1 to 2^64 - 1 is needed")
        values = numpy.ascontiguousarray(values, dtype=numpy.uint64)
        made = ctypes.c_void_p()
        call("plan_trust", number(epsilon), number(delta), whole("silences", silences, 2**32 - 1),
             whole("alpha", alpha, 2**32 - 1), whole("v", v, 2**64 - 1), values.ctypes.data, values.size,
             ctypes.byref(made))
        self._take(made)

    @classmethod
    def _from(cls, made: ctypes.c_void_p) -> "Plan":
        self = cls.__new__(cls)
        self._take(made)
        return self

    def _take(self, made: ctypes.c_void_p) -> None:
        self._plan = made
        facts = Facts()
        library.fumata_door_plan_facts(made, ctypes.byref(facts))
        self.claim = Fraction(facts.epsilon_num, facts.epsilon_den), Fraction(facts.delta_num, facts.delta_den)
        self.epsilon, self.delta = (float(part) for part in self.claim)
        self.silences, self.alpha, self.v = facts.silences, facts.alpha, facts.v
        self.table = numpy.ctypeslib.as_array(facts.table, (facts.size,)).copy() if facts.table else None
        toll = TollFacts()
        library.fumata_door_plan_toll_facts(made, ctypes.byref(toll))
        self.answers, self.u = toll.answers, toll.u
        self.toll = numpy.ctypeslib.as_array(toll.named, (toll.size,)).copy() if toll.named else None
        self.mechanism = "classic" if facts.is_classic else \
            "both" if self.silences and self.answers else "toll" if self.answers else "meter"

    @property
    def spent(self) -> Spent:
        """The cost of the plan from its beginning, even if little of it is used."""
        epsilon, delta = self.claim
        return Spent(rounded_up(epsilon), rounded_up(delta))

    def silence(self, distance: int) -> float:
        """The chance that a query at this distance is met with silence."""
        return float(library.fumata_door_plan_silence(self._plan, whole("distance", distance, 2**32 - 1)))

    def named(self, distance: int) -> float:
        """The chance that a paid answer names the winner of a vote at this distance; 0 without such answers."""
        return float(library.fumata_door_plan_named(self._plan, whole("distance", distance, 2**32 - 1)))

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the text that load(), `fumata certify` and `fumata answer --plan` read."""
        call("plan_write", self._plan, path_bytes(path))

    def __copy__(self) -> "Plan":
        return self

    def __deepcopy__(self, memo: Any) -> "Plan":
        return self

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan")
            self.save(path)
            with open(path, "rb") as file:
                return from_text, (file.read(),)

    def __del__(self) -> None:
        if getattr(self, "_plan", None):
            library.fumata_door_plan_free(self._plan)

    def _repr_html_(self) -> str:
        rows = [("mechanism", self.mechanism), ("costs", self.spent), ("silences", self.silences), ("answers", self.answers),
                *((f"silent at distance {d}", f"{100 * self.silence(d):.1f} %") for d in (10, 50, 100, 200) if self.silences),
                *((f"names the winner at distance {d}", f"{100 * self.named(d):.1f} %") for d in (10, 50, 100) if self.answers)]
        return _report.table("Certified plan", rows)

    def check_teachers(self, teachers: int) -> None:
        """Refuses too few teachers: even a unanimous vote of theirs would go unanswered more often than not."""
        call("plan_check_teachers", self._plan, whole("teachers", teachers, 2**32 - 1))

    def __repr__(self) -> str:
        paid = [f"{n} {what}" for n, what in ((self.silences, "silences"), (self.answers, "answers")) if n]
        return f"<fumata.Plan {self.mechanism}: epsilon {self.epsilon:g}, delta {self.delta:g}, {' and '.join(paid)}>"


def from_text(text: bytes) -> Plan:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan")
        with open(path, "wb") as file:
            file.write(text)
        return load(path)


def plan(epsilon: "str | float", delta: "str | float", silences: int = 0, mechanism: str = "meter", *,
         answers: int = 0) -> Plan:
    """The best certified plan for a budget. Text such as "1e-5" is exact.

    It pays for a number of silences (Meter.answer), a number of answers to which of two candidates the teachers prefer
    (Meter.choose), or both in one budget."""
    made = ctypes.c_void_p()
    if answers:
        if mechanism == "classic":
            raise InputError("mechanism: a classic plan pays for silences only")
        call("plan_budget", number(epsilon), number(delta), whole("silences", silences, 2**32 - 1),
             whole("answers", answers, 2**32 - 1), ctypes.byref(made))
        return Plan._from(made)
    call("plan_make", number(epsilon), number(delta), whole("silences", silences, 2**32 - 1), mechanism.encode(),
         ctypes.byref(made))
    return Plan._from(made)


def load(path: "str | os.PathLike[str]") -> Plan:
    """The plan in a file that `fumata plan -o` or Plan.save wrote."""
    made = ctypes.c_void_p()
    call("plan_read", path_bytes(path), ctypes.byref(made))
    return Plan._from(made)
