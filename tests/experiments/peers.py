"""What else one would run, run here: PATE's LNMax and GNMax, and logistic regression by output perturbation.

Same splits, same private and public records, same features as `fumata learn`; teachers and students are logistic. Every peer
gets, for each epsilon, the best of its grid by mean TEST accuracy, which no user could choose so well; fumata runs with its
defaults. PATE's privacy is accounted for independently of the votes.
"""
import itertools
import tempfile

import numpy

import pictures
from accountants import gnmax_noise, lnmax_noise
from output_perturbation import lengths_cut, minimiser, noisy, sensitivity
from program import RUNS, image_features, remembered
from students import accuracies, split

EPSILONS = ("0.5", "1", "2", "4")
DELTA = 1e-5
TEACHERS, ANSWERS, PENALTIES = (100, 200, 400), (100, 400, 1600), (0.1, 1, 10)
STRENGTHS = (1e-4, 3e-4, 1e-3, 3e-3)
DEFAULTS = {"a9a": ["--ask", "margin"], "fashion-mnist": ["--ask", "combined"]}


def load(data, seed):
    """((rows, labels) private, rows public, (rows, labels) test), scaled to a mean squared length of 1 on the public ones."""
    if data == "a9a":
        from sklearn.datasets import load_svmlight_file
        with tempfile.TemporaryDirectory() as folder:
            parts = [load_svmlight_file(path, n_features=123) for path in split(data, seed, folder)]
        private, public, test = [(rows.toarray(), labels.astype(int)) for rows, labels in parts]
        public = public[0]
    else:
        folder = image_features(data)
        read = lambda name: numpy.load("%s/%s.npy" % (folder, name))
        private, public, test = (read("private"), read("private_labels")), read("public"), (read("test"), read("test_labels"))
    scale = numpy.sqrt(numpy.mean(numpy.sum(public**2, axis=1)))
    return (private[0] / scale, private[1]), public / scale, (test[0] / scale, test[1])


def logistic(penalty):
    from sklearn.linear_model import LogisticRegression
    return LogisticRegression(C=penalty, solver="liblinear")


def votes(private, public, count, classes, source):
    """Counts by query and class of teachers on disjoint parts."""
    rows, labels = private
    counts = numpy.zeros((len(public), classes))
    for part in numpy.array_split(source.permutation(len(rows)), count):
        answer = logistic(100).fit(rows[part], labels[part]).predict(public)
        counts[numpy.arange(len(public)), answer] += 1
    return counts


def students(counts, public, test, epsilon, source):
    """Test accuracies by (mechanism, answers, student's penalty); queries are the first ones, which are in random order."""
    found = {}
    for mechanism, answers in itertools.product(("LNMax", "GNMax"), ANSWERS):
        if mechanism == "LNMax":
            noise = source.laplace(0, lnmax_noise(epsilon, DELTA, answers), (answers, counts.shape[1]))
        else:
            noise = source.normal(0, gnmax_noise(epsilon, DELTA, answers), (answers, counts.shape[1]))
        labels = (counts[:answers] + noise).argmax(axis=1)
        for penalty in PENALTIES:
            score = logistic(penalty).fit(public[:answers], labels).score(*test) if len(set(labels)) > 1 else 0
            found["%s %d %g" % (mechanism, answers, penalty)] = 100 * float(score)
    return found


def pate(data, seed, count):
    """{epsilon: {setting: accuracy}} of one run with that number of teachers."""
    def compute():
        private, public, test = load(data, seed)
        source = numpy.random.default_rng([seed, count])
        public = public[source.permutation(len(public))[: max(ANSWERS)]]
        counts = votes(private, public, count, int(private[1].max()) + 1, source)
        return {epsilon: students(counts, public, test, float(epsilon), source) for epsilon in EPSILONS}
    return remembered(compute, "pate", data, seed, count, TEACHERS, ANSWERS, PENALTIES)


def scaled(data, seed):
    """(rows private, labels), (rows test, labels), none longer than 1; the scale is that of the public records."""
    private, public, test = load(data, seed)
    longest = float(numpy.quantile(numpy.linalg.norm(public, axis=1), 0.9))
    return (lengths_cut(private[0], longest), private[1]), (lengths_cut(test[0], longest), test[1])


def fitted(data, seed, strength):
    """Weights without noise, one class against the rest. The split of images is fixed, and so are theirs."""
    def compute():
        (rows, labels), _ = scaled(data, seed)
        ones = [1] if data == "a9a" else range(int(labels.max()) + 1)
        return [minimiser(rows, numpy.where(labels == one, 1, -1), strength).tolist() for one in ones]
    return numpy.array(remembered(compute, "fitted", data, seed if data == "a9a" else 0, strength))


def perturbed(data, seed, strength):
    """{epsilon: {noise: accuracy}} of one run of output perturbation."""
    def compute():
        weights, ((rows, _), (examined, truth)) = fitted(data, seed, strength), scaled(data, seed)
        source, found = numpy.random.default_rng([seed, 7]), {}
        for epsilon in EPSILONS:
            found[epsilon] = {}
            for is_gaussian in (False, True):
                made = noisy(weights, sensitivity(len(rows), strength), float(epsilon), DELTA, is_gaussian, source)
                scores = examined @ made.T
                answer = (scores[:, 0] > 0).astype(int) if len(made) == 1 else scores.argmax(axis=1)
                found[epsilon]["gaussian" if is_gaussian else "exponential"] = 100 * float(numpy.mean(answer == truth))
        return found
    return remembered(compute, "perturbed", data, seed, strength)


def best(runs, epsilon, start):
    """(mean, setting) of the best setting whose name starts so; runs is {grid point: [run...]}."""
    means = [(pictures.mean(run[epsilon][name] for run in found), "%s %s" % (point, name))
             for point, found in runs.items() for name in found[0][epsilon] if name.startswith(start)]
    return max(means)


def compare():
    rows = []
    for data in DEFAULTS:
        voted = {count: [pate(data, seed, count) for seed in range(RUNS)] for count in TEACHERS}
        moved = {strength: [perturbed(data, seed, strength) for seed in range(RUNS)] for strength in STRENGTHS}
        for epsilon in EPSILONS:
            ours = pictures.mean(accuracies(data, epsilon, DEFAULTS[data], RUNS))
            found = [best(voted, epsilon, "LNMax"), best(voted, epsilon, "GNMax"), best(moved, epsilon, "exp"),
                     best(moved, epsilon, "gauss")]
            rows.append([data, epsilon, ours] + [cell for pair in found for cell in pair])
    names = ("PATE LNMax", "PATE GNMax", "output perturbation", "the same, Gaussian")
    pictures.table("peers", ["data", "epsilon", "fumata"] + [cell for name in names for cell in (name, "its setting")], rows)
