"""Labels for public rows from private records: teachers, their votes, and the meter that answers."""
import os
from typing import Any, Optional

import numpy
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from . import _inputs, _teachers
from ._budget import Budget
from ._library import InputError, call, number, path_bytes
from ._meter import SILENT, Array, Meter
from ._plan import Plan, Spent, plan as make_plan

_TEACHERS_MOST = 1000000


class PrivateLabeller(BaseEstimator):  # type: ignore[misc]
    """Trains clones of `estimator`, the teachers, on disjoint parts of private data, and labels public data.

    Parameters
    ----------
    estimator : classifier, default LogisticRegression(max_iter=1000)
        Any scikit-learn classifier or pipeline. It is tried on public rows with made-up labels first, and its
        exceptions are raised. A teacher that fails later, on its own records, abstains.
    classes : list of labels
        All possible labels. They are declared, not read from the private labels.
    plan : fumata.Plan, optional
        What to spend; without one, plan(epsilon, delta, silences) is made.
    ledger : path, or budget : fumata.Budget
        The data set's ledger, which counts what was spent on it and survives crashes. One file for each data set. Without
        either: the budget of the `with` block, else that of the process, with a warning. A plan that it does not pay for is
        refused before a teacher is trained.
    teachers : int, default 250
    silent_label : default None
        What `label` returns for a row without an answer.
    epsilon, delta : str or float, default "1" and "1e-5"
    silences : int, default 100
    protects : "records" or "labels", default "records"
        What the ledger records as protected; "labels": X is public.
    anyway : bool, default False
        Go on with a budget or a number of teachers that is refused as useless.
    unsafe_classes_from_y : bool, default False
        NOT PRIVATE: take the classes from y when none are declared.
    n_jobs : int, optional
        Processes for training and voting, as everywhere in scikit-learn.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    answered_ : boolean array, after `label`: True for rows with an answer
    asked_ : int, after `label`: how many rows were asked; the budget closed before the others
    spent_ : fumata.Spent, after `label`: the whole cost of the plan, spent from its first answer on

    Each teacher has random generators of its own (numpy.random and random, if the estimator uses the global ones); an
    estimator that keeps other state outside itself lets its teachers see each other's data. The teachers are private: a
    pickle leaves them out.
    """

    def __init__(self, estimator: Any = None, classes: Any = None, plan: Optional[Plan] = None,
                 ledger: "Optional[str | os.PathLike[str]]" = None, teachers: int = 250, silent_label: Any = None, *,
                 epsilon: "str | float" = "1", delta: "str | float" = "1e-5", silences: int = 100,
                 budget: Optional[Budget] = None, protects: str = "records", anyway: bool = False,
                 unsafe_classes_from_y: bool = False, n_jobs: Optional[int] = None):
        self.estimator = estimator
        self.classes = classes
        self.plan = plan
        self.ledger = ledger
        self.teachers = teachers
        self.silent_label = silent_label
        self.epsilon = epsilon
        self.delta = delta
        self.silences = silences
        self.budget = budget
        self.protects = protects
        self.anyway = anyway
        self.unsafe_classes_from_y = unsafe_classes_from_y
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, units: Any = None, X_public: Any = None, sample_weight: Any = None) -> "PrivateLabeller":
        """Train the teachers on private rows X with labels y.

        `units` names the unit of each row (None: each row is a unit): all rows of a unit go to one teacher, in any order.
        `X_public` are rows on which the estimator is tried; without them it is tried on made-up ones. `sample_weight`
        goes to the teachers. An exception about X or y tells about private data; its text says so."""
        teachers = _inputs.whole_number("teachers", self.teachers, 1, _TEACHERS_MOST)
        estimator = self._estimator()
        with _inputs.about_private():
            X = _inputs.features(self, X, y, reset=True)
            y = _inputs.target(one_column(y), self.classes)
            weight = _inputs.weights(sample_weight, X.shape[0])
        self.classes_ = _inputs.declared(self.classes, y, self.unsafe_classes_from_y)
        public = None if X_public is None else _inputs.features(self, X_public)
        if public is not None and self.protects == "records":
            _inputs.check_apart(X, public)
        rows = _inputs.trial_rows(X, public, len(self.classes_))
        _inputs.attempt(estimator, rows, len(self.classes_), weight is not None)
        with _inputs.about_private():
            _inputs.check_missing(estimator, X, rows, len(self.classes_))
            chunk = _teachers.chunks(X.shape[0], units, teachers)
        labels = _inputs.indices(y, self.classes_)
        self._unit = units is not None
        self._allow(teachers)
        self._models = _teachers.learn(estimator, X, labels, chunk, teachers, self.n_jobs, weight)
        return self

    def _allow(self, teachers: int) -> None:
        """Refuses what the program refuses, before a teacher is trained."""
        plan = self.plan_of()
        if not plan.silences:
            raise InputError(f"plan: a {plan.mechanism} plan has no silences, and a labeller asks the meter")
        if not self.anyway:
            call("budget_check", *(str(part).encode() for part in plan.claim))
            plan.check_teachers(teachers)
        with Budget.of(self.budget, self.ledger).asking(plan.spent) as path:
            call("plan_allow", plan._plan, path_bytes(path), self._protects(), 1)

    def _protects(self) -> bytes:
        return b"labels" if self.protects == "labels" else b"units of units" if self._unit else b"records"

    def votes(self, X: Any) -> Array:
        """votes[row, teacher], 65535 where a teacher abstains: private, never publish them."""
        check_is_fitted(self, "_models")
        X = _inputs.features(self, X)
        rows = _inputs.trial_rows(X, X, len(self.classes_))
        _inputs.check_missing(self._estimator(), X, rows, len(self.classes_))
        return _teachers.vote(self._models, X, len(self.classes_), self.n_jobs)

    def label(self, X_public: Any) -> Array:
        """The label of each public row, `silent_label` where the meter is silent or the budget closed before it."""
        check_is_fitted(self, "_models")
        plan = self.plan_of()
        votes = self.votes(X_public)
        with Budget.of(self.budget, self.ledger).spending(plan.spent) as path, \
                Meter(plan, path, classes=len(self.classes_), protects=self._protects().decode(), again=True) as meter:
            answers = meter.answer(votes)
        self.spent_: Spent = plan.spent
        self.asked_ = len(answers)
        answered = answers != SILENT
        self.answered_ = numpy.zeros(len(votes), dtype=bool)
        self.answered_[:len(answers)] = answered
        labels = numpy.full(len(votes), self.silent_label, dtype=object)
        labels[:len(answers)][answered] = self.classes_[answers[answered]]
        return labels

    def plan_of(self) -> Plan:
        """The plan to be spent."""
        if self.plan is not None:
            return self.plan
        if not self.anyway:
            call("budget_check", number(self.epsilon), number(self.delta))
        return make_plan(self.epsilon, self.delta, self.silences)

    def _estimator(self) -> Any:
        return LogisticRegression(max_iter=1000) if self.estimator is None else self.estimator

    def __getstate__(self) -> Any:
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_models"}

    def _more_tags(self) -> "dict[str, Any]":
        return {"requires_y": True, "non_deterministic": True}

    def __sklearn_tags__(self) -> Any:  # scikit-learn from 1.6 on
        tags = super().__sklearn_tags__()  # pylint: disable=no-member
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.non_deterministic = True
        return tags


def one_column(y: Any) -> Any:
    """Turns a column vector into a vector."""
    y = numpy.asarray(y)
    return y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
