"""What core/, specs/*.acsl and proofs/wp/ may be written in, so that WP, the Coq generator and the compiler read one text.

WP reads what the preprocessor makes of code and annotations, the generator reads the files, the compiler skips annotations
and has other macros: whatever could mean one thing to one of them and another to the next is refused here, needed or not.
"""
import os
import re
from collections.abc import Iterator

from project import DRIVERS, files, read, stem
from texts.c_text import Piece, Source, words

NUMBER = r"\d+u?|\(-\d+\)|U?INT64_C\(\d+\)"
DEFINE = re.compile(rf"#define (FUMATA_[A-Z0-9_]+) +({NUMBER})")
INCLUDE = re.compile(r'#include (?:<(stdint)\.h>|"(\w+\.h)")')
CPLUSPLUS = ("core/fumata.h", ['extern "C" {', "}"])  # the one place for other words than directives between two of them
# A line that a compiler in C99 reads in another way than Frama-C's preprocessor does, or than a person.
ODD = re.compile(r"\\\n|\?\?|%:|<:|:>|<%|%>|[^\n -~]")
RESERVED = re.compile(r"__\w*|_[A-Z]\w*|asm|typeof|restrict|volatile|goto|register|alignas|setjmp|longjmp")
# The words of ACSL that may stand before another word. Each states what is proved, or what was proved elsewhere.
CLAUSES = {"requires", "terminates", "exits", "assigns", "ensures", "behavior", "assumes", "complete", "disjoint"}
INSIDE = {"loop", "assert", "ghost"}
GLOBAL = {"logic", "predicate", "lemma", "ghost"}
MIDDLE = {"behaviors", "invariant", "variant", "integer", "const", "static", "return", "else", "void", "int", "char"}
TYPE = re.compile(r"u?int\d+_t|fumata_\w+")
BLANK = "axiomatic FumataBlank { logic fumata_number FumataBlank ; }".split()  # specs/round.acsl says why


class Rules:
    """The faults of one file."""

    def __init__(self, path: str) -> None:
        self.path, self.source = path, Source(path, read(path))

    def at(self, piece: Piece, fault: str) -> str:
        return f"{self.path}:{piece.line}: {fault}"

    def faults(self) -> Iterator[str]:
        yield from self.characters()
        yield from self.directives()
        yield from self.code()
        for annotation in self.source.annotations():
            yield from self.annotation(annotation)
        yield from self.contracts()

    def characters(self) -> Iterator[str]:
        text = self.source.text
        for found in ODD.finditer(text):
            yield f"{self.path}:{text.count(chr(10), 0, found.start()) + 1}: {found.group()!r} is not read alike by all"
        for comment in self.source.comments:
            if "/*" in comment.text[2:] or comment.text.startswith("//"):
                yield self.at(comment, "a comment that begins within a comment, or //")
        for string in self.source.strings:
            if re.search(r"/\*|\*/|//|#", string.text):
                yield self.at(string, "a string that looks like a comment")

    # Preprocessor lines.

    def directives(self) -> Iterator[str]:
        lines, left = list(self.source.lines), []
        if not self.path.endswith(".c"):
            guard = f"FUMATA_{stem(self.path)}_{self.path.rpartition('.')[2]}".upper().replace("FUMATA_FUMATA_", "FUMATA_")
            if [line.text for line in lines[:2] + lines[-1:]] != [f"#ifndef {guard}", f"#define {guard}", "#endif"]:
                yield f"{self.path}:1: no include guard {guard} around all of it"
            elif self.source.code[:lines[0].at].strip() or self.source.code[lines[-1].at:].strip():
                yield f"{self.path}:1: something outside of the include guard"
            lines = lines[2:-1]
        while lines:
            taken = self.conditional(lines)
            left += [] if taken else lines[:1]
            lines = lines[taken or 1:]
        yield from (self.at(line, f"a preprocessor line that is not needed: {line.text}") for line in left
                    if not self.is_plain(line.text))

    def conditional(self, lines: list[Piece]) -> int:
        """How many of these lines are the definitions that only Frama-C reads, or the braces that only C++ reads."""
        end = next((n for n, line in enumerate(lines) if line.text == "#endif"), 0)
        between = self.source.code[lines[0].at:lines[end].at].split()
        if lines[0].text == "#ifdef __FRAMAC__" and self.path.startswith("core/") and end > 1 and not between:
            specs = [re.fullmatch(r'#include "(\w+\.acsl)"', line.text) for line in lines[1:end]]
            return end + 1 if all(found and os.path.exists(f"specs/{found.group(1)}") for found in specs) else 0
        if lines[0].text == "#ifdef __cplusplus" and self.path == CPLUSPLUS[0] and end == 1:
            return 2 if " ".join(between) in CPLUSPLUS[1] else 0
        return 0

    def is_plain(self, line: str) -> bool:
        include = INCLUDE.fullmatch(line)
        if include and not self.path.endswith(".acsl"):
            folders = ["core"] if self.path.startswith("core/") else ["core", DRIVERS]
            found = [folder for folder in folders if os.path.exists(f"{folder}/{include.group(2)}")]
            return include.group(1) is not None or len(found) == 1
        return DEFINE.fullmatch(line) is not None and not self.path.endswith(".acsl")

    # Code.

    def code(self) -> Iterator[str]:
        for word in self.source.words():
            if RESERVED.fullmatch(word.text) or word.text[0] in "#\\@":
                yield self.at(word, f"{word.text}: a word that compilers and Frama-C read each in its own way")
        if self.path == CPLUSPLUS[0]:
            left = " ".join(self.source.code.split())
            if left != " ".join(CPLUSPLUS[1]):
                yield f"{self.path}:1: more than includes"

    # Annotations.

    def annotation(self, annotation: Piece) -> Iterator[str]:
        body = re.sub(r"//[^\n]*", "", annotation.text[3:-2])
        found = words(body, annotation.line)
        texts = [word.text for word in found] + [""]
        if texts[:len(BLANK)] == BLANK and self.path == "specs/round.acsl":
            found, texts = found[len(BLANK):], texts[len(BLANK):]
        allowed = CLAUSES | GLOBAL if self.source.depth(annotation.at) == 0 else INSIDE
        if texts[0] not in allowed:
            yield self.at(annotation, f"an annotation that begins with {texts[0]}")
        for word, before, after in zip(found, [""] + texts, texts[1:]):
            if word.text in ("#", "@") or RESERVED.fullmatch(word.text):
                yield self.at(word, f"{word.text} in an annotation")
            elif before == "/@" and word.text not in CLAUSES | {"loop", "assert"} or word.text == "/@" and texts[0] != "ghost":
                yield self.at(word, f"an annotation in an annotation: {word.text}")
            elif re.match(r"[A-Za-z_]", word.text) and re.match(r"\\?[A-Za-z_]", after) and after != "\\with" and \
                    not known(word.text):
                yield self.at(word, f"{word.text} {after} in an annotation")

    def contracts(self) -> Iterator[str]:
        """A contract belongs to the declaration in the header: one at the definition of a function that others call is
        merged into it, assumed in the body and checked at no call. Nor is a function declared a second time."""
        code = self.source.code
        for annotation in self.source.annotations():
            first = annotation.text[3:].split()[0:1]
            after = code[annotation.at:].split(None, 1)[0:1]
            if first and first[0] in CLAUSES and self.source.depth(annotation.at) == 0 and self.path.startswith("core/"):
                if self.path.endswith(".c") and after != ["static"]:
                    yield self.at(annotation, "a contract of a function that is not static, outside of the header")
        if self.path.startswith("core/") and self.path.endswith(".c"):
            for found in re.finditer(r"\b(fumata_\w+)\([^;{}()]*\);", code):
                start = max(code.rfind(mark, 0, found.start()) for mark in ";{}") + 1
                head = code[start:found.start()].split()
                if head and all(re.fullmatch(r"[A-Za-z_]\w*\*?|\*+", word) for word in head) and head != ["return"]:
                    yield f"{self.path}:{code.count(chr(10), 0, found.start()) + 1}: {found.group(1)} declared in a .c file"


def known(word: str) -> bool:
    return word in CLAUSES | INSIDE | GLOBAL | MIDDLE or TYPE.fullmatch(word) is not None


def names() -> Iterator[str]:
    """A name of FUMATA_* has one meaning: one #define or one place in an enum, in all files together."""
    seen: dict[str, str] = {}
    for path in files("core/*.[ch]", "specs/*.acsl", f"{DRIVERS}/*.[ch]"):
        source = Source(path, read(path))
        defined = [found.group(1) for found in (DEFINE.match(line.text) for line in source.lines) if found]
        listed = [name for body in re.findall(r"\benum\b[^;{}]*\{([^{}]*)\}", source.code) for name in re.findall(r"\bFUMATA_\w+", body)]
        for name in defined + listed:
            if name in seen and not {path, seen[name]} <= set(files(f"{DRIVERS}/*.c")):
                yield f"{path}: {name} is defined in {seen[name]} already"
            seen[name] = path


def strangers() -> Iterator[str]:
    """A file that one reader finds and another does not: specs/ and core/ are searched for what is included."""
    for path in files("core/*", "specs/*.acsl", f"{DRIVERS}/*", "*"):
        folder, name = os.path.split(path)
        wanted = {"core": r"\w+\.[ch]|dist", "specs": r"\w+\.acsl", DRIVERS: r"\w+\.[ch]", "": r"[^.]*|[^.]+\.(?!h$|acsl$)\w+"}[folder]
        if not re.fullmatch(wanted, name):
            yield f"{path}: a file that an include could find"


def faults() -> list[str]:
    found = [fault for path in files("core/*.[ch]", "specs/*.acsl", f"{DRIVERS}/*.[ch]") for fault in Rules(path).faults()]
    return found + list(names()) + list(strangers())
