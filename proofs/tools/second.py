"""The second opinion on the goals of one file: CVC4's, Z3's on what it leaves open, and the smoke tests.

The core's goals are read out of the amalgamated file, where Alt-Ergo then proves the rest."""
import re

from framac import run_wp
from goals import Goals, alike, counts, properties, selection, smoke_tests, unnumbered
from project import AMALGAMATED, functions_of, stem

# CPU seconds, so that a busy machine leaves no more open than an idle one. CVC4's first limit is short: nearly every goal takes a
# tenth of it, and the rest gets another try. Of arithmetic Z3 proves what CVC4 does not, of memory CVC4 proves it with more time.
CVC4_SOON = ["-wp-timeout", "1"]
CVC4_LATE = ["-wp-timeout", "30"]
Z3_SOON = ["-wp-timeout", "2"]
Z3_LATE = ["-wp-timeout", "30"]
ARITHMETIC = ("core/round", "core/certify")
# A smoke test asks for a contradiction in every requires, assumes and loop; with --smoke after every statement too,
# which takes longer than all the proofs. CVC4 is asked, because it gives up early where Alt-Ergo searches on.
SMOKE = ["-wp-smoke-tests", "-wp-smoke-timeout", "1"]
SMOKE_FEWER = ["-wp-no-smoke-dead-code", "-wp-no-smoke-dead-call", "-wp-no-smoke-dead-local-init"]


class Second:
    """confirmed: {property: goals that CVC4 or Z3 proves}; shipped: {property: (goals, proved)} of the amalgamated file;
    smoke: {function: (tests, passed)}. `known` are goals that neither has ever proved, which are not asked again."""

    def __init__(self, source: str, known: set[str], every_smoke: bool) -> None:
        self.source, self.known = source, known
        self.in_core = source.startswith("core/")
        self.text = AMALGAMATED if self.in_core else source
        self.prefix = f"amalgamated.{stem(source)}." if self.in_core else ""
        self.ask_cvc4(SMOKE + ([] if every_smoke else SMOKE_FEWER))
        tries = [self.ask_z3, self.ask_cvc4_late]
        for ask in tries if source.startswith(ARITHMETIC) else reversed(tries):
            ask()
        self.again("z3-late", "z3-strict", self.open(), *Z3_LATE)
        self.confirmed = {n: valid for n, (_, valid) in self.found.items()}
        if self.in_core:
            self.again("alt-ergo", "alt-ergo", self.open(everything=True))
        self.shipped: dict[str, Goals] = self.found if self.in_core else {}

    def open(self, everything: bool = False) -> list[str]:
        """The properties with a goal left to prove."""
        return [n for n, (total, valid) in self.found.items() if valid < total and (everything or n not in self.known)]

    def ask_cvc4(self, smoke: list[str]) -> None:
        chosen = ["-wp-fct", ",".join(functions_of(self.source))] if self.in_core else []
        report, text = run_wp(self.text, self.prefix + "cvc4", "cvc4-strict", *CVC4_SOON, *smoke, *chosen)
        # WP takes a prover that crashed on a smoke test for one that found no contradiction; where one was found, it says
        # so.
        if sum(map(int, re.findall(r"\(failed: (\d+)\)", text))) > text.count("[Failed] Smoke-test"):
            raise SystemExit(f"verify: CVC4 did not run on every goal of {self.source}: its smoke tests say nothing")
        self.alike = alike(report)
        self.owner = {n: f for f, n, _, _ in properties(report)}
        self.smoke = smoke_tests(report)
        self.found = counts(report)

    def ask_z3(self) -> None:
        self.again("z3", "z3-strict", self.open(), *Z3_SOON)

    def ask_cvc4_late(self) -> None:
        """One label of one function a run: CVC4's search depends on what else a run declares."""
        labels: dict[tuple[str, ...], list[str]] = {}
        for n in self.open():
            labels.setdefault(tuple(selection([(self.owner[n], n)])), []).append(n)
        for names in labels.values():
            self.again("cvc4-late", "cvc4-strict", names, *CVC4_LATE)

    def again(self, name: str, prover: str, names: list[str], *limit: str) -> None:
        """Another try at these."""
        if not names:
            return
        left = [(self.owner[n], n) for n in names]
        report, _ = run_wp(self.text, self.prefix + name, prover, *limit, *selection(left))
        asked, together = counts(report), alike(report)
        for function, n in left:
            total, valid = self.found[n]
            self.found[n] = (total, max(valid, self.proved_now(function, n, asked, together)))

    def proved_now(self, function: str, name: str, asked: dict[str, Goals], together: dict[tuple[str, str], Goals]) -> int:
        """How many goals of a property the other try proved. Preconditions of calls have other numbers in it (see alike):
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
