"""Whatever is handed to the Python door, it answers with an exception and never with a crash."""
import itertools
import os
import pickle
import random
import secrets
import tempfile
import threading

import fumata
import numpy
from fumata._teachers import chunks
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
good = fumata.plan("2", "1e-5", 20)
names = itertools.count()


def fresh():
    return f"{next(names)}.ledger"


def refused(what, call):
    try:
        call()
    except (fumata.Error, TypeError, ValueError, OverflowError) as error:
        assert str(error), what
        return
    raise AssertionError(f"{what}: nothing was said")


table, alpha, v = good.table, good.alpha, good.v
for what, arguments in {
        "empty table": ("2", "1e-5", 20, table[:0], alpha, v),
        "zero entry": ("2", "1e-5", 20, numpy.append(table, 0), alpha, v),
        "rising table": ("2", "1e-5", 20, table[::-1], alpha, v),
        "matrix": ("2", "1e-5", 20, table.reshape(1, -1), alpha, v),
        "floats": ("2", "1e-5", 20, table / 2.0**64, alpha, v),
        "negative": ("2", "1e-5", 20, -table.astype(numpy.int64) // 4, alpha, v),
        "too long": ("2", "1e-5", 20, numpy.ones(300000, numpy.uint64), alpha, v),
        "more silences": ("2", "1e-5", 21, table, alpha, v),
        "no silences": ("2", "1e-5", 0, table, alpha, v),
        "smaller epsilon": ("1.98", "1e-5", 20, table, alpha, v),
        "zero epsilon": ("0", "1e-5", 20, table, alpha, v),
        "nan": (float("nan"), "1e-5", 20, table, alpha, v),
        "delta of one": ("2", "1", 20, table, alpha, v),
        "alpha of one": ("2", "1e-5", 20, table, 1, v),
        "huge alpha": ("2", "1e-5", 20, table, 2**32 - 1, v),
        "alpha out of range": ("2", "1e-5", 20, table, 2**32, v),
        "V below one": ("2", "1e-5", 20, table, alpha, 2**32 - 1),
        "huge V": ("2", "1e-5", 20, table, alpha, 2**64 - 1),
}.items():
    refused(what, lambda: fumata.Plan(*arguments))
for what, arguments in {"word": ("two", "1e-5", 20), "huge": ("1e400", "1e-5", 20), "tiny": ("1e-300", "1e-5", 20),
                        "many": ("2", "1e-5", 10**7), "half": ("2", "1e-5", 1.5)}.items():
    refused(what, lambda: fumata.plan(*arguments))
refused("mechanism", lambda: fumata.plan("2", "1e-5", 20, mechanism="magic"))
refused("no file", lambda: fumata.load("nowhere"))
with open("noise", "wb") as f:
    f.write(random.Random(1).randbytes(5000))
refused("noise as plan", lambda: fumata.load("noise"))
refused("noise as ledger", lambda: fumata.Meter(good, "noise"))
refused("zero byte", lambda: fumata.Meter(good, "a\0b"))
refused("no plan", lambda: fumata.Meter(None, fresh()))
for classes in (0, 1, 1025, 2**32, -1, 2.5):
    refused(f"{classes} classes", lambda: fumata.Meter(good, fresh(), classes=classes))

good.save("plan")
text = open("plan").read().splitlines(keepends=True)
dice = random.Random(2)
for _ in range(300):
    damaged = list(text)
    line = dice.randrange(len(damaged))
    damaged[line] = "".join(dice.choice("0123456789 -/ex\n") if dice.random() < 0.2 else c for c in damaged[line])
    if damaged != text:
        with open("damaged", "w") as f:
            f.write("".join(damaged[:dice.randrange(len(damaged) + 1)] if dice.random() < 0.3 else damaged))
        refused("damaged plan", lambda: fumata.load("damaged"))

ledger = fresh()
with fumata.Meter(good, ledger, classes=3) as meter:
    for what, votes, counts in [
            ("vector", numpy.zeros(5, numpy.uint8), False), ("cube", numpy.zeros((2, 2, 2), numpy.uint8), False),
            ("no teachers", numpy.zeros((4, 0), numpy.uint8), False), ("words", numpy.array([["a", "b"]]), False),
            ("objects", numpy.array([[None, 1]]), False), ("complex", numpy.zeros((2, 2), complex), False),
            ("too few columns", numpy.ones((4, 2), numpy.uint32), True), ("text", numpy.array([["1"] * 3]), True)]:
        refused(what, lambda: meter.answer(votes, counts=counts))
    assert meter.left == 20, "an error spent a silence"
    refused("in use", lambda: fumata.Meter(good, ledger, classes=3))
    assert len(meter.answer(numpy.zeros((0, 9), numpy.uint8))) == 0
    # Even all teachers together are met with silence once in a million times, so never mind one.
    strided = numpy.zeros((8, 2000), numpy.uint8)[::2, ::2]
    assert sorted(set(meter.answer(strided)) - {fumata.SILENT}) == [0]
    assert sorted(set(meter.answer(numpy.array(3 * [[1, 2, 997.0]]), counts=True)) - {fumata.SILENT}) == [2]
    for kind in (numpy.uint32, numpy.int64, numpy.float64):  # no number of votes is too many
        many = numpy.array(3 * [[999999, 1, 2000001]], kind)
        assert sorted(set(meter.answer(many, counts=True)) - {fumata.SILENT}) == [2]
    huge = numpy.array(3 * [[2**40, 2**31, 0]])
    assert sorted(set(meter.answer(huge, counts=True)) - {fumata.SILENT}) == [0]
    assert meter.left >= 18, "silences where all agree"
    # A vote that is not a label abstains, a row that does not hold counts is an empty ballot, and the rows around it are answered.
    for what, votes, counts in [
            ("vote 3", numpy.full(900, 3, numpy.uint8), False), ("vote 255", numpy.full(900, 255, numpy.uint8), False),
            ("vote -1", numpy.full(900, -1), False), ("vote 256", numpy.full(900, 256), False),
            ("nan", numpy.full(900, numpy.nan), False), ("half", numpy.full(900, 0.5), False),
            ("infinite", numpy.full(900, numpy.inf, numpy.float32), False),
            ("16 bits", numpy.full(900, 3, numpy.uint16), False), ("all zero", numpy.zeros(3, numpy.uint32), True),
            ("a tie of millions", numpy.full(3, 10**6, numpy.uint32), True), ("negative", numpy.array([-5, 1000, 0]), True),
            ("a tie beyond 32 bits", numpy.full(3, 2**33), True), ("nan", numpy.array([numpy.nan, 900, 0]), True)]:
        good_row = numpy.array([0, 900, 0] if counts else [1] * 900, votes.dtype)
        answers = meter.answer(numpy.stack([good_row, votes, good_row, good_row]), counts=counts).tolist()
        assert answers[1] == fumata.SILENT and set(answers) == {1, fumata.SILENT}, f"{what}: {answers}"
        assert len(answers) == 4, what
        if not counts:
            answers = meter.answer(numpy.tile(numpy.concatenate([good_row, votes[:9]]), (2, 1)))
            assert len(answers) == 2 and 1 in answers, f"{what}: {answers}"
    left = meter.left
    assert left >= 5, "silences where all agree"
    silent = meter.answer(numpy.tile(numpy.arange(900) % 3, (50, 1)))
    assert len(silent) == left and (silent == fumata.SILENT).all() and meter.left == 0
refused("closed", lambda: meter.answer(strided))
refused("spent", lambda: fumata.Meter(good, ledger, classes=3))

# ---- answers that are paid for ----

toll = fumata.plan("2", "1e-5", answers=400)
both = fumata.plan("2", "1e-5", 20, answers=400)
assert toll.mechanism == "toll" and toll.silences == 0 and toll.answers == 400 and toll.table is None and len(toll.toll)
assert both.mechanism == "both" and both.silences == 20 and both.answers == 400 and len(both.table) and both.named(900) > 0.99
assert good.mechanism == "meter" and good.answers == 0 and good.toll is None and good.named(5) == 0
assert 0.5 < toll.named(3) < toll.named(50) and toll.spent == (2.0, fumata.plan("2", "1e-5", 5).delta)
assert pickle.loads(pickle.dumps(both)).claim == both.claim and "20 silences and 400 answers" in repr(both)
refused("classic answers", lambda: fumata.plan("2", "1e-5", 20, "classic", answers=3))
refused("half an answer", lambda: fumata.plan("2", "1e-5", answers=1.5))
refused("nothing", lambda: fumata.plan("2", "1e-5"))
agreed = numpy.tile(numpy.array([[0, 900, 100]], numpy.uint32), (300, 1))
with fumata.Meter(both, fresh(), classes=3) as meter:
    for what, pairs in {"no pairs": None, "too few": [[0, 1]] * 299, "the same": [[1, 1]] * 300, "turned": [[2, 1]] * 300,
                        "no class": [[0, 3]] * 300, "negative": [[-1, 1]] * 300, "three": [[0, 1, 2]] * 300,
                        "halves": [[0.5, 1]] * 300}.items():
        refused(what, lambda: meter.choose(agreed, pairs, counts=True))
    assert meter.answers_left == 400, "an error spent an answer"
    heard = meter.choose(agreed, [[1, 2]] * 300, counts=True)
    assert len(heard) == 300 and set(heard) <= {1, 2} and (heard == 1).mean() > 0.9 and meter.answers_left == 100
    assert meter.left == 20, "answers were taken for silences"
    assert len(meter.choose(agreed, [[0, 2]] * 300, counts=True)) == 100 and meter.answers_left == 0
    assert len(meter.answer(agreed[:5], counts=True)) == 5
with fumata.Meter(toll, fresh(), classes=2) as meter:
    heard = meter.choose(numpy.ones((500, 900), numpy.uint8))
    assert len(heard) == 400 and (heard == 1).mean() > 0.9 and meter.left == 0

# ---- fork and threads ----

tie = numpy.array([[450, 450, 0]])


def in_child(act):
    """What `act` returned in a forked process, 0 to 255."""
    child = os.fork()
    if child == 0:
        os._exit(act())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def answers_anyway():
    """0: refused; 1: something was answered."""
    try:
        return len(meter.answer(tie, counts=True))
    except fumata.Refused:
        return 0


def closes_anyway():
    try:
        meter.close()
    except fumata.Refused:
        return 0
    return 1


with fumata.Meter(good, fresh(), classes=3) as meter:
    while meter.answer(numpy.array([[0, 0, 900]]), counts=True) != 2:  # until a label, after which a silence is reserved
        pass
    left = meter.left
    assert sum(in_child(answers_anyway) for _ in range(5)) == 0, "a forked process answered from what its parent paid"
    assert in_child(closes_anyway) == 0, "a forked process closed its parent's meter"
    meter._lock.acquire()  # as if another thread were answering at the moment of the fork
    assert in_child(answers_anyway) == 0 and in_child(closes_anyway) == 0
    meter._lock.release()
    assert len(meter.answer(tie, counts=True)) == 1 and meter.left == left - 1

# Threads at one meter: each ballot is answered once, and no silence comes twice.
ledger, heard = fresh(), []
with fumata.Meter(good, ledger, classes=3) as meter:
    def ask():
        for _ in range(40):
            heard.append(meter.answer(numpy.array([[0, 0, 900], [450, 450, 0]]), counts=True))
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = numpy.concatenate(heard)
    assert (total == fumata.SILENT).sum() == 20 and meter.left == 0, "threads spent a silence twice"
    assert ((total == fumata.SILENT) | (total == 2)).all()

# Closing while others answer: they are answered or refused.
meter = fumata.Meter(good, fresh(), classes=3)
def ask_until_closed():
    try:
        while True:
            meter.answer(numpy.array([[0, 0, 900]]), counts=True)
    except fumata.Error as error:
        assert "closed" in str(error), error
        refusals.append(error)
refusals = []
threads = [threading.Thread(target=ask_until_closed) for _ in range(4)]
for thread in threads:
    thread.start()
meter.close()
for thread in threads:
    thread.join()
assert len(refusals) == 4

# ---- teachers ----

def fixed(size=None):
    """The same secrets in every run, so that two runs can be compared."""
    return b"secret" * 6 if size is None else (b"secret" * 6)[:size]


def teach(estimator, X, y, units, public, teachers=30):
    kept, secrets.token_bytes = secrets.token_bytes, fixed
    try:
        numpy.random.seed(0)
        random.seed(0)
        labeller = fumata.PrivateLabeller(estimator, [0, 1], good, fresh(), teachers=teachers, anyway=True).fit(X, y, units=units)
        return labeller.votes(public)
    finally:
        secrets.token_bytes = kept


dice = numpy.random.default_rng(3)
X, public = dice.normal(size=(900, 4)), dice.normal(size=(300, 4))
y = (X[:, 0] + dice.normal(size=900) > 0).astype(int)
units = numpy.arange(900)


class Moody(ClassifierMixin, BaseEstimator):
    """Throws dice of both global generators, in fit and in predict."""

    def fit(self, _X, y):
        self.bias_ = numpy.random.random() + random.random() + len(y) % 7 / 7
        return self

    def predict(self, X):
        return ((numpy.random.random(len(X)) + random.random() + self.bias_) % 1 > 0.5).astype(int)


class Touchy(ClassifierMixin, BaseEstimator):
    """Fails where a record tells it to."""

    def __init__(self, where):
        self.where = where

    def fit(self, X, _y):
        self.angry_ = bool((X[:, 3] > 90).any())
        if self.angry_ and self.where == "fit":
            raise RuntimeError("a private record is not to my taste")
        return self

    def predict(self, X):
        if self.angry_ and self.where == "exit":
            raise SystemExit(3)
        if self.angry_ and self.where == "short":
            return numpy.zeros(3)
        if self.angry_ and self.where == "words":
            return numpy.array(["yes"] * len(X))
        if self.angry_ and self.where == "nan":
            return numpy.full(len(X), numpy.nan)
        if self.angry_ and self.where == "range":
            return numpy.full(len(X), -1)
        if self.angry_:
            raise RuntimeError("a private record is not to my taste")
        return (X[:, 0] > 0).astype(int)


def changed(estimator, removed):
    """How many of the teachers vote otherwise without one record."""
    before = teach(estimator, X, y, units, public)
    keep = units != removed
    after = teach(estimator, X[keep], y[keep], units[keep], public)
    return int((before != after).any(axis=0).sum())


for estimator in (GradientBoostingClassifier(n_estimators=3, subsample=0.5), RandomForestClassifier(n_estimators=3),
                  Moody()):
    for removed in (0, 417, 899):
        n = changed(estimator, removed)
        assert n <= 1, f"{type(estimator).__name__}: one record changed {n} of 30 teachers"
assert changed(Moody(), 5) == 1
teach(Moody(), X, y, units, public)
found = numpy.random.random(), random.random()
numpy.random.seed(0)
random.seed(0)
assert found == (numpy.random.random(), random.random()), "the caller's generators were moved"
assert (teach(Moody(), X, y, units, public)[:, 0] != teach(Moody(), X, y, units, public)[:, 1]).any()

# A unit's teacher depends on nothing but the unit: one odd unit among many does not move the others.
def places(units):
    kept, secrets.token_bytes = secrets.token_bytes, fixed
    try:
        return chunks(len(units), units, 30)[:8].tolist()
    finally:
        secrets.token_bytes = kept


first = list(range(8))
for odd in ([], [0.5], [float("nan")], ["x"], [None], [2**63], [2**70], [-1, 2**63]):
    assert places(first + odd) == places(first), f"the unit {odd} moved other units to other teachers"
    assert places(numpy.array(first + odd)) == places(first), f"the unit {odd} moved other units, in an array"

# A teacher that fails, or whose votes are none, abstains; the others do not notice.
angry = X.copy()
angry[123, 3] = 99
for where in ("fit", "predict", "exit", "short", "words", "nan", "range"):
    before, after = teach(Touchy(where), X, y, units, public), teach(Touchy(where), angry, y, units, public)
    different = (before != after).any(axis=0)
    assert different.sum() == 1, f"{where}: {different.sum()} teachers changed"
    assert (after[:, different] >= 2).all(), f"{where}: the teacher that failed did not abstain"
few = teach(Touchy("fit"), X[:3], y[:3], units[:3], public)
assert (few >= 2).all(axis=0).sum() >= 27, "a teacher without records did not abstain"
labeller = fumata.PrivateLabeller(Touchy("predict"), [0, 1], good, fresh(), teachers=30, anyway=True)
assert len(labeller.fit(angry, y, units=units).label(public)) == 300
refused("no estimator", lambda: fumata.PrivateLabeller(object(), [0, 1], good, fresh(), teachers=3).fit(X, y))
print("door: every bad call was refused")
