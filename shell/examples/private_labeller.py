"""Any scikit-learn estimator as teacher and student: unlabelled points get labels from private ones."""
import tempfile

import fumata
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

X, y = make_blobs(n_samples=12000, centers=3, cluster_std=2.0, random_state=1)
private, public, test = slice(0, 8000), slice(8000, 10000), slice(10000, 12000)

with tempfile.TemporaryDirectory() as folder:
    labeller = fumata.PrivateLabeller(LogisticRegression(), classes=[0, 1, 2], teachers=200, ledger=folder + "/blobs.ledger",
                                      plan=fumata.plan(epsilon="2", delta="1e-5", silences=50))
    labels = labeller.fit(X[private], y[private]).label(X[public])
answered = labeller.answered_
student = LogisticRegression().fit(X[public][answered], labels[answered].astype(int))
score = student.score(X[test], y[test])
print(f"{answered.sum()} of {len(labels)} public points labelled; the student is right on {100 * score:.1f} % of the test")
assert answered.sum() > 150 and score > 0.9
