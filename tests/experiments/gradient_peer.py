"""Logistic regression by noisy gradients on the data of tests/bench/accuracy, in its shuffles.

Everything favours the peer: settings were searched on these data sets by TEST accuracy, and of those left here each epsilon and
each relation of neighbours gets the best by mean test accuracy; the number of units is taken as known; columns are scaled by
public records, which noisy gradients can do without; diabetes130 has the encoding of its LIBSVM file, made by hand. For fumata the
private records are the same.
"""
import gzip
import itertools
import os
import random
import runpy
import tempfile

import numpy

import noisy_gradients
import pictures
from program import DATA, RUNS, image_features, remembered

bench = runpy.run_path(os.path.join(os.path.dirname(__file__), "..", "bench", "accuracy"))  # it has no name of a module
CHOICES = {name: (path, list(wanted), options) for name, path, wanted, options in bench["SETS"]}
DELTA = 1e-5
# scaling, steps, ways, clips, decays (noisy_gradients.train)
GRIDS = {
    "a9a": ("standard", 300, (2000, 4000, 8000), (0.3, 0.5, 1), (0, 1e-4)),
    "dutch_census": ("standard", 300, (4000, 10000), (0.5, 1), (0, 1e-4)),
    "hotel_bookings": ("standard", 300, (10000, 20000), (0.5, 1), (0,)),
    "mushrooms": ("whitened", 300, (300, 1000, 4000, 10000), (0.2, 0.5, 1), (0, 1e-4)),
    "mnist": ("standard", 100, (3000, 10000), (0.5, 1), (0,)),
    "fashion-mnist": ("standard", 100, (3000, 10000), (0.5, 1), (0,)),
    "diabetes130": ("standard", 300, (3000, 10000), (0.5, 1), (0,)),
}
AT_ONCE = 240  # columns of the matrix of weights
LONGEST = 5.0  # deviations
FLOOR = 0.03  # of the largest variance, in `whitened`
TAIL = 20.0  # a column whose standardised fourth moment is above it has a long tail, as in shell/learn/places.c


def of_table(name, seed):
    """((rows, labels, units) private, rows public, (rows, labels) test) of records in LIBSVM files."""
    from sklearn.datasets import load_svmlight_file
    path, _, options = CHOICES[name]
    with tempfile.TemporaryDirectory() as folder:
        arguments = bench["write"](name, path, options, seed, folder)
        parts = [load_svmlight_file(file, n_features=columns(path)) for file in arguments[1::2]]
    (private, labels), (public, _), (test, truth) = [(rows.toarray().astype(numpy.float32), label.astype(int))
                                                     for rows, label in parts]
    return (private, labels, None), public, (test, truth)


def columns(path):
    with gzip.open(os.path.join(DATA, path.format("train")), "rt") as file:
        return max(int(line.split()[-1].split(":")[0]) for line in file if ":" in line)


def of_patients(name, seed):
    """The same of diabetes130: its LIBSVM file has the rows of the CSV, in their order, in an encoding of its own."""
    from sklearn.datasets import load_svmlight_file
    path, _, options = CHOICES[name]
    rows, label = load_svmlight_file(os.path.join(DATA, path.replace(".csv", ".svm")))
    rows, label = rows.toarray().astype(numpy.float32), label.astype(int)
    number = {line.split(",")[0]: at for at, line in enumerate(bench["lines"](path)[1:])}
    _, *parts = bench["split"](path, options, random.Random("%s %d" % (name, seed)))
    private, public, test = [numpy.array([number[line.split(",")[0]] for line in part]) for part in parts]
    patients = numpy.array([int(line.split(",")[1]) for line in parts[0]])
    return (rows[private], label[private], patients), rows[public], (rows[test], label[test])


def of_pictures(name, _):
    """Of images, as `--features hog+pca:100` describes them: 50 000 private ones, 10 000 public ones."""
    folder = image_features(name)
    read = lambda part: numpy.load("%s/%s.npy" % (folder, part))
    private = (read("private"), read("private_labels").astype(int), None)
    return private, read("public"), (read("test"), read("test_labels").astype(int))


READERS = {"mnist": of_pictures, "fashion-mnist": of_pictures, "diabetes130": of_patients}


def standard(public, *others):
    """Columns centred and of deviation 1 on the public rows, long tails through asinh, clipped: as places.c does it."""
    mean, deviation = public.mean(axis=0), public.std(axis=0)
    scale = numpy.where(deviation > 1e-6, deviation, numpy.inf)
    fourth = (((public - mean) / scale) ** 4).mean(axis=0)
    is_long = (fourth > TAIL) & numpy.array([len(numpy.unique(column[:8192])) > 2 for column in public.T])
    drawn = lambda rows: numpy.where(is_long, numpy.arcsinh(rows / numpy.where(is_long, 0.1 * scale, 1)), rows)
    public = drawn(public)
    mean, deviation = public.mean(axis=0), public.std(axis=0)
    scale = numpy.where(deviation > 1e-6, deviation, numpy.inf)
    return [numpy.clip((rows - mean) / scale, -LONGEST, LONGEST) for rows in (public, *map(drawn, others))]


def plain(public, *others):
    return [public, *others]


def centred(public, *others):
    return [rows - public.mean(axis=0) for rows in (public, *others)]


def whitened(public, *others):
    """Standard columns, turned and stretched until the public rows have the same variance in every direction, up to a floor."""
    parts = standard(public, *others)
    variance, axes = numpy.linalg.eigh(numpy.cov(parts[0].T))
    axes = axes / numpy.sqrt(variance + FLOOR * variance.max())
    return [(rows @ axes).astype(numpy.float32) for rows in parts]


SCALINGS = {"plain": plain, "centred": centred, "standard": standard, "whitened": whitened}


def load(name, seed, scaling):
    """Private rows, labels and units, test rows and labels; the public rows have a mean squared length of 1."""
    (private, labels, units), public, (test, truth) = READERS.get(name, of_table)(name, seed)
    public, private, test = SCALINGS[scaling](public, private, test)
    length = numpy.sqrt(numpy.mean(numpy.sum(public**2, axis=1)))
    return private / length, labels, units, test / length, truth


def once(name, seed, epsilons, relations=tuple(noisy_gradients.RELATIONS), shorter=False):
    """{setting: test accuracy} of one run; the mean of the later steps and the last one count as two settings. shorter: ways of a
    quarter of the shortest are tried too, as the smallest epsilons may want them."""
    def compute():
        scaling, steps, ways, *others = GRIDS[name]
        rows, labels, units, test, truth = load(name, seed, scaling)
        if name == "mnist" and not shorter:  # as many as in bench/accuracy
            rows, labels = rows[:40000], labels[:40000]
        records, source = noisy_gradients.Records(rows, labels, units), numpy.random.default_rng([seed, 11])
        columns = 1 if labels.max() == 1 else int(labels.max()) + 1
        ways = (min(ways) / 4, *ways) if shorter else ways
        found, tried = {}, list(itertools.product(epsilons, relations, ways, *others))
        for first in range(0, len(tried), AT_ONCE // columns):
            some = tried[first : first + AT_ONCE // columns]
            trained = noisy_gradients.train(records, columns, steps, [
                (way, clip, noisy_gradients.noise(float(epsilon), DELTA, steps, noisy_gradients.RELATIONS[relation]), decay)
                for epsilon, relation, way, clip, decay in some], source)
            for kind, weights in zip(("mean", "last"), trained):
                for setting, score in zip(some, noisy_gradients.accuracy(test, truth, weights)):
                    found["%s|%s|%g %g %g %s" % (*setting, kind)] = float(score)
        return found
    return remembered(compute, "gradients", name, seed, epsilons, relations, shorter, GRIDS[name])


def best(runs, epsilon, relation):
    """(accuracies, setting) of the setting with the best mean test accuracy."""
    start = "%s|%s|" % (epsilon, relation)
    found = max((key for key in runs[0] if key.startswith(start)), key=lambda key: pictures.mean(run[key] for run in runs))
    return [run[found] for run in runs], found[len(start) :]


def compare():
    rows = []
    for name in GRIDS:
        if not bench["is_there"](CHOICES[name][0]):
            print("gradients: %s skipped: not there" % name)
            continue
        runs = [once(name, seed, CHOICES[name][1]) for seed in range(RUNS)]
        for epsilon, relation in itertools.product(CHOICES[name][1], noisy_gradients.RELATIONS):
            scores, setting = best(runs, epsilon, relation)
            rows.append([name, epsilon, relation, pictures.mean(scores), min(scores), max(scores), setting])
        pictures.table("gradients", ["data", "epsilon", "neighbours", "accuracy", "lowest", "highest",
                                     "its setting: way, clip, decay, which weights"], rows)
