"""A classifier that learns from private data and is safe to publish."""
import os
import secrets
import sys
import tempfile
import warnings
from typing import Any, Callable, Optional

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _inputs, _report, _runs, _teachers
from ._budget import Budget
from ._labeller import PrivateLabeller, one_column
from ._library import PRIVATE, InputError, PoorResult, SeesPrivateRows, number
from ._meter import Array
from ._plan import Plan, Spent

# Checks of scikit-learn's check_estimator that a private classifier cannot pass.
_UNKEPT = {"check_classifiers_classes": "30 records are too few: labels of all classes cannot be released from them",
           "check_sample_weights_invariance": "answers are random: two fits differ"}
_TEACHERS = 250  # if a plan or a Python estimator is given and their number is not
_STEPS_UP = 12   # how far a pipeline's fit may be above ours


def _has(what: str) -> "Callable[[PrivateClassifier], bool]":
    def student_has(self: "PrivateClassifier") -> bool:
        model = getattr(self, "student_", None)
        if isinstance(model, _runs.ProgramStudent):
            return model.has_probabilities
        model = self._python_student() if model is None or isinstance(model, DummyClassifier) else model
        return model is None or hasattr(model, what)
    return student_has


class PrivateClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Private rows label public ones within (epsilon, delta), and a student learns from those labels.

    Without an estimator this is `fumata learn`: the program chooses the voters, the number of questions, the questions, the
    plan and the student (see fumata-learn(1)). With a scikit-learn estimator, its clones are the teachers. A fitted
    PrivateClassifier holds the student and what was released, and nothing else of the private data: it can be used, pickled
    and published for ever.

    Parameters
    ----------
    estimator : None, text or classifier
        None: the program decides. Text: a learner of the program ("logistic", "trees:depth=3"), for the student, or for
        teachers if an option asks for them. A classifier or pipeline: the teachers, and the student if none is given. It is
        tried on public rows first, and its exceptions are raised.
    classes : list of labels
        All possible labels. They are declared, not read from the private labels.
    epsilon, delta : str or float, default "1" and "1e-5"
        What the fit may cost. Text is exact.
    student : None, text or classifier
        None: the program chooses by released answers. Text: a learner of the program. A classifier is fitted to the released
        labels; it is tried on made-up labels before anything is spent.
    budget : fumata.Budget, optional
    ledger : path, optional
        Where the cost is counted; see Budget. A fit that would exceed the ceiling is refused (BudgetSpent) before anything is
        trained. The same fit once more costs nothing: its answers are in the ledger.
    voters, teachers, silences, answers, mechanism, ask, silent_as, about, aim, features, anyway :
        The program's options with these names. With a Python estimator: teachers (250), silences (100), anyway.
    plan : fumata.Plan, optional
        Instead of epsilon, delta, silences and answers.
    protects : "records" or "labels", default "records"
        "records": neighbours differ in one row (or in all rows of one unit), and X_public is needed. Without
        teachers the row is added or removed; a changed row counts as both, with the claim 2 epsilon and (1 + e^epsilon)
        delta. With teachers the row may also be changed. "labels": X is public and neighbours differ in one label;
        X_public may be left out.
    unsafe_classes_from_y : bool, default False
        NOT PRIVATE: take the classes from y when none are declared.
    on_progress : callable, optional
        Gets the program's lines as they come. They depend on private data only where that was paid for.
    n_jobs : int, optional
        Processes for a Python estimator. The program uses all cores.

    Attributes
    ----------
    labels_, kinds_ : for each public row the place of its label in classes_ (-1: none), and "poll", "meter" or "toll"; set
        before the student is fitted, so they exist if the fit of the student fails
    classes_, n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    student_ : the fitted student; its labels are places in classes_
    spent_ : fumata.Spent, the (epsilon, delta) of what was released
    n_asked_, n_labels_, n_silences_ : public rows that were asked about, labels and silences among the answers
    report_ : dict, what `fumata learn` writes in summary.json
    """

    def __init__(self, estimator: Any = None, *, classes: Any = None, epsilon: "str | float" = "1",
                 delta: "str | float" = "1e-5", student: Any = None, budget: Optional[Budget] = None,
                 ledger: "Optional[str | os.PathLike[str]]" = None, voters: Optional[str] = None,
                 teachers: Optional[int] = None, silences: Optional[int] = None, answers: Optional[int] = None,
                 mechanism: Optional[str] = None, ask: Optional[str] = None, silent_as: Optional[str] = None,
                 about: Optional[int] = None, aim: Optional[str] = None, features: Optional[str] = None,
                 anyway: bool = False, plan: Optional[Plan] = None, protects: str = "records",
                 unsafe_classes_from_y: bool = False, on_progress: "Optional[Callable[[str], None]]" = None,
                 n_jobs: Optional[int] = None):
        self.estimator = estimator
        self.classes = classes
        self.epsilon = epsilon
        self.delta = delta
        self.student = student
        self.budget = budget
        self.ledger = ledger
        self.voters = voters
        self.teachers = teachers
        self.silences = silences
        self.answers = answers
        self.mechanism = mechanism
        self.ask = ask
        self.silent_as = silent_as
        self.about = about
        self.aim = aim
        self.features = features
        self.anyway = anyway
        self.plan = plan
        self.protects = protects
        self.unsafe_classes_from_y = unsafe_classes_from_y
        self.on_progress = on_progress
        self.n_jobs = n_jobs

    # ---- fitting ----

    def fit(self, X: Any, y: Any, X_public: Any = None, units: Any = None, sample_weight: Any = None) -> "PrivateClassifier":
        """Learn from private rows X with labels y, by way of the public rows X_public.

        `units` names the unit of each private row (None: each row is a unit). `sample_weight` goes to the teachers if they are
        Python estimators; else it is the chance, 0 to 1, with which a row takes part at all. An exception about X or y
        tells about private data; its text says so."""
        if self.protects not in ("records", "labels"):
            raise InputError(f'protects: {self.protects!r} is neither "records" nor "labels"')
        if X_public is None and self.protects == "records":
            raise InputError("X_public is missing: public rows without labels, of the same columns as X")
        self._warn_of_pipeline()
        if self._is_program():
            return self._fit_by_program(X, y, X_public, units, sample_weight)
        return self._fit_by_teachers(X, y, X if X_public is None else X_public, units, sample_weight)

    def _is_program(self) -> bool:
        return self.estimator is None or isinstance(self.estimator, str)

    def _warn_of_pipeline(self) -> None:
        """Warns if an earlier step of a pipeline was fitted to private rows, and X_public did not go through it."""
        frame: Any = sys._getframe(2)
        for _ in range(_STEPS_UP):
            if frame is None:
                return
            owner = frame.f_locals.get("self")
            if isinstance(owner, Pipeline) and any(step not in (None, "passthrough") for _, step in owner.steps[:-1]):
                before = ", ".join(name for name, step in owner.steps[:-1] if step not in (None, "passthrough"))
                warnings.warn(f"the pipeline's steps before this one ({before}) were fitted to private rows: what they have "
                              "learned is not private, and X_public did not pass through them. Put them inside: "
                              "PrivateClassifier(make_pipeline(StandardScaler(), LogisticRegression())), or fit them to "
                              "public rows alone", SeesPrivateRows, stacklevel=4)
                return
            frame = frame.f_back

    def _private(self, X: Any, y: Any) -> "tuple[Any, Array]":
        """The private rows, and their labels as places in classes_."""
        with _inputs.about_private():
            X = _inputs.features(self, X, y, reset=True)
            y = _inputs.target(one_column(y), self.classes)
        self.classes_: Array = _inputs.declared(self.classes, y, self.unsafe_classes_from_y)
        return X, _inputs.indices(y, self.classes_)

    # ---- by the program ----

    def _fit_by_program(self, X: Any, y: Any, X_public: Any, units: Any, sample_weight: Any) -> "PrivateClassifier":
        rows, labels = self._private(X, y)
        public = None if X_public is None else _inputs.features(self, X_public)
        if public is not None and self.protects == "records":
            _inputs.check_apart(rows, public)
        shown = rows if public is None else public
        if shown.shape[0] < 2:
            raise InputError(f"n_samples={shown.shape[0]} public rows are too few to ask about")
        for part, private in ((rows, True), (shown, False)):
            if not _inputs.is_table(part) and _inputs.has_missing(part):
                raise ValueError("Input X contains NaN: a table (pandas) can have missing cells, an array cannot"
                                 + (PRIVATE if private else ""))
        if self._python_student() is not None:
            _inputs.attempt(self._python_student(), _inputs.trial_rows(shown, shown, len(self.classes_)), len(self.classes_))
        kept = self._taking_part(rows.shape[0], units, sample_weight)
        names = None if units is None else numpy.array([_teachers.identity(unit) for unit in units], dtype=object)[kept]
        budget = Budget.of(self.budget, self.ledger)
        with _runs.Data(_teachers.take(rows, kept), labels[kept], public, self.classes_, names) as data, \
                tempfile.TemporaryDirectory() as folder, budget.spending(self._cost()) as ledger:
            run = _runs.learn(data, self._options(folder, public is None), ledger, budget.is_tracked, self.features,
                              self.on_progress)
        if public is None:  # what was asked about are those that took part
            run.spread(kept, shown.shape[0])
        self._take(run, shown)
        return self

    def _taking_part(self, rows: int, units: Any, sample_weight: Any) -> Array:
        """The rows that take part. Each is drawn by itself, so the draw of a row tells nothing about other rows."""
        with _inputs.about_private():
            weight = _inputs.weights(sample_weight, rows)
            if units is not None and len(units) != rows:
                raise InputError(f"{rows} rows but {len(units)} units")
        if weight is None:
            return numpy.arange(rows)
        if (weight > 1).any():
            warnings.warn("sample_weight: here it is the chance of taking part, and above 1 it counts as 1; an estimator of "
                          "Python's takes any weights" + PRIVATE, UserWarning, stacklevel=5)
        return numpy.flatnonzero(numpy.random.default_rng(secrets.randbits(128)).random(rows) < weight)

    def _cost(self) -> Spent:
        plan = self.plan
        return plan.spent if plan is not None else Spent.of(number(self.epsilon), number(self.delta))

    def _options(self, folder: str, is_label_private: bool) -> "list[str]":
        """The same options as a command line."""
        if self.plan is not None:
            path = os.path.join(folder, "plan")
            self.plan.save(path)
            said = ["--plan", path]
        else:
            said = ["--epsilon", number(self.epsilon).decode(), "--delta", number(self.delta).decode()]
        teachers = _TEACHERS if self.plan is not None and self.teachers is None else self.teachers
        voters = "teachers" if self.protects == "labels" and not is_label_private else self.voters
        student = self.student if isinstance(self.student, str) else None
        for name, value in (("voters", voters), ("teachers", teachers), ("silences", self.silences),
                            ("answers", self.answers), ("mechanism", self.mechanism), ("ask", self.ask),
                            ("silent-as", self.silent_as), ("about", self.about), ("aim", self.aim),
                            ("learner", self.estimator), ("student", student)):
            if value is not None:
                said += ["--" + name, str(value)]
        return said + (["--anyway"] if self.anyway else [])

    def _take(self, run: _runs.Run, public: Any) -> None:
        """Takes what was released, and then the student."""
        self.labels_, self.kinds_, self.report_ = run.labels, run.kinds, run.report
        self.spent_: Spent = self._cost()
        self.n_asked_, self.n_labels_ = run.asked, int((run.labels >= 0).sum())
        self.n_silences_ = int(run.report.get("silent", 0))
        student = self._python_student()
        if student is not None:
            self._learn(public, run.labels)
            return
        self.student_ = run.student
        poor = run.report["judgement"] != "fine"
        for note in [" ".join(run.notes)] if poor else run.notes:
            warnings.warn(note, PoorResult if poor else UserWarning, stacklevel=4)

    def advise(self, X_public: Any, about: Optional[int] = None) -> _report.Advice:
        """What this budget buys with these public rows: the plan, and what to expect of it. Spends nothing and reads no private
        row; `about` is the number of private rows, if that is public."""
        if not self._is_program():
            plan = self._labeller(Budget.of(self.budget, self.ledger)).plan_of()
            return _report.Advice(f"{plan!r}\nteachers: {self._teachers()}\n")
        classes = _inputs.declared(self.classes, [], False)
        public = X_public if _inputs.is_table(X_public) or hasattr(X_public, "tocsr") else numpy.asarray(X_public)
        trial = clone(self).set_params(about=self.about if about is None else about)
        with tempfile.TemporaryDirectory() as folder, _runs.Data(public, None, public, classes, None) as data:
            return _runs.advise(data, trial._options(folder, False), self.features)

    # ---- by a Python estimator ----

    def _fit_by_teachers(self, X: Any, y: Any, X_public: Any, units: Any, sample_weight: Any) -> "PrivateClassifier":
        budget = Budget.of(self.budget, self.ledger)
        labeller = self._labeller(budget)
        labeller.fit(X, y, units=units, X_public=X_public, sample_weight=sample_weight)
        self.classes_ = labeller.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(labeller, name):
                setattr(self, name, getattr(labeller, name))
        public = _inputs.features(self, X_public)
        if self._python_student() is not self.estimator:
            _inputs.attempt(self._python_student(), _inputs.trial_rows(public, public, len(self.classes_)), len(self.classes_))
        self._release(labeller, public)
        self._learn(public, self.labels_)
        return self

    def _teachers(self) -> int:
        return _TEACHERS if self.teachers is None else self.teachers

    def _labeller(self, budget: Budget) -> PrivateLabeller:
        return PrivateLabeller(self.estimator, self.classes, self.plan, teachers=self._teachers(), epsilon=self.epsilon,
                               delta=self.delta, silences=100 if self.silences is None else self.silences, budget=budget,
                               protects=self.protects, anyway=self.anyway,
                               unsafe_classes_from_y=self.unsafe_classes_from_y, n_jobs=self.n_jobs)

    def _release(self, labeller: PrivateLabeller, public: Any) -> None:
        """Asks about the public rows in random order until the budget closes."""
        order = numpy.array(secrets.SystemRandom().sample(range(public.shape[0]), public.shape[0]), dtype=numpy.int64)
        released = labeller.label(_teachers.take(public, order))
        self.spent_ = labeller.spent_
        answered = labeller.answered_
        self.n_asked_, self.n_labels_ = labeller.asked_, int(answered.sum())
        self.n_silences_ = self.n_asked_ - self.n_labels_
        labels = numpy.full(public.shape[0], -1, dtype=numpy.int64)
        labels[order[answered]] = _inputs.indices(released[answered], self.classes_)
        kinds = numpy.full(public.shape[0], "", dtype="U8")
        kinds[order[:labeller.asked_]] = "meter"
        self.labels_, self.kinds_ = labels, kinds
        self.report_ = _report.Report(
            protects=self.protects, mechanism="meter", epsilon=self.spent_.epsilon, delta=self.spent_.delta,
            teachers=self._teachers(), learner=repr(self.estimator), asked=self.n_asked_, labels=self.n_labels_,
            silent=self.n_silences_)

    # ---- a Python student ----

    def _python_student(self) -> Any:
        """The student as a scikit-learn estimator; None: it is the program's."""
        for model in (self.student, self.estimator):
            if model is not None:
                return None if isinstance(model, str) else model
        return None

    def _learn(self, public: Any, labels: Array) -> None:
        """Trains the student on public rows and released labels; warns if it cannot be good."""
        rows = numpy.flatnonzero(labels >= 0)
        counts = numpy.bincount(labels[rows], minlength=len(self.classes_))
        if (counts > 0).sum() > 1:
            X = _teachers.take(public, rows)
            self.student_ = clone(self._python_student()).fit(X, labels[rows])
            self._compare(X, labels[rows], counts)
            return
        only = int(counts.argmax())
        self.student_ = DummyClassifier(strategy="constant", constant=only).fit(numpy.zeros((1, 1)), [only])
        name = self.classes_.tolist()[only]
        self._warn(f"all {len(rows)} released labels are {name!r}: the classifier says nothing else"
                   if len(rows) else f"no label was released: the classifier says {name!r} to everything")

    def _compare(self, X: Any, labels: Array, counts: Array) -> None:
        right = float((self.student_.predict(X) == labels).mean())
        if right < counts.max() / len(labels):
            self._warn(f"the student is right on {100 * right:.1f} % of the released labels, of which "
                       f"{100 * counts.max() / len(labels):.1f} % are one class: saying that class always would be better")

    def _warn(self, what: str) -> None:
        warnings.warn(f"{what} ({self.n_asked_} public rows asked, {self.n_labels_} labels, {self.n_silences_} silences). "
                      "Try a larger epsilon, other numbers of teachers or silences, a better estimator, or more public "
                      "rows", PoorResult, stacklevel=4)

    # ---- using it ----

    def predict(self, X: Any) -> Array:
        """A class for each row; costs nothing."""
        X = self._checked(X)
        predicted: Array = self.classes_[self.student_.predict(X)]
        return predicted

    @available_if(_has("predict_proba"))  # type: ignore[misc]
    def predict_proba(self, X: Any) -> Array:
        """The student's probabilities, a column for each class; 0 for a class without a released label."""
        X = self._checked(X)
        known = self.student_.predict_proba(X)
        if isinstance(self.student_, _runs.ProgramStudent):
            return numpy.asarray(known)
        everything = numpy.zeros((known.shape[0], len(self.classes_)))
        everything[:, self.student_.classes_] = known
        return everything

    @available_if(_has("decision_function"))  # type: ignore[misc]
    def decision_function(self, X: Any) -> Array:
        """A score for each class: the student's own numbers, or the logarithm of its probabilities. One column for two classes:
        the score of the second against the first."""
        X = self._checked(X)
        student = self.student_
        if isinstance(student, _runs.ProgramStudent):
            logs: Array = numpy.log(numpy.maximum(student.predict_proba(X), numpy.finfo(numpy.float32).tiny))
        elif isinstance(student, DummyClassifier):
            logs = numpy.where(numpy.arange(len(self.classes_)) == student.predict(X)[:, None], 0.0, -1.0)
        else:
            known = numpy.asarray(student.decision_function(X))
            known = numpy.column_stack([-known, known]) / 2 if known.ndim == 1 else known
            logs = numpy.full((len(known), len(self.classes_)), known.min(initial=0.0) - 1)
            logs[:, student.classes_] = known
        decided: Array = logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs
        return decided

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self, "student_")
        X = _inputs.features(self, X)
        if isinstance(self.student_, _runs.ProgramStudent):
            if not _inputs.is_table(X) and _inputs.has_missing(X):
                raise ValueError("Input X contains NaN")
        elif isinstance(self.student_, DummyClassifier):  # which takes anything
            _inputs.check_missing(self._python_student(), X, _inputs.trial_rows(X, X, len(self.classes_)), len(self.classes_))
        return X

    def _repr_html_(self) -> str:  # pylint: disable=invalid-overridden-method
        rows = [("student", getattr(self, "student_", "not fitted")), ("spent", getattr(self, "spent_", "nothing"))]
        rows += [(name, value) for name, value in getattr(self, "report_", {}).items() if name not in ("student", "private")]
        return _report.table("PrivateClassifier", rows)

    def _repr_mimebundle_(self, **_kinds: Any) -> "dict[str, str]":
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _more_tags(self) -> "dict[str, Any]":
        return {"requires_y": True, "non_deterministic": True, "poor_score": True, "_xfail_checks": _UNKEPT}

    def __sklearn_tags__(self) -> Any:  # scikit-learn from 1.6 on
        tags = super().__sklearn_tags__()  # pylint: disable=no-member
        tags.input_tags.sparse = True
        tags.non_deterministic = True
        tags.classifier_tags.poor_score = True
        return tags
