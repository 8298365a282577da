"""Both opinions on the goals of one file, Alt-Ergo's (tools/first-opinion) and CVC4's or Z3's (tools/second-opinion), and
the smoke tests, in one run of Frama-C."""
from wp_runs.framac import printed_path, run_wp
from wp_runs.goals import opinions, smoke_tests, warnings
from wp_runs.printed import Printed

# Seconds by the clock, ample also on a busy machine: the provers' own limits are CPU seconds.
LIMIT = ["-wp-run-all-provers", "-wp-timeout", "300"]
# A smoke test asks for a contradiction in every requires, assumes and loop; with --smoke after every statement too,
# which takes longer than all the proofs.
SMOKE = ["-wp-smoke-tests", "-wp-smoke-timeout", "1"]
SMOKE_FEWER = ["-wp-no-smoke-dead-code", "-wp-no-smoke-dead-call", "-wp-no-smoke-dead-local-init"]


class Opinions:
    """found: what each prover says of each property; smoke: {function: (tests, passed)}; warnings: what Frama-C warns of; said:
    its log; printed: what it has read."""

    def __init__(self, source: str, every_smoke: bool) -> None:
        self.source = source
        report, self.said = run_wp(source, *LIMIT, *SMOKE, *([] if every_smoke else SMOKE_FEWER))
        self.found = list(opinions(report))
        self.smoke = smoke_tests(report)
        self.warnings = warnings(self.said)
        self.printed = Printed(printed_path(source))
        # WP takes a prover that crashed on a smoke test for one that found no contradiction. It counts both as failed.
        contradictions = any(passed < tests for tests, passed in self.smoke.values())
        if "(failed: " in self.said and not contradictions:
            raise SystemExit(f"verify: a prover did not run on every goal of {source}: its smoke tests say nothing")
