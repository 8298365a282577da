"""Rows as the program reads them: an array as .npy, a sparse matrix as LIBSVM text, a table as CSV.

A table keeps its columns, so that categories, numbers and missing cells are encoded by the program's own rule, which it
learns from public rows alone."""
import io
from typing import Any, Optional

import numpy

from ._inputs import is_table
from ._library import InputError
from ._meter import Array
from ._program import Memory

SECONDS_OF_A_DAY = 86400.0


def kind_of(X: Any) -> str:
    return "csv" if is_table(X) else "svm" if hasattr(X, "tocsr") else "npy"


def column_names(X: Any) -> "list[str]":
    """Text for the columns of a table; numbered if their own names are not different texts of one line."""
    names = [str(name) for name in X.columns]
    plain = all(name and name.isprintable() and name == name.strip() for name in names)
    return names if plain and len(set(names)) == len(names) else [f"column {i + 1}" for i in range(len(names))]


def _spare(name: str, taken: "list[str]") -> str:
    while name in taken:
        name += "_"
    return name


def _cells(column: Any) -> Any:
    """A column for CSV: times become days since 1970, booleans words, and missing values empty cells."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "mM":
        zone = getattr(column.dtype, "tz", None)
        times = column.dt.tz_convert("UTC").dt.tz_localize(None) if zone is not None else column
        since = times.to_numpy().astype(f"{kind}8[ns]")
        days: Array = since.astype("i8") / 1e9 / SECONDS_OF_A_DAY
        return type(column)(numpy.where(numpy.isnat(since), numpy.nan, days), index=column.index)
    return column.astype(object) if str(column.dtype) == "category" else column


def _frame(X: Any, names: "list[str]") -> Any:
    cells = {name: _cells(X.iloc[:, i]) for i, name in enumerate(names)}
    return type(X)(cells, index=X.index, columns=names)



def _as_svm(X: Any, labels: Any) -> bytes:
    from sklearn.datasets import dump_svmlight_file
    out = io.BytesIO()
    dump_svmlight_file(X, numpy.zeros(X.shape[0], dtype=numpy.int64) if labels is None else labels, out, zero_based=False)
    return out.getvalue()


def _write_npy(X: Any, memory: Memory) -> None:
    rows = numpy.ascontiguousarray(X.toarray() if hasattr(X, "tocsr") else X)
    if rows.dtype not in (numpy.float32, numpy.float64):
        rows = rows.astype(numpy.float64)
    with memory.stream() as stream:
        numpy.save(stream, rows, allow_pickle=False)


class Rows:
    """One set of rows in memory files, for one run of the program."""

    def __init__(self, X: Any, kind: str, names: "Optional[list[str]]" = None, labels: "Optional[Array]" = None,
                 units: Any = None):
        """`labels` are the classes' names of each row; `kind` and `names` are those of the public rows."""
        self.memory, self.beside = Memory(), None if kind != "npy" or labels is None else Memory()
        self.options: list[str] = []
        try:
            getattr(self, "_write_" + kind)(X, names, labels, units)
        except BaseException:
            self.close()
            raise

    def _write_npy(self, X: Any, _names: Any, labels: Any, units: Any) -> None:
        _write_npy(X, self.memory)
        if self.beside is not None:
            self.beside.write(_label_file(labels, units))
            self.options = ["--label", "label", *(["--unit", "unit"] if units is not None else [])]

    def _write_svm(self, X: Any, _names: Any, labels: Any, units: Any) -> None:
        if units is not None:
            raise InputError("units: sparse rows have no column for them; X.toarray(), or a table")
        from scipy.sparse import csr_matrix
        self.memory.write(_as_svm(csr_matrix(X), labels))

    def _write_csv(self, X: Any, names: Any, labels: Any, units: Any) -> None:
        table = _frame(X, names)
        more: dict[str, Any] = {}
        for name, cells in (("label", labels), ("unit", units)):
            if cells is not None:
                column = _spare(name, names)
                self.options += ["--" + name, column]
                more[column] = cells
        table = table.assign(**more)
        self.memory.write(table.to_csv(index=False, na_rep="").encode("utf-8", "surrogatepass"))

    @property
    def path(self) -> str:
        return self.memory.path + ("" if self.beside is None else "," + self.beside.path)

    def files(self, name: str) -> "dict[str, Memory]":
        return {name: self.memory} if self.beside is None else {name: self.memory, f"y of {name}": self.beside}

    def close(self) -> None:
        self.memory.close()
        if self.beside is not None:
            self.beside.close()

    def __enter__(self) -> "Rows":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _label_file(labels: Any, units: Any) -> bytes:
    """CSV: one line for each record, with its label and its unit."""
    import csv
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["label"] if units is None else ["label", "unit"])
    writer.writerows(([label] for label in labels) if units is None else zip(labels, units))
    return text.getvalue().encode("utf-8", "surrogatepass")


def _line(text: str) -> str:
    """A name in a schema."""
    for mark, written in (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(mark, written)
    return text


def schema(X: Any, names: "list[str]") -> "tuple[str, str]":
    """What only a table's types say: columns of type category are categories, even if they are numbers. Also the features
    option that the program would choose, since with a schema it chooses none. ("", ""): nothing."""
    kinds = [str(X.dtypes.iloc[i]) for i in range(len(names))]
    stated = [name for name, kind in zip(names, kinds) if kind == "category"]
    if not stated:
        return "", ""
    numbers = sum(getattr(X.dtypes.iloc[i], "kind", "O") in "iufmM" for i in range(len(names)))
    text = "".join(f"column {_line(name)}\n  category\n" for name in stated)
    return text, "standard" if numbers > len(names) - numbers else "raw"
