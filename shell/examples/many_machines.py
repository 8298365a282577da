"""Teachers that learn on many machines: each has a share of the teachers, and only their votes leave it.

Processes stand for the machines; on Spark or Ray the function `share` is what a task runs. A secret key says which person's
records reach which teacher, so that machines which know nothing of each other agree. The meter stays in one place, beside the
ledger, and is opened after the processes are started: a process forked later could not use it. `fumata vote` does the same
without Python."""
import hashlib
import multiprocessing
import secrets
import tempfile

import fumata
import numpy
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

TEACHERS, SHARES, PUBLIC, ABSTAIN = 200, 8, 2000, 255


def records():
    """What every machine can read: rows, labels, and whose rows they are; the first ones are public."""
    X, y = make_classification(n_samples=22000, n_features=8, n_informative=6, class_sep=2.0, random_state=1)
    return X, y, numpy.arange(len(X)) // 2


def teacher(person, key):
    """The one teacher of a person: a hash under the key, of the person alone."""
    digest = hashlib.blake2b(str(person).encode(), key=key, digest_size=16).digest()
    return int.from_bytes(digest, "little") % TEACHERS


def share(task):
    """One machine: its teachers learn from their own records and vote on public rows."""
    number, key = task
    X, y, person = records()
    owner = numpy.array([teacher(p, key) for p in person])
    owner[:PUBLIC] = -1  # no teacher's: these are asked about
    mine = numpy.array_split(numpy.arange(TEACHERS), SHARES)[number]
    votes = numpy.full((PUBLIC, len(mine)), ABSTAIN, numpy.uint8)
    for column, t in enumerate(mine):
        rows = owner == t
        if rows.any():
            votes[:, column] = DecisionTreeClassifier(max_depth=5, random_state=0).fit(X[rows], y[rows]).predict(X[:PUBLIC])
    return votes


def main():
    key = secrets.token_bytes(32)
    with multiprocessing.Pool(2) as machines:
        votes = numpy.hstack(machines.map(share, [(number, key) for number in range(SHARES)]))
    plan = fumata.plan(epsilon="4", delta="1e-5", silences=50)
    with tempfile.TemporaryDirectory() as folder, fumata.Meter(plan, folder + "/machines.ledger", classes=2) as meter:
        labels = meter.answer(votes)
        spent = meter.spent
    released = labels != fumata.SILENT
    right = (labels == records()[1][:len(labels)])[released].mean()
    print(f"{released.sum()} labels of {TEACHERS} teachers on {SHARES} machines, {100 * right:.1f} % right, for epsilon {spent.epsilon:g}")
    assert votes.shape == (PUBLIC, TEACHERS) and released.sum() > 100 and right > 0.9


if __name__ == "__main__":
    main()
