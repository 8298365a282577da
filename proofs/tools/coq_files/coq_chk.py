"""What Coq's own checker, coqchk, finds in the compiled files: it types every proof again, apart from coqc, and lists all that is
taken without one: axioms and whatever else leaves a constant without a body, recursions and types that were not checked, and
universes. No word of the text decides that, only the terms."""
import re
import subprocess

from coq_files.coq_compile import OUT

SECONDS = 1800
# Numbers are computed by the virtual machine, as in coqc: without it the plans of Plans.v take minutes.
COMMAND = ["coqchk", "-silent", "-o", "-bytecode-compiler", "yes", "-Q", ".", "Fumata"]
HERE = "Fumata."


def said(*modules: str) -> str:
    done = subprocess.run(["timeout", str(SECONDS), *COMMAND, *modules], cwd=OUT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode or "CONTEXT SUMMARY" not in done.stdout:
        raise SystemExit("coq: coqchk refuses:\n" + done.stdout.strip()[-2000:])
    return done.stdout


def context(stems: list[str]) -> list[str]:
    """Of all these files and everything that they rest on, Coq's library included: a line for each assumption."""
    return lines(said(*(HERE + stem for stem in stems)))


def own(stems: list[str]) -> list[str]:
    """What is taken in these files themselves; what they rest on is believed, which takes a second."""
    options = [word for stem in stems for word in ("-norec", HERE + stem)]
    return [line for line in lines(said(*options)) if HERE in line]


def lines(text: str) -> list[str]:
    """'Axioms: Coq.Logic.Classical_Prop.classic' and so on, in order; a heading without entries says <none>."""
    found, heading = [], ""
    for line in text.partition("CONTEXT SUMMARY")[2].splitlines()[2:]:
        head = re.match(r"\* ([^:]+):\s*(.*)$", line)
        if head:
            heading = head.group(1)
        entry = head.group(2) if head else line.strip()
        if entry:
            found.append(f"{heading}: {entry}")
    return sorted(found)
