"""ACSL out of the trees that the Coq generator reads: every part in parentheses, every constant as its number, so that there is
one way to read it. Frama-C prints what it has read; that both print alike says that both have read alike (readings.py)."""
from acsl2coq.acsl_contract import Behaviour, Contract
from acsl2coq.acsl_file import Definition
from acsl2coq.acsl_terms import Tree
from acsl2coq.acsl_tokens import NotUnderstood

SIGNS = {"and": "&&", "or": "||", "implies": "==>", "iff": "<==>", "range": ".."}
PREFIXES = {"minus": "-", "not": "!", "content": "*", "address": "&"}
WORDS = ("true", "false", "result", "nothing")
CALLED = ("valid_read", "valid", "separated", "old")


class Again:
    """Writes trees, with these names of constants replaced by numbers."""

    def __init__(self, constants: dict[str, int]) -> None:
        self.constants = constants

    def text(self, tree: Tree) -> str:
        parts = [self.text(part) for part in tree.parts]
        kind = tree.kind
        if kind in "+-*/%" or kind in SIGNS:
            return "(" + f" {SIGNS.get(kind, kind)} ".join(parts) + ")"
        if kind in PREFIXES:
            return f"({PREFIXES[kind]}{parts[0]})"
        if kind in WORDS:
            return "\\" + kind
        if kind == "old" and tree.names == ["Pre"]:
            return parts[0].replace("(", "{Pre}(", 1)
        if kind in CALLED:
            return f"\\{kind}({', '.join(parts)})"
        write = getattr(self, "text_" + kind, None)
        if not write:
            raise NotUnderstood(f"{tree.token.where()}: {kind} cannot be written again")
        return write(tree, parts)

    def text_number(self, tree: Tree, _: list[str]) -> str:
        return tree.name()

    def text_name(self, tree: Tree, _: list[str]) -> str:
        value = self.constants.get(tree.name())
        return tree.name() if value is None else f"({value})"

    def text_call(self, tree: Tree, parts: list[str]) -> str:
        return f"{tree.name()}({', '.join(parts)})"

    def text_compare(self, tree: Tree, parts: list[str]) -> str:
        return "(" + parts[0] + "".join(f" {sign} {part}" for sign, part in zip(tree.names, parts[1:])) + ")"

    def text_if(self, _: Tree, parts: list[str]) -> str:
        return f"({parts[0]} ? {parts[1]} : {parts[2]})"

    def text_let(self, tree: Tree, parts: list[str]) -> str:
        return f"(\\let {tree.name()} = {parts[0]}; {parts[1]})"

    def text_forall(self, tree: Tree, parts: list[str]) -> str:
        return f"(\\{tree.kind} integer {', '.join(tree.names)}; {parts[0]})"

    text_exists = text_forall

    def text_at(self, _: Tree, parts: list[str]) -> str:
        return f"{parts[0]}[{parts[1]}]"

    def text_arrow(self, tree: Tree, parts: list[str]) -> str:
        return f"{parts[0]}->{tree.name()}"

    def text_field(self, tree: Tree, parts: list[str]) -> str:
        return f"{parts[0]}.{tree.name()}"

    def text_cast(self, tree: Tree, parts: list[str]) -> str:
        return f"(({tree.name()}){parts[0]})"

    def text_update(self, tree: Tree, parts: list[str]) -> str:
        return f"{{ {parts[0]} \\with " + ", ".join(f".{n} = {p}" for n, p in zip(tree.names, parts[1:])) + " }"

    # What these stand in.

    def definition(self, found: Definition, ending: str) -> str:
        head = "predicate" if found.kind == "predicate" else f"logic {found.kind}"
        label = f"{{{found.label}}}" if found.label else ""
        parameters = ", ".join(f"{kind} {'*' * pointer}{name}" for name, kind, pointer in found.parameters)
        return f"/*@ {head} {found.name}{ending}{label}({parameters}) = {self.text(found.body)}; */\n"

    def behaviour(self, found: Behaviour) -> str:
        lines = [f"behavior {found.name}:"] if found.name else []
        lines += [f"{word} {self.text(tree)};" for word in ("requires", "assumes") for tree in getattr(found, word)]
        lines += [] if found.name else ["terminates \\true; exits \\false;"]
        lines += [f"assigns {', '.join(map(self.text, found.assigns))};"] if found.assigns is not None else []
        return "\n".join(lines + [f"ensures {self.text(tree)};" for tree in found.ensures]) + "\n"

    def contract(self, found: Contract, ending: str) -> str:
        parameters = ", ".join(f"{'const ' * (p.pointer and not p.changes)}{p.kind} {'*' * p.pointer}{p.name}"
                               for p in found.parameters)
        return f"/*@ {''.join(map(self.behaviour, found.behaviours))}*/\n{found.returns} {found.function}{ending}({parameters});\n"
