"""What else one would run, run here: PATE's LNMax and GNMax, and logistic regression by output perturbation.

Same splits, same private and public records, same features as `fumata learn`; teachers and students are logistic. Every peer
gets, for each epsilon, the best of its grid by mean TEST accuracy, which no user could choose so well; fumata runs with its
defaults. PATE's privacy is accounted for independently of the votes.
"""
import functools
import itertools

import numpy

import gradient_peer
import pictures
from accountants import gnmax_noise, lnmax_noise
from output_perturbation import lengths_cut, minimiser, noisy, sensitivity
from program import remembered

EPSILONS = ("0.1", "0.25", "0.5", "1", "2", "4", "8")
DELTA = 1e-5
TEACHERS, ANSWERS, PENALTIES = (100, 200, 400, 800), (25, 100, 400, 1600), (0.1, 1, 10)
STRENGTHS = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2)


@functools.lru_cache(maxsize=1)
def load(data, seed):
    """((rows, labels) private, rows public, (rows, labels) test), scaled to a mean squared length of 1 on the public ones."""
    (private, labels, _), public, test = gradient_peer.READERS.get(data, gradient_peer.of_table)(data, seed)
    scale = numpy.sqrt(numpy.mean(numpy.sum(public**2, axis=1)))
    return (private / scale, labels), public / scale, (test[0] / scale, test[1])


def logistic(penalty):
    from sklearn.linear_model import LogisticRegression
    return LogisticRegression(C=penalty, solver="liblinear")


def votes(private, public, count, classes, source):
    """Counts by query and class of teachers on disjoint parts."""
    from scipy.sparse import csr_matrix
    rows, labels = private
    if numpy.count_nonzero(public) < public.size / 4:  # as most tables are; the trainer is quicker with it
        rows, public = csr_matrix(rows), csr_matrix(public)
    counts = numpy.zeros((public.shape[0], classes))
    for part in numpy.array_split(source.permutation(len(labels)), count):
        if len(set(labels[part])) > 1:
            answer = logistic(100).fit(rows[part], labels[part]).predict(public)
        else:  # a few records of one class
            answer = labels[part[0]]
        counts[numpy.arange(public.shape[0]), answer] += 1
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
    return remembered(compute, "pate", data, seed, count, EPSILONS, ANSWERS, PENALTIES)


def scaled(data, seed):
    """(rows private, labels), (rows test, labels), none longer than 1; the scale is that of the public records."""
    private, public, test = load(data, seed)
    longest = float(numpy.quantile(numpy.linalg.norm(public, axis=1), 0.9))
    return (lengths_cut(private[0], longest), private[1]), (lengths_cut(test[0], longest), test[1])


def fitted(data, seed, strength):
    """Weights without noise, one class against the rest. The split of images is fixed, and so are theirs."""
    def compute():
        (rows, labels), _ = scaled(data, seed)
        ones = [1] if labels.max() == 1 else range(int(labels.max()) + 1)
        return [minimiser(rows, numpy.where(labels == one, 1, -1), strength).tolist() for one in ones]
    return numpy.array(remembered(compute, "fitted", data, 0 if data in gradient_peer.READERS else seed, strength))


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
    return remembered(compute, "perturbed", data, seed, strength, EPSILONS)


def best(runs, epsilon, start):
    """(accuracies, setting) of the best setting whose name starts so; runs is {grid point: [run...]}."""
    found = [([run[epsilon][name] for run in some], "%s %s" % (point, name))
             for point, some in runs.items() for name in some[0][epsilon] if name.startswith(start)]
    return max(found, key=lambda pair: pictures.mean(pair[0]))


def compare(data, runs):
    """{(peer, epsilon): (accuracies, setting)}"""
    voted = {count: [pate(data, seed, count) for seed in range(runs)] for count in TEACHERS}
    moved = {strength: [perturbed(data, seed, strength) for seed in range(runs)] for strength in STRENGTHS}
    starts = {"PATE, LNMax": (voted, "LNMax"), "PATE, GNMax": (voted, "GNMax"),
              "output perturbation, pure": (moved, "exp"), "output perturbation": (moved, "gauss")}
    return {(name, epsilon): best(found, epsilon, start) for name, (found, start) in starts.items() for epsilon in EPSILONS}
