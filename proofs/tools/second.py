"""The second opinion on the goals of one file, CVC4's or Z3's (tools/second-opinion), and the smoke tests.

The core's goals are read out of the amalgamated file, where Alt-Ergo then proves the rest."""
import re

from framac import run_wp
from goals import Goals, alike, counts, labels, properties, selection, smoke_tests, unnumbered
from project import AMALGAMATED, functions_of, stem

# Seconds by the clock, ample also on a busy machine: the provers' own limits are CPU seconds, in second-opinion.
LIMIT = ["-wp-timeout", "300"]
# A smoke test asks for a contradiction in every requires, assumes and loop; with --smoke after every statement too,
# which takes longer than all the proofs. CVC4 is asked, because it gives up early where Alt-Ergo searches on.
SMOKE = ["-wp-smoke-tests", "-wp-smoke-timeout", "1"]
SMOKE_FEWER = ["-wp-no-smoke-dead-code", "-wp-no-smoke-dead-call", "-wp-no-smoke-dead-local-init"]


class Second:
    """confirmed: {property: goals that CVC4 or Z3 proves}; shipped: {property: (goals, proved)} of the amalgamated file;
    smoke: {function: (tests, passed)}."""

    def __init__(self, source: str, known: list[str], every_smoke: bool) -> None:
        self.source = source
        # Goals that neither has ever proved are not asked again.
        self.hopeless = [(f, n) for f in functions_of(source) for n in known if n.startswith(f + "_")]
        self.in_core = source.startswith("core/")
        self.text = AMALGAMATED if self.in_core else source
        self.prefix = f"amalgamated.{stem(source)}." if self.in_core else ""
        self.ask(SMOKE + ([] if every_smoke else SMOKE_FEWER))
        self.confirmed = {n: valid for n, (_, valid) in self.found.items()}
        if self.in_core:
            self.ask_alt_ergo()
        self.shipped: dict[str, Goals] = self.found if self.in_core else {}

    def ask(self, smoke: list[str]) -> None:
        chosen = ["-wp-fct", ",".join(functions_of(self.source))] if self.in_core else []
        chosen += ["-wp-prop=" + ",".join("-" + label for label in labels(self.hopeless))] if self.hopeless else []
        report, text = run_wp(self.text, self.prefix + "second", "second", *LIMIT, *smoke, *chosen)
        # WP takes a prover that crashed on a smoke test for one that found no contradiction; where one was found, it says
        # so.
        if sum(map(int, re.findall(r"\(failed: (\d+)\)", text))) > text.count("[Failed] Smoke-test"):
            raise SystemExit(f"verify: CVC4 did not run on every goal of {self.source}: its smoke tests say nothing")
        self.alike = alike(report)
        self.owner = {n: f for f, n, _, _ in properties(report)}
        self.smoke = smoke_tests(report)
        self.found = counts(report)

    def ask_alt_ergo(self) -> None:
        """For what is open in the amalgamated file."""
        left = self.hopeless + [(self.owner[n], n) for n, (total, valid) in self.found.items() if valid < total]
        if not left:
            return
        report, _ = run_wp(self.text, self.prefix + "alt-ergo", "alt-ergo", *selection(left))
        asked, together = counts(report), alike(report)
        for function, n in left:
            total, valid = self.found.get(n, asked[n])
            self.found[n] = (total, max(valid, self.proved_now(function, n, asked, together)))

    def proved_now(self, function: str, name: str, asked: dict[str, Goals], together: dict[tuple[str, str], Goals]) -> int:
        """How many goals of a property the other run proved. Preconditions of calls have other numbers in it (see alike):
        they count when all of them are proved."""
        kin = (function, unnumbered(name))
        called = "_requires_" in name
        picked = together.get(kin) if called else asked.get(name)
        if not picked:
            raise SystemExit(f"verify: {name}: the second run did not pick it")
        if not called:
            return picked[1]
        whole = self.alike[kin][0]
        return self.found[name][0] if picked == (whole, whole) else 0
