"""The Coq definitions of what WP proves about the C code, out of the text that WP reads."""
from acsl2coq.acsl_contract import contracts
from acsl2coq.acsl_file import Definition, definitions
from acsl2coq.acsl_tokens import NotUnderstood
from acsl2coq.c_types import Headers
from acsl2coq.coq_base import base
from acsl2coq.coq_contracts import Relation
from acsl2coq.coq_specs import HEAD, Spec
from acsl2coq.coq_terms import Library
from project import files, stem

MACHINES = ["core/meter.h", "core/toll.h", "core/budget.h", "core/classic.h", "core/count.h", "core/ceiling.h",
            "core/poll.h"]


def module(name: str) -> str:
    """certify_meter: SpecCertifyMeter."""
    return "Spec" + "".join(word.capitalize() for word in name.split("_"))


def ordered(specs: dict[str, list[Definition]]) -> list[tuple[str, list[str]]]:
    """(stem, the stems it needs), each after those."""
    home = {d.name: spec for spec, found in specs.items() for d in found}
    needs = {spec: sorted({home[name] for d in found for name in d.calls() if name in home} - {spec})
             for spec, found in specs.items()}
    done: list[str] = []
    while len(done) < len(specs):
        ready = [spec for spec in specs if spec not in done and set(needs[spec]) <= set(done)]
        if not ready:
            raise NotUnderstood(f"specs/: {' and '.join(sorted(set(specs) - set(done)))} need each other")
        done += ready
    return [(spec, needs[spec]) for spec in done]


def machines(library: Library) -> list[str]:
    found = [Relation(library, contract).text() for path in MACHINES for contract in contracts(path)]
    if len(found) < 22:
        raise NotUnderstood(f"{' and '.join(MACHINES)}: only {len(found)} contracts")
    return found


def made(instead: dict[str, str] | None = None) -> dict[str, str]:
    """{file: its text}, in the order in which they have to be compiled; `instead` are texts of specs/ to be read in the
    place of the files."""
    headers = Headers()
    specs = {stem(path): definitions(path, (instead or {}).get(path)) for path in files("specs/*.acsl")}
    spec, texts = Spec(Library(headers)), {"SpecBase": base(headers)}
    for name, needs in ordered(specs):
        head = HEAD.format(stem=name, needs=" ".join(["SpecBase"] + [module(need) for need in needs]))
        texts[module(name)] = "\n".join([head] + [spec.write(definition) for definition in specs[name]])
    texts["SpecMachine"] = "\n".join([HEAD.format(stem="*", needs=" ".join(texts))] + machines(spec.library))
    return texts
