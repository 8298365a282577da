"""Teachers that learn on many machines: each process has private records of its own, and only votes leave it.

Processes stand for the machines; on Spark or Ray the function `teacher` is what a task runs. The meter stays in one place,
beside the ledger, and is opened after the processes are started: a process forked later could not use it."""
import multiprocessing
import tempfile

import fumata
import numpy
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

TEACHERS = 200


def records():
    return make_classification(n_samples=22000, n_features=8, n_informative=6, class_sep=2.0, random_state=1)


def teacher(number):
    """One machine: learns from the records that are there, votes on what everybody may see."""
    X, y = records()
    mine = slice(2000 + 100 * number, 2100 + 100 * number)
    return DecisionTreeClassifier(max_depth=5).fit(X[mine], y[mine]).predict(X[:2000]).astype(numpy.uint8)


def main():
    with multiprocessing.Pool(2) as machines:
        votes = numpy.stack(machines.map(teacher, range(TEACHERS)), axis=1)
    plan = fumata.plan(epsilon="4", delta="1e-5", silences=50)
    with tempfile.TemporaryDirectory() as folder, fumata.Meter(plan, folder + "/machines.ledger", classes=2) as meter:
        labels = meter.answer(votes)
        spent = meter.spent
    released = labels != fumata.SILENT
    right = (labels == records()[1][:len(labels)])[released].mean()
    print(f"{released.sum()} labels from {TEACHERS} machines, {100 * right:.1f} % right, for epsilon {spent.epsilon:g}")
    assert released.sum() > 100 and right > 0.9


if __name__ == "__main__":
    main()
