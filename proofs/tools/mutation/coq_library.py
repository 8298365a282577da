"""All Coq files as items, and what has to be run again when some definitions are edited."""
import re
from collections.abc import Iterator

from acsl2coq.coq_made import made
from coq_files.coq_gates import SOURCE
from mutation.coq_items import ALWAYS, Item, items_of
from project import read

# Tried last, because they take longest; they are required by no other file.
SLOW = ("Count", "Wrong", "WrongPoll", "Accepts", "Plans", "PlansToll", "PlansPoll", "Examples")
NOT_RUN = ("Extract", "Assumptions")


class Library:
    """`texts` are those of the tree: each file comes after those that it requires, and what is made from specs/ no sooner than
    a proof requires it, because an edit there makes much to tell and the first lemma that fails is often an early one."""

    def __init__(self) -> None:
        listed = re.findall(r"^(\w+)\.v$", read(f"{SOURCE}/_CoqProject"), re.M)
        order = [s for s in listed if s not in SLOW + NOT_RUN] + [s for s in SLOW if s in listed]
        self.texts = {s: read(f"{SOURCE}/{s}.v") for s in order} | made()
        self.texts = {s: self.texts[s] for s in self.ordered()}
        self.items = {s: items_of(text) for s, text in self.texts.items()}
        self.seen = {s: self.visible(s) for s in self.texts}

    def required(self, name: str, word: str) -> list[str]:
        lines = re.findall(rf"From Fumata Require {word} ([\w\s]+?)\.\s", self.texts[name])
        return [n for line in lines for n in line.split() if n in self.texts]

    def ordered(self) -> list[str]:
        found: list[str] = []

        def add(name: str) -> None:
            for one in self.required(name, "(?:Import|Export)"):
                if one not in found:
                    add(one)
            if name not in found:
                found.append(name)
        for name in self.texts:
            add(name)
        return found

    def visible(self, name: str) -> list[str]:
        """The files whose names this one sees."""
        found: list[str] = []
        todo = self.required(name, "(?:Import|Export)")
        while todo:
            one = todo.pop(0)
            if one not in found:
                found.append(one)
                todo += self.required(one, "Export")
        return [s for s in self.texts if s in found]

    def edited(self, texts: dict[str, str]) -> dict[str, list[Item]]:
        """The items of the files whose text is another one."""
        return {s: items_of(text) for s, text in texts.items() if text != self.texts[s]}

    def seeds(self, edited: dict[str, list[Item]]) -> set[str]:
        """The names of what is edited."""
        found: set[str] = set()
        for s, items in edited.items():
            before = {item.text() for item in self.items[s]}
            found |= {name for item in items if item.text() not in before for name in item.names}
        return found

    def steps(self, edited: dict[str, list[Item]], seeds: set[str]) -> Iterator[tuple[str, list[Item]]]:
        """(file, what has to be run again of it): all that mentions what is edited, or what mentions that."""
        affected = set(seeds)
        for s in self.texts:
            chosen: list[Item] = []
            for item in edited.get(s, self.items[s]):
                if item.head in ALWAYS:
                    chosen.append(item)
                elif item.names & seeds or item.words & affected:
                    chosen.append(item)
                    affected |= item.names
            if any(item.head not in ALWAYS for item in chosen):
                yield s, chosen

    def opening(self, name: str, again: list[str]) -> str:
        """Imports what was run again over what the file sees of the old."""
        return " ".join([f"Import {name}."] + [f"Import Again_{s}." for s in self.seen[name] if s in again])

