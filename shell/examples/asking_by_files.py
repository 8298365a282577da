"""A student that asks, round after round, while the teachers are spread over machines that share nothing but files.

A round is three files: which public records are asked about, between which two classes, and what was answered. The votes
are made by a job array (job_array.sh), the answers by `fumata answer`, in one place, beside the ledger. All rounds have one
key, so that each private record stays with its one teacher, and one plan, which the ledger goes on with from round to round.
The student reads public records and released answers, never a vote."""
import os
import subprocess
import tempfile

import numpy
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

CLASSES, SHARES, ROUNDS, ASKED = ["ash", "birch", "cedar"], 4, 3, 40
JOB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "job_array.sh")
BUDGET = ["--epsilon", "4", "--delta", "1e-5", "--answers", str(ROUNDS * ASKED)]


def write(path, rows):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)


def vote(folder, rows):
    """`sbatch --wait --array=1-4 job_array.sh ...`, on this machine."""
    command = ["sh", JOB, "--private", "private.csv", "--public", "public.csv", "--label", "tree", "--classes", ",".join(CLASSES),
               "--teachers", "120", "--rows", rows, "--quiet"]
    array = {**os.environ, "KEY": "trees.key", "VOTES": folder, "SLURM_ARRAY_TASK_COUNT": str(SHARES)}
    tasks = [subprocess.Popen(command, env={**array, "SLURM_ARRAY_TASK_ID": str(task)}) for task in range(1, SHARES + 1)]
    assert not any([task.wait() for task in tasks]), "a share of the votes failed"


def ask(number, rows, pairs):
    """One round: the class that the teachers prefer for each of these rows, of the two that are offered."""
    folder = f"round-{number}"
    os.mkdir(folder)
    write(folder + "/rows", [[row] for row in rows])
    write(folder + "/candidates", [["first", "second"]] + [[CLASSES[a], CLASSES[b]] for a, b in pairs])
    vote(folder, folder + "/rows")
    subprocess.run(["fumata", "answer", "--votes", folder + "/votes-*.npy", "--candidates", folder + "/candidates", "--classes",
                    ",".join(CLASSES), *BUDGET, "--ledger", "trees.ledger", "-o", folder + "/answers", "--quiet"], check=True)
    with open(folder + "/answers", encoding="ascii") as file:
        return [CLASSES.index(line.split(",")[1].strip()) for line in file.readlines()[1:]]


def choose(student, X, open_rows, dice):
    """Where the student wavers, and its two likeliest classes; at first anything."""
    if student is None:
        rows = dice.choice(open_rows, ASKED, replace=False)
        return rows, [sorted(dice.choice(len(CLASSES), 2, replace=False)) for _ in rows]
    chance = student.predict_proba(X[open_rows])
    ranked = numpy.sort(chance, axis=1)
    closest = numpy.argsort(ranked[:, -1] - ranked[:, -2])[:ASKED]
    return open_rows[closest], [sorted(student.classes_[numpy.argsort(chance[i])[-2:]]) for i in closest]


def main():
    dice = numpy.random.default_rng(1)
    X, y = make_classification(n_samples=8600, n_features=5, n_informative=4, n_redundant=0, n_classes=3, n_clusters_per_class=1,
                               class_sep=2.0, random_state=3)
    table = [[f"{x:.4f}" for x in row] for row in X]
    header = [f"x{i}" for i in range(X.shape[1])]
    write("private.csv", [header + ["tree"]] + [row + [CLASSES[label]] for row, label in zip(table[:8000], y)])
    write("public.csv", [header] + table[8000:])
    subprocess.run(["fumata", "vote", "--new-key", "trees.key", "--quiet"], check=True)
    public, truth, student = X[8000:], y[8000:], None
    asked, answers = numpy.array([], dtype=int), numpy.array([], dtype=int)
    for number in range(ROUNDS):
        rows, pairs = choose(student, public, numpy.setdiff1d(numpy.arange(len(public)), asked), dice)
        asked, answers = numpy.append(asked, rows), numpy.append(answers, ask(number, rows, pairs))
        student = LogisticRegression().fit(public[asked], answers)
    right = student.score(public, truth)
    print(f"{len(answers)} answers in {ROUNDS} rounds from {SHARES} machines; the student is right on {100 * right:.1f} %")
    assert len(answers) == ROUNDS * ASKED and right > 0.7


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        main()
        os.chdir("/")
