"""What Frama-C says that it has read (-print): definitions, contracts, structs and constants of one run, as rows of words."""
import re

from project import read
from texts.c_text import Piece, Source, spaces, words

CONTRACT = ("requires", "terminates", "exits", "assigns", "ensures", "behavior", "assumes")
BLANK = "axiomatic FumataBlank { logic fumata_number FumataBlank ; }"
DEFINES = re.compile(r"(?:predicate|lemma|logic(?: const)? \w+(?: \*)?) (\w+)")


def plain(text: str) -> str:
    """One line; numbers in decimal and without suffix; a negative one without parentheses."""
    def word(found: str) -> str:
        return str(int(found.rstrip("uUlL"), 0)) if re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", found) else found
    return " ".join(word(piece.text) for piece in words(text, 1))


class Printed:
    """definitions: {name: text} of predicates, logic functions and lemmas; contracts: {function: text}, empty where there is none;
    bodies: the functions that have one; structs: {name: fields}; constants: {name of an enum: value}; strange: annotations of another kind."""

    def __init__(self, path: str) -> None:
        source = Source(path, read(path))
        self.definitions: dict[str, str] = {}
        self.contracts: dict[str, str] = {}
        self.bodies: set[str] = set()
        self.structs: dict[str, str] = {}
        self.constants: dict[str, int] = {}
        self.strange: list[str] = []
        code = source.code
        for string in source.strings:
            code = code[:string.at] + spaces(string.text) + code[string.at + len(string.text):]
        begin, tags = 0, dict[str, str]()
        for end in ends(code):
            notes = [note for note in source.annotations() if begin <= note.at < end and depth(code, begin, note.at) == 0]
            self.item(plain(code[begin:end]), self.contract_of(notes), tags)
            begin = end

    def contract_of(self, notes: list[Piece]) -> str:
        """The one contract among the annotations before something; the others define."""
        found = ""
        for note in notes:
            text = plain(note.text[3:-2])
            first = text.split(" ", 1)[0]
            if first in CONTRACT:
                found += text
            elif first == "ghost":
                self.ghost(note.text[3:-2])
            elif DEFINES.match(text):
                self.definitions[DEFINES.match(text).group(1)] = text
            elif text != BLANK:
                self.strange.append(text[:60])
        return found

    def ghost(self, text: str) -> None:
        """A function that only the prover knows, with its contract; or a statement."""
        found = re.match(r"\s*ghost\s*(?:/@(.*?)@/)?\s*\w[\w \*]*?(\w+)\s*\([^(){};]*\)\s*\{", text, re.S)
        if found:
            self.contracts[found.group(2)] = plain(found.group(1) or "")
            self.bodies.add(found.group(2))

    def item(self, text: str, contract: str, tags: dict[str, str]) -> None:
        """A struct, an enum, a typedef, a function or a variable."""
        body = re.match(r"(struct|enum) (\w+) \{ (.*) \} ;", text)
        named = re.match(r"typedef (?:struct|enum) (\w+) (\w+) ;", text)
        function = re.match(r"(?:[\w\*]+ )+?\*? ?(\w+) \( .*? \) [;{]", text)
        if body and body.group(1) == "struct":
            tags[body.group(2)] = body.group(3)
        elif body:
            values = re.findall(r"(\w+) = (- )?(\d+)", body.group(3))
            self.constants.update({name: int(value) * (-1 if minus else 1) for name, minus, value in values})
        elif named:
            self.structs[named.group(2)] = tags.get(named.group(1), "")
        elif function:
            self.contracts[function.group(1)] = contract or self.contracts.get(function.group(1), "")
            self.bodies |= {function.group(1)} if "{" in text else set()
        elif contract:
            self.strange.append(contract[:60])


def depth(code: str, begin: int, end: int) -> int:
    return code.count("{", begin, end) - code.count("}", begin, end)


def ends(code: str) -> list[int]:
    """Where the things at the outermost level end: behind a semicolon or a function's last brace."""
    found, level, body = [], 0, False
    for place, sign in ((match.start(), match.group()) for match in re.finditer(r"[{};]", code)):
        if sign == "{":
            body = level == 0 and code[:place].rstrip().endswith(")") or level > 0 and body
            level += 1
        elif sign == "}":
            level -= 1
        if level == 0 and (sign == ";" or sign == "}" and body):
            found.append(place + 1)
    return found + [len(code)]
