"""Sessions for teachers that live elsewhere: what is asked, what is paid, and what a killed one leaves behind."""
import os
import signal
import subprocess
import sys
import tempfile
import time

import fumata
import numpy

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
dice = numpy.random.default_rng(1)
pool = dice.normal(size=(600, 2)) + 3.0 * dice.integers(0, 2, size=(600, 1))
pool[::30] = 1.5  # on the boundary: teachers do not agree, so that a meter is silent
truth = (pool.sum(axis=1) > 3).astype(int)


def votes(ids, classes=2, teachers=400):
    """Teachers who mostly agree, less so near the boundary."""
    sure = numpy.clip(0.5 + 0.4 * abs(pool[ids].sum(axis=1) - 3), 0.5, 0.98)
    right = dice.random((len(ids), teachers)) < sure[:, None]
    return numpy.where(right, truth[ids][:, None], 1 - truth[ids][:, None]).astype(numpy.uint8 if classes < 256 else int)


def refused(pattern, call):
    try:
        call()
    except fumata.InputError as error:
        assert pattern in str(error), error
        return
    raise AssertionError(f"not refused: {pattern}")


toll = fumata.plan("2", "1e-5", answers=100)
meter = fumata.plan("2", "1e-5", silences=20)
both = fumata.plan("4", "1e-5", silences=5, answers=60)
lazy = fumata.plan("4", "1e-5", silences=500, answers=60)

# ---- the toll, by margin ----

with fumata.AskingSession("toll.ledger", toll, 2, pool) as session:
    first = session.query(10)
    assert (session.query(99).ids == first.ids).all() and len(first.ids) == 10 and (first.candidates == [0, 1]).all()
    refused("not rows that query", lambda: session.teach([599 if 599 not in first.ids else 598], votes([0])))
    refused("votes on 3", lambda: session.teach(first.ids, votes(first.ids[:3])))
    assert session.left == 100 and not os.path.exists("toll.ledger.asking"), "a mistake cost something"
    said = session.teach(first.ids[4:][::-1], votes(first.ids[4:][::-1]))  # some, in another order
    assert len(said) == 6 and session.left == 94 and set(session.query(5).ids) == set(first.ids[:4])
    session.teach(session.query().ids, votes(session.query().ids))
    while len(ids := session.query(30).ids):
        session.teach(ids, votes(ids))
    assert session.left == 0 and (session.kinds_ == "toll").sum() == 100 == (session.labels_ >= 0).sum()
    near = abs(pool[session.kinds_ == "toll"].sum(axis=1) - 3)
    assert near.mean() < abs(pool.sum(axis=1) - 3).mean(), "nobody asked where the student wavers"
    assert session.learn().score(pool, truth) > 0.85
assert fumata.Budget("toll.ledger").spent == toll.spent

# ---- the meter, and both ----

with fumata.AskingSession("meter.ledger", meter, ["no", "yes"], pool) as session:
    while len(ids := session.query(50).ids):
        assert session.query().candidates is None
        session.teach(ids, votes(ids))
    assert session.left == 0 or (session.kinds_ == "meter").all()
    known = session.labels_ >= 0
    assert (session.labels_ == truth)[known].mean() > 0.9 and set(session.learn().predict(pool)) == {"no", "yes"}
with fumata.AskingSession("both.ledger", both, 3, pool) as session:
    kinds = []
    while len(ids := session.query(20).ids):
        kinds.append("meter" if session.query().candidates is None else "toll")
        if kinds[-1] == "toll" and "toll" not in kinds[:-1]:
            assert (session.kinds_[ids] == "meter").all() and (session.labels_[ids] == fumata.SILENT).all(), "silent rows come first"
            assert (session.query().candidates[:, 0] < session.query().candidates[:, 1]).all()
        session.teach(ids, votes(ids, 3))
    assert kinds == sorted(kinds) and set(kinds) == {"meter", "toll"}, kinds
with fumata.AskingSession("lazy.ledger", lazy, 2, pool[:30]) as session:  # a pool that is used up before the silences are
    first = session.query(30)
    session.teach(first.ids, numpy.tile(numpy.arange(400) % 2, (30, 1)))
    assert (session.labels_ == fumata.SILENT).all() and session.left == 530
    assert len(session.query(30).ids) == 30 and session.query().candidates is not None
refused("combined is for", lambda: fumata.AskingSession("x.ledger", toll, 2, pool, ask="combined"))
refused("margin is for", lambda: fumata.AskingSession("x.ledger", meter, 2, pool, ask="margin"))
assert not os.path.exists("x.ledger")

# ---- a killed session ----

CHILD = """
import fumata, numpy
pool = numpy.load("pool.npy")
plan = fumata.plan("2", "1e-5", answers=100)
with fumata.AskingSession("killed.ledger", plan, 2, pool, ask="random") as session:
    while len(ids := session.query(3).ids):
        said = session.teach(ids, votes=(pool[ids].sum(axis=1) > 3).astype(int)[:, None].repeat(400, axis=1))
        print(*[f"{i}:{a}" for i, a in zip(ids, said)], flush=True)
"""
numpy.save("pool.npy", pool)
child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
heard = [child.stdout.readline() for _ in range(8)]
time.sleep(0.01)
child.send_signal(signal.SIGKILL)
heard += child.stdout.readlines()
child.wait()
seen = dict(pair.split(":") for line in heard if line.endswith("\n") for pair in line.split())
assert len(seen) >= 24
with open("killed.ledger.asking", "a") as file:
    file.write('{"plan": 1, "poo')  # a note that was cut off
with fumata.AskingSession("killed.ledger", toll, 2, pool, ask="random") as session:
    assert all(session.labels_[int(row)] == int(answer) for row, answer in seen.items()), "an answer was lost"
    assert len(seen) <= (session.labels_ >= 0).sum() <= len(seen) + 3 and session.left <= 100 - len(seen)
    while len(ids := session.query(30).ids):
        session.teach(ids, votes(ids))
    known = (session.labels_ >= 0).sum()
    assert 80 <= known <= 100, known  # what was reserved and not used is lost, a tenth at most
    journal = fumata.answers("killed.ledger")
    assert len(journal) == known and sorted(journal["answer"]) == sorted(session.labels_[session.labels_ >= 0])
assert fumata.Budget("killed.ledger").spent == toll.spent
with fumata.AskingSession("half.ledger", toll, 2, pool) as session:
    session.teach(session.query(5).ids, votes(session.query(5).ids))
refused("another pool", lambda: fumata.AskingSession("half.ledger", toll, 2, pool[:50]))
os.remove("half.ledger.asking")
refused("does not know", lambda: fumata.AskingSession("half.ledger", toll, 2, pool))

# A meter goes on by itself too, and knows what it has said.
with fumata.Meter(meter, "again.ledger") as one:
    said = one.answer(numpy.zeros((40, 900), numpy.uint8))
with fumata.Meter(meter, "again.ledger") as two:
    assert two.asked == 40 and (two.released["answer"] == said).all() and two.number == 1
    assert (two.answer(numpy.ones((2, 900), numpy.uint8)) == 1).any() and len(two.released) == 42
print("python: asking sessions ask, pay, and go on after a kill")
