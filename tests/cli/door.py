"""Whatever is handed to the Python door, it answers with an exception and never with a crash."""
import itertools
import os
import random
import tempfile

import fumata
import numpy

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
good = fumata.plan("2", "1e-5", 20)
names = itertools.count()


def fresh():
    return f"{next(names)}.ledger"


def refused(what, call):
    try:
        call()
    except (fumata.Error, TypeError, ValueError, OverflowError) as error:
        assert str(error), what
        return
    raise AssertionError(f"{what}: nothing was said")


table, alpha, v = good.table, good.alpha, good.v
for what, arguments in {
        "empty table": ("2", "1e-5", 20, table[:0], alpha, v),
        "zero entry": ("2", "1e-5", 20, numpy.append(table, 0), alpha, v),
        "rising table": ("2", "1e-5", 20, table[::-1], alpha, v),
        "matrix": ("2", "1e-5", 20, table.reshape(1, -1), alpha, v),
        "floats": ("2", "1e-5", 20, table / 2.0**64, alpha, v),
        "negative": ("2", "1e-5", 20, -table.astype(numpy.int64) // 4, alpha, v),
        "too long": ("2", "1e-5", 20, numpy.ones(300000, numpy.uint64), alpha, v),
        "more silences": ("2", "1e-5", 21, table, alpha, v),
        "no silences": ("2", "1e-5", 0, table, alpha, v),
        "smaller epsilon": ("1.98", "1e-5", 20, table, alpha, v),
        "zero epsilon": ("0", "1e-5", 20, table, alpha, v),
        "nan": (float("nan"), "1e-5", 20, table, alpha, v),
        "delta of one": ("2", "1", 20, table, alpha, v),
        "alpha of one": ("2", "1e-5", 20, table, 1, v),
        "huge alpha": ("2", "1e-5", 20, table, 2**32 - 1, v),
        "alpha out of range": ("2", "1e-5", 20, table, 2**32, v),
        "V below one": ("2", "1e-5", 20, table, alpha, 2**32 - 1),
        "huge V": ("2", "1e-5", 20, table, alpha, 2**64 - 1),
}.items():
    refused(what, lambda: fumata.Plan(*arguments))
for what, arguments in {"word": ("two", "1e-5", 20), "huge": ("1e400", "1e-5", 20), "tiny": ("1e-300", "1e-5", 20),
                        "many": ("2", "1e-5", 10**7), "half": ("2", "1e-5", 1.5)}.items():
    refused(what, lambda: fumata.plan(*arguments))
refused("mechanism", lambda: fumata.plan("2", "1e-5", 20, mechanism="magic"))
refused("no file", lambda: fumata.load("nowhere"))
with open("noise", "wb") as f:
    f.write(random.Random(1).randbytes(5000))
refused("noise as plan", lambda: fumata.load("noise"))
refused("noise as ledger", lambda: fumata.Meter(good, "noise"))
refused("zero byte", lambda: fumata.Meter(good, "a\0b"))
refused("no plan", lambda: fumata.Meter(None, fresh()))
for classes in (0, 1, 1025, 2**32, -1, 2.5):
    refused(f"{classes} classes", lambda: fumata.Meter(good, fresh(), classes=classes))

good.save("plan")
text = open("plan").read().splitlines(keepends=True)
dice = random.Random(2)
for _ in range(300):
    damaged = list(text)
    line = dice.randrange(len(damaged))
    damaged[line] = "".join(dice.choice("0123456789 -/ex\n") if dice.random() < 0.2 else c for c in damaged[line])
    if damaged != text:
        with open("damaged", "w") as f:
            f.write("".join(damaged[:dice.randrange(len(damaged) + 1)] if dice.random() < 0.3 else damaged))
        refused("damaged plan", lambda: fumata.load("damaged"))

ledger = fresh()
with fumata.Meter(good, ledger, classes=3) as meter:
    for what, votes, counts in [
            ("vector", numpy.zeros(5, numpy.uint8), False), ("cube", numpy.zeros((2, 2, 2), numpy.uint8), False),
            ("no teachers", numpy.zeros((4, 0), numpy.uint8), False), ("vote 3", numpy.full((4, 9), 3, numpy.uint8), False),
            ("vote -1", numpy.full((4, 9), -1), False), ("vote 256", numpy.full((4, 9), 256), False),
            ("nan", numpy.full((4, 9), numpy.nan), False), ("half", numpy.full((4, 9), 0.5), False),
            ("words", numpy.array([["a", "b"]]), False), ("objects", numpy.array([[None, 1]]), False),
            ("complex", numpy.zeros((2, 2), complex), False), ("16 bits", numpy.full((4, 9), 3, numpy.uint16), False),
            ("too few columns", numpy.ones((4, 2), numpy.uint32), True), ("all zero", numpy.zeros((4, 3), numpy.uint32), True),
            ("too many", numpy.full((4, 3), 10**6, numpy.uint32), True), ("negative", numpy.full((4, 3), -5), True),
            ("overflow", numpy.full((4, 3), 2**33), True)]:
        refused(what, lambda: meter.answer(votes, counts=counts))
    assert meter.left == 20, "an error spent a silence"
    refused("in use", lambda: fumata.Meter(good, ledger, classes=3))
    assert len(meter.answer(numpy.zeros((0, 9), numpy.uint8))) == 0
    # Even all teachers together are met with silence once in a million times, so never mind one.
    strided = numpy.zeros((8, 2000), numpy.uint8)[::2, ::2]
    assert sorted(set(meter.answer(strided)) - {fumata.SILENT}) == [0]
    assert sorted(set(meter.answer(numpy.array(3 * [[1, 2, 997.0]]), counts=True)) - {fumata.SILENT}) == [2]
    left = meter.left
    assert left >= 18, "silences where all agree"
    silent = meter.answer(numpy.tile(numpy.arange(900) % 3, (50, 1)))
    assert len(silent) == left and (silent == fumata.SILENT).all() and meter.left == 0
refused("closed", lambda: meter.answer(strided))
refused("spent", lambda: fumata.Meter(good, ledger, classes=3))
print("door: every bad call was refused")
