#!/bin/sh
# The Python package from the source tree: scikit-learn's checks, inputs of every kind, budgets, what must be refused, sessions
# that ask, and the examples of these.
. "$(dirname "$0")/common"

export PYTHONPATH="$here/shell/door/python" FUMATA_LIBRARY="${BUILD:-$here/build}/libfumata-door.so" FUMATA_PROGRAM="$FUMATA" PYTHONDONTWRITEBYTECODE=1
for script in tests/cli/python_checks tests/cli/python_inputs tests/cli/python_budget tests/cli/python_asking \
  shell/examples/few_shot_votes shell/examples/five_sites; do
  /usr/bin/python3 "$here/$script.py" >out 2>err || complain "$script: $(tail -n 5 err)"
  grep '^python: ' out
done

# NumPy alone is enough for plans and meters.
/usr/bin/python3 -c '
import sys
sys.modules["sklearn"] = None
import fumata
assert fumata.plan("2", "1e-5", 20).silences == 20
try:
    fumata.PrivateClassifier
except ImportError:
    sys.exit(0)
sys.exit(1)' || complain "the package needs scikit-learn where it should not"

exit $failed
