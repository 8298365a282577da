"""The program as the experiments use it: runs that are remembered, plans, and the features of images.

A run's result is kept in OUT/memory under a name made of the program's own bytes, the data and the options, so that a
`make experiments` that was cut short goes on where it stopped.
"""
import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile

import numpy

FUMATA = os.environ.get("FUMATA", "build/fumata")
OWN_RULE = os.path.join(os.path.dirname(FUMATA), "tests/experiments/own_rule")  # own_rule.c
DATA = os.environ.get("FUMATA_DATA", "../shared/data")
FASHION = "/usr/share/datasets/fashion-mnist"
OUT = os.environ.get("OUT", "build/experiments")
RUNS = int(os.environ.get("RUNS", "3"))
JOBS = int(os.environ.get("JOBS", str(os.cpu_count() or 1)))
DELTA = "1e-5"
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None  # a ledger waits for the disk, which is not part of an experiment


def digest(*parts):
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def program_digest(path=FUMATA):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def remembered(compute, *name):
    """What compute() gave when it was last called under this name, by the same program."""
    path = os.path.join(OUT, "memory", digest(program_digest(), name) + ".json")
    if os.path.exists(path):
        with open(path) as file:
            return json.load(file)
    result = compute()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    unfinished = "%s.%d.%s" % (path, os.getpid(), digest(repr(compute)))
    with open(unfinished, "w") as file:
        json.dump(result, file)
    os.rename(unfinished, path)
    return result


def fumata(*arguments, rule=None):
    """(exit code, standard output, standard error); rule: factors of K, L and B, for the poll (own_rule.c)."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", FUMATA_REGISTRY="off", FUMATA_RULE=rule or "")
    done = subprocess.run([OWN_RULE if rule else FUMATA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env=environment)
    if done.returncode not in (0, 1):
        sys.exit("experiments: fumata %s: %s" % (" ".join(arguments), done.stderr))
    return done.returncode, done.stdout, done.stderr


def plan(*arguments):
    """The plan that these options give, as `fumata plan --json` prints it, or None where there is none."""
    code, said, _ = fumata("plan", "--delta", DELTA, *arguments, "--json")
    return None if code else json.loads(said)


def weights(folder):
    """Weights and bias of the student in a folder of results, if it is one linear function."""
    _, said, _ = fumata("model", "show", "--json", os.path.join(folder, "student.model"))
    linear = json.loads(said).get("linear") or []
    if len(linear) != 1 or len(linear[0]["weights"]) != 1:
        return None
    return linear[0]["weights"][0] + linear[0]["bias"]


def learn(*arguments, rule=None):
    """(summary, rows of labels.csv, weights, what was said), or None where fumata refuses."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        out = os.path.join(folder, "out")
        code, said, _ = fumata("learn", "--delta", DELTA, "--ledger", os.path.join(folder, "ledger"), "-o", out, *arguments,
                               rule=rule)
        if code == 1:
            return None
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        with open(os.path.join(out, "labels.csv")) as file:
            rows = [[int(row["id"]), row["answer"], row["kind"]] for row in csv.DictReader(file)]
        return summary, rows, weights(out), said


def image_features(name):
    """A folder with private.npy, public.npy, test.npy and their labels: what `--features hog+pca:100` makes of the images.

    An exec learner is handed the features; this one keeps them (features_kept). So every run, and every peer, learns from
    exactly the numbers that fumata itself would compute, and they are computed once.
    """
    folder = os.path.abspath(os.path.join(OUT, "features-" + name))
    if os.path.exists(os.path.join(folder, "done")):
        return folder
    os.makedirs(folder, exist_ok=True)
    private, public, test, features = image_files(name)
    keep = "exec:" + os.path.abspath(os.path.join(os.path.dirname(__file__), "features_kept")) + " " + folder
    for part, file in (("private", private), ("test", test)):
        answer = learn("--private", file, "--public", public, "--classes", "0,1,2,3,4,5,6,7,8,9", "--features", features,
                       "--learner", keep + "/" + part, "--student", "logistic", "--teachers", "1", "--silences", "1",
                       "--epsilon", "1", "--ask", "random", "--anyway", "--seconds", "600")
        if answer is None:
            sys.exit("experiments: no features of %s" % file)
    os.rename(os.path.join(folder, "private.asked.npy"), os.path.join(folder, "public.npy"))
    with open(os.path.join(folder, "done"), "w"):
        pass
    return folder


def image_files(name):
    """(private, public, test, features) of an image data set."""
    if name == "fashion-mnist":
        train = FASHION + "/train-images-idx3-ubyte.gz"
        return train + "@0:50000", train + "@50000:", FASHION + "/t10k-images-idx3-ubyte.gz", "hog+pca:100"
    train = "%s/mnist/mnist.train.svm.gz" % DATA
    return train + "@0:50000", train + "@50000:", "%s/mnist/mnist.test.svm.gz" % DATA, "hog:28x28+pca:100"


def image_arguments(name):
    """The options that name the features of images, and the number of private records, which is public here.

    They are principal components, and the poll is to know it (--features pca:100 of them are the same numbers): their variances
    say what matters, and it does not bring them to one.
    """
    folder = image_features(name)
    pair = lambda part: "%s/%s.npy,%s/%s_labels.npy" % (folder, part, folder, part)
    return ["--private", pair("private"), "--public", folder + "/public.npy", "--test", pair("test"), "--features", "pca:100",
            "--classes", "0,1,2,3,4,5,6,7,8,9", "--about", str(len(numpy.load(folder + "/private_labels.npy")))]
