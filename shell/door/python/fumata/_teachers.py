"""Teachers: each learns from a chunk of its own, votes, and sees nothing of the others.

A teacher that fails for any cause abstains: the cause lies in its own records, and must not show."""
import contextlib
import hashlib
import random
import secrets
from typing import Any, Iterator, Optional, Sequence

import numpy
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from . import _quiet
from ._library import InputError
from ._meter import Array, as_labels

ABSTAIN = numpy.iinfo(numpy.uint16).max


@contextlib.contextmanager
def own_dice(secret: bytes, teacher: int) -> Iterator[None]:
    """Gives one teacher its own state of NumPy's global generator and of `random`'s, and restores the old state afterwards.
    So draws of other teachers and of other threads' fits change nothing here."""
    with _quiet.lock:
        theirs, thrown = numpy.random.get_state(), random.getstate()
        seed = hashlib.blake2b(teacher.to_bytes(8, "little"), key=secret, digest_size=32).digest()
        try:
            numpy.random.seed(numpy.frombuffer(seed, dtype="<u4"))
            random.seed(seed)
            yield
        finally:
            numpy.random.set_state(theirs)
            random.setstate(thrown)


@contextlib.contextmanager
def in_private(secret: bytes, teacher: int) -> Iterator[None]:
    """Own dice, and no output or warnings: these may tell about private records."""
    with own_dice(secret, teacher), _quiet.silence():
        yield


def identity(unit: Any) -> str:
    """A unit's name, from the unit alone: 7 is the same unit as 7.0 and "7", because in an array or a table one odd
    unit turns all others into floats or text."""
    if isinstance(unit, numpy.generic):
        unit = unit.item()
    if isinstance(unit, float) and unit.is_integer():
        unit = int(unit)
    return unit if isinstance(unit, str) else repr(unit)


def chunks(rows: int, units: Any, teachers: int) -> Array:
    """The teacher of each row: an independent draw, or a hash of the row's unit under a fresh key."""
    if units is None:
        return numpy.array([secrets.randbelow(teachers) for _ in range(rows)], dtype=numpy.int64)
    names = units.tolist() if hasattr(units, "tolist") else list(units)
    if len(names) != rows:
        raise InputError(f"{rows} rows but {len(names)} units")
    key = secrets.token_bytes(32)

    def teacher(unit: Any) -> int:
        digest = hashlib.blake2b(identity(unit).encode("utf-8", "surrogatepass"), key=key, digest_size=16).digest()
        return int.from_bytes(digest, "little") % teachers
    return numpy.array([teacher(unit) for unit in names], dtype=numpy.int64)


def take(X: Any, rows: Array) -> Any:
    """Takes some rows of a table or a matrix."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _learn(estimator: Any, X: Any, labels: Array, weight: "Optional[Array]", secret: bytes, teacher: int) -> Any:
    """A model; or the only label, if there is just one; or None for a teacher that abstains."""
    if len(labels) == 0 or (labels == labels[0]).all():
        return int(labels[0]) if len(labels) else None
    try:
        with in_private(secret, teacher):
            return clone(estimator).fit(X, labels, **({} if weight is None else {"sample_weight": weight}))
    except (Exception, SystemExit):
        return None


def _vote(model: Any, X: Any, classes: int, secret: bytes, teacher: int) -> "Array | int":
    if isinstance(model, int):
        return model
    try:
        with in_private(secret, teacher):
            predicted = numpy.asarray(model.predict(X)) if model is not None else None
        if predicted is not None and predicted.shape == (X.shape[0],) and predicted.dtype.kind in "uif":
            return as_labels(predicted, classes, numpy.uint16)
    except (Exception, SystemExit):
        pass
    return int(ABSTAIN)


def _learn_group(estimator: Any, lessons: "list[tuple[int, Any, Array, Optional[Array]]]", secret: bytes) -> "list[Any]":
    return [_learn(estimator, X, labels, weight, secret, teacher) for teacher, X, labels, weight in lessons]


def _vote_group(first: int, models: Sequence[Any], X: Any, classes: int, secret: bytes) -> Array:
    votes = numpy.empty((X.shape[0], len(models)), dtype=numpy.uint16)
    for i, model in enumerate(models):
        votes[:, i] = _vote(model, X, classes, secret, first + i)
    return votes


def _groups(teachers: int, n_jobs: Optional[int]) -> "tuple[Any, list[Array]]":
    """Workers, and the teachers that each takes. Processes, never threads: a process has one set of global generators.
    Private data are never put on a disk for them (max_nbytes)."""
    parallel = Parallel(n_jobs=n_jobs, backend="loky", max_nbytes=None)
    workers = max(1, min(teachers, parallel._effective_n_jobs()))
    return parallel, numpy.array_split(numpy.arange(teachers), workers)


def learn(estimator: Any, X: Any, labels: Array, chunk: Array, teachers: int, n_jobs: Optional[int],
          weight: "Optional[Array]" = None) -> "list[Any]":
    """One model for each teacher, from the rows that `chunk` gives it, and their weights."""
    secret = secrets.token_bytes(32)
    order = numpy.argsort(chunk, kind="stable")
    rows = numpy.split(order, numpy.searchsorted(chunk[order], numpy.arange(1, teachers)))
    parallel, groups = _groups(teachers, n_jobs)

    def lesson(t: int) -> "tuple[int, Any, Array, Optional[Array]]":
        return t, take(X, rows[t]), labels[rows[t]], None if weight is None else weight[rows[t]]
    taught = parallel(delayed(_learn_group)(estimator, [lesson(int(t)) for t in group], secret) for group in groups)
    return [model for group in taught for model in group]


def vote(models: Sequence[Any], X: Any, classes: int, n_jobs: Optional[int]) -> Array:
    """votes[row, teacher], ABSTAIN for a teacher without a vote."""
    secret = secrets.token_bytes(32)
    parallel, groups = _groups(len(models), n_jobs)
    votes = parallel(delayed(_vote_group)(int(group[0]), models[group[0]:group[-1] + 1], X, classes, secret)
                     for group in groups)
    return numpy.hstack(votes)
