"""The compiled library: its place, the types of its functions, and exceptions for its errors."""
import ctypes
import os
import re
from typing import Any


class Error(Exception):
    """Something is wrong with an argument, a file or the machine; the text is the library's.

    If a call that answers fails, `released` has its earlier answers: they are paid for. They are in the ledger's journal
    too (fumata.answers)."""

    released: Any = None


class InputError(Error, ValueError):
    """An argument or a file is wrong."""


class Refused(Error):
    """It is possible but not allowed: each cause has its own class below."""


class BudgetSpent(Refused):
    """The ledger's total, or the plan, does not pay for this. If known, `asked` (what it would have cost) and
    `left` (the rest of the total) are fumata.Spent. Nothing was trained and nothing spent."""

    asked: Any = None
    left: Any = None


class LedgerBusy(Refused):
    """Another process works with this ledger; try again when it has finished."""


class NotCertified(Refused):
    """The core does not certify this plan, or no plan keeps this budget."""


class Forked(Refused):
    """The meter belongs to the process from which this one was forked."""


class PoorResult(UserWarning):
    """The result cannot be good, as released data alone show."""


class UntrackedBudget(UserWarning):
    """No ledger is named: costs are added up in this process only, and forgotten when it ends."""


class SeesPrivateRows(UserWarning):
    """A step outside the private classifier was fitted to private rows: its result is not private."""


# Messages of the library and the program when they refuse, and the class of each.
_CAUSES = ((re.compile(r"from which this one was forked"), Forked),
           (re.compile(r"in use by another process|another run writes"), LedgerBusy),
           (re.compile(r"more than the total|of the total .* is spent|this plan's .* are spent"), BudgetSpent),
           (re.compile(r"not certif|does not certify|^no .* keeps? epsilon|no epsilon below"), NotCertified))


_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]+)")


def as_arguments(text: str) -> str:
    """Options of the command line by their Python names."""
    return _OPTION.sub(lambda match: match.group(1).replace("-", "_"), text)


def failure(code: int, message: str) -> Error:
    """The exception for an exit code and its one line."""
    if code == 1:
        return next((kind for pattern, kind in _CAUSES if pattern.search(message)), Refused)(message)
    return InputError(message) if code == 2 else Error(message)


PRIVATE = " (private: do not publish this line)"  # ends a message about private data, as on the command line


def _load() -> ctypes.CDLL:
    here = os.path.dirname(os.path.abspath(__file__))
    beside = "libfumata-door.so.0"
    places = [os.environ.get("FUMATA_LIBRARY"), os.path.join(here, beside),
              os.path.join(here, *[os.pardir] * 4, "build", "libfumata-door.so"),
              os.path.join(here, *[os.pardir] * 3, beside)]
    for place in places:
        if place and os.path.exists(place):
            return ctypes.CDLL(place)
    try:
        return ctypes.CDLL(beside)
    except OSError:
        raise ImportError("libfumata-door.so is not built: run make, or set FUMATA_LIBRARY") from None


class Facts(ctypes.Structure):
    """fumata_door_facts of door.h."""
    _fields_ = [*((name, ctypes.c_uint64) for name in ("epsilon_num", "epsilon_den", "delta_num", "delta_den", "v")),
                *((name, ctypes.c_uint32) for name in ("alpha", "silences", "size", "is_classic")),
                ("table", ctypes.POINTER(ctypes.c_uint64))]


class TollFacts(ctypes.Structure):
    """fumata_door_toll_facts of door.h."""
    _fields_ = [("u", ctypes.c_uint64), ("answers", ctypes.c_uint32), ("size", ctypes.c_uint32),
                ("named", ctypes.POINTER(ctypes.c_uint64))]


class Totals(ctypes.Structure):
    """fumata_door_totals of door.h."""
    _fields_ = [(f"{which}_{what}_{part}", ctypes.c_uint64) for which in ("spent", "total")
                for what in ("epsilon", "delta") for part in ("num", "den")]


_text, _handle, _out = ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
_u32, _u64, _int = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
_FUNCTIONS: list[tuple[str, Any, list[Any]]] = [
    ("error", _text, []),
    ("version", _text, []),
    ("plan_make", _int, [_text, _text, _u32, _text, _out]),
    ("plan_trust", _int, [_text, _text, _u32, _u32, _u64, ctypes.c_void_p, _u64, _out]),
    ("plan_budget", _int, [_text, _text, _u32, _u32, _out]),
    ("plan_toll_facts", None, [_handle, ctypes.POINTER(TollFacts)]),
    ("plan_named", ctypes.c_double, [_handle, _u32]),
    ("plan_read", _int, [_text, _out]),
    ("plan_write", _int, [_handle, _text]),
    ("plan_facts", None, [_handle, ctypes.POINTER(Facts)]),
    ("plan_silence", ctypes.c_double, [_handle, _u32]),
    ("plan_free", None, [_handle]),
    ("meter_open", _int, [_handle, _text, _u32, _text, _text, _int, _out]),
    ("meter_answer", _int, [_handle, ctypes.c_void_p, _int, _u64, _u32, ctypes.c_void_p, ctypes.POINTER(_u64)]),
    ("meter_left", _u32, [_handle]),
    ("meter_choose", _int,
     [_handle, ctypes.c_void_p, _int, _u64, _u32, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_u64)]),
    ("meter_answers_left", _u32, [_handle]),
    ("ledger_answers", _int, [_text, ctypes.c_void_p, _u64, ctypes.POINTER(_u64)]),
    ("ledger_make", _int, [_text, _text, _text]),
    ("ledger_totals", _int, [_text, ctypes.POINTER(Totals)]),
    ("budget_check", _int, [_text, _text]),
    ("plan_check_teachers", _int, [_handle, _u32]),
    ("meter_open_for", _int, [_handle, _text, _u32, _text, _text, _text, _int, _out]),
    ("meter_plan", _u64, [_handle]),
    ("meter_next", _u64, [_handle]),
    ("meter_reserve", None, [_handle, _u32, _u32]),
    ("meter_close", _int, [_handle])]

library = _load()
for _name, _result, _arguments in _FUNCTIONS:
    _function = getattr(library, "fumata_door_" + _name)
    _function.restype, _function.argtypes = _result, _arguments


def version() -> str:
    text: bytes = library.fumata_door_version()
    return text.decode()


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns an exit code; a code other than 0 becomes an exception with the library's own line."""
    code = getattr(library, "fumata_door_" + name)(*arguments)
    if code:
        raise failure(code, as_arguments(library.fumata_door_error().decode("utf-8", "replace")) or "failed")


def number(value: "str | float") -> bytes:
    """"1e-5" stays as it is; 0.1 becomes the decimal that it prints as (a NumPy 0.1 too, although its repr differs)."""
    if isinstance(value, str):
        return str(value).encode()
    if isinstance(value, float):
        return repr(float(value)).encode()
    return str(value).encode()


def whole(what: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or int(value) != value or not 0 <= value <= most:
        raise InputError(f"{what}: {value!r} is not a whole number from 0 to {most}")
    return int(value)


def path_bytes(path: "str | bytes | os.PathLike[str]") -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise InputError("a path cannot contain a zero byte")
    return name
