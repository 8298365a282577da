"""Sessions for teachers elsewhere: the session chooses the questions, they vote, and the meter or the toll answers."""
import json
import os
import secrets
from typing import Any, NamedTuple, Optional

import numpy
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from . import _inputs, _teachers
from ._budget import Budget
from ._library import InputError
from ._meter import SILENT, Array, Meter
from ._plan import Plan

METER, TOLL = "meter", "toll"
_RANDOM_PART = 3  # the first of this many parts of the toll's answers is asked at random, the others by margin
_CLOSEST = 2      # a batch is drawn from the closest rows, this many times as many
_PARTS = 10       # the default batch is one of this many parts of what the plan pays for


class Query(NamedTuple):
    """Questions: places in the pool, and for the toll the two classes to choose from (None: for the meter)."""
    ids: Array
    candidates: Optional[Array]


class AskingSession:
    """A student that asks teachers elsewhere: hospitals, language models, other machines.

        with fumata.AskingSession(budget, plan, classes=["no", "yes"], pool=X_public) as session:
            while True:
                ids, candidates = session.query(50)
                if not len(ids):
                    break
                session.teach(ids, votes=ask_teachers(X_public[ids]))      # votes[question, teacher], classes by place
            student = session.learn()

    query() spends nothing: its choice depends on public rows and released answers alone. teach() pays, in the ledger, and
    releases. It writes the questions beside the ledger (LEDGER.asking: places and candidates, which are public) before it
    answers them; so the same session, opened again after a crash, knows every answer and goes on.

    Parameters
    ----------
    budget : fumata.Budget or path of a ledger
    plan : fumata.Plan; its silences are for labels (the meter), its answers for choices between two (the toll)
    classes : list of labels, or their number
    pool : public rows, an array, sparse matrix or table
    student : classifier, default LogisticRegression(max_iter=1000); needs predict_proba for ask="margin"
    ask : "random", "margin" (where the student wavers between two classes; default with answers) or "combined" (the meter at
        random, then the toll, silent rows first; default with both)
    protects : text for the ledger, such as "records" or "units of hospital"; default "votes"

    labels_ and kinds_ are as in PrivateClassifier, one entry for each row of the pool."""

    def __init__(self, budget: "Budget | str | os.PathLike[str]", plan: Plan, classes: Any, pool: Any, student: Any = None,
                 ask: Optional[str] = None, protects: Optional[str] = None):
        if not isinstance(plan, Plan):
            raise InputError("plan: not a fumata.Plan")
        self.classes_: Array = numpy.arange(classes) if isinstance(classes, int) else _inputs.declared(classes, [], False)
        self.pool = pool if hasattr(pool, "shape") else numpy.asarray(pool)
        self.ask = ask or ("combined" if plan.silences and plan.answers else "margin" if plan.answers else "random")
        self._check(plan)
        self.plan, self._student = plan, LogisticRegression(max_iter=1000) if student is None else student
        if plan.answers and self.ask != "random":
            trial = _inputs.trial_rows(self.pool, self.pool, len(self.classes_))
            _inputs.attempt(self._student, trial, len(self.classes_))
        rows = self.pool.shape[0]
        self.labels_, self.kinds_ = numpy.full(rows, SILENT, dtype=numpy.int64), numpy.full(rows, "", dtype="U8")
        self._pending: Optional[Query] = None
        self._dice = numpy.random.default_rng(secrets.randbits(128))
        self.budget = budget if isinstance(budget, Budget) else Budget(budget)
        with self.budget.spending(plan.spent) as path:
            self._meter = Meter(plan, path, classes=len(self.classes_), protects=protects)
        self._notes = self.budget.path + ".asking"
        try:
            self._recall()
        except BaseException:
            self._meter.close()
            raise

    def _check(self, plan: Plan) -> None:
        if self.ask not in ("random", "margin", "combined"):
            raise InputError(f"ask: {self.ask!r} is not random, margin or combined")
        if self.ask == "combined" and not (plan.silences and plan.answers):
            raise InputError("ask: combined is for a plan of silences and answers")
        if self.ask == "margin" and not plan.answers:
            raise InputError("ask: margin is for a plan of answers")
        if len(self.classes_) < 2:
            raise InputError("classes: at least two are needed")

    # ---- after a crash ----

    def _mark(self) -> "dict[str, Any]":
        """Tells which questions a note belongs to."""
        number = self._meter.number
        return {"plan": number, "pool": int(self.pool.shape[0]), "classes": len(self.classes_)}

    def _recall(self) -> None:
        """Finds what the plan has answered in its life: the journal has the answers, the notes have the questions."""
        asked: dict[int, tuple[int, str]] = {}
        mark = self._mark()
        lines = open(self._notes, encoding="utf-8").read().splitlines() if os.path.exists(self._notes) else []
        for line in lines:
            try:
                note = json.loads(line)
            except ValueError:  # cut off by a crash before anything of it was asked
                continue
            if note["plan"] != mark["plan"]:
                continue
            if any(note[name] != mark[name] for name in mark):
                raise InputError(f"{self._notes}: this plan was asked about another pool or other classes")
            asked.update({note["first"] + i: (row, note["kind"]) for i, row in enumerate(note["ids"])})
        for one in self._meter.released:
            if int(one["query"]) not in asked:
                raise InputError(f"{self._notes}: does not know what the ledger's query {one['query']} was")
            self._hear(*asked[int(one["query"])], int(one["answer"]))

    def _hear(self, row: int, kind: str, answer: int) -> None:
        self.kinds_[row], self.labels_[row] = kind, answer

    def _note(self, ids: Array, kind: str) -> None:
        """Writes a note to the disk before anything is asked."""
        line = json.dumps({**self._mark(), "first": self._meter.asked, "kind": kind, "ids": ids.tolist()}) + "\n"
        fd = os.open(self._notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(fd, b"\n" + line.encode())  # a line that was cut off ends here
            os.fsync(fd)
        finally:
            os.close(fd)

    # ---- asking ----

    @property
    def left(self) -> int:
        """The sum of the silences and answers that are left."""
        return self._meter.left + self._meter.answers_left

    def query(self, batch: Optional[int] = None) -> Query:
        """The next questions, at most `batch` rows; none when the budget is closed or the pool is used up. Until they are
        taught, the same questions again."""
        if self._pending is not None and len(self._pending.ids):
            return self._pending
        is_meter = self._meter.left > 0 and bool((self.kinds_ == "").any())
        most = self._meter.left if is_meter else self._meter.answers_left
        paid = self.plan.silences if is_meter else self.plan.answers
        size = max(1, paid // _PARTS) if batch is None else _inputs.whole_number("batch", batch, 1)
        if not most:
            self._pending = Query(numpy.empty(0, dtype=numpy.int64), None)
        elif is_meter:
            self._pending = Query(self._some(numpy.flatnonzero(self.kinds_ == ""), size), None)
        else:
            self._pending = self._choice(min(size, most))
        return self._pending

    def _some(self, rows: Array, size: int) -> Array:
        return self._dice.permutation(rows)[:size]

    def _choice(self, size: int) -> Query:
        """Questions for the toll."""
        silent = numpy.flatnonzero((self.kinds_ == METER) & (self.labels_ == SILENT))
        rest = numpy.flatnonzero(self.kinds_ == "")
        sold = self.plan.answers - self._meter.answers_left
        student = None if self.ask == "random" or len(numpy.unique(self._known()[1])) < 2 else self._fitted()
        if self.ask == "combined" and len(silent):
            ids = self._some(silent, size)
        elif student is None or (self.ask == "margin" and sold < self.plan.answers // _RANDOM_PART):
            ids = self._some(rest, size)
        else:
            order = rest[numpy.argsort(self._margin(student, rest), kind="stable")]
            ids = self._some(order[:_CLOSEST * size], size)
        return Query(ids, self._candidates(student, ids))

    def _shares(self, student: Any, ids: Array) -> Array:
        shares = numpy.zeros((len(ids), len(self.classes_)))
        if len(ids):
            shares[:, student.classes_] = student.predict_proba(_teachers.take(self.pool, ids))
        return shares

    def _margin(self, student: Any, ids: Array) -> Array:
        best = numpy.sort(self._shares(student, ids), axis=1)
        margin: Array = best[:, -1] - best[:, -2]
        return margin

    def _candidates(self, student: Any, ids: Array) -> Array:
        """The two classes that the student thinks likeliest, or any two."""
        if len(self.classes_) == 2:
            return numpy.tile(numpy.arange(2), (len(ids), 1))
        shares = self._dice.random((len(ids), len(self.classes_))) if student is None else self._shares(student, ids)
        return numpy.sort(numpy.argsort(shares, axis=1)[:, -2:], axis=1)

    def teach(self, ids: Any, votes: Any, counts: bool = False) -> Array:
        """Answers what query() asked: votes[question, teacher] (or with counts=True counts[question, class]) in the order of
        `ids`, which are some or all of the questions. Returns a place among the classes for each, SILENT for a silence; fewer
        when the budget closes. It pays; an exception has the answers before it in `released`."""
        asked = self._pending or Query(numpy.empty(0, dtype=numpy.int64), None)
        ids = numpy.asarray(ids, dtype=numpy.int64)
        place = {int(row): i for i, row in enumerate(asked.ids)}
        if ids.ndim != 1 or len(set(ids.tolist())) != len(ids) or not all(int(row) in place for row in ids):
            raise InputError("ids: not rows that query() asked about, each once")
        if len(ids) != len(votes):
            raise InputError(f"{len(ids)} questions, but votes on {len(votes)}")
        at = numpy.array([place[int(row)] for row in ids], dtype=numpy.int64)
        kind = METER if asked.candidates is None else TOLL
        first = self._meter.asked
        self._note(ids, kind)
        try:
            if asked.candidates is None:
                said = self._meter.answer(votes, counts)
            else:
                said = self._meter.choose(votes, asked.candidates[at], counts)
        except Exception as error:
            before = getattr(error, "released", None)
            self._took(ids, kind, numpy.empty(0) if before is None else before, asked)
            raise
        assert self._meter.asked == first + len(said)
        self._took(ids, kind, said, asked)
        return said

    def _took(self, ids: Array, kind: str, said: Array, asked: Query) -> None:
        for row, answer in zip(ids, said):
            self._hear(int(row), kind, int(answer))
        rest = ~numpy.isin(asked.ids, ids[:len(said)])
        self._pending = Query(asked.ids[rest], None if asked.candidates is None else asked.candidates[rest])
        if len(said) < len(ids):  # closed: the next questions are chosen anew
            self._pending = None

    # ---- the student ----

    def _known(self) -> "tuple[Array, Array]":
        rows = numpy.flatnonzero(self.labels_ >= 0)
        return rows, self.labels_[rows]

    def _fitted(self) -> Any:
        rows, labels = self._known()
        return clone(self._student).fit(_teachers.take(self.pool, rows), labels)

    def learn(self) -> Any:
        """The student, fitted to all released labels; its classes are the declared ones."""
        rows, labels = self._known()
        if len(numpy.unique(labels)) < 2:
            raise InputError("labels of one class at most were released: there is nothing to learn")
        return clone(self._student).fit(_teachers.take(self.pool, rows), self.classes_[labels])

    def close(self) -> None:
        """Gives back what is reserved and not used."""
        self._meter.close()

    def __enter__(self) -> "AskingSession":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
