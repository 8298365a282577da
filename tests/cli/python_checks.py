"""scikit-learn's own check_estimator, of the program's way and of estimators of Python's. What it skips is listed here, with
the reason."""
import warnings

import fumata
from sklearn.exceptions import SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_estimator

# An answer is a throw of the operating system's dice: two fits differ, and scikit-learn does not compare them.
RANDOM = {"check_pipeline_consistency"}
WEIGHTS = {"check_sample_weights_invariance"}
# 30 records cannot buy labels of every class, whatever epsilon is: a lonely label is what privacy forbids.
FEW = {"check_classifiers_classes"}

# The checks give neither public rows nor classes, so here X is public and the classes are read off y. They fit many data
# sets: the total of the process must allow that.
HOW = {"unsafe_classes_from_y": True, "protects": "labels", "anyway": True, "delta": "1e-5",
       "budget": fumata.Budget(epsilon="100000", delta="0.5")}
program = fumata.PrivateClassifier(epsilon="64", silences=30, teachers=20, **HOW)
classifier = fumata.PrivateClassifier(LogisticRegression(max_iter=1000), epsilon="64", silences=30, teachers=20, **HOW)
labeller = fumata.PrivateLabeller(teachers=5, **HOW)
for estimator, expected in ((program, RANDOM | WEIGHTS | FEW), (classifier, RANDOM | WEIGHTS | FEW), (labeller, RANDOM)):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_estimator(estimator)
    said = [str(w.message) for w in caught if issubclass(w.category, SkipTestWarning)]
    skipped = {word for text in said for word in expected if word in text or (word in RANDOM and "non deterministic" in text)}
    assert skipped == expected and all(any(word in text for word in expected) or "non deterministic" in text for text in said), said
    way = "the program" if estimator is program else type(estimator.estimator).__name__
    print(f"python: check_estimator({type(estimator).__name__}, {way}) passes; skipped: {', '.join(sorted(skipped))}")
