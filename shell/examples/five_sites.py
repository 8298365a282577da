"""Teachers at five hospitals: each trains forty models on its own patients and sends votes, never records. A patient's records are
in one hospital and there in one chunk. The coordinator knows public rows, the votes it is sent, and the ledger."""
import tempfile

import fumata
import numpy
from sklearn.linear_model import LogisticRegression

dice = numpy.random.default_rng(1)


def patients(n):
    rows = dice.normal(size=(n, 4))
    return rows, (rows @ [1.0, -1.0, 0.5, 0.0] + 0.3 * dice.normal(size=n) > 0).astype(int)


class Site:
    """What a hospital runs on its own machines."""

    def __init__(self, teachers=40, records=4000):
        X, y = patients(records)
        chunk = dice.integers(0, teachers, records)  # each record to a teacher of its own draw
        self.teachers = [LogisticRegression().fit(X[chunk == t], y[chunk == t]) for t in range(teachers)]

    def vote(self, rows):
        return numpy.column_stack([teacher.predict(rows) for teacher in self.teachers])


sites = [Site() for _ in range(5)]
public, _ = patients(2000)
test, truth = patients(2000)

plan = fumata.plan(epsilon="1", delta="1e-5", answers=200)
with tempfile.TemporaryDirectory() as folder:
    budget = fumata.Budget(folder + "/five.ledger", epsilon="1", delta="1e-5")
    with fumata.AskingSession(budget, plan, ["well", "sick"], public, protects="records") as session:
        for _ in range(5):
            ids, _ = session.query(20)
            session.teach(ids, votes=numpy.hstack([site.vote(public[ids]) for site in sites]))
    # The coordinator's machine is started again: the same session knows what was answered, and goes on.
    with fumata.AskingSession(budget, plan, ["well", "sick"], public, protects="records") as session:
        assert (session.labels_ >= 0).sum() == 100 and session.left == 100
        while len(ids := session.query(20).ids):
            session.teach(ids, votes=numpy.hstack([site.vote(public[ids]) for site in sites]))
        student = session.learn()
score = student.score(test, numpy.array(["well", "sick"])[truth])
print(f"200 answers of 200 teachers at 5 sites for epsilon 1; the student is right on {100 * score:.1f} % of the test")
assert score > 0.85
