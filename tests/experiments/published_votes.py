"""The votes of 250 teachers that were published with PATE (2018): labels for one budget, ours and Confident-GNMax's."""
import importlib.machinery
import importlib.util
import itertools
import math
import os

import numpy

import pictures
from accountants import confident_gnmax, from_renyi
from program import DATA, plan, remembered

SETTINGS = [  # votes, epsilon, (queries, answered, check noise, answer noise) that its authors ran, if at this epsilon
    ("mnist", "3.16", (640, 283, 150, 40)),
    ("mnist", "1.97", None),
    ("adult", "4.40", (1500, 538, 200, 40)),
    ("adult", "1.90", None),
]
THRESHOLDS, CHECKS, NOISES = (150, 200, 225, 250, 300), (30, 50, 100, 150, 200, 300), (10, 20, 30, 40, 60, 80, 100, 150, 200)
CLEAN = (0.97, 0.9)  # of the labels are the plurality's, at least


def bench():
    """tests/bench/votes_labels, which computes our row."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench", "votes_labels")
    loader = importlib.machinery.SourceFileLoader("votes_labels", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("votes_labels", loader))
    loader.exec_module(module)
    return module


def load(name):
    return numpy.load("%s/votes/%s_250_teachers.npy" % (DATA, name))


def passes(votes, threshold, sigma):
    """The chance that each query passes the check."""
    margin = (votes.max(axis=1) - threshold) / (sigma * math.sqrt(2))
    return numpy.array([0.5 * math.erfc(-value) for value in margin])


def plurality_kept(votes, chances, sigma, source):
    """How often an answered query gets the plurality's label; sampled."""
    noisy = votes + sigma * source.standard_normal(votes.shape)
    return float(numpy.sum(chances * (noisy.argmax(axis=1) == votes.argmax(axis=1))) / numpy.sum(chances))


def affordable(epsilon, share, sigma_check, sigma_answer):
    """Queries that the budget pays for, when a share of them is answered. One query costs a known divergence per order."""
    per_query = 1 / (2 * sigma_check**2) + share / sigma_answer**2
    enough = lambda queries: from_renyi(lambda order: order * queries * per_query, 1e-5) <= epsilon
    low, high = 0, 1
    while enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return low


def confident_gnmax_grid(votes, epsilon):
    """[(expected labels, the plurality's share of them, threshold, check noise, answer noise)]"""
    found, source = [], numpy.random.default_rng(0)
    for threshold, check in itertools.product(THRESHOLDS, CHECKS):
        chances = passes(votes, threshold, check)
        share = float(chances.mean())
        for noise in NOISES:
            answered = share * affordable(epsilon, share, check, noise)
            found.append((answered, plurality_kept(votes, chances, noise, source), threshold, check, noise))
    return found


def ours(module, votes, epsilon):
    limit, _, silence = module.plan(epsilon, module.RULE)
    return module.expected([module.distance(row) for row in votes], limit, silence)[1]


def labels():
    module, rows = bench(), []
    for name, epsilon, published in SETTINGS:
        votes = load(name)
        spent = from_renyi(confident_gnmax(*published), 1e-5, False) if published else None
        grid = confident_gnmax_grid(votes, float(epsilon))
        peer = [cell for least in CLEAN for cell in most(grid, least)]
        rows.append([name, epsilon, round(ours(module, votes, epsilon)), *peer, published and published[1], spent])
    peer = [cell for least in CLEAN for cell in ("Confident-GNMax, %g the plurality's" % least, "threshold/check/answer")]
    pictures.table("votes", ["votes", "epsilon", "meter, all the plurality's", *peer, "labels its authors bought",
                             "epsilon of that by our accountant"], rows)
    teachers()


def most(grid, least):
    """The most labels of which at least such a share is the plurality's, and the setting that gives them."""
    answered, _, *setting = max(point for point in grid if point[1] >= least)
    return [round(answered), "%d/%d/%d" % tuple(setting)]


def teachers():
    """Teachers of whom nine tenths agree that get a label (or its name) 95 times in 100, from `fumata plan`."""
    rows = []
    for epsilon, silences, answers in itertools.product(("0.5", "1", "2", "4"), (20, 100), (400,)):
        meter = plan("--epsilon", epsilon, "--silences", str(silences), "--compare")
        ask = lambda *more: plan("--epsilon", epsilon, "--silences", str(silences), "--mechanism", "classic", *more)
        toll = remembered(lambda: plan("--epsilon", epsilon, "--answers", str(answers), "--compare"), "toll", epsilon, answers)
        rows.append([epsilon, silences, meter["teachers_nine_tenths"], ask()["teachers_nine_tenths"],
                     meter["paper"]["teachers_nine_tenths"], meter["liu"]["teachers_nine_tenths"],
                     toll["named_teachers_nine_tenths"], toll["liu"]["named_teachers_nine_tenths"]])
    pictures.table("teachers", ["epsilon", "T", "meter", "classic, ours", "classic, Bassily et al.", "classic, Liu et al.",
                                "toll, 400 answers", "Gaussian, Liu et al., 400 answers"], rows)
