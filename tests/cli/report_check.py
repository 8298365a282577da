"""A report as a page: well formed, alone in the world, and saying what the files say.

  report_check.py PAGE FOLDER
"""
import csv
import html.parser
import json
import re
import sys

VOID = {"meta", "br", "link", "img", "input", "hr"}
ALONE = {"line", "rect", "path", "polyline"}  # of SVG, closed by themselves
FORBIDDEN = {"script", "link", "img", "iframe", "object", "embed", "base", "form", "audio", "video", "image", "use"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.ids, self.text, self.pictures, self.tags, self.box = [], [], [], [], 0, [], None
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        names = dict(attrs)
        if tag in FORBIDDEN or any(name.startswith("on") or name in ("src", "href", "srcset") for name in names):
            self.faults.append(f"<{tag} {attrs}> does not belong here")
        if "id" in names:
            self.ids.append(names["id"])
        if tag == "svg":
            self.pictures += 1
            self.box = [float(x) for x in names["viewbox"].split()]
            if not names.get("aria-label"):
                self.faults.append("a picture without words")
        self.inside(tag, names)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.inside(tag, dict(attrs))
        if tag not in ALONE:
            self.faults.append(f"<{tag}/>")

    def inside(self, tag, names):
        """Every point of a picture is in its frame."""
        points = [tuple(float(x) for x in pair.split(",")) for pair in names.get("points", "").split()]
        if tag == "polyline" and len(points) < 2:
            self.faults.append("a line without points")
        points += [(float(names[x]), float(names[y])) for x, y in (("x", "y"), ("x1", "y1"), ("x2", "y2"))
                   if x in names and y in names]
        for x, y in points:
            if not (0 <= x <= self.box[2] and 0 <= y <= self.box[3]):
                self.faults.append(f"{tag}: ({x}, {y}) is outside of the picture")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> out of place")

    def handle_data(self, data):
        self.text.append(data)


def main(path, folder):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    with open(folder + "/summary.json", encoding="utf-8") as file:
        summary = json.load(file)
    with open(folder + "/labels.csv", encoding="utf-8") as file:
        labels = sum(row["answer"] != "silent" for row in csv.DictReader(file))
    page = Page(source)
    faults = page.faults
    said = re.sub(r"\s+", " ", "".join(page.text))
    if re.search(r"https?:|url\(|@import", source):
        faults.append("the page refers to something outside of itself")
    for wanted in ("short", "student", "claim", "budget", "trust", "stream", "released", "columns", "certificate"):
        if page.ids.count(wanted) != 1:
            faults.append(f"no section {wanted}")
    for key in ("total_epsilon", "total_delta", "neighbours", "teachers", "ledger_head", "version", "command", "learner", "student"):
        if key in summary and str(summary[key]) not in said:
            faults.append(f"{key}: {summary[key]} is not on the page")
    order = [page.ids.index(i) for i in ("short", "student", "claim", "budget", "trust") if i in page.ids]
    if order != sorted(order):
        faults.append(f"the sections stand in another order: {page.ids}")
    if labels != summary["labels"]:
        faults.append(f"{labels} labels in labels.csv, {summary['labels']} in the summary")
    wanted = ["The claim", "How good", "What it cost", "What is left", "What to believe", f"{labels} labels", "PROVED", "TESTED", "ASSUMED"]
    if "silences" in summary:
        wanted.append(f"T = {summary['silences']}")
    if "test_accuracy" in summary:
        wanted += [f"{100 * summary[key]:.1f}" for key in ("test_accuracy", "test_majority", "test_balanced_accuracy")]
        wanted += [f"{100 * one['recall']:.1f}" for one in summary["test_by_class"][:12]] + [f"{summary['test_auc']:.3f}"]
    for text in ("of one mind", "k = ", "nan"):
        if text in said:
            faults.append(f"'{text}' is on the page")
    for text in wanted:
        if text not in said:
            faults.append(f"'{text}' is not on the page")
    if page.pictures < 3:
        faults.append(f"{page.pictures} pictures")
    for fault in faults:
        print(fault)
    return bool(faults)


sys.exit(main(sys.argv[1], sys.argv[2]))
