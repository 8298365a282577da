"""Private students on real data: one run, the overlap of two choices, margins of votes, labels alone private."""
import re
import tempfile

import numpy

import pictures
from gradient_peer import CHOICES, bench
from program import DATA, RUNS, image_arguments, learn, remembered

IMAGES = ("fashion-mnist", "mnist")
RECORDS = {"a9a": "21700", "hotel_bookings": "63700"}  # private ones, about: public here


def split(name, seed, folder):
    """Paths of private, public and test records, shuffled as tests/bench/accuracy does it."""
    path, _, options = CHOICES[name]
    return bench["write"](name, path, options, seed, folder)[1::2]


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
    """The test accuracies in percent of that number of runs; [] if one of them is refused."""
    results = [run(data, seed, ["--epsilon", epsilon, *options]) for seed in range(runs)]
    return [] if None in results else [100 * result[0]["test_accuracy"] for result in results]


def without_privacy(data):
    said = run(data, 0, ["--epsilon", "4", "--unsafe-compare", "--student", "logistic"])[2]
    return float(re.search(r"all private records reaches ([\d.]+) %", said).group(1))


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
    for epsilon in ("0.5", "1", "2", "4", "8"):
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


def label_private():
    """One file: half of it teaches, the other half is asked; beside the default, in which a third is public."""
    rows = []
    for epsilon in ("0.5", "1", "2", "4"):
        usual = accuracies("a9a", epsilon, ["--voters", "teachers"], RUNS)
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
