"""What is wrong: told where it is found, and once more as the last thing that is read."""
import os

from project import read, write


class Complaints:
    """Every failure of this run."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def fail(self, line: str, indent: str = "  ") -> None:
        print(indent + line)
        self.lines.append(line)

    def summary(self, most: int = 20) -> list[str]:
        more = len(self.lines) - most
        return self.lines[:most] + ([f"and {more} more"] if more > 0 else [])

    def compare(self, title: str, path: str, found: list[str], update: bool) -> None:
        """The hand-kept list against what was proved, both ways."""
        if update:
            write_list(path, found)
        wanted = set(read_list(path))
        for name in sorted(wanted - set(found)):
            self.fail(f"{title}: expected but not proved: {name}")
        for name in sorted(set(found) - wanted):
            self.fail(f"{title}: proved but not expected: {name}")


def read_list(path: str) -> list[str]:
    if not os.path.exists(path):
        return []
    return [line for line in read(path).splitlines() if line.strip() and not line.startswith("#")]


def write_list(path: str, lines: list[str]) -> None:
    write(path, "".join(line + "\n" for line in lines))
