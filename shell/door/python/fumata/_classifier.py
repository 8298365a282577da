"""A classifier that is learned from private data and safe to publish."""
import contextlib
import os
import secrets
import tempfile
import warnings
from typing import Any, Iterator, Optional

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _inputs, _teachers
from ._labeller import PrivateLabeller
from ._library import InputError, PoorResult
from ._meter import Array
from ._plan import Plan, Spent


# What scikit-learn's check_estimator asks for and no private classifier can promise.
_TOO_FEW = {"check_classifiers_classes": "30 records are too few: labels of all classes cannot be released from them"}


def _student_has_proba(self: "PrivateClassifier") -> bool:
    model = getattr(self, "student_", None)
    return hasattr(self._student() if model is None else model, "predict_proba")


class PrivateClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Teachers learn from private rows, label public ones within (epsilon, delta), and a student learns from those labels.

    A fitted PrivateClassifier holds the student and what was released, and nothing else of the private data: it can be
    used, pickled and published for ever.

    Parameters
    ----------
    estimator : classifier, default LogisticRegression(max_iter=1000)
        The teachers, and the student if there is none of its own. Tried on public rows first; what it raises is raised.
    classes : list of labels
        All labels there may be. They are declared, not read off the private labels.
    epsilon, delta : str or float, default "1" and "1e-5"
        What the fit may cost. Text is taken exactly.
    silences : int, default 100
        How often the teachers may disagree before the budget closes.
    teachers : int, default 250
    student : classifier, optional
    plan : fumata.Plan, optional
        Instead of epsilon, delta and silences.
    ledger : path, optional
        The data set's ledger: a second fit goes on where the first one stopped, and is refused when the plan is spent.
        Without one every fit costs epsilon and delta again, and adding them up is left to you.
    protects : "records" or "labels", default "records"
        "records": neighbours differ in one row (or in all rows of one unit) added, removed or changed, and X_public is
        needed. "labels": X is public and neighbours differ in one label; X_public may be left out and is then X.
    unsafe_classes_from_y : bool, default False
        NOT PRIVATE: take the classes from y when none are declared.
    n_jobs : int, optional
        Processes for training and voting of the teachers.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    student_ : the fitted student; its labels are places in classes_
    spent_ : fumata.Spent, the (epsilon, delta) of this fit's plan
    n_asked_, n_labels_, n_silences_ : public rows asked, and what came of them
    """

    def __init__(self, estimator: Any = None, *, classes: Any = None, epsilon: "str | float" = "1",
                 delta: "str | float" = "1e-5", silences: int = 100, teachers: int = 250, student: Any = None,
                 plan: Optional[Plan] = None, ledger: "Optional[str | os.PathLike[str]]" = None,
                 protects: str = "records", unsafe_classes_from_y: bool = False, n_jobs: Optional[int] = None):
        self.estimator = estimator
        self.classes = classes
        self.epsilon = epsilon
        self.delta = delta
        self.silences = silences
        self.teachers = teachers
        self.student = student
        self.plan = plan
        self.ledger = ledger
        self.protects = protects
        self.unsafe_classes_from_y = unsafe_classes_from_y
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, X_public: Any = None, units: Any = None) -> "PrivateClassifier":
        """Learn from private rows X with labels y, by way of the public rows X_public.

        The public rows are asked in random order until the budget closes. `units` names whose each private row is (each
        row its own when None). An exception about X or y tells of private data; its text says so."""
        if self.protects not in ("records", "labels"):
            raise InputError(f'protects: {self.protects!r} is neither "records" nor "labels"')
        if X_public is None and self.protects == "records":
            raise InputError("X_public is missing: public rows without labels, of the same columns as X")
        public = X if X_public is None else X_public
        labeller = self._labeller().fit(X, y, units=units, X_public=public)
        self.classes_: Array = labeller.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(labeller, name):
                setattr(self, name, getattr(labeller, name))
        public = _inputs.features(self, public)
        self._learn(public, self._release(labeller, public))
        return self

    def _labeller(self) -> PrivateLabeller:
        return PrivateLabeller(self.estimator, self.classes, self.plan, self.ledger, self.teachers, epsilon=self.epsilon,
                               delta=self.delta, silences=self.silences,
                               unsafe_classes_from_y=self.unsafe_classes_from_y, n_jobs=self.n_jobs)

    def _release(self, labeller: PrivateLabeller, public: Any) -> Array:
        """The place in classes_ of each public row's label, -1 where there is none."""
        order = numpy.array(secrets.SystemRandom().sample(range(public.shape[0]), public.shape[0]), dtype=numpy.int64)
        with _somewhere(self.ledger) as ledger:
            released = labeller.set_params(ledger=ledger).label(_teachers.take(public, order))
        self.spent_: Spent = labeller.spent_
        answered = labeller.answered_
        self.n_asked_, self.n_labels_ = labeller.asked_, int(answered.sum())
        self.n_silences_ = self.n_asked_ - self.n_labels_
        labels = numpy.full(public.shape[0], -1, dtype=numpy.int64)
        labels[order[answered]] = _inputs.indices(released[answered], self.classes_)
        return labels

    def _learn(self, public: Any, labels: Array) -> None:
        """The student, from public rows and released labels; what cannot be good is said."""
        rows = numpy.flatnonzero(labels >= 0)
        counts = numpy.bincount(labels[rows], minlength=len(self.classes_))
        if (counts > 0).sum() > 1:
            X = _teachers.take(public, rows)
            self.student_ = clone(self._student()).fit(X, labels[rows])
            self._compare(X, labels[rows], counts)
            return
        only = int(counts.argmax())
        self.student_ = DummyClassifier(strategy="constant", constant=only).fit(numpy.zeros((1, 1)), [only])
        self._warn(f"all {len(rows)} released labels are {self.classes_[only]!r}: the classifier says nothing else"
                   if len(rows) else f"no label was released: the classifier says {self.classes_[0]!r} to everything")

    def _compare(self, X: Any, labels: Array, counts: Array) -> None:
        right = float((self.student_.predict(X) == labels).mean())
        if right < counts.max() / len(labels):
            self._warn(f"the student is right on {100 * right:.1f} % of the released labels, of which "
                       f"{100 * counts.max() / len(labels):.1f} % are one class: saying that class always would be better")

    def _warn(self, what: str) -> None:
        warnings.warn(f"{what} ({self.n_asked_} public rows asked, {self.n_labels_} labels, {self.n_silences_} silences). "
                      "Try a larger epsilon, other numbers of teachers or silences, a better estimator, or more public "
                      "rows", PoorResult, stacklevel=4)

    def predict(self, X: Any) -> Array:
        """A class for each row; costs nothing."""
        X = self._checked(X)
        predicted: Array = self.classes_[self.student_.predict(X)]
        return predicted

    @available_if(_student_has_proba)  # type: ignore[misc]
    def predict_proba(self, X: Any) -> Array:
        """The student's probabilities, a column a class; 0 for a class of which no label was released."""
        X = self._checked(X)
        known = self.student_.predict_proba(X)
        everything = numpy.zeros((known.shape[0], len(self.classes_)))
        everything[:, self.student_.classes_] = known
        return everything

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self, "student_")
        X = _inputs.features(self, X)
        if isinstance(self.student_, DummyClassifier):  # which takes anything
            _inputs.check_missing(self._student(), X, _inputs.trial_rows(X, X, len(self.classes_)), len(self.classes_))
        return X

    def _student(self) -> Any:
        for model in (self.student, self.estimator):
            if model is not None:
                return model
        return LogisticRegression(max_iter=1000)

    def _more_tags(self) -> "dict[str, Any]":
        return {"requires_y": True, "non_deterministic": True, "poor_score": True, "_xfail_checks": _TOO_FEW}

    def __sklearn_tags__(self) -> Any:  # scikit-learn from 1.6 on
        tags = super().__sklearn_tags__()  # pylint: disable=no-member
        tags.input_tags.sparse = True
        tags.non_deterministic = True
        tags.classifier_tags.poor_score = True
        return tags


@contextlib.contextmanager
def _somewhere(ledger: "Optional[str | os.PathLike[str]]") -> "Iterator[str | os.PathLike[str]]":
    """The ledger, or one that lasts as long as the fit."""
    if ledger is not None:
        yield ledger
        return
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "ledger")
