"""What the headers of core/ say about types and constants: structs, enums and #defines."""
import re
from dataclasses import dataclass

from acsl2coq.acsl_tokens import NotUnderstood
from project import files, read

RANGES = {"uint8_t": (0, 2**8), "uint16_t": (0, 2**16), "uint32_t": (0, 2**32), "uint64_t": (0, 2**64),
          "int16_t": (-2**15, 2**15), "int32_t": (-2**31, 2**31), "int64_t": (-2**63, 2**63)}
NUMBER = "FumataNumber"  # the one way to make a fumata_number


@dataclass
class Field:
    """A field of a struct. `derived`: the size of the one table beside it, which a list knows by itself. Of several tables none
    has its size beside it."""
    name: str
    kind: str
    pointer: bool
    derived: bool = False


@dataclass
class Struct:
    """A struct and its fields in their order."""
    name: str
    fields: list[Field]

    def coq(self, field: str) -> str:
        """fumata_noise, cdf: noise_cdf."""
        return f"{self.name.removeprefix('fumata_')}_{field}"

    def field(self, name: str) -> Field | None:
        return next((f for f in self.fields if f.name == name), None)

    def table(self) -> Field | None:
        """The table that `size` is the size of."""
        return next((f for f in self.fields if f.pointer), None)


def plain(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def fields_of(name: str, body: str) -> list[Field]:
    found = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        match = re.fullmatch(r"(?:const )?(\w+) (\*?)([\w, ]+)", line)
        if not match:
            raise NotUnderstood(f"a field of {name}: {line}")
        found += [Field(field, match.group(1), bool(match.group(2))) for field in re.findall(r"\w+", match.group(3))]
    if sum(f.pointer for f in found) == 1:
        for field in found:
            field.derived = field.name == "size"
    return found


def enum_of(body: str) -> dict[str, int]:
    found, value = {}, -1
    for part in filter(None, (p.strip() for p in body.split(","))):
        match = re.fullmatch(r"(\w+)(?:\s*=\s*(-?\d+))?", part)
        if not match:
            raise NotUnderstood(f"a constant: {part}")
        value = int(match.group(2)) if match.group(2) else value + 1
        found[match.group(1)] = value
    return found


class Headers:
    """Everything that core/*.h defines."""

    def __init__(self) -> None:
        text = plain("\n".join(read(path) for path in files("core/*.h")))
        found = re.findall(r"typedef struct \{([^{}]*)\} (\w+);", text)
        self.structs = {name: Struct(name, fields_of(name, body)) for body, name in found}
        if len(self.structs) < len(found):
            raise NotUnderstood("core/: a struct is defined twice")
        self.constants: dict[str, int] = {}  # of enums and of #defines
        self.defined: dict[str, int] = {}  # of #defines
        for body, _ in re.findall(r"enum \{([^{}]*)\} ?(\w*);", text):
            self.constants.update(enum_of(body))
        for name, value in re.findall(r"^#define (FUMATA_\w+)[ \t]+(\S[^\n]*?)[ \t]*$", text, re.M):
            number = re.fullmatch(r"\(?(?:INT64_C\()?(-?\d+)u?\)*", value)
            if not number:
                raise NotUnderstood(f"core/: #define {name} {value}")
            self.defined[name] = int(number.group(1))
        self.constants |= self.defined

    def ordered(self) -> list[Struct]:
        """Every struct after those it is made of."""
        found: list[Struct] = []

        def add(struct: Struct) -> None:
            for field in struct.fields:
                if field.kind in self.structs:
                    add(self.structs[field.kind])
            if struct not in found:
                found.append(struct)
        for struct in self.structs.values():
            add(struct)
        return found
