"""Both opinions on the goals of one file, Alt-Ergo's (tools/first-opinion) and CVC4's or Z3's (tools/second-opinion), and
the smoke tests, in one run of Frama-C."""
import re

from framac import run_wp
from goals import opinions, smoke_tests

# Seconds by the clock, ample also on a busy machine: the provers' own limits are CPU seconds.
LIMIT = ["-wp-run-all-provers", "-wp-timeout", "300"]
# A smoke test asks for a contradiction in every requires, assumes and loop; with --smoke after every statement too,
# which takes longer than all the proofs.
SMOKE = ["-wp-smoke-tests", "-wp-smoke-timeout", "1"]
SMOKE_FEWER = ["-wp-no-smoke-dead-code", "-wp-no-smoke-dead-call", "-wp-no-smoke-dead-local-init"]


class Opinions:
    """found: what each prover says of each property; smoke: {function: (tests, passed)}; said: what Frama-C printed."""

    def __init__(self, source: str, every_smoke: bool) -> None:
        self.source = source
        report, self.said = run_wp(source, *LIMIT, *SMOKE, *([] if every_smoke else SMOKE_FEWER))
        # WP takes a prover that crashed on a smoke test for one that found no contradiction; where one was found, it says
        # so.
        if sum(map(int, re.findall(r"\(failed: (\d+)\)", self.said))) > self.said.count("[Failed] Smoke-test"):
            raise SystemExit(f"verify: a prover did not run on every goal of {source}: its smoke tests say nothing")
        self.found = list(opinions(report))
        self.smoke = smoke_tests(report)
