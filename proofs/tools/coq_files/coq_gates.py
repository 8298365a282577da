"""What is checked about the text of Coq files: no sentence that could change what another one means, and every definition that
WP knows has one text, the ACSL one, which the theorems use."""
import os
import re
from collections.abc import Iterator

from complaints import read_list
from coq_files.coq_text import head_of, sentences, without_comments
from project import files, read, stem

SOURCE = "proofs/coq"
UNUSED = "proofs/coq/unused"
# The sentences that a proof needs. Whatever else Coq knows could give a statement another meaning (a notation of symbols, a
# coercion), or bring in what is not seen here (Load, an ML module). What is taken without proof is for coqchk to find.
SENTENCES = {"From", "Import", "Open", "Definition", "Fixpoint", "CoFixpoint", "Record", "Inductive", "CoInductive", "Lemma",
             "Theorem", "Corollary", "Example", "Proof", "Qed", "Section", "End", "Variable", "Variables", "Hypothesis", "Let",
             "Ltac", "Opaque", "Transparent", "Arguments"}
ALSO = {"Extract": {"Extraction", "Set"}, "Examples": {"Compute"}, "Assumptions": {"Print"}}
ABBREVIATION = re.compile(r"Notation \w+ :=[^\"]*$")
BULLETS = re.compile(r"^(?:[-+*{}\s]|\w+:(?!=))*")
STATEMENT = "proofs/coq/Statement.v"
DEFINES = re.compile(r"^\s*(?:#\[[^\]]*\]\s*)?(?:Local |Global )?"
                     r"(?:Definition|Fixpoint|Function|Record|Inductive|Notation|Let|Theorem|Lemma)\s+(\w+)", re.M)


def sentences_known(path: str) -> Iterator[str]:
    """No sentence of another kind than proofs need."""
    known = SENTENCES | ALSO.get(stem(path), set())
    for sentence in (BULLETS.sub("", found) for found in sentences(read(path))):
        if head_of(sentence) not in known and re.match(r"[A-Z#]", sentence) and not ABBREVIATION.match(sentence):
            yield f"{path}: a sentence that no proof needs: {' '.join(sentence.split())[:60]}"
        elif sentence.startswith("From") and not re.match(r"From (Fumata|Coq) Require (Import|Export) [\w\s.]+\.$", sentence):
            yield f"{path}: {' '.join(sentence.split())[:60]}: not From Fumata or From Coq"


def stated(made: list[str]) -> Iterator[str]:
    """Statement.v rests on Coq and on what is made from specs/, so that no proof can give its words another meaning; each
    proposition in it is proved under that very name (Assumptions.v)."""
    text = without_comments(read(STATEMENT))
    required = [name for line in re.findall(r"From Fumata Require \w+ ([\w\s]+?)\.\s", text) for name in line.split()]
    yield from (f"{STATEMENT} requires {name}, which is not made from specs/ or core/" for name in required if name not in made)
    proved = without_comments(read(f"{SOURCE}/Assumptions.v"))
    yield from (f"{STATEMENT}: nothing in Assumptions.v is a proof of {name}"
                for name in re.findall(r"^Definition (\w+) : Prop :=", text, re.M) if not re.search(rf":= {name}\.", proved))


def once(globs: dict[str, str], made: list[str]) -> Iterator[str]:
    """No second meaning of a name of Statement.v or of what is made from specs/, by what Coq says that each file defines (.glob); it
    does not tell a Let from the variable of a section, which does not change a meaning."""
    names = {stem: set(re.findall(r"^(?!R|F|DIGEST|binder|var|sec)\w+ \S+ \S+ (\S+)$", text, re.M)) for stem, text in globs.items()}
    first = {name: stem for stem in [*made, "Statement"] for name in names.get(stem, ())}
    for stem in (stem for stem in names if stem not in made):
        lets = [re.match(r"Let\s+(\w+)", sentence) for sentence in sentences(read(f"{SOURCE}/{stem}.v"))]
        for name in sorted(names[stem] | {found.group(1) for found in lets if found}):
            if first.get(name, stem) != stem:
                yield f"{SOURCE}/{stem}.v gives {name} of {first[name]}.v another meaning"


def unlisted(listed: list[str], made: list[str]) -> Iterator[str]:
    yield from (f"{SOURCE}/{stem}.v stands in for a file that is made from specs/ or core/" for stem in listed if stem in made)
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
