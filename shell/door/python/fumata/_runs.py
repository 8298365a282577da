"""`fumata learn` and `fumata predict` on arrays and tables."""
import csv
import io
import json
import os
import re
import tempfile
from typing import Any, Optional, Sequence

import numpy

from . import _program, _rows
from ._inputs import is_table
from ._library import Error, InputError, Refused
from ._meter import Array
from ._report import Advice, Report

_PLAIN = re.compile(r"[A-Za-z0-9_.][\w.-]*")
_ANEW = re.compile(r"belongs to another data set|^\S.*: this plan's .* are spent")


def names_of(classes: Array, kind: str) -> "list[str]":
    """The program's names for the classes: their own text if every format can hold it, else their place."""
    names = [str(name) for name in classes.tolist()]
    plain = kind != "svm" and len(set(names)) == len(names) and all(_PLAIN.fullmatch(name) for name in names)
    return names if plain else [str(i) for i in range(len(names))]


class ProgramStudent:
    """A student of the program. It is its model file, and predicts as `fumata predict` does; labels are places among the
    classes. save() writes the file that `fumata predict --model` and `fumata model` read."""

    def __init__(self, model: bytes, learner: str, kind: str, columns: "Optional[list[str]]", names: "list[str]"):
        self.model, self.learner, self._kind, self._columns, self._names = model, learner, kind, columns, names

    @property
    def has_probabilities(self) -> bool:
        return not re.match(r"(committee:\d+,)?svm|exec:", self.learner)

    def _ask(self, X: Any, *options: str) -> "list[list[str]]":
        with _program.Memory().write(self.model) as model, \
                _rows.Rows(_as_kind(X, self._kind, self._columns), self._kind, self._columns) as rows:
            said, _ = _program.run(["predict", "--model", model.path, "--quiet", *options, rows.path],
                                   {"student": model, **rows.files("X")})
        lines = list(csv.reader(io.StringIO(said)))[1:]
        if len(lines) != X.shape[0]:
            raise Error(f"the program labelled {len(lines)} of {X.shape[0]} rows")
        return lines

    def predict(self, X: Any) -> Array:
        place = {name: i for i, name in enumerate(self._names)}
        return numpy.array([place[line[1]] for line in self._ask(X)], dtype=numpy.int64)

    def predict_proba(self, X: Any) -> Array:
        shares = numpy.array([line[2:] for line in self._ask(X, "--proba")], dtype=numpy.float64)
        normal: Array = shares / shares.sum(axis=1, keepdims=True)
        return normal

    def save(self, path: "str | os.PathLike[str]") -> None:
        with open(path, "wb") as file:
            file.write(self.model)

    def __repr__(self) -> str:
        return f"<fumata student {self.learner}, {len(self.model)} bytes>"


def _as_kind(X: Any, kind: str, columns: "Optional[list[str]]") -> Any:
    """Converts rows to the kind that the student learned from."""
    if kind == "csv" and not is_table(X):
        import pandas
        return pandas.DataFrame(X.toarray() if hasattr(X, "tocsr") else X, columns=columns)
    return X.to_numpy(dtype=numpy.float64, na_value=numpy.nan) if kind != "csv" and is_table(X) else X


class Run:
    """The results of one run of `fumata learn`: for each public row a place among the classes (-1: none) and its mechanism
    ("": none), the student, the summary, and the lines on stderr."""

    labels: Array
    kinds: Array
    student: ProgramStudent
    report: Report
    notes: "list[str]"

    def __init__(self, folder: str, kind: str, columns: "Optional[list[str]]", names: "list[str]", public_rows: int):
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            self.report = Report(json.load(file))
        for name in ("command", "ledger"):  # of memory files and of a folder that no longer exists
            self.report.pop(name, None)
        with open(os.path.join(folder, "student.model"), "rb") as model:
            self.student = ProgramStudent(model.read(), self.report["student"], kind, columns, names)
        place = {name: i for i, name in enumerate(names)}
        self.labels = numpy.full(public_rows, -1, dtype=numpy.int64)
        self.kinds = numpy.full(public_rows, "", dtype="U8")
        self.asked = 0
        with open(os.path.join(folder, "labels.csv"), newline="", encoding="utf-8") as lines:
            for row, answer, how in list(csv.reader(lines))[1:]:
                self.asked += 1
                self.kinds[int(row)] = how
                if answer in place:
                    self.labels[int(row)] = place[answer]
        self.notes = []

    def spread(self, rows: Array, count: int) -> None:
        """The i-th public row was rows[i] of `count`."""
        labels, kinds = self.labels, self.kinds
        self.labels = numpy.full(count, -1, dtype=numpy.int64)
        self.kinds = numpy.full(count, "", dtype="U8")
        self.labels[rows], self.kinds[rows] = labels, kinds


class Data:
    """Private rows with their labels and public rows, in the form that the program reads."""

    def __init__(self, X: Any, labels: "Optional[Array]", public: Any, classes: Array, units: Any):
        """`public` None: X is public, and only the labels are private. `labels` None: X is not looked at (advice)."""
        shown = X if public is None else public
        self.kind = _rows.kind_of(shown)
        if self.kind == "svm" and units is not None:
            self.kind = "npy"
        self.columns = _rows.column_names(shown) if self.kind == "csv" else None
        self.names = names_of(classes, self.kind)
        self.public_rows: int = shown.shape[0]
        self.private: Optional[_rows.Rows] = None
        self.public: Optional[_rows.Rows] = None
        self.schema: Optional[_program.Memory] = None
        self.nothing = _program.Memory()  # for advice, in place of private rows
        self.features = ""
        try:
            if self.columns is not None:
                text, self.features = _rows.schema(shown, self.columns)
                self.schema = _program.Memory().write(text.encode()) if text else None
            if public is not None:
                self.public = _rows.Rows(public, self.kind, self.columns)
            if labels is not None:
                named = labels if self.kind == "svm" else numpy.array(self.names, dtype=object)[labels]
                self.private = _rows.Rows(_as_kind(X, self.kind, self.columns), self.kind, self.columns, named, units)
        except BaseException:
            self.close()
            raise

    def arguments(self, features: Optional[str]) -> "list[str]":
        quoted = ",".join(f'"{name}"' if re.search('[,|"]', name) else name for name in self.names)
        said = ["--classes", quoted, "--private", self.private.path if self.private else self.nothing.path,
                *(self.private.options if self.private else [])]
        said += ["--public", self.public.path] if self.public else ["--label-private"]
        said += ["--schema", self.schema.path] if self.schema else []
        chosen = features or self.features
        return said + (["--features", chosen] if chosen else [])

    def files(self) -> "dict[str, _program.Memory]":
        return {**(self.private.files("X") if self.private else {"X": self.nothing}), **(self.public.files("X_public") if self.public else {}),
                **({"schema": self.schema} if self.schema else {})}

    def close(self) -> None:
        for file in (self.private, self.public, self.schema, self.nothing):
            if file is not None:
                file.close()

    def __enter__(self) -> "Data":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def learn(data: Data, options: Sequence[str], ledger: str, is_tracked: bool, features: Optional[str] = None,
          on_progress: Optional[_program.Line] = None) -> Run:
    """Runs `fumata learn`. If the ledger knows other rows, these count as another part or version of its data set; if the plan
    is used up it begins anew. Both pay once more, up to the ledger's ceiling: the caller allowed that much."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        said = ["learn", *data.arguments(features), *options, "--ledger", ledger, "-o", out]
        said += ["--verbose"] if on_progress else []
        environment = {} if is_tracked else {"FUMATA_REGISTRY": "off"}
        try:
            _, notes = _program.run(said, data.files(), on_progress, environment)
        except InputError as error:
            if "no public records to ask about" not in str(error):
                raise
            raise InputError("no public rows to ask about: too few rows for labels of every class") from None
        except Refused as error:
            if not _ANEW.search(str(error)):
                raise
            _, notes = _program.run([*said, "--same-data-set", "--again"], data.files(), on_progress, environment)
        run = Run(out, data.kind, data.columns, data.names, data.public_rows)
        run.notes = notes
        return run


def advise(data: Data, options: Sequence[str], features: Optional[str] = None) -> Advice:
    """`fumata learn --dry-run`: spends nothing and gets no private row."""
    said, notes = _program.run(["learn", *data.arguments(features), *options, "--dry-run"], data.files())
    return Advice(_program.in_python("".join([said, *(note + "\n" for note in notes)]),
                                     {file.path: name for name, file in data.files().items()}))
