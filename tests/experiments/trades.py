"""How K, L and B trade in the poll: the program itself with another rule (own_rule.c), each factor halved and doubled.

The program has no option for them: K, L and B follow from public numbers, and B from K and L (twice the mean votes of a unit).
"""
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pictures
from program import JOBS, OWN_RULE, RUNS, image_arguments, learn, program_digest, remembered
from students import IMAGES, RECORDS, split

EPSILON = "0.5"
FACTORS = ("0.5", "1", "2")
RULES = [(voters, questions, "1") for voters in FACTORS for questions in FACTORS] + [("1", "1", votes) for votes in ("0.5", "2")]


def once(data, seed, rule):
    """[test accuracy, K, L, B] of one run."""
    def compute():
        with tempfile.TemporaryDirectory() as folder:
            if data in IMAGES:
                where = image_arguments(data)
            else:
                private, public, test = split(data, seed, folder)
                where = ["--private", private, "--public", public, "--test", test, "--classes", "0,1", "--about", RECORDS[data]]
            summary = learn(*where, "--epsilon", EPSILON, rule=" ".join(rule))[0]
        return [100 * summary["test_accuracy"], summary["voters_asked"], summary["asked"], summary["votes"]]
    return remembered(compute, "trades", data, seed, rule, program_digest(OWN_RULE))


def trades():
    rows = []
    for data in ("a9a", "fashion-mnist"):
        if data in IMAGES:
            image_arguments(data)
        jobs = [(data, seed, rule) for rule in RULES for seed in range(RUNS)]
        with ThreadPoolExecutor(JOBS) as pool:
            found = list(pool.map(lambda job: once(*job), jobs))
        for at, rule in enumerate(RULES):
            runs = found[at * RUNS : at * RUNS + RUNS]
            scores = [run[0] for run in runs]
            rows.append([data, *rule, *runs[0][1:], pictures.mean(scores), min(scores), max(scores)])
    pictures.table("trades", ["data", "K times", "L times", "B times", "K", "L", "B", "accuracy", "lowest", "highest"], rows)
    for data in ("a9a", "fashion-mnist"):
        mine = {tuple(row[1:4]): row for row in rows if row[0] == data}
        shown = lambda rule, mine=mine: "%.1f (%.1f to %.1f)" % tuple(mine[rule][7:])
        pictures.markdown("trades-" + data, [data, *("L times " + factor for factor in FACTORS)],
                          [["K times " + voters] + [shown((voters, questions, "1")) for questions in FACTORS]
                           for voters in FACTORS] +
                          [["B times 0.5, 1, 2"] + [shown(("1", "1", votes)) for votes in FACTORS]])
