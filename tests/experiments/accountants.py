"""What the peers' noise costs, for every data set alike (nothing here reads a vote).

Conversions are the ones that favour the peer: Renyi divergence to (epsilon, delta) by the sharp constant (the one that our own
certificate uses), and for Gaussian noise the exact trade-off besides.
"""
import math

import numpy

ORDERS = numpy.concatenate([numpy.arange(1.01, 2, 0.01), numpy.arange(2, 64, 0.25), 2.0 ** numpy.arange(6, 16, 0.25)])


def from_renyi(divergence, delta, is_sharp=True):
    """The smallest epsilon over all orders for Renyi divergence(order); not sharp: PATE's own log(1/delta)/(order - 1)."""
    saved = numpy.log1p(-1 / ORDERS) - numpy.log(ORDERS) / (ORDERS - 1) if is_sharp else 0
    return float(numpy.min(divergence(ORDERS) + math.log(1 / delta) / (ORDERS - 1) + saved))


def confident_gnmax(queries, answered, sigma_check, sigma_answer):
    """Renyi divergence of Confident-GNMax: every query is checked, some are answered (Papernot et al. 2018, Theorem 6)."""
    return lambda order: order * (queries / (2 * sigma_check**2) + answered / sigma_answer**2)


def gnmax(answers, sigma):
    """A moved vote changes two counts by one: divergence order / sigma^2 an answer."""
    return lambda order: order * answers / sigma**2


def pure(epsilon):
    """The largest Renyi divergence of one epsilon-DP step (that of randomized response)."""
    def divergence(order):
        # log((e^(order eps) + e^((1 - order) eps)) / (1 + e^eps)) / (order - 1), written so that it does not overflow
        return (order * epsilon + numpy.log1p(numpy.exp((1 - 2 * order) * epsilon))
                - epsilon - math.log1p(math.exp(-epsilon))) / (order - 1)
    return divergence


def lnmax(answers, gamma):
    """Noise of scale 1/gamma on every count: 2 gamma-DP an answer; the better of that and PATE's moments 2 gamma^2 l (l + 1)."""
    step = pure(2 * gamma)
    return lambda order: answers * numpy.minimum(step(order), 2 * gamma**2 * order)


def normal(value):
    return 0.5 * math.erfc(-value / math.sqrt(2))


def gaussian_delta(epsilon, ratio):
    """delta of Gaussian noise whose sensitivity is `ratio` deviations, exactly (Balle and Wang 2018, Theorem 8)."""
    return normal(ratio / 2 - epsilon / ratio) - math.exp(epsilon) * normal(-ratio / 2 - epsilon / ratio)


def solve(is_enough, low, high):
    """The smallest value between, up to a part in 10^6, that is enough; enough stays enough above."""
    while high > low * (1 + 1e-6):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def gaussian_noise(epsilon, delta, sensitivity):
    """The smallest deviation that is (epsilon, delta)-DP for this sensitivity, exactly."""
    return solve(lambda sigma: gaussian_delta(epsilon, sensitivity / sigma) <= delta, 1e-9 * sensitivity, 1e9 * sensitivity)


def gnmax_noise(epsilon, delta, answers):
    """The smallest sigma with which GNMax sells that number of answers: exact, and so never above what its Renyi bound asks."""
    return gaussian_noise(epsilon, delta, math.sqrt(2 * answers))


def lnmax_noise(epsilon, delta, answers):
    """The smallest scale 1/gamma with which LNMax sells that number of answers."""
    return solve(lambda scale: from_renyi(lnmax(answers, 1 / scale), delta) <= epsilon, 1e-3, 1e7)
