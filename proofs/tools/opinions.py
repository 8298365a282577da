"""Both opinions on the goals of one file, Alt-Ergo's (tools/first-opinion) and CVC4's or Z3's (tools/second-opinion), and
the smoke tests, in one run of Frama-C.

The core's goals are read out of the amalgamated file (shipped.py says why that is the same text)."""
import re

from framac import run_wp
from goals import Goals, Opinion, labels, opinions, selection, smoke_tests
from project import AMALGAMATED, functions_of, stem

# Seconds by the clock, ample also on a busy machine: the provers' own limits are CPU seconds.
LIMIT = ["-wp-run-all-provers", "-wp-timeout", "300"]
# A smoke test asks for a contradiction in every requires, assumes and loop; with --smoke after every statement too,
# which takes longer than all the proofs.
SMOKE = ["-wp-smoke-tests", "-wp-smoke-timeout", "1"]
SMOKE_FEWER = ["-wp-no-smoke-dead-code", "-wp-no-smoke-dead-call", "-wp-no-smoke-dead-local-init"]


class Opinions:
    """found: what each prover says of each property; smoke: {function: (tests, passed)}; said: what Frama-C printed."""

    def __init__(self, source: str, known: list[str], every_smoke: bool) -> None:
        self.source = source
        self.functions = functions_of(source)
        self.in_core = source.startswith("core/")
        self.text = AMALGAMATED if self.in_core else source
        # Goals that neither CVC4 nor Z3 has ever proved are asked of Alt-Ergo alone.
        hopeless = [(f, n) for f in self.functions for n in known if n.startswith(f + "_")]
        self.found: list[Opinion] = []
        self.smoke: dict[str, Goals] = {}
        self.said = self.ask(hopeless, SMOKE + ([] if every_smoke else SMOKE_FEWER))
        if hopeless:
            self.ask_alt_ergo(hopeless)

    def label(self, name: str) -> str:
        return f"amalgamated.{stem(self.source)}.{name}" if self.in_core else name

    def ask(self, hopeless: list[tuple[str, str]], smoke: list[str]) -> str:
        chosen = ["-wp-fct", ",".join(self.functions)] if self.in_core else []
        chosen += ["-wp-prop=" + ",".join("-" + label for label in labels(hopeless))] if hopeless else []
        report, said = run_wp(self.text, self.label("both"), "first,second", *LIMIT, *smoke, *chosen)
        # WP takes a prover that crashed on a smoke test for one that found no contradiction; where one was found, it says
        # so.
        if sum(map(int, re.findall(r"\(failed: (\d+)\)", said))) > said.count("[Failed] Smoke-test"):
            raise SystemExit(f"verify: a prover did not run on every goal of {self.source}: its smoke tests say nothing")
        self.found = list(opinions(report))
        self.smoke = smoke_tests(report)
        return said

    def ask_alt_ergo(self, hopeless: list[tuple[str, str]]) -> None:
        report, _ = run_wp(self.text, self.label("alone"), "first", *selection(hopeless))
        asked = {opinion.name: opinion for opinion in opinions(report)}
        for _, name in hopeless:
            if name not in asked:
                raise SystemExit(f"verify: {name}, listed as proved by Alt-Ergo only, is no goal")
            self.found = [o for o in self.found if o.name != name] + [asked[name]]
