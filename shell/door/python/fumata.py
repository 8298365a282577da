"""Labels from private votes that are safe to publish: Fumata's proved core from Python.

    import fumata
    plan = fumata.plan(epsilon="2", delta="1e-5", silences=100)
    with fumata.Meter(plan, ledger="clinic.ledger", classes=2) as meter:
        labels = meter.answer(votes)        # votes[query, teacher]; -1 where the meter is silent

Needs NumPy and libfumata-door.so (made by `make`, put beside the others by `make install`; FUMATA_LIBRARY names
another place). Randomness comes from the operating system and from nowhere else.
"""
import contextlib
import ctypes
import hashlib
import os
import random
import secrets
import threading

import numpy

__all__ = ["Error", "Refused", "Plan", "plan", "load", "Meter", "PrivateLabeller", "SILENT"]

SILENT = -1
_TEACHERS_MAX = 1000000


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


def _is_whole(numbers, end):
    """Which are whole numbers from 0 to end - 1; NaN is none."""
    good = (numbers >= 0) & (numbers < end)
    return good & (numbers == numpy.floor(numbers)) if numbers.dtype.kind == "f" else good


def _as_labels(numbers, classes, dtype):
    """What is no label becomes the largest number of the type, which abstains."""
    return numpy.where(_is_whole(numbers, classes), numbers, numpy.iinfo(dtype).max).astype(dtype)


class Meter:
    """A session that answers: the plan's silences are counted in the ledger, which survives crashes.

    answer(votes) takes votes[query, teacher] (labels 0 .. classes - 1; any other number abstains, and so does NaN) or,
    with counts=True, counts[query, class] (a row with a cell that is no count abstains as a whole); it returns one
    label a query, -1 where it is silent. When the budget closes the array is shorter than the votes: the rest was not
    looked at.

    Threads may share a meter and take turns. A forked process may not: there it refuses."""

    def __init__(self, plan, ledger, classes=2, total_epsilon=None, total_delta=None, again=False):
        self._meter, self._lock, self._pid = None, threading.Lock(), os.getpid()
        if not isinstance(plan, Plan):
            raise Error("plan: not a fumata.Plan")
        made = ctypes.c_void_p()
        _call("meter_open", plan._plan, _path(ledger), _whole("classes", classes, 2**32 - 1),
              None if total_epsilon is None else _number(total_epsilon),
              None if total_delta is None else _number(total_delta), 1 if again else 0, ctypes.byref(made))
        self._meter, self._plan, self.classes = made, plan, int(classes)

    @contextlib.contextmanager
    def _turn(self):
        """This thread's turn with the handle. The lock of a forked process may be held by a thread it does not have."""
        if os.getpid() != self._pid:
            raise Refused("the meter was opened by another process, from which this one was forked")
        with self._lock:
            if self._meter is None:
                raise Error("the meter is closed")
            yield self._meter

    def answer(self, votes, counts=False):
        votes = numpy.asarray(votes)
        if votes.ndim != 2:
            raise Error(f"votes: a matrix is needed, not {votes.ndim} dimensions")
        kind, block = self._block(votes, counts)
        answers = numpy.empty(len(block), dtype=numpy.int32)
        done = ctypes.c_uint64()
        with self._turn() as meter:
            _call("meter_answer", meter, block.ctypes.data, kind, block.shape[0],
                  _whole("columns", block.shape[1], 2**32 - 1), answers.ctypes.data, ctypes.byref(done))
        return answers[:done.value]

    def _block(self, votes, counts):
        """The kind and the contiguous array that the door takes; no copy when the votes are that already."""
        if votes.dtype.kind not in "uif":
            raise Error(f"votes: whole numbers are needed, not {votes.dtype}")
        if counts:
            if votes.dtype != numpy.uint32:
                is_ballot = _is_whole(votes, _TEACHERS_MAX + 1).all(axis=1, keepdims=True)
                votes = numpy.where(is_ballot, votes, 0)
            return 3, numpy.ascontiguousarray(votes, dtype=numpy.uint32)
        if votes.dtype not in (numpy.uint8, numpy.uint16):
            votes = _as_labels(votes, self.classes, numpy.uint8 if self.classes < 256 else numpy.uint16)
        return votes.dtype.itemsize, numpy.ascontiguousarray(votes)

    @property
    def left(self):
        """Silences that are left."""
        with self._turn() as meter:
            return _library.fumata_door_meter_left(meter)

    def close(self):
        """Gives an unused reservation back. Forgetting it costs one silence, never privacy."""
        with self._lock if os.getpid() == self._pid else contextlib.nullcontext():
            meter, self._meter = self._meter, None
            if meter is not None:
                _call("meter_close", meter)  # in a forked process: frees memory, and is refused

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


@contextlib.contextmanager
def _own_dice(secret, teacher):
    """NumPy's global generator and that of `random` as one teacher finds them, and afterwards as they were: what
    another teacher throws with them changes nothing here."""
    theirs, thrown = numpy.random.get_state(), random.getstate()
    seed = hashlib.blake2b(teacher.to_bytes(8, "little"), key=secret, digest_size=32).digest()
    try:
        numpy.random.seed(numpy.frombuffer(seed, dtype="<u4"))
        random.seed(seed)
        yield
    finally:
        numpy.random.set_state(theirs)
        random.setstate(thrown)


def _identity(unit):
    """A unit's name, from the unit alone: 7 is the same unit as 7.0 and "7", because in an array or a table one odd
    unit turns all others into floats or text."""
    if isinstance(unit, numpy.generic):
        unit = unit.item()
    if isinstance(unit, float) and unit.is_integer():
        unit = int(unit)
    return unit if isinstance(unit, str) else repr(unit)


class PrivateLabeller:
    """Trains one clone of `estimator` a teacher on disjoint parts of private data and labels public data.

    fit(X, y, units=None) splits by unit (each row its own when None), whatever the order of the rows; label(X_public)
    returns classes_[i] for answered rows and `silent_label` for silent or unanswered ones; answered_ says which.
    The classes are declared, not read off the private labels. A teacher abstains if its part is empty or its training
    or its predictions fail. Each has random generators of its own (numpy.random and random, if the estimator uses the
    global ones); an estimator that keeps other state outside itself lets its teachers see each other's data."""

    def __init__(self, estimator, classes, plan, ledger, teachers=250, silent_label=None):
        self.estimator, self.classes, self.plan = estimator, classes, plan
        self.ledger, self.teachers, self.silent_label = ledger, teachers, silent_label

    def fit(self, X, y, units=None):
        from sklearn.base import clone
        clone(self.estimator)  # what is no estimator is so without any data
        self.classes_ = numpy.asarray(self.classes)
        place = {c: i for i, c in enumerate(self.classes_.tolist())}
        try:
            labels = numpy.array([place[c] for c in numpy.asarray(y).tolist()], dtype=numpy.int64)
        except KeyError as unknown:
            raise Error(f"label {unknown} was never declared in classes") from None
        n = X.shape[0]
        if len(labels) != n:
            raise Error(f"{n} rows but {len(labels)} labels")
        chunk, secret = self._chunks(n, units), secrets.token_bytes(32)
        part = X.iloc if hasattr(X, "iloc") else X.tocsr() if hasattr(X, "tocsr") else X
        self.estimators_ = []
        for teacher in range(self.teachers):
            rows = numpy.flatnonzero(chunk == teacher)
            taught = self._learn(clone, part[rows], labels[rows], secret, teacher) if len(rows) else None
            self.estimators_.append(taught)
        return self

    def _learn(self, clone, X, labels, secret, teacher):
        """A model, the one label there is, or None."""
        try:
            with _own_dice(secret, teacher):
                return clone(self.estimator).fit(X, labels)
        except (Exception, SystemExit):
            # One class only, too few rows, ...: the teacher's own trouble, and no other teacher's.
            return int(labels[0]) if (labels == labels[0]).all() else None

    def _chunks(self, n, units):
        """The teacher of each row: an independent draw, or a hash of the row's unit under a fresh key."""
        if units is None:
            return numpy.array([secrets.randbelow(self.teachers) for _ in range(n)])
        if len(units) != n:
            raise Error(f"{n} rows but {len(units)} units")
        key = secrets.token_bytes(32)

        def teacher(unit):
            digest = hashlib.blake2b(_identity(unit).encode("utf-8", "surrogatepass"), key=key, digest_size=16).digest()
            return int.from_bytes(digest, "little") % self.teachers
        return numpy.array([teacher(u) for u in (units.tolist() if isinstance(units, numpy.ndarray) else units)])

    def votes(self, X):
        """The teachers' votes, 65535 where one abstains: private, never publish them."""
        secret = secrets.token_bytes(32)
        votes = numpy.empty((X.shape[0], self.teachers), dtype=numpy.uint16)
        for teacher, model in enumerate(self.estimators_):
            votes[:, teacher] = self._vote(model, X, secret, teacher)
        return votes

    def _vote(self, model, X, secret, teacher):
        if isinstance(model, int):
            return model
        try:
            with _own_dice(secret, teacher):
                predicted = numpy.asarray(model.predict(X)) if model is not None else None
            if predicted is not None and predicted.shape == (X.shape[0],) and predicted.dtype.kind in "uif":
                return _as_labels(predicted, len(self.classes_), numpy.uint16)
        except (Exception, SystemExit):
            pass  # whatever it was, it came of this teacher's records
        return numpy.iinfo(numpy.uint16).max

    def label(self, X_public):
        with Meter(self.plan, self.ledger, classes=len(self.classes_)) as meter:
            answers = meter.answer(self.votes(X_public))
        self.answered_ = numpy.zeros(X_public.shape[0], dtype=bool)
        self.answered_[:len(answers)] = answers != SILENT
        labels = numpy.full(X_public.shape[0], self.silent_label, dtype=object)
        labels[:len(answers)][answers != SILENT] = self.classes_[answers[answers != SILENT]]
        return labels
