"""A Coq file as items that can be run again one by one: a definition, a lemma with its proof, a whole section."""
import re
from dataclasses import dataclass, field

from coq_files.coq_text import head_of, sentences

WORD = re.compile(r"[A-Za-z_][\w']*")
STATES = ("Lemma", "Theorem", "Corollary", "Example", "Fact", "Remark")
NAMES = STATES + ("Definition", "Fixpoint", "CoFixpoint", "Record", "Inductive", "CoInductive", "Ltac", "Notation")
# Of no meaning of their own: run again whenever anything of the file is.
ALWAYS = ("From", "Require", "Import", "Open", "Close", "Set", "Unset", "Opaque", "Transparent")


@dataclass
class Item:
    """`names` are what it defines, `words` all that it mentions; `parts` are those of a section, else itself."""
    head: str
    parts: list[str]
    names: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)

    def add(self, sentence: str, head: str, as_part: bool) -> None:
        if as_part:
            self.parts.append(sentence)
        else:
            self.parts[-1] += "\n" + sentence
        self.names |= named(sentence, head)
        self.words |= set(WORD.findall(sentence))

    def text(self) -> str:
        return "\n".join(self.parts)


def title(part: str) -> str:
    found = re.search(r"\b(?:" + "|".join(NAMES) + r")\s+(\w+)", part)
    return found.group(1) if found else " ".join(part.split())[:40]


def named(sentence: str, head: str) -> set[str]:
    """What a sentence defines."""
    if head not in NAMES:
        return set()
    names = set(re.findall(r"\b(?:" + "|".join(NAMES) + r")\s+([\w']+)", sentence)[:1])
    if head == "Fixpoint":
        names |= set(re.findall(r"\bwith\s+([\w']+)\s*[({:]", sentence))
    if head in ("Record", "CoInductive"):
        names |= set(re.findall(r"[{;]\s*([\w']+)\s*(?:\([^()]*\)\s*)*:", sentence)) | {"Build_" + n for n in names}
    if head in ("Inductive", "CoInductive"):
        names |= set(re.findall(r"(?:\||:=)\s*([\w']+)", sentence))
    return names


def items_of(text: str) -> list[Item]:
    """In their order; what follows a statement up to its Qed belongs to it, and a section is one item."""
    found: list[Item] = []
    proving, depth = False, 0
    for sentence in sentences(text):
        head = "" if proving else head_of(sentence)
        if not proving and not depth:
            found.append(Item(head, []))
        found[-1].add(sentence, head, as_part=not proving)
        depth += (head == "Section") - (depth > 0 and head == "End")
        ends = re.search(r"(?:^|\s|[}\-+*])(?:Qed|Defined|Abort)\.$", sentence)
        proving = not ends and (proving or head in STATES or head in ("Definition", "Fixpoint") and ":=" not in sentence)
    return found
