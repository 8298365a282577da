"""Sessions that answer ballots within a plan, counted in a ledger."""
import contextlib
import ctypes
import os
import threading
from typing import TYPE_CHECKING, Any, Iterator, Optional

import numpy

from ._library import Error, Forked, InputError, call, library, number, path_bytes, whole
from ._plan import Plan, Spent

if TYPE_CHECKING:
    from ._budget import Budget

SILENT = -1
_VOTES_MOST = 2**32 - 1  # a larger count becomes this one
Array = numpy.ndarray[Any, Any]


def _is_whole(numbers: Array, end: float) -> Array:
    """Marks whole numbers from 0 to end - 1; NaN is not one."""
    good: Array = (numbers >= 0) & (numbers < end)
    if numbers.dtype.kind == "f":
        good &= numbers == numpy.floor(numbers)
    return good


def as_labels(numbers: Array, classes: int, dtype: Any) -> Array:
    """Anything that is not a label becomes the largest number of the type, which abstains."""
    return numpy.where(_is_whole(numbers, classes), numbers, numpy.iinfo(dtype).max).astype(dtype)


ANSWER = numpy.dtype([("plan", "u8"), ("query", "u8"), ("kind", "u4"), ("first", "u4"), ("second", "u4"),
                      ("answer", "i4")])


def answers(ledger: "str | os.PathLike[str]") -> Array:
    """All answers that a ledger paid for, the oldest first, also after a crash and while the ledger is in use.

    plan is 1, 2, ... in the order of beginning. query is the number of the question within the plan's life (in `fumata
    learn` the public record). kind is 0 for the meter and 1 for the toll, whose candidates are first and second. answer is
    a label or SILENT."""
    count = ctypes.c_uint64()
    call("ledger_answers", path_bytes(ledger), None, 0, ctypes.byref(count))
    found = numpy.zeros(count.value, dtype=ANSWER)
    call("ledger_answers", path_bytes(ledger), found.ctypes.data, count.value, ctypes.byref(count))
    return found[:count.value]


class Meter:
    """A session that answers: the plan's silences are counted in the ledger, which survives crashes.

    answer(votes) takes votes[query, teacher] (labels 0 .. classes - 1; any other number abstains, and so does NaN) or,
    with counts=True, counts[query, class] (a row with a cell that is not a count abstains as a whole); it returns one
    label for each query, -1 where it is silent. When the budget closes the array is shorter than the votes: the rest was
    not answered.

    `ledger` is a path or a fumata.Budget. The same plan on the same ledger continues where it stopped.

    Threads may share a meter and take turns. In a forked process the meter refuses."""

    _meter: Optional[ctypes.c_void_p] = None

    def __init__(self, plan: Plan, ledger: "Budget | str | os.PathLike[str]", classes: int = 2,
                 total_epsilon: "Optional[str | float]" = None, total_delta: "Optional[str | float]" = None,
                 again: bool = False, protects: Optional[str] = None):
        self._lock, self._pid = threading.Lock(), os.getpid()
        if not isinstance(plan, Plan):
            raise InputError("plan: not a fumata.Plan")
        made = ctypes.c_void_p()
        path: Any = getattr(ledger, "path", ledger)
        call("meter_open_for", plan._plan, path_bytes(path),
              whole("classes", classes, 2**32 - 1), None if protects is None else protects.encode(),
              None if total_epsilon is None else number(total_epsilon),
              None if total_delta is None else number(total_delta), 1 if again else 0, ctypes.byref(made))
        self._meter, self._plan, self.classes, self._path = made, plan, int(classes), path

    @contextlib.contextmanager
    def _turn(self) -> Iterator[ctypes.c_void_p]:
        """This thread's turn with the handle. The lock of a forked process may be held by a thread it does not have."""
        if os.getpid() != self._pid:
            raise Forked("the meter was opened by another process, from which this one was forked")
        with self._lock:
            if self._meter is None:
                raise Error("the meter is closed")
            yield self._meter

    def answer(self, votes: Any, counts: bool = False) -> Array:
        """One label for each query, SILENT where the meter is silent; shorter than the votes when the budget closes."""
        if not self._plan.silences:
            raise InputError(f"answer: a {self._plan.mechanism} plan has no silences to pay with; choose() asks for its answers")
        return self._ask("meter_answer", votes, counts)

    def choose(self, votes: Any, pairs: Any = None, counts: bool = False) -> Array:
        """For each query, which of two candidates the teachers prefer; the answer is partly random.

        It is never silent: every answer is paid for by one of the plan's `answers`. pairs[query] are two labels, the smaller
        one first, chosen publicly and never by looking at votes; with two classes they may be left out. The array is
        shorter than the votes when the answers are spent."""
        if not self._plan.answers:
            raise InputError(f"choose: a {self._plan.mechanism} plan does not pay for answers; answer() asks for its labels")
        asked = None if pairs is None else self._pairs(pairs, len(votes))
        return self._ask("meter_choose", votes, counts, None if asked is None else asked.ctypes.data)

    def _ask(self, function: str, votes: Any, counts: bool, *further: Any) -> Array:
        votes = numpy.asarray(votes)
        if votes.ndim != 2:
            raise InputError(f"votes: a matrix is needed, not {votes.ndim} dimensions")
        kind, block = self._block(votes, counts)
        answers = numpy.empty(len(block), dtype=numpy.int32)
        done = ctypes.c_uint64()
        with self._turn() as meter:
            try:
                call(function, meter, block.ctypes.data, kind, block.shape[0],
                     whole("columns", block.shape[1], 2**32 - 1), *further, answers.ctypes.data, ctypes.byref(done))
            except Error as error:
                error.released = answers[:done.value]
                raise
        return answers[:done.value]

    def _pairs(self, pairs: Any, rows: int) -> Array:
        asked = numpy.asarray(pairs)
        if asked.shape != (rows, 2) or asked.dtype.kind not in "ui" or not _is_whole(asked, self.classes).all() or \
                (asked[:, 0] >= asked[:, 1]).any():
            raise InputError(f"pairs: two labels for each of {rows} queries are needed, the smaller one first")
        return numpy.ascontiguousarray(asked, dtype=numpy.uint32)

    def _block(self, votes: Array, counts: bool) -> "tuple[int, Array]":
        """The kind and the contiguous array that the door takes; without a copy if the votes are such an array."""
        if votes.dtype.kind not in "uif":
            raise InputError(f"votes: whole numbers are needed, not {votes.dtype}")
        if counts:
            if votes.dtype != numpy.uint32:
                is_ballot = _is_whole(votes, numpy.inf).all(axis=1, keepdims=True)
                votes = numpy.minimum(numpy.where(is_ballot, votes, 0).astype(numpy.float64), _VOTES_MOST)
            return 3, numpy.ascontiguousarray(votes, dtype=numpy.uint32)
        if votes.dtype not in (numpy.uint8, numpy.uint16):
            votes = as_labels(votes, self.classes, numpy.uint8 if self.classes < 256 else numpy.uint16)
        return votes.dtype.itemsize, numpy.ascontiguousarray(votes)

    @property
    def left(self) -> int:
        """Silences that are left."""
        with self._turn() as meter:
            return int(library.fumata_door_meter_left(meter))

    @property
    def answers_left(self) -> int:
        """Paid answers that are left."""
        with self._turn() as meter:
            return int(library.fumata_door_meter_answers_left(meter))

    @property
    def asked(self) -> int:
        """How many queries the plan has answered in its life, in this meter and in those before it on the same ledger."""
        with self._turn() as meter:
            return int(library.fumata_door_meter_next(meter))

    @property
    def released(self) -> Array:
        """All that the plan has answered in its life, as from answers(). A meter on the same ledger with the same plan
        continues where the last one stopped, whether that was closed or killed."""
        found = answers(self._path)
        mine: Array = found[found["plan"] == self.number]
        return mine

    @property
    def number(self) -> int:
        """The number of this plan in the ledger: 1, 2, ... in the order of beginning."""
        with self._turn() as meter:
            return int(library.fumata_door_meter_plan(meter))

    @property
    def spent(self) -> Spent:
        """The whole cost of the plan, spent from the meter's opening on."""
        return self._plan.spent

    def close(self) -> None:
        """Gives back what is reserved and not used. Forgetting it costs that, never privacy."""
        with contextlib.ExitStack() as held:
            if os.getpid() == self._pid:
                held.enter_context(self._lock)
            meter, self._meter = self._meter, None
            if meter is not None:
                call("meter_close", meter)  # in a forked process: frees memory, and is refused

    def __enter__(self) -> "Meter":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_meter", None) is not None:
            try:
                self.close()
            except Error:
                pass
