"""Tables (CSV) and plots (SVG by gnuplot) of the experiments, beside each other in OUT."""
import csv
import math
import os
import re
import subprocess

import numpy

from program import OUT

HEAD = """set datafile separator ','
set terminal svg size 900,%d font 'Helvetica,13' background '#ffffff' noenhanced
set output '%s'
set grid lc '#d0d0d0'
set border lc '#606060'
set key below
set mxtics 1
set mytics 1
set samples 2
set linetype 1 lc '#0060ad' pt 7
set linetype 2 lc '#dd181f' pt 5
set linetype 3 lc '#e69f00' pt 9
set linetype 4 lc '#8b5a2b' pt 11
set linetype 5 lc '#009e73' pt 13
set linetype 6 lc '#9400d3' pt 4
set linetype 7 lc '#56b4e9' pt 6
set linetype 8 lc '#404040' pt 8
set linetype 9 lc '#a0a000' pt 10
"""


def table(name, header, rows):
    """OUT/name.csv; None is an empty cell, a number gets four digits that count."""
    os.makedirs(OUT, exist_ok=True)
    path = os.path.join(OUT, name + ".csv")
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for row in rows:
            writer.writerow(["" if cell is None else "%.4g" % cell if isinstance(cell, float) else cell for cell in row])
    print("%s (%d rows)" % (path, len(rows)), flush=True)
    return path


def markdown(name, header, rows):
    """OUT/name.md, the table as EXPERIMENTS.md shows it."""
    path = os.path.join(OUT, name + ".md")
    with open(path, "w") as file:
        for row in (header, ["---"] * len(header), *rows):
            file.write("| %s |\n" % " | ".join(row))


def spread(scores):
    """Mean (smallest to largest) of some percentages, or a dash."""
    if not scores:
        return "-"
    return "%.1f" % mean(scores) + (" (%.1f to %.1f)" % (min(scores), max(scores)) if len(scores) > 1 else "")


def read(name):
    """The rows of a table of numbers."""
    with open(os.path.join(OUT, name + ".csv")) as file:
        return [[float(cell) if cell else None for cell in row] for row in list(csv.reader(file))[1:]]


def plot(name, commands, height=480):
    """OUT/name.svg; in the commands FILE stands for OUT/name.csv."""
    path = os.path.join(OUT, name + ".svg")
    text = HEAD % (height, path) + commands.replace("FILE", "'%s/%s.csv'" % (OUT, name)) + "\n"
    subprocess.run(["gnuplot"], input=text, text=True, check=True)
    with open(path) as file:
        drawn = file.read()
    with open(path, "w") as file:  # a third of it is groups with nothing in them
        file.write(re.sub(r"<g[^>]*>\s*</g>\n?", "", drawn))
    print(path, flush=True)


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def exponent(across, values):
    """The slope of a straight line through the logarithms, or None of fewer than three points."""
    points = [(math.log(x), math.log(y)) for x, y in zip(across, values) if y is not None and y > 0]
    if len(points) < 3:
        return None
    return float(numpy.polyfit(*zip(*points), 1)[0])
