"""Halfspaces with and without noise, and what the program makes of them.

Records are standard normal vectors. What a label is to them:
  realizable   h*(x) = [x_1 > 0]
  massart      h* flipped with probability 0.1: Tsybakov noise of tau = 1
  tsybakov     P(y = 1 | x) = 1/2 + clip(x_1, -1, 1)/2, so that P(|r - 1/2| <= t) is of order t: tau = 0.5
  agnostic     [x_1 + (x_2^2 - 1)/2 > 0], which no halfspace is; h* is the best halfspace
"""
import functools
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy

from program import JOBS, SCRATCH, learn, plan, remembered

KINDS = ("realizable", "massart", "tsybakov", "agnostic")
FLIPPED = 0.1
EXAMINED = 200000  # records on which an excess risk is computed, from r(x) and not from labels
POOL = 8000  # public records
LEARNER = "logistic:C=10000"


def chance(kind, rows):
    """P(y = 1 | x)"""
    first = rows[:, 0]
    if kind == "massart":
        return numpy.where(first > 0, 1 - FLIPPED, FLIPPED)
    if kind == "tsybakov":
        return 0.5 + numpy.clip(first, -1, 1) / 2
    if kind == "agnostic":
        return (first + (rows[:, 1] ** 2 - 1) / 2 > 0).astype(float)
    return (first > 0).astype(float)


def draw(kind, count, dimension, source):
    rows = source.standard_normal((count, dimension), dtype=numpy.float32)
    return rows, (source.random(count) < chance(kind, rows)).astype(numpy.int64)


def risk(answers, expected):
    """The probability that answers (0 or 1) are wrong where P(y = 1 | x) is `expected`."""
    return float(numpy.mean(numpy.where(answers, 1 - expected, expected)))


@functools.lru_cache(maxsize=1)
def examination(kind, dimension):
    """(rows, P(y = 1 | x), the risk of the best halfspace)"""
    rows = numpy.random.default_rng(0).standard_normal((EXAMINED, dimension), dtype=numpy.float32)
    expected = chance(kind, rows)
    if kind != "agnostic":
        return rows, expected, risk(rows[:, 0] > 0, expected)
    # The labels do not change with the sign of x_2 nor with x_3, x_4, ...: the best halfspace is x_1 > b.
    return rows, expected, min(risk(rows[:, 0] > b, expected) for b in numpy.arange(-1, 1, 0.02))


def excess_risk(kind, weights):
    rows, expected, best = examination(kind, len(weights) - 1)
    score = rows @ numpy.array(weights[:-1], dtype=numpy.float32) + weights[-1]
    return risk(score > 0, expected) - best


def measure(files, truth, kind, options, queries):
    """One run: the share of the queries that did not get their label, the student's excess risk, what was asked."""
    result = learn("--private", files[0] + "," + files[1], "--public", "%s@0:%d" % (files[2], queries), "--classes", "0,1",
                   *([] if "--student" in options else ["--learner", LEARNER]), *options)
    if result is None:
        return None
    summary, rows, weights, _ = result
    right = {number for number, answer, _ in rows if answer == str(truth[number])}
    found = {"missed": 1 - len(right) / queries, "asked": summary["asked"], "excess": excess_risk(kind, weights) if weights else 0.5}
    if "voters_asked" not in summary:
        return found | {"silent": summary["silent"], "teachers": summary["teachers"]}
    return found | {"K": summary["voters_asked"], "B": summary["votes"], "wrong": 1 - len(right) / max(1, len(rows))}


def group(kind, count, dimension, seed, wanted):
    """Runs on one draw of private and public records; wanted is a list of (options, queries)."""
    drawn = []

    def run(options, queries):
        if not drawn:
            drawn.extend(write(kind, count, dimension, seed, folder))
        return measure(drawn[:3], drawn[3], kind, options, queries)

    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        return [remembered(lambda: run(options, queries), "halfspaces", kind, count, dimension, seed, options, queries)
                for options, queries in wanted]


def write(kind, count, dimension, seed, folder):
    """Paths of private rows, their labels and public rows, and the public ones' labels."""
    source = numpy.random.default_rng([seed, count, dimension, KINDS.index(kind)])
    files = [os.path.join(folder, name) for name in ("rows.npy", "labels.npy", "public.npy")]
    for path, values in zip(files, draw(kind, count, dimension, source)):
        numpy.save(path, values)
    public, truth = draw(kind, POOL, dimension, source)
    numpy.save(files[2], public)
    return files + [truth]


def groups(jobs):
    """group() of each job, as many at a time as there are cores."""
    with ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(lambda job: group(*job), jobs))


@functools.lru_cache(maxsize=None)
def teachers(kind, epsilon, number):
    """As many teachers as it takes so that a vote in which nine tenths agree is answered, or named right, 95 times in 100."""
    found = remembered(lambda: plan("--epsilon", epsilon, "--silences" if kind == "meter" else "--answers", str(number)),
                       "teachers", kind, epsilon, number)
    return found["teachers_nine_tenths" if kind == "meter" else "named_teachers_nine_tenths"]


def meter(epsilon, silences):
    return ["--epsilon", epsilon, "--silences", str(silences), "--teachers", str(teachers("meter", epsilon, silences)),
            "--ask", "random", "--silent-as", "random"]


def toll(epsilon, answers, ask):
    return ["--epsilon", epsilon, "--answers", str(answers), "--teachers", str(teachers("toll", epsilon, answers)),
            "--ask", ask]


def polls(count):
    """By its rule, with two students: one held back, as answers are noisy, and one that is not; the number of private records is
    public here."""
    held = ["--epsilon", "2", "--about", str(count)]
    return [held + ["--student", "logistic:C=1"], held]
