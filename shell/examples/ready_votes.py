"""Votes of teachers trained elsewhere, answered from Python."""
import tempfile

import fumata
import numpy

generator = numpy.random.default_rng(1)
truth = generator.integers(0, 10, size=2000)
votes = numpy.where(generator.random((2000, 500)) < 0.9, truth[:, None], generator.integers(0, 10, (2000, 500)))

plan = fumata.plan(epsilon="2", delta="1e-5", silences=20)
with tempfile.TemporaryDirectory() as folder:
    with fumata.Meter(plan, ledger=folder + "/votes.ledger", classes=10) as meter:
        labels = meter.answer(votes.astype(numpy.uint8))
        print(f"{(labels >= 0).sum()} labels, {(labels < 0).sum()} silences, {meter.left} of {plan.silences} left")
right = labels[labels >= 0] == truth[: len(labels)][labels >= 0]
print(f"{100 * right.mean():.1f} % of the labels are the truth")
assert len(right) > 1500 and right.mean() > 0.99
