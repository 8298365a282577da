"""Rates of both papers on halfspaces, as measured exponents: rates of queries (Theorems 3.4, 3.5), of students (Table 1)."""
import pictures
from halfspaces import FLIPPED, KINDS, POOL, groups, meter, polls, toll
from program import RUNS

EPSILON = "2"
DIMENSION, PRIVATE, QUERIES = 10, 80000, 1000
SILENCES = (5, 10, 20, 40, 80, 160, 320, 640, 1280)
SWEEPS = {  # what grows, and its values: (name, private records, dimension, queries)
    "m": [(m, PRIVATE, DIMENSION, m) for m in (125, 250, 500, 1000, 2000, 4000, 8000)],
    "n": [(n, n, DIMENSION, QUERIES) for n in (20000, 40000, 80000, 160000, 320000)],
    "d": [(d, PRIVATE, d, QUERIES) for d in (5, 10, 20, 50)],
}
# Of the rate of misses in m, n, d: Theorem 3.4's second regime, 3.5's, and sqrt(m) V/n by advanced composition.
THEORY = {"realizable": {"m": 1, "n": -2, "d": 2}, "massart": {"m": 1 / 3, "n": -2 / 3, "d": 2 / 3}}
COMPOSED = {"m": 0.5, "n": -1, "d": 1}


def settings(queries):
    """Silences worth trying for that number of queries, and answers for all of them."""
    worth = [silences for silences in SILENCES if queries / 100 <= silences <= queries / 3]
    return [(meter(EPSILON, silences), queries) for silences in worth] + [(toll(EPSILON, queries, "random"), queries)]


def best(results, key):
    """The smallest mean over the runs, by setting; a setting that was refused is none."""
    means = [pictures.mean(run[key] for run in runs) for runs in zip(*results) if None not in runs]
    return min(means) if means else None


def misses(kind, sweep):
    """Rows (value, meter's rate of misses, rate when every answer is paid for), less what cannot be got right."""
    jobs = [(kind, n, d, seed, settings(m)) for _, n, d, m in SWEEPS[sweep] for seed in range(RUNS)]
    found, rows = groups(jobs), []
    lost = FLIPPED if kind == "massart" else 0
    for at, (value, _, _, _) in enumerate(SWEEPS[sweep]):
        results = found[at * RUNS : at * RUNS + RUNS]
        rates = best([runs[:-1] for runs in results], "missed"), best([runs[-1:] for runs in results], "missed")
        rows.append([value] + [None if rate is None else rate - lost for rate in rates])
    return rows


def queries():
    """Theorems 3.4 and 3.5: the share of m queries that do not get their label, T the best of a grid, k by the planner."""
    fits = []
    for kind in ("realizable", "massart"):
        for sweep in SWEEPS:
            rows = misses(kind, sweep)
            name = "queries-%s-%s" % (kind, sweep)
            pictures.table(name, [sweep, "meter", "every answer paid"], rows)
            across, ours, composed = zip(*rows)
            fits.append([kind, sweep, pictures.exponent(across, ours), THEORY[kind][sweep],
                         pictures.exponent(across, composed), COMPOSED[sweep]])
    pictures.table("queries", ["labels", "growing", "meter", "theorem", "every answer paid", "advanced composition"], fits)
    draw_queries()


def draw_queries():
    """Six panels; the theorem's line starts at the first point, since theorems say nothing of constants."""
    panels = []
    for kind in ("realizable", "massart"):
        for sweep, label in (("m", "queries m"), ("n", "private records n"), ("d", "dimension d")):
            name = "queries-%s-%s" % (kind, sweep)
            rows = pictures.read(name)
            (start, level), power = rows[0][:2], THEORY[kind][sweep]
            panels.append("set title '%s'\nset xlabel '%s'\nset xrange [%g:%g]\nplot FOLDER.'/%s.csv' using 1:2 with linespoints "
                          "lw 2 title 'meter', '' using 1:3 with linespoints lw 2 title 'every answer paid', "
                          "%g*(x/%g)**(%g) with lines dt 2 lc 'black' title 'theorem'"
                          % (kind, label, start * 0.8, rows[-1][0] * 1.25, name, level, start, power))
    pictures.plot("queries", "FOLDER = '%s'\nset multiplot layout 2,3\nset logscale xy\nset rmargin 3\n"
                  "set key inside top left vertical maxrows 4 font ',10'\n"
                  "set format y '%%g'\nset format x '%%.0s%%c'\nset ylabel 'missed'\n%s\nunset multiplot"
                  % (pictures.OUT, "\n".join(panels)), 700)


GROWING = (5000, 10000, 20000, 40000, 80000)
STUDENTS = {  # the ways of Table 1, each with a small grid of budgets
    "passive, silences paid": [meter(EPSILON, number) for number in (20, 80, 320)],
    "passive, answers paid": [toll(EPSILON, number, "random") for number in (50, 200, 800)],
    "active, margin": [toll(EPSILON, number, "margin") for number in (50, 200, 800)],
    "active, disagreement": [toll(EPSILON, number, "disagreement") for number in (50, 200, 800)],
}
TAU = {"realizable": 1, "massart": 1, "tsybakov": 0.5}


POLL = "poll"  # K, L and B by its rule; two students


def rate(kind, way):
    """Table 1's exponent of n; of labels that no halfspace gives, none: only the voting classifier is learned; and none of the poll."""
    if kind not in TAU or way == POLL:
        return None
    tau = TAU[kind]
    return -2 * tau / (4 - tau) if way == "passive, answers paid" else -tau / (2 - tau)


def table1():
    """The student's excess risk as the private data grow, the best of each grid."""
    wanted = lambda n: [(options, POOL) for grid in STUDENTS.values() for options in grid] + [(options, POOL) for options in polls(n)]
    found = groups([(kind, n, DIMENSION, seed, wanted(n)) for kind in KINDS for n in GROWING for seed in range(RUNS)])
    ways, fits, held = [*STUDENTS, POLL], [], []
    for number, kind in enumerate(KINDS):
        rows = []
        for at, n in enumerate(GROWING):
            first = (number * len(GROWING) + at) * RUNS
            results = found[first : first + RUNS]
            rows.append([n] + [best([runs[3 * way : 3 * way + 3] for runs in results], "excess") for way in range(len(ways))])
            for student in (-2, -1):
                of_poll = lambda key, found=[runs[student] for runs in results]: [run[key] for run in found]
                held.append([kind, n, of_poll("K")[0], of_poll("B")[0], of_poll("asked")[0], 1 if student == -2 else 10000,
                             pictures.mean(of_poll("wrong")), pictures.mean(of_poll("excess")), min(of_poll("excess")),
                             max(of_poll("excess"))])
        pictures.table("table1-" + kind, ["n", *ways], rows)
        across, *curves = zip(*rows)
        fits += [[kind, way, pictures.exponent(across, curve), rate(kind, way), curve[0], curve[-1]]
                 for way, curve in zip(ways, curves)]
    pictures.table("table1-polls", ["labels", "n", "K", "B", "asked", "student's C", "answers unlike the label", "excess", "lowest",
                                    "highest"], held)
    pictures.table("table1", ["labels", "way", "measured", "theorem", "excess at n = %d" % GROWING[0],
                              "excess at n = %d" % GROWING[-1]], fits)
    draw_table1()


def draw_table1():
    panels = []
    for kind in KINDS:
        lines = ["FOLDER.'/table1-%s.csv' using 1:%d with linespoints lw 2 title '%s'" % (kind, at + 2, way)
                 for at, way in enumerate([*STUDENTS, POLL])]
        if rate(kind, ""):
            level = pictures.read("table1-" + kind)[0][1]
            lines.append("%g*(x/%g)**(%g) with lines dt 2 lc 'black' title 'theorem'" % (level, GROWING[0], rate(kind, "")))
        panels.append("set title '%s'\nplot %s" % (kind, ", ".join(lines)))
    pictures.plot("table1", "FOLDER = '%s'\nset multiplot layout 2,2\nset logscale xy\nset rmargin 4\n"
                  "set key inside bottom left vertical maxrows 7 font ',10'\n"
                  "set format y '%%g'\nset format x '%%.0s%%c'\nset xrange [4000:100000]\nset xlabel 'private records n'\n"
                  "set ylabel 'excess risk'\n%s\nunset multiplot" % (pictures.OUT, "\n".join(panels)), 760)
