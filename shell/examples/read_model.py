#!/usr/bin/python3
"""A student without Fumata, linear or of a kernel: reads what `fumata model show student.model --json` wrote and labels a CSV file.

  fumata model show out/student.model --json -o student.json
  read_model.py student.json new.csv                           prints id,label and how likely each class is

NumPy only; fumata-model(1) says what the members of the JSON object mean.
"""
import csv
import datetime
import json
import re
import sys

import numpy as np


def scaled(x, low, high):
    """A number in its public range, cut where it is far outside."""
    return np.clip((x - low) / (high - low) if high > low else 0.0, -1, 2)


def number(text, column, decimal):
    """A cell of a column of numbers, scaled to its public range."""
    low, high, x = column["low"], column["high"], float(text.replace(".", "").replace(",", ".") if decimal == "," else text)
    if column["kind"] == "log":
        low, high, x = (np.sign(v) * np.log1p(abs(v)) for v in (low, high, x))
    return scaled(x, low, high)


MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def date(text, column):
    """The features of a date: when, month, weekday, time of day."""
    parts = dict(zip(column["order"], re.split(r"[-/. ,]+", text)[:2] + re.findall(r"\d+|[A-Za-z]+", text)[2:3]))
    month = parts["m"] if parts["m"].isdigit() else MONTHS.index(parts["m"][:3].lower()) + 1
    day = datetime.date(int(parts["y"]), int(month), int(parts["d"]))
    clock = re.search(r"(\d+):(\d+)(?::(\d+(?:\.\d+)?))?(?: ?([AaPp])[Mm])?", text)
    hours, minutes, seconds, half = clock.groups(default="0") if clock else "0000"
    hour = int(hours) % 12 + 12 * (half in "Pp") if half != "0" else int(hours)
    time = (hour * 3600 + int(minutes) * 60 + float(seconds)) / 86400
    days = (day - datetime.date(1970, 1, 1)).days + time
    return scaled(days, column["low"], column["high"]), (day.month - 1) / 11, day.weekday() / 6, time


def encode(record, columns, missing, decimal):
    """The features of one record (a dict), before the steps."""
    row = np.zeros(sum(column["width"] for column in columns), np.float32)
    for column in columns:
        text, first = record.get(column["name"], "").strip(), column["first"]
        if column["kind"] in ("number", "log"):
            row[first] = column["empty"] if text in missing else number(text, column, decimal)
            row[first + 1] = text in missing
        elif column["kind"] == "date":
            row[first : first + 4] = (column["empty"], 0.5, 0.5, 0) if text in missing else date(text, column)
            row[first + 4] = text in missing
        elif column["kind"] == "category":
            values = column["values"]
            place = len(values) + 1 if text in missing else values.index(text) if text in values else len(values)
            row[first + place] = 1
    return row


def apply(step, rows):
    if step["kind"] == "pca":
        return (rows - np.array(step["mean"])) @ np.array(step["axes"])
    if step["kind"] in ("standard", "range"):
        return (rows - np.array(step["mean"])) * np.array(step["scale"])
    raise ValueError(f"{step['kind']} is not read here")


def shares(linear, rows, classes):
    """How likely each class is, by one set of weights."""
    score = rows @ np.array(linear["weights"]).T + np.array(linear["bias"])
    share = 1 / (1 + np.exp(-np.clip(score, -500, 500)))
    if classes == 2:
        return np.hstack([1 - share, share])
    return share / share.sum(axis=1, keepdims=True)


def kernel_rows(kernel, rows):
    """A kernel's value at each landmark: what its weights are for."""
    marks = np.array(kernel["landmarks"])
    squares = (rows**2).sum(axis=1)[:, None] + (marks**2).sum(axis=1)[None] - 2 * rows @ marks.T
    return np.exp(-kernel["gamma"] * np.maximum(squares, 0))


def predict(model, records):
    """Labels and shares; a committee counts its members' labels."""
    missing, classes = set(model["missing"]) | {""}, len(model["classes"])
    rows = np.array([encode(record, model["columns"], missing, model["decimal"]) for record in records], float)
    for step in model["steps"]:
        rows = apply(step, rows)
    each = [shares(linear, rows, classes) for linear in model["linear"] if linear["bias"]]
    if model.get("kernel"):
        each = [shares(model["kernel"], kernel_rows(model["kernel"], rows), classes)]
    if len(each) != 1:
        each = [np.eye(classes)[share.argmax(axis=1)] for share in each]
    share = sum(each) / len(each)
    return share.argmax(axis=1), share


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        model = json.load(file)
    with open(sys.argv[2], encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file, delimiter=model["delimiter"]))
    labels, share = predict(model, records)
    print("id,label," + ",".join("p_" + name for name in model["classes"]))
    for i, label in enumerate(labels):
        print(f"{i},{model['classes'][label]}," + ",".join(f"{p:.6f}" for p in share[i]))


if __name__ == "__main__":
    main()
