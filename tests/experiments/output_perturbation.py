"""Logistic regression with noise on its weights: Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1.

The minimiser of (1/n) sum log(1 + exp(-y w.x)) + (L/2) |w|^2 over records of length at most 1 moves by at most 2/(n L) when
one record changes. Noise of density exp(-n L epsilon |b| / 2) makes it epsilon-DP; Gaussian noise, of the smallest deviation
for that sensitivity, (epsilon, delta)-DP.
"""
import math

import numpy

from accountants import gaussian_noise


def lengths_cut(rows, longest):
    """Rows with a constant beside them, none longer than 1; `longest` is public."""
    rows = numpy.hstack([rows / longest, numpy.ones((len(rows), 1))]) / math.sqrt(2)
    return rows / numpy.maximum(1, numpy.linalg.norm(rows, axis=1, keepdims=True))


def minimiser(rows, signs, strength):
    """The weights before noise; signs are -1 or 1. Sensitivity is that of the minimiser, so it must be near."""
    from sklearn.linear_model import LogisticRegression
    model = LogisticRegression(C=1 / (len(rows) * strength), fit_intercept=False, solver="newton-cholesky", tol=1e-9)
    return model.fit(rows, signs).coef_[0]


def sensitivity(count, strength):
    return 2 / (count * strength)


def exponential_noise(dimension, moved, epsilon, source):
    """A vector of density proportional to exp(-epsilon |b| / moved): a uniform direction, a length by a Gamma law."""
    direction = source.standard_normal(dimension)
    return direction / numpy.linalg.norm(direction) * source.gamma(dimension, moved / epsilon)


def noisy(weights, moved, epsilon, delta, is_gaussian, source):
    """Weights of c classifiers (rows), each of which moves by at most `moved`, (epsilon, delta)-DP together."""
    if is_gaussian:
        return weights + gaussian_noise(epsilon, delta, moved * math.sqrt(len(weights))) * source.standard_normal(weights.shape)
    part = epsilon / len(weights)
    return weights + numpy.array([exponential_noise(weights.shape[1], moved, part, source) for _ in weights])
