#!/bin/sh
# The arithmetic of `make experiments` against values that are known; the experiments themselves take too long for a test.
. "$(dirname "$0")/common"

export PYTHONDONTWRITEBYTECODE=1
expect 0 'what they should be' "$here/tests/experiments/check"
exit "$failed"
