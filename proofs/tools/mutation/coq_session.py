"""A running coqtop that has the compiled files at hand; what is told to it is taken back with `forget`."""
import os
import re
import resource
import signal
import subprocess

from project import read

FOLDER = "build/coq"
MEMORY = 6 << 30  # bytes; an edit may ask for a number with that many digits
SECONDS = 60  # of CPU time for what is told at once: the same on a busy machine; no lemma of a build takes a quarter of it
PROMPT = re.compile(r"<prompt>[^<]* < (\d+) \|.*?</prompt>")


class Gone(Exception):
    """coqtop ended, out of time, memory or stack."""


def cpu_seconds(process: int) -> float:
    """What it has used so far."""
    fields = read(f"/proc/{process}/stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Session:
    """One coqtop, with all files loaded and none imported."""

    def __init__(self, stems: list[str]) -> None:
        command = ["prlimit", f"--as={MEMORY}", "--core=0", "coqtop", "-q", "-emacs", "-w", "none", "-Q", ".", "Fumata"]
        # pylint: disable-next=consider-using-with # see stop
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, cwd=FOLDER)
        self.asked = 0
        error = self.error("From Fumata Require " + " ".join(stems) + ". Set Warnings \"none\".")
        if error:
            raise SystemExit(f"mutate: coqtop does not load {FOLDER}: {error}")
        self.beginning = self.state

    state = 1

    def allow(self) -> None:
        """The kernel ends coqtop when it has used so many seconds more."""
        hard = resource.prlimit(self.process.pid, resource.RLIMIT_CPU)[1]
        resource.prlimit(self.process.pid, resource.RLIMIT_CPU, (int(cpu_seconds(self.process.pid)) + 1 + SECONDS, hard))

    def why_gone(self) -> str:
        return "time" if self.process.wait() == -signal.SIGXCPU else "memory or stack"

    def said(self, text: str) -> str:
        """What Coq says to these sentences."""
        self.asked += 1
        mark = f"end_of_answer_{self.asked}"
        assert self.process.stdin and self.process.stdout
        lines = []
        self.allow()
        try:
            self.process.stdin.write(f"{text}\nFail Check {mark}.\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                lines.append(line)
                if f"{mark} was not found" in line:
                    break
            else:
                raise Gone(self.why_gone())
        except BrokenPipeError as error:
            raise Gone(self.why_gone()) from error
        whole = "".join(lines)
        # The prompt before the mark's own answer is the state after `text`.
        self.state = int(PROMPT.findall(whole)[-1])
        return re.sub(r"<infomsg>.*?</infomsg>", "", PROMPT.sub("", whole), flags=re.S)

    def error(self, text: str) -> str | None:
        """The first error that these sentences meet, on one line."""
        found = re.search(r"^Error:\s*(.*?)(?=^Toplevel input|\Z)", self.said(text), re.S | re.M)
        if not found:
            return None
        message = re.sub(r"^In environment.*?(?=^(?:The |Unable|Cannot|Found|No |Tactic|In nested))", "", found.group(1),
                         flags=re.S | re.M)
        return " ".join(message.partition("The command has indeed failed")[0].split())[:110] or "an error"

    def forget(self) -> None:
        self.said(f"BackTo {self.beginning}.")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
