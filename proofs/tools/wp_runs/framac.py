"""One run of Frama-C/WP on one file, as proofs/verify needs it: a report, a log, what was read, and no run that failed unseen."""
import json
import os
import subprocess
import sys

from project import OUT, WP, read, stem, write
from wp_runs.goals import Report

# WP waits between goals more than it works: three runs with four provers each keep two cores busy.
JOBS, PROVERS_EACH = 3, 4
# Only the plug-ins that a run uses: the others cost a twelfth of Frama-C's time, because each collection of garbage looks
# through what they hold. It collects later as well; Alt-Ergo, which is told the same, does not mind.
PLUGINS = ["-no-autoload-plugins", "-load-module", "wp,rtegen,report"]
HEAP = "s=1M,o=400"


def printed_path(source: str) -> str:
    """Where Frama-C writes what it has read."""
    return os.path.join(OUT, f"{stem(source)}.i")


def run_wp(source: str, *options: str) -> tuple[Report, str]:
    """One Frama-C run; returns (the JSON report, the text of -report and all else)."""
    label = stem(source)
    report, printed = os.path.join(OUT, f"{label}.json"), printed_path(source)
    for old in (report, printed):
        if os.path.exists(old):
            os.remove(old)
    # -report tells what was taken for granted.
    command = [WP, source, *PLUGINS, "-wp-par", str(PROVERS_EACH), *options, "-wp-report-json", report, "-no-unicode", "-print",
               "-ocode", printed, "-then", "-report"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env={**os.environ, "PROVERS": "first,second", "OCAMLRUNPARAM": HEAP}, check=False)
    if sys.stderr.isatty():
        print(f"\r  [{label} done]" + " " * 30, end="\r", file=sys.stderr)
    write(os.path.join(OUT, f"{label}.log"), done.stdout)
    if done.returncode != 0 or not os.path.exists(report) or not os.path.exists(printed):
        lines = [l for l in done.stdout.splitlines() if "error" in l.lower() or "invalid" in l.lower()]
        raise SystemExit(f"verify: Frama-C failed on {source}:\n" + "\n".join(lines[:8]))
    return json.loads(read(report)) or {}, done.stdout  # null when there was no goal
