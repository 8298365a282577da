"""Labels from private votes that are safe to publish: Fumata's proved core from Python.

    import fumata
    plan = fumata.plan(epsilon="2", delta="1e-5", silences=100)
    with fumata.Meter(plan, ledger="clinic.ledger", classes=2) as meter:
        labels = meter.answer(votes)        # votes[query, teacher]; -1 where the meter is silent

    with fumata.Budget("clinic.ledger", epsilon="2", delta="1e-5"):
        model = fumata.PrivateClassifier(classes=["no", "yes"], epsilon="2", delta="1e-5")
        model.fit(X_private, y_private, X_public=X_public).predict(X_new)

Needs NumPy and libfumata-door.so (made by `make`, in the wheel, installed with the others by `make install`;
FUMATA_LIBRARY names another place); the two estimators, PrivateClassifier and PrivateLabeller, need scikit-learn too, and
PrivateClassifier also the fumata program, which is found the same way (FUMATA_PROGRAM).
Randomness comes only from the operating system.
"""
from typing import TYPE_CHECKING, Any

from ._budget import Budget
from ._library import (BudgetSpent, Error, Forked, InputError, LedgerBusy, NotCertified, PoorResult, Refused,
                       SeesPrivateRows, UntrackedBudget)
from ._library import version as _version
from ._meter import SILENT, Meter, answers
from ._plan import Plan, Spent, load, plan

if TYPE_CHECKING:
    from ._asking import AskingSession
    from ._classifier import PrivateClassifier
    from ._labeller import PrivateLabeller

__all__ = ["AskingSession", "Budget", "BudgetSpent", "Error", "Forked", "InputError", "LedgerBusy", "Meter", "NotCertified", "Plan",
           "PoorResult", "PrivateClassifier", "PrivateLabeller", "Refused", "SILENT", "SeesPrivateRows", "Spent",
           "UntrackedBudget", "answers", "load", "plan"]
__version__ = _version()


def __getattr__(name: str) -> Any:
    """Loads the estimators on first use: the rest does not need scikit-learn."""
    if name == "AskingSession":
        from ._asking import AskingSession
        return AskingSession
    if name == "PrivateClassifier":
        from ._classifier import PrivateClassifier
        return PrivateClassifier
    if name == "PrivateLabeller":
        from ._labeller import PrivateLabeller
        return PrivateLabeller
    raise AttributeError(f"module 'fumata' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
