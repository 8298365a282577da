"""The small edits that make a mutant out of C code: another operator or constant, a statement left out, two arguments
swapped. Positions are those of the text, whose comments and annotations stay as they are."""
import re
from collections.abc import Iterator
from typing import NamedTuple

# What each token may become: one entry a mutant.
SWAPS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "+": ["-"], "-": ["+"],
         "*": ["+"], "/": ["*"], "%": ["/"], "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["|"],
         "<<": [">>"], ">>": ["<<"], "++": ["--"], "--": ["++"], "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
         "*=": ["+="], "/=": ["*="], "<<=": [">>="], ">>=": ["<<="]}
# Swapping the arguments of these changes no bit (tests/core/check_round.c), so it makes no mutant.
COMMUTES = ("fumata_round_add_up", "fumata_round_add_down", "fumata_round_mul_up", "fumata_round_mul_down")
TOKEN = re.compile(r"<==>|==>|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|\|=|&=|[A-Za-z_]\w*|"
                   r"0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|\S")
TYPE = re.compile(r"(const|u?int\d+_t|int|char|fumata_\w+|void)$")
DECLARES = re.compile(r"(u?int\d*(_t)?|char|fumata_\w+|static)$")
ASSIGNS = ("=", "++", "--", "+=", "-=", "|=", "&=")


class Edit(NamedTuple):
    """`old`, which stands at `at`, becomes `new`."""
    at: int
    old: str
    new: str
    kind: str


def blank(text: str) -> str:
    """Comments, annotations, strings and preprocessor lines as spaces, positions kept."""
    def spaces(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"", spaces, text, flags=re.S)
    return re.sub(r"^[ \t]*#[^\n]*", spaces, text, flags=re.M)


def functions(code: str) -> Iterator[tuple[str, int, int]]:
    """Yields (name, start, end) of each function body in blanked code."""
    for match in re.finditer(r"^[A-Za-z_][\w \t\*]*?\b(fumata_\w+)\([^;{}]*\)\s*\{", code, re.M):
        depth, at = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        yield match.group(1), match.end(), at - 1


class Body:
    """One function body as tokens with their places; every method yields edits of the token at place k."""

    def __init__(self, code: str, start: int, end: int) -> None:
        self.code = code
        self.tokens = [(m.group(0), m.start() + start) for m in TOKEN.finditer(code[start:end])]

    def word(self, k: int) -> str:
        return self.tokens[k][0] if 0 <= k < len(self.tokens) else ""

    def edits(self) -> Iterator[Edit]:
        for k, (token, _) in enumerate(self.tokens):
            if token in SWAPS:
                yield from self.operator(k)
            elif re.match(r"\d|0[xX]", token):
                yield from self.constant(k)
            elif token == ";":
                yield from self.dropped(k)
            elif token == "(":
                yield from self.swapped(k)

    def operator(self, k: int) -> Iterator[Edit]:
        token, at = self.tokens[k]
        before = self.word(k - 1)
        unary = token in "+-*&" and not re.match(r"[\w\)\]]", before[-1:] or " ") or before == "return"
        declared = token == "*" and TYPE.match(before)
        if not unary and not declared:
            for new in SWAPS[token]:
                yield Edit(at, token, new, "operator")

    def constant(self, k: int) -> Iterator[Edit]:
        token, at = self.tokens[k]
        digits, suffix = re.fullmatch(r"(.*?)([uUlL]*)", token).groups()
        value = int(digits or "0", 0)
        if self.word(k - 1) not in ("uint", "int"):
            yield Edit(at, token, f"{value + 1}{suffix}", "constant")
            if value:
                yield Edit(at, token, f"{value - 1}{suffix}", "constant")

    def statement(self, k: int) -> int:
        """Where the statement that ends at k begins."""
        def goes_on(first: int) -> bool:
            before = self.word(first - 1)
            return before not in (";", "{", "}", ")") or before == ")" and not re.match(r"[A-Za-z_]", self.word(first))
        while k > 0 and goes_on(k):
            k -= 1
        return k

    def dropped(self, k: int) -> Iterator[Edit]:
        """A statement that only assigns, steps or calls can be left out."""
        first = self.statement(k)
        words = [t for t, _ in self.tokens[first:k]]
        if len(words) > 1 and words[0] not in ("return", "break", "continue", "for", "const") and \
                not DECLARES.match(words[0]) and any(w in ASSIGNS for w in words) and "for" not in words:
            start, end = self.tokens[first][1], self.tokens[k][1]
            yield Edit(start, self.code[start:end], "", "dropped")

    def arguments(self, k: int) -> list[int]:
        """Where the arguments of the call that opens at k are divided, its end included."""
        depth, cuts = 1, []
        while depth:
            k += 1
            depth += {"(": 1, ")": -1}.get(self.word(k), 0)
            if (self.word(k) == "," and depth == 1) or depth == 0:
                cuts.append(self.tokens[k][1])
        return cuts

    def swapped(self, k: int) -> Iterator[Edit]:
        called = self.word(k - 1)
        if not re.match(r"fumata_\w+$", called) or called in COMMUTES:
            return
        at, cuts = self.tokens[k][1] + 1, self.arguments(k)
        if len(cuts) > 1:
            one, two = self.code[at:cuts[0]].strip(), self.code[cuts[0] + 1:cuts[1]].strip()
            if one != two:
                yield Edit(at, self.code[at:cuts[1]], f"{two}, {one}", "swapped")
