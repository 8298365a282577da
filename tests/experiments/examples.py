"""Small cases that show what the theorems are about: Examples 8 and 9, Proposition 11, Theorem 3.2 and Remark 1."""
import csv
import itertools
import math
import os
import re
import tempfile

import numpy

import pictures
from halfspaces import LEARNER, draw
from program import DELTA, SCRATCH, fumata, learn, plan, remembered

# Example 8: what three hypotheses, each with error 1/2, say of four points whose label is 1.
EXAMPLE8 = numpy.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]])


def vote_error(teachers):
    """The error of the vote when each teacher is one of the three, equally likely; exact, over all counts."""
    total = 0.0
    for first, second in itertools.product(range(teachers + 1), repeat=2):
        third = teachers - first - second
        if third < 0:
            continue
        ways = math.comb(teachers, first) * math.comb(teachers - first, second)
        ones = numpy.array([first, second, third]) @ EXAMPLE8
        total += ways * float(numpy.mean(2 * ones <= teachers))
    return total / 3**teachers


def answer(counts, *arguments):
    """What `fumata answer` says to counts of votes under the plan of these options: labels 0 and 1, None for silence."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        votes, chosen, ledger = [os.path.join(folder, name) for name in ("counts.csv", "chosen.plan", "ledger")]
        with open(votes, "w", newline="") as file:
            csv.writer(file).writerows(counts.tolist())
        fumata("plan", "--delta", DELTA, *arguments, "-o", chosen)
        _, said, _ = fumata("answer", "--votes", votes, "--votes-are", "counts", "--classes", "0,1", "--no-header",
                            "--plan", chosen, "--ledger", ledger, "--quiet")
    found = [line.split(",")[1] for line in said.splitlines() if re.match(r"\d+,(0|1|silent)$", line)]
    return [None if word == "silent" else int(word) for word in found]


def released_error(teachers, queries=2000):
    """The error of what the meter releases in Example 8, epsilon 2."""
    source = numpy.random.default_rng(teachers)
    ones = (source.multinomial(teachers, [1 / 3] * 3) @ EXAMPLE8)[source.integers(0, 4, queries)]
    labels = answer(numpy.stack([teachers - ones, ones], axis=1), "--epsilon", "2", "--silences", "20")
    given = [label for label in labels if label is not None]
    return pictures.mean(label == 0 for label in given), len(given)


def voting():
    """Examples 8 and 9: the vote of more and more teachers beside one of them."""
    rows = []
    for teachers in (1, 3, 11, 31, 101, 301):
        weak = sum(math.comb(teachers, wrong) * 0.4**wrong * 0.6 ** (teachers - wrong)
                   for wrong in range(teachers + 1) if 2 * wrong >= teachers)
        rows.append([teachers, vote_error(teachers), weak, math.exp(-2 * teachers * 0.1**2)])
    pictures.table("voting", ["teachers", "Example 8", "Example 9, each wrong with 0.4", "its bound"], rows)
    error, given = remembered(lambda: released_error(1000), "released")
    pictures.table("voting-released", ["teachers", "labels released", "their error"], [[1000, given, error]])


def proposition11():
    """Votes that keep (nu, Delta) and no more: are all m queries answered as advised, and by how few teachers?"""
    rows, queries = [], 1000
    for share, distance in ((0.02, 0.3), (0.05, 0.2), (0.1, 0.1)):
        advice = fumata("plan", "--epsilon", "2", "--delta", DELTA, "--margin", "%g,%g" % (share, distance),
                        "--queries", str(queries))[1]
        silences, advised = map(int, re.search(r"T = (\d+), K = (\d+)", advice).groups())
        source = numpy.random.default_rng(queries)
        is_near = source.permutation(numpy.arange(queries) < share * queries)
        for mechanism, teachers in (("liu", advised), ("meter", least(silences, distance))):
            ones = source.binomial(teachers, numpy.where(is_near, 0.5, 0.5 + distance))
            more = ["--mechanism", "classic", "--constants", "liu", "--queries", str(queries)] if mechanism == "liu" else []
            labels = answer(numpy.stack([teachers - ones, ones], axis=1), "--epsilon", "2", "--silences", str(silences), *more)
            wrong = sum(label == 0 and not near for label, near in zip(labels, is_near))
            rows.append([share, distance, mechanism, silences, teachers, len(labels), labels.count(None), wrong])
    pictures.table("proposition11", ["nu", "Delta", "mechanism", "T", "teachers", "asked of %d" % queries, "silent",
                                     "wrong outside nu"], rows)


def least(silences, distance):
    """Teachers with which the meter answers 95 in 100 of the votes whose mean is so far from one half, with room for chance."""
    needed = plan("--epsilon", "2", "--silences", str(silences))["distance"]["1"]
    count = needed / distance
    return math.ceil(count + 3 * math.sqrt(count) / distance)


def silence_rules():
    """Theorem 3.2's T for a known error rate, and Remark 1's for an estimated one: is it enough, and how much too much?"""
    rows, private, queries = [], 80000, 1000
    for kind, rate in (("realizable", "0.03"), ("massart", "0.13")):
        for rule in (["--error-rate", rate], ["--estimate-error", "0.2"]):
            rows.append([kind, " ".join(rule)] + remembered(lambda: ruled(kind, private, queries, rule), "ruled", kind, rule))
    pictures.table("silence-rules", ["labels", "rule", "T", "teachers", "asked of %d" % queries, "silent", "missed"], rows)


def ruled(kind, private, queries, rule):
    source = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        paths = [os.path.join(folder, name) for name in ("rows.npy", "labels.npy", "public.npy")]
        for path, values in zip(paths, draw(kind, private, 10, source)):
            numpy.save(path, values)
        public, truth = draw(kind, queries, 10, source)
        numpy.save(paths[2], public)
        summary, rows, _, _ = learn("--private", paths[0] + "," + paths[1], "--public", paths[2], "--classes", "0,1",
                                    "--epsilon", "2", "--about", str(private), "--ask", "random", "--learner", LEARNER,
                                    "--silent-as", "random", *rule)
    right = sum(answer == str(truth[number]) for number, answer, _ in rows)
    return [summary["silences"], summary["teachers"], summary["asked"], summary["silent"], 1 - right / queries]
