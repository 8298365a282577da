"""Labels from private votes that are safe to publish: Fumata's proved core from Python.

    import fumata
    plan = fumata.plan(epsilon="2", delta="1e-5", silences=100)
    with fumata.Meter(plan, ledger="clinic.ledger", classes=2) as meter:
        labels = meter.answer(votes)        # votes[query, teacher]; -1 where the meter is silent

Needs NumPy and libfumata-door.so (made by `make`, put beside the others by `make install`; FUMATA_LIBRARY names
another place). Randomness comes from the operating system and from nowhere else.
"""
import ctypes
import os
import secrets

import numpy

__all__ = ["Error", "Refused", "Plan", "plan", "load", "Meter", "PrivateLabeller", "SILENT"]

SILENT = -1


class Error(Exception):
    """Something is wrong with an argument, a file or the machine; the text is the core's."""


class Refused(Error):
    """The core says no: a plan that is not certified, or a budget that is spent."""


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("FUMATA_LIBRARY"), os.path.join(here, "..", "..", "..", "build", "libfumata-door.so"),
              os.path.join(here, "..", "..", "libfumata-door.so.0"), os.path.join(here, "libfumata-door.so.0")]
    for place in places:
        if place and os.path.exists(place):
            return ctypes.CDLL(place)
    try:
        return ctypes.CDLL("libfumata-door.so.0")
    except OSError:
        raise ImportError("libfumata-door.so is not built: run make, or set FUMATA_LIBRARY") from None


class _Facts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("epsilon_num", "epsilon_den", "delta_num", "delta_den", "v")] + \
               [(name, ctypes.c_uint32) for name in ("alpha", "silences", "size", "is_classic")] + \
               [("table", ctypes.POINTER(ctypes.c_uint64))]


_text, _handle, _out = ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
_u32, _u64, _int = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
_library = _load()
for _name, _result, _arguments in [
        ("error", _text, []),
        ("plan_make", _int, [_text, _text, _u32, _text, _out]),
        ("plan_trust", _int, [_text, _text, _u32, _u32, _u64, ctypes.c_void_p, _u64, _out]),
        ("plan_read", _int, [_text, _out]),
        ("plan_write", _int, [_handle, _text]),
        ("plan_facts", None, [_handle, ctypes.POINTER(_Facts)]),
        ("plan_silence", ctypes.c_double, [_handle, _u32]),
        ("plan_free", None, [_handle]),
        ("meter_open", _int, [_handle, _text, _u32, _text, _text, _int, _out]),
        ("meter_answer", _int, [_handle, ctypes.c_void_p, _int, _u64, _u32, ctypes.c_void_p, ctypes.POINTER(_u64)]),
        ("meter_left", _u32, [_handle]),
        ("meter_close", _int, [_handle])]:
    _function = getattr(_library, "fumata_door_" + _name)
    _function.restype, _function.argtypes = _result, _arguments


def _call(name, *arguments):
    code = getattr(_library, "fumata_door_" + name)(*arguments)
    if code:
        message = _library.fumata_door_error().decode("utf-8", "replace") or "failed"
        raise (Refused if code == 1 else Error)(message)


def _number(value):
    """"1e-5" stays what it is; 0.1 becomes the decimal it prints as."""
    return (value if isinstance(value, str) else repr(value)).encode()


def _whole(what, value, most):
    if isinstance(value, bool) or int(value) != value or not 0 <= value <= most:
        raise Error(f"{what}: {value!r} is not a whole number from 0 to {most}")
    return int(value)


def _path(path):
    path = os.fsencode(path)
    if b"\0" in path:
        raise Error("a path cannot contain a zero byte")
    return path


class Plan:
    """A certified plan. Make one with plan(), load(), or from your own table:
    Plan(epsilon, delta, silences, table, alpha, v), where table[d-1] / 2^64 is the chance of silence at distance d and
    V = v / 2^32; it is refused unless the core certifies it."""

    def __init__(self, epsilon, delta, silences, table, alpha, v):
        values = numpy.asarray(table)
        if values.ndim != 1 or values.dtype.kind not in "ui" or (values.dtype.kind == "i" and (values < 0).any()):
            raise Error("table: one row of whole numbers from 1 to 2^64 - 1 is needed")
        values = numpy.ascontiguousarray(values, dtype=numpy.uint64)
        made = ctypes.c_void_p()
        _call("plan_trust", _number(epsilon), _number(delta), _whole("silences", silences, 2**32 - 1),
              _whole("alpha", alpha, 2**32 - 1), _whole("v", v, 2**64 - 1), values.ctypes.data, values.size,
              ctypes.byref(made))
        self._take(made)

    @classmethod
    def _from(cls, made):
        self = cls.__new__(cls)
        self._take(made)
        return self

    def _take(self, made):
        self._plan = made
        facts = _Facts()
        _library.fumata_door_plan_facts(made, ctypes.byref(facts))
        self.epsilon = facts.epsilon_num / facts.epsilon_den
        self.delta = facts.delta_num / facts.delta_den
        self.silences, self.alpha, self.v = facts.silences, facts.alpha, facts.v
        self.mechanism = "classic" if facts.is_classic else "meter"
        self.table = None if facts.is_classic else numpy.ctypeslib.as_array(facts.table, (facts.size,)).copy()

    def silence(self, distance):
        """The chance that a query at this distance is met with silence."""
        return _library.fumata_door_plan_silence(self._plan, _whole("distance", distance, 2**32 - 1))

    def save(self, path):
        _call("plan_write", self._plan, _path(path))

    def __del__(self):
        if getattr(self, "_plan", None):
            _library.fumata_door_plan_free(self._plan)

    def __repr__(self):
        return f"<fumata.Plan {self.mechanism}: epsilon {self.epsilon:g}, delta {self.delta:g}, {self.silences} silences>"


def plan(epsilon, delta, silences, mechanism="meter"):
    """The best certified plan for a budget. Give "1e-5" as text to have exactly that."""
    made = ctypes.c_void_p()
    _call("plan_make", _number(epsilon), _number(delta), _whole("silences", silences, 2**32 - 1), mechanism.encode(),
          ctypes.byref(made))
    return Plan._from(made)


def load(path):
    """The plan in a file that `fumata plan -o` or Plan.save wrote."""
    made = ctypes.c_void_p()
    _call("plan_read", _path(path), ctypes.byref(made))
    return Plan._from(made)


class Meter:
    """A session that answers: the plan's silences are counted in the ledger, which survives crashes.

    answer(votes) takes votes[query, teacher] (whole numbers 0 .. classes - 1) or, with counts=True,
    counts[query, class]; it returns one label a query, -1 where it is silent. When the budget closes the
    array is shorter than the votes: the rest was not looked at."""

    def __init__(self, plan, ledger, classes=2, total_epsilon=None, total_delta=None, again=False):
        self._meter = None
        if not isinstance(plan, Plan):
            raise Error("plan: not a fumata.Plan")
        made = ctypes.c_void_p()
        _call("meter_open", plan._plan, _path(ledger), _whole("classes", classes, 2**32 - 1),
              None if total_epsilon is None else _number(total_epsilon),
              None if total_delta is None else _number(total_delta), 1 if again else 0, ctypes.byref(made))
        self._meter, self._plan, self.classes = made, plan, int(classes)

    def answer(self, votes, counts=False):
        if self._meter is None:
            raise Error("the meter is closed")
        votes = numpy.asarray(votes)
        if votes.ndim != 2:
            raise Error(f"votes: a matrix is needed, not {votes.ndim} dimensions")
        kind, block = self._block(votes, counts)
        answers = numpy.empty(len(block), dtype=numpy.int32)
        done = ctypes.c_uint64()
        _call("meter_answer", self._meter, block.ctypes.data, kind, block.shape[0],
              _whole("columns", block.shape[1], 2**32 - 1), answers.ctypes.data, ctypes.byref(done))
        return answers[:done.value]

    def _block(self, votes, counts):
        """The kind and the contiguous array that the door takes; no copy when the votes are that already."""
        if votes.dtype.kind == "f":
            if votes.size and not (numpy.isfinite(votes).all() and (votes == numpy.floor(votes)).all()):
                raise Error("votes: not whole numbers")
        elif votes.dtype.kind not in "ui":
            raise Error(f"votes: whole numbers are needed, not {votes.dtype}")
        wanted = numpy.uint32 if counts else numpy.uint8 if self.classes <= 256 else numpy.uint16
        if votes.dtype == numpy.uint16 and not counts:
            wanted = numpy.uint16
        if votes.dtype != wanted and votes.size:
            if votes.min() < 0 or votes.max() > (2**32 - 1 if counts else self.classes - 1):
                raise Error("votes: a number is out of range")
        kind = 3 if counts else 1 if wanted == numpy.uint8 else 2
        return kind, numpy.ascontiguousarray(votes, dtype=wanted)

    @property
    def left(self):
        """Silences that are left."""
        if self._meter is None:
            raise Error("the meter is closed")
        return _library.fumata_door_meter_left(self._meter)

    def close(self):
        """Gives an unused reservation back. Forgetting it costs one silence, never privacy."""
        meter, self._meter = self._meter, None
        if meter is not None:
            _call("meter_close", meter)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __del__(self):
        if getattr(self, "_meter", None) is not None:
            try:
                self.close()
            except Error:
                pass


class PrivateLabeller:
    """Trains one clone of `estimator` a teacher on disjoint parts of private data and labels public data.

    fit(X, y, units=None) splits by unit (each row its own when None), whatever the order of the rows; label(X_public)
    returns classes_[i] for answered rows and `silent_label` for silent or unanswered ones; answered_ says which.
    The classes are declared, not read off the private labels. A teacher whose training fails votes for the first."""

    def __init__(self, estimator, classes, plan, ledger, teachers=250, silent_label=None):
        self.estimator, self.classes, self.plan = estimator, classes, plan
        self.ledger, self.teachers, self.silent_label = ledger, teachers, silent_label

    def fit(self, X, y, units=None):
        from sklearn.base import clone
        self.classes_ = numpy.asarray(self.classes)
        place = {c: i for i, c in enumerate(self.classes_.tolist())}
        try:
            labels = numpy.array([place[c] for c in numpy.asarray(y).tolist()], dtype=numpy.int64)
        except KeyError as unknown:
            raise Error(f"label {unknown} was never declared in classes") from None
        n = X.shape[0]
        if len(labels) != n:
            raise Error(f"{n} rows but {len(labels)} labels")
        chunk = self._chunks(n, units)
        self.estimators_ = []
        for teacher in range(self.teachers):
            rows = numpy.flatnonzero(chunk == teacher)
            try:
                model = clone(self.estimator).fit(X[rows], labels[rows]) if len(rows) else None
            except Exception:
                # One class only, too few rows, ...: the teacher's own trouble, and no other teacher's.
                model = int(labels[rows][0]) if len(set(labels[rows].tolist())) == 1 else None
            self.estimators_.append(model)
        return self

    def _chunks(self, n, units):
        if units is None:
            return numpy.array([secrets.randbelow(self.teachers) for _ in range(n)])
        if len(units) != n:
            raise Error(f"{n} rows but {len(units)} units")
        import hashlib
        key = secrets.token_bytes(32)

        def teacher(unit):
            digest = hashlib.blake2b(repr(unit).encode(), key=key, digest_size=16).digest()
            return int.from_bytes(digest, "little") % self.teachers
        return numpy.array([teacher(u) for u in numpy.asarray(units).tolist()])

    def votes(self, X):
        """The teachers' votes: private, never publish them."""
        votes = numpy.zeros((X.shape[0], self.teachers), dtype=numpy.uint16)
        for teacher, model in enumerate(self.estimators_):
            if isinstance(model, int):
                votes[:, teacher] = model
            elif model is not None:
                votes[:, teacher] = model.predict(X)
        return votes

    def label(self, X_public):
        with Meter(self.plan, self.ledger, classes=len(self.classes_)) as meter:
            answers = meter.answer(self.votes(X_public))
        self.answered_ = numpy.zeros(X_public.shape[0], dtype=bool)
        self.answered_[:len(answers)] = answers != SILENT
        labels = numpy.full(X_public.shape[0], self.silent_label, dtype=object)
        labels[:len(answers)][answers != SILENT] = self.classes_[answers[answers != SILENT]]
        return labels
