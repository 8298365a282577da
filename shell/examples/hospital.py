"""Makes up a hospital: hospital.py FOLDER writes visits.csv (private), registry.csv (public, no outcome) and later.csv (to test on).

A patient has several visits; dates, missing cells and a rare outcome are as in real tables, but no real person is in them."""
import csv
import datetime
import math
import random
import sys

WARDS = ["surgery", "medicine", "cardiology", "geriatrics"]


def visits(patients, chance):
    """One row a visit: what is known at discharge, and whether the patient came back within thirty days."""
    for patient in patients:
        age, frail = chance.gauss(62, 16), chance.gauss(0, 1)
        for _ in range(1 + int(chance.expovariate(0.9))):
            day = datetime.date(2024, 1, 1) + datetime.timedelta(days=chance.randrange(700))
            stay = max(1, round(math.exp(chance.gauss(1.2 + 0.3 * frail, 0.6))))
            ward = chance.choice(WARDS + (["geriatrics"] * 3 if age > 75 else []))
            marker = chance.gauss(30 + 12 * frail, 9)
            score = -1.9 + 0.9 * frail + 0.03 * (age - 62) + 0.5 * (ward == "geriatrics") + 0.25 * (day.weekday() >= 5)
            back = chance.random() < 1 / (1 + math.exp(-score))
            yield {"patient": f"P{patient:06d}", "admitted": day.isoformat(), "age": round(age), "ward": ward, "days": stay,
                   "marker": "" if chance.random() < 0.15 else f"{marker:.1f}", "back": "yes" if back else "no"}


def write(path, rows, columns):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(folder):
    chance = random.Random(7)
    known = ["admitted", "age", "ward", "days", "marker"]
    write(f"{folder}/visits.csv", visits(range(12000), chance), ["patient", *known, "back"])
    write(f"{folder}/registry.csv", visits(range(20000, 23000), chance), known)
    write(f"{folder}/later.csv", visits(range(30000, 32000), chance), [*known, "back"])


if __name__ == "__main__":
    main(sys.argv[1])
