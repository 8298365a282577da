"""Private students on real data: accuracy against epsilon, the overlap of two choices, margins of votes, other settings."""
import gzip
import os
import random
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy

import pictures
from program import DATA, JOBS, RUNS, image_arguments, learn, remembered

EPSILONS = ["0.1", "0.25", "0.5", "1", "2", "4", "8"]

# What is compared: a title and the options that make it.
CLASSIC = ["--ask", "random", "--mechanism", "classic", "--silent-as", "random"]
CURVES = [
    ("meter", ["--ask", "random"]),
    ("classic, ours", CLASSIC),
    ("classic, Bassily et al.", CLASSIC + ["--constants", "bassily"]),
    ("classic, Liu et al.", CLASSIC + ["--constants", "liu"]),
    ("toll, random", ["--ask", "random", "--mechanism", "TOLL"]),
    ("toll, margin", ["--ask", "margin"]),
    ("toll, disagreement", ["--ask", "disagreement"]),
    ("combined", ["--ask", "combined"]),
]
IMAGES = ("fashion-mnist", "mnist")
RECORDS = {"a9a": "21700", "adult": "21700"}  # private ones, about


def split(name, seed, folder):
    """private.svm and public.svm of a canonical training file, and its test file, unpacked."""
    paths = [os.path.join(folder, part + ".svm") for part in ("private", "public", "test")]
    with gzip.open("%s/%s/%s.train.svm.gz" % (DATA, name, name), "rt") as file:
        records = file.read().splitlines(True)
    with gzip.open("%s/%s/%s.test.svm.gz" % (DATA, name, name), "rt") as file:
        test = file.read()
    random.Random(seed).shuffle(records)
    third = len(records) // 3
    for path, text in zip(paths, ("".join(records[third:]), "".join(records[:third]), test)):
        with open(path, "w") as file:
            file.write(text)
    return paths


def run(data, seed, options):
    """(summary, rows, what was said) of one run, or None where it is refused."""
    def compute():
        if data in IMAGES:
            result = learn(*image_arguments(data), *options)
        else:
            with tempfile.TemporaryDirectory() as folder:
                private, public, test = split(data, seed, folder)
                result = learn("--private", private, "--public", public, "--test", test, "--classes", "0,1",
                               "--about", RECORDS[data], *options)
        return result and [result[0], result[1], result[3]]
    return remembered(compute, "students", data, seed, options)


def accuracies(data, epsilon, options, runs):
    """The test accuracies in percent of that number of runs; [] if one of them is refused. The toll alone is for two classes."""
    options = [("both" if data in IMAGES else "toll") if word == "TOLL" else word for word in options]
    results = [run(data, seed, ["--epsilon", epsilon, *options]) for seed in range(runs)]
    return [] if None in results else [100 * result[0]["test_accuracy"] for result in results]


def without_privacy(data):
    said = run(data, 0, ["--epsilon", "4", "--unsafe-compare", "--student", "logistic"])[2]
    return float(re.search(r"all private records reaches ([\d.]+) %", said).group(1))


def against_epsilon(data):
    """Images are expensive and their split is fixed: one run a point."""
    runs = 1 if data in IMAGES else RUNS
    if data in IMAGES:
        image_arguments(data)
    limit = without_privacy(data)
    points = [(epsilon, options) for epsilon in EPSILONS for _, options in CURVES]
    with ThreadPoolExecutor(JOBS) as pool:
        means = list(pool.map(lambda point: pictures.mean(accuracies(data, *point, runs)), points))
    count = len(CURVES)
    rows = [[epsilon] + means[at * count : at * count + count] + [limit] for at, epsilon in enumerate(EPSILONS)]
    pictures.table(data, ["epsilon"] + [title for title, _ in CURVES] + ["no privacy"], rows)
    draw_against_epsilon(data, rows)


def draw_against_epsilon(data, rows):
    """All of it, the upper part of it once more, and the legend for both."""
    curves = ["FILE using 1:%d with linespoints lw 2 title \"%s\"" % (at + 2, title) for at, (title, _) in enumerate(CURVES)]
    curves.append("FILE using 1:%d with lines dt 2 lw 2 lc 'black' title 'no privacy'" % (len(CURVES) + 2))
    drawn = "plot " + ", ".join(curves) + "\n"
    legend = "plot [][0:1] " + ", ".join("NaN" + curve[curve.index(" with") :] for curve in curves)
    high = sorted(cell for row in rows[2:] for cell in row[1:] if cell is not None and cell > 0.8 * row[-1])
    pictures.plot(data, "set multiplot layout 1,3 title '%s: accuracy of the student, delta = 1e-5'\nset xlabel 'epsilon'\n"
                  "set ylabel 'test accuracy, %%'\nset logscale x 2\nset xtics (%s)\nset key off\nset xrange [0.09:9]\n%s"
                  "set xrange [0.45:9]\nset yrange [%g:%g]\n%sset key on center center samplen 3\nunset border\nunset tics\n"
                  "unset xlabel\nunset ylabel\nunset logscale\n%s\nunset multiplot"
                  % (data, ", ".join(EPSILONS), drawn, high[0] - 0.5, high[-1] + 0.5, drawn, legend), 440)


def share_picked(seed, epsilon):
    """(of the records on which a meter is silent, of all that it was asked about): the share that the margin asks about."""
    met = run("a9a", seed, ["--epsilon", epsilon, "--ask", "random"])
    picked = run("a9a", seed, ["--epsilon", epsilon, "--ask", "margin"])
    if met is None or picked is None:
        return None
    silent = {number for number, answer, _ in met[1] if answer == "silent"}
    asked = {number for number, _, _ in met[1]}
    # Records that the meter never came to can be in neither: the share is of those that it was asked about.
    here = {number for number, _, _ in picked[1]} & asked
    return len(silent & here) / max(1, len(silent)), len(here) / max(1, len(asked))


def overlap():
    rows = []
    for epsilon in EPSILONS[2:]:
        shares = [share for share in (share_picked(seed, epsilon) for seed in range(RUNS)) if share]
        if shares:
            rows.append([epsilon] + [100 * pictures.mean(share[i] for share in shares) for i in (0, 1)])
    pictures.table("overlap", ["epsilon", "of silent records", "of all records"], rows)
    pictures.plot("overlap", "set title 'a9a: share of records that the margin picks'\nset xlabel 'epsilon'\nset ylabel '%'\n"
                  "set logscale x 2\nset yrange [0:*]\nset key below\nplot FILE using 1:2 with linespoints lw 2 "
                  "title 'of those that the meter is silent on', '' using 1:3 with linespoints lw 2 "
                  "title 'of all that it was asked about'", 400)


def linear_votes(rows, label, private, public, teachers):
    """The share of linear teachers that vote 1 on each public record."""
    from sklearn.linear_model import LogisticRegression
    votes = numpy.zeros(len(public))
    for part in numpy.array_split(private, teachers):
        votes += LogisticRegression(C=10, solver="liblinear").fit(rows[part], label[part]).predict(rows[public]) == 1
    return votes / teachers


def margin():
    """The share nu of queries whose mean vote is within Delta of one half, from the votes of linear teachers, in the open."""
    from sklearn.datasets import load_svmlight_file
    rows, label = load_svmlight_file("%s/adult/adult.train.svm.gz" % DATA, n_features=108)
    order = numpy.random.default_rng(0).permutation(rows.shape[0])
    public, private = order[: len(order) // 3], order[len(order) // 3 :]
    distances, curves, counts = [i / 50 for i in range(26)], [], (50, 100, 250, 500)
    for teachers in counts:
        share = linear_votes(rows, label, private, public, teachers)
        curves.append([float(numpy.mean(numpy.abs(share - 0.5) <= distance)) for distance in distances])
    pictures.table("margin", ["Delta"] + ["%d teachers" % count for count in counts], list(zip(distances, *curves)))
    lines = ["FILE using 1:%d with lines lw 2 title '%d teachers'" % (at + 2, count) for at, count in enumerate(counts)]
    pictures.plot("margin", "set title 'Adult, linear teachers: share of queries whose mean vote is within Delta of one half'\n"
                  "set xlabel 'Delta'\nset ylabel 'nu'\nset key top left inside\nplot " + ", ".join(lines), 400)


DPMLBENCH = {("mnist", "1"): 28.0, ("mnist", "4"): 78.5, ("fashion-mnist", "1"): 19.9, ("fashion-mnist", "4"): 48.2}


def dpmlbench():
    """Our defaults in the setting in which DPMLBench reports PATE; its figures are its authors'."""
    rows = []
    for data in IMAGES:
        for epsilon in ("0.2", "0.5", "1", "4", "100"):
            scores = accuracies(data, epsilon, ["--ask", "combined"] + (["--anyway"] if epsilon == "100" else []), 1)
            rows.append([data, epsilon, pictures.mean(scores), DPMLBENCH.get((data, epsilon))])
    pictures.table("dpmlbench", ["data", "epsilon", "fumata, %", "PATE as DPMLBench reports it, %"], rows)


def label_private():
    """One file: half of it teaches, the other half is asked; beside the default, in which a third is public."""
    rows = []
    for epsilon in ("0.5", "1", "2", "4"):
        usual = accuracies("a9a", epsilon, [], RUNS)
        halved = [100 * halves(seed, epsilon)[0]["test_accuracy"] for seed in range(RUNS)]
        rows.append([epsilon, pictures.mean(usual), pictures.mean(halved), min(halved), max(halved)])
    pictures.table("label-private", ["epsilon", "records private", "labels private", "lowest", "highest"], rows)


def halves(seed, epsilon):
    """A run of --label-private on all of a9a's training file."""
    def compute():
        with tempfile.TemporaryDirectory() as folder:
            private, public, test = split("a9a", seed, folder)
            with open(private, "a") as file, open(public) as more:
                file.write(more.read())
            result = learn("--private", private, "--label-private", "--test", test, "--classes", "0,1", "--epsilon", epsilon)
        return result and [result[0], result[1], result[3]]
    return remembered(compute, "halves", seed, epsilon)
