"""scikit-learn's own check_estimator. What it skips is listed here, with the reason."""
import warnings

import fumata
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator

# An answer is a throw of the operating system's dice: two fits differ, and scikit-learn does not compare them.
RANDOM = {"check_pipeline_consistency"}
# 30 records cannot buy labels of every class, whatever epsilon is: a lonely label is what privacy forbids.
FEW = {"check_classifiers_classes"}

# The checks give neither public rows nor classes, so here X is public and the classes are read off y.
classifier = fumata.PrivateClassifier(protects="labels", unsafe_classes_from_y=True, epsilon="64", delta="0.01", silences=30,
                                      teachers=20)
labeller = fumata.PrivateLabeller(unsafe_classes_from_y=True, teachers=5)
for estimator, expected in ((classifier, RANDOM | FEW), (labeller, RANDOM)):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_estimator(estimator)
    said = [str(w.message) for w in caught if issubclass(w.category, SkipTestWarning)]
    skipped = {word for text in said for word in RANDOM | FEW if word in text or (word in RANDOM and "non deterministic" in text)}
    assert len(said) == len(expected) and skipped == expected, said
    print(f"python: check_estimator({type(estimator).__name__}) passes; skipped: {', '.join(sorted(skipped))}")
