"""Checks inputs as scikit-learn does, and tries an estimator on public rows before it gets private ones: a mistake is an
exception, never a release of nonsense.

A message about private data ends as on the command line and quotes no value."""
import contextlib
from typing import Any, Iterator, Optional

import numpy
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets

from ._library import PRIVATE, InputError
from ._meter import Array, as_labels
from ._teachers import ABSTAIN, own_dice, take

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn before 1.6
    def validate_data(estimator: Any, X: Any, y: Any, ensure_all_finite: Any = True, **how: Any) -> Any:
        return estimator._validate_data(X, y, force_all_finite=ensure_all_finite, **how)

TRIAL_ROWS = 60  # of the dry run, or five a class
NO_Y = "no_validation"  # scikit-learn's word for rows that come without labels


@contextlib.contextmanager
def about_private() -> Iterator[None]:
    """Marks an exception about private data as one."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if str(error).endswith(PRIVATE) or type(error) not in (ValueError, TypeError, InputError):
            raise
        raise type(error)(str(error) + PRIVATE) from None


def is_table(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "dtypes")


def _numeric(table: Any) -> Any:
    return table.select_dtypes(include=["number", "bool"])


def has_missing(X: Any) -> bool:
    if is_table(X):
        return bool(X.isna().to_numpy().any())
    values = X.data if hasattr(X, "tocsr") else X
    return values.dtype.kind == "f" and bool(numpy.isnan(values).any())


def _check_names(owner: Any, X: Any, y: Any, reset: bool) -> None:
    """Checks the columns and the length of a table, not its cells: scikit-learn would turn categories, times and missing
    values into one array of objects, and not accept all of them."""
    stand_in = type(X)(numpy.zeros(X.shape), index=X.index, columns=X.columns)
    validate_data(owner, stand_in, y, reset=reset)


def _check_finite(X: Any) -> None:
    """Refuses an infinite number, which is neither a number nor missing."""
    for i in range(X.shape[1]):
        column = X.iloc[:, i]
        if getattr(column.dtype, "kind", "O") == "f" and \
                numpy.isinf(column.to_numpy(dtype=numpy.float64, na_value=numpy.nan)).any():
            raise ValueError("Input X contains infinity")


def features(owner: Any, X: Any, y: Any = NO_Y, reset: bool = False) -> Any:
    """X as the teachers get it: a table stays a table (its columns have names), everything else becomes an array of
    numbers or a CSR matrix. Missing values may stay: a trial tells whether the estimator takes them."""
    how: dict[str, Any] = {"reset": reset, "ensure_all_finite": "allow-nan", "accept_sparse": "csr"}
    if is_table(X):
        if X.shape[0]:
            _check_names(owner, X, y, reset)
            _check_finite(X)
            return X
        how["dtype"] = None
    checked = validate_data(owner, X, y, **how)
    return checked[0] if isinstance(checked, tuple) else checked


def declared(classes: Any, y: Any, unsafe_classes_from_y: bool) -> Array:
    """The classes. They are declared, because the labels that occur in private data are private."""
    if classes is None and not unsafe_classes_from_y:
        raise InputError("classes: declare them, for instance classes=[0, 1]; which labels occur in y is private")
    names: Array = numpy.unique(y) if classes is None else numpy.asarray(classes)
    if names.ndim != 1 or len(set(names.tolist())) != len(names):
        raise InputError("classes: a list of different labels is needed")
    if len(names) < 2:
        raise InputError(f"classes: at least two are needed, and there is {len(names)} class")
    return names


def indices(y: Array, classes: Array) -> Array:
    """Labels as places among the classes."""
    place = {name: i for i, name in enumerate(classes.tolist())}
    found = numpy.array([place.get(label, -1) for label in y.tolist()], dtype=numpy.int64)
    if (found < 0).any():
        row = int(numpy.flatnonzero(found < 0)[0])
        raise InputError(f"y: the label of row {row} is not one of the declared classes{PRIVATE}")
    return found


def target(y: Any, classes: Any) -> Array:
    """y as one column of labels."""
    labels: Array = numpy.asarray(y)
    if classes is None:
        check_classification_targets(labels)
    return labels


def _made_up(width: int, is_sparse: bool) -> Any:
    """Made-up rows, in place of public ones if there are none."""
    rows = numpy.random.default_rng(0).random((TRIAL_ROWS, width))
    if is_sparse:
        from scipy.sparse import csr_matrix
        return csr_matrix(rows * (rows > 0.5))
    return rows


def trial_rows(X: Any, X_public: Any, classes: int) -> Any:
    """Enough public rows for a trial; only the kind and the columns of X are used."""
    if X_public is None and is_table(X):
        if _numeric(X).shape[1] != X.shape[1]:
            raise InputError("X_public: a table with columns that are not numbers needs some public rows, so that the "
                             "estimator can be tried without the private ones")
        rows = type(X)(_made_up(X.shape[1], False), columns=X.columns)
    else:
        rows = _made_up(X.shape[1], hasattr(X, "tocsr")) if X_public is None else X_public
    count = max(TRIAL_ROWS, 5 * classes)
    return take(rows, numpy.arange(count) % rows.shape[0])


def attempt(estimator: Any, rows: Any, classes: int, is_weighted: bool = False) -> None:
    """Fits a clone to public rows with made-up labels (and weights) and lets it vote; raises its exceptions."""
    weight = {"sample_weight": numpy.ones(rows.shape[0])} if is_weighted else {}
    labels = numpy.arange(rows.shape[0], dtype=numpy.int64) % classes
    with own_dice(b"dry run", 0):
        predicted = numpy.asarray(clone(estimator).fit(rows, labels, **weight).predict(rows))
    if predicted.shape != (rows.shape[0],) or predicted.dtype.kind not in "uif" or \
            (as_labels(predicted, classes, numpy.uint16) == ABSTAIN).any():
        raise InputError(f"{type(estimator).__name__}: its predictions are not labels; a classifier is needed")


def _with_gaps(rows: Any) -> Any:
    """The same with a missing value in every column that can have one."""
    if hasattr(rows, "tocsr"):
        rows = rows.astype(numpy.float64)
        rows.data[:1] = numpy.nan
        return rows
    if not is_table(rows):
        rows = rows.astype(numpy.float64)
        rows[numpy.arange(rows.shape[1]) % len(rows), numpy.arange(rows.shape[1])] = numpy.nan
        return rows
    rows = rows.reset_index(drop=True)
    gaps = numpy.arange(len(rows))[:, None] == numpy.arange(rows.shape[1])[None, :] % len(rows)
    return rows.mask(gaps)


def takes_missing(estimator: Any, rows: Any, classes: int) -> bool:
    """Whether the estimator can be fitted to public rows that have gaps."""
    try:
        attempt(estimator, _with_gaps(rows), classes)
    except (Exception, SystemExit):
        return False
    return True


def check_missing(estimator: Any, X: Any, rows: Any, classes: int) -> None:
    """Raises if a value is missing and the estimator fails on public rows that have gaps."""
    if has_missing(X) and not takes_missing(estimator, rows, classes):
        raise ValueError(f"Input X contains NaN, and {type(estimator).__name__} takes no missing values")


def check_apart(X: Any, public: Any) -> None:
    """Refuses the private rows as public ones, as the program does: everything learned from public rows is published."""
    if public is X or (_is_same(X, public) if X.shape == public.shape else False):
        raise InputError("X_public: these are the private rows; what is learned from public rows is not protected")


def _is_same(X: Any, public: Any) -> bool:
    if is_table(X) or is_table(public):
        return is_table(X) and is_table(public) and bool(X.reset_index(drop=True).equals(public.reset_index(drop=True)))
    if hasattr(X, "tocsr") or hasattr(public, "tocsr"):
        from scipy.sparse import csr_matrix
        return bool((csr_matrix(X) != csr_matrix(public)).nnz == 0)
    return bool(numpy.array_equal(X, public))


def weights(sample_weight: Any, rows: int) -> "Optional[Array]":
    """A number from 0 on for each row, or None."""
    if sample_weight is None:
        return None
    weight = numpy.asarray(sample_weight, dtype=numpy.float64)
    if weight.shape != (rows,):
        raise ValueError(f"sample_weight: one number for each of {rows} rows is needed, not shape {weight.shape}")
    if not numpy.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("sample_weight: numbers from 0 on are needed")
    return weight


def whole_number(what: str, value: Any, least: int, most: Optional[int] = None) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, numpy.integer)) or value < least or \
            (most is not None and value > most):
        raise InputError(f"{what}: {value!r} is not a whole number from {least}" + (f" to {most}" if most else " on"))
    return int(value)
