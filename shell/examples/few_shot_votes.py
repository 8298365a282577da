"""Votes of few-shot prompts: a language model is shown a handful of private reviews in each of 200 prompts, and every prompt
votes on every public text. No private review is in two prompts, so each prompt is a teacher.

Here the votes are made up and lie in few_shot_votes.csv: a text, and how many prompts said bad and good. A session asks about 80
of the 240 texts, pays for the answers, and a student learns from them."""
import csv
import os
import tempfile

import fumata
import numpy
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "few_shot_votes.csv"), newline="") as file:
    rows = list(csv.DictReader(file))
texts = numpy.array([row["text"] for row in rows], dtype=object)
counts = numpy.array([[int(row["bad"]), int(row["good"])] for row in rows])  # private: what a model would be asked for

student = make_pipeline(CountVectorizer(), LogisticRegression())
plan = fumata.plan(epsilon="2", delta="1e-5", answers=80)
with tempfile.TemporaryDirectory() as folder, \
        fumata.AskingSession(fumata.Budget(folder + "/reviews.ledger", epsilon="2", delta="1e-5"), plan, ["bad", "good"], texts,
                             student) as session:
    while len(asked := session.query(20).ids):
        session.teach(asked, votes=counts[asked], counts=True)  # only what is asked need be put to the prompts
    learned, released = session.learn(), session.labels_ >= 0
truth = session.classes_[counts.argmax(axis=1)]
score = (learned.predict(texts[~released]) == truth[~released]).mean()
print(f"{released.sum()} answers for epsilon {plan.epsilon:g}; the student agrees with the prompts on {100 * score:.0f} % of the other texts")
assert released.sum() == 80 and score > 0.8
