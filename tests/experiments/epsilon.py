"""Accuracy against epsilon on four data sets: three ways to ask, the papers' own, and three peers.

Every fumata runs with its defaults: the rule of the poll, the planner's teachers, silences and answers. Peers get the best of their
grids by test accuracy (peers.py, gradient_peer.py). The second paper's Gaussian noise has no meter beside it, also of ten classes.
Output perturbation and PATE are for one record changed, as teachers are; the poll and noisy gradients are for one record added or
removed.
"""
from concurrent.futures import ThreadPoolExecutor

import gradient_peer
import peers
import pictures
from program import JOBS, RUNS, image_arguments
from students import IMAGES, accuracies, without_privacy

CLASSIC = ["--ask", "random", "--mechanism", "classic", "--silent-as", "random", "--constants"]
WAYS = {  # options for two classes, and for more
    "poll": ([], []),
    "toll": (["--ask", "margin"], ["--ask", "combined"]),  # of more classes beside a meter, as the program does it
    "meter": (["--ask", "random"], ["--ask", "random"]),
    "Bassily et al.": (CLASSIC + ["bassily"], CLASSIC + ["bassily"]),
    "Liu et al.": (CLASSIC + ["liu"], CLASSIC + ["liu"]),
    "Liu et al., Gaussian": (["--ask", "margin", "--mechanism", "toll", "--constants", "gauss"],) * 2,
}
PEERS = ("noisy gradients", "output perturbation", "PATE, GNMax")
MORE = ("output perturbation, pure", "PATE, LNMax")  # in the table of peers only


def of_peers(data):
    """{(peer, epsilon): (accuracies, setting)}"""
    found = peers.compare(data, RUNS)
    runs = [gradient_peer.once(data, seed, peers.EPSILONS, ("added or removed",), True) for seed in range(RUNS)]
    for epsilon in peers.EPSILONS:
        found["noisy gradients", epsilon] = gradient_peer.best(runs, epsilon, "added or removed")
    return found


def of_program(data):
    """{(way, epsilon): accuracies}"""
    points = [(way, epsilon) for way in WAYS for epsilon in peers.EPSILONS]
    with ThreadPoolExecutor(JOBS) as pool:
        found = pool.map(lambda point: accuracies(data, point[1], WAYS[point[0]][data in IMAGES], RUNS), points)
    return dict(zip(points, found))


def against(data):
    if data in IMAGES:
        image_arguments(data)
    limit, program, others = without_privacy(data), of_program(data), of_peers(data)
    cells = {**program, **{point: scores for point, (scores, _) in others.items()}}
    names, rows = [*WAYS, *PEERS, *MORE], []
    for epsilon in peers.EPSILONS:
        row = [epsilon]
        for name in names:
            scores = cells[name, epsilon]
            row += [pictures.mean(scores), min(scores), max(scores)] if scores else [None] * 3
        rows.append(row + [limit])
    header = ["epsilon"] + [part % name for name in names for part in ("%s", "%s, lowest", "%s, highest")] + ["no privacy"]
    pictures.table(data, header, rows)
    pictures.table(data + "-settings", ["peer", "epsilon", "setting"], [[*point, found[1]] for point, found in others.items()])
    pictures.markdown(data, ["%s, without privacy %.1f" % (data, limit), *peers.EPSILONS],
                      [[name] + [pictures.spread(cells[name, epsilon]) for epsilon in peers.EPSILONS] for name in names])
    draw(data, rows)


def draw(data, rows):
    """All of it, the upper part of it once more, and the legend for both."""
    shown = [*WAYS, *PEERS]
    curves = ["FILE using 1:%d:%d:%d with yerrorlines lw 2 ps 0.6 title \"%s\"" % (3 * at + 2, 3 * at + 3, 3 * at + 4, title)
              for at, title in enumerate(shown)]
    curves.append("FILE using 1:%d with lines dt 2 lw 2 lc 'black' title 'no privacy'" % (3 * (len(shown) + len(MORE)) + 2))
    drawn = "plot " + ", ".join(curves) + "\n"
    legend = "plot [][0:1] " + ", ".join("NaN with lines" + curve[curve.index(" lw 2") :].replace(" ps 0.6", "")
                                         for curve in curves)
    high = sorted(cell for row in rows[1:] for cell in row[1 : 3 * len(shown) + 1] if cell is not None and cell > row[-1] - 5)
    pictures.plot(data, "set multiplot layout 1,3 title '%s: accuracy of the student, delta = 1e-5'\nset xlabel 'epsilon'\n"
                  "set ylabel 'test accuracy, %%'\nset logscale x 2\nset xtics (%s)\nset key off\nset xrange [0.09:9]\n%s"
                  "set xrange [0.22:9]\nset yrange [%g:%g]\n%sset key on center center samplen 3\nunset border\nunset tics\n"
                  "unset xlabel\nunset ylabel\nunset logscale\n%s\nunset multiplot"
                  % (data, ", ".join(peers.EPSILONS), drawn, high[0] - 0.5, high[-1] + 0.5, drawn, legend), 440)
