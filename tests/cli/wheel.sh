#!/bin/sh
# The wheel, installed without a network into a fresh environment outside the source tree: the package works, with the
# library that the wheel carries.
. "$(dirname "$0")/common"

version=$("$FUMATA" --version | sed 's/^fumata //')
wheel=$(BUILD="${BUILD:-$here/build}" VERSION="$version" "$here/shell/dist/wheel" "$work/dist") || complain "no wheel"
case $wheel in
  *-py3-none-linux_*.whl) ;;
  *) complain "a wheel for one Python only: $wheel" ;;
esac
# NumPy and scikit-learn are Debian's; nothing else is.
/usr/bin/python3 -m venv --system-site-packages fresh || complain "no environment"
fresh/bin/pip install --no-index --quiet --disable-pip-version-check "$wheel" 2>err || complain "pip: $(tail -n 3 err)"
unset PYTHONPATH FUMATA_LIBRARY LD_LIBRARY_PATH
cat >works.py <<'END'
import importlib.metadata
import sys

import fumata
import numpy
from fumata import _program
from fumata._library import library

assert fumata.__file__.startswith(sys.prefix) and library._name.startswith(sys.prefix), (fumata.__file__, library._name)
assert fumata.__version__ == importlib.metadata.version("fumata") == sys.argv[1]
dice = numpy.random.default_rng(1)
X = dice.normal(size=(3000, 2)) + 6.0 * dice.integers(0, 2, size=(3000, 1))
y = (X.sum(axis=1) > 6).astype(int)
model = fumata.PrivateClassifier(classes=[0, 1], epsilon="8", delta="1e-4", ledger="a.ledger")
assert model.fit(X[500:], y[500:], X_public=X[:500]).score(X, y) > 0.95
assert _program.find().startswith(sys.prefix), _program.find()
END
fresh/bin/python works.py "$version" 2>err || complain "installed, but: $(tail -n 3 err)"
fresh/bin/pip uninstall --yes --quiet --disable-pip-version-check fumata || complain "pip cannot uninstall it"
left=$(find fresh -name '*fumata*')
[ -z "$left" ] || complain "left behind: $left"
[ $failed -ne 0 ] || echo "wheel: $(basename "$wheel") installed in a fresh environment, used, uninstalled"
exit $failed
