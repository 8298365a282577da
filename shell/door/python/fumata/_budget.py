"""Budgets: a ledger and its ceiling, from which estimators and meters spend."""
import atexit
import contextlib
import contextvars
import ctypes
import os
import secrets
import shutil
import stat
import tempfile
import threading
import warnings
from fractions import Fraction
from typing import Any, Iterator, Optional

from . import _report
from ._library import BudgetSpent, InputError, Totals, UntrackedBudget, call, number, path_bytes
from ._plan import Spent, rounded_up

Path = "str | os.PathLike[str]"
_current: "contextvars.ContextVar[Optional[Budget]]" = contextvars.ContextVar("fumata_budget", default=None)
_UNTRACKED = "FUMATA_UNTRACKED"
_locks: "dict[str, threading.RLock]" = {}
_locks_lock = threading.Lock()


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


# One folder for this process and those that it starts (workers of joblib get the environment): costs without a
# ledger are added up there. The first process that needs it makes it; the process that named it removes it: workers are killed.
if _UNTRACKED not in os.environ:
    os.environ[_UNTRACKED] = os.path.join(tempfile.gettempdir(), f"fumata-untracked-{secrets.token_hex(16)}")
    atexit.register(_remove, os.environ[_UNTRACKED], os.getpid())


def _own_folder() -> str:
    folder = os.environ[_UNTRACKED]
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        about = os.lstat(folder)
        if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
            raise InputError(f"{folder}: not a folder of this user's") from None
    return folder


def _lock_of(path: str) -> threading.RLock:
    with _locks_lock:
        return _locks.setdefault(os.path.realpath(path), threading.RLock())


def _ratio(totals: Totals, name: str) -> Optional[Fraction]:
    den = getattr(totals, name + "_den")
    return Fraction(getattr(totals, name + "_num"), den) if den else None


class Budget:
    """A ledger, with a ceiling on what may be spent.

        with fumata.Budget("clinic.ledger", epsilon="2", delta="1e-5") as budget:
            model = fumata.PrivateClassifier(classes=["well", "sick"], epsilon="1", delta="5e-6").fit(X, y, X_public=P)
            print(budget.left)

    One ledger belongs to one data set and to all parts of it. In the `with` block it is the budget of every estimator
    without a budget of its own (in this thread and task); it can also be given to them, `budget=budget`. If no ceiling is
    given, the first cost sets it, as in the program; a ledger that exists keeps its own ceiling.

    Without a path it is a running total in this process and those that it starts, forgotten at its end; each use gives the
    warning UntrackedBudget. Copies and pickles are the same budget."""

    def __init__(self, ledger: "Optional[str | os.PathLike[str]]" = None, *, epsilon: "Optional[str | float]" = None,
                 delta: "Optional[str | float]" = None):
        self.is_tracked = ledger is not None
        if ledger is None:
            path = os.path.join(_own_folder(), secrets.token_hex(8))
        else:
            path = os.path.abspath(os.fspath(ledger))
        self.path = path
        if epsilon is not None or delta is not None:
            with _lock_of(path):
                call("ledger_make", path_bytes(path), None if epsilon is None else number(epsilon),
                     None if delta is None else number(delta))

    @classmethod
    def of(cls, budget: "Optional[Budget]", ledger: "Optional[str | os.PathLike[str]]") -> "Budget":
        """The given budget, else that of the `with` block, else that of the process."""
        if budget is not None and ledger is not None:
            raise InputError("budget and ledger: one of them says where it is counted")
        if budget is not None and not isinstance(budget, Budget):
            raise InputError("budget: not a fumata.Budget")
        if budget is not None:
            return budget
        if ledger is not None:
            return cls(ledger)
        return _current.get() or _of_process()

    def _totals(self) -> Totals:
        totals = Totals()
        if os.path.exists(self.path):
            call("ledger_totals", path_bytes(self.path), ctypes.byref(totals))
        return totals

    @property
    def spent(self) -> Spent:
        """The cost so far."""
        totals = self._totals()
        return Spent(*(rounded_up(_ratio(totals, "spent_" + what) or Fraction(0)) for what in ("epsilon", "delta")))

    @property
    def total(self) -> Optional[Spent]:
        """The ceiling, None where there is none yet."""
        ceilings = [_ratio(self._totals(), "total_" + what) for what in ("epsilon", "delta")]
        if None in ceilings:
            return None
        return Spent(*(rounded_up(ceiling or Fraction(0)) for ceiling in ceilings))

    @property
    def left(self) -> Optional[Spent]:
        """What may still be spent, None where there is no ceiling yet."""
        totals = self._totals()
        pairs = [(_ratio(totals, "total_" + what), _ratio(totals, "spent_" + what) or Fraction(0))
                 for what in ("epsilon", "delta")]
        if any(ceiling is None for ceiling, _ in pairs):
            return None
        return Spent(*(float(max(Fraction(0), (ceiling or Fraction(0)) - spent)) for ceiling, spent in pairs))

    @contextlib.contextmanager
    def spending(self, asked: Spent) -> Iterator[str]:
        """Gives one thread at a time the ledger's path; a refusal says what was asked for and what is left."""
        if not self.is_tracked:
            so_far = self.spent
            warnings.warn(f"no ledger is named: this costs up to epsilon {asked.epsilon:g} and delta {asked.delta:g}, after "
                          f"{so_far.epsilon:g} and {so_far.delta:g} in this process, and is forgotten when it ends. Name "
                          'the data set\'s: budget=fumata.Budget("clinic.ledger", epsilon="2", delta="1e-5")',
                          UntrackedBudget, stacklevel=5)
        with self.asking(asked) as path:
            yield path

    @contextlib.contextmanager
    def asking(self, asked: Spent) -> Iterator[str]:
        """The same, if nothing is spent yet."""
        with _lock_of(self.path):
            try:
                yield self.path
            except BudgetSpent as error:
                error.asked, error.left = asked, self.left
                raise

    def __enter__(self) -> "Budget":
        self._token = _current.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _current.reset(self._token)

    def __copy__(self) -> "Budget":
        return self

    def __deepcopy__(self, memo: Any) -> "Budget":
        return self

    def __reduce__(self) -> Any:
        return _again, (self.path, self.is_tracked)

    def __repr__(self) -> str:
        total, spent = self.total, self.spent
        ceiling = "no ceiling yet" if total is None else f"of epsilon {total.epsilon:g} and delta {total.delta:g}"
        where = self.path if self.is_tracked else "this process only"
        return f"<fumata.Budget {where}: epsilon {spent.epsilon:g} and delta {spent.delta:g} spent, {ceiling}>"

    def _repr_html_(self) -> str:
        total, spent, left = self.total, self.spent, self.left
        rows = [("counted in", self.path if self.is_tracked else "this process only"), ("spent", spent),
                ("ceiling", "set by the first release" if total is None else total), ("left", "" if left is None else left)]
        return _report.table("Budget", rows)


def _again(path: str, is_tracked: bool) -> Budget:
    made = Budget.__new__(Budget)
    made.path, made.is_tracked = path, is_tracked
    return made


def _of_process() -> Budget:
    return _again(os.path.join(_own_folder(), "ledger"), False)
