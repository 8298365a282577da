"""Logistic regression by noisy gradients: full batch, one clipped gradient a unit, Gaussian noise, exact accounts.

A step adds up the gradients of all units, each cut to length `clip`, adds Gaussian noise of deviation sigma clip in every
coordinate and goes against the sum. One unit added or removed moves the sum by at most clip, one changed by at most 2 clip, so
T steps are T Gaussian mechanisms: together one whose sensitivity is sqrt(T)/sigma (or twice that) deviations, and delta(epsilon)
has a closed form (Dong, Roth and Su 2019, Corollaries 2.13 and 3.3; Balle and Wang 2018, Theorem 8). The mean of the later half of the steps is
what is used; it costs nothing.

Many settings are trained at once: columns of one matrix.
"""
import math

import numpy

from accountants import gaussian_noise

BLOCK = 4096  # records at a time
RELATIONS = {"added or removed": 1, "changed": 2}  # how many clips a neighbour moves the sum of gradients


def noise(epsilon, delta, steps, moved):
    """sigma: deviations of the noise in units of the clip, for so many steps in which a neighbour moves `moved` clips."""
    return gaussian_noise(epsilon, delta, moved * math.sqrt(steps))


class Records:
    """Rows with a constant beside them, their classes and units, sorted by unit. A unit's gradient is the mean of its records'."""

    def __init__(self, rows, labels, units=None):
        order = numpy.arange(len(rows)) if units is None else numpy.argsort(units, kind="stable")
        self.rows = numpy.hstack([rows[order], numpy.ones((len(rows), 1))]).astype(numpy.float32) / math.sqrt(2)
        self.labels = labels[order]
        self.lengths = numpy.linalg.norm(self.rows, axis=1)
        names = order if units is None else units[order]
        starts = numpy.flatnonzero(numpy.concatenate([[True], names[1:] != names[:-1]]))
        self.units = len(starts)
        self.starts = None if self.units == len(rows) else starts
        if self.starts is not None:
            self.sizes = numpy.diff(numpy.append(starts, len(rows)))
            self.products = self.inner_products()

    def inner_products(self):
        """Of the records of one unit with each other, each record weighed by 1/size: a sparse matrix."""
        from scipy.sparse import coo_matrix
        left, right = [], []
        for start, size in zip(self.starts, self.sizes):
            here = numpy.arange(start, start + size)
            left.append(numpy.repeat(here, size))
            right.append(numpy.tile(here, size))
        left, right = numpy.concatenate(left), numpy.concatenate(right)
        values = numpy.einsum("ij,ij->i", self.rows[left], self.rows[right])
        return coo_matrix((values, (left, right)), shape=(len(self.rows),) * 2).tocsr()

    def cut(self, errors, clip):
        """How much of each record counts when every unit's gradient is cut to `clip`; errors: records x settings x columns."""
        if self.starts is None:
            lengths = self.lengths[:, None] * numpy.sqrt(numpy.einsum("nsk,nsk->ns", errors, errors))
            return numpy.minimum(1, clip / numpy.maximum(lengths, 1e-12))
        flat = errors.reshape(len(errors), -1)
        squares = numpy.add.reduceat(flat * (self.products @ flat), self.starts, axis=0)
        squares = squares.reshape(self.units, *errors.shape[1:]).sum(axis=2)
        lengths = numpy.sqrt(numpy.maximum(squares, 0)) / self.sizes[:, None]
        return numpy.repeat(numpy.minimum(1, clip / numpy.maximum(lengths, 1e-12)) / self.sizes[:, None], self.sizes, axis=0)


def errors_of(scores, labels):
    """Predicted probabilities less the truth: records x settings x columns; one column is two classes, else one a class."""
    if scores.shape[2] == 1:
        return 0.5 + 0.5 * numpy.tanh(scores / 2) - labels[:, None, None].astype(numpy.float32)
    scores = numpy.exp(scores - scores.max(axis=2, keepdims=True))
    scores /= scores.sum(axis=2, keepdims=True)
    scores[numpy.arange(len(labels)), :, labels] -= 1
    return scores


def gradients(records, weights, clip):
    """The sum of the cut gradients, by setting; weights: features x settings x columns."""
    width, settings, columns = weights.shape
    flat, total = weights.reshape(width, -1), numpy.zeros((width, settings * columns), numpy.float32)
    block = len(records.rows) if records.starts is not None else BLOCK  # no block may part a unit
    for first in range(0, len(records.rows), block):
        rows = records.rows[first : first + block]
        errors = errors_of((rows @ flat).reshape(len(rows), settings, columns), records.labels[first : first + block])
        part = records if block == len(records.rows) else _Part(records, first, block)
        errors *= Records.cut(part, errors, clip)[:, :, None]
        total += rows.T @ errors.reshape(len(rows), -1)
    return total.reshape(weights.shape)


class _Part:
    """Some records, each its own unit."""

    def __init__(self, records, first, count):
        self.starts, self.lengths = None, records.lengths[first : first + count]


def train(records, columns, steps, settings, source):
    """The mean weights of the later half of the steps, features x settings x columns, and those of the last step.

    settings: a list of (way, clip, sigma, decay). The way is the sum of all step lengths, so that what the noise adds up to does
    not depend on the number of steps.
    """
    way, clip, sigma, decay = numpy.array(settings, dtype=numpy.float32).T
    length = (way / steps)[None, :, None]
    weights = numpy.zeros((records.rows.shape[1], len(settings), columns), numpy.float32)
    mean, late = numpy.zeros_like(weights), steps - steps // 2
    for step in range(steps):
        drawn = source.standard_normal(weights.shape, dtype=numpy.float32) * (sigma * clip)[None, :, None]
        total = gradients(records, weights, clip[None, :]) + drawn
        weights -= length * (total / records.units + decay[None, :, None] * weights)
        if step >= steps - late:
            mean += weights / late
    return mean, weights


def accuracy(rows, labels, weights):
    """Percent right, by setting."""
    rows = numpy.hstack([rows, numpy.ones((len(rows), 1))]).astype(numpy.float32)
    scores = (rows @ weights.reshape(len(weights), -1)).reshape(len(rows), *weights.shape[1:])
    answers = (scores[:, :, 0] > 0) if weights.shape[2] == 1 else scores.argmax(axis=2)
    return 100 * numpy.mean(answers == labels[:, None], axis=0)
