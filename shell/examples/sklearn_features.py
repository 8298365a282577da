#!/usr/bin/python3
"""Features of your own for `fumata learn`: any matrix that NumPy can save, here made with scikit-learn.

    sklearn_features.py FOLDER      writes private.npy, public.npy, test.npy and *_labels.npy there

The two classes are a ball and the shell around it: no linear teacher can tell them apart by the coordinates, and every
one can by random Fourier features. An embedding of a foundation model takes the same place: features = model(x). What it
was trained on must not be the private data: here the scaling is fitted on the public points, and the rest on none.
"""
import pathlib
import sys

import numpy
from sklearn.datasets import make_gaussian_quantiles
from sklearn.kernel_approximation import RBFSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
x, y = make_gaussian_quantiles(n_samples=26000, n_features=5, n_classes=2, random_state=1)
parts = {"private": slice(0, 20000), "public": slice(20000, 24000), "test": slice(24000, 26000)}
features = make_pipeline(StandardScaler(), RBFSampler(gamma=0.1, n_components=100, random_state=1)).fit(x[parts["public"]])
for name, part in parts.items():
    numpy.save(folder / f"{name}.npy", features.transform(x[part]).astype(numpy.float32))
    numpy.save(folder / f"{name}_labels.npy", y[part])
