"""Budgets of the Python package: what is refused, when, and as what; threads, pipelines, tables, and what survives an exception."""
import io
import itertools
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import fumata
import numpy
import pandas
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
names = (f"{i}.ledger" for i in itertools.count())


def rows(n, seed):
    dice = numpy.random.default_rng(seed)
    X = dice.normal(size=(n, 3)) + 6.0 * dice.integers(0, 2, size=(n, 1))
    return X, (X.sum(axis=1) > 9).astype(int)


X, y = rows(3000, 1)
public, truth = rows(300, 2)


def model(estimator=None, **more):
    return fumata.PrivateClassifier(estimator, **{"classes": [0, 1], "epsilon": "1", **more})


def raised(kind, pattern, call):
    try:
        call()
    except kind as error:
        assert pattern in str(error), error
        assert type(error) is kind, type(error)
        return error
    raise AssertionError(f"not refused: {pattern}")


# ---- a ledger and its ceiling ----

with fumata.Budget("clinic.ledger", epsilon="2", delta="2e-5") as budget:
    first = model().fit(X, y, X_public=public)
    assert first.spent_ == fumata.Spent(1.0, 1e-5) == budget.left and budget.spent == first.spent_, budget
    again = model().fit(X, y, X_public=public)  # all answers are in the ledger
    assert budget.spent == first.spent_ and (again.labels_ == first.labels_).all() and again.report_["recalled"] > 0
    model().fit(X[:2000], y[:2000], X_public=public)  # another part of the data set: it pays
    assert budget.spent == first.spent_ + first.spent_ and budget.left == (0.0, 0.0), budget
    told = []
    spent = raised(fumata.BudgetSpent, "more than the total", lambda: model(on_progress=told.append).fit(
        X[:1000], y[:1000], X_public=public))
    assert spent.asked == (1.0, 1e-5) and spent.left == (0.0, 0.0) and not any("asked" in line for line in told), told
    assert "clinic.ledger" in repr(budget) and "<table" in budget._repr_html_()
    assert pickle.loads(pickle.dumps(budget)).spent == budget.spent
three = sum([first.spent_] * 3)
assert isinstance(three, fumata.Spent) and three.epsilon == 3.0 and 3e-5 <= three.delta < 3.0000001e-5
assert fumata.Budget("clinic.ledger").total == (2.0, 2e-5)
raised(fumata.InputError, "total epsilon of 2", lambda: fumata.Budget("clinic.ledger", epsilon="3"))
raised(fumata.InputError, "one of them", lambda: model(budget=budget, ledger="x").fit(X, y, X_public=public))

# The refusal comes before a teacher is trained, also of teachers of Python's.
trained = []


class Counting(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        trained.append(len(y))
        return super().fit(X, y, sample_weight)


few = {"epsilon": "4", "silences": 20, "teachers": 100}
with fumata.Budget(next(names), epsilon="4", delta="1e-5"):
    model(Counting(), **few).fit(X, y, X_public=public)
    assert len(trained) > 100
    trained.clear()
    spent = raised(fumata.BudgetSpent, "is too much", lambda: model(Counting(), **{**few, "silences": 19}).fit(X, y, X_public=public))
    assert len(trained) == 1 and spent.asked == (4.0, 1e-5) and spent.left == (0.0, 0.0), trained  # the trial on public rows

# ---- without a ledger: one total for the process, and a warning each time ----

SEARCH = """
import sys, warnings, fumata, numpy
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
warnings.simplefilter("always")
dice = numpy.random.default_rng(1)
X = dice.normal(size=(2000, 3)) + 6.0 * dice.integers(0, 2, size=(2000, 1))
y = (X.sum(axis=1) > 9).astype(int)
public = X[:300] + 0.01
model = fumata.PrivateClassifier(classes=[0, 1], epsilon="1")
search = GridSearchCV(model, {"features": ["raw", "standard"]}, cv=3, error_score="raise", n_jobs=int(sys.argv[1]))
try:
    search.fit(X, y, X_public=public)
except fumata.BudgetSpent as error:
    print("refused", tuple(error.asked), tuple(error.left))
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "FUMATA_UNTRACKED"}
for jobs in ("1", "2"):
    said = subprocess.run([sys.executable, "-c", SEARCH, jobs], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=ENVIRONMENT, check=False)
    assert "refused (1.0, 1e-05) (0.0, 0.0)" in said.stdout or (jobs == "2" and "in use" in said.stderr), (said.stdout, said.stderr[-2000:])
    assert jobs == "2" or "UntrackedBudget: no ledger is named" in said.stderr, said.stderr


def untracked():
    """Totals of runs without a ledger, but for this one's."""
    return [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("fumata-untracked") and
            os.path.join(tempfile.gettempdir(), name) != os.environ["FUMATA_UNTRACKED"]]


for _ in range(300):  # the search's workers may end after it
    if not untracked():
        break
    time.sleep(0.1)
assert not untracked(), "an untracked total was left behind"

# ---- different refusals ----

plan = fumata.plan("2", "1e-5", 20)
with fumata.Meter(plan, "meter.ledger") as meter:
    raised(fumata.LedgerBusy, "in use", lambda: fumata.Meter(plan, "meter.ledger"))
    if not os.fork():
        try:
            meter.answer(numpy.zeros((1, 900), numpy.uint8))
        except fumata.Forked:
            os._exit(0)
        finally:
            os._exit(1)
    assert os.wait()[1] == 0, "a forked process was not told that it is one"
raised(fumata.NotCertified, "not certified", lambda: fumata.Plan("1", "1e-5", 20, plan.table, plan.alpha, plan.v))
raised(fumata.Refused, "delta 0.05 is too large", lambda: model(delta="0.05", ledger=next(names)).fit(X, y, X_public=public))
raised(fumata.Refused, "delta 0.05 is too large", lambda: model(
    LogisticRegression(), delta="0.05", ledger=next(names)).fit(X, y, X_public=public))
raised(fumata.Refused, "5 teachers are too few", lambda: model(teachers=5, silences=20, ledger=next(names)).fit(X, y, X_public=public))
raised(fumata.Refused, "5 teachers are too few", lambda: model(
    LogisticRegression(), teachers=5, silences=20, ledger=next(names)).fit(X, y, X_public=public))
toll = fumata.plan("2", "1e-5", answers=50)
raised(fumata.InputError, "asks the meter", lambda: model(LogisticRegression(), plan=toll, ledger=next(names)).fit(X, y, X_public=public))
with fumata.Meter(toll, next(names)) as meter:
    raised(fumata.InputError, "no silences", lambda: meter.answer(numpy.zeros((1, 900), numpy.uint8)))
    assert (meter.choose(numpy.zeros((3, 900), numpy.uint8)) == 0).all()

# ---- what survives an exception ----


class Late(ClassifierMixin, BaseEstimator):
    """Learns made-up labels, and fails on real ones."""

    def fit(self, _X, y):
        if len(y) != 60:
            raise RuntimeError("too late")
        self.classes_ = numpy.unique(y)
        return self

    def predict(self, X):
        return numpy.zeros(len(X), dtype=int)


class Early(Late):
    def fit(self, _X, _y):
        raise RuntimeError("in time")


for estimator in (None, LogisticRegression()):
    ledger = next(names)
    how = {} if estimator is None else few
    early = model(estimator, **{**how, "student": Early(), "ledger": ledger})
    raised(RuntimeError, "in time", lambda: early.fit(X, y, X_public=public))
    assert not os.path.exists(ledger), "a student that cannot learn cost something"
    late = model(estimator, **{**how, "student": Late(), "ledger": ledger})
    raised(RuntimeError, "too late", lambda: late.fit(X, y, X_public=public))
    assert 100 < (late.labels_ >= 0).sum() <= (late.kinds_ != "").sum() and late.report_ and late.spent_
    assert (late.labels_ == truth)[late.labels_ >= 0].mean() > 0.9

# ---- advice costs nothing ----

ledger = next(names)
said = model(ledger=ledger).advise(public, about=3000)
assert "certifies" in said and "nothing was spent" in said and "<pre>" in said._repr_html_() and not os.path.exists(ledger)
assert "the number of private records is not known" in model(ledger=ledger).advise(pandas.DataFrame(public))

# ---- pipelines that see private rows ----

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    make_pipeline(StandardScaler(), model(ledger=next(names))).fit(X, y, privateclassifier__X_public=public)
    make_pipeline("passthrough", model(ledger=next(names))).fit(X, y, privateclassifier__X_public=public)
    model(make_pipeline(StandardScaler(), LogisticRegression()), ledger=next(names), **few).fit(X, y, X_public=public)
seen = [str(w.message) for w in caught if issubclass(w.category, fumata.SeesPrivateRows)]
assert len(seen) == 1 and "standardscaler" in seen[0] and "Put them inside" in seen[0], seen

# ---- threads ----

heard, out = [], sys.stdout


def fit_loudly(seed):
    taught = model(LinearSVC(verbose=1, random_state=1), ledger=f"thread{seed}.ledger", **few).fit(X, y, X_public=public)
    heard.append(taught.score(public, truth))


with open("loud", "w+b") as loud:
    kept = os.dup(1)
    os.dup2(loud.fileno(), 1)
    sys.stdout = io.TextIOWrapper(os.fdopen(os.dup(1), "wb"), write_through=True)
    stream = sys.stdout
    before = numpy.random.get_state()[1].tolist()
    threads = [threading.Thread(target=fit_loudly, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.stdout is stream, "two fits left another sys.stdout"
    print("still here")
    stream.flush()
    sys.stdout = out
    os.dup2(kept, 1)
    loud.seek(0)
    written = loud.read().decode()
assert len(heard) == 3 and min(heard) > 0.9, heard
assert numpy.random.get_state()[1].tolist() == before, "two fits left other dice"
# Once for each fit the estimator is tried on public rows, and may be heard; the teachers may not.
assert written.endswith("still here\n") and written.count("optimization finished") <= 6, written[-500:]

# ---- tables as they come ----

dice = numpy.random.default_rng(3)


def clinic(n):
    sick = dice.random(n) < 0.5
    table = pandas.DataFrame({
        "ward": pandas.Categorical(numpy.where(sick ^ (dice.random(n) < 0.1), 7, 12)),  # numbers that are names
        "smokes": pandas.array(numpy.where(dice.random(n) < 0.1, None, sick ^ (dice.random(n) < 0.3)), dtype="boolean"),
        "seen": pandas.to_datetime("2024-01-01") + pandas.to_timedelta(dice.integers(0, 100, n) + 100 * sick, unit="D"),
        "pressure": pandas.array(numpy.where(dice.random(n) < 0.1, None, 100 + 20 * sick + dice.integers(0, 30, n)), dtype="Int64"),
        "note": numpy.where(dice.random(n) < 0.2, None, "a, \"b\"\n")})
    table.loc[dice.random(n) < 0.05, "seen"] = pandas.NaT
    return table, numpy.where(sick, "sick", "well")


private, diagnosis = clinic(3000)
shown, _ = clinic(400)
test, answer = clinic(500)
tabled = fumata.PrivateClassifier(classes=["sick", "well"], epsilon="2", ledger=next(names)).fit(private, diagnosis, X_public=shown)
assert tabled.score(test, answer) > 0.9, tabled.score(test, answer)
assert tabled.feature_names_in_.tolist() == list(private.columns) and set(tabled.predict(test)) == {"sick", "well"}
decided = tabled.decision_function(test)
assert decided.shape == (500,) and ((decided > 0) == (tabled.predict(test) == "well")).all()
tabled.student_.save("student.model")
shown_by = subprocess.run([os.environ["FUMATA"], "model", "show", "student.model"], stdout=subprocess.PIPE, text=True, check=True).stdout
ward = [line for line in shown_by.splitlines() if "ward" in line]
assert ward and "categor" in ward[0], shown_by
assert "<table" in tabled._repr_html_() and "poll" in tabled._repr_html_() and "<table" in plan._repr_html_()

# Weights: who has none takes no part; teachers of Python's get them.
weights = numpy.where(numpy.arange(3000) < 1500, 1.0, 0.0)
wrong = numpy.where(numpy.arange(3000) < 1500, y, 1 - y)
assert model(ledger=next(names)).fit(X, wrong, X_public=public, sample_weight=weights).score(public, truth) > 0.9
assert model(LogisticRegression(), ledger=next(names), **few).fit(
    X, wrong, X_public=public, sample_weight=weights + 1e-9).score(public, truth) > 0.9
raised(ValueError, "sample_weight", lambda: model(ledger=next(names)).fit(X, y, X_public=public, sample_weight=[1, 2]))
assert fumata.plan(numpy.float64(2.0), numpy.float64(1e-5), 20).claim == plan.claim

# Nothing private is left in a folder, and no descriptor stays open.
before = len(os.listdir("/proc/self/fd"))
model(ledger=next(names)).fit(X, y, X_public=public)
assert len(os.listdir("/proc/self/fd")) == before, "a descriptor stays open"
print("python: budgets, refusals, threads and tables are as they should be")
