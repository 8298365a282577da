#!/usr/bin/python3
"""A learner for `fumata learn --learner exec:shell/examples/sklearn_learner.py`, made of scikit-learn.

train   ROWS LABELS MODEL CLASSES     learn from the .npy files ROWS and LABELS, write MODEL
predict ROWS MODEL ANSWERS CLASSES    write one label a line to ANSWERS
"""
import pickle
import sys

import numpy
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

verb, rows, *files, classes = sys.argv[1:]
x = numpy.load(rows)
if verb == "train":
    labels, model = files
    y = numpy.load(labels)
    learner = LogisticRegression(C=10) if len(set(y)) > 1 else DummyClassifier()
    with open(model, "wb") as file:
        pickle.dump(learner.fit(x, y), file)
else:
    model, answers = files
    with open(model, "rb") as file:
        numpy.savetxt(answers, pickle.load(file).predict(x), "%d")
