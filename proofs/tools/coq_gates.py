"""What is checked about Coq files without compiling them: nothing is taken without proof, and every definition that WP
knows has one text, the ACSL one, which the theorems use."""
import os
import re
from collections.abc import Iterator

from complaints import read_list
from project import files, read

SOURCE = "proofs/coq"
UNUSED = "proofs/coq/unused"
BAD = re.compile(r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check|"
                 r"Unset\s+(?:Guard|Positivity|Universe)\w*)\b")
OUTSIDE = re.compile(r"^\s*(?:#\[[^\]]*\]\s*)?(?:Local\s+|Global\s+)?(?:Variables?|Hypothes[ie]s|Context)\b")
DEFINES = re.compile(r"^\s*(?:#\[[^\]]*\]\s*)?(?:Local |Global )?"
                     r"(?:Definition|Fixpoint|Function|Record|Inductive|Notation|Let|Theorem|Lemma)\s+(\w+)", re.M)


def without_comments(text: str) -> str:
    """Lines stay where they are."""
    depth, kept, at = 0, [], 0
    while at < len(text):
        if text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*)", at) and depth:
            depth, at = depth - 1, at + 2
        else:
            kept.append(text[at] if depth == 0 or text[at] == "\n" else " ")
            at += 1
    return "".join(kept)


def unproved(path: str) -> Iterator[str]:
    """Words that would let a statement in without a proof."""
    sections = 0
    for number, line in enumerate(without_comments(read(path)).split("\n"), 1):
        if re.match(r"\s*Section\b", line):
            sections += 1
        elif re.match(r"\s*End\b", line):
            sections = max(0, sections - 1)
        if BAD.search(line) or (OUTSIDE.match(line) and sections == 0):
            yield f"{path}:{number}: taken without proof: {line.strip()}"


def unlisted(listed: list[str]) -> Iterator[str]:
    for path in files(f"{SOURCE}/*.v"):
        if os.path.basename(path)[:-2] not in listed:
            yield f"{path} is not listed in {SOURCE}/_CoqProject"


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\bFumata\w+|\bfumata_\w+", text))


def defined(text: str) -> dict[str, set[str]]:
    """{name: the names in its text} of the definitions of a generated file; X_b, X_true, X_at and X_acsl count as X."""
    found: dict[str, set[str]] = {}
    for part in re.split(r"^(?=(?:Definition|Fixpoint|Lemma|Record) )", text, flags=re.M):
        name = DEFINES.match(part)
        if name and name.group(1).startswith(("Fumata", "fumata_")):
            plain = plain_name(name.group(1))
            found.setdefault(plain, set()).update(map(plain_name, words_of(part)))
    return found


def plain_name(name: str) -> str:
    return re.sub(r"_(b|true|at|acsl|fits)$", "", name)


def one_text(generated: list[str]) -> Iterator[str]:
    """No second text of a generated definition, and none that no theorem uses, except for those listed with a reason."""
    made: dict[str, set[str]] = {}
    for path in generated:
        made.update(defined(read(path)))
    used: set[str] = set()
    for path in files(f"{SOURCE}/*.v"):
        text = without_comments(read(path))
        yield from (f"{path} defines {name}, which is made from specs/ or core/"
                    for name in DEFINES.findall(text) if plain_name(name) in made)
        used |= {plain_name(name) for name in words_of(text)}
    yield from against_list(made, reached(made, used))


def reached(made: dict[str, set[str]], used: set[str]) -> set[str]:
    """What is used, and what that uses."""
    found, todo = set(), [name for name in used if name in made]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [other for other in made[name] if other in made]
    return found


def against_list(made: dict[str, set[str]], used: set[str]) -> Iterator[str]:
    reasons = dict(line.partition(" || ")[::2] for line in read_list(UNUSED))
    yield from (f"{UNUSED}: {name} has no reason" for name, reason in reasons.items() if not reason)
    yield from (f"{name} of specs/ or core/ is used by no theorem and not listed in {UNUSED}"
                for name in sorted(set(made) - used - set(reasons)))
    yield from (f"{UNUSED} lists {name}, which is used" for name in sorted(set(reasons) & used))
    yield from (f"{UNUSED} lists {name}, which is not there" for name in sorted(set(reasons) - set(made)))
