"""Mistakes in what the Python estimators are given are exceptions, and what comes in as scikit-learn takes it is as good
as an array: the same separable problem is learned from every kind of input."""
import itertools
import os
import pickle
import tempfile
import warnings

import fumata
import numpy
import pandas
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
names = itertools.count()
PLAN = fumata.plan("8", "1e-4", 20)
PRIVATE = "(private: do not publish this line)"
warnings.simplefilter("error", fumata.PoorResult)


def rows(n, seed):
    dice = numpy.random.default_rng(seed)
    X = dice.normal(size=(n, 3)) + 6.0 * dice.integers(0, 2, size=(n, 1))
    return X, (X.sum(axis=1) > 9).astype(int)


X, y = rows(3000, 1)
public, truth = rows(400, 2)


def model(estimator=None, classes=(0, 1), **more):
    more.setdefault("ledger", f"{next(names)}.ledger")
    return fumata.PrivateClassifier(estimator, classes=classes, plan=PLAN, teachers=60, **more)


def refused(what, kind, pattern, call):
    """Raises `kind` with the words of `pattern`, before anything is spent."""
    try:
        call()
    except kind as error:
        assert pattern.lower() in str(error).lower(), f"{what}: {error}"
        return str(error)
    raise AssertionError(f"{what}: nothing was said")


def private(what, kind, pattern, call):
    assert refused(what, kind, pattern, call).endswith(PRIVATE), f"{what}: not said to be private"


# ---- what must be an exception, and once was a thousand labels of class 0 ----

ledger = f"{next(names)}.ledger"
spoiled = X.copy()
spoiled[17, 1] = numpy.nan
private("NaN", ValueError, "contains NaN", lambda: model(ledger=ledger).fit(spoiled, y, X_public=public))
private("NaN in a table", ValueError, "contains NaN",
        lambda: model(LogisticRegression(), ledger=ledger).fit(pandas.DataFrame(spoiled), y, X_public=pandas.DataFrame(public)))
infinite = X.copy()
infinite[5, 0] = numpy.inf
private("infinity", ValueError, "infinity", lambda: model(ledger=ledger).fit(infinite, y, X_public=public))
private("infinity in a table", ValueError, "infinity",
        lambda: model(ledger=ledger).fit(pandas.DataFrame(infinite), y, X_public=pandas.DataFrame(public)))
refused("C=-1", ValueError, "'C' parameter", lambda: model(LogisticRegression(C=-1), ledger=ledger).fit(X, y, X_public=public))
refused("foo", ValueError, "'foo' is not logistic", lambda: model("foo", ledger=ledger).fit(X, y, X_public=public))
refused("a regressor", ValueError, "a classifier is needed", lambda: model(LinearRegression(), ledger=ledger).fit(X, y, X_public=public))
refused("negative for Bayes", ValueError, "Negative values", lambda: model(MultinomialNB(), ledger=ledger).fit(X, y, X_public=public))
refused("no public rows", ValueError, "X_public is missing", lambda: model(ledger=ledger).fit(X, y))
refused("no classes", ValueError, "declare them", lambda: model(classes=None, ledger=ledger).fit(X, y, X_public=public))
refused("a class twice", ValueError, "different labels", lambda: model(classes=[0, 0], ledger=ledger).fit(X, y, X_public=public))
refused("one class", ValueError, "1 class", lambda: model(classes=[0], ledger=ledger).fit(X, y, X_public=public))
refused("protects", ValueError, "neither", lambda: model(protects="secrets", ledger=ledger).fit(X, y, X_public=public))
refused("teachers", ValueError, "teachers", lambda: model(ledger=ledger).set_params(teachers=0).fit(X, y, X_public=public))
private("undeclared label", ValueError, "row 7 is not one of the declared", lambda: model(classes=[1, 2], ledger=ledger).fit(
    X, numpy.where(numpy.arange(3000) == 7, 0, y + 1), X_public=public))
private("short y", ValueError, "inconsistent", lambda: model(ledger=ledger).fit(X, y[:-1], X_public=public))
private("short units", ValueError, "2 units", lambda: model(ledger=ledger).fit(X, y, X_public=public, units=[1, 2]))
private("a vector", ValueError, "2D", lambda: model(ledger=ledger).fit(X[:, 0], y, X_public=public))
private("words", ValueError, "", lambda: model(ledger=ledger).fit(numpy.full((9, 2), "a"), y[:9], X_public=public))
refused("other columns", ValueError, "features", lambda: model(ledger=ledger).fit(X, y, X_public=public[:, :2]))
holes = public.copy()
holes[399, 2] = numpy.nan
refused("NaN in public rows", ValueError, "contains NaN", lambda: model(ledger=ledger).fit(X, y, X_public=holes))
text = pandas.DataFrame({"a": X[:, 0], "b": ["x", "y"] * 1500})
refused("text without public rows", ValueError, "needs some public rows",
        lambda: fumata.PrivateLabeller(classes=[0, 1]).fit(text, y))
refused("the private rows as public ones", ValueError, "these are the private rows", lambda: model(ledger=ledger).fit(
    X, y, X_public=X.copy()))
refused("the private rows as public ones, of teachers", ValueError, "these are the private rows", lambda: model(
    LogisticRegression(), ledger=ledger).fit(X, y, X_public=X.copy()))
assert not os.path.exists(ledger), "a call that failed spent something"

# ---- what must be as good as an array ----

columns = ["a", "b", "c"]


def learns(what, estimator, X, y, public, test, truth, classes=(0, 1), **more):
    taught = model(estimator, classes, **more).fit(X, y, X_public=public)
    score = taught.score(test, truth)
    assert score > 0.97, f"{what}: {score}"
    assert taught.n_labels_ > 200 and taught.spent_ == PLAN.spent, what
    return taught


test, answer = rows(500, 3)
learns("arrays", None, X, y, public, test, answer)
learns("lists", None, X.tolist(), y.tolist(), public.tolist(), test.tolist(), answer.tolist())
table = learns("tables", None, pandas.DataFrame(X, columns=columns), pandas.Series(y, index=range(7, 3007)),
               pandas.DataFrame(public, columns=columns), pandas.DataFrame(test, columns=columns), answer)
assert table.feature_names_in_.tolist() == columns and table.n_features_in_ == 3
for kind in ("csr", "csc", "coo"):
    as_kind = getattr(scipy.sparse, kind + "_matrix")
    learns(kind, None, as_kind(X), y, as_kind(public), as_kind(test), answer)
learns("mixed kinds", None, scipy.sparse.csc_matrix(X), y, public, test, answer)
words = numpy.array(["well", "sick"])
texts = learns("words", LinearSVC(), X, words[y], public, test, words[answer], classes=["well", "sick"])
assert set(texts.predict(test)) == {"well", "sick"} and not hasattr(texts, "predict_proba")
learns("words as objects", None, X, words[y].astype(object).tolist(), public, test, words[answer], classes=["sick", "well"])
learns("n_jobs", None, X, y, public, test, answer, n_jobs=2)
learns("labels only", None, X, y, None, test, answer, protects="labels")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", fumata.PoorResult)
    three = learns("a class that never comes", None, X, y, public, test, answer, classes=[0, 1, 2])
assert any("never says 1 of the 3 classes" in str(w.message) for w in caught), [str(w.message) for w in caught]
assert three.predict_proba(test).shape == (500, 3) and (three.predict_proba(test)[:, 2] == 0).all()
learns("missing values", HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5), spoiled, y, holes, test, answer)
learns("imputed values", make_pipeline(SimpleImputer(), DecisionTreeClassifier(max_depth=2)), spoiled, y, holes, test, answer,
       student=make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()))
kinds = make_pipeline(make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["kind"]), remainder="passthrough"),
                      LogisticRegression(max_iter=1000))


def with_kind(X):
    return pandas.DataFrame({"kind": numpy.where(X[:, 0] > 3, "tall", "small"), "b": X[:, 1], "c": X[:, 2]})


learns("columns by name", kinds, with_kind(X), y, with_kind(public), with_kind(test), answer)

# ---- estimators as scikit-learn knows them ----

copy = clone(model(LogisticRegression(C=2), ledger="x"))
assert copy.get_params()["estimator__C"] == 2 and copy.set_params(estimator__C=3).estimator.C == 3 and copy.plan is PLAN
again = pickle.loads(pickle.dumps(texts))
assert (again.predict(test) == texts.predict(test)).all() and again.plan.claim == PLAN.claim
assert not any("private" in name or "model" in name for name in vars(again)), vars(again).keys()
labeller = fumata.PrivateLabeller(None, [0, 1], PLAN, "labeller.ledger", 60).fit(X, y, X_public=public)
labels = labeller.label(public)
assert labeller.answered_.sum() > 200 and labeller.spent_ == PLAN.spent and labeller.asked_ >= labeller.answered_.sum()
assert (labels[labeller.answered_] == truth[labeller.answered_]).mean() > 0.97
refused("a labeller out of a pickle", ValueError, "not fitted", lambda: pickle.loads(pickle.dumps(labeller)).label(public))
assert fumata.__version__ in os.popen(os.environ["FUMATA"] + " --version").read()
thirds = fumata.plan("1/3", "1/300000", 5)
assert thirds.spent.epsilon > thirds.claim[0] and thirds.spent.delta >= thirds.claim[1] and thirds.spent[0] - 1 / 3 < 1e-15

# ---- a poor result is said, and said from what was released ----


class Stubborn(ClassifierMixin, BaseEstimator):
    """Says one class, whatever it is taught; as a student it says the other."""

    def __init__(self, says=0):
        self.says = says

    def fit(self, _X, y):
        self.classes_ = numpy.unique(y)
        return self

    def predict(self, X):
        return numpy.full(len(X), self.says)


class Fickle(Stubborn):
    """Agrees on every row, and rightly; as a student it is wrong everywhere."""

    def predict(self, X):
        return (X.sum(axis=1) > 9).astype(int) ^ self.says


class Angry(Stubborn):
    """Learns from made-up labels, and fails on those of any teacher."""

    def fit(self, X, y):
        if len(y) != 60:
            raise RuntimeError("not to my taste")
        return super().fit(X, y)


def warned(pattern, **more):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", fumata.PoorResult)
        taught = model(**more).fit(X, y, X_public=public)
    said = [str(w.message) for w in caught if issubclass(w.category, fumata.PoorResult)]
    assert len(said) == 1 and pattern in said[0] and "Try" in said[0], said
    return taught


one = warned("released labels are 0: the classifier says nothing else", estimator=Stubborn(), student=LogisticRegression())
assert set(one.predict(test)) == {0} and one.n_labels_ > 200
none = warned("no label was released", estimator=Angry())
assert none.n_labels_ == 0 and none.n_silences_ == 20 and len(none.predict(test)) == 500
refused("NaN without a student", ValueError, "NaN", lambda: one.predict(spoiled))
warned("saying that class always would be better", estimator=Fickle(), student=Fickle(1))
print("python: inputs, estimators and warnings are as they should be")
