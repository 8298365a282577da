"""The sections of specs/MECHANISM.md, and the comments that mention them."""
import glob
import os
import re
from collections.abc import Iterator

from project import read, stem

MECHANISM = "specs/MECHANISM.md"
MENTION = re.compile(r"\bMECHANISM,? +(?:section|sections)? *((?:\d+(?:, | and |-)?)+)")
SAME = 5  # letters that a stem and a word of a title share when the section is about that file (certify, certificate)


def sources() -> list[str]:
    """Every text with comments of ours."""
    rooms = [path for room in ("core", "proofs", "shell", "tests") for path in glob.glob(room + "/**/*", recursive=True)]
    kept = [path for path in rooms + glob.glob("specs/*.acsl") if os.path.isfile(path)]
    return sorted(path for path in kept if "/expected" not in path and is_text(path))


def is_text(path: str) -> bool:
    if path.endswith((".npy", ".gz", ".pyc")):
        return False
    try:
        read(path)
    except UnicodeDecodeError:
        return False
    return True


def headings(text: str) -> dict[str, str]:
    """{number: title}."""
    return dict(re.findall(r"^## (\d+)\. (.*)$", text, re.M))


class Sections:
    """The headings, and how many mentions of them were read."""

    def __init__(self) -> None:
        self.titles = headings(read(MECHANISM))
        self.mentions = 0

    def home(self, path: str) -> list[str]:
        """The sections that are titled after this file."""
        words = [w for w in stem(path).lower().split("_") if len(w) >= SAME]
        return [number for number, title in self.titles.items()
                if any(t.startswith(w[:SAME]) for t in re.findall(r"\w+", title.lower()) for w in words)]

    def dead(self) -> list[tuple[str, str]]:
        return [(f"{path}:{number}", cause) for path in sources()
                for number, line in enumerate(read(path).splitlines(), 1) for cause in self.causes(path, line)]

    def causes(self, path: str, line: str) -> Iterator[str]:
        for mention in MENTION.finditer(line):
            self.mentions += 1
            numbers = re.findall(r"\d+", mention.group(1))
            for number in numbers:
                if number not in self.titles:
                    yield f"MECHANISM has no section {number}"
            home = self.home(path)
            if home and not set(home) & set(numbers):
                yield f"section {' and '.join(numbers)} is cited, but section {home[0]} is \"{self.titles[home[0]]}\""
